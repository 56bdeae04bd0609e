"""The same thing once; another value on the same subject later; and what must stay apart."""

from __future__ import annotations

import pytest

from distill.model import Finding, Kind, Role, Source, Status
from distill.reconcile.merge import Group, merge, settle, to_item, with_history
from distill.reconcile.select import select
from distill.reconcile.subjects import replaces, subject_of


def said(
    text: str,
    turn: int,
    kind: Kind = Kind.DECISION,
    *,
    points: int = 8,
    role: Role = Role.USER,
    rule: str = "decision/explicit",
) -> Finding:
    return Finding(
        kind=kind,
        text=text,
        rule=rule,
        points=points,
        confidence=0.5,
        role=role,
        turn=turn,
        time=f"2026-03-{turn:02}T09:00:00Z",
        source=Source(path="log", record=turn, quote=text),
    )


def settled(*findings: Finding) -> list[Group]:
    groups = merge(findings)
    settle(groups)
    return groups


def live(*findings: Finding) -> list[str]:
    return [g.best.text for g in settled(*findings) if g.status is Status.LIVE]


@pytest.mark.parametrize(
    "texts",
    [
        (
            "Always use the search helper, not raw grep.",
            "Again: use the search helper for every search instead of raw grep.",
            "你要一直用 search helper，别用 grep。",
        ),
        ("重试次数定在 3 次", "重試次數就定在 3 次"),
        ("We store sessions in Redis 7", "Sessions stored in Redis 7, as agreed"),
    ],
)
def test_rewordings_are_one_item_with_all_places(texts: tuple[str, ...]) -> None:
    groups = settled(*(said(text, turn) for turn, text in enumerate(texts, 1)))
    assert len(groups) == 1
    item = to_item(groups[0])
    assert [source.record for source in item.sources] == list(range(1, len(texts) + 1))
    assert (item.first_at, item.at) == ("2026-03-01T09:00:00Z", f"2026-03-{len(texts):02}T09:00:00Z")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("set retries to 3", "set the timeout to 3 seconds"),
        ("alert colour is red", "menu language is French"),
        ("use pnpm", "use Vite"),
        ("The room limit is 10 boats", "The room limit is 3 tables"),
        ("Berth 7 is called Puffin", "Rename the logo file to gull.svg"),
        ("泊位上限是 10 条船", "泊位上限每人 3 次"),
        ("We moor at pier 4 with Puffin", "Rename the class Puffin to Gannet"),
        ("The export writes CSV", "The import reads CSV"),
        ("上传的文件最多 20 MB", "日志只保留 14 天"),
        ("日志改为部署到阿里云，不放机房了", "短信改为部署到腾讯云，不放自建站了"),
        ("Use pnpm instead of npm", "Use Vite instead of webpack"),
    ],
)
def test_different_things_stay_apart(one: str, other: str) -> None:
    assert live(said(one, 1), said(other, 2)) == [one, other]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Decided: sessions are stored in Redis.", "Change of plan: store sessions in Postgres."),
        ("decided to keep one replica only", "decided to run three replicas"),
        ("set retries to 3", "set retries to 5"),
        ("缓存用 Redis 吧", "算了，不用 Redis 了，改用本地缓存"),
        ("数据库决定用 Postgres", "数据库还是改回 MySQL"),
        ("数据库改用 Postgres，不用 MySQL 了", "数据库换成 MySQL"),
        ("服务改为部署到阿里云，不放华为云了", "服务部署从阿里云换成腾讯云"),
        ("服务部署在华为云", "服务改为部署到自建机房，不放华为云了"),
        ("The licence is GPL after all, not MIT.", "Change the licence: MIT instead of GPL."),
        ("Staging runs on port 8080", "Staging was moved from port 8080 to port 9000."),
        ("The kiosk image ships Python 3.11", "The kiosk image ships Python 3.13 now."),
        ("潮汐缓存保留 40 分钟", "数据旧得太快，潮汐缓存保留 2 小时"),
        ("潮汐接口的超时改成 5 秒吧", "潮汐接口超时定为 8 秒"),
        ("The ferry bot is called Puffin.", "Rename it to Gannet, Puffin is a trademark."),
        ("这个服务就叫潮汐站", "潮汐站这个服务改名叫海况站"),
    ],
)
def test_a_later_value_replaces_an_earlier_one(old: str, new: str) -> None:
    assert replaces(subject_of(new), subject_of(old))
    assert live(said(old, 1), said(new, 2)) == [new]


