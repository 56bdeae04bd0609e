"""The tokens of every turn as a plot: one SVG that needs no script, no font and no network."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import pairwise

from distill.fold.ledger import Row

_WIDTH, _HEIGHT = 960, 320
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 132, 14, 34
_GAP = 15  # between two names at the ends of lines
_TICKS = 5
Names = tuple[str, str, str]  # of the whole history, the window, folded


def plot(rows: Sequence[Row], names: Names, turn: str, title: str) -> str:
    """Three lines over the turns, named where they end; the numbers of a turn show where the pointer is."""
    if not rows:
        return ""
    most = max(max(row.whole, row.window, row.folded) for row in rows) or 1
    step = _step(most)
    top = -(-most // step) * step
    inner = _WIDTH - _LEFT - _RIGHT

    def x(place: int) -> float:
        return _LEFT + (inner * place / (len(rows) - 1) if len(rows) > 1 else inner / 2)

    def y(value: float) -> float:
        return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (1 - value / top)

    parts = [f'<svg class="plot" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{escape(title)}">']
    parts += [
        f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y(value):.1f}" y2="{y(value):.1f}"/>'
        f'<text class="tick" x="{_LEFT - 8}" y="{y(value) + 4:.1f}" text-anchor="end">{value:,}</text>'
        for value in range(0, top + 1, step)
    ]
    parts += [
        f'<text class="tick" x="{x(place):.1f}" y="{_HEIGHT - 12}" text-anchor="middle">{rows[place].turn}</text>'
        for place in range(0, len(rows), max(1, len(rows) // 10))
    ]
    for place, row in enumerate(rows):
        if place and row.task != rows[place - 1].task:
            middle = (x(place) + x(place - 1)) / 2
            parts.append(f'<line class="border" x1="{middle:.1f}" x2="{middle:.1f}" y1="{_TOP}" '
                         f'y2="{_HEIGHT - _BOTTOM}"/>')
    series = [[row.whole for row in rows], [row.window for row in rows], [row.folded for row in rows]]
    kinds = ("whole", "window", "folded")
    for kind, values in zip(kinds, series, strict=True):
        points = " ".join(f"{x(place):.1f},{y(value):.1f}" for place, value in enumerate(values))
        parts.append(f'<polyline class="line {kind}" points="{points}"/>')
        if len(rows) == 1:
            parts.append(f'<circle class="dot {kind}" cx="{x(0):.1f}" cy="{y(values[0]):.1f}" r="3"/>')
    for kind, name, end in zip(kinds, names, _apart([y(one[-1]) for one in series]), strict=True):
        parts.append(f'<text class="name {kind}" x="{_WIDTH - _RIGHT + 8}" y="{end + 4:.1f}">{escape(name)}</text>')
    half = inner / max(1, len(rows) - 1) / 2 if len(rows) > 1 else inner / 2
    for place, row in enumerate(rows):
        told = (f"{turn} {row.turn} ({row.task}): {names[0]} {row.whole:,}, {names[1]} {row.window:,}, "
                f"{names[2]} {row.folded:,}")
        parts.append(f'<rect class="hit" x="{x(place) - half:.1f}" y="{_TOP}" width="{2 * half:.1f}" '
                     f'height="{_HEIGHT - _TOP - _BOTTOM}"><title>{escape(told)}</title></rect>')
    return "\n".join([*parts, "</svg>"])


def _step(most: int) -> int:
    """A round distance between the lines of a grid."""
    rough = max(1, most // _TICKS)
    scale = int("1" + "0" * (len(str(rough)) - 1))
    return next((factor * scale for factor in (1, 2, 5) if factor * scale >= rough), 10 * scale)


def _apart(places: Sequence[float]) -> list[float]:
    """The same places, moved so far that names at them do not touch."""
    order = sorted(range(len(places)), key=lambda number: places[number])
    found = list(places)
    for before, number in pairwise(order):
        found[number] = max(found[number], found[before] + _GAP)
    over = max(found) - (_HEIGHT - _BOTTOM)
    return [place - over for place in found] if over > 0 else found
