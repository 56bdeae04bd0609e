"""Markdown with front matter: for people, for the next model, and for distill without loss.

What the lines don't show (ids, times, sources, …) stands in one comment at the end, the ledger: one item a line, in
JSON. What the lines do show wins over it, so the file may be edited by hand.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from distill.model import SECTIONS, DistillError, Item, Kind, State, Status
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
from distill.render.front import front_end, is_front, read_front, write_front
from distill.render.lines import PROPOSED, Shown, one_line, read_line, struck, struck_part, to_comment_json, write_line
from distill.render.outputs import Output
from distill.text.lazy import Lazy

LEDGER = "<!-- distill:ledger"
_CLOSE = "-->"
_QUOTED = 60  # characters shown of the item that replaced another
_DAY = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])")
_HEADING_DAY = Lazy(rf"\s*\({_DAY.pattern}\)$")
_BULLET = Lazy(r"[ \t]*[-*+](?:[ \t]+(.*))?")
_NOTES = ("Left out", "left out", "未列出")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Words:
    """What the file says in one language."""

    headings: dict[Kind, str]
    history: str
    proposed: str
    left_out: str
    count: str
    joint: str
    replaced: str
    superseded: str
    removed: str
    resolved: str
    ticked: str


_EN = _Words(
    headings=dict(zip(Kind, ("Decisions", "Facts", "Artifacts", "Open"), strict=True)),
    history="History",
    proposed=PROPOSED[0],
    left_out="Left out: ",
    count="{} {}",
    joint=", ",
    replaced="replaced by “{}”",
    superseded="no longer holds",
    removed="removed by hand",
    resolved="done",
    ticked="ticked off by hand",
)
_ZH = _Words(
    headings=dict(zip(Kind, ("决策", "事实", "产物", "待办"), strict=True)),
    history="历史",
    proposed=PROPOSED[1],
    left_out="未列出：",
    count="{1} {0} 条",
    joint="、",
    replaced="已改为「{}」",
    superseded="不再有效",
    removed="已手工删除",
    resolved="已完成",
    ticked="已手工勾选完成",
)
_HISTORY = "history"
_SECTION_OF: dict[str, Kind | str] = {
    heading.casefold(): kind for words in (_EN, _ZH) for kind, heading in words.headings.items()
} | {words.history.casefold(): _HISTORY for words in (_EN, _ZH)}


def heading(kind: Kind, lang: str) -> str:
    """The heading line of a section."""
    return f"## {_words(lang).headings[kind]}"


def item_line(item: Item, lang: str = "en", shared: str | None = None) -> str:
    """The line of a live item: text, date (unless it is the `shared` one of its heading), marks."""
    day = _day(item.at)
    date = None if day == shared else day
    shown = Shown(text=item.text, date=date, proposed=PROPOSAL in item.tags, pinned=PINNED in item.tags)
    return f"- {write_line(shown, _words(lang).proposed)}"


def omitted_line(omitted: Sequence[int], lang: str) -> str:
    """The note that says how many items of each section (in their order) a budget left out; "" where none."""
    words = _words(lang)
    parts = [
        words.count.format(count, words.headings[kind].lower())
        for kind, count in zip(SECTIONS, omitted, strict=True)
        if count
    ]
    return f"_{words.left_out}{words.joint.join(parts)}_" if parts else ""


def section_lines(state: State, lang: str) -> list[tuple[Kind, list[str]]]:
    """The lines of each section that has items: heading, items.

    Where a budget left something out, the day that most items of a section share stands once, in its heading, and only
    in the first one where all sections share it: a date a line would cost a fifth of a small budget.
    """
    filled = [(kind, items) for kind in SECTIONS if (items := state.live(kind))]
    days = [shared_day(items) if any(state.omitted) else None for _, items in filled]
    sections = []
    for place, ((kind, items), day) in enumerate(zip(filled, days, strict=True)):
        said = place > 0 and len(set(days)) == 1
        top = f"{heading(kind, lang)} ({day})" if day and not said else heading(kind, lang)
        sections.append((kind, [top, *(item_line(item, lang, day) for item in items)]))
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


def render(state: State, lang: str) -> str:
    """The whole file. `parse` gives the same state back."""
    front = write_front({**head_data(state), "omitted": omitted_data(state)})
    history = _history_lines(state, _words(lang))
    ledger = [LEDGER, *(_entry(item) for item in state.items), _CLOSE] if state.items else []
    parts = ["\n".join(front), sections_text(state, lang), "\n".join(history), "\n".join(ledger)]
    return "\n\n".join(part for part in parts if part) + "\n"


def recognise(text: str) -> bool:
    """Whether `text` begins as a Markdown state does."""
    return is_front(_split(text))


def parse(text: str, path: str, upgrade: Upgrade = as_is) -> State:
    """The state in `text`, with what was edited by hand; a file that was not edited gives the state it was made from.

    Raises DistillError with file and line where a line is not understood, so that no edit is lost.
    """
    lines = _split(text)
    front = read_front(lines, path)
    refuse_newer(front.get("schema"), path)
    body = _read_body(lines, front_end(lines) + 1, path)
    written = _written(front, body, path, upgrade)
    return apply(written, body.shown, _forgotten(written, body, path))


OUTPUT = Output(
    name="md", title="Markdown, to read, edit and chain", order=10, render=render, recognise=recognise, parse=parse
)


# -- writing -------------------------------------------------------------------------------------------------------


def _words(lang: str) -> _Words:
    return _ZH if lang == "zh" else _EN


def _day(time: str | None) -> str | None:
    found = _DAY.match(time or "")
    return found[0] if found else None


def _history_lines(state: State, words: _Words) -> list[str]:
    gone = [*state.history(Status.SUPERSEDED), *state.history(Status.RESOLVED)]
    if not gone:
        return []
    texts = {item.id: one_line(item.text) for item in reversed(state.items)}
    return [f"## {words.history}", *(_history_line(item, texts, words) for item in gone)]


def _history_line(item: Item, texts: dict[str, str], words: _Words) -> str:
    if item.status is Status.RESOLVED:
        why = words.ticked if HAND in item.tags else words.resolved
    elif REMOVED in item.tags:
        why = words.removed
    elif item.by in texts and item.by is not None:
        new = texts[item.by]
        why = words.replaced.format(new if len(new) <= _QUOTED else new[: _QUOTED - 1].rstrip() + "…")
        why = why.replace("<!--", "\\<!--")
    else:
        why = words.superseded
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
    kept = {key: value for key, value in data.items() if key == "first_at" or value not in (None, [])}
    if item.status is not Status.LIVE:
        kept["status"] = item.status.value
    return to_comment_json(kept)


# -- reading -------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Body:
    """What stands below the front matter."""

    shown: dict[Kind, list[Shown]] = field(default_factory=lambda: defaultdict(list))
    history: list[tuple[int, str]] = field(default_factory=list)  # line number, content
    ledger: list[tuple[int, Data]] = field(default_factory=list)  # line number, entry


def _split(text: str) -> list[str]:
    """The lines of a file; only LF and CRLF end one."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")


