"""Tool blocks of SpecStory histories to what was done, asked, answered and refused."""

from __future__ import annotations

import html
from collections.abc import Iterator
from typing import Any

from distill.model import Action, ActionKind, Event, Role, Task
from distill.read.actions import relative, shell_actions, tool_actions
from distill.read.patches import DETAIL, added_text
from distill.read.specblocks import Block, sections
from distill.read.textlog import located, trimmed
from distill.text.lazy import Lazy

Done = tuple[int, Role, Action]
_BOX = Lazy(r"\s*[-*] \[(.{1,3}?)\] ?(?:[🔥🌡❄️️]{1,3} )?(.+)$")
_BOXES = {"x": "completed", "X": "completed", "✓": "completed", "✔": "completed", "-": "in_progress",
          "~": "in_progress", "⚡": "in_progress", ">": "in_progress"}  # fmt: skip
_QUESTION = Lazy(r"\*\*(.+?)\*\*(?: _\(select multiple\)_)?\s*$")
_OPTION = Lazy(r"[-*] \*\*(.+?)\*\*(?: - .*)?$")
_ANSWER = Lazy(r"\*\*Answer:\*\* ?(.*)$")
_PAIR = Lazy(r'"([^"]{1,2000})"="([^"]{0,4000})"')
_TODO = {"todo_write", "todowrite", "update_plan", "manage_todo_list", "updatetodolist", "write_todos"}
_ASK = {"ask_question", "askuserquestion", "question", "ask_user_question"}
_PLAN = {"exitplanmode", "exit_plan_mode", "create_plan"}
_NOTHING = {"task", "agent", "taskcreate", "taskupdate", "tasklist", "taskoutput", "toolsearch", "skill"}
_WRITES = {"write", "write_file", "create_file", "write_to_file"}
_EDITS = {"edit", "multiedit", "edit_file", "edit_file_v2", "search_replace", "code_edit", "str_replace_editor",
          "replace_string_in_file", "insert_edit_into_file", "notebookedit", "strreplace", "str_replace"}  # fmt: skip
_READS = {"read", "search"}


class Tools:
    """What the blocks of one history did; keeps the to-do list that later blocks change in part."""

    def __init__(self) -> None:
        self._todos: dict[str, Task] = {}

    def done(self, block: Block) -> Iterator[Done]:
        """The acts of one block with their records; blocks that only read give none."""
        name = block.name.casefold().rpartition("__")[2]
        if name in _TODO or block.summary.endswith("Todo List"):
            yield from self._list(block)
        elif name in _ASK:
            yield from _answers(block)
        elif name in _PLAN:
            yield from _plan(block)
        elif block.refused:
            target = block.path[0] or block.command[0] or block.name
            detail = trimmed(*block.reason())[1]
            record = located(target, block.start, block.lines, block.start)
            yield record, Role.USER, Action(kind=ActionKind.REJECTED, target=target, detail=detail)
        elif block.kind in _READS or name in _NOTHING:
            return
        elif any(True for _ in sections(block)):
            yield from _patch(block)
        elif block.kind == "shell" or block.command[0]:
            yield from _shell(block)
        elif block.kind == "write" or name in _WRITES | _EDITS or block.path[1]:
            yield from _file(block, name)
        elif block.parameters or block.inputs:
            arguments: dict[str, Any] = block.parameters or dict(block.inputs)
            for action in tool_actions(block.name, arguments, block.output, failed=block.failed):
                yield located(action.target, block.start, block.lines, block.start), Role.ASSISTANT, action

    def _list(self, block: Block) -> Iterator[Done]:
        tasks: list[Task] = []
        record = block.start
        for number, text in block.prose:
            if found := _BOX.match(text):
                record = number if not tasks else record
                status = _BOXES.get(found[1].strip("\ufe0f"), "pending")
                tasks.append(Task(text=found[2].strip(), status=status, record=number))
        if not tasks:
            tasks = self._merged(block.parameters)
            record = located(tasks[0].text if tasks else "", block.start, block.lines, record)
        if tasks:
            yield record, Role.ASSISTANT, Action(kind=ActionKind.PLANNED, tasks=tuple(tasks))

    def _merged(self, parameters: dict[str, Any]) -> list[Task]:
        """The list as it stands after a call with JSON arguments, which may name changed entries alone."""
        entries = parameters.get("todos", parameters.get("plan", parameters.get("todoList")))
        if not isinstance(entries, list):
            return []
        if parameters.get("merge") is not True:
            self._todos = {}
        for at, entry in enumerate(entries):
            if not isinstance(entry, dict):
                continue
            key = str(entry.get("id", at))
            old = self._todos.get(key)
            named = (entry.get(k) for k in ("content", "step", "title", "text"))
            text = next((v.strip() for v in named if isinstance(v, str) and v.strip()), old.text if old else "")
            status = str(entry.get("status") or (old.status if old else "pending")).casefold().replace("-", "_")
            status = status.removeprefix("todo_status_")
            status = "completed" if status in ("done", "cancelled") else status
            if text:
                self._todos[key] = Task(text=text, status=status if status in _STATES else "pending")
        return list(self._todos.values())


