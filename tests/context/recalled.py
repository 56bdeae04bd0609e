"""How much `recall` finds, with the ways to cut Chinese beside each other."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from distill.context.recall import words
from distill.layered import Context
from distill.text.words import terms
from tests.context.scenario import NOW

HERE = Path(__file__).parent


def memories() -> tuple[list[dict[str, Any]], list[dict[str, str]]]:
    """Finished tasks, and queries with the title of the task that answers each ("" for none)."""
    import yaml

    data = yaml.safe_load((HERE / "memories.yaml").read_text(encoding="utf-8"))
    return data["tasks"], data["queries"]


def filled(folder: str, tasks: list[dict[str, Any]]) -> Context:
    """A context in whose memory these tasks are."""
    context = Context.init(folder, now=NOW)
    for task in tasks:
        context.start(task["title"])
        for name, value in task["set"].items():
            context.set(name, str(value))
        for name, value in task["result"].items():
            context.result(name, str(value))
        context.finish()
    return context


def found_share() -> dict[str, str]:
    """For each way of cutting: queries whose task is the first hit of FTS5; for pairs also those of `recall`."""
    tasks, queries = memories()
    answered = [one for one in queries if one["task"]]
    rows: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        context = filled(folder, tasks)
        texts = {row.title: f"{row.title} {row.summary}" for row in context.desk(whole=True).memories}
        for way, cut, tokenizer in (
            ("runs of three", lambda text: [text], "trigram"),
            ("words of a dictionary", lambda text: sorted(terms(text)), "unicode61"),
            ("pairs", words, "unicode61"),
        ):
            hits = _first(texts, answered, cut, tokenizer)
            rows[way] = f"{hits} of {len(answered)}"
        first = sum(bool(hits) and hits[0].memory.title == one["task"] for one in answered
                    for hits in [context.recall(one["query"])])
        none = [one for one in queries if not one["task"]]
        silent = sum(not context.recall(one["query"]) for one in none)
        rows["as it is"] = f"{first} of {len(answered)} first, silent on {silent} of {len(none)} about nothing there"
    return rows


def _first(texts: dict[str, str], queries: list[dict[str, str]], cut: Callable[[str], Any], tokenizer: str) -> int:
    """The queries whose task FTS5 ranks first, where texts and queries are cut like this."""
    import sqlite3

    with closing(sqlite3.connect(":memory:")) as base:
        base.execute(f"CREATE VIRTUAL TABLE found USING fts5 (title UNINDEXED, words, tokenize = '{tokenizer}')")
        for title, text in texts.items():
            base.execute("INSERT INTO found VALUES (?, ?)", (title, " ".join(cut(text))))
        hits = 0
        for one in queries:
            asked = cut(one["query"])
            if tokenizer == "trigram":
                bare = "".join(sign if sign.isalnum() else " " for sign in one["query"])
                asked = [word[at : at + 3] for word in bare.split() for at in range(max(1, len(word) - 2))]
            match = " OR ".join('"' + word.replace('"', "") + '"' for word in asked if len(word) > 1)
            row = match and base.execute("SELECT title FROM found WHERE found MATCH ? ORDER BY rank LIMIT 1",
                                         (match,)).fetchone()
            hits += bool(row) and row[0] == one["task"]
        return hits
