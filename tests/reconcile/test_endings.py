"""What takes an open item or a file off the list."""

from __future__ import annotations

from dataclasses import replace

import pytest

from distill.model import Item, Kind, Status, item_id
from distill.reconcile.endings import Closer, path_of
from distill.reconcile.previous import carry
from distill.reconcile.said import Endings, Said


def item(kind: Kind, text: str, rule: str = "", at: str | None = None) -> Item:
    return Item(id=item_id(kind, text), kind=kind, text=text, rule=rule, at=at)


def finished(said: str, todo: str) -> bool:
    return Closer(Endings(finished=(Said(text=said),)), []).finished(item(Kind.OPEN, todo)) is not None


def settled(decision: str, question: str) -> bool:
    return Closer(Endings(), [item(Kind.DECISION, decision)]).settled(item(Kind.OPEN, question)) is not None


def gone(deleted: str, text: str) -> bool:
    closer = Closer(Endings(deleted=(Said(text=deleted),)), [])
    return closer.gone(item(Kind.ARTIFACT, text, "artifact/file"))


@pytest.mark.parametrize(("said", "todo"), [
    ("Added the pagination tests, done.", "TODO: add pagination tests"),
    ("分页参数校验已完成", "待办：补充分页参数校验"),
    ("Changelog: done.", "Still to do: changelog"),
    ("Fixed: the export no longer crashes on empty baskets.", "Known bug: the export crashes on empty baskets."),
    ("空篮子导出崩溃的问题已修复。", "已知问题：空篮子导出会崩溃，暂时没修。"),
    ("The rate limit of 30 per minute is implemented.", "Open: implement the rate limit of 30 per minute"),
])
def test_what_is_finished(said: str, todo: str) -> None:
    assert finished(said, todo)


@pytest.mark.parametrize(("said", "todo"), [
    ("Added the pagination tests, done.", "TODO: order new ropes"),
    ("已补上 README 的部署一节", "待办：给 /login 加限流"),
    ("The changelog of the old boat was found in the archive and read aloud.", "Still to do: changelog"),
    ("Phase 2 of the migration is done.", "TODO: phase 3 of the migration"),
    ("Done.", "TODO: add pagination tests"),
    ("空篮子导出崩溃的问题已修复。", "已知问题：满篮子打印会卡住，暂时没修。"),
])
def test_what_is_not_finished_by_it(said: str, todo: str) -> None:
    assert not finished(said, todo)


@pytest.mark.parametrize(("decision", "question"), [
    ("Licence picked: MIT, decided.", "Open: pick a licence."),
    ("We decided to store the user sessions in Redis.", "Where do we store the user sessions?"),
    ("部署环境决定用阿里云", "待定：部署环境选哪家"),
])
def test_what_is_settled(decision: str, question: str) -> None:
    assert settled(decision, question)


@pytest.mark.parametrize(("decision", "question"), [
    ("Keep the licence header in every file of the project.", "Open: pick a licence."),
    ("We decided to paint the boat red.", "Which licence do we take?"),
    ("We decided to add pagination tests to the orders and the users.", "TODO: add pagination tests"),
])
def test_what_is_not_settled_by_it(decision: str, question: str) -> None:
    assert not settled(decision, question)


@pytest.mark.parametrize(("deleted", "text"), [
    ("src/old.py", "src/old.py (created)"),
    ("src/old.py", "/w/app/src/old.py: the old way"),
    ("/w/app/src/old.py", "src/old.py (changed)"),
    ("/w/app/src", "/w/app/src/old.py (created)"),
    ("./old.py", "old.py (created)"),
    ("src\\old.py", "C:\\app\\src\\old.py (created)"),
])
def test_a_file_that_is_gone(deleted: str, text: str) -> None:
    assert gone(deleted, text)


@pytest.mark.parametrize(("deleted", "text"), [
    ("old.py", "src/old.py (created)"),
    ("src/old.py", "src/bold.py (created)"),
    ("src/ol", "src/old.py (created)"),
    ("lib/old.py", "src/old.py (created)"),
    ("src/old.py/x", "src/old.py (created)"),
])
def test_a_file_that_stays(deleted: str, text: str) -> None:
    assert not gone(deleted, text)


def test_what_was_said_before_ends_nothing() -> None:
    endings = Endings(finished=(Said(text="Added the pagination tests.", time="2026-03-01T00:00:00Z"),),
                      deleted=(Said(text="a/b.py", time="2026-03-01T00:00:00Z"),))
    closer = Closer(endings, [item(Kind.DECISION, "Licence picked: MIT.", at="2026-03-01T00:00:00Z")])
    later = "2026-03-02T00:00:00Z"
    assert closer.finished(item(Kind.OPEN, "TODO: add pagination tests", at=later)) is None
    assert closer.settled(item(Kind.OPEN, "Open: pick a licence", at=later)) is None
    assert not closer.gone(item(Kind.ARTIFACT, "a/b.py (created)", "artifact/file", at=later))


def test_the_name_of_an_artifact() -> None:
    opened = item(Kind.ARTIFACT, "Add boats: https://a.example/pull/3", "artifact/opened")
    assert path_of(opened) == "https://a.example/pull/3"
    assert path_of(item(Kind.ARTIFACT, "src/a b.py: what it is", "artifact/file")) == "src/a b.py"
    assert path_of(item(Kind.ARTIFACT, "Commit 1a2b3c: Add boats", "artifact/commit")) == "Commit 1a2b3c: Add boats"
    assert path_of(item(Kind.FACT, "src/a.py is long", "fact/state")) == ""


@pytest.mark.parametrize(("path", "tags", "todo", "done"), [
    ("docs/deploy.md", ("created",), "Open: docs/deploy.md is still missing.", True),
    ("docs/deploy.md", ("created",), "待办：docs/deploy.md 还没写", True),
    ("docs/deploy.md", ("created",), "TODO: write docs/deploy.md", True),
    ("docs/deploy.md", (), "Open: docs/deploy.md is still missing.", False),  # only changed
    ("docs/deploy.md", ("created",), "docs/deploy.md does not describe the rollback", False),
    ("deploy.md", ("created",), "Open: docs/deploy.md is still missing.", False),  # another folder's
    ("docs/deploy.md", ("created",), "Open: docs/deploy.md.bak is missing.", False),
])
def test_a_file_that_was_missing_appears(path: str, tags: tuple[str, ...], todo: str, done: bool) -> None:
    wanted = item(Kind.OPEN, todo, "open/todo", "2026-05-04T09:00:00Z")
    text = f"{path} ({'created' if tags else 'changed'})"
    made = replace(item(Kind.ARTIFACT, text, "artifact/file", "2026-05-06T09:00:00Z"), tags=tags)
    before, after = carry([wanted], [made])
    assert (before.status, before.by) == ((Status.RESOLVED, after.id) if done else (Status.LIVE, None))
    late = replace(wanted, at="2026-05-08T09:00:00Z")  # it is said to be missing after that
    assert carry([late], [made])[0].status is Status.LIVE
