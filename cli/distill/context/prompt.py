"""The prompt that the layers make: labels, ids and orders in the system message, the content in the user's."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from distill.context import labels
from distill.context.model import Desk, Sort, Standing, Strength, Task
from distill.context.precedence import Layer, Setting, Value, sentences, values
from distill.context.recall import Hit
from distill.context.wording import Words, words
from distill.text.language import language

_AROUND = 8  # characters around an entry: its bullet, what joins name and value, its end, marks of a quotation
_FRAME = 600  # characters of everything else: what is said to the model, headings, the lines around the content


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """The two messages of a prompt."""

    system: str
    user: str

    def text(self) -> str:
        """Both as one text."""
        return f"{self.system}\n\n{self.user}\n"

    def messages(self) -> str:
        """Both as chat messages, in JSON."""
        rows = [{"role": "system", "content": self.system}, {"role": "user", "content": self.user}]
        return json.dumps(rows, ensure_ascii=False, indent=2) + "\n"


Safe = Callable[[str], str]


def assembled(
    desk: Desk, marker: tuple[str, str], safe: Safe, *, lang: str = "auto", hits: Sequence[Hit] = (), turn: str = ""
) -> Prompt:
    """The prompt of the task in hand; without one, of the global rules alone.

    Of every parameter only the value that wins is in it, and nothing of any other task but what the parents lend.
    `marker` are the lines around the content; `safe` makes of a recorded line one that a model may read; `hits` is what
    memory found, `turn` what the user says now.
    """
    task = desk.active
    said = words(language(_sample(desk, task, turn)) if lang == "auto" else lang)
    seen = values(desk, task)
    begin, end = marker
    content = "\n\n".join(part for part in _content(desk, task, seen, hits, said, safe) if part)
    user = "\n\n".join(part for part in (f"{begin}\n{content}\n{end}" if content else "", turn.strip()) if part)
    return Prompt(system="\n".join(_system(desk, task, seen, hits, said, safe)), user=user)


def _sample(desk: Desk, task: Task | None, turn: str) -> str:
    if turn:
        return turn
    if task is not None:
        return " ".join((task.title, *(one.text for one in desk.of(task.id))))
    return " ".join(rule.text for rule in desk.rules)


def _system(
    desk: Desk, task: Task | None, seen: Sequence[Value], hits: Sequence[Hit], said: Words, safe: Safe
) -> Iterable[str]:
    yield said.labels
    winning = {value.wins.of for value in seen if value.wins.layer in (Layer.HARD, Layer.DEFAULT)}
    for rule in desk.rules:
        if rule.name and rule.id not in winning:
            continue  # outranked: to show it would only invite the model to weigh it
        hard = rule.strength is Strength.HARD
        name, form = (labels.GLOBAL, said.hard) if hard else (labels.DEFAULT, said.default)
        yield f"[{labels.label(name, rule.id)}] {form.format(_named(rule.name, safe(rule.text), ' = '))}"
    if task is not None:
        names = [labels.label(labels.TASK, task.id)]
        names += [labels.label(labels.PARENT, one.id) for one in desk.ancestors(task)]
        names += [labels.DOMAIN] if _pack(desk, task) else []
        names += [labels.label(labels.MEMORY, hit.memory.id) for hit in hits]
        yield f"[{' '.join(names)}]"


def _pack(desk: Desk, task: Task) -> str:
    pack = desk.domain(task.domain) if task.domain else None
    return pack.text.strip() if pack else ""


def _content(
    desk: Desk, task: Task | None, seen: Sequence[Value], hits: Sequence[Hit], said: Words, safe: Safe
) -> Iterable[str]:
    if task is not None:
        if background := _pack(desk, task):
            yield said.background.format("\n".join(map(safe, background.split("\n"))))
        goal = [said.goal.format(safe(task.title))]
        goal += [said.part.format(safe(one.title)) for one in desk.ancestors(task)[:1]]
        yield "\n".join(goal)
        shown = [*_shown(seen), *sentences(desk, task)]
        for heading, standing in ((said.confirmed, Standing.CONFIRMED), (said.pending, Standing.PENDING)):
            lines = [_named(one.name, safe(one.text), " = ") for one in shown if one.standing is standing]
            yield _list(heading, lines, said)
        for heading, sort in ((said.results, Sort.RESULT), (said.steps, Sort.STEP), (said.questions, Sort.QUESTION)):
            lines = [_named(one.name, safe(one.text), said.colon) for one in desk.of(task.id, sort)]
            yield _list(heading, lines, said)
    yield _list(said.reference, [safe(hit.memory.summary) for hit in hits], said)


def _shown(seen: Sequence[Value]) -> Iterable[Setting]:
    """The settings that the task and its parents win with, and what is pending beside a confirmed one."""
    for value in seen:
        if value.wins.layer in (Layer.TASK, Layer.PARENT):
            yield value.wins
            if value.wins.standing is Standing.CONFIRMED:
                yield from (one for one in value.overrides if one.standing is Standing.PENDING)


def _named(name: str, text: str, joint: str) -> str:
    return f"{name}{joint}{text}" if name else text


def _list(heading: str, lines: Sequence[str], said: Words) -> str:
    return "\n".join([f"{heading}{said.colon.rstrip()}", *(f"- {line}" for line in lines)]) if lines else ""


def most_tokens(desk: Desk) -> int:
    """More tokens than the prompt of the task in hand can take, told from lengths alone.

    No character is counted as more than two tokens.
    """
    task = desk.active
    if task is None:
        return 0
    seen = {task.id, *(one.id for one in desk.ancestors(task))}
    length = sum(len(one.name) + len(one.text) + _AROUND for one in desk.entries if one.task in seen)
    length += sum(len(rule.name) + len(rule.text) + 4 * _AROUND for rule in desk.rules)
    length += sum(len(one.title) for one in desk.tasks if one.id in seen)
    return 2 * (length + len(_pack(desk, task)) + _FRAME)
