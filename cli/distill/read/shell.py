"""What a shell command did: files, commits, pushes, pull requests, tests, builds that failed.

The exit status is that of a whole script. Which of its commands failed is told from the error lines they print and from
what seldom fails; git's and the test runners' own lines outrank the status.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from distill.model import Action, ActionKind
from distill.read.patches import patch_actions
from distill.read.shellcmdlets import net_writes
from distill.read.shellfiles import PLUMBING, file_actions, touches
from distill.read.shellgit import TAG, Commits, forge_actions, git_actions
from distill.read.shellmade import MAKERS, WORKTREE, made_elsewhere
from distill.read.shellplace import Place
from distill.read.shellprograms import (
    POWERSHELLS,
    SHELLS,
    git_verb,
    is_build,
    is_test,
    is_test_script,
    program,
    resolve,
    worth,
)
from distill.read.shellwords import Command, Word, parse
from distill.read.verdicts import clean, counts_errors, error_line, result_line, test_verdict
from distill.text.lazy import Lazy

SCRIPT = 1 << 18  # characters of a script that are looked at
SHORT = 1 << 10  # characters up to which a script is remembered
HEAD, TAIL = 1 << 16, 1 << 13  # characters of an output's beginning and end that are looked at
_PATCH = Lazy(r"\*\*\* Begin Patch.*?(?:\*\*\* End Patch[^\n]*|\Z)", re.S)
_CMDLET = Lazy(
    r"(?<![\w-])(?:(?:Set|Add|Get|Clear)-(?:Content|Item|Location|ChildItem)|Out-File|New-Item|Invoke-\w+|"
    r"(?:Remove|Move|Copy|Rename)-Item|Write-(?:Output|Host)|Select-(?:Object|String)|Test-Path|ConvertTo-Json|"
    r"ForEach-Object|Where-Object)\b|\[(?:System\.)?IO\.|^\s*\$\w+\s*=|\$env:",
    re.I,
)
# One of these stands in every such script: looking for them first is quick.
_SIGNS = (
    "-content",
    "-item",
    "-location",
    "out-file",
    "invoke-",
    "write-",
    "select-",
    "-path",
    "-json",
    "-object",
    "io.",
    "$",
)
_REFUSED = Lazy(
    r"\s*(?:<tool_use_error>|The user doesn't want|Permission to use|Claude requested permissions"
    r"|patch rejected by user|failed in sandbox|This command requires approval|.{0,80}hook (?:error|blocked)"
    r"|\[Request interrupted)"
)
_BACKGROUND = Lazy(r"\s*(?:Command running in background|Command was manually backgrounded)")
_FORGES = frozenset({"gh", "glab", "hub", "tea"})
_ACTING = SHELLS | POWERSHELLS | _FORGES | MAKERS | {"git"}
_COMMITTING = frozenset({"commit", "cherry-pick", "merge", "rebase", "am", "pull", "revert"})
_GOING = frozenset({"cd", "pushd", "chdir", "set-location", "push-location", "sl"})
# Commands whose complaint names the file it is about, so that the other files are done.
_BY_FILE = frozenset({"rm", "rmdir", "touch", "unlink", "tee", "del", "remove-item", "ri"})


def shell_actions(
    command: str | Sequence[str], output: str, *, failed: bool, cwd: str = "", folder: str = ""
) -> tuple[Action, ...]:
    """What a shell command did, in order.

    `command` is a script, or an argument vector; `output` what it printed; `failed` whether it ended in an error or was
    refused. It ran in `folder`, or else in `cwd`; paths are shown relative to `cwd` when below it. Reading gives
    nothing.
    """
    script, powershell = _script(command)
    if not worth(script):
        return ()
    script = script[:SCRIPT]
    output = output if len(output) <= HEAD + TAIL else f"{output[:HEAD]}\n{output[-TAIL:]}"
    found: list[Action] = []
    if "*** Begin Patch" in script and "apply" in script.lower():
        done = not failed and "verification failed" not in output
        for patch in _PATCH.findall(script):
            found += patch_actions(patch, done=done, cwd=cwd)
        script = _PATCH.sub("", script)
    plan = _known(script, powershell) if len(script) <= SHORT else _plan(script, powershell)
    place = Place(cwd, folder if folder and folder != cwd else "")
    found += _Run(plan, output, failed=failed).actions(place)
    return tuple(found)


def _script(command: str | Sequence[str]) -> tuple[str, bool]:
    """The script in `command`, and whether it is PowerShell's."""
    if isinstance(command, str):
        return command, False
    words = [word for word in command if isinstance(word, str)]
    name = program(words[0]) if words else ""
    for place, word in enumerate(words[:-1]):
        if name in SHELLS and place and re.fullmatch(r"-\w*c", word):
            return words[place + 1], False
        if (name in POWERSHELLS or name == "cmd") and word.lower() in ("-command", "-c", "/c"):
            return " ".join(words[place + 1 :]), True
    if name == "apply_patch":
        return "\n".join(words), False
    return shlex.join(words), False


