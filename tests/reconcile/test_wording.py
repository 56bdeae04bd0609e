"""Phrases that say nothing of what a statement is about."""

from __future__ import annotations

import pytest

from distill.reconcile.merge import likely
from distill.reconcile.parallel import parallel
from distill.reconcile.wording import bare


@pytest.mark.parametrize(("text", "left"), [
    ("We go with BSD, as said.", "We go with BSD."),
    ("再说一遍，日志保留 30 天。", "，日志保留 30 天。"),
    ("vendor/ 目录绝不能改动", "vendor/ 目录"),
    ("别动 vendor/ 目录", "vendor/ 目录"),
    ("Still to do: describe the limit", "Still to do: describe the limit"),
    ("As agreed.", "As agreed."),  # nothing would be left
    ("别动", "别动"),
])
def test_what_is_left(text: str, left: str) -> None:
    assert " ".join(bare(text).split()).replace(" .", ".") == left


def test_a_task_in_other_words_is_one() -> None:
    one, other = "Still to do: document the limit in docs/api.md.", "Still to do: describe the limit in docs/api.md."
    assert likely(one, other)
    assert not parallel(one, other)
