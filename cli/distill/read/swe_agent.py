"""SWE-agent trajectories (`.traj`): steps of thought, action and observation, and the patch handed in at the end.

The task is a template around an issue, and nobody answers the agent: there are no decisions of a user here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from distill.model import Event
from distill.read.documents import opening_dict, whole
from distill.read.formats import Format
from distill.read.log import Log, Record
from distill.read.openhands_v0 import editor
from distill.read.outcome import Outcome
from distill.read.parts import output_text, parsed_arguments
from distill.read.teller import Call, Teller, items, mapping, text
from distill.text.lazy import Lazy

_OPTION = Lazy(r"--(file_text|old_str|new_str)(?:=|\s+)")
_TEXTS = ("action", "observation", "response")
_LINES = Lazy(r"edit \d+:\d+(?:\n|$)")
_BAD = (
    "No replacement was performed",
    "Invalid ",
    "The path ",
    "File already exists",
    "No edit history",
    "ERROR",
    "Error",
    "Your proposed edit has introduced",
    "Your edit was not applied",
    "Text not found",
    "Usage:",
    "usage:",
    "bash: ",
    "/bin/bash: ",
    "Traceback (most recent call last)",
)


def recognise(log: Log) -> bool:
    """Whether the document holds a trajectory of steps."""
    found = opening_dict(log)
    steps = found.get("trajectory")
    if not isinstance(steps, list):
        return False
    if not steps:
        return isinstance(found.get("history"), list) and isinstance(found.get("info"), dict)
    first = mapping(steps[0])
    return "action" in first and bool({"observation", "thought", "response"} & first.keys())


def events(log: Log) -> Iterator[Event]:
    """The events of a run; a record is a step's place in the trajectory (in the history where there are no steps)."""
    document = mapping(whole(log))
    history = items(document.get("history"))
    steps = items(document.get("trajectory")) or _steps(history)
    info = mapping(document.get("info"))
    tally = log.tally
    tally.records = len(steps)
    teller = Teller(log)
    states = (_state(mapping(step).get("state")) for step in steps)
    teller.cwd = next((where for state in states if (where := text(state.get("working_dir")))), "")
    tally.project = teller.cwd
    if any(mapping(one).get("role") == "user" for one in history[:3]):
        tally.set_aside["prompt from a template"] += 1
    outcome = Outcome(info.get("submission"))
    opened = ""
    for number, step in enumerate(steps, 1):
        if not isinstance(step, dict):
            tally.skip("not a step", number)
            continue
        tally.types["step"] += 1
        for event in _told(teller, step, opened, number):
            confirmed = outcome.confirm(event)
            if confirmed is None:
                tally.set_aside["scratch file"] += 1
            else:
                yield confirmed
        opened = text(_state(step.get("state")).get("open_file")) or opened
    texts = ((n, "\n".join(text(mapping(step).get(key)) for key in _TEXTS)) for n, step in enumerate(steps, 1))
    for place, action in outcome.rest(texts, max(len(steps), 1)):
        yield teller.act(action, place)


def _told(teller: Teller, step: Record, opened: str, number: int) -> Iterator[Event]:
    thought = text(step.get("thought")) or ("" if "thought" in step else text(step.get("response")))
    yield from teller.assistant(thought, number)
    action = text(step.get("action")).strip()
    tool = _tool(action, opened) if action else None
    if tool is None:
        return
    output = output_text(step.get("observation")).replace("\r\n", "\n")
    if not output and step.get("observation") is None:
        return  # the run ended before it was done
    failed = tool[0] != "bash" and output.lstrip().startswith(_BAD)
    yield from teller.done(Call(*tool, number), output, number, failed=failed)


def _tool(action: str, opened: str) -> tuple[str, dict[str, Any]] | None:
    """The call that an action comes to; the windowed editor changes the file that is open."""
    words = action.split(None, 3)
    first = words[0]
    if first == "str_replace_editor" and len(words) > 2:
        return editor({"command": words[1], "path": words[2].strip("'\""), **_options(words[3] if words[3:] else "")})
    if first == "create" and len(words) == 2:
        return "write", {"path": words[1].strip("'\"")}
    if opened and (_LINES.match(action) or first in ("edit", "insert")):
        _, _, body = action.partition("\n")
        return "edit", {"path": opened, "content": body.removesuffix("end_of_edit").rstrip()}
    if first in ("submit", "open", "goto", "scroll_down", "scroll_up", "search_dir", "search_file", "find_file"):
        return None
    return "bash", {"command": action}


def _options(rest: str) -> Record:
    """The texts of an editor command's options, without their quotation marks."""
    found: Record = {}
    marks = list(_OPTION.finditer(rest))
    for mark, after in zip(marks, [*marks[1:], None], strict=False):
        value = rest[mark.end() : after.start() if after else len(rest)].strip()
        found[mark[1]] = value[1:-1] if len(value) > 1 and value[0] == value[-1] and value[0] in "'\"" else value
    return found


def _steps(history: list[Any]) -> list[Any]:
    """Steps made of a history, for runs that stored no others; a demonstration counts for nothing."""
    found: list[Any] = []
    for message, after in zip(history, [*history[1:], None], strict=False):
        one, then = mapping(message), mapping(after)
        step: Record = {"thought": "", "action": ""}
        if one.get("role") == "assistant" and one.get("is_demo") is not True:
            said = text(one.get("thought")) or output_text(one.get("content"))
            step = {"thought": said, "action": text(one.get("action"))}
            if then.get("role") in ("user", "tool"):
                step["observation"] = output_text(then.get("content"))
        found.append(step)
    return found


def _state(state: object) -> Record:
    """The state after a step: an object or its JSON text."""
    if isinstance(state, str) and state.startswith("{"):
        state = parsed_arguments(state)
    return mapping(state)


FORMAT = Format(
    name="swe-agent",
    title="SWE-agent",
    where="trajectories/, *.traj",
    order=16,
    document=True,
    recognise=recognise,
    events=events,
)
