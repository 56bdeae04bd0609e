"""What matters to a task."""

from __future__ import annotations

import pytest

from distill.model import Item, Kind, Role, item_id
from distill.rank import relevance
from distill.rank.relevance import FEW, pick, standing
from distill.text import words


def item(text: str, kind: Kind = Kind.FACT, *, role: Role = Role.ASSISTANT, tags: tuple[str, ...] = (),
         confidence: float = 0.7) -> Item:
    return Item(id=item_id(kind, text), kind=kind, text=text, role=role, tags=tags, confidence=confidence)


LIMITS = item("Never send a real SMS from the tests", Kind.DECISION, role=Role.USER, tags=("constraint",))
BOATS = item("Boats are listed by berth", Kind.DECISION, role=Role.USER, tags=("pinned",))
KNOWN = (
    LIMITS,
    BOATS,
    item("src/tidewatch/limiter.py (created)", Kind.ARTIFACT),
    item("The counters of the rate limiter live in SQLite"),
    item("The invoice export writes UTF-16"),
    item("Invoices are exported at night", Kind.DECISION),
    item("The gauge by the pier reports every 6 minutes"),
    item("`docs/alerts.md` does not describe the limiter yet", Kind.OPEN),
    item("Rows of old readings are never deleted", Kind.OPEN),
)  # fmt: skip


def texts(task: str, items: tuple[Item, ...] = KNOWN) -> list[str]:
    return [one.text for one in pick(items, task).items]


def test_without_a_task_everything_matters() -> None:
    for task in ("", "  \n"):
        found = pick(KNOWN, task)
        assert set(found.items) == set(KNOWN)
        assert found.items[:2] == (BOATS, LIMITS)
        assert (found.unrelated, found.matched) == (0, True)


def test_only_what_shares_a_word_with_the_task_and_what_holds() -> None:
    found = pick(KNOWN, "Make the limits of the alert sender configurable")
    assert {one.text for one in found.items} == {
        LIMITS.text, BOATS.text, KNOWN[2].text, KNOWN[3].text, KNOWN[7].text}
    assert found.items[:2] == (BOATS, LIMITS)
    assert (found.unrelated, found.matched) == (4, True)


def test_what_says_most_about_the_task_comes_first() -> None:
    assert texts("the invoice export must not be in UTF-16")[2:] == [KNOWN[4].text, KNOWN[5].text]


def test_a_path_finds_what_names_it_or_its_parts() -> None:
    assert texts("look into src/tidewatch/limiter.py")[2] == KNOWN[2].text


def test_where_nothing_matches_what_holds_and_the_most_important_few() -> None:
    found = pick(KNOWN, "Write a poem")
    assert not found.matched
    assert found.items[:2] == (BOATS, LIMITS)
    assert len(found.items) == 2 + FEW
    assert found.unrelated == len(KNOWN) - len(found.items)


def test_a_task_of_words_that_say_nothing_matches_nothing() -> None:
    assert not pick(KNOWN, "please continue").matched


@pytest.mark.parametrize("task", ["work through the todos", "do the remaining work", "把待办做完", "处理剩下的"])
def test_a_task_that_asks_for_what_is_unfinished(task: str) -> None:
    assert set(texts(task)) == {BOATS.text, LIMITS.text, KNOWN[7].text, KNOWN[8].text}


ZH = (
    item("不改动现有的 user 表", Kind.DECISION, role=Role.USER, tags=("constraint",)),
    item("会话存储在 Redis 里", Kind.DECISION),
    item("服务部署在阿里云杭州区"),
    item("还没做导出报表的权限检查", Kind.OPEN),
    item("新增 6 个单元测试，覆盖登录流程", Kind.ARTIFACT),
)


@pytest.mark.parametrize(("task", "wanted"), [
    ("给报表导出加权限控制", [0, 3]),
    ("登录流程改成短信验证", [0, 4]),
    ("把 Redis 升级到 8", [0, 1]),
    ("move the sessions out of Redis", [0, 1]),
])
def test_chinese(task: str, wanted: list[int]) -> None:
    assert texts(task, ZH) == [ZH[place].text for place in wanted]


@pytest.mark.parametrize("text", [
    "Never deploy on Fridays", "Also, don't touch legacy/", "Passwords must not be logged", "legacy/ is off limits",
    "No new packages", "不要改动 user 表", "日志一律用 UTC", "禁止直接推送到 main", "别动 legacy 目录",
])
def test_what_is_forbidden_holds_even_where_nobody_marked_it(text: str) -> None:
    by_hand = item(text, Kind.DECISION, role=Role.USER)
    assert standing(by_hand)
    assert pick((*KNOWN, by_hand), "invoice export").items[-1] != by_hand
    assert by_hand in pick((*KNOWN, by_hand), "invoice export").items
    assert not standing(item(text, Kind.FACT, role=Role.USER))
    assert not standing(item(text, Kind.DECISION))


@pytest.mark.parametrize("text", ["Sessions live in Redis", "Take the third, nothing special", "别的页面也用蓝色"])
def test_a_plain_choice_does_not_hold_for_every_task(text: str) -> None:
    assert not standing(item(text, Kind.DECISION, role=Role.USER))


def test_the_order_does_not_depend_on_the_order_given() -> None:
    for task in ("", "invoice limiter export", "Write a poem"):
        assert pick(KNOWN[::-1], task) == pick(KNOWN, task)


def test_no_items() -> None:
    assert pick((), "invoice export").items == ()


def test_where_no_task_is_named_nothing_is_cut_into_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(relevance, "terms", None)
    assert len(pick(ZH).items) == len(ZH)


def test_a_task_without_chinese_loads_no_dictionary(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words, "segmenter", None)
    assert [one.text for one in pick(ZH, "move the sessions out of Redis").items] == [ZH[0].text, ZH[1].text]
