"""What Cline and Roo put around people's words, and the tool calls they once wrote as tags in the answer."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from distill.model import Action, ActionKind
from distill.read.actions import todo_tasks
from distill.read.parts import parsed_arguments
from distill.read.teller import items, mapping, text
from distill.text.lazy import Lazy

# Blocks that the program adds to what is sent; none of it was typed.
_ADDED = (
    "environment_details|file_content|final_file_content|folder_content|url_content|workspace_diagnostics"
    "|git_working_state|git_commit|terminal_output|explicit_instructions|file_mentions|mode_notice|system-reminder"
    "|hook_context"
)
_ADDED_OPEN = Lazy(rf"<({_ADDED})(?:\s[^<>\n]{{0,500}})?>")
_SAID_OPEN = Lazy(r"<(task|feedback|answer|user_message|user_input)(?:\s[^<>\n]{0,100})?>")
_BARE_BOX = Lazy(r"^\s*\[(?=.\]\s)")
_WHERE = Lazy(r"# Current (?:Working|Workspace) Directory \(([^)\n]{1,400})\)")
_TOOLS = (
    "write_to_file|replace_in_file|apply_diff|insert_content|search_and_replace|edit_file|execute_command|read_file"
    "|list_files|search_files|list_code_definition_names|codebase_search|browser_action|use_mcp_tool|access_mcp_resource"
    "|ask_followup_question|attempt_completion|plan_mode_respond|plan_mode_response|act_mode_respond|update_todo_list"
    "|new_task|switch_mode|fetch_instructions|web_fetch|new_rule|condense|report_bug|load_mcp_documentation|apply_patch"
)
_TOOL_OPEN = Lazy(rf"<({_TOOLS})>")
_PARAMETERS = (
    "path|absolutePath|content|diff|command|requires_approval|result|question|options|follow_up|response|todos"
    "|task_progress|server_name|tool_name|arguments|search|replace|line|line_count|patch|input|context|mode|message"
)
_PARAMETER_OPEN = Lazy(rf"<({_PARAMETERS})>")
_GREEDY = ("content", "diff", "result", "response", "patch")  # these may hold tags of their own
_SUGGESTION = Lazy(r"<suggest(?:\s[^<>]{0,100})?>(.*?)</suggest>", re.DOTALL)
FLAG = "HAS_CHANGES"  # glued to the end of a completion's words
SHORT = 200  # characters up to which a reply to a question is its answer


def without_added(said: str) -> str:
    """`said` without the blocks that the program adds: files, the environment, notices."""
    if "<" not in said:
        return said
    kept: list[str] = []
    at = 0
    while mark := _ADDED_OPEN.search(said, at):
        kept.append(said[at : mark.start()])
        end = said.find(f"</{mark[1]}>", mark.end())
        at = len(said) if end < 0 else end + len(mark[1]) + 3
    kept.append(said[at:])
    return "".join(kept)


def tagged(said: str) -> list[tuple[str, str]]:
    """(tag, words) of every passage that tags mark as the user's words, outermost only."""
    found: list[tuple[str, str]] = []
    at = 0
    while mark := _SAID_OPEN.search(said, at):
        end = said.find(f"</{mark[1]}>", mark.end())
        stop = len(said) if end < 0 else end
        found.append((mark[1], said[mark.end() : stop].strip()))
        at = stop + 1
    return found


def closing_words(output: str, *, announced: bool = False) -> str:
    """The user's words that stand in tags of their own lines at the end of a tool's result, or "".

    With `announced` they count only under a line that says that the user gave them, since what a command prints or a
    file holds may end with such tags too.
    """
    output = output.rstrip()
    for tag in ("feedback", "user_message"):
        at = output.rfind(f"<{tag}>") if output.endswith(f"</{tag}>") else -1
        before = output[: max(at, 0)].rstrip(" \t")
        if at >= 0 and (not before or before.endswith("\n")):
            above = before.rstrip().rpartition("\n")[2]
            shown = not announced or above.startswith(("The user provided", "The user has provided"))
            return output[at + len(tag) + 2 : -len(tag) - 3].strip() if shown else ""
    return ""


def where(said: str) -> str:
    """The working directory that a description of the environment names, or ""."""
    found = _WHERE.search(said)
    return found[1].strip() if found else ""


def plan(value: object) -> Action | None:
    """The to-do list in `value`, None where it holds no task. Roo writes boxes without a bullet before them."""
    if isinstance(value, str):
        value = "\n".join(_BARE_BOX.sub("- [", line) for line in value.split("\n"))
    tasks = todo_tasks(value)
    return Action(kind=ActionKind.PLANNED, tasks=tasks) if tasks else None


# -- questions -------------------------------------------------------------------------------------------------------


def options(question: dict[str, Any]) -> tuple[str, ...]:
    """The answers that a question offers, in any of the forms they had."""
    for key in ("options", "suggest", "follow_up"):
        value = question.get(key)
        if isinstance(value, str):
            if "<suggest" in value:
                return tuple(one.strip() for one in _SUGGESTION.findall(value))
            value = _loads(value)
        found = [text(one) or text(mapping(one).get("answer")) or text(mapping(one).get("text")) or
                 text(mapping(one).get("label")) for one in items(value)]  # fmt: skip
        if any(found):
            return tuple(one.strip() for one in found if one.strip())
    return ()


def answered(question: dict[str, Any], answer: str) -> Action | None:
    """The answer to a question, where it is one of those offered or short; a longer reply is a speech of its own."""
    asked = text(question.get("question")).strip()
    answer = answer.strip()
    offered = options(question)
    if not asked or not answer or (answer not in offered and ("\n" in answer or len(answer) > SHORT)):
        return None
    return Action(kind=ActionKind.ANSWERED, target=asked, detail=answer, options=offered)


# -- tool calls ------------------------------------------------------------------------------------------------------


def split_tools(said: str) -> tuple[str, list[tuple[str, dict[str, Any]]]]:
    """An answer without the tool calls written in it, and these: name and parameters."""
    prose: list[str] = []
    calls: list[tuple[str, dict[str, Any]]] = []
    at = 0
    while mark := _TOOL_OPEN.search(said, at):
        prose.append(said[at : mark.start()])
        end = said.find(f"</{mark[1]}>", mark.end())
        stop = len(said) if end < 0 else end
        calls.append((mark[1], dict(_parameters(said[mark.end() : stop]))))
        at = stop + (0 if end < 0 else len(mark[1]) + 3)
    prose.append(said[at:])
    return "".join(prose), calls


def _parameters(inner: str) -> Iterator[tuple[str, str]]:
    at = 0
    while mark := _PARAMETER_OPEN.search(inner, at):
        close = f"</{mark[1]}>"
        end = inner.rfind(close) if mark[1] in _GREEDY else inner.find(close, mark.end())
        stop = len(inner) if end < mark.end() else end
        yield mark[1], inner[mark.end() : stop].strip("\n") if mark[1] in _GREEDY else inner[mark.end() : stop].strip()
        at = stop + 1


def known_call(name: str, given: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """A call under the name and with the arguments that the common mapping knows."""
    if name == "use_mcp_tool":
        arguments = parsed_arguments(given.get("arguments"))
        return text(given.get("tool_name")) or name, arguments if isinstance(arguments, dict) else {}
    if "absolutePath" in given:
        return name, {**given, "path": given["absolutePath"]}
    return name, given


def _loads(value: str) -> Any:
    try:
        return json.loads(value, strict=False)
    except (ValueError, RecursionError):
        return None