def _read_body(lines: list[str], start: int, path: str) -> _Body:
    body = _Body()
    section: Kind | str | None = None
    bullets: list[tuple[Kind | str, int, list[str]]] = []
    is_open = in_ledger = False  # may the next line continue the last bullet?
    for number, line in enumerate(lines[start:], start + 1):
        bare = line.strip()
        if in_ledger:
            in_ledger = bare != _CLOSE
            if in_ledger and bare:
                body.ledger.append((number, _ledger_entry(bare, f"{path}:{number}")))
        elif bare == LEDGER:
            in_ledger, section, is_open = True, None, False
        elif not bare or _is_note(bare):
            is_open = False
        elif found := _BULLET.fullmatch(line.rstrip()):
            if section is None:
                raise _unknown(path, number, "this item stands under no heading")
            bullets.append((section, number, [found[1] or ""]))
            is_open = True
        elif is_open and line.startswith(("  ", "\t")):
            bullets[-1][2].append(bare)
        elif bare.startswith("#"):
            title = _HEADING_DAY.sub("", bare.strip("#").strip())
            section, is_open = _SECTION_OF.get(title.casefold()), False
            if section is None:
                raise _unknown(path, number, "this heading is none of ours")
        else:
            raise _unknown(path, number, "this line is neither an item nor a heading")
    for home, number, parts in bullets:
        content = " ".join(parts).strip()
        if isinstance(home, Kind):
            body.shown[home].append(read_line(content))
        else:
            body.history.append((number, content))
    return body


def _is_note(line: str) -> bool:
    return line[0] == line[-1] == "_" and any(words in line for words in _NOTES)


def _unknown(path: str, number: int, what: str) -> DistillError:
    known = ", ".join(f'"## {name}"' for name in (*_EN.headings.values(), _EN.history))
    return DistillError(f'{path}:{number}: {what}: write items as "- text" under {known}')


def _ledger_entry(line: str, where: str) -> Data:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise DistillError(f"{where}: a broken ledger line: repair it, or take it out (its item then counts as new)")
    return found


def _written(front: Data, body: _Body, path: str, upgrade: Upgrade) -> State:
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


def _forgotten(state: State, body: _Body, path: str) -> set[int]:
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
