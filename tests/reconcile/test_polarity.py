"""What denies and what affirms the same thing are two statements, and the later of them holds."""

from __future__ import annotations

import pytest

from distill.reconcile.polarity import denied
from distill.reconcile.subjects import contradicts, replaces, subject_of


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Never delete harvest rows, only mark them", {"drop", "harvest", "row"}),
        ("Trees keep integer keys, no ULIDs", {"ulid"}),
        ("The trees are in SQLite and not in files", {"fil"}),
        ("The phone number must not be exported", {"phon", "number", "export"}),
        ("We don't use Redis here but files", {"redi"}),
        ("Remove the map and log a warning", {"-", "map"}),
        ("The old map is dropped", {"-", "old", "map"}),
        ("Not only the map but the list is slow", set()),
        ("Don't forget the labels", set()),
        ("别忘了标签", set()),
        ("删除旧的标签，保留地图", {"-", "除旧", "旧的", "的标", "标签"}),
        ("记录不能删，标签留着", {"记录", "录不", "不能", "能删"}),
    ],
)
def test_what_stands_under_a_negation(text: str, words: set[str]) -> None:
    assert denied(text) == words


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Use ULIDs as keys of the trees", "Trees keep integer keys, no ULIDs"),
        ("Root cause of the dropouts: the DNS cache of the gateway", "It was not the DNS cache"),
        ("Keep the legacy CSV importer", "We can drop the legacy CSV importer"),
        ("保留旧的短信通道", "取消旧的短信通道"),
    ],
)
def test_a_denial_is_no_rewording_of_what_it_denies(one: str, other: str) -> None:
    assert contradicts(subject_of(one), subject_of(other))
    assert contradicts(subject_of(other), subject_of(one))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Never delete harvest rows, only mark them", "Harvest rows are never deleted"),
        ("An alert over the limit → drop it and log a warning", "An alert over the limit is dropped and logged"),
        ("Use SQLite for the rows, not files", "The rows are in SQLite"),
        ("采收记录不能删除", "绝不删除采收记录"),
        ("Cache only the thumbnails, the photos are large", "Thumbnails are cached, the photos are not"),
        ("手机号不能导出", "导出列固定为座位和时间，不含手机号"),
        ("The old map is removed after the move", "The old map can be deleted once the move is over"),
    ],
)
def test_two_that_deny_the_same_do_not_contradict_each_other(one: str, other: str) -> None:
    assert not contradicts(subject_of(one), subject_of(other))


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("Use Redis for the sessions", "Don't use Redis for the sessions"),
        ("Don't round the weights", "Round the weights"),
        ("Use ULIDs as keys of the trees", "Undo that change: trees keep integer keys, no ULIDs"),
        ("会话存 Redis", "不要把会话存 Redis"),
    ],
)
def test_the_later_of_a_choice_and_its_denial_holds(earlier: str, later: str) -> None:
    assert replaces(subject_of(later), subject_of(earlier))


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("Don't delete harvest rows", "Delete harvest rows older than ten years"),  # an exception
        ("Don't push", "Push"),  # once
        ("Don't use Redis for the sessions", "Don't use Redis for the sessions of guests"),
        ("采收记录不能删除", "十年以上的采收记录可以删除"),
    ],
)
def test_an_exception_lifts_no_ban(earlier: str, later: str) -> None:
    assert not replaces(subject_of(later), subject_of(earlier))
