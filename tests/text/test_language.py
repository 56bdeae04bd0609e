from __future__ import annotations

from collections import Counter

import pytest

from distill.text.language import dominant, han, language, script, width


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "en"),
        ("12345 !?", "en"),
        ("We use PostgreSQL 16.", "en"),
        ("就用 PostgreSQL 16", "zh"),
        ("把 config.yaml 里的 max_retries 改成 3", "zh"),
        ("用 FastAPI + PostgreSQL + Redis + Celery + Docker Compose", "zh"),
        ("跑 npm run build", "zh"),
        ("决定采用 src/api/routes/users.py 里的 get_user_by_id", "zh"),
        ("Rename the label 「提交」 to 「保存」 in the form", "en"),
        ("Set title to 首页", "en"),
        ("The 用户 table is not to be changed", "en"),
    ],
)
def test_language(text: str, expected: str) -> None:
    assert language(text) == expected


def test_dominant() -> None:
    assert dominant(Counter(zh=3, en=1)) == "zh"
    assert dominant(Counter(zh=1, en=3)) == "en"
    assert dominant(Counter(zh=2, en=2)) == "zh"
    assert dominant({}) == "en"
    assert dominant({}, default="zh") == "zh"


def test_han_and_width() -> None:
    assert han("改成 3 次，abc") == 3
    assert han("plain") == 0
    assert width("plain") == 5
    assert width("改成 3 次") == 2 * 3 + 3
    assert width("（ｘ）") == 6
    assert width("ok 👍") == 5


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("水位一律用毫米記錄，後面再補單位", "zh-Hant"),
        ("水位一律用毫米记录，后面再补单位", "zh"),
        ("把閘門的開關寫進 config.toml，不要改 API", "zh-Hant"),
        ("停了", "zh"),
        ("Keep the label 開關 on the gate and on the pump", "en"),
        ("Keep it.", "en"),
    ],
)
def test_script(text: str, wanted: str) -> None:
    assert script(text) == wanted
