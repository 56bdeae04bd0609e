"""From what a judge saw to items: the stretch of the corridor that whole logs and the parts of a session go alike."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from distill.classify.candidate import Candidate
from distill.classify.judge import Judge
from distill.model import Finding, Item, Kind, Role, Status
from distill.reconcile.echoes import without_echoes
from distill.reconcile.endings import finish
from distill.reconcile.merge import merge, settle, to_item, with_history
from distill.reconcile.over import allows, done, gives_up, ordered
from distill.reconcile.over import deleted as deleted_path
from distill.reconcile.said import Endings, Said
from distill.reconcile.select import select
from distill.text.clean import clean
from distill.text.lazy import Lazy
from distill.text.mask import masked

_UNREAL = frozenset(["question", "hypothetical", "quoted", "uncertain"])  # neither done nor given up
_NO_LONGER = Lazy(r"\bno longer\b|\bany ?more\b|不再|不会再", re.IGNORECASE)
_AHEAD = frozenset(["proposed", "deferred", "requested"])  # not done yet


def concluded(
    judge: Judge, findings: Sequence[Finding], weighed: int, newest: str | None, share: Mapping[Kind, float]
) -> tuple[list[Item], Endings]:
    """The items that `findings` are, which `judge` made of `weighed` statements; and what it heard to be finished."""
    groups = without_echoes(merge(findings))
    endings = _endings(judge, newest)
    settle(groups)
    finish(groups, endings)
    behind = judge.acts.left_behind(judge.pool)
    for group in groups:
        if group.best.rule == "open/task" and group.best.text in behind:
            group.status = Status.SUPERSEDED
    kept = select(groups, weighed, share)
    return with_history(kept, [to_item(group) for group in kept]), endings


def _endings(judge: Judge, newest: str | None) -> Endings:
    """What the log says to be done, the files it deleted, and what its people gave up or allowed."""
    finished: list[Said] = []
    dropped: list[Said] = []
    deleted = [Said(text=path, time=time, record=record) for path, record, time in judge.acts.deleted]
    for candidate in judge.pool:
        one = candidate.statement
        if candidate.finishes or _mends(candidate):
            finished.append(Said(text=one.text, time=one.time, record=one.record))
        elif not candidate.verdict.modifiers & (_UNREAL | _AHEAD) and (verbs := done(one.text)):
            finished.append(Said(text=one.text, time=one.time, record=one.record, verbs=verbs))
        if one.role is Role.ASSISTANT or candidate.verdict.modifiers & _UNREAL:
            continue
        if gives_up(one.text) or allows(one.text) or ordered(one.text):
            dropped.append(Said(text=one.text, time=one.time, record=one.record))
        if path := deleted_path(one.text):
            deleted.append(Said(text=path, time=one.time, record=one.record))
    finished += [Said(text=text, time=time, record=record) for text, record, time in judge.acts.commits]
    finished += [Said(text=task.text, time=newest) for task in judge.acts.tasks if task.status == "completed"]
    return Endings(finished=tuple(finished), deleted=tuple(deleted), dropped=tuple(dropped),
                   changed=judge.acts.last_change > 0, until=newest)


def _mends(candidate: Candidate) -> bool:
    """Whether it says that something wrong is over: "fixed, it no longer crashes"."""
    modifiers = candidate.verdict.modifiers
    return "completed" in modifiers and not modifiers & (_UNREAL | _AHEAD) and bool(_NO_LONGER.search(candidate.text))


def shown(findings: Sequence[Finding], redacted: Counter[str] | None) -> list[Finding]:
    """Findings whose words may be shown: no control characters, no line breaks, and nothing that these had hidden."""

    def plain(text: str) -> str:
        bare = clean(text)
        return masked(bare, redacted) if redacted is not None and bare != text else bare

    found = []
    for one in findings:
        if not one.text.strip():
            continue
        text, quote = plain(one.text), plain(one.source.quote)
        same = text == one.text and quote == one.source.quote
        found.append(one if same else replace(one, text=text, source=replace(one.source, quote=quote)))
    return found
