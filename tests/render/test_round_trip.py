"""The law of the state file: what is written is read back the same, whatever the texts are made of."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from distill.model import Item, Kind, Role, Source, SourceLog, State, Status, TaskName, TokenCounts, item_id
from distill.render import json_state, markdown, yaml_state
from distill.render.contract import LISTS, list_of
from distill.render.front import front_end, read_front, write_front
from distill.render.lines import Shown, escape, one_line, read_line, struck, struck_part, unescape, write_line
from distill.render.outputs import all_outputs, parse_state
from distill.render.schema import state_schema
from distill.rulebook.yamldoor import load
from distill.text.times import rfc3339

law = settings(deadline=None, max_examples=40)

HOSTILE = [
    *("#", "# a", "## Decisions", "## 决策", "#5", "- [x] done", "- [ ] todo", "- b", "* c", "+ d", "-", "---", "***"),
    *("[pin]", "[x]", "[ ]", "[proposed]", "[提议]", "[提議]", "[a]: b", "<!--", "-->"),
    *("<!-- distill:ledger", "<div>", "<30 s"),
    *(
        "(2026-03-02)",
        "\\(2026-03-02)",
        "(2026-13-45)",
        "\\",
        "\\\\",
        "\\[pin]",
        "\\#",
        "\\-",
        "`",
        "```",
        "~~~",
        "~~",
        "~",
    ),
    *("1.", "1. a", "2)", "3\\.", "> q", "·", "「", "」", "“", "'", '"', "：", "，", "（2026-03-02）", "！", "_", "__"),
    *(
        "_3 more left out_",
        "_另有 3 条因预算未列出_",
        "distill: state",
        "key: value",
        "{",
        "}",
        "|",
        "%",
        "@",
        "&a",
        "*a",
    ),
    *("→", "null", "true", "2026-03-02T09:00:00Z", "0x1F", "=", "🚀", "é", "e\u0301", "\u00a0", "\u3000", "\u200d"),
    *("d-3f9c2a", "C:\\new\\table", "\\d+", "$x$", "&lt;", "left out", "x" * 500, "长" * 300),
]
pieces = st.one_of(st.sampled_from(HOSTILE), st.text(st.characters(exclude_categories=["C", "Zl", "Zp"]), max_size=12))
texts = st.lists(pieces, min_size=1, max_size=5).flatmap(
    lambda parts: st.sampled_from(["", " ", "  "]).map(lambda glue: one_line(glue.join(parts)))
).filter(bool)  # fmt: skip
wild = st.text(max_size=20)  # line breaks, controls and lone surrogates too
times = st.none() | st.integers(946_684_800, 4_000_000_000).map(rfc3339)
names = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | texts
counts = st.integers(0, 10**12)
tags = st.lists(
    st.sampled_from(["proposal", "pinned", "hand", "removed", "constraint"]) | texts, max_size=4, unique=True
)


@st.composite
def items(draw: st.DrawFn, text: st.SearchStrategy[str] = texts) -> Item:
    kind = draw(st.sampled_from(Kind))
    said = draw(text)
    quote = st.just(said) | names
    source = st.builds(Source, path=names, record=counts, quote=quote)
    at = draw(times)
    return Item(
        id=draw(st.just(item_id(kind, said)) | st.sampled_from(["d-000001", "f-000002", "old"])),
        kind=kind,
        text=said,
        at=at,
        first_at=draw(st.just(at) | times),
        role=draw(st.sampled_from(Role)),
        confidence=draw(st.floats(0, 1)),
        rule=draw(names),
        tags=tuple(draw(tags)),
        sources=tuple(draw(st.lists(source, max_size=2))),
        supersedes=tuple(draw(st.lists(names, max_size=2))),
        by=draw(st.none() | names),
        status=draw(st.sampled_from(Status)),
    )


@st.composite
def states(draw: st.DrawFn, text: st.SearchStrategy[str] = texts) -> State:
    log = st.builds(
        SourceLog, path=names, format=names, records=counts, skipped=counts, sha256=names, newest=times
    )  # fmt: skip
    some = draw(st.lists(items(text), max_size=5))
    again = draw(st.lists(st.sampled_from(some), max_size=2)) if some else []  # equal ids, even equal items
    return State(
        task=draw(st.builds(TaskName, id=names, title=names)),
        project=draw(names),
        written_at=draw(times),
        covers=draw(st.tuples(times, times)),
        sources=tuple(draw(st.lists(log, max_size=2))),
        tokens=draw(st.builds(TokenCounts, source=counts, state=counts, encoding=names, exact=st.booleans())),
        items=tuple(some + again),
        omitted=draw(st.tuples(*[st.integers(0, 9)] * 4)),
    )


def by_list(state: State) -> State:
    """The state with its items in the order of the lists: that is all that JSON and YAML hold of their order."""
    return replace(state, items=tuple(sorted(state.items, key=lambda item: LISTS.index(list_of(item)))))


@law
@given(states(), st.sampled_from(["en", "zh", "zh-Hant"]))
def test_markdown_gives_the_same_state_back(state: State, lang: str) -> None:
    assert markdown.parse(markdown.render(state, lang), "s.md") == state


@law
@given(states(wild), st.sampled_from(["en", "zh", "zh-Hant"]))
def test_markdown_survives_texts_that_nobody_cleaned(state: State, lang: str) -> None:
    assert markdown.parse(markdown.render(state, lang), "s.md") == state


@law
@given(states(), st.sampled_from(["en", "zh", "zh-Hant"]))
def test_crlf_and_a_byte_order_mark_change_nothing(state: State, lang: str) -> None:
    text = "\ufeff" + markdown.render(state, lang).replace("\n", "\r\n")
    assert parse_state(text, "s.md") == state


@law
@given(states() | states(wild))
def test_json_gives_the_same_state_back(state: State) -> None:
    assert json_state.parse(json_state.render(state, "en"), "s.json") == by_list(state)


@law
@given(states() | states(st.text(st.characters(exclude_categories=["Cs"]), max_size=20)))
def test_yaml_gives_the_same_state_back_and_is_the_same_data_as_json(state: State) -> None:
    text = yaml_state.render(state, "en")
    assert yaml_state.parse(text, "s.yaml") == by_list(state)
    assert load(text, "s.yaml") == json.loads(json_state.render(state, "en"))


@law
@given(states() | states(wild))
def test_every_rendered_state_fulfils_the_packaged_schema(state: State) -> None:
    validator = pytest.importorskip("jsonschema").Draft202012Validator
    validator.check_schema(state_schema())
    validator(state_schema()).validate(json.loads(json_state.render(state, "en")))


@law
@given(states())
def test_every_form_that_can_be_read_is_told_from_its_text_alone(state: State) -> None:
    for output in all_outputs():
        if output.parse is not None:
            assert by_list(parse_state(output.render(state, "zh"), "s")) == by_list(state)


@law
@given(states(), st.sampled_from(["en", "zh", "zh-Hant"]))
def test_rendering_what_was_read_gives_the_same_bytes(state: State, lang: str) -> None:
    text = markdown.render(state, lang)
    assert markdown.render(markdown.parse(text, "s.md"), lang) == text


@law
@given(states() | states(wild), st.sampled_from(["en", "zh", "zh-Hant"]))
def test_no_text_forges_structure(state: State, lang: str) -> None:
    text = markdown.render(state, lang)
    lines = text.split("\n")
    kinds = [kind for kind in Kind if state.live(kind)]
    history = [item for item in state.items if item.status is not Status.LIVE]
    assert sum(line.startswith("#") for line in lines) == len(kinds) + bool(history)
    assert sum(line.startswith("- ") for line in lines) == len(state.items)
    assert lines.count("---") == 2
    assert len(re.findall(r"(?<!\\)<!--", text)) == text.split("\n\n")[-1].count("<!--") == bool(state.items)
    if state.items:
        ledger = text[text.index("\n<!-- distill:ledger\n") :]
        assert ledger.count("-->") == 1
        assert ledger.endswith("\n-->\n")
        assert ledger.count("\n") == len(state.items) + 3


@law
@given(states())
def test_the_ledger_is_what_holds_ids(state: State) -> None:
    visible = markdown.sections_text(state, "en")
    day = markdown.shared_day if any(state.omitted) else lambda _: None
    expected = Counter(
        markdown.item_line(item, "en", day(state.live(kind))) for kind in Kind for item in state.live(kind)
    )
    assert Counter(line for line in visible.split("\n") if line.startswith("- ")) == expected


@law
@given(texts)
def test_escaping_is_undone(text: str) -> None:
    assert unescape(escape(text)) == text


@law
@given(
    st.builds(
        Shown, text=texts, date=st.sampled_from([None, "2026-03-02"]), proposed=st.booleans(), pinned=st.booleans()
    )
)
@example(Shown(text="[pin]", pinned=True))
@example(Shown(text="(2026-03-02) [pin]", date="2026-03-02"))
@example(Shown(text="\\[pin]"))
@example(Shown(text="<!-- [x] -->"))
def test_an_item_line_is_read_without_the_ledger_too(shown: Shown) -> None:
    assert read_line(write_line(shown)) == shown
    assert read_line(write_line(shown, "提议")) == shown


@law
@given(texts, st.sampled_from(["", " (2026-03-02) → done", " ~~", " → replaced by “~~a~~”"]))
def test_what_is_struck_out_ends_where_it_ends(text: str, rest: str) -> None:
    assert struck_part(struck(text) + rest) == struck(text)


fields: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {"schema": st.just(1), "project": names, "covers": st.lists(times, min_size=2, max_size=2)},
    optional={"sources": st.lists(st.dictionaries(texts, names, min_size=1), max_size=2), "written_at": times},
)


@law
@given(fields)
def test_the_front_matter_is_yaml_and_read_as_yaml_reads_it(front: dict[str, Any]) -> None:
    lines = write_front(front)
    assert front_end(lines) == len(lines) - 1
    assert read_front(lines, "s.md") == front
    assert load("\n".join(lines[1:-1]), "s.md") == {"distill": "state", **front}


@pytest.mark.parametrize("lang", ["en", "zh", "zh-Hant"])
def test_an_empty_state_is_its_front_matter(lang: str) -> None:
    text = markdown.render(State(), lang)
    assert text.count("---\n") == 2
    assert text.endswith("\n---\n")
    assert markdown.parse(text, "s.md") == State()
