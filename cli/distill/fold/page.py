"""The report as one HTML page: nothing is fetched, nothing runs; it reads in light and dark, on paper and aloud."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files

from distill.fold.cards import Card
from distill.fold.ledger import Row, sums
from distill.fold.plot import plot
from distill.fold.report import Report
from distill.fold.traits import CardKind

_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Words:
    """What the page says in one language."""

    title: str
    saved: str
    detail: str
    tokens: str
    lines: tuple[str, str, str]
    timeline: str
    tasks: str
    said: str
    became: str
    turn: str
    records: str
    kinds: dict[CardKind, str]
    numbers: str
    columns: tuple[str, ...]


_EN = _Words(
    title="Folded session", saved="{} of the prompt tokens saved",
    detail="{turns} turns, {tasks} tasks. All prompts together: {whole} tokens with the whole history, {window} with a "
           "sliding window, {folded} folded. No folded prompt takes more than {most}.",
    tokens="Tokens of each turn's prompt", lines=("whole history", "sliding window", "folded"),
    timeline="Tasks over the turns", tasks="Cards", said="What was said", became="part of {}", turn="turn",
    records="records {}",
    kinds={CardKind.CODE: "code", CardKind.CONSULTING: "advice", CardKind.DEBUGGING: "debugging",
           CardKind.ARCHIVE: "archive"},
    numbers="The numbers", columns=("turn", "record", "task", "whole", "window", "folded", "what happened"),
)
_ZH = _Words(
    title="会话折叠报告", saved="节省了 {} 的提示词元",
    detail="共 {turns} 轮、{tasks} 个任务。全部提示合计：完整历史 {whole} 词元，滑动窗口 {window}，折叠后 {folded}。"
           "折叠后单次提示最多 {most} 词元。",
    tokens="每一轮提示的词元数", lines=("完整历史", "滑动窗口", "折叠"), timeline="任务时间线", tasks="卡片",
    said="原文", became="并入 {}", turn="轮", records="记录 {}",
    kinds={CardKind.CODE: "编码", CardKind.CONSULTING: "咨询", CardKind.DEBUGGING: "排错", CardKind.ARCHIVE: "归档"},
    numbers="数据表", columns=("轮", "记录", "任务", "完整历史", "滑动窗口", "折叠", "事件"),
)


def as_page(report: Report) -> str:
    """The report as HTML, all of it in one file."""
    words = _ZH if report.lang == "zh" else _EN
    total = sums(report.rows)
    detail = words.detail.format(turns=total.turns, tasks=len(report.cards), whole=f"{total.whole:,}",
                                 window=f"{total.window:,}", folded=f"{total.folded:,}", most=f"{total.most_folded:,}")
    body = [
        f"<h1>{words.title} · {_safe(report.log)}</h1>",
        f'<p class="sum">{escape(words.saved.format(f"{total.saved:.1%}"))}</p>',
        f'<p class="detail">{escape(detail)}</p>',
        f"<h2>{words.tokens}</h2>",
        f'<div class="scroll">{plot(report.rows, words.lines, words.turn, words.tokens)}</div>',
        f"<h2>{words.timeline}</h2>",
        *(_lane(card, report.rows) for card in report.cards),
        f"<h2>{words.tasks}</h2>",
        *(_card(card, report, words) for card in report.cards),
        f'<details class="numbers"><summary>{words.numbers}</summary><div class="scroll">'
        f"{_table(report.rows, words)}</div></details>",
    ]
    style = files("distill.fold").joinpath("page.css").read_text(encoding="utf-8")
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    return "\n".join([
        "<!DOCTYPE html>", f'<html lang="{report.lang}">', "<head>", '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{words.title}: {_safe(report.log)}</title>", f"<style>\n{style}</style>", "</head>", "<body>", *body,
        "</body>", "</html>", "",
    ])


def _lane(card: Card, rows: Sequence[Row]) -> str:
    """A task on the timeline: a bar for each stretch of turns that belongs to it."""
    bars = []
    start: int | None = None
    for place, row in enumerate([*rows, None]):
        inside = row is not None and row.task == card.id
        if inside and start is None:
            start = place
        elif not inside and start is not None:
            left, width = 100 * start / len(rows), 100 * (place - start) / len(rows)
            title = f"{rows[start].turn}–{rows[place - 1].turn}"
            bars.append(f'<span class="bar" style="left:{left:.2f}%;width:{width:.2f}%" title="{title}"></span>')
            start = None
    return (f'<div class="lane {card.kind}"><a href="#{card.id}" title="{_safe(card.goal)}">{_safe(card.goal)}</a>'
            f'<div class="track">{"".join(bars)}</div></div>')


def _card(card: Card, report: Report, words: _Words) -> str:
    became = report.aliases.get(card.id)
    ranges = ", ".join(f"{first}–{last}" for first, last in card.records)
    meta = [card.id, words.records.format(ranges), *([words.became.format(became)] if became else [])]
    text = report.texts[card.id].partition("\n")[2]
    said = [_said(row, report, words) for row in report.rows if row.task == card.id]
    return "\n".join([
        f'<details class="card {card.kind}" id="{card.id}">',
        f'<summary><span class="goal">{_safe(card.goal)}</span><span class="kind">{words.kinds[card.kind]}</span> '
        f'<span class="meta">{_safe(" · ".join(meta))}</span></summary>',
        f"<pre>{_safe(text)}</pre>" if text else "",
        f'<details class="source"><summary class="meta">{words.said}</summary>', *said, "</details>",
        "</details>",
    ])


def _said(row: Row, report: Report, words: _Words) -> str:
    return "\n".join(
        f'<div class="said"><div class="who">{words.turn} {row.turn} · {message.record} · {message.role}</div>'
        f"<pre>{_safe(message.text)}</pre></div>"
        for message in report.said.get(row.turn, ())
    )


def _table(rows: Sequence[Row], words: _Words) -> str:
    head = "".join(f"<th>{column}</th>" for column in words.columns)
    lines = []
    for row in rows:
        cells = (str(row.turn), str(row.record), row.task, f"{row.whole:,}", f"{row.window:,}", f"{row.folded:,}",
                 ", ".join(row.events))
        lines.append("<tr>" + "".join(f"<td>{_safe(cell)}</td>" for cell in cells) + "</tr>")
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>"


def _safe(text: str) -> str:
    """Recorded text as HTML shows it: no markup, nothing that acts."""
    return escape(_CONTROLS.sub("", text))
