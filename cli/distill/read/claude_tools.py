"""The tools of Claude Code: calls held until their results come, task lists, background commands, refusals."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from distill.model import Action, ActionKind, Task
from distill.read.actions import in_result, relative, task_status, todo_tasks, tool_actions, tool_kind
from distill.read.answers import answer_actions, plan_actions
from distill.read.patches import DETAIL
from distill.read.wrappers import rejection
from distill.text.lazy import Lazy

TASKS = 500  # entries of a to-do list that are kept
_TASK_ID = Lazy(r"Task #(\S+) created")
_BACKGROUND = Lazy(r"Command running in background with ID: (\S+?)[.\s]|background with ID: (\S+)")
_EXIT = Lazy(r"<exit_code>(-?\d+)</exit_code>")
_STATUS = Lazy(r"<status>(\w+)</status>")
_STREAM = Lazy(r"<(?:stdout|stderr|output)>\n?(.*?)</(?:stdout|stderr|output)>", re.S)
_NUMBERED = Lazy(r"^\s*\d+[\t→]", re.M)
_FILES = frozenset((ActionKind.WROTE, ActionKind.EDITED, ActionKind.DELETED, ActionKind.MOVED, ActionKind.RESTORED))
_ELSEWHERE = frozenset((ActionKind.PUSHED, ActionKind.OPENED, ActionKind.CLOSED))
_ON_DISK = _FILES | _ELSEWHERE | {ActionKind.COMMITTED, ActionKind.UNCOMMITTED}
Acts = Sequence[tuple[Action, bool]]  # an act, and whether its words stand in the result


@dataclass(slots=True)
class Call:
    """A tool call: where it stands, in which folder it ran, whether in a side chain, whether the user made it."""

    name: str
    arguments: Mapping[str, Any]
    record: int
    time: object  # as the log has it
    cwd: str  # the folder paths are shown from
    folder: str  # the folder it ran in
    side: bool
    user: bool = False


class Tools:
    """What the tools of one session did."""

    #: Tools that only this agent has; the shared mapping does not know them.
    others = frozenset({"TaskCreate", "TaskUpdate", "BashOutput", "TaskOutput"})

    def __init__(self) -> None:
        self._calls: dict[str, Call] = {}
        self._known: dict[str, bool] = {}
        self._tasks: dict[str, Task] = {}
        self._planned: tuple[Task, ...] = ()
        self._background: dict[str, Call] = {}
        self._printed: dict[str, str] = {}

    def matters(self, name: str) -> bool:
        """Whether the calls of the tool `name` can do anything worth a look."""
        known = self._known.get(name)
        if known is None:
            known = bool(tool_kind(name)) or name in self.others
            if len(self._known) < 1000:
                self._known[name] = known
        return known

    def hold(self, key: str, call: Call) -> bool:
        """Keep a call until its result comes; False where it is a copy of one that waits already."""
        known = self._calls.get(key)
        if known is None or call.arguments:
            self._calls[key] = call
        return known is None

    def take(self, key: str) -> Call | None:
        """The call of this key, which waits no longer."""
        return self._calls.pop(key, None)

    def abandoned(self, before: int) -> list[Call]:
        """The calls older than the record `before` that never got a result; they wait no longer."""
        keys = [key for key, call in self._calls.items() if call.record < before]
        return [self._calls.pop(key) for key in keys]

    def undone(self, call: Call) -> Acts:
        """The acts of a call without a result: none of them is done."""
        if call.side or call.name in self.others or tool_kind(call.name) in ("ask", "plan"):
            return ()
        return [(act, False) for act, _ in self.acts(call, "", failed=True)]

    def acts(self, call: Call, output: str, failed: bool) -> Acts:
        """The acts of a call of a tool that other agents have as well."""
        acts = tool_actions(call.name, call.arguments, output, failed=failed, cwd=call.cwd, folder=call.folder)
        return [(act, in_result(act)) for act in acts if not call.side or act.kind in _ON_DISK]

    def results(self, call: Call, output: str, failed: bool, extra: Mapping[str, Any]) -> Acts:
        """The acts of a call with its result; `extra` is the log's structured form of it."""
        name = call.name
        if name in self.others:
            return () if call.side else self._other(call, output, failed, extra)
        kind = tool_kind(name)
        if kind == "ask":
            return () if failed or call.side else self._answers(call, output, extra)
        if kind == "plan":
            return () if call.side else self._plan(call, output, failed, extra)
        if kind == "shell":
            self._started(call, output, extra)
            failed = failed or extra.get("interrupted") is True
        acts = self.acts(call, output, failed)
        if kind == "todo" and acts and not failed:
            self._planned = acts[0][0].tasks
        return acts

    def refusal(self, call: Call | None, output: str) -> Action | None:
        """The act of refusing a tool, where `output` says that the user did so."""
        reason = rejection(output)
        if reason is None:
            return None
        target = ""
        if call is not None:
            given = call.arguments
            target = "plan" if tool_kind(call.name) == "plan" else call.name
            for key in ("file_path", "notebook_path", "path"):
                if isinstance(given.get(key), str):
                    target = relative(given[key], call.cwd)
            if isinstance(given.get("command"), str):
                target = given["command"].strip().split("\n")[0][:300]
        return Action(kind=ActionKind.REJECTED, target=target, detail=reason, done=False)

    # -- questions and plans -----------------------------------------------------------------------------------------

    def _answers(self, call: Call, output: str, extra: Mapping[str, Any]) -> Acts:
        asked = call.arguments if call.arguments else extra
        given = extra.get("answers")
        notes = extra.get("annotations")
        if isinstance(given, dict) and isinstance(notes, dict):
            given = dict(given)
            for question, note in notes.items():
                words = note.get("notes") if isinstance(note, dict) else None
                if isinstance(words, str) and words.strip() and isinstance(given.get(question), str):
                    given[question] = f"{given[question]} ({words.strip()})"
        return [(act, True) for act in answer_actions(asked, output, given)]

    def _plan(self, call: Call, output: str, failed: bool, extra: Mapping[str, Any]) -> Acts:
        plan = extra.get("plan")
        edited = "Approved Plan (edited" in output
        given = {} if edited else call.arguments
        acts = plan_actions(given, output, failed=failed, plan=plan if isinstance(plan, str) and not edited else "")
        return [(act, edited or not call.arguments.get("plan")) for act in acts]

    # -- task lists --------------------------------------------------------------------------------------------------

    def _other(self, call: Call, output: str, failed: bool, extra: Mapping[str, Any]) -> Acts:
        if call.name in ("BashOutput", "TaskOutput"):
            return self._printed_by(call, output, extra)
        if failed:
            return ()
        given = call.arguments
        subject = given.get("subject")
        text = subject.strip() if isinstance(subject, str) else ""
        if call.name == "TaskCreate":
            task = extra.get("task")
            key = task.get("id") if isinstance(task, dict) else None
            if not isinstance(key, (str, int)):
                found = _TASK_ID.search(output)
                key = found[1] if found else f"+{len(self._tasks)}"
            if not text or len(self._tasks) >= TASKS:
                return ()
            self._tasks[str(key)] = Task(text=text, record=call.record)
        else:
            key = str(given.get("taskId", given.get("task_id", "")))
            known = self._tasks.get(key)
            if known is None:
                return ()
            raw = given.get("status")
            status = task_status(raw) if isinstance(raw, str) else known.status
            if status:
                where = call.record if text else known.record
                self._tasks[key] = Task(text=text or known.text, status=status, record=where)
            else:
                del self._tasks[key]
        self._planned = tuple(self._tasks.values())
        return [(Action(kind=ActionKind.PLANNED, tasks=self._planned), False)]

    def memory(self) -> dict[str, Any]:
        """What a later run needs that begins behind the calls which made the task list."""
        return {"tasks": {key: [task.text, task.status, task.record] for key, task in self._tasks.items()}}

    def recall(self, memory: Mapping[str, Any]) -> None:
        """Take up what `memory` of an earlier run gave."""
        tasks = memory.get("tasks")
        for key, row in tasks.items() if isinstance(tasks, dict) else ():
            match row:
                case [str(text), str(status), int(record)]:
                    self._tasks[key] = Task(text=text, status=status, record=record)

    def reminded(self, content: object) -> Action | None:
        """The to-do list as a reminder shows it, where it says something new."""
        if isinstance(content, list):
            for entry in content:
                if isinstance(entry, dict) and isinstance(entry.get("id"), (str, int)) and len(self._tasks) < TASKS:
                    text, status = entry.get("subject"), task_status(entry.get("status"))
                    if isinstance(text, str) and text.strip() and status:
                        self._tasks[str(entry["id"])] = Task(text=text.strip(), status=status)
        tasks = todo_tasks(content)
        if not tasks or tasks == self._planned:
            return None
        self._planned = tasks
        return Action(kind=ActionKind.PLANNED, tasks=tasks)

    # -- background commands, edits by hand ---------------------------------------------------------------------------

    def _started(self, call: Call, output: str, extra: Mapping[str, Any]) -> None:
        key = extra.get("backgroundTaskId")
        if not isinstance(key, str):
            found = _BACKGROUND.search(f"{output[:300]} ") if "background with ID" in output[:300] else None
            key = (found[1] or found[2]) if found else None
        if isinstance(key, str) and key and len(self._background) < 100:
            self._background[key] = call

    def _printed_by(self, call: Call, output: str, extra: Mapping[str, Any]) -> Acts:
        """What a background command did, once it has ended."""
        keys = (call.arguments.get(key) for key in ("bash_id", "task_id", "shell_id"))
        key = next((key for key in keys if isinstance(key, str)), "")
        started = self._background.get(key)
        if started is None:
            return ()
        streams = "\n".join(_STREAM.findall(output[: 1 << 18]))
        self._printed[key] = (self._printed.get(key, "") + streams)[-8192:]
        status, code = _STATUS.search(output), _EXIT.search(output)
        if code is None and (status is None or status[1] == "running"):
            return ()
        del self._background[key]
        failed = (code is not None and code[1] != "0") or (status is not None and status[1] in ("failed", "killed"))
        acts = self.acts(started, self._printed.pop(key), failed)
        return [(act, True) for act, _ in acts if act.kind not in _FILES]

    def edited_by_hand(self, attachment: Mapping[str, Any], cwd: str) -> Action | None:
        """The edit of a file that was changed outside of the session."""
        name, snippet = attachment.get("filename"), attachment.get("snippet")
        if not isinstance(name, str) or not name:
            return None
        text = _NUMBERED.sub("", snippet[: 2 * DETAIL]) if isinstance(snippet, str) else ""
        return Action(kind=ActionKind.EDITED, target=relative(name, cwd), detail=text[:DETAIL])


def result_text(content: object) -> str:
    """The text of a result's content, which is a text or a list of blocks."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    texts = [block["text"] for block in content if isinstance(block, dict) and isinstance(block.get("text"), str)]
    return texts[0] if len(texts) == 1 else "\n".join(texts)
