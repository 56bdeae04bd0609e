"""Talks of several turns with a change of task in the middle, played three ways: `python -m tests.context`.

Each turn is judged by the prompt that the model would get for it: does it hold every parameter that the task needs,
does it hold one of another task, how long is it. What the turn itself sets counts as held in every way, since its own
words say it. A history holds what every agent's does: what was said, and the calls of the tool with their parameters.

The agent's part (noting what the user sets and what came out) is scripted. In the way `layered` the changes of task are
scripted too; in `layered, by itself` they are what `turn` decides, and what it asks about is answered as the script
says.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from distill.context.switching import Verdict
from distill.layered import Context, safe
from distill.text.tokens import counter

HERE = Path(__file__).parent
WAYS = ("whole history", "last five turns", "layered", "layered, by itself")
RULES = {"en": "Never quote purchase prices.", "zh": "不得透露采购价。"}
SYSTEM = {"en": "You help in the office. ", "zh": "你是办公助手。"}
NOW = "2026-03-02T09:00:00Z"
_EDGED = re.compile(r"[a-z0-9]", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One turn of the script; `do` is new, back, child, about or stay."""

    says: str
    do: str = "stay"
    title: str = ""
    to: str = ""
    carry: tuple[str, ...] = ()
    sets: Mapping[str, str] = field(default_factory=dict)
    results: Mapping[str, str] = field(default_factory=dict)
    needs: tuple[str, ...] = ()
    reply: str = ""
    finish: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """One talk."""

    name: str
    lang: str
    business: str
    turns: tuple[Turn, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What the prompt of one turn was like in one way."""

    scenario: str
    turn: int
    missing: tuple[str, ...]
    foreign: tuple[str, ...]
    tokens: int

    @property
    def right(self) -> bool:
        """Whether a tool would be called with the right parameters."""
        return not self.missing and not self.foreign


def load(folder: str = "scenarios") -> list[Scenario]:
    """The scripts of a folder, by file and place."""
    import yaml

    found = []
    for path in sorted((HERE / folder).glob("*.yaml")):
        for row in yaml.safe_load(path.read_text(encoding="utf-8")):
            turns = tuple(_turn(one) for one in row["turns"])
            lang = "en" if turns[0].says.isascii() else "zh"
            found.append(Scenario(name=row["name"], lang=lang, business=path.stem.partition("-")[0], turns=turns))
    return found


def _turn(row: dict[str, Any]) -> Turn:
    def texts(name: str) -> dict[str, str]:
        return {str(key): str(value) for key, value in row.get(name, {}).items()}

    return Turn(says=row["u"], do=row.get("do", "stay"), title=row.get("title", ""), to=row.get("to", ""),
                carry=tuple(row.get("carry", ())), sets=texts("set"), results=texts("result"),
                needs=tuple(map(str, row.get("need", ()))), reply=row.get("a", ""), finish=row.get("finish", False))


def holds(prompt: str, value: str) -> bool:
    """Whether a value stands in a prompt, as a word of its own."""
    left = r"(?<![A-Za-z0-9])" if _EDGED.match(value[0]) else ""
    right = r"(?![A-Za-z0-9])" if _EDGED.match(value[-1]) else ""
    return re.search(left + re.escape(value) + right, prompt, re.IGNORECASE) is not None


def foreign(scenario: Scenario) -> list[tuple[str, ...]]:
    """For each turn the values that other tasks have set so far and that the task at hand does not need.

    A child shares its parent's values, and a value that stands in the user's own words of the turn is no leak.
    """
    owned: dict[str, set[str]] = {}
    parents: dict[str, str] = {}
    now, found = "", []
    for turn in scenario.turns:
        before = now
        now = turn.title if turn.do in ("new", "child") else turn.to if turn.do == "back" else now
        if turn.do == "child":
            parents[now] = before
        kin = {now, parents.get(now, "")}
        owned.setdefault(now, set()).update(turn.sets.values())
        mine = set().union(*(owned.get(one, set()) for one in kin), turn.needs)
        others = set().union(*(values for task, values in owned.items() if task not in kin), set()) - mine
        found.append(tuple(sorted(value for value in others if not holds(turn.says, value))))
        if turn.finish:
            now = parents[now]
    return found


def prompts(scenario: Scenario, way: str, folder: str) -> Iterator[str]:
    """The prompt of every turn of a talk, assembled in one of the ways."""
    if way.startswith("layered"):
        yield from _layered(scenario, folder, scripted=way == "layered")
        return
    kept: list[str] = []
    tasks: dict[str, dict[str, str]] = {}
    now = ""
    for turn in scenario.turns:
        now = turn.title if turn.do in ("new", "child") else turn.to if turn.do == "back" else now
        tasks.setdefault(now, {}).update(turn.sets)
        shown = kept if way == "whole history" else kept[-10:]
        yield "\n\n".join([SYSTEM[scenario.lang] + RULES[scenario.lang], *shown, turn.says])
        call = json.dumps({"tool": "run", "arguments": tasks[now]}, ensure_ascii=False)
        kept += [turn.says, f"{call}\n{turn.reply}"]


def _layered(scenario: Scenario, folder: str, *, scripted: bool) -> Iterator[str]:
    context = Context.init(folder, now=NOW)
    context.add_rule(RULES[scenario.lang], hard=True)
    reply = ""
    for turn in scenario.turns:
        if scripted or turn.do == "child":
            if turn.do in ("new", "child"):
                context.start(turn.title, child=turn.do == "child", carry=turn.carry)
            elif turn.do == "back":
                context.switch(turn.to)
        else:
            _by_itself(context, turn, reply)
        for name, value in turn.sets.items():
            context.set(name, value)
        yield SYSTEM[scenario.lang] + context.prompt(turn.says, lang=scenario.lang).text()
        for name, value in turn.results.items():
            context.result(name, value)
        if turn.finish:
            context.finish()
        reply = turn.reply


def _by_itself(context: Context, turn: Turn, reply: str) -> None:
    """The change that `turn` makes, or that the user makes when asked."""
    turned = context.turn(turn.says, reply=reply, apply=True, title=turn.title or turn.says)
    if turned.decision.verdict is Verdict.ASK:
        if turn.do == "new":
            context.start(turn.title, carry=turned.decision.carry)
        elif turn.do == "back" and turned.decision.target:
            context.switch(turn.to)


def judged(scenarios: list[Scenario], way: str) -> list[Judged]:
    """Every turn of every talk, judged."""
    count = counter("o200k_base").count
    found = []
    for scenario in scenarios:
        theirs = foreign(scenario)
        with tempfile.TemporaryDirectory() as folder:
            for number, prompt in enumerate(prompts(scenario, way, folder)):
                turn = scenario.turns[number]
                missing = tuple(value for value in turn.needs
                                if value not in turn.sets.values() and not holds(prompt, safe(value)))
                leaked = tuple(value for value in theirs[number] if holds(prompt, value))
                found.append(Judged(scenario=scenario.name, turn=number + 1, missing=missing, foreign=leaked,
                                    tokens=count(prompt)))
    return found


def table(scenarios: list[Scenario]) -> list[str]:
    """The ways beside each other: needed parameters there, another task's there too, both right, tokens."""
    rows = ["| | needed parameters present | polluted by another task | right parameters | tokens |",
            "| --- | --- | --- | --- | --- |"]
    whole = 0
    for way in WAYS:
        turns = judged(scenarios, way)
        tokens = sum(one.tokens for one in turns)
        whole = whole or tokens
        shares = [sum(map(bool, hits)) / len(turns) for hits in (
            [not one.missing for one in turns], [one.foreign for one in turns], [one.right for one in turns])]
        fewer = "" if tokens == whole else f" ({(tokens - whole) / whole:+.0%})"
        rows.append(f"| {way} | {' | '.join(f'{share:.0%}' for share in shares)} | {tokens}{fewer} |")
    return rows
