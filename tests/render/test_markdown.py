"""The Markdown file as people see it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from distill.model import Item, Kind, Role, Source, SourceLog, State, Status, TaskName, TokenCounts, item_id
from distill.render import markdown
from distill.render.markdown import heading, item_line, omitted_line, section_lines, sections_text


def item(kind: Kind, text: str, at: str | None = "2026-03-02T09:01:00Z", **more: object) -> Item:
    made = Item(id=item_id(kind, text), kind=kind, text=text, at=at, first_at=at, role=Role.USER, confidence=0.9)
    return replace(made, **more)  # type: ignore[arg-type]


NEW = item(Kind.DECISION, "Use Valkey 8 for sessions")
OLD = item(Kind.DECISION, "Use Redis", "2026-02-01T10:00:00Z", status=Status.SUPERSEDED, by=NEW.id)
STATE = State(
    task=TaskName(id="t1", title="Sessions"),
    project="/srv/shop",
    written_at="2026-03-05T00:00:00Z",
    covers=("2026-03-02T09:00:00Z", "2026-03-02T10:00:00Z"),
    sources=(SourceLog(path="run.jsonl", format="claude-code", records=12, skipped=0, sha256="ab", newest=None),),
    tokens=TokenCounts(source=970, state=41, encoding="o200k_base", exact=True),
    items=(
        NEW,
        item(Kind.DECISION, "Cache pages for 30 s", tags=("proposal",)),
        item(Kind.FACT, "The log lies in C:\\logs", None, sources=(Source(path="run.jsonl", record=3, quote="quote"),)),
        item(Kind.OPEN, "Test the login", None, tags=("pinned",)),
        OLD,
        item(Kind.OPEN, "Write the guide", None, status=Status.RESOLVED),
    ),
    omitted=(0, 3, 1, 0),
)
ENGLISH = """\
---
distill: state
schema: 1
task: {"id": "t1", "title": "Sessions"}
project: "/srv/shop"
written_at: "2026-03-05T00:00:00Z"
covers: ["2026-03-02T09:00:00Z", "2026-03-02T10:00:00Z"]
sources:
  - {"path": "run.jsonl", "format": "claude-code", "records": 12, "skipped": 0, "sha256": "ab", "newest": null}
tokens: {"source": 970, "state": 41, "encoding": "o200k_base", "exact": true}
omitted: {"decisions": 0, "facts": 3, "artifacts": 1, "open": 0}
---

## Decisions (2026-03-02)
- Use Valkey 8 for sessions
- Cache pages for 30 s [proposed]

## Facts
- The log lies in C:\\logs

## Open
- Test the login [pin]

_Left out: 3 facts, 1 artifacts_

## History
- ~~Use Redis~~ (2026-02-01) → replaced by “Use Valkey 8 for sessions”
- ~~Write the guide~~ → done

<!-- distill:ledger
"""
CHINESE = """\
## 决策 (2026-03-02)
- Use Valkey 8 for sessions
- Cache pages for 30 s [提议]

## 事实
- The log lies in C:\\logs

## 待办
- Test the login [pin]

_未列出：事实 3 条、产物 1 条_

