"""The list of outputs, and what a text is told to be."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from distill.model import SCHEMA, DistillError, Item, Kind, Role, State, Status, item_id
from distill.render.outputs import all_outputs, check_ours, output_named, parse_state
from distill.store.upgrade import upgraded

ITEM = Item(id=item_id(Kind.FACT, "It runs"), kind=Kind.FACT, text="It runs", role=Role.USER, confidence=0.9)
STATE = State(project="/srv/shop", items=(ITEM,), omitted=(0, 0, 2, 0))
READABLE = ["md", "json", "yaml"]


def test_the_outputs_in_their_order() -> None:
    assert [one.name for one in all_outputs()] == ["md", "json", "yaml", "compact"]
    assert all(one.title for one in all_outputs())


def test_an_unknown_output_is_named_with_those_there_are() -> None:
    assert output_named("yaml").name == "yaml"
    with pytest.raises(DistillError, match="'xml'; known: md, json, yaml, compact"):
        output_named("xml")


@pytest.mark.parametrize("name", READABLE)
def test_a_text_tells_its_own_form(name: str) -> None:
    assert parse_state(output_named(name).render(STATE, "zh"), "s") == STATE


@pytest.mark.parametrize(
    "text",
    [
        "",
        "just notes\n",
        "---\ntitle: a page\nschema: 1\n---\n\n## Facts\n- It runs\n",
        "## Facts\n- It runs\n",
        '{"name": "package", "version": "1.0"}\n',
        '{"type": "user", "message": {"role": "user", "content": "hi"}}\n' * 3,
        "schema: 1\nname: other\n",
        "# schema: 1\nfacts: []\n",
        "[1, 2]\n",
        "{",
        "---\n---\n",
        "---\ndistill: state\n",
    ],
)
def test_anything_else_is_no_state(text: str) -> None:
    with pytest.raises(DistillError, match=r"^a\.txt: not a state") as caught:
        parse_state(text, "a.txt")
    assert caught.value.code == 2


@pytest.mark.parametrize(
    "text",
    [
        '{"schema": 1, "decisions": [',
        "schema: 1\nfacts:\n- {",
        '{"schema": 1, "facts": [{"text": 5}]}',
        '{"schema": {}}',
    ],
)
def test_a_broken_state_is_an_error(text: str) -> None:
    with pytest.raises(DistillError, match=r"^a\.txt:") as caught:
        parse_state(text, "a.txt")
    assert "\n" not in str(caught.value)


def test_the_compact_form_cannot_be_read_but_be_written_over() -> None:
    text = output_named("compact").render(STATE, "zh")
    check_ours(text, "s.txt")
    with pytest.raises(DistillError, match=r"s\.txt: .*compact"):
        parse_state(text, "s.txt")
    for name in READABLE:
        check_ours(output_named(name).render(STATE, "en"), "s")
    with pytest.raises(DistillError):
        check_ours(text + "and my own notes\n", "s.txt")


def with_schema(name: str, version: int) -> str:
    text = output_named(name).render(STATE, "en")
    return text.replace('"schema": 1', f'"schema": {version}').replace("\nschema: 1", f"\nschema: {version}", 1)


def as_version(name: str, version: int) -> str:
    text = with_schema(name, version)
    return text if name != "yaml" else text.replace("schema: 1\n", f"schema: {version}\n", 1)


@pytest.mark.parametrize("name", READABLE)
def test_a_newer_schema_is_refused(name: str) -> None:
    with pytest.raises(DistillError, match=rf"^s: written by a newer distill \(schema {SCHEMA + 1}.*update"):
        parse_state(as_version(name, SCHEMA + 1), "s", upgraded)


def test_a_newer_schema_is_refused_before_its_lines_are_read() -> None:
    text = as_version("md", SCHEMA + 1) + "\n:: a syntax of tomorrow\n"
    with pytest.raises(DistillError, match="newer distill"):
        parse_state(text, "s")


@pytest.mark.parametrize("name", READABLE)
def test_an_older_schema_goes_through_the_upgrade(name: str) -> None:
    def upgrade(data: dict[str, Any], path: str) -> dict[str, Any]:
        assert path == "s"
        assert data["schema"] == 0
        return {**data, "schema": 1, "project": data["project"].upper()}

    found = parse_state(as_version(name, 0), "s", upgrade)
    assert (found.project, found.items) == ("/SRV/SHOP", (ITEM,))
    with pytest.raises(DistillError, match=r"^s(:3)?: schema: 0"):
        parse_state(as_version(name, 0), "s")


JSON_FAULTS: list[tuple[Callable[[dict[str, Any]], Any], str]] = [
    (lambda d: d.pop("schema"), "schema"),
    (lambda d: d.update(schema="1"), r"schema: must be a whole number"),
    (lambda d: d.update(schema=True), r"schema: must be a whole number"),
    (lambda d: d.update(colour=1), "unknown field 'colour'"),
    (lambda d: d.update(project=None), "project: must be a text"),
    (lambda d: d.update(written_at="soon"), "written_at: must be a time"),
    (lambda d: d.update(covers=["2026-03-02T00:00:00Z"]), "covers: must be two times"),
    (lambda d: d.update(task=[]), "task: must be a mapping"),
    (lambda d: d.update(sources={}), "sources: must be a list"),
    (lambda d: d.update(sources=[5]), r"sources\[0\]: must be a mapping"),
    (lambda d: d["tokens"].update(exact=1), "tokens: exact: must be true or false"),
    (lambda d: d["omitted"].update(open=-1), "omitted: open: must not be negative"),
    (lambda d: d["facts"][0].pop("text"), r"facts\[0\]: text: is missing"),
    (lambda d: d["facts"][0].update(kind="decision"), r"facts\[0\]: kind: is 'decision'"),
    (lambda d: d["facts"][0].update(kind=[]), r"facts\[0\]: kind: must be a text"),
    (lambda d: d["facts"][0].update(role="nobody"), r"facts\[0\]: role: must be one of"),
    (lambda d: d["facts"][0].update(confidence=float("nan")), r"facts\[0\]: confidence: must be a number from 0 to 1"),
    (lambda d: d["facts"][0].update(confidence=True), r"facts\[0\]: confidence"),
    (lambda d: d["facts"][0].update(tags=["a", 1]), r"facts\[0\]: tags: must be a list of texts"),
    (lambda d: d["facts"][0].update(sources=[{"line": 1}]), r"facts\[0\]: sources\[0\]: unknown field 'line'"),
    (lambda d: d["facts"][0].update(by=5), r"facts\[0\]: by: must be a text"),
    (lambda d: d["superseded"].append({"text": "a"}), r"superseded\[0\]: kind: is missing"),
]


@pytest.mark.parametrize(("spoil", "message"), JSON_FAULTS)
def test_a_fault_in_a_field_is_named(spoil: Callable[[dict[str, Any]], Any], message: str) -> None:
    data = json.loads(output_named("json").render(STATE, "en"))
    spoil(data)
    with pytest.raises(DistillError, match=rf"^s\.json: .*{message}") as caught:
        output_named("json").parse(json.dumps(data), "s.json", lambda found, path: found)  # type: ignore[misc]
    assert caught.value.code == 2


def test_what_is_left_out_takes_its_default() -> None:
    found = parse_state('{"schema": 1, "open": [{"text": "Call back", "at": "2026-03-02"}]}', "s.json")
    (item,) = found.items
    assert (item.id, item.kind, item.status) == (item_id(Kind.OPEN, "Call back"), Kind.OPEN, Status.LIVE)
    assert (item.at, item.first_at, item.sources, item.by) == ("2026-03-02T00:00:00Z", None, (), None)
    assert found.covers == (None, None)


def test_the_keys_stand_in_the_order_of_the_contract() -> None:
    data = json.loads(output_named("json").render(STATE, "en"))
    assert list(data) == [
        *("schema", "task", "project", "written_at", "covers", "sources", "tokens"),
        *("decisions", "facts", "artifacts", "open", "superseded", "resolved", "omitted"),
    ]
    assert list(data["facts"][0]) == [
        *("id", "kind", "text", "at", "first_at", "role", "confidence"),
        *("rule", "tags", "sources", "supersedes", "by"),
    ]
    assert data["omitted"] == {"decisions": 0, "facts": 0, "artifacts": 2, "open": 0}
    assert list(data["tokens"]) == ["source", "state", "encoding", "exact"]


def test_json_keeps_letters_and_escapes_what_is_invisible() -> None:
    text = output_named("json").render(State(project="路\u202eé\ud800"), "en")
    assert '"project": "路\\u202eé\\ud800"' in text
    assert text.endswith("}\n")


def test_yaml_is_not_imported_for_a_markdown_state_as_written() -> None:
    code = (
        "import sys; from distill.render.outputs import *; from distill.model import State;"
        "m = output_named('md'); parse_state(m.render(State(), 'en'), 's'); assert 'yaml' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
