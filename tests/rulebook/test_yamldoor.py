"""The only door to YAML."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from distill.model import DistillError
from distill.rulebook import yamldoor
from distill.rulebook.yamldoor import dump, load


@pytest.fixture(params=["compiled", "pure"])
def _both_loaders(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    if request.param == "pure":
        monkeypatch.setattr("yaml.__with_libyaml__", False)
    yamldoor._loader.cache_clear()
    yield
    monkeypatch.undo()
    yamldoor._loader.cache_clear()


@pytest.mark.usefixtures("_both_loaders")
@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("", None),
        ("# nothing\n", None),
        ("a: 1\nb: [x, 2.5, true, null]\n", {"a": 1, "b": ["x", 2.5, True, None]}),
        ("cues: |\n  no | off\n  on: {a,b}\n", {"cues": "no | off\non: {a,b}\n"}),
        ("at: 2026-03-02\nto: 2026-03-02T09:00:00Z\n", {"at": "2026-03-02", "to": "2026-03-02T09:00:00Z"}),
        ('{"a": "\\u2028"}', {"a": "\u2028"}),
        ("a: &x [1]\nb: *x\n", {"a": [1], "b": [1]}),
    ],
)
def test_what_is_read(text: str, data: object) -> None:
    assert load(text, "r.yaml") == data


@pytest.mark.usefixtures("_both_loaders")
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: 1\nb: 2\na: 3\n", r"^r\.yaml:3:1: the key 'a' stands here twice"),
        ("x:\n  - {a: 1, 'a': 2}\n", r"^r\.yaml:2:12: the key 'a' stands here twice"),
        ("a: b: c\n", r"^r\.yaml:1:5: not valid YAML"),
        ("a: 1\n---\nb: 2\n", r"^r\.yaml:2:1: not valid YAML"),
        ("a: [1\n", r"^r\.yaml:\d+:\d+: not valid YAML"),
        ("a: 1\nb: x\x07y\n", r"^r\.yaml:2:5: not valid YAML: remove the character U\+0007"),
        ("a: \ud800\n", r"^r\.yaml:1:4: not valid YAML: remove the character U\+D800"),
        ("base: &b {a: 1}\nc:\n  <<: *b\n", r"^r\.yaml:3:3: merge keys"),
        ("a: !!python/name:os.system\n", r"^r\.yaml:1:4: not valid YAML"),
        ("? [a]\n: b\n", r"^r\.yaml:1:3: not valid YAML"),
        ("a: *nothing\n", r"^r\.yaml:1:4: not valid YAML"),
        ("[" * 5000, r"^r\.yaml"),
    ],
)
def test_what_is_refused(text: str, message: str) -> None:
    with pytest.raises(DistillError, match=message) as caught:
        load(text, "r.yaml")
    assert caught.value.code == 2
    assert "\n" not in str(caught.value)


def test_dumping_keeps_the_order_and_the_letters() -> None:
    assert dump({"b": "长 text", "a": ["x" * 200]}) == f"b: 长 text\na:\n- {'x' * 200}\n"


def test_dumping_writes_equal_parts_out_twice() -> None:
    part = ["x"]
    assert dump({"a": part, "b": part}) == "a:\n- x\nb:\n- x\n"


def test_a_lone_surrogate_is_replaced() -> None:
    assert load(dump({"a": "\ud800"}), "r.yaml") == {"a": "\ufffd"}


texts = st.text(st.characters(exclude_categories=["Cs"]))
values = st.recursive(
    st.none() | st.booleans() | st.integers() | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)


@settings(deadline=None, max_examples=60)
@given(values)
def test_what_is_dumped_is_loaded_the_same(data: object) -> None:
    assert load(dump(data), "r.yaml") == data
