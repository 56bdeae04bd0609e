"""The report as a page: whole, quiet, and as a browser shows it."""

from __future__ import annotations

import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest

from distill.fold.ledger import Row
from distill.fold.plot import plot
from tests.cli.tool import Tool
from tests.fold.logs import SESSIONS

BROWSER = next((path for name in ("chromium", "chromium-browser", "google-chrome", "chrome")
                if (path := shutil.which(name))), None)
VOID = {"meta", "link", "br", "hr", "img", "input"}


class Outline(HTMLParser):
    """The tags of a page: every one closed, none that fetches or runs anything."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        if tag not in VOID:
            self.open.append(tag)
        for name, value in attrs:
            assert not name.startswith("on")
            if name == "id":
                self.ids.append(value or "")
            if name in ("href", "src"):
                self.links.append(value or "")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.fixture(scope="module", params=["choir-mixed", "clinic-zh"])
def page(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    tool = Tool(folder)
    log = (SESSIONS / f"{request.param}.jsonl").read_text(encoding="utf-8")
    evil = '{"role": "user", "content": "Next: <script>alert(1)</script> & <img src=x onerror=alert(2)> \\u202etxt"}\n'
    tool.write("log.jsonl", log + evil + '{"role": "assistant", "content": "</pre></details><b>"}\n')
    ran = tool("fold", "log.jsonl", "--report", "html", "-q")
    assert ran.code == 0
    path = folder / "page.html"
    path.write_text(ran.out, encoding="utf-8")
    return path


def test_it_is_well_formed_and_fetches_nothing(page: Path) -> None:
    outline = Outline()
    text = page.read_text(encoding="utf-8")
    outline.feed(text)
    assert outline.open == []
    assert not outline.seen & {"script", "link", "img", "iframe", "object", "embed", "b"}
    assert all(link.startswith("#") for link in outline.links)
    assert {link[1:] for link in outline.links} == set(outline.ids)
    assert len(outline.ids) == len(set(outline.ids))
    assert "url(" not in text
    assert "default-src 'none'" in text
    assert "\u202e" not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text


def test_it_is_made_for_light_and_dark(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert "prefers-color-scheme: dark" in text
    light, dark = re.findall(r":root \{([^}]*)\}", text)
    names = set(re.findall(r"(--[a-z]+):", light))
    assert names == set(re.findall(r"(--[a-z]+):", dark))
    for mode in (light, dark):
        colours = dict(re.findall(r"--([a-z]+):\s*(#[0-9a-f]{6})", mode))
        for ink in ("ink", "dim", "whole", "window", "folded", "code", "consulting", "debugging"):
            assert _contrast(colours[ink], colours["paper"]) >= 4.5, ink


@pytest.mark.skipif(BROWSER is None, reason="needs a browser")
@pytest.mark.parametrize("page", ["choir-mixed"], indirect=True)
def test_a_browser_shows_it(page: Path) -> None:
    """Every card opens to what was said, and the plot has its three lines."""
    assert BROWSER
    shot = page.with_suffix(".png")
    call = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=1000,2000",
            f"--user-data-dir={page.parent / 'profile'}"]
    done = subprocess.run([*call, "--dump-dom", page.as_uri()], capture_output=True, timeout=120, check=False)
    dom = done.stdout.decode()
    if not dom:
        pytest.skip(f"the browser does not start here: {done.stderr.decode()[-200:]}")
    assert dom.count('<polyline class="line') == 3
    assert dom.count('<details class="card') >= 7
    assert dom.count('class="said"') >= 70
    assert "alert(1)</script>" not in dom
    subprocess.run([*call, f"--screenshot={shot}", page.as_uri()], capture_output=True, timeout=120, check=False)
    assert shot.stat().st_size > 20_000


def test_the_plot_of_few_turns_and_of_many() -> None:
    def row(turn: int) -> Row:
        return Row(turn=turn, record=turn, time=None, task="t1", whole=turn * 1000, window=500, folded=700, cards=0)

    names = ("whole", "window", "folded")
    assert plot([], names, "turn", "x") == ""
    assert plot([row(1)], names, "turn", "x").count("<circle") == 3
    many = plot([row(turn) for turn in range(1, 2001)], names, "turn", "x")
    assert many.count('class="hit"') == 2000
    assert 'text-anchor="middle">2001' not in many
    ends = [float(y) for y in re.findall(r'class="name \w+" x="[\d.]+" y="([\d.]+)"', many)]
    assert all(abs(one - other) >= 14 for number, one in enumerate(ends) for other in ends[:number])


def _contrast(one: str, other: str) -> float:
    def light(colour: str) -> float:
        parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
        red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    high, low = sorted((light(one), light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)
