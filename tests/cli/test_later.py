"""A module that is put off is read at its first use, and is then the module itself."""

from __future__ import annotations

import subprocess
import sys


def said(script: str) -> str:
    """What a process of its own prints."""
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout


def test_it_is_read_when_something_in_it_is_used() -> None:
    found = said(
        "import sys\nfrom distill.commands.later import put_off\nput_off('colorsys')\nimport colorsys\n"
        "before = 'rgb_to_hsv' in vars(colorsys)\nprint(before, colorsys.rgb_to_hsv(0, 0, 0))\n"
        "import colorsys as again\nprint('rgb_to_hsv' in vars(again), sys.modules['colorsys'] is again)"
    )
    assert found == "False (0.0, 0.0, 0)\nTrue True\n"


def test_what_is_there_already_stays() -> None:
    assert said(
        "import json\nfrom distill.commands.later import put_off\nput_off('json')\nimport json as again\n"
        "print(again is json)"
    ) == "True\n"


def test_a_name_it_has_not_got_is_an_error_as_ever() -> None:
    assert said(
        "from distill.commands.later import put_off\nput_off('colorsys')\nimport colorsys\n"
        "print(hasattr(colorsys, 'nothing'))"
    ) == "False\n"