## 历史
- ~~Use Redis~~ (2026-02-01) → 已改为「Use Valkey 8 for sessions」
- ~~Write the guide~~ → 已完成
"""


def test_the_file_in_english() -> None:
    text = markdown.render(STATE, "en")
    assert text.startswith(ENGLISH)
    assert text.endswith("}\n-->\n")


def test_the_file_in_chinese() -> None:
    text = markdown.render(STATE, "zh")
    assert CHINESE in text
    assert markdown.parse(text, "s.md") == STATE


def test_no_id_stands_outside_the_ledger() -> None:
    visible = markdown.render(STATE, "en").split("<!--")[0]
    assert not any(one.id in visible for one in STATE.items)


def test_every_line_bears_its_date_where_nothing_was_left_out() -> None:
    whole = markdown.sections_text(replace(STATE, omitted=(0, 0, 0, 0)), "en")
    assert whole.startswith(
        "## Decisions\n- Use Valkey 8 for sessions (2026-03-02)\n- Cache pages for 30 s (2026-03-02)"
    )


FILES = replace(
    STATE,
    items=(
        item(Kind.ARTIFACT, "src/gate.py (created)"),
        item(Kind.ARTIFACT, "src/bell.py (changed)"),
        item(Kind.ARTIFACT, "src/lamp.py: the lamps of the quay"),
        item(Kind.ARTIFACT, "src/buoy.py (changed)"),
        item(Kind.ARTIFACT, "src/buoy.py"),
        item(Kind.OPEN, "Move the gate (changed)"),
    ),
)


def test_under_a_budget_files_stand_without_their_mark_and_come_back_with_it() -> None:
    text = markdown.render(FILES, "en")
    shown = [line[2:] for line in text.split("<!--")[0].split("\n") if line.startswith("- ")]
    assert shown == [
        "src/gate.py", "src/bell.py", "src/lamp.py: the lamps of the quay",
        "src/buoy.py (changed)", "src/buoy.py",  # two that would be one
        "Move the gate (changed) (2026-03-02)",
    ]
    assert markdown.parse(text, "s.md") == FILES
    whole = markdown.render(replace(FILES, omitted=(0, 0, 0, 0)), "en")
    assert "- src/gate.py (created) (2026-03-02)" in whole


def test_an_edit_of_a_file_line_without_its_mark_counts() -> None:
    text = markdown.render(FILES, "en").replace("\n- src/gate.py\n", "\n- src/lock.py\n")
    text = text.replace("\n- src/bell.py\n", "\n")
    edited = markdown.parse(text, "s.md")
    texts = [one.text for one in edited.live(Kind.ARTIFACT)]
    assert "src/lock.py" in texts
    assert not any("gate" in one or "bell" in one for one in texts)


def test_the_ledger_of_what_stayed_is_taken_over() -> None:
    text = markdown.render(STATE, "en")
    known = markdown.ledger_lines(text, STATE)
    assert list(known) == [id(one) for one in STATE.items]
    changed = replace(STATE, items=(replace(NEW, confidence=0.5), *STATE.items[1:]))
    assert markdown.render(changed, "zh", known) == markdown.render(changed, "zh")
    known[id(OLD)] = "{}"  # it is taken as it stands
    assert "\n{}\n" in markdown.render(changed, "en", known)
    assert markdown.ledger_lines(text, changed) != {}
    assert markdown.ledger_lines(text, replace(STATE, items=STATE.items[1:])) == {}


def test_what_a_budget_counts() -> None:
    assert heading(Kind.OPEN, "en") == "## Open"
    assert heading(Kind.OPEN, "zh") == "## 待办"
    assert item_line(NEW) == "- Use Valkey 8 for sessions (2026-03-02)"
    assert omitted_line((0, 3, 0, 2), "zh") == "_未列出：事实 3 条、待办 2 条_"
    assert omitted_line((0, 0, 0, 0), "en") == ""
    assert section_lines(STATE, "en")[1] == (Kind.FACT, ["## Facts", "- The log lies in C:\\logs"])
    assert sections_text(STATE, "en").endswith("\n\n_Left out: 3 facts, 1 artifacts_")
    assert f"\n{sections_text(STATE, 'en')}\n" in markdown.render(STATE, "en")
    assert "History" not in sections_text(STATE, "en")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("# Title", "- \\# Title"),
        ("#5 is fixed", "- #5 is fixed"),
        ("- [x] done", "- \\- [x] done"),
        ("[x] done", "- \\[x] done"),
        ("[pin] keep", "- \\[pin] keep"),
        ("keep [pin]", "- keep \\[pin]"),
        ("keep \\[pin]", "- keep \\\\[pin]"),
        ("keep[pin]", "- keep[pin]"),
        ("as of (2026-03-02)", "- as of \\(2026-03-02)"),
        ("as of (2026-13-40)", "- as of (2026-13-40)"),
        ("---", "- \\---"),
        ("--flag is on", "- --flag is on"),
        ("**bold** word", "- **bold** word"),
        ("`code`", "- `code`"),
        ("```", "- \\```"),
        ("1. first", "- 1\\. first"),
        ("3.5 is out", "- 3.5 is out"),
        ("> quoted", "- \\> quoted"),
        ("<!-- a -->", "- \\<!-- a -->"),
        ("a <!-- b", "- a \\<!-- b"),
        ("<script>", "- \\<script>"),
        ("<30 s", "- <30 s"),
        ("C:\\new\\[a]", "- C:\\new\\[a]"),
        ("a\n## Facts\n- b", "- a ## Facts - b"),
        ("a\u2028b\u0085c", "- a b c"),
    ],
)
def test_only_what_would_be_structure_is_escaped(text: str, line: str) -> None:
    assert item_line(item(Kind.FACT, text, None)) == line


def test_why_something_is_history() -> None:
    def line(one: Item) -> str:
        text = markdown.render(State(items=(one,)), "en")
        return next(row for row in text.split("\n") if row.startswith("- "))

    gone = replace(OLD, at=None, by=None)
    assert line(gone) == "- ~~Use Redis~~ → no longer holds"
    assert line(replace(gone, by="d-unknown")) == "- ~~Use Redis~~ → no longer holds"
    assert line(replace(gone, tags=("removed",))) == "- ~~Use Redis~~ → removed by hand"
    assert line(replace(gone, status=Status.RESOLVED, tags=("hand",))) == "- ~~Use Redis~~ → ticked off by hand"


def test_a_long_successor_is_cut_in_the_history() -> None:
    new = item(Kind.DECISION, "x" * 200)
    text = markdown.render(State(items=(new, replace(OLD, by=new.id))), "en")
    assert f"→ replaced by “{'x' * 59}…”\n" in text
