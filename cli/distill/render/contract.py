"""The state as plain data (dicts, lists, texts, numbers): the contract for programs, in JSON or YAML alike."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, TypeVar

from distill.model import (
    SCHEMA,
    SECTIONS,
    DistillError,
    Item,
    Kind,
    Role,
    Source,
    SourceLog,
    State,
    Status,
    TaskName,
    TokenCounts,
    item_id,
)
from distill.text.times import rfc3339

Data = dict[str, Any]
Upgrade = Callable[[Data, str], Data]
T = TypeVar("T")
#: The lists of items, in the order in which they stand.
LISTS = (*SECTIONS.values(), Status.SUPERSEDED.value, Status.RESOLVED.value)
_KINDS = {section: kind for kind, section in SECTIONS.items()}
_TOP = ("schema", "task", "project", "written_at", "covers", "sources", "tokens", *LISTS, "omitted")
_ITEM = (
    *("id", "kind", "text", "at", "first_at", "role", "confidence"),
    *("rule", "tags", "sources", "supersedes", "by"),
)
_KIND_NAMES, _ROLE_NAMES = tuple(kind.value for kind in Kind), tuple(role.value for role in Role)
_SOURCE = ("path", "record", "quote")
_LOG = ("path", "format", "records", "skipped", "sha256", "newest")
_MORE = "continues"  # a field of a log that stands only where it says something


def as_is(data: Data, path: str) -> Data:
    """The upgrade that changes nothing."""
    return data


def list_of(item: Item) -> str:
    """The name of the list in which an item stands."""
    return SECTIONS[item.kind] if item.status is Status.LIVE else item.status.value


def woven(order: Iterable[str], lists: Mapping[str, list[Item]]) -> tuple[Item, ...]:
    """The items of all lists as one row: list names in `order` say which list is next; what is left over follows."""
    iters = {name: iter(lists.get(name, ())) for name in LISTS}
    row = [item for name in order if (item := next(iters[name], None)) is not None]
    return (*row, *(item for name in LISTS for item in iters[name]))


def to_data(state: State) -> Data:
    """A state as plain data, keys in the order of the contract."""
    lists: dict[str, list[Data]] = {name: [] for name in LISTS}
    for item in state.items:
        lists[list_of(item)].append(item_data(item))
    return {**head_data(state), **lists, "omitted": omitted_data(state)}


def head_data(state: State) -> Data:
    """What a state says of itself, without items."""
    tokens = state.tokens
    return {
        "schema": state.schema,
        "task": {"id": state.task.id, "title": state.task.title},
        "project": state.project,
        "written_at": state.written_at,
        "covers": list(state.covers),
        "sources": [_log_data(log) for log in state.sources],
        "tokens": {
            "source": tokens.source,
            "state": tokens.state,
            "encoding": tokens.encoding,
            "exact": tokens.exact,
        },
    }


def _log_data(log: SourceLog) -> Data:
    data: Data = {key: getattr(log, key) for key in _LOG}
    return {**data, _MORE: True} if log.continues else data


def omitted_data(state: State) -> dict[str, int]:
    """How many items were left out, by section."""
    return dict(zip(SECTIONS.values(), state.omitted, strict=True))


def item_data(item: Item) -> Data:
    """An item as plain data, without its status, which the list it stands in tells."""
    return {
        "id": item.id,
        "kind": item.kind.value,
        "text": item.text,
        "at": item.at,
        "first_at": item.first_at,
        "role": item.role.value,
        "confidence": item.confidence,
        "rule": item.rule,
        "tags": list(item.tags),
        "sources": [{"path": s.path, "record": s.record, "quote": s.quote} for s in item.sources],
        "supersedes": list(item.supersedes),
        "by": item.by,
    }


def refuse_newer(version: object, path: str) -> None:
    """Raise DistillError where a schema version is one that only a newer distill knows."""
    if isinstance(version, int) and version > SCHEMA:
        raise DistillError(
            f"{path}: written by a newer distill (schema {version}; this one reads {SCHEMA}): update distill"
        )


def from_data(data: object, path: str, place: Callable[[str, int], str] | None = None) -> State:
    """The state that plain data of the present schema says.

    `path` names the file in errors; `place(list, index)` names where an item stands, its list and number by default.
    What is left out takes its default. Raises DistillError with file and field where a value has the wrong type or a
    key is unknown: nothing is dropped in silence.
    """
    top = _Fields(data, path, _TOP)
    version = top.count("schema")
    refuse_newer(version, path)
    if version != SCHEMA:
        raise DistillError(f"{path}: schema: {version} is unknown; this distill reads {SCHEMA}")
    task, tokens = top.fields("task", ("id", "title")), top.fields("tokens", ("source", "state", "encoding", "exact"))
    omitted = top.fields("omitted", tuple(SECTIONS.values()))
    items = [
        _item(one, place(name, n) if place else f"{path}: {name}[{n}]", name)
        for name in LISTS
        for n, one in enumerate(top.rows(name))
    ]
    return State(
        schema=version,
        task=TaskName(id=task.text("id"), title=task.text("title")),
        project=top.text("project"),
        written_at=top.time("written_at"),
        covers=_covers(top),
        sources=tuple(_log(one, f"{path}: sources[{n}]") for n, one in enumerate(top.rows("sources"))),
        tokens=TokenCounts(
            source=tokens.count("source"),
            state=tokens.count("state"),
            encoding=tokens.text("encoding", TokenCounts().encoding),
            exact=tokens.flag("exact"),
        ),
        items=tuple(items),
        omitted=(omitted.count("decisions"), omitted.count("facts"), omitted.count("artifacts"), omitted.count("open")),
    )


def _covers(top: _Fields) -> tuple[str | None, str | None]:
    span = top.rows("covers")
    if not span:
        return None, None
    if len(span) != 2:
        raise top.wrong("covers", "must be two times, the first and the last")
    first, last = (_Fields({"covers": one}, top.where, ("covers",)).time("covers") for one in span)
    return first, last


def _log(data: object, where: str) -> SourceLog:
    log = _Fields(data, where, (*_LOG, _MORE))
    return SourceLog(
        path=log.text("path"),
        format=log.text("format"),
        records=log.count("records"),
        skipped=log.count("skipped"),
        sha256=log.text("sha256"),
        newest=log.time("newest"),
        continues=log.flag(_MORE),
    )


def _item(data: object, where: str, name: str) -> Item:
    found = _Fields(data, where, _ITEM)
    home = _KINDS.get(name)
    kind = Kind(found.one_of("kind", _KIND_NAMES, home.value if home else None))
    if home and kind is not home:
        raise found.wrong("kind", f"is {kind.value!r}, but the item stands among the {name}")
    text = found.text("text", None)
    return Item(
        id=found.text("id") if found.has("id") else item_id(kind, text),
        kind=kind,
        text=text,
        at=found.time("at"),
        first_at=found.time("first_at"),
        role=Role(found.one_of("role", _ROLE_NAMES, Role.UNKNOWN.value)),
        confidence=found.share("confidence", 0.5),
        rule=found.text("rule"),
        tags=found.texts("tags"),
        sources=tuple([_source(one, where, n) for n, one in enumerate(found.rows("sources"))]),
        supersedes=found.texts("supersedes"),
        by=found.text("by") if found.has("by") else None,
        status=Status.LIVE if home else Status(name),
    )


def _source(data: object, where: str, number: int) -> Source:
    if type(data) is dict and len(data) == len(_SOURCE):  # as distill writes it: most of a state is of this form
        path, record, quote = data.get("path"), data.get("record"), data.get("quote")
        if type(path) is str and type(record) is int and type(quote) is str and record >= 0:
            return Source(path=path, record=record, quote=quote)
    found = _Fields(data, f"{where}: sources[{number}]", _SOURCE)
    return Source(path=found.text("path"), record=found.count("record"), quote=found.text("quote"))


class _Fields:
    """A mapping whose values are looked at one by one, with errors that name the field."""

    def __init__(self, data: object, where: str, known: Collection[str]) -> None:
        self.where = where
        if not isinstance(data, dict):
            raise DistillError(f"{where}: must be a mapping of {', '.join(known)}")
        for key in data:
            if key not in known:
                raise DistillError(f"{where}: unknown field {key!r}; known: {', '.join(known)}")
        self._data = data

    def wrong(self, key: str, what: str) -> DistillError:
        return DistillError(f"{self.where}: {key}: {what}")

    def has(self, key: str) -> bool:
        return self._data.get(key) is not None

    def _get(self, key: str, kind: type[T] | tuple[type[T], ...], default: T | None, what: str) -> T:
        value = self._data.get(key, default)
        if value is None and default is None:
            raise self.wrong(key, f"is missing; {what}")
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise self.wrong(key, what)
        return value

    def text(self, key: str, default: str | None = "") -> str:
        return self._get(key, str, default, "must be a text (put it in quotes)")

    def flag(self, key: str) -> bool:
        return self._get(key, bool, False, "must be true or false")

    def count(self, key: str) -> int:
        value = self._get(key, int, None if key == "schema" else 0, "must be a whole number")
        if value < 0:
            raise self.wrong(key, "must not be negative")
        return value

    def share(self, key: str, default: float) -> float:
        value = self._get(key, (int, float), default, "must be a number from 0 to 1")
        if not 0 <= value <= 1:
            raise self.wrong(key, "must be a number from 0 to 1")
        return value

    def time(self, key: str) -> str | None:
        value = self._data.get(key)
        if value is None:
            return None
        found = rfc3339(value) if isinstance(value, str) else None
        if found is None:
            raise self.wrong(key, 'must be a time like "2026-03-02T09:01:00Z", or null')
        return found

    def rows(self, key: str) -> list[Any]:
        return self._get(key, list, [], "must be a list")

    def texts(self, key: str) -> tuple[str, ...]:
        rows = self.rows(key)
        if not all(isinstance(one, str) for one in rows):
            raise self.wrong(key, "must be a list of texts")
        return tuple(rows)

    def one_of(self, key: str, known: Collection[str], default: str | None) -> str:
        value = self.text(key, default)
        if value not in known:
            raise self.wrong(key, f"must be one of {', '.join(known)}")
        return value

    def fields(self, key: str, known: Collection[str]) -> _Fields:
        return _Fields(self._data.get(key, {}), f"{self.where}: {key}", known)
