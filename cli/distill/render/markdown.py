"""Markdown with front matter: for people, for the next model, and for distill without loss.

What the lines don't show (ids, times, sources, …) stands in one comment at the end, the ledger: one item a line, in
JSON. What the lines do show wins over it, so the file may be edited by hand.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from distill.model import SECTIONS, DistillError, Item, Kind, State, Status
from distill.render.body import LEDGER, LEDGER_END, Body, read_body, refuse_conflict, split
from distill.render.contract import (
    LISTS,
    Data,
    Upgrade,
    as_is,
    from_data,
    head_data,
    item_data,
    list_of,
    omitted_data,
    refuse_newer,
    woven,
)
from distill.render.edits import HAND, PINNED, PROPOSAL, REMOVED, apply
from distill.render.front import front_end, is_front, located, read_front, refuse_damage, write_front
from distill.render.lines import Shown, one_line, struck, struck_part, to_comment_json, write_line
from distill.render.outputs import Output
from distill.render.wording import DAY, Words, words

_MARKS = (" (created)", " (changed)")  # of one length
_QUOTED = 60  # characters shown of the item that replaced another


def heading(kind: Kind, lang: str) -> str:
    """The heading line of a section."""
    return f"## {words(lang).headings[kind]}"


def item_line(item: Item, lang: str = "en", shared: str | None = None, text: str = "") -> str:
    """The line of a live item: text (or the shorter `text`), date (unless it is the `shared` one), marks."""
    day = _day(item.at)
    date = None if day == shared else day
    return _line(text or item.text, date, PROPOSAL in item.tags, PINNED in item.tags, words(lang).proposed)


def plain_file(text: str) -> str:
    """The text of an artifact without the mark that says whether the file was created or changed."""
    return text[: -len(_MARKS[0])] if text.endswith(_MARKS) else text


def _plain_files(state: State) -> dict[str, str]:
    """The live files whose marks a budget spares, by text; none where one could be taken for another."""
    if not any(state.omitted):
        return {}
    texts = [one_line(item.text) for item in state.live(Kind.ARTIFACT)]
    times = Counter(map(plain_file, texts))
    return {text: short for text in texts if (short := plain_file(text)) not in (text, "") and times[short] == 1}


def omitted_line(omitted: Sequence[int], lang: str) -> str:
    """The note that says how many items of each section (in their order) a budget left out; "" where none."""
    said = words(lang)
    parts = [
        said.count.format(count, said.headings[kind].lower())
        for kind, count in zip(SECTIONS, omitted, strict=True)
        if count
    ]
    return f"_{said.left_out}{said.joint.join(parts)}_" if parts else ""


def section_lines(state: State, lang: str) -> list[tuple[Kind, list[str]]]:
    """The lines of each section that has items: heading, items.

    Where a budget left something out, the day that most items of a section share stands once, in its heading, and only
    in the first one where all sections share it: a date a line would cost a fifth of a small budget. Files then
    stand without the mark that they were created or changed, which the ledger keeps.
    """
    filled = [(kind, items) for kind in SECTIONS if (items := state.live(kind))]
    days = [shared_day(items) if any(state.omitted) else None for _, items in filled]
    short = _plain_files(state)
    sections = []
    for place, ((kind, items), day) in enumerate(zip(filled, days, strict=True)):
        said = place > 0 and len(set(days)) == 1
        top = f"{heading(kind, lang)} ({day})" if day and not said else heading(kind, lang)
        texts = (short.get(one_line(item.text), "") if kind is Kind.ARTIFACT else "" for item in items)
        lines = (item_line(item, lang, day, text) for item, text in zip(items, texts, strict=True))
        sections.append((kind, [top, *lines]))
    return sections


def shared_day(items: Sequence[Item]) -> str | None:
    """The day that most of `items` bear, the later of two; None where one has none or no two share one."""
    days = Counter(_day(item.at) for item in items)
    if None in days or not days:
        return None
    day, count = max(days.items(), key=lambda pair: (pair[1], pair[0] or ""))
    return day if count > 1 else None


def sections_text(state: State, lang: str) -> str:
    """The four sections as they stand in the file: what a budget bounds."""
    parts = ["\n".join(lines) for _, lines in section_lines(state, lang)]
    note = omitted_line(state.omitted, lang)
    return "\n\n".join([*parts, note] if note else parts)


def render(state: State, lang: str, known: Mapping[int, str] | None = None) -> str:
    """The whole file. `parse` gives the same state back.

    `known` are lines of the ledger by the `id()` of the items they tell of (see `ledger_lines`): these are taken over.
    """
    lines = known or {}
    front = write_front({**head_data(state), "omitted": omitted_data(state)})
    history = _history_lines(state, words(lang))
    ledger = [LEDGER, *(lines.get(id(item)) or _entry(item) for item in state.items), LEDGER_END] if state.items else []
    parts = ["\n".join(front), sections_text(state, lang), "\n".join(history), "\n".join(ledger)]
    return "\n\n".join(part for part in parts if part) + "\n"


def ledger_lines(text: str, state: State) -> dict[int, str]:
    """The lines of the ledger in `text`, which `render` made of `state`, by the `id()` of its items.

    They are good for as long as `state` is held. Empty where the text is not what it is said to be.
    """
    lines = text[text.rfind(f"\n{LEDGER}\n") + 1 :].split("\n")[1:]
    if lines[len(state.items) :] != [LEDGER_END, ""]:
        return {}
    return {id(item): line for item, line in zip(state.items, lines, strict=False)}


def recognise(text: str) -> bool:
    """Whether `text` begins as a Markdown state does, or ends like one whose front matter was damaged."""
    lines = split(text)
    return is_front(lines) or LEDGER in lines


def parse(text: str, path: str, upgrade: Upgrade = as_is) -> State:
    """The state in `text`, with what was edited by hand; a file that was not edited gives the state it was made from.

    Raises DistillError with file and line where a line is not understood, so that no edit is lost.
    """
    lines = split(text)
    refuse_conflict(lines, path)
    refuse_damage(lines, path)
    front = read_front(lines, path)
    refuse_newer(front.get("schema"), path)
    body = read_body(lines, front_end(lines) + 1, path)
    try:
        written = _written(front, body, path, upgrade)
    except DistillError as error:
        raise located(error, lines, path) from error
    return apply(written, _marked(written, body), _forgotten(written, body, path))


OUTPUT = Output(
    name="md", title="Markdown, to read, edit and chain", order=10, render=render, recognise=recognise, parse=parse
)


# -- writing -------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1 << 11)  # a line is counted for the budget, then written
def _line(text: str, date: str | None, proposed: bool, pinned: bool, word: str) -> str:
    return f"- {write_line(Shown(text=text, date=date, proposed=proposed, pinned=pinned), word)}"


def _day(time: str | None) -> str | None:
    found = DAY.match(time or "")
    return found[0] if found else None


def _history_lines(state: State, said: Words) -> list[str]:
    gone = [*state.history(Status.SUPERSEDED), *state.history(Status.RESOLVED)]
    if not gone:
        return []
    wanted = {item.by for item in gone}
    texts = {item.id: one_line(item.text) for item in reversed(state.items) if item.id in wanted}
    return [f"## {said.history}", *(_history_line(item, texts, said) for item in gone)]


def _history_line(item: Item, texts: dict[str, str], said: Words) -> str:
    if item.status is Status.RESOLVED:
        why = said.ticked if HAND in item.tags else said.resolved
    elif REMOVED in item.tags:
        why = said.removed
    elif item.by in texts and item.by is not None:
        new = texts[item.by]
        why = said.replaced.format(new if len(new) <= _QUOTED else new[: _QUOTED - 1].rstrip() + "…")
        why = why.replace("<!--", "\\<!--")
    else:
        why = said.superseded
    day = _day(item.at)
    return " ".join(("-", struck(item.text), *([f"({day})"] if day else []), "→", why))


def _entry(item: Item) -> str:
    """The ledger line of an item: its data without what says nothing or is said already."""
    data = item_data(item)
    if item.first_at == item.at:
        del data["first_at"]
    if item.sources and item.sources[0].quote == item.text:
        del data["text"]
    if not item.rule:
        del data["rule"]
    for key in ("at", "tags", "sources", "supersedes", "by"):
        if data[key] is None or data[key] == []:
            del data[key]
    if item.status is not Status.LIVE:
        data["status"] = item.status.value
    return to_comment_json(data)


# -- reading -------------------------------------------------------------------------------------------------------


def _written(front: Data, body: Body, path: str, upgrade: Upgrade) -> State:
    """The state as front matter and ledger tell it, before any edit."""
    if stray := [name for name in LISTS if name in front]:
        raise DistillError(f"{path}: unknown field {stray[0]!r} in the front matter: items stand under their headings")
    lists: dict[str, list[Data]] = {name: [] for name in LISTS}
    numbers: dict[str, list[int]] = {name: [] for name in LISTS}
    order = []
    for number, entry in body.ledger:
        where = f"{path}:{number}"
        kind, status = entry.get("kind"), entry.pop("status", Status.LIVE.value)
        name = status if status in (Status.SUPERSEDED, Status.RESOLVED) else SECTIONS.get(_kind(kind, where))
        if name is None or (status != Status.LIVE and name != status):
            raise DistillError(f"{where}: status: must be one of {', '.join(Status)}")
        lists[name].append(_whole(entry))
        numbers[name].append(number)
        order.append(name)
    data = upgrade({**front, **lists}, path)
    found = from_data(data, path, lambda name, n: f"{path}:{numbers[name][n]}" if n < len(numbers[name]) else path)
    by_list: dict[str, list[Item]] = defaultdict(list)
    for item in found.items:
        by_list[list_of(item)].append(item)
    return replace(found, items=woven(order, by_list))


def _marked(state: State, body: Body) -> Mapping[Kind, Sequence[Shown]]:
    """The item lines, with files in full that stand without their mark."""
    whole = {short: text for text, short in _plain_files(state).items()}
    files = body.shown.get(Kind.ARTIFACT, ())
    if not whole or not files:
        return body.shown
    return {**body.shown, Kind.ARTIFACT: [replace(one, text=whole.get(one.text, one.text)) for one in files]}


def _kind(value: Any, where: str) -> Kind:
    try:
        return Kind(value)
    except ValueError:
        raise DistillError(f"{where}: kind: must be one of {', '.join(Kind)}") from None


def _whole(entry: Data) -> Data:
    """A ledger line with what it left out because it was said already."""
    entry.setdefault("first_at", entry.get("at"))
    sources = entry.get("sources")
    if "text" not in entry and isinstance(sources, list) and sources and isinstance(sources[0], dict):
        entry["text"] = sources[0].get("quote")
    return entry


def _forgotten(state: State, body: Body, path: str) -> set[int]:
    """Indices of the history items whose line was taken out. A line of the history that belongs to none is an error."""
    left: dict[str, list[int]] = defaultdict(list)
    for n, item in reversed(list(enumerate(state.items))):
        if item.status is not Status.LIVE:
            left[struck(item.text)].append(n)
    for number, content in body.history:
        part = struck_part(content)
        if part is None or not left[part]:
            raise DistillError(f"{path}:{number}: not an entry of the history as distill keeps it: undo, or remove it")
        left[part].pop()
    return {n for rows in left.values() for n in rows}
