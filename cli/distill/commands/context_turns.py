"""The commands of `distill context` that meet the model: its prompt, its answer, the user's turns, old work, logs."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from distill.commands.context import Manner, here
from distill.commands.context_form import put, say, titled
from distill.commands.run import write
from distill.config import settle
from distill.context.answers import Turned
from distill.context.recall import Hit
from distill.context.switching import Verdict
from distill.layered import Context
from distill.model import DistillError

PIPE = "-"


def prompt(turn: str, topic: str, messages: bool, manner: Manner) -> int:
    """The prompt of the active task."""
    settings = settle({})
    found = here().prompt(turn, topic=topic, lang=settings.lang)
    write(found.messages() if messages else found.text(), None)
    return 0


def lint(answer: str, manner: Manner) -> int:
    """Whether an answer lets an internal label out; 1 where it does."""
    leaks = Context.lint(_text(answer))
    put([asdict(one) for one in leaks], [f"line {one.line}: {one.text}" for one in leaks], manner.json)
    say("1 internal label" if len(leaks) == 1 else f"{len(leaks) or 'no'} internal labels", manner.quiet)
    return 1 if leaks else 0


def turn(text: str, reply: str, title: str, apply: bool, manner: Manner) -> int:
    """Which task a turn belongs to, and why."""
    context = here()
    turned = context.turn(_text(text), reply=reply, apply=apply, title=title)
    put(_data(turned), _lines(context, turned), manner.json)
    return 0


def _data(turned: Turned) -> dict[str, Any]:
    decision = turned.decision
    return {
        "verdict": decision.verdict.value, "target": _name(decision.target), "confidence": decision.confidence,
        "reasons": list(decision.reasons), "carry": list(decision.carry), "moved": turned.moved,
        "active": _name(turned.task.id) if turned.task else None,
    }  # fmt: skip


def _name(target: int | None) -> str | None:
    return None if target is None else f"t{target}" if target else "new"


def _lines(context: Context, turned: Turned) -> list[str]:
    decision = turned.decision
    where = ""
    if decision.target:
        task = context.desk().task(decision.target)
        where = f" {titled(task)}" if task else f" t{decision.target}"
    elif decision.target == 0:
        others = decision.verdict is Verdict.ASK and any(one.open for one in context.desk().tasks if one != turned.task)
        where = " a new task" + (f", with {', '.join(decision.carry)}" if decision.carry else "")
        where += ", or one of the open ones" if others else ""
    head = f"{decision.verdict}{where} ({decision.confidence:.2f})"
    done = [f"now {titled(turned.task)}"] if turned.moved and turned.task else []
    if decision.verdict is Verdict.ASK:
        done = ["ask the user, then start or switch, or go on"]
    return [head, *(f"  {reason}" for reason in decision.reasons), *done]


def recall(query: str, manner: Manner) -> int:
    """At most two old tasks that answer a query."""
    hits = here().recall(query)
    lines = [f"t{one.memory.task} {one.memory.summary} ({one.memory.at[:10]})" for one in hits]
    put([_hit(one) for one in hits], lines, manner.json)
    if not hits:
        say("nothing in memory answers that", manner.quiet)
    return 0


def _hit(hit: Hit) -> dict[str, Any]:
    memory = hit.memory
    return {"task": f"t{memory.task}", "title": memory.title, "summary": memory.summary, "topics": list(memory.topics),
            "at": memory.at, "share": hit.share}  # fmt: skip


def feed(logs: Sequence[str], budget: str | None, manner: Manner) -> int:
    """Distil logs into the active task, older first."""
    settings = settle({"budget": budget}, defaults={"budget": "1500"})
    context = here()
    code = 0
    for log in logs:
        fed = context.feed(log, budget=settings.budget)
        put({"log": log, **asdict(fed)}, [f"{log}: {fed.items} items"], manner.json)
        if fed.left or fed.skipped:
            say(f"{log}: {fed.left} left out to keep to the budget, {fed.skipped} records skipped", manner.quiet)
        if fed.compressed:
            say("the window is nearly full: the task was compressed", manner.quiet)
        code = 4 if fed.skipped else code
    return code


def export() -> int:
    """Everything as JSON."""
    write(here().export(), None)
    return 0


def import_(path: str, over: bool, manner: Manner) -> int:
    """Fill the store with an export; it is made where there is none."""
    from distill.store.files import read_text

    text = sys.stdin.buffer.read().decode("utf-8-sig", "replace") if path == PIPE else read_text(path)
    context = here()
    if not context.store.path.exists():
        context = Context.init()
    context.import_(text, over=over)
    desk = context.desk(whole=True)
    put({"store": str(context.store.path), "tasks": len(desk.tasks), "memories": len(desk.memories)},
        [f"{len(desk.tasks)} tasks, {len(desk.memories)} memories"], manner.json)
    return 0


def _text(words: str) -> str:
    """What was typed, or standard input for "-"."""
    if words != PIPE:
        return words
    text = sys.stdin.buffer.read().decode("utf-8-sig", "replace")
    if not text.strip():
        raise DistillError("standard input is empty")
    return text
