"""What the form of a statement shows."""

import pytest

from distill.classify.features import hollow


@pytest.mark.parametrize(
    ("text", "empty"),
    [
        ("do it like that", False),  # "like" is no word that only points
        ("ok, go ahead then", True),
        ("Change all of them", False),
        ("This one, now!", True),
        ("go with uv", False),
        ("that's it", True),
        ("do it 3", True),
        ("do it 37", False),
        ("thesis", False),
        ("照这样改", True),
        ("就用它", True),
        ("继续吧", True),
        ("改 uv 吧", False),
        ("用 SQLite", False),
    ],
)
def test_words_that_only_point_name_nothing(text: str, empty: bool) -> None:
    assert hollow(text) is empty
