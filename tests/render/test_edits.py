"""The Markdown file edited by hand."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from distill.model import DistillError, Item, Kind, Role, Source, State, Status, item_id
from distill.render import markdown
from distill.render.outputs import parse_state

AT = "2026-03-02T09:01:00Z"
FIRST = "2026-02-01T08:00:00Z"


def item(kind: Kind, text: str, *tags: str, status: Status = Status.LIVE) -> Item:
    return Item(
        id=item_id(kind, text),
        kind=kind,
        text=text,
        at=AT,
        first_at=FIRST,
        role=Role.ASSISTANT,
        confidence=0.8,
        rule="decision/explicit",
        tags=tags,
        sources=(Source(path="run.jsonl", record=4, quote=f"so: {text}"),),
        status=status,
    )


REDIS = item(Kind.DECISION, "Use Redis")
PORT = item(Kind.DECISION, "Listen on port 8080", "pinned")
SLOW = item(Kind.FACT, "The build takes 9 minutes", "proposal")
TEST = item(Kind.OPEN, "Test on Windows")
GONE = item(Kind.DECISION, "Use MySQL", status=Status.SUPERSEDED)
SCRAPS = [
    "\n",
    "\n- ",
    "- [x] ",
    "---",
    "\n## Open\n",
    " [pin]",
    " (2026-01-01)",
    "<!--",
    "-->",
    "~~",
    "\\",
    '"',
    "}",
    "  ",
]
STATE = State(items=(REDIS, PORT, SLOW, TEST, GONE))
LINES = {
    "redis": "- Use Redis (2026-03-02)\n",
    "port": "- Listen on port 8080 (2026-03-02) [pin]\n",
    "slow": "- The build takes 9 minutes (2026-03-02) [proposed]\n",
    "test": "- Test on Windows (2026-03-02)\n",
    "gone": "- ~~Use MySQL~~ (2026-03-02) → no longer holds\n",
}


def edited(*changes: tuple[str, str]) -> State:
    text = markdown.render(STATE, "en")
    for old, new in changes:
        assert text.count(old) == 1
        text = text.replace(old, new)
    found = markdown.parse(text, "s.md")
    assert markdown.parse(markdown.render(found, "zh"), "s.md") == found  # and it stays so
    return found


def hand(kind: Kind, text: str) -> Item:
    return Item(
        id=item_id(kind, text), kind=kind, text=text, at=None, role=Role.USER, confidence=1.0, tags=("hand",)
    )  # fmt: skip


def texts(state: State, kind: Kind) -> list[str]:
    return [one.text for one in state.live(kind)]


def the(state: State, text: str) -> Item:
    (found,) = [one for one in state.items if one.text == text]
    return found


def test_an_added_line_is_a_new_item() -> None:
    found = edited((LINES["redis"], "- No ORM\n" + LINES["redis"]))
    assert texts(found, Kind.DECISION) == ["No ORM", "Use Redis", "Listen on port 8080"]
    assert the(found, "No ORM") == hand(Kind.DECISION, "No ORM")
    assert {REDIS, PORT, SLOW, TEST, GONE} <= set(found.items)


def test_an_added_line_may_say_its_date_and_be_pinned() -> None:
    found = the(edited((LINES["test"], LINES["test"] + "* [pin] Ask Kim (2026-04-01)\n")), "Ask Kim")
    assert (found.kind, found.at, found.first_at) == (Kind.OPEN, "2026-04-01T00:00:00Z", "2026-04-01T00:00:00Z")
    assert found.tags == ("hand", "pinned")


def test_an_added_section_in_either_language() -> None:
    found = edited(("## Open\n", "## 产物\n- report.pdf\n\n# open #\n"))
    assert the(found, "report.pdf") == hand(Kind.ARTIFACT, "report.pdf")
    assert the(found, "Test on Windows") == TEST


def test_a_changed_line_wins_and_keeps_where_it_came_from() -> None:
    found = edited(("Use Redis (2026-03-02)", "Use Redis 7, never Memcached (2026-03-02)"))
    new = the(found, "Use Redis 7, never Memcached")
    assert texts(found, Kind.DECISION) == ["Use Redis 7, never Memcached", "Listen on port 8080"]
    assert new.id == item_id(Kind.DECISION, new.text)
    assert (new.at, new.first_at, new.sources, new.rule) == (AT, FIRST, REDIS.sources, REDIS.rule)
    assert (new.role, new.confidence, new.tags, new.supersedes) == (Role.USER, 1.0, ("hand",), (REDIS.id,))
    old = the(found, "Use Redis")
    assert (old.status, old.by, "removed" in old.tags) == (Status.SUPERSEDED, new.id, False)


def test_another_spelling_is_the_same_item() -> None:
    found = edited(("Use Redis (2026-03-02)", "use  redis. (2026-03-02)"))
    assert (found.items[0].id, found.items[0].text) == (REDIS.id, "use  redis.")
    assert (found.items[0].tags, found.items[0].sources) == (("hand",), REDIS.sources)
    assert len(found.items) == len(STATE.items)


def test_a_line_changed_and_one_added_after_it() -> None:
    found = edited((LINES["port"], "- Listen on port 9090 (2026-03-02)\n- Behind a proxy\n"))
    assert the(found, "Listen on port 9090").sources == PORT.sources
    assert the(found, "Listen on port 9090").tags == ("hand",)  # no longer pinned
    assert the(found, "Behind a proxy") == hand(Kind.DECISION, "Behind a proxy")


def test_a_removed_line_stays_removed() -> None:
    found = edited((LINES["redis"], ""))
    assert texts(found, Kind.DECISION) == ["Listen on port 8080"]
    old = the(found, "Use Redis")
    assert (old.id, old.status, old.by, old.tags) == (REDIS.id, Status.SUPERSEDED, None, ("removed",))


def test_an_emptied_bullet_is_a_removed_line() -> None:
    assert the(edited((LINES["redis"], "-\n")), "Use Redis").tags == ("removed",)


def test_a_removed_and_an_added_line_elsewhere_are_not_one_changed_line() -> None:
    found = edited((LINES["redis"], ""), (LINES["port"], LINES["port"] + "- No ORM\n"))
    assert the(found, "Use Redis").tags == ("removed",)
    assert the(found, "No ORM") == hand(Kind.DECISION, "No ORM")


def test_a_whole_section_removed() -> None:
    found = edited(("## Open\n" + LINES["test"], ""))
    assert the(found, "Test on Windows").tags == ("removed",)


def test_what_was_removed_stays_though_its_history_line_goes_too() -> None:
    once = edited((LINES["redis"], ""))
    text = markdown.render(once, "en").replace("- ~~Use Redis~~ (2026-03-02) → removed by hand\n", "")
    assert markdown.parse(text, "s.md") == once


def test_a_line_taken_out_of_the_history_is_forgotten() -> None:
    assert edited((LINES["gone"], "")).items == (REDIS, PORT, SLOW, TEST)
    assert edited(("## History\n" + LINES["gone"], "")).items == (REDIS, PORT, SLOW, TEST)


@pytest.mark.parametrize("box", ["[x]", "[X]"])
def test_a_ticked_line_is_closed(box: str) -> None:
    found = the(edited((LINES["test"], f"- {box} Test on Windows (2026-03-02)\n")), "Test on Windows")
    assert (found.status, found.id, found.tags, found.sources) == (Status.RESOLVED, TEST.id, ("hand",), TEST.sources)


def test_an_empty_box_changes_nothing() -> None:
    assert edited((LINES["test"], "- [ ] Test on Windows (2026-03-02)\n")) == STATE


def test_pins_and_marks_come_and_go() -> None:
    found = edited(
        (LINES["redis"], "- Use Redis [pin] (2026-03-02)\n"),
        (LINES["port"], "- Listen on port 8080 (2026-03-02)\n"),
        (LINES["slow"], "- The build takes 9 minutes (2026-03-02)\n"),
        (LINES["test"], "- [pin] Test on Windows (2026-03-02)\n"),
    )
    assert [one.tags for one in found.items[:4]] == [("pinned",), (), (), ("pinned",)]


def test_another_date_wins_and_a_lost_date_does_not() -> None:
    found = edited((LINES["redis"], "- Use Redis (2026-01-15)\n"), (LINES["test"], "- Test on Windows\n"))
    assert (the(found, "Use Redis").at, the(found, "Use Redis").first_at) == ("2026-01-15T00:00:00Z",) * 2
    assert the(found, "Test on Windows") == TEST


def test_a_line_moved_to_another_section_keeps_where_it_came_from() -> None:
    found = edited((LINES["slow"], ""), (LINES["test"], LINES["test"] + LINES["slow"]))
    (new,) = [one for one in found.live(Kind.OPEN) if one.text == SLOW.text]
    assert (new.id, new.sources, new.first_at) == (item_id(Kind.OPEN, SLOW.text), SLOW.sources, FIRST)
    assert (new.tags, new.supersedes) == (("proposal", "hand"), (SLOW.id,))
    (old,) = [one for one in found.items if one.id == SLOW.id]
    assert (old.status, old.by) == (Status.SUPERSEDED, new.id)


@pytest.mark.parametrize("left", [LINES["gone"], ""])
def test_a_line_written_again_comes_back_from_the_history(left: str) -> None:
    found = edited((LINES["gone"], left), (LINES["port"], LINES["port"] + "- Use MySQL (2026-03-02)\n"))
    back = the(found, "Use MySQL")
    assert (back.status, back.sources, back.tags, back.by) == (Status.LIVE, GONE.sources, ("hand",), None)
    assert back.id == GONE.id


def test_the_order_of_the_lines_is_the_order_of_the_items() -> None:
    found = edited((LINES["redis"] + LINES["port"], LINES["port"] + LINES["redis"]))
    assert found.items == (PORT, REDIS, SLOW, TEST, GONE)


def test_a_wrapped_line_is_one_item() -> None:
    found = edited((LINES["slow"], "- The build takes\n  9 minutes\n  (2026-03-02) [proposed]\n"))
    assert found == STATE


def test_nested_bullets_are_items_of_their_own() -> None:
    found = edited((LINES["test"], LINES["test"] + "  - with Python 3.13\n"))
    assert texts(found, Kind.OPEN) == ["Test on Windows", "with Python 3.13"]


def test_escapes_are_not_needed_by_hand() -> None:
    found = edited((LINES["test"], LINES["test"] + "- # of retries is 3\n- `a` -> <b>\n"))
    assert texts(found, Kind.OPEN)[1:] == ["# of retries is 3", "`a` -> <b>"]


def test_without_its_ledger_every_line_is_new() -> None:
    text = markdown.render(State(items=(REDIS, SLOW)), "en").split("<!--")[0]
    found = markdown.parse(text, "s.md")
    assert [(one.text, one.at, one.tags) for one in found.items] == [
        ("Use Redis", "2026-03-02T00:00:00Z", ("hand",)),
        ("The build takes 9 minutes", "2026-03-02T00:00:00Z", ("hand", "proposal")),
    ]


def test_front_matter_may_be_written_as_any_yaml() -> None:
    text = markdown.render(State(items=(REDIS,)), "en")
    text = text.replace('project: ""', "project: /srv/shop  # where it runs").replace(
        'task: {"id": "", "title": ""}', "task:\n  title: Move house"
    )
    found = markdown.parse(text, "s.md")
    assert (found.project, found.task.title, found.items) == ("/srv/shop", "Move house", (REDIS,))


@pytest.mark.parametrize(
    ("old", "new", "spot", "word"),
    [
        ("## Open\n", "## Open\na stray line\n", "a stray line", "neither an item nor a heading"),
        ("## Open\n", "## Notes\n", "## Notes", "heading"),
        ("## Decisions\n", "", "- Use Redis", "under no heading"),
        ("## History\n", "## History\n- Use Perl\n", "- Use Perl", "history"),
        ("~~Use MySQL~~", "~~Use MariaDB~~", "~~Use MariaDB~~", "history"),
        ("\n-->\n", "\n-->\n- late\n", "- late", "under no heading"),
        ('{"id":"' + REDIS.id, '{"id":5,"old":"' + REDIS.id, '"id":5', "unknown field 'old'"),
        ('{"id":"' + REDIS.id, '"id": "' + REDIS.id, "so: Use Redis", "ledger"),
        ('"status":"superseded"', '"status": "lost"', '"lost"', "status"),
        ('"status":"superseded"', '"status": ["lost"]', '["lost"]', "status"),
        ('project: ""', 'project: ""\nproject: "b"', 'project: "b"', "twice"),
    ],
)
def test_what_is_not_understood_is_named(old: str, new: str, spot: str, word: str) -> None:
    text = markdown.render(STATE, "en")
    assert text.count(old) == 1
    text = text.replace(old, new)
    line = text.count("\n", 0, text.index(spot)) + 1
    with pytest.raises(DistillError, match=rf"^s\.md:{line}\b.*{word}") as caught:
        markdown.parse(text, "s.md")
    assert caught.value.code == 2
    assert "\n" not in str(caught.value)


def test_a_confidence_out_of_range_in_the_ledger_is_named() -> None:
    text = markdown.render(State(items=(REDIS,)), "en").replace('"confidence":0.8', '"confidence": 8')
    with pytest.raises(DistillError, match=r"^s\.md:17: confidence: must be a number from 0 to 1"):
        markdown.parse(text, "s.md")


def test_broken_yaml_in_the_front_matter_is_named() -> None:
    text = markdown.render(STATE, "en").replace('project: ""', "project: a: b")
    with pytest.raises(DistillError, match=r"^s\.md:5:\d+: not valid YAML"):
        markdown.parse(text, "s.md")


FILE = markdown.render(State(items=(*STATE.items, hand(Kind.FACT, "a ~~b~~ [pin]")), omitted=(0, 2, 0, 0)), "en")


def read_or_refused(text: str) -> State | str:
    try:
        return parse_state(text, "s.md")
    except DistillError as error:
        return str(error)


@settings(deadline=None, max_examples=150)
@given(
    st.lists(st.tuples(st.integers(0, len(FILE)), st.integers(0, 30), st.sampled_from(SCRAPS) | st.text(max_size=8)))
)
def test_any_edit_is_read_or_refused(cuts: list[tuple[int, int, str]]) -> None:
    text = FILE
    for start, length, new in cuts:
        text = text[:start] + new + text[start + length :]
    found = read_or_refused(text)
    if isinstance(found, str):
        assert found.startswith("s.md")
        assert "\n" not in found
    else:
        assert parse_state(markdown.render(found, "en"), "s.md") == found


@settings(deadline=None, max_examples=100)
@given(st.lists(st.sampled_from(range(FILE.count("\n"))), max_size=6), st.randoms(use_true_random=False))
def test_no_item_is_lost_when_lines_go_or_change_places(gone: list[int], random: Random) -> None:
    front, body = FILE.split("\n\n", 1)
    visible, ledger = body.split("<!--")
    lines = [line for n, line in enumerate(visible.split("\n")) if n not in gone or not line.startswith("- ")]
    at = [n for n, line in enumerate(lines) if line.startswith("- ") and "~~Use" not in line]
    rows = [lines[n] for n in at]
    random.shuffle(rows)
    for n, row in zip(at, rows, strict=True):
        lines[n] = row
    found = markdown.parse(f"{front}\n\n" + "\n".join(lines) + f"<!--{ledger}", "s.md")
    known = {one.text for one in found.items} | {GONE.text}
    assert known == {one.text for one in markdown.parse(FILE, "s.md").items}
    assert len([one for one in found.items if one.status is Status.LIVE]) == len(at)
    assert markdown.parse(markdown.render(found, "zh"), "s.md") == found
