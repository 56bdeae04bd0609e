"""What the end of a log, judged alone, shows of the beginning that an earlier run has judged."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from distill.classify.earlier import COMMIT, FILE, Earlier
from distill.classify.features import named_paths
from distill.classify.judge import Judge
from distill.model import Finding, Item, Tail

# What tells the latest of something, wherever it stands; and a proposal, which may stand before the words that took it.
_WHOLE = frozenset((FILE, COMMIT, "artifact/opened", "open/task", "open/failed-push", "decision/accepted"))


def new_findings(found: Sequence[Finding], since: int) -> Sequence[Finding]:
    """The findings without those of the records before `since`, which are known."""
    return [one for one in found if one.source.record >= since or one.rule in _WHOLE] if since else found


def tail_of(judge: Judge, path: str, since: int, made: Iterable[Earlier]) -> Tail:
    """What the log `path` shows from the record `since` on; `made` are the files and commits from before."""
    acts = judge.acts
    touched = {one.key for one in made if not acts.untouched(one.key)}

    def is_touched(item: Item) -> bool:
        return any(source.quote in touched for source in item.sources)

    gone = bool(acts.deleted)

    def is_overtaken(item: Item) -> bool:
        if not gone:
            return False
        last = max((source.record for source in item.sources), default=0)
        return any(acts.is_gone(name, last) for name in named_paths(item.text))

    return Tail(path=path, since=since, planned=acts.planned, pushed=acts.pushed, changed=acts.last_change >= since,
                touched=is_touched, overtaken=is_overtaken)