def test_a_then_b_then_a_leaves_one_a() -> None:
    groups = settled(
        said("Decided: sessions are stored in Redis.", 1),
        said("Change of plan: store sessions in Postgres.", 2),
        said("Back to Redis for sessions, final.", 3),
    )
    assert [("Redis" in g.best.text, g.status) for g in groups] == [(True, Status.LIVE), (False, Status.SUPERSEDED)]


def test_history_tells_what_replaced_what() -> None:
    groups = settled(said("set retries to 3", 1), said("set retries to 5", 2))
    items = with_history(groups, [to_item(g) for g in groups])
    new, old = sorted(items, key=lambda i: i.status)[0], sorted(items, key=lambda i: i.status)[1]
    assert (old.by, new.supersedes) == (new.id, (old.id,))


def test_a_newer_measurement_replaces_the_older() -> None:
    lint = [
        said(f"The lint run gives {n} warnings.", t, Kind.FACT, role=Role.ASSISTANT, rule="fact/shape")
        for t, n in ((1, 37), (2, 15))
    ]
    assert live(*lint) == ["The lint run gives 15 warnings."]


def test_a_question_and_its_answer_are_two() -> None:
    groups = settled(said("Should we go with NATS then?", 1, Kind.OPEN, rule="open/todo"), said("NATS it is.", 2))
    assert {g.kind for g in groups} == {Kind.OPEN, Kind.DECISION}


def test_selection_keeps_the_best_and_what_is_certain() -> None:
    nouns = (
        "apple",
        "bridge",
        "candle",
        "desert",
        "engine",
        "forest",
        "garden",
        "harbour",
        "island",
        "jacket",
        "kettle",
        "ladder",
        "mirror",
        "needle",
        "orange",
        "pencil",
        "quarry",
        "ribbon",
        "saddle",
        "temple",
    )
    groups = merge([said(f"the {noun} stays", n + 1, points=n, role=Role.ASSISTANT) for n, noun in enumerate(nouns)])
    kept = select(groups, 16, dict.fromkeys(Kind, 2.5))
    assert sorted(g.best.points for g in kept) == list(range(10, 20))


def test_a_choice_closes_the_question_it_settles() -> None:
    question = said("没有头像的老社员显示什么，还没定", 1, Kind.OPEN, role=Role.ASSISTANT, rule="open/todo")
    groups = settled(question, said("老社员没有头像的默认显示社徽 static/badge.png", 2))
    assert [(g.kind, g.status) for g in groups if g.kind is Kind.OPEN] == [(Kind.OPEN, Status.RESOLVED)]


def test_after_all_takes_back() -> None:
    assert live(
        said("And put a small map link next to the place.", 1), said("No map links after all, they leak visitors.", 2)
    ) == ["No map links after all, they leak visitors."]


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("All 21 tests pass, on the Pi as well.", "The webhook is done, 38 tests pass."),
        ("對帳好了，每 10 分鐘一次，21 個測試過。", "webhook 三項都做完，38 個測試全過。"),
        ("排班做好了，21 个测试都通过", "短信也接好了，38 个测试全部通过"),
    ],
)
def test_a_later_total_of_tests_leaves_an_earlier_one_behind(earlier: str, later: str) -> None:
    assert live(said(earlier, 1, Kind.FACT), said(later, 4, Kind.FACT)) == [later]


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("All 38 tests pass.", "The import is fast now, its 6 tests pass."),
        ("38 個測試全過。", "匯入的 6 個測試都過。"),
        ("All 38 tests pass.", "The tests take 40 seconds."),
    ],
)
def test_a_part_of_the_tests_leaves_no_total_behind(earlier: str, later: str) -> None:
    assert earlier in live(said(earlier, 1, Kind.FACT), said(later, 4, Kind.FACT))


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("crabs drown after 4 turns under water", "take the drown stuff out again"),
        ("tune the model with optuna", "throw optuna out"),
    ],
)
def test_what_is_taken_out_no_longer_holds(earlier: str, later: str) -> None:
    assert earlier not in live(said(earlier, 1), said(later, 4))


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("crabs drown after 4 turns under water", "take the map out of the menu"),
        ("tune the model with optuna", "take the van out on Friday"),
    ],
)
def test_what_is_not_named_stays(earlier: str, later: str) -> None:
    assert earlier in live(said(earlier, 1), said(later, 4))
