"""Tool calls of every agent to actions: one mapping from (name, arguments, output) to what was done.

Readers join a call with its result and ask here. Tools that only read give nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from distill.model import Action, ActionKind, Task
from distill.read.answers import answer_actions, plan_actions
from distill.read.patches import DETAIL, absolute, added_text, change_actions, diff_actions, patch_actions, relative
from distill.read.shell import shell_actions
from distill.read.shellgit import TAG, opened
from distill.read.shellmade import WORKTREE
from distill.read.shellplace import join, scratch
from distill.text.lazy import Lazy

__all__ = [
    "change_actions",
    "diff_actions",
    "in_result",
    "patch_actions",
    "relative",
    "shell_actions",
    "task_status",
    "todo_tasks",
    "tool_actions",
    "tool_kind",
]

Arguments = Mapping[str, Any]
FileAct = tuple[ActionKind, str, str]  # what was done to which path; new text, or the old path of a move
_NOT_A_LETTER = Lazy(r"[^a-z0-9]")
_TASK_TEXTS = ("step", "title", "subject", "description", "text", "task", "name")
_SERVER = Lazy(r"__|[.:/]")
_PATHS = (
    *("file_path", "filePath", "path", "target_file", "targetFile", "TargetFile", "notebook_path", "absolute_path"),
    *("AbsolutePath", "filename", "file_name", "fileName", "relative_workspace_path", "relative_path", "file", "uri"),
)
_CONTENT = ("content", "contents", "file_text", "fileText", "CodeContent", "text", "code", "body", "new_source")
_NEW = (
    *("new_string", "newString", "new_str", "newStr", "newText", "new_text", "new_source", "replacement", "replace"),
    *("code_edit", "CodeEdit", "ReplacementContent", "insert_text", "text", "content", "contents", "newCode"),
)
_OLD = ("old_string", "oldString", "old_str", "oldStr", "oldText", "old_text")
_EDITS = ("edits", "replacements", "ReplacementChunks", "changes", "operations")
_COMMANDS = ("command", "cmd", "script", "CommandLine", "commandLine", "command_line", "commands", "input", "code")
_FOLDERS = ("workdir", "cwd", "Cwd", "dir_path", "directory", "working_directory", "workingDirectory")
_REPLACED = Lazy(r"^=======\n(.*?)^(?:>>>>>>>|\+\+\+\+\+\+\+) REPLACE", re.M | re.S)
_XML_PATH = Lazy(r"<path>([^<]{1,500})</path>")
_TASK_LINE = Lazy(r"^\s*(?:[-*+]|\d+[.)])\s+\[([^\]]?)\]\s+(.+)$")
_REFUSED = Lazy(r"\s*(?:<tool_use_error>|Error\b|ERROR\b|error:|Failed\b|File has not been read|User rejected)")
_STATUS = {
    **dict.fromkeys(("completed", "complete", "done", "finished", "x"), "completed"),
    **dict.fromkeys(("in_progress", "in-progress", "inprogress", "active", "doing", "started"), "in_progress"),
    **dict.fromkeys(("-", "~", "/"), "in_progress"),
    **dict.fromkeys(("cancelled", "canceled", "deleted", "removed", "skipped"), ""),
}  # fmt: skip


def tool_actions(
    name: str, arguments: Arguments | str, output: str, *, failed: bool, cwd: str = "", folder: str = ""
) -> tuple[Action, ...]:
    """What the call of the tool `name` with `arguments` (a map, JSON, or a script or patch as plain text) did.

    `output` is its result as text; `failed` makes every act one that was not done (tests and commits that the output
    vouches for excepted). Names are those of any agent, in any letter case. Paths are shown relative to `cwd` when
    below it; relative ones start in `folder`, or else in `cwd`.
    """
    plain = ""
    if isinstance(arguments, str):
        plain, arguments = arguments, _decoded(arguments)
    elif not isinstance(arguments, dict):
        arguments = {}
    kind = tool_kind(name)
    if not kind:
        return ()
    if kind in ("shell", "powershell"):
        return _shell(kind, arguments, plain, output, failed=failed, cwd=cwd, folder=folder)
    if kind == "todo":
        tasks = todo_tasks(arguments or plain)
        return (Action(kind=ActionKind.PLANNED, tasks=tasks, done=not failed),) if tasks else ()
    if kind == "ask":
        return () if failed else answer_actions(arguments, output)
    if kind == "plan":
        return plan_actions(arguments, output, failed=failed)
    if kind == "open":
        return opened(_text(arguments, ("title",)), output, failed=failed)
    done = not failed and not _REFUSED.match(output[:200])
    if kind == "patch":
        return _patch(arguments, plain, done, cwd)
    found: list[Action] = []
    for what, path, detail in _file(kind, arguments):
        if path and (shown := _shown(path, cwd, folder)):
            detail = _shown(detail, cwd, folder) if what is ActionKind.MOVED else detail[:DETAIL]
            found.append(Action(kind=what, target=shown, detail=detail, done=done))
    return tuple(found)


@lru_cache(maxsize=512)
def tool_kind(name: str) -> str:
    """What sort of tool `name` is: write, edit, shell, todo, ask, plan and so on; "" where its calls do nothing."""
    return _TOOLS.get(_plain_name(name), "")


def in_result(action: Action) -> bool:
    """Whether what `action` says stands in the record of the tool's result and not in that of the call."""
    if action.kind in (ActionKind.COMMITTED, ActionKind.OPENED):
        return bool(action.target) and action.detail not in (TAG, WORKTREE)
    if action.kind is ActionKind.TESTED:
        return bool(action.detail)
    return action.kind in (ActionKind.ANSWERED, ActionKind.REJECTED)


