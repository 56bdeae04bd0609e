"""The index of many states."""

from __future__ import annotations

import json
import re

from distill.model.summary import Summary
from distill.render.index import Entry, index_json, index_markdown


def entry(name: str, project: str, day: int | None, opened: int = 0, title: str = "", **more: str) -> Entry:
    until = f"2026-03-{day:02}T09:00:00Z" if day else None
    texts = tuple(f"待办 {number} of {name}" for number in range(opened))
    return Entry(state=f"states/{name}.md", logs=(name,), failed=more.get("failed", ""),
                 summary=Summary(project=project, covers=(until, until), counts=(1, 2, 3, opened), open=texts,
                                 title=title))


ENTRIES = [entry("a", "/w/app", 2, 3), entry("b", "/w/前端", 4), entry("c", "/w/app", 3, 4), entry("d", "", None)]


def test_projects_and_states_stand_newest_first() -> None:
    data = json.loads(index_json(ENTRIES, {}))
    assert [one["project"] for one in data["projects"]] == ["/w/前端", "/w/app", ""]
    assert [one["state"] for one in data["projects"][1]["states"]] == ["states/c.md", "states/a.md"]
    assert data["projects"][1]["counts"] == {"decisions": 2, "facts": 4, "artifacts": 6, "open": 7}
    page = index_markdown(ENTRIES, {})
    wanted = ("## /w/前端", "## /w/app", "states/c.md", "states/a.md", "(no project named)")
    places = [page.index(text) for text in wanted]
    assert places == sorted(places)
    assert "- … and 2 more" in page


def test_the_order_of_the_entries_does_not_matter() -> None:
    assert index_json(ENTRIES, {}) == index_json(ENTRIES[::-1], {})
    assert index_markdown(ENTRIES, {}) == index_markdown(ENTRIES[::-1], {})


def test_nothing_in_a_log_can_forge_the_page() -> None:
    page = index_markdown([entry("x y](http://z)", "/w/`a`|b\n## Forged", 2, title="t](http://z) | <b>\n- forged")],
                          {"e|.jsonl": "bad\n## Forged"})
    assert "\n## Forged" not in page
    assert "\n- forged" not in page
    assert not re.search(r"(?<!\\)\]\(http", page)
    row = next(line for line in page.split("\n") if "states/" in line)
    assert row.replace("\\|", "").count("|") == 7
    assert "states/x%20y%5D%28http%3A//z%29.md" in page


def test_no_states_at_all() -> None:
    data = json.loads(index_json([], {"a": "the file is empty"}))
    assert (data["projects"], data["failed"]) == ([], [{"log": "a", "why": "the file is empty"}])
    assert index_markdown([], {}).startswith("# States\n\n0 states: 0 decisions")