_STATES = ("pending", "in_progress", "completed")


def refusal(block: Block) -> tuple[int, str]:
    """The user's own words in a refusal, and the line they start at; no words give ""."""
    return trimmed(*block.reason())


def _file(block: Block, name: str) -> Iterator[Done]:
    path, verb = block.path
    if not path:
        return
    record = located(path, block.start, block.lines, block.start)
    if verb.startswith("Delet") or name.startswith("delete"):
        action = Action(kind=ActionKind.DELETED, target=relative(path, ""), done=not block.failed)
        yield record, Role.ASSISTANT, action
        return
    diff = "\n".join(f.text for f in block.fences if f.info == "diff")
    content = next((f.text for f in block.fences if f is not block.output_fence and f.info not in ("diff", "json")), "")
    text = html.unescape(_added(diff)) if diff else content[:DETAIL]
    created = name in _WRITES or verb in ("Create", "Created", "Write", "Wrote") or "@@ -0,0 " in diff[:200]
    arguments = {"file_path": path, "content": text} if created else {"file_path": path, "new_string": text}
    tool = "Write" if created else "Edit"
    for action in tool_actions(tool, arguments, block.output, failed=block.failed):
        yield record, Role.ASSISTANT, action


def _patch(block: Block) -> Iterator[Done]:
    kinds = {"Add": ActionKind.WROTE, "Delete": ActionKind.DELETED}
    for verb, path, number, diff in sections(block):
        kind = kinds.get(verb, ActionKind.EDITED)
        detail = _added(diff) if kind is not ActionKind.DELETED else ""
        action = Action(kind=kind, target=relative(path, ""), detail=detail, done=not block.failed)
        yield number, Role.ASSISTANT, action


def _added(diff: str) -> str:
    """The new text of a diff; some writers put a blank after the plus sign."""
    lines = added_text(diff).split("\n")
    if all(line.startswith(" ") or not line for line in lines):
        lines = [line[1:] for line in lines]
    return "\n".join(lines)


def _shell(block: Block) -> Iterator[Done]:
    command, record = block.command
    if not command:
        return
    fence = block.output_fence
    for action in shell_actions(command, block.output, failed=block.failed):
        at = record
        if action.kind is ActionKind.TESTED and fence:  # its totals stand in the output
            at = located(action.detail, fence.line, fence.lines, record)
        elif action.target and action.target.partition("\n")[0] not in command:  # a commit, a URL: in the output
            at = located(action.target, fence.line, fence.lines, record) if fence else record
        elif "\n" in command:
            at = located(action.target, record, block.lines[record - block.start :], record)
        yield at, Role.ASSISTANT, action