@lru_cache(maxsize=256)
def _complaint(name: str) -> re.Pattern[str]:
    """The lines in which the command `name` reports an error of its own."""
    return re.compile(
        rf"^(?:\S{{0,80}}sh: (?:line \d+: )?|/\S{{0,80}}/)?{re.escape(name)}: "
        r".*(?:cannot|can't|No such|not found|denied|not permitted|rror|invalid|missing|unable|failed|Is a directory)"
        r"[^\n]*",
        re.M,
    )


@dataclass(frozen=True, slots=True)
class _Plan:
    """A script as far as it can be told without its outcome; places are those of commands."""

    script: str
    powershell: bool
    commands: Sequence[Command]
    named: Sequence[tuple[str, list[Word], bool]]  # program, arguments, whether it runs elsewhere
    acting: Sequence[bool]  # whether a command can do anything
    last_commit: int
    tests: Sequence[int]
    builds: Sequence[int]
    test_scripts: Sequence[int]


def _plan(script: str, powershell: bool) -> _Plan:
    if not powershell:
        plain = script.lower()
        powershell = any(sign in plain for sign in _SIGNS) and bool(_CMDLET.search(script))
    commands = parse(script, powershell=powershell)
    named = [resolve(command) for command in commands]
    commits = [i for i, (name, args, _) in enumerate(named) if name == "git" and git_verb(args) in _COMMITTING]
    return _Plan(
        script=script,
        powershell=powershell,
        commands=commands,
        named=named,
        acting=[name in _ACTING or touches(name, commands[i]) for i, (name, _, _) in enumerate(named)],
        last_commit=commits[-1] if commits else -1,
        tests=[i for i, (name, args, _) in enumerate(named) if is_test(name, args)],
        builds=[i for i, (name, args, _) in enumerate(named) if is_build(name, args)],
        test_scripts=[i for i, (name, args, _) in enumerate(named) if is_test_script(name, args)],
    )


_known = lru_cache(maxsize=256)(_plan)  # tests, builds and commits are run again and again


