"""Made-up states: what a few tasks of one project might have left, edited by hand here and there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hypothesis import strategies as st

from distill.model import Item, Kind, Role, Source, SourceLog, State, Status, TaskName, item_id
from distill.rank.order import ranked
from distill.render.markdown import parse, render

Said = tuple[Kind, str, str]  # kind, rule, text
#: Restatements, other values, reversals, files, what is to do and what was done about it.
POOL: tuple[Said, ...] = (
    (Kind.DECISION, "decision/explicit", "Decided: sessions are stored in Redis."),
    (Kind.DECISION, "decision/explicit", "The sessions are stored in Redis, decided."),
    (Kind.DECISION, "decision/explicit", "Change of plan: store sessions in Postgres."),
    (Kind.DECISION, "decision/limit", "Set retries to 3"),
    (Kind.DECISION, "decision/limit", "Set the retries to 3, please"),
    (Kind.DECISION, "decision/limit", "Set retries to 5"),
    (Kind.DECISION, "decision/prohibition", "Never touch the legacy/ folder."),
    (Kind.DECISION, "decision/explicit", "缓存用 Redis"),
    (Kind.DECISION, "decision/explicit", "算了，缓存不用 Redis 了，改用本地缓存"),
    (Kind.DECISION, "decision/limit", "重试次数定在 3 次"),
    (Kind.DECISION, "decision/limit", "重试次数就定在 3 次"),
    (Kind.DECISION, "decision/limit", "重试次数定在 8 次"),
    (Kind.DECISION, "decision/explicit", "Licence picked: MIT, decided."),
    (Kind.FACT, "fact/signals", "The lint run gives 37 warnings."),
    (Kind.FACT, "fact/signals", "The lint run gives 15 warnings."),
    (Kind.FACT, "fact/signals", "Sessions are stored in Redis"),
    (Kind.ARTIFACT, "artifact/file", "src/boats.py (created)"),
    (Kind.ARTIFACT, "artifact/file", "src/boats.py: the table of boats"),
    (Kind.ARTIFACT, "artifact/file", "src/码头.py (changed)"),
    (Kind.ARTIFACT, "artifact/commit", "Commit 1a2b3c4: Add pagination tests"),
    (Kind.OPEN, "open/todo", "TODO: add pagination tests"),
    (Kind.OPEN, "open/todo", "Still to do: the pagination tests"),
    (Kind.OPEN, "open/todo", "Open: pick a licence."),
    (Kind.OPEN, "open/todo", "待办：补充分页参数校验"),
)


def _time(minute: int) -> str:
    return f"2026-03-{1 + minute // 60:02}T09:{minute % 60:02}:00Z"


@st.composite
def _items(draw: st.DrawFn, path: str, timed: bool, start: int) -> list[Item]:
    """The items of one log: each said at its own record, some of them gone again."""
    found: list[Item] = []
    for record, (kind, rule, text) in enumerate(draw(st.lists(st.sampled_from(POOL), max_size=6, unique=True)), 1):
        minute = start + draw(st.integers(0, 90))
        at = _time(minute) if timed else None
        gone = draw(st.sampled_from([Status.LIVE] * 6 + [Status.SUPERSEDED]))
        if gone is not Status.LIVE and kind is Kind.OPEN:
            gone = Status.RESOLVED
        found.append(Item(
            id=item_id(kind, text), kind=kind, text=text, rule=rule, at=at, first_at=at, status=gone,
            role=draw(st.sampled_from([Role.USER, Role.ASSISTANT])), confidence=draw(st.sampled_from([0.6, 0.9])),
            tags=draw(st.sampled_from([(), ("constraint",), ("accepted",)])),
            sources=(Source(path=path, record=record, quote=text),),
        ))
    if len(found) > 1 and draw(st.booleans()):  # one took the place of an earlier one
        old, new = found[0], found[1]
        if old.kind is new.kind and not (old.at and new.at and old.at > new.at):
            found[0] = replace(old, status=Status.SUPERSEDED, by=new.id)
            found[1] = replace(new, supersedes=(old.id,), status=Status.LIVE)
    return found


@st.composite
def _edited(draw: st.DrawFn, state: State) -> State:
    """A state after somebody has worked on its file."""
    lines = render(state, "en").split("\n")
    bullets = [n for n, line in enumerate(lines) if line.startswith("- ")]
    end = next((n for n, line in enumerate(lines) if line in ("## History", "<!-- distill:ledger")), len(lines))
    bullets = [n for n in bullets if n < end]
    if not bullets:
        return state
    n = draw(st.sampled_from(bullets))
    how = draw(st.sampled_from(["tick", "remove", "pin", "add", "change"]))
    if how == "tick":
        lines[n] = f"- [x] {lines[n][2:]}"
    elif how == "remove":
        del lines[n]
    elif how == "pin":
        lines[n] = f"- [pin] {lines[n][2:]}"
    else:
        words = f"- {draw(st.sampled_from(['By hand: paint the boat red.', '手工：船漆成红色', 'Mind the ropes.']))}"
        if how == "add":
            lines.insert(n, words)
        else:
            lines[n] = words
    return parse("\n".join(lines), "state.md")


@st.composite
def states(draw: st.DrawFn, count: int) -> Sequence[State]:
    """`count` states of different tasks, mostly older first."""
    timed = draw(st.sampled_from([True, True, False]))
    found = []
    for number in range(count):
        path = f"{'abcdef'[number]}.jsonl"
        items = draw(_items(path, timed, number * draw(st.sampled_from([0, 60, 60]))))
        live = ranked(tuple(one for one in items if one.status is Status.LIVE))
        gone = [one for one in items if one.status is not Status.LIVE]
        times = sorted(one.at for one in items if one.at)
        state = State(
            task=TaskName(id=f"t{number}", title=draw(st.sampled_from(["", "Boats", "船"]))),
            project=draw(st.sampled_from(["", "/w/boats"])), written_at=f"2026-03-0{2 + number}T00:00:00Z",
            covers=(times[0], times[-1]) if times else (None, None),
            sources=(SourceLog(path=path, format="claude-code", records=10, skipped=0, sha256=path * 8),),
            items=(*live, *gone),
        )
        found.append(draw(_edited(state)) if draw(st.integers(0, 2)) == 0 else state)
    return found
