"""What the end of a log, judged alone, shows of the beginning that an earlier run has judged."""

from __future__ import annotations

from collections.abc import Iterable

from distill.classify.earlier import COMMIT, FILE, earlier
from distill.classify.features import named_paths
from distill.classify.judge import Judge
from distill.model import Finding, Item, Tail

# What tells the latest of something, wherever it stands; and a proposal, which may stand before the words that took it.
_WHOLE = frozenset((FILE, COMMIT, "artifact/opened", "open/task", "open/failed-push", "decision/accepted"))


class Resumed:
    """A judge of the end of a log: it knows what the records before `since` made, and finds only what is new."""

    def __init__(self, judge: Judge, before: Iterable[Item], path: str, since: int) -> None:
        """`judge` has judged nothing yet; `before` are the items of the state that holds the beginning of the log."""
        self._judge = judge
        self._path = path
        self._since = since
        files, commits = earlier(before, path, since)
        self._made = [one.key for one in (*files, *commits)]
        judge.acts.remember(files, commits, since)

    def findings(self) -> list[Finding]:
        """What was found, without what stands in the records before `since` and is known."""
        return [one for one in self._judge.findings() if one.source.record >= self._since or one.rule in _WHOLE]

    def tail(self) -> Tail:
        """What the end shows of the beginning; after `findings`."""
        acts = self._judge.acts
        touched = {key for key in self._made if not acts.untouched(key)}
        gone = bool(acts.deleted)

        def is_touched(item: Item) -> bool:
            return any(source.quote in touched for source in item.sources)

        def is_overtaken(item: Item) -> bool:
            if not gone:
                return False
            last = max((source.record for source in item.sources), default=0)
            return any(acts.is_gone(name, last) for name in named_paths(item.text))

        return Tail(path=self._path, since=self._since, planned=acts.planned, pushed=acts.pushed,
                    changed=acts.last_change >= self._since, touched=is_touched, overtaken=is_overtaken)