def _answers(block: Block) -> Iterator[Done]:
    if block.parameters:
        yield from _chosen(block)
        return
    asked: list[tuple[str, list[str]]] = []
    answer, record = "", block.start
    for number, text in block.prose:
        if found := _ANSWER.match(text):
            answer, record = found[1].strip(), number
        elif found := _OPTION.match(text):
            if asked:
                asked[-1][1].append(found[1])
        elif found := _QUESTION.match(text):
            asked.append((found[1], []))
    fence = block.output_fence
    pairs = dict(_PAIR.findall(fence.text[:20_000])) if fence else {}
    if not answer and block.refused:
        question = asked[0][0] if asked else block.name
        action = Action(kind=ActionKind.REJECTED, target=question, detail=refusal(block)[1])
        yield located(question, block.start, block.lines, block.start), Role.USER, action
        return
    for question, options, said in _matched(asked, answer, pairs):
        at = located(said, fence.line, fence.lines, record) if fence and pairs else record
        action = Action(kind=ActionKind.ANSWERED, target=question, detail=said, options=tuple(options))
        yield at, Role.USER, action


def _matched(
    asked: list[tuple[str, list[str]]], answer: str, pairs: dict[str, str]
) -> Iterator[tuple[str, list[str], str]]:
    """Every question with its options and its answer. Several answers stand on one line, with commas between them."""
    if pairs:
        options = dict(asked)
        for question, said in pairs.items():
            yield question, options.get(question, []), said
        return
    rest = answer
    for at, (question, labels) in enumerate(asked):
        if not rest:
            return
        following = asked[at + 1][1] if at + 1 < len(asked) else []
        if at + 1 == len(asked):
            said, rest = rest, ""
        else:
            cuts = [cut for label in following if (cut := rest.find(f", {label}")) > 0]
            cuts = cuts or [len(label) for label in labels if rest.startswith(f"{label}, ")]
            cut = min(cuts) if cuts else rest.find(", ")
            said, rest = (rest[:cut], rest[cut + 2 :]) if cut > 0 else (rest, "")
        yield question, labels, said


def _chosen(block: Block) -> Iterator[Done]:
    """Questions and answers as JSON arguments and result."""
    questions = block.parameters.get("questions")
    answers = block.result.get("answers") if isinstance(block.result, dict) else None
    if not isinstance(questions, list) or not isinstance(answers, list):
        return
    said = {str(a.get("questionId", a.get("id"))): a for a in answers if isinstance(a, dict)}
    for question in questions:
        if not isinstance(question, dict) or not (answer := said.get(str(question.get("id")))):
            continue
        options = question.get("options")
        labels = {
            str(o.get("id")): str(o.get("label") or "") for o in (options if isinstance(options, list) else ())
            if isinstance(o, dict)
        }  # fmt: skip
        picked = answer.get("selectedOptionIds")
        words = [labels.get(str(p), str(p)) for p in picked] if isinstance(picked, list) else []
        free = answer.get("freeformText")
        if isinstance(free, str) and free.strip():
            words.append(free.strip())
        if words:
            prompt = str(question.get("prompt") or question.get("question") or "")
            at = located(words[-1].partition("\n")[0][:40], block.start, block.lines, block.start)
            yield (
                at,
                Role.USER,
                Action(
                    kind=ActionKind.ANSWERED, target=prompt, detail="; ".join(words), options=tuple(labels.values())
                ),
            )


def _plan(block: Block) -> Iterator[Done]:
    plan, record = block.inputs.get("plan", ""), block.input_lines.get("plan", block.start)
    if not plan and isinstance(named := block.parameters.get("plan"), str):
        plan = named
    fence = block.output_fence
    if not plan and fence:
        for at, line in enumerate(fence.lines):
            if line.startswith("## Approved Plan"):
                plan, record = "\n".join(fence.lines[at + 1 :]), fence.line + at + 1
    if block.refused:
        yield record, Role.USER, Action(kind=ActionKind.REJECTED, target="plan", detail=refusal(block)[1])
    elif "has approved" in block.output[:200]:
        record, plan = trimmed(record, plan.split("\n"))
        yield record, Role.USER, Action(kind=ActionKind.APPROVED, detail=plan)


def events_of(acts: Iterator[Done], *, time: str | None, session: str) -> Iterator[Event]:
    """Acts as events."""
    for record, role, action in acts:
        yield Event(record=record, role=role, action=action, time=time, session=session, by_line=True)
