"""`distill hook AGENT install|uninstall|status`: the hooks in the settings of an agent."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from pathlib import Path

from distill.agents.agent import Agent, agent_named
from distill.agents.settings import EMPTY, commands, installed, uninstalled
from distill.commands.hook import project_of
from distill.config import settle
from distill.model import DistillError

VERBS = ("install", "uninstall", "status")


def setup_command(name: str, verb: str, *, project: bool, user: bool, model: str | None = None) -> int:
    """Put the hooks in, take them out, or say which are in; the exit code, for status 1 where one is missing.

    Without `project` or `user` it is the settings of the project; status looks at both. `model` is the profile of the
    project's distill.yaml that the hooks are to ask.
    """
    agent = agent_named(name)
    if not agent.hooks:
        raise DistillError(f"{name}: it has no settings of its own: let it run 'distill hook {name} session-end' and "
                           f"'distill hook {name} session-start'")
    if project and user:
        raise DistillError("--project and --user: one of them at a time")
    if model is not None:
        _check_profile(model, verb, user=user)
    if verb == "status":
        paths = [_settings(agent, user=which) for which in (False, True) if which is user or not (project or user)]
        found = [_status(agent, path) for path in paths]
        return 0 if any(found) else 1
    path = _settings(agent, user=user)
    before = _read(path)
    if verb == "install":
        after = installed(before or EMPTY, str(path), agent, program(), model or "")
        done = "installed in" if after != before else "installed already in"
    else:
        after = uninstalled(before or EMPTY, str(path), agent) if before else before
        done = "taken out of" if after != before else "not in"
    if after != before:
        _write(path, after)
    print(f"{agent.title}: hooks {done} {path}")
    if agent.note and done == "installed in":
        print(agent.note)
    return 0


def _check_profile(name: str, verb: str, *, user: bool) -> None:
    if verb != "install":
        raise DistillError(f"--llm: goes with install, not with {verb}")
    if user:  # each project would then say itself whom its sessions are told to
        raise DistillError("--llm: goes with the hooks of one project, not with --user")
    if not re.fullmatch(r"[\w.-]+", name):
        raise DistillError(f"--llm: hooks ask a profile of distill.yaml, and {name!r} is not the name of one")
    settle({"llm": name}, project_of(str(Path.cwd())))


def program() -> str:
    """How a hook calls distill: by its name where that leads here, else by where it lies."""
    here = Path(sys.argv[0]).absolute()
    found = shutil.which("distill")
    if here.stem == "distill":
        if found and (not here.is_file() or here.samefile(found)):
            return "distill"
        if here.is_file():
            return _quoted(str(here))
    return f"{_quoted(sys.executable)} -m distill"


def _quoted(path: str) -> str:
    if os.name == "nt":
        return f'"{path}"' if " " in path else path
    return shlex.quote(path)


def _settings(agent: Agent, *, user: bool) -> Path:
    """The settings file of the user, or of the project that this is."""
    if user:
        return agent.home(os.environ) / agent.settings
    return project_of(str(Path.cwd())) / agent.folder / agent.settings


def _status(agent: Agent, path: Path) -> bool:
    """Print which hooks are in the settings at `path`; whether all are."""
    text = _read(path)
    there = commands(text, str(path), agent) if text else {}
    if not there:
        print(f"{path}: no hooks of distill")
    for native, command in there.items():
        print(f"{path}: {native}: {command}")
    missing = [hook.native for hook in agent.hooks if hook.native not in there]
    if there and missing:
        print(f"{path}: {', '.join(missing)}: missing")
    return not missing


def _read(path: Path) -> str:
    """The settings as they stand, line ends and all; "" where there are none."""
    try:
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return ""
    except UnicodeDecodeError:
        raise DistillError(f"{path}: is left as it is, since it is not valid UTF-8") from None
    except OSError as error:
        raise DistillError(f"{path}: cannot be read: {error.strerror or error}") from error


def _write(path: Path, text: str) -> None:
    from distill.store.files import write_atomic

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DistillError(f"{path.parent}: cannot be made: {error.strerror or error}") from error
    write_atomic(path, text)