def todo_tasks(value: object) -> tuple[Task, ...]:
    """The entries of a to-do list in any agent's form: a list of maps, a map that holds one, or a checklist as text.

    Entries that were cancelled are left out.
    """
    if isinstance(value, str):
        return tuple(_checklist(value))
    if isinstance(value, dict):
        for key in ("todos", "plan", "task_list", "todoList", "todo_list", "tasks", "items", "task_progress", "steps"):
            if key in value:
                return todo_tasks(value[key])
        return ()
    if not isinstance(value, list):
        return ()
    found: list[Task] = []
    for entry in value:
        if isinstance(entry, dict):
            text, status = entry.get("content"), entry.get("status")
            if not isinstance(text, str) or not text:
                text = _text(entry, _TASK_TEXTS)
            if status is None:
                status = "completed" if entry.get("done") is True else "pending"
            if (task := _task(text, status if isinstance(status, str) else "pending")) is not None:
                found.append(task)
        elif isinstance(entry, str):
            found += _checklist(entry) or [Task(text=entry.strip())]
    return tuple(found)


@lru_cache(maxsize=1024)
def _task(text: str, status: str) -> Task | None:
    """One entry of a to-do list; lists are repeated whole with every change."""
    text, status = text.strip(), task_status(status)
    return Task(text=text, status=status) if text and status else None


def task_status(value: object) -> str:
    """pending, in_progress or completed, whatever an agent calls it; "" for an entry that was dropped."""
    if not isinstance(value, str):
        return "pending"
    return _STATUS.get(value.strip().lower().replace(" ", "_"), "pending")


# -- the kinds of tools --------------------------------------------------------------------------------------------


def _shell(
    kind: str, arguments: Arguments, plain: str, output: str, *, failed: bool, cwd: str, folder: str
) -> tuple[Action, ...]:
    command: object = next((arguments[key] for key in _COMMANDS if arguments.get(key)), plain if not arguments else "")
    if isinstance(command, Mapping):  # {"command": {"command": [...]}} of a local shell call
        command = next((command[key] for key in _COMMANDS if command.get(key)), "")
    inside = _text(arguments, _FOLDERS)
    if inside and inside != ".":
        folder = inside if absolute(inside) else join(folder or cwd, inside)
    if not cwd and absolute(folder):
        cwd = folder
    if isinstance(command, list):
        words = [word for word in command if isinstance(word, str)]
        return shell_actions(words, output, failed=failed, cwd=cwd, folder=folder)
    if not isinstance(command, str) or not command:
        return ()
    if kind == "powershell":
        return shell_actions(["powershell", "-Command", command], output, failed=failed, cwd=cwd, folder=folder)
    return shell_actions(command, output, failed=failed, cwd=cwd, folder=folder)


def _patch(arguments: Arguments, plain: str, done: bool, cwd: str) -> tuple[Action, ...]:
    changes = arguments.get("changes")
    if isinstance(changes, Mapping):
        return change_actions(changes, done=done, cwd=cwd)
    text = _text(arguments, ("input", "patch", "patchText", "patch_text", "diff")) or plain
    if "*** Begin Patch" in text or "*** Update File: " in text or "*** Add File: " in text:
        return patch_actions(text, done=done, cwd=cwd)
    return diff_actions(text, done=done, cwd=cwd)


def _file(kind: str, arguments: Arguments) -> Iterator[FileAct]:
    """The acts of a tool on files, with paths as the call has them."""
    command = arguments.get("command")
    if isinstance(command, str) and command in _EDITOR:
        kind = _EDITOR[command]
    elif kind == "editor":
        return
    path = _text(arguments, _PATHS)
    if not path and isinstance(arguments.get("args"), str):  # files as XML
        path = next(iter(_XML_PATH.findall(arguments["args"][:4096])), "")
    if kind == "edit":
        yield from _edits(path, arguments)
    elif kind == "write":
        yield ActionKind.WROTE, path, _text(arguments, _CONTENT)
    elif kind == "delete":
        paths = [path] if path else [one for one in _list(arguments, ("paths", "files")) if isinstance(one, str)]
        for one in paths:
            yield ActionKind.DELETED, one, ""
    elif kind == "undo":
        yield ActionKind.RESTORED, path, ""
    elif kind == "move":
        old = _text(arguments, ("source", "old_path", "oldPath", "from", "source_path", "src")) or path
        new = _text(arguments, ("destination", "new_path", "newPath", "to", "destination_path", "dst", "target"))
        yield ActionKind.MOVED, new, old


