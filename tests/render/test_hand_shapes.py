"""The shapes that a state takes when people and their programs write in it, and how damage is told."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from distill.model import DistillError, Item, Kind, Role, Source, SourceLog, State, Status, item_id
from distill.render import markdown
from distill.render.outputs import parse_state

AT = "2026-03-02T09:01:00Z"


def item(kind: Kind, text: str, *tags: str, status: Status = Status.LIVE, by: str | None = None) -> Item:
    return Item(id=item_id(kind, text), kind=kind, text=text, at=AT, first_at=AT, role=Role.USER, confidence=0.8,
                rule="decision/explicit", tags=tags, sources=(Source(path="run.jsonl", record=4, quote=text),),
                status=status, by=by)


EN = State(
    sources=(SourceLog(path="a.jsonl", format="text", records=3, skipped=0, sha256="ab"),
             SourceLog(path="b.jsonl", format="text", records=3, skipped=0, sha256="cd")),
    items=(item(Kind.DECISION, "Use Redis"), item(Kind.DECISION, "Listen on port 8080", "pinned"),
           item(Kind.FACT, "The build takes 9 minutes", "proposal"), item(Kind.OPEN, "Test on Windows"),
           item(Kind.DECISION, "Use MySQL", status=Status.SUPERSEDED)),
)
ZH = State(items=(item(Kind.DECISION, "会话存到 Redis"), item(Kind.DECISION, "只监听 8080 端口", "pinned"),
                  item(Kind.FACT, "构建要 9 分钟"), item(Kind.OPEN, "在 Windows 上测试"),
                  item(Kind.DECISION, "用 MySQL", status=Status.SUPERSEDED)))
BOTH = pytest.mark.parametrize(("state", "lang"), [(EN, "en"), (ZH, "zh")], ids=["en", "zh"])


def split(state: State, lang: str) -> tuple[str, str, str]:
    """Front matter, what people see, and the ledger."""
    text = markdown.render(state, lang)
    front, body = text.split("\n\n", 1)
    seen, mark, ledger = body.partition("<!-- distill:ledger")
    return front, seen, mark + ledger


def edited(state: State, lang: str, *changes: tuple[str, str]) -> State:
    """The state after changes of what people see, each a regular expression and what comes in its place."""
    front, seen, ledger = split(state, lang)
    for old, new in changes:
        seen, count = re.subn(old, new, seen, flags=re.MULTILINE)
        assert count
    found = parse_state(f"{front}\n\n{seen}{ledger}", "s.md")
    assert parse_state(markdown.render(found, lang), "s.md") == found  # and it stays so
    return found


@pytest.mark.parametrize("added", ["  more", "  - more", "\tmore: 1", " more: 1"])
def test_a_front_matter_with_a_shifted_line_is_refused_with_a_line(added: str) -> None:
    front, seen, ledger = split(EN, "en")
    lines = front.split("\n")
    for place in range(len(lines) + 1):
        text = "\n".join([*lines[:place], added, *lines[place:]])
        with pytest.raises(DistillError, match=r"^s\.md:\d+"):
            parse_state(f"{text}\n\n{seen}{ledger}", "s.md")


# -- what changes nothing ---------------------------------------------------------------------------------------------


@BOTH
@pytest.mark.parametrize("bullet", ["*", "+", "•", "1.", "7)", "  -", "\t*", "   + "])
def test_other_bullets(state: State, lang: str, bullet: str) -> None:
    assert edited(state, lang, (r"^- ", f"{bullet} ")) == state


@BOTH
def test_numbered_lists(state: State, lang: str) -> None:
    front, seen, ledger = split(state, lang)
    for form in ("{}. ", "{}) ", "{}、", "    {}. "):
        rows = enumerate(seen.split("\n"))
        lines = [form.format(n) + line[2:] if line.startswith("- ") else line for n, line in rows]
        assert parse_state(f"{front}\n\n" + "\n".join(lines) + ledger, "s.md") == state


@BOTH
@pytest.mark.parametrize(("old", "new"), [
    (r"$", "  "),  # trailing blanks
    (r"\n", "\r\n"),
    (r"^(#.*)$", "\\1\n"),
    (r"^## (.*)$", "# \\1 #"),
    (r"^## (.*)$", "### **\\1**:"),
    (r"^- ", "-   "),
    (r"^- ", "- [ ] "),
    (r"\n\n", "\n\n\n"),
])
def test_what_editors_and_formatters_do(state: State, lang: str, old: str, new: str) -> None:
    front, seen, ledger = split(state, lang)
    if "[ ]" in new:  # a box does not stand in the history
        seen, mark, past = seen.partition("## History" if lang == "en" else "## 历史")
        ledger = mark + past + ledger
    assert parse_state(f"{front}\n\n{re.sub(old, new, seen, flags=re.MULTILINE)}{ledger}", "s.md") == state


@BOTH
def test_a_byte_order_mark_and_the_line_ends_of_windows(state: State, lang: str) -> None:
    assert parse_state("\ufeff" + markdown.render(state, lang).replace("\n", "\r\n"), "s.md") == state


def test_numbers_at_the_beginning_of_a_wrapped_line_are_no_bullets() -> None:
    state = State(items=(item(Kind.FACT, "The limit was raised to 30. Nobody has noticed"),))
    front, seen, ledger = split(state, "en")
    wrapped = seen.replace("raised to 30. ", "raised to\n  30. ")
    assert parse_state(f"{front}\n\n{wrapped}{ledger}", "s.md") == state


# -- headings ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("old", "new"), [
    ("## Decisions", "## Decisions we have made"), ("## Open", "## Still open:"), ("## Facts", "# Known facts 📌"),
    ("## History", "## History (short)"), ("## Facts", "## 已确认事实"), ("## Open", "## 【待办】事项"),
])
def test_a_reworded_heading_that_still_has_its_name(old: str, new: str) -> None:
    assert edited(EN, "en", (f"^{old}$", new)) == EN


@pytest.mark.parametrize("new", ["## Choices", "## Open decisions", "## 其他", "## Reopened", "##"])
def test_a_heading_that_could_be_anything_is_an_error(new: str) -> None:
    with pytest.raises(DistillError, match=r"^s\.md:\d+: this heading is none of ours: write items as"):
        edited(EN, "en", ("^## Open$", new))


@BOTH
def test_under_a_deleted_heading_items_belong_to_the_section_before(state: State, lang: str) -> None:
    front, seen, ledger = split(state, lang)
    gone = "## Facts\n" if lang == "en" else "## 事实\n"
    found = parse_state(f"{front}\n\n{seen.replace(gone, '')}{ledger}", "s.md")
    texts = [one.text for one in state.items]
    assert [one.text for one in found.live(Kind.DECISION)] == texts[:3]
    assert found.live(Kind.FACT) == ()
    assert found.live(Kind.DECISION)[2].sources == state.items[2].sources


# -- what a hand did lasts --------------------------------------------------------------------------------------------


@BOTH
@pytest.mark.parametrize("edit", ["removed", "ticked", "changed"])
def test_what_a_hand_did_outlives_its_line_in_the_history(state: State, lang: str, edit: str) -> None:
    text = state.items[0].text
    line = rf"^- {re.escape(text)}( \(.*)$"
    new = {"removed": "", "ticked": rf"- [x] {text}\1", "changed": rf"- {text} 7\1"}[edit]
    once = edited(state, lang, (line, new))
    (gone,) = [one for one in once.items if one.text == text]
    assert gone.status is not Status.LIVE
    again = edited(once, lang, (rf"^- ~~{re.escape(text)}~~.*\n", ""))
    assert gone in again.items
    assert again == edited(again, lang, (r"\A", ""))


@BOTH
def test_the_whole_history_cut_off(state: State, lang: str) -> None:
    once = edited(state, lang, (rf"^- {re.escape(state.items[0].text)} \(.*\n", ""))
    front, seen, ledger = split(once, lang)
    seen = re.split(r"^## (?:History|历史)$", seen, flags=re.MULTILINE)[0]
    found = parse_state(f"{front}\n\n{seen}{ledger}", "s.md")
    assert [one.text for one in found.items if one.status is not Status.LIVE] == [state.items[0].text]


# -- damage -----------------------------------------------------------------------------------------------------------


def fault(text: str) -> tuple[int, str]:
    """The line and the words of the one-line error that a text ends in."""
    with pytest.raises(DistillError) as caught:
        parse_state(text, "s.md")
    found = re.fullmatch(r"s\.md:(\d+)(?::\d+)?: (.+)", str(caught.value))
    assert found, caught.value
    assert caught.value.code == 2
    return int(found[1]), found[2]


@BOTH
@pytest.mark.parametrize("place", ["front", "seen", "ledger"])
def test_an_unsettled_merge(state: State, lang: str, place: str) -> None:
    lines = markdown.render(state, lang).split("\n")
    starts = {"front": "project", "seen": "- ", "ledger": '{"id"'}
    at = next(n for n, line in enumerate(lines) if line.startswith(starts[place]))
    lines[at : at + 1] = ["<<<<<<< HEAD", lines[at], "=======", lines[at], ">>>>>>> feature/limiter"]
    assert fault("\n".join(lines)) == (
        at + 1, "an unsettled merge: keep the lines of either side, without the marks")
    del lines[at]
    assert fault("\n".join(lines))[0] == at + 2


def test_both_sides_of_a_merge_kept() -> None:
    front, seen, ledger = split(EN, "en")
    seen = re.sub(r"^(- Use Redis.*\n)", r"\1\1", seen, flags=re.MULTILINE)
    ledger = re.sub(r'^(\{"id":"[^"]*","kind":"decision","at".*\n)', r"\1\1", ledger, count=1, flags=re.MULTILINE)
    found = parse_state(f"{front}\n\n{seen}{ledger}", "s.md")
    assert {one.text for one in found.items} == {one.text for one in EN.items}
    assert all(one.status is Status.SUPERSEDED or "removed" not in one.tags for one in found.items)


FRONT = markdown.render(EN, "en").split("\n\n")[0].split("\n")


@pytest.mark.parametrize(("old", "new", "line", "word"), [
    ("---\ndistill", "distill", 1, "must begin here"),
    ("---\ndistill", "\n---\ndistill", 1, "must begin here"),
    ("distill: state\n", "", 2, 'lacks "distill: state"'),
    ("distill: state", "distill: card", 2, 'lacks "distill: state"'),
    ("\n---\n\n", "\n\n", len(FRONT), "must end here or before"),
    ("\n---\n\n## D", "\n## D", len(FRONT), "must end here or before"),
    ("schema: 1", "schema: one", 3, "schema: must be a whole number"),
    ("schema: 1\n", "", 1, "schema: is missing"),
    ('project: ""', "project: 5", 5, "project: must be a text"),
    ('project: ""', "projects: x", 5, "unknown field 'projects'"),
    ('project: ""', 'facts: ["x"]', 5, "items stand under their headings"),
    ('"records": 3, "skipped": 0, "sha256": "cd"', '"records": -3', 10, r"sources[1]: records: must not be negative"),
    ("omitted:", "omitted: x\n#", len(FRONT) - 1, "omitted: must be a mapping"),
    ('"encoding": "estimate"', '"encoding": 1', len(FRONT) - 2, "tokens: encoding: must be a text"),
    ("covers: [null, null]", 'covers: ["yesterday", null]', 7, "covers: must be a time"),
])
def test_broken_front_matter_is_told_with_its_line(old: str, new: str, line: int, word: str) -> None:
    text = markdown.render(EN, "en")
    assert text.count(old) == 1
    found = fault(text.replace(old, new))
    assert found[0] == line
    assert word in found[1]


LINES = markdown.render(EN, "en").split("\n")
ODD = ["", "- ", "-", "text", "## Open", "## 待办", "## x", "---", "<!--", "-->", "<!-- distill:ledger", "- [x] [pin]",
       "{", '{"id": 1}', "- ~~Use Redis~~", "=======", "schema: 2", "  continued", "1. one",
       "- 新的一条 (2026-01-01) [pin]", "  2. two", "schema: 7"]


@settings(deadline=None, max_examples=300)
@given(st.lists(st.tuples(st.sampled_from(["drop", "add", "twice", "swap", "cut"]), st.integers(0, len(LINES) - 1),
                          st.sampled_from(ODD)), min_size=1, max_size=4))
def test_any_edit_of_lines_is_read_or_refused_with_a_line(edits: list[tuple[str, int, str]]) -> None:
    lines = list(LINES)
    for what, place, odd in edits:
        at = min(place, len(lines) - 1)
        if what == "drop":
            lines[at : at + 1] = []
        elif what == "add":
            lines.insert(at, odd)
        elif what == "twice":
            lines.insert(at, lines[at])
        elif what == "swap":
            lines[at], lines[-1 - at] = lines[-1 - at], lines[at]
        else:
            lines[at] = lines[at][: len(odd)]
    try:
        found = parse_state("\n".join(lines), "s.md")
    except DistillError as error:
        told = str(error)
        assert "\n" not in told
        nothing = "not a state" in told and "<!-- distill:ledger" not in lines
        assert re.match(r"s\.md:\d+", told) or "newer distill" in told or nothing
    else:
        assert parse_state(markdown.render(found, "zh"), "s.md") == found
