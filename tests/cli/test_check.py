"""`distill check`: what became of what a state names."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.cli.tool import Tool
from tests.store.test_repository import commit, git

BEFORE, AFTER = "2026-03-01T09:00:00Z", "2026-04-01T09:00:00Z"
SEEN = "2026-03-10T09:00:00Z"


def state(*items: tuple[str, str, str], project: str = "/home/lin/boats") -> str:
    """A state whose items are (kind, rule, text)."""
    sections: dict[str, list[dict[str, Any]]] = {name: [] for name in ("decisions", "facts", "artifacts", "open")}
    for number, (kind, rule, text) in enumerate(items):
        sections[kind].append({
            "id": f"{kind[0]}-00000{number}", "kind": "open" if kind == "open" else kind[:-1], "text": text,
            "at": SEEN, "first_at": SEEN, "role": "assistant", "confidence": 0.9, "rule": rule, "tags": [],
            "sources": [], "supersedes": [], "by": None,
        })
    return json.dumps({
        "schema": 1, "task": {"id": "", "title": ""}, "project": project, "written_at": SEEN, "covers": [SEEN, SEEN],
        "sources": [], "tokens": {"source": 0, "state": 0, "encoding": "estimate", "exact": False}, **sections,
        "superseded": [], "resolved": [], "omitted": {"decisions": 0, "facts": 0, "artifacts": 0, "open": 0},
    })


def file(text: str) -> tuple[str, str, str]:
    return "artifacts", "artifact/file", text


def fact(text: str) -> tuple[str, str, str]:
    return "facts", "fact/state", text


@pytest.fixture
def boats(tool: Tool) -> Path:
    """A repository with a past before and after the time of the state."""
    place = tool.folder / "boats"
    place.mkdir()
    git(place, "init", "-q", "-b", "main")
    for name in ("kept.py", "changed.py", "old_name.py", "dropped.py", "码头.py", "Case.py"):
        tool.write(f"boats/src/{name}", "".join(f"{name} {line}\n" for line in range(20)))
    commit(place, "Boats", BEFORE)
    git(place, "mv", "src/old_name.py", "src/new_name.py")
    (place / "src/dropped.py").unlink()
    (place / "src/changed.py").write_text("another\n")
    commit(place, "Tidy up", AFTER)
    (place / "src/changed.py").write_text("yet another\n")
    commit(place, "Once more", AFTER)
    return place


def look(tool: Tool, *items: tuple[str, str, str], words: tuple[str, ...] = (), project: str = "/home/lin/boats",
         ) -> dict[str, dict[str, Any]]:
    """The verdicts by name; the exit code agrees with them."""
    tool.write("state.json", state(*items, project=project))
    ran = tool("check", "state.json", "--repo", "boats", "--json", *words)
    assert ran.code == (1 if ran.data["stale"] else 0), ran.err
    return {one["name"]: one for one in ran.data["names"]}


def test_files_that_stand_changed_moved_and_went(tool: Tool, boats: Path) -> None:
    found = look(tool, file("src/kept.py (created)"), file("src/changed.py: what changes"),
                 file("src/码头.py (created)"), file("src/old_name.py (created)"),
                 file("src/dropped.py (changed)"), file("src/never.py (created)"))
    assert {name: one["standing"] for name, one in found.items()} == {
        "src/kept.py": "present", "src/changed.py": "changed", "src/码头.py": "present",
        "src/old_name.py": "renamed", "src/dropped.py": "gone", "src/never.py": "gone",
    }
    assert found["src/old_name.py"]["now"] == "src/new_name.py"
    assert (found["src/changed.py"]["commits"], found["src/changed.py"]["last"]["subject"]) == (2, "Once more")
    assert found["src/dropped.py"]["last"]["subject"] == "Tidy up"


def test_what_stands_is_not_stale(tool: Tool, boats: Path) -> None:
    tool.write("state.json", state(file("src/kept.py (created)"), file("src/changed.py (changed)")))
    ran = tool("check", "state.json", "--repo", "boats")
    assert (ran.code, ran.out.split(":")[0]) == (0, "changed file src/changed.py")
    assert "0 stale, 1 changed since" in ran.closing
    assert tool("check", "state.json", "--repo", "boats", "--fail-on", "changed", "-q").code == 1
    assert tool("check", "state.json", "--repo", "boats", "--fail-on", "open").code == 2


def test_a_plain_line_for_everything_stale(tool: Tool, boats: Path) -> None:
    tool.write("state.json", state(file("src/old_name.py (created)"), file("src/kept.py (created)")))
    ran = tool("check", "state.json", "--repo", "boats", "-q")
    head = git(boats, "rev-parse", "--short=7", "HEAD~1")
    assert (ran.code, ran.err) == (1, "")
    assert ran.out == (f"stale file src/old_name.py: renamed to src/new_name.py by {head} “Tidy up” (2026-04-01) "
                       "[a-000000]\n")
    assert "src/kept.py: there" in tool("check", "state.json", "--repo", "boats", "-v").out


@pytest.mark.parametrize(("written", "project", "now"), [
    ("/home/lin/boats/src/kept.py", "/home/lin/boats", "src/kept.py"),
    ("C:\\Users\\lin\\boats\\src\\kept.py", "C:\\Users\\lin\\boats", "src/kept.py"),
    ("/mnt/old/boats/src/kept.py", "/home/lin/boats", "src/kept.py"),
    ("/elsewhere/src/kept.py", "", "src/kept.py"),
    ("boats/src/kept.py", "", "src/kept.py"),
    ("./src/kept.py", "", "src/kept.py"),
    ("kept.py", "", "src/kept.py"),
    ("src/case.py", "", "src/Case.py"),
    ("~/boats/src/kept.py", "/home/lin/boats", "src/kept.py"),
])
def test_a_path_of_another_machine(tool: Tool, boats: Path, written: str, project: str, now: str) -> None:
    (one,) = look(tool, file(f"{written} (created)"), project=project).values()
    assert (one["standing"], one["now"]) == ("present", now)


def test_the_end_of_a_path_is_not_enough_where_any_folder_has_it(tool: Tool, boats: Path) -> None:
    tool.write("boats/README.md", "# Boats\n")
    found = look(tool, file("lib/sails/README.md (created)"), file("/etc/hosts (changed)"))
    assert (found["lib/sails/README.md"]["standing"], found["/etc/hosts"]["standing"]) == ("gone", "elsewhere")


def test_words_that_only_look_like_a_name_are_let_be(tool: Tool, boats: Path) -> None:
    assert look(tool, fact("Read it and/or write it; see https://a.example/b/c.html, src/*.py or Node/Python."),
                fact("The digest begins with deadbee1 and 校验和 e3b0c442."),
                fact("The `else` branch is never reached; 走不到 `else` 分支"),
                fact("src/dropped.py was removed")) == {}


def test_files_named_in_other_items(tool: Tool, boats: Path) -> None:
    found = look(tool, fact("The sail table stands in src/dropped.py."), fact("船的表在 src/kept.py 里"))
    assert {name: one["standing"] for name, one in found.items()} == {
        "src/dropped.py": "gone", "src/kept.py": "present"}


def test_commits(tool: Tool, boats: Path) -> None:
    first = git(boats, "rev-parse", "HEAD~2")
    git(boats, "switch", "-q", "-c", "side", first)
    side = commit(boats, "Sails", BEFORE)
    git(boats, "switch", "-q", "main")
    (boats / "src/kept.py").write_text("wrong\n")
    wrong = commit(boats, "Wrong", AFTER)
    git(boats, "revert", "--no-edit", wrong, time=AFTER)
    commit(boats, "Sails", AFTER)
    found = look(tool, *(("artifacts", "artifact/commit", f"Commit {text}") for text in
                         (f"{first[:7]}: Boats", f"{side[:9]}: Sails", f"{wrong}: Wrong", "0123abc: Nothing")),
                 fact("已提交 abc0123，随后部署"))
    assert {name: one["standing"] for name, one in found.items()} == {
        first[:7]: "present", side[:9]: "not in HEAD", wrong: "reverted", "0123abc": "unknown", "abc0123": "unknown"}
    assert found[side[:9]]["last"]["subject"] == "Sails"  # the commit that took its place


def test_the_commits_of_the_state_itself_change_nothing(tool: Tool, boats: Path) -> None:
    (boats / "src/kept.py").write_text("as the state tells\n")
    own = commit(boats, "Keep it", AFTER)
    found = look(tool, file("src/kept.py (changed)"), ("artifacts", "artifact/commit", f"Commit {own[:8]}: Keep it"))
    assert found["src/kept.py"]["standing"] == "present"


def test_branches(tool: Tool, boats: Path) -> None:
    git(boats, "branch", "feature/sails", "HEAD~1")
    git(boats, "switch", "-q", "-c", "feature/oars")
    commit(boats, "Oars", AFTER)
    git(boats, "switch", "-q", "main")
    git(boats, "merge", "-q", "--no-ff", "-m", "Merge branch 'feature/oars'", "feature/oars", time=AFTER)
    git(boats, "branch", "-d", "feature/oars")
    found = look(tool, fact("The work is on branch `feature/sails`."), fact("分支 feature/oars 已推送"),
                 fact("Everything is on the feature/keel branch."), fact("Main is the default branch."))
    assert {name: (one["standing"], one["why"]) for name, one in found.items()} == {
        "feature/sails": ("merged", None), "feature/oars": ("merged", "merged and deleted"),
        "feature/keel": ("gone", "no such branch")}


def test_a_folder_inside_the_repository(tool: Tool, boats: Path) -> None:
    tool.write("state.json", state(*map(file, ("old_name.py (created)", "src/kept.py (created)", "码头.py: 岸"))))
    ran = tool("check", "state.json", "--repo", "boats/src", "--json")
    assert {one["name"]: (one["standing"], one["now"]) for one in ran.data["names"]} == {
        "old_name.py": ("renamed", "new_name.py"), "src/kept.py": ("present", "kept.py"),
        "码头.py": ("present", "码头.py")}


def test_without_git_files_are_looked_at(tool: Tool, boats: Path) -> None:
    shutil.rmtree(boats / ".git")
    tool.write("state.json", state(file("src/kept.py (created)"), file("src/old_name.py (created)"), file("码头.py"),
                                   ("artifacts", "artifact/commit", "Commit 0123abc: Nothing")))
    ran = tool("check", "state.json", "--repo", "boats", "--json")
    assert (ran.code, ran.data["git"]) == (1, False)
    assert {one["name"]: one["standing"] for one in ran.data["names"]} == {
        "src/kept.py": "present", "src/old_name.py": "gone", "码头.py": "present"}
    assert "only files were looked at" in ran.data["notes"][0]
    assert "note: only files" in tool("check", "state.json", "--repo", "boats").err


def test_no_folder_is_an_error(tool: Tool) -> None:
    tool.write("state.json", state(file("src/kept.py")))
    ran = tool("check", "state.json", "--repo", "boats")
    assert (ran.code, ran.out) == (2, "")
    assert "boats: no such folder" in ran.err


def test_a_table_on_a_terminal(tool: Tool, boats: Path) -> None:
    tool.write("state.json", state(file("src/old_name.py (created)")))
    ran = tool("check", "state.json", "--repo", "boats", terminal=True, env={"COLUMNS": "120"})
    assert ran.code == 1
    assert "stale" in ran.out
    assert "new_name" in ran.out