def _edits(path: str, arguments: Arguments) -> Iterator[FileAct]:
    if isinstance(new := arguments.get("new_string"), str) and arguments.get("old_string"):  # by far the most frequent
        yield ActionKind.EDITED, path, new
        return
    diff = _text(arguments, ("diff", "patch"))
    if diff:
        parts = _REPLACED.findall(diff[: 1 << 18].replace("\r\n", "\n"))
        yield ActionKind.EDITED, path, "".join(parts) or added_text(diff) or _text(arguments, _NEW)
        return
    many = [one for one in _list(arguments, _EDITS) if isinstance(one, dict)]
    if not many:
        # What replaces nothing is a new file.
        new_file = any(isinstance(arguments.get(key), str) for key in _OLD) and not _text(arguments, _OLD)
        yield ActionKind.WROTE if new_file else ActionKind.EDITED, path, _text(arguments, _NEW)
        return
    by_path: dict[str, list[str]] = {}
    for one in many:
        by_path.setdefault(_text(one, _PATHS) or path, []).append(_text(one, _NEW)[:DETAIL])
    for where, texts in by_path.items():
        yield ActionKind.EDITED, where, "\n".join(texts)


def _shown(path: str, cwd: str, folder: str) -> str:
    """A path of a call as it is shown, or "" where it lies where nothing lasts."""
    if folder and folder != cwd and not absolute(path):
        path = join(folder, path)
    path = relative(path, cwd)
    return "" if cwd and absolute(path) and scratch(path) else path


# -- small things --------------------------------------------------------------------------------------------------


def _plain_name(name: str) -> str:
    """A tool's name without its server, letter case and separators: "mcp__files__write_file" is "writefile"."""
    return _NOT_A_LETTER.sub("", _SERVER.split(name)[-1].lower())


def _decoded(text: str) -> Arguments:
    if text.lstrip()[:1] != "{":
        return {}
    try:
        found = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _text(arguments: Arguments, keys: tuple[str, ...]) -> str:
    """The first of `keys` that holds a text that is not empty, or ""."""
    for key in keys:
        value = arguments.get(key)
        if isinstance(value, str) and value:
            return value
    return ""


def _list(arguments: Arguments, keys: tuple[str, ...]) -> list[Any]:
    return next((arguments[key] for key in keys if isinstance(arguments.get(key), list)), [])


def _checklist(text: str) -> list[Task]:
    found: list[Task] = []
    for line in text.split("\n"):
        entry = _TASK_LINE.match(line)
        if entry and (status := task_status(entry[1].strip() or "pending")):
            found.append(Task(text=entry[2].strip(), status=status))
    return found


_EDITOR = {
    "create": "write",
    "str_replace": "edit",
    "insert": "edit",
    "append": "edit",
    "undo_edit": "undo",
    "view": "",
}
_NAMES = {
    "write": "write writefile createfile newfilecreated writetofile savefile fswrite createnewfile filewrite create "
    "createtextfile writenewfile",
    "edit": "edit multiedit notebookedit editfile replace replaceinfile editedexistingfile strreplace searchreplace "
    "searchandreplace applydiff applieddiff insertcontent inserteditintofile editnotebook editnotebookfile updatefile "
    "replacefilecontent multireplacefilecontent editexistingfile replacestringinfile multireplacestringinfile "
    "fsreplace appendfile appendtofile replaceregex replacesymbolbody insertaftersymbol insertbeforesymbol "
    "replacecontent",
    "editor": "strreplaceeditor fileeditor strreplacebasededittool texteditor editor",
    "delete": "deletefile removefile delete fsdelete filedeleted",
    "move": "movefile renamefile move rename fsmove",
    "shell": "bash shell shellcommand execcommand runshellcommand executecommand terminal run runterminalcmd "
    "runinterminal runterminalcommand localshell localshellcall executebash bashexecution command commandexecution "
    "runcommand exec cmdrun containerexec runcommands unifiedexec sh cmd console processstart",
    "powershell": "powershell pwsh executepwsh",
    "patch": "applypatch patch gitapply",
    "todo": "todowrite updatetodolist writetodos updateplan tasktracker managetodolist taskprogress setplan todo todos "
    "updatetodos",
    "ask": "askuserquestion question askfollowupquestion askuser requestuserinput askquestion askquestions followup",
    "plan": "exitplanmode exitplan planexit",
    "open": "createpullrequest createissue createmergerequest openpullrequest issuewrite",
}
_TOOLS = {name: kind for kind, names in _NAMES.items() for name in names.split()}
