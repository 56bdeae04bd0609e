"""`distill inject`: a state as the opening of the next task's prompt."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from distill.commands.run import load_state, write
from distill.config import Settings
from distill.model import SECTIONS, Item, State, Status
from distill.pipeline import heading_language
from distill.rank.budget import Omitted, fit
from distill.rank.relevance import pick
from distill.read.own import BEGIN, END, LIMIT
from distill.render import inject as form
from distill.text.clean import clean
from distill.text.language import han
from distill.text.mask import masked_state
from distill.text.tokens import counter, estimate

BUDGET = 1500  # tokens, where nobody says how many
ENCODING = "o200k_base"
MOST = LIMIT - 100  # items: a longer block would not be known for our own


@dataclass(frozen=True, slots=True, kw_only=True)
class Injection:
    """The opening of a prompt and what happened on the way: items shown, left out and not about the task."""

    text: str = ""
    shown: int = 0
    left: int = 0
    unrelated: int = 0
    matched: bool = True
    tokens: int = 0
    exact: bool = False


def inject_command(path: str, task: str, settings: Settings, *, messages: bool = False) -> int:
    """Print the opening of a prompt; account for it on standard error."""
    found = injection(load_state(path), settings, task=task, messages=messages)
    write(found.text, None)
    if not settings.quiet:
        for line in _account(found, path, task, settings):
            print(clean(line), file=sys.stderr)
    return 0


def injection(state: State, settings: Settings, *, task: str = "", messages: bool = False) -> Injection:
    """What the next prompt should carry of `state`: only what matters to `task`, where one is named.

    The whole text, as it is printed, keeps to `settings.budget`. A state without live items gives no text ("[]" as
    messages). Raises DistillError where the budget is smaller than the words around the items.
    """
    if settings.redact:
        state = masked_state(state, Counter())
    live = [item for item in state.items if item.status is Status.LIVE]
    if not live:
        return Injection(text="[]\n" if messages else "", exact=True)
    picked = pick(live, task)
    within, beyond = list(picked.items[:MOST]), picked.items[MOST:]
    before = [left + sum(item.kind is kind for item in beyond)
              for kind, left in zip(SECTIONS, state.omitted, strict=True)]
    opening = form.Opening(
        marker=(BEGIN, END), lang=heading_language(state, settings.lang), now=settings.now, as_of=state.covers[1],
        limits=dict(zip(SECTIONS, settings.old_after, strict=True)), unrelated=picked.unrelated, matched=picked.matched,
    )
    written = form.messages if messages else form.text

    def whole(items: Sequence[Item], omitted: Omitted) -> str:
        return written(items, [one + more for one, more in zip(omitted, before, strict=True)], opening)

    def line(item: Item) -> str:
        return form.item_line(item, opening, control=not messages)

    text = whole(within, (0, 0, 0, 0))
    left: Omitted = (0, 0, 0, 0)
    count = counter(settings.tokenizer or ENCODING)
    tokens, exact = estimate(text), False
    if settings.budget is not None and len(text.encode()) > settings.budget:  # no token is shorter than a byte
        within, left = fit(within, settings.budget, count.count, whole, line)
        text = whole(within, left)
    if settings.tokenizer or (settings.budget is not None and len(text.encode()) > settings.budget):
        tokens, exact = count.count(text), count.exact
    return Injection(text=text, shown=len(within), left=sum(before) + sum(left), unrelated=picked.unrelated,
                     matched=picked.matched, tokens=tokens, exact=exact)


def _account(found: Injection, path: str, task: str, settings: Settings) -> list[str]:
    lines = []
    if settings.verbose and han(task):
        from distill.text.words import PAIRS, segmenter

        name = segmenter().name
        lines.append("distill: Chinese is compared by pairs of characters; pip install 'distill-log[zh]' for words"
                     if name == PAIRS else f"distill: Chinese is cut into words by {name}")
    if not found.text.strip("[]\n"):
        return [*lines, f"distill: {path}: nothing to show: the state holds no item"]
    if not found.matched:
        lines.append("distill: nothing in the state is about this task; shown is what holds and what matters most")
    items = "1 item" if found.shown == 1 else f"{found.shown} items"
    off = f", {found.unrelated} not about the task" if found.unrelated else ""
    mark = "" if found.exact else "~"
    return [*lines, f"distill: {items} shown, {found.left} left out{off}; {mark}{found.tokens} tokens"]