class _Run:
    """One script with its outcome."""

    def __init__(self, plan: _Plan, output: str, *, failed: bool) -> None:
        self.plan, self.commands, self.named = plan, plan.commands, plan.named
        self.output, self.failed = output, failed
        self.refused = failed and bool(_REFUSED.match(output))
        self.background = bool(_BACKGROUND.match(output))
        self.commits = Commits(output)

    def actions(self, place: Place) -> Iterator[Action]:
        """What the script did, beginning in `place`."""
        outer: list[Place] = []  # where the shells around this subshell are
        if self.plan.powershell:
            for action in net_writes(self.plan.script, place):
                yield replace(action, done=not self.failed)
        for i, (name, args, _) in enumerate(self.named):
            command = self.commands[i]
            while len(outer) < command.depth:
                outer.append(place)
            while len(outer) > command.depth:
                place = outer.pop()
            if command.before == "||":  # an else: it may never have run
                continue
            if name in _GOING:
                goal = next((word for word in args if not word.text.startswith(("-", "/d")) or word.text == "-"), None)
                place = place.enter(goal) if goal else Place(place.cwd, None)
            elif self.plan.acting[i]:
                yield from self.acts(i, place)
        if not (self.background or self.refused):
            yield from self.verdict()

    def acts(self, i: int, place: Place) -> Iterator[Action]:
        """What the command at `i` did, done or not."""
        name, args, remote = self.named[i]
        command = self.commands[i]
        if name in SHELLS or name in POWERSHELLS:
            if not remote:
                yield from self.nested(name, args, i, place)
        elif name == "git":
            last = i >= self.plan.last_commit
            for action in git_actions(args, command, self.output, self.commits, place, last=last):
                yield from self.judged(action, i)
        elif name in _FORGES:
            if not self.background:
                for action in forge_actions(name, args, self.output):
                    if action.kind is ActionKind.CLOSED:
                        yield self.settled(action, i)
                    else:
                        yield replace(action, done=action.done and not self.refused)
        elif name in MAKERS and not remote and not self.background:
            for action in made_elsewhere(name, args, self.output):
                yield self.settled(action, i)
        elif not remote:
            piped = ""
            if i and command.before == "|":
                piped = self.piped(i - 1)
            for action in file_actions(name, args, command, piped, place):
                yield from self.judged(action, i)

    def piped(self, i: int) -> str:
        """What the command at `i` hands on, where that stands in the script."""
        name, args, _ = self.named[i]
        command = self.commands[i]
        if command.body or name in ("echo", "printf", "write-output"):
            return command.body or " ".join(word.text for word in args)
        return command.words[0].text if self.plan.powershell and len(command.words) == 1 else ""

    def nested(self, name: str, args: list[Word], i: int, place: Place) -> Iterator[Action]:
        """`bash -c "…"` inside a script."""
        for flag, word in pairwise(args):
            if re.fullmatch(r"-\w*c|-[Cc]ommand", flag.text) and word.fixed and len(word.text) < len(self.plan.script):
                argv = ["powershell", "-Command", word.text] if name in POWERSHELLS else word.text
                failed = not self.worked(i, "")
                folder = place.full(".") or ""
                yield from shell_actions(argv, self.output, failed=failed, cwd=place.cwd, folder=folder)
                return

    def judged(self, action: Action, i: int) -> Iterator[Action]:
        """`action` of the command at `i`, done or not."""
        if action.kind is ActionKind.COMMITTED and action.target:
            yield action  # git's own line says so
        elif action.kind is ActionKind.PUSHED:
            if not self.background:
                shown = "->" in self.output and not self.refused
                yield replace(action, done=action.done and (shown or self.worked(i, "")))
        elif action.kind is ActionKind.OPENED and action.detail not in (TAG, WORKTREE):
            yield replace(action, done=not self.refused)  # git's own line again
        else:
            yield self.settled(action, i)

    def settled(self, action: Action, i: int) -> Action:
        """`action` of the command at `i`, not done where the command failed."""
        return action if self.worked(i, action.target) else replace(action, done=False)

    def worked(self, i: int, target: str) -> bool:
        """Whether the command at `i` ran and ended well, as far as can be told."""
        if self.refused:
            return False
        name = self.named[i][0]
        complaint = self.complaint(name)
        if complaint and (name not in _BY_FILE or re.split(r"[/\\]", target)[-1] in complaint):
            return False
        if not self.failed:
            return True
        if self.commands[i].after in (";", "&") and i + 1 < len(self.commands):
            return True
        return any(other not in PLUMBING or self.complaint(other) for other, _, _ in self.named[i + 1 :])

    def complaint(self, name: str) -> str:
        """The line in which the command `name` says that it failed, or ""."""
        if not name or f"{name}: " not in self.output:
            return ""
        found = _complaint(name).search(self.output)
        return found[0] if found else ""

    # -- what the output comes to ------------------------------------------------------------------------------------

    def verdict(self) -> Iterator[Action]:
        """The test run, or else the build, installation or deployment that failed or sums itself up."""
        plan = self.plan
        if plan.tests:
            yield from self.tested(plan.tests[-1])
        elif plan.builds:
            yield from self.built(plan.builds)
        elif plan.test_scripts:
            yield from self.tested(plan.test_scripts[-1], sure=False)

    def tested(self, i: int, *, sure: bool = True) -> Iterator[Action]:
        """A test run with its totals; where the command does not say that it is one, only with totals or an error."""
        totals, bad = test_verdict(self.output)
        if not totals and (self.commands[i].before == "||" or not (sure or self.failed)):
            return
        done = not bad and (not self.failed or (bool(totals) and i + 1 < len(self.named) and self.worked(i, "")))
        detail = totals or (error_line(self.output) if self.failed else "")
        yield Action(kind=ActionKind.TESTED, target=self.shown(i), detail=detail, done=done)

    def built(self, builds: Sequence[int]) -> Iterator[Action]:
        i = next((i for i in builds if self.complaint(self.named[i][0])), builds[-1])
        later_failed = i + 1 < len(self.named) and self.commands[i].after == ";" and self.worked(i, "")
        if self.failed and not later_failed:
            yield Action(kind=ActionKind.RAN, target=self.shown(i), detail=error_line(self.output), done=False)
        elif line := result_line(self.output):
            yield Action(kind=ActionKind.RAN, target=self.shown(i), detail=line, done=not counts_errors(line))

    def shown(self, i: int) -> str:
        """The command at `i` as it stands in the script."""
        command = self.commands[i]
        return clean(self.plan.script[command.start : command.end].strip().split("\n")[0])
