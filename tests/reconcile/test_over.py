"""Words that give up, allow again, tell what was done or deleted."""

from __future__ import annotations

import pytest

from distill.model import Item, Kind, Role, Status, item_id
from distill.reconcile.endings import Closer
from distill.reconcile.over import deleted, done, ordered, withheld
from distill.reconcile.previous import carry
from distill.reconcile.said import Endings, Said


def item(kind: Kind, text: str, rule: str = "", at: str | None = None) -> Item:
    return Item(id=item_id(kind, text), kind=kind, text=text, rule=rule, at=at, role=Role.USER)


def dropped(*said: str) -> Closer:
    return Closer(Endings(dropped=tuple(Said(text=one) for one in said)), [])


def told(*said: str) -> Closer:
    return Closer(Endings(finished=tuple(Said(text=one, verbs=done(one)) for one in said if done(one))), [])


@pytest.mark.parametrize(("said", "todo"), [
    ("Forget Internet Explorer, we no longer need to support it.", "TODO: support Internet Explorer in the dashboard"),
    ("We don't need the PDF export of the report.", "Still to do: export the report as PDF"),
    ("报表导出 PDF 不做了。", "待办：报表导出 PDF"),
    ("导出的权限检查取消。", "待办：导出报表的权限检查"),
])
def test_a_task_that_is_given_up(said: str, todo: str) -> None:
    assert dropped(said).dropped(item(Kind.OPEN, todo)) is not None


@pytest.mark.parametrize(("said", "todo"), [
    ("Don't forget the PDF export of the report.", "Still to do: export the report as PDF"),
    ("Drop the old map.", "TODO: support Internet Explorer in the dashboard"),
    ("报表导出 PDF 先不做了。", "待办：报表导出 PDF"),  # put off
    ("We no longer need phase 2 of the move.", "TODO: phase 3 of the move"),
])
def test_a_task_that_is_not_given_up(said: str, todo: str) -> None:
    assert dropped(said).dropped(item(Kind.OPEN, todo)) is None


@pytest.mark.parametrize(("said", "held"), [
    ("You may change the billing module now, the audit is over.", "Don't touch the billing module."),
    ("src/billing is no longer off limits.", "Never edit src/billing"),
    ("growers 表现在可以改了。", "不要动 growers 表。"),
])
def test_a_ban_that_is_lifted(said: str, held: str) -> None:
    assert dropped(said).lifted(item(Kind.DECISION, held, "decision/prohibition")) is not None


@pytest.mark.parametrize(("said", "held"), [
    ("You may change the price module now.", "Don't touch the billing module."),
    ("You can test the billing module.", "Don't touch the billing module."),  # nothing changed
    ("growers 表可以查询。", "不要动 growers 表。"),
    ("orders 表现在可以改了。", "不要动 growers 表。"),
])
def test_a_ban_that_stands(said: str, held: str) -> None:
    assert dropped(said).lifted(item(Kind.DECISION, held, "decision/prohibition")) is None


@pytest.mark.parametrize(("said", "held", "ends"), [
    ("We can drop the legacy CSV importer now.", "Keep the legacy CSV importer for now.", True),
    ("旧的短信通道可以下线了。", "旧的短信通道先保留。", True),
    ("We can drop the old map.", "Keep the legacy CSV importer for now.", False),
    ("Drop the legacy importer from the menu.", "The legacy importer reads CSV files.", False),
])
def test_what_was_kept_for_the_moment(said: str, held: str, ends: bool) -> None:
    assert (dropped(said).lifted(item(Kind.DECISION, held, "decision/hold")) is not None) is ends


@pytest.mark.parametrize(("said", "todo"), [
    ("The price guide is written: docs/price.md", "TODO: write the price guide."),
    ("The restore was tested and works", "TODO: test the restore"),
    ("Ana has reviewed the price rules.", "TODO: Ana reviews the price rules."),
    ("We've now rewritten the importer of the rows.", "Rewrite the importer of the rows"),
    ("导入指南写好了。", "待办：写导入指南"),
    ("邮件模板已经翻译成德语。", "待办：翻译邮件模板"),
])
def test_a_deed_in_other_words_than_done(said: str, todo: str) -> None:
    assert told(said).finished(item(Kind.OPEN, todo)) is not None


@pytest.mark.parametrize(("said", "todo"), [
    ("The price guide was discussed at length.", "TODO: write the price guide."),
    ("The price guide is not written yet.", "TODO: write the price guide."),
    ("The mails are translated to German.", "TODO: translate the help pages to German and French"),
    ("导入指南看过了。", "待办：写导入指南"),
])
def test_another_deed(said: str, todo: str) -> None:
    assert told(said).finished(item(Kind.OPEN, todo)) is None


@pytest.mark.parametrize(("said", "path"), [
    ("I deleted docs/api.md, we don't need it.", "docs/api.md"),
    ("I removed `notes.txt`.", "notes.txt"),
    ("docs/api.md is gone", "docs/api.md"),
    ("docs/api.md 我已经删了，不需要了。", "docs/api.md"),
    ("我把 docs/api.md 删掉了", "docs/api.md"),
    ("I removed the flag from config.yaml", ""),
    ("I removed config.yaml from the index", ""),
    ("把 docs/api.md 里的旧段落删了", ""),
])
def test_a_file_that_is_said_to_be_deleted(said: str, path: str) -> None:
    assert deleted(said) == path


def test_a_reverted_commit_is_no_artifact() -> None:
    commit = item(Kind.ARTIFACT, "Commit 91c0de2: Add the orchard map", "artifact/commit", "2026-05-04T09:00:00Z")
    other = item(Kind.ARTIFACT, "Commit 77ab3c1: Add the map", "artifact/commit", "2026-05-04T09:00:00Z")
    undone = Said(text='Revert "Add the orchard map"', time="2026-05-06T09:00:00Z")
    first, second = carry([commit, other], [], endings=Endings(finished=(undone,)))
    assert (first.status, second.status) == (Status.SUPERSEDED, Status.LIVE)
    again = item(Kind.ARTIFACT, commit.text, commit.rule, "2026-05-08T09:00:00Z")  # made anew since
    assert carry([again], [], endings=Endings(finished=(undone,)))[0].status is Status.LIVE


def test_words_that_are_older_end_nothing() -> None:
    ban = item(Kind.DECISION, "Don't touch the billing module.", "decision/prohibition", "2026-05-06T09:00:00Z")
    early = Said(text="You may change the billing module now.", time="2026-05-04T09:00:00Z")
    assert carry([ban], [], endings=Endings(dropped=(early,)))[0].status is Status.LIVE


@pytest.mark.parametrize(("ban", "order"), [
    ("dont push, i want to see it on my machine first", "push it, open a draft pr."),
    ("Don't merge it yet.", "Looks good, merge it now"),
    ("先别提交，我看看", "可以提交了"),
    ("别推", "推吧"),
])
def test_a_ban_on_a_deed_ends_with_the_order_to_do_it(ban: str, order: str) -> None:
    assert withheld(ban) == ordered(order) != ""
    assert dropped(order).lifted(item(Kind.DECISION, ban, "decision/prohibition")) is not None


@pytest.mark.parametrize(("ban", "order"), [
    ("don't push to main", "push it"),
    ("Don't touch legacy/", "touch it"),
    ("Don't merge it yet.", "push it"),
    ("dont push, i want to see it first", "the push went wrong"),
    ("别改 user 表", "改吧"),
    ("先别提交", "先别推"),
])
def test_a_ban_on_something_else_stays(ban: str, order: str) -> None:
    assert dropped(order).lifted(item(Kind.DECISION, ban, "decision/prohibition")) is None
