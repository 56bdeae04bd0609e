"""Hooks in the settings of an agent: put in, taken out, looked for. Text in, text out; the rest stays as it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from distill.agents.agent import Agent, Event, Hook, Shape
from distill.agents.jsontext import Node, inserted, parse, removed
from distill.model import DistillError

EMPTY = "{}\n"


def installed(text: str, path: str, agent: Agent, program: str, model: str = "") -> str:
    """The settings `text` with the hooks of `agent`, which call `program`; unchanged where they are there.

    With `model`, the name of a profile, those that bring the state up to date ask that.

    Raises DistillError naming `path` where it is no plain JSON or its hooks are not kept as the agent keeps them.
    """
    wanted = {hook.native: _entry(agent, hook, program, model) for hook in agent.hooks}
    if {native: entry for native, entry, _, _ in _ours(parse(text, path), path, agent)} == wanted:
        return text
    text = uninstalled(text, path, agent)
    for native, entry in wanted.items():
        root = parse(text, path)
        if not isinstance(root.value, dict):
            raise DistillError(f"{path}: is left as it is, since it holds no settings: an object is wanted")
        if agent.shape is Shape.FLAT and root.get("version") is None:
            text = inserted(text, root, "version", 1)
            root = parse(text, path)
        hooks = root.get("hooks")
        if hooks is None:
            text = inserted(text, root, "hooks", {native: [entry]})
            continue
        _must_be(hooks, dict, path, "hooks")
        groups = hooks.get(native)
        if groups is None:
            text = inserted(text, hooks, native, [entry])
            continue
        _must_be(groups, list, path, f"hooks: {native}")
        text = inserted(text, groups, None, entry)
    return text


def uninstalled(text: str, path: str, agent: Agent) -> str:
    """The settings `text` without the hooks of `agent` that are ours; what that leaves empty goes too.

    Raises DistillError naming `path` where it is no plain JSON.
    """
    while True:
        found = next(_ours(parse(text, path), path, agent), None)
        if found is None:
            return text
        *_, homes = found
        home, index = homes.pop()
        while homes and len(home.parts) == 1:
            home, index = homes.pop()
        text = removed(text, home, index)


def commands(text: str, path: str, agent: Agent) -> dict[str, str]:
    """Our commands in the settings `text`, by the agent's name of their event."""
    return {native: command for native, _, command, _ in _ours(parse(text, path), path, agent)}


def _entry(agent: Agent, hook: Hook, program: str, model: str) -> dict[str, Any]:
    asks = f" --llm {model}" if model and hook.event is not Event.SESSION_START else ""
    command = {"command": f"{program} hook {agent.name} {hook.event}{asks}", "timeout": hook.timeout}
    if agent.shape is Shape.FLAT:
        return command
    group = {"hooks": [{"type": "command", **command}]}
    return {"matcher": hook.matcher, **group} if hook.matcher else group


Homes = list[tuple[Node, int]]  # containers from the outermost on, and the index of the part that leads on


def _ours(root: Node, path: str, agent: Agent) -> Iterator[tuple[str, Any, str, Homes]]:
    """Our hooks: the event, the whole entry of its list, the command, and the way to what must go."""
    ours = re.compile(rf"\bdistill\b[^&|;]* hook {re.escape(agent.name)} [a-z-]+(?: --llm [\w.-]+)?\s*$")
    for place, top in enumerate(root.parts):
        if top.key != "hooks":
            continue
        for event, part in enumerate(top.node.parts):
            for number, entry in enumerate(part.node.parts):
                way: Homes = [(root, place), (top.node, event), (part.node, number)]
                if agent.shape is Shape.FLAT:
                    if ours.search(command := _command(entry.node)):
                        yield part.key or "", entry.node.value, command, way
                    continue
                inside = entry.node.get("hooks")
                at = next((n for n, one in enumerate(entry.node.parts) if one.key == "hooks"), 0)
                for index, one in enumerate(inside.parts if inside else ()):
                    if inside and ours.search(command := _command(one.node)):
                        # A group with a matcher and nothing but our hook goes as a whole.
                        lone = len(inside.parts) == 1
                        yield (part.key or "", entry.node.value, command,
                               way if lone else [*way, (entry.node, at), (inside, index)])


def _command(node: Node) -> str:
    found = node.get("command")
    return found.value if found is not None and isinstance(found.value, str) else ""


def _must_be(node: Node, kind: type, path: str, where: str) -> None:
    if not isinstance(node.value, kind):
        wanted = "an object" if kind is dict else "a list"
        raise DistillError(f"{path}: {where}: is left as it is, since it is not {wanted}")
