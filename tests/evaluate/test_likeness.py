from __future__ import annotations

import pytest

from distill.evaluate.likeness import alike, terms, tokens


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Use PostgreSQL 16 as the database", {"use": 1, "postgresql": 1, "16": 1, "database": 1}),
        ("do not do it, not now", {"not": 2, "now": 1}),
        ("src/app/main.py", {"src": 1, "app": 1, "main.py": 2}),
        (r"src\app\main.py", {"src": 1, "app": 1, "main.py": 2}),
        ("on/the/way", {"way": 2}),
        ("v1.2 re-run x_y", {"v1.2": 1, "re-run": 1, "x_y": 1}),
        ("ＵＴＦ８ and UTF8", {"utf8": 2}),
        ("数据库切换", {"数据": 1, "据库": 1, "库切": 1, "切换": 1}),
        ("用 redis，不用", {"用": 1, "redis": 1, "不用": 1}),
        ("the of …", {}),
        ("", {}),
    ],
)
def test_terms(text: str, found: dict[str, int]) -> None:
    assert terms(text) == found


@pytest.mark.parametrize(
    ("common", "said", "wanted", "worth"),
    [
        (2, 3, 4, 0.5),  # 2/4 against 0.75 * 2/3: both a half
        (3, 3, 6, 0.75),  # a fragment of what is wanted counts three quarters
        (4, 20, 4, 1.0),
        (1, 5, 1, 1.0),  # one term is enough where no more is wanted
        (1, 1, 2, 0.0),  # else it is chance
        (0, 5, 5, 0.0),
    ],
)
def test_alike(common: int, said: int, wanted: int, worth: float) -> None:
    assert alike(common, said, wanted) == pytest.approx(worth)


def test_tokens() -> None:
    # six characters at 0.95; redis, the comma and the full stop at 0.88
    assert tokens("换成 redis，不要旧库。") == pytest.approx(6 * 0.95 + 3 * 0.88)
    assert tokens("") == 0
