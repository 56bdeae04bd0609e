"""`distill fold`: a long session as task cards and the last turns, and what that saves."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from distill.commands.fold_library import keep, kept
from distill.commands.run import PIPE, write
from distill.config import Settings
from distill.fold.cards import Card
from distill.fold.exchange import Exchange, Message
from distill.fold.ledger import sums
from distill.fold.numbers import FoldNumbers
from distill.fold.page import as_page
from distill.fold.recall import relevant
from distill.fold.report import Report, as_json, as_table, why
from distill.fold.session import Corrections, task_id
from distill.folder import Folder
from distill.model import DistillError, InputError
from distill.read.formats import format_named, recognise
from distill.read.log import Log
from distill.read.opening import not_understood, open_log
from distill.segment.window import Window
from distill.store.folds import Joins, Splits, load_folds, save_folds
from distill.text.clean import clean
from distill.text.tokens import counter

REPORTS = ("table", "json", "html")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is wanted beside the context itself, as it was typed."""

    messages: bool = False
    why: bool = False
    expand: str | None = None
    split: Sequence[int] = ()
    join: tuple[str, str] | None = None
    report: str | None = None
    recall: str | None = None
    keep: bool = False


@dataclass(frozen=True, slots=True)
class _Folded:
    """A log that was folded: the folder, how the log was read, and its turns by number."""

    folder: Folder
    log: Log
    form: str
    turns: dict[int, Exchange]


def fold_command(path: str | None, settings: Settings, asked: Asked) -> int:
    """Fold the log at `path`, print what was asked for, account for it; the exit code."""
    if asked.report is not None and asked.report not in REPORTS:
        raise DistillError(f"--report: {asked.report!r} is none of {', '.join(REPORTS)}")
    recalled = _recalled(asked.recall, settings) if asked.recall else []
    if path is None:
        return _only_recalled(recalled, asked, settings)
    if (asked.split or asked.join) and path == PIPE:
        raise DistillError("--split and --join are kept beside the log: name its file, not standard input")
    splits, joins = load_folds(path) if path != PIPE else ((), ())
    if asked.split or asked.join:
        splits, joins = _corrected(_fold(path, settings, splits, joins, ()), path, splits, joins, asked)
    done = _fold(path, settings, splits, joins, recalled)
    skipped = done.log.tally.skipped_records
    if skipped and settings.strict:
        _say(f"nothing written, since {skipped} records could not be read (--strict)")
        return 4
    write(_answer(done, asked, settings), None)
    if asked.keep:
        count = keep(done.folder.tasks)
        if not settings.quiet:
            _say(f"cards kept: {len(done.folder.tasks)}; the library holds {count}")
    if not settings.quiet:
        _say(_account(done))
    return 4 if skipped else 0


def folded(path: str, settings: Settings) -> Folder:
    """The log at `path`, folded without corrections by hand."""
    return _fold(path, settings, (), (), ()).folder


def _fold(path: str, settings: Settings, splits: Splits, joins: Joins, recalled: Sequence[Card]) -> _Folded:
    turns: dict[int, Exchange] = {}

    def watch(one: Exchange) -> None:
        turns[one.number] = one

    folder = Folder(
        settings.fold, packs=settings.packs, builtin_rules=settings.builtin_rules, recalled=recalled,
        tokenizer=settings.tokenizer or "estimate", language=settings.lang, redact=settings.redact, log=path,
        corrections=Corrections(splits=splits, joins=joins), watch=watch,
    )
    with ExitStack() as stack:
        log = open_log(path, stack)
        log.conversation = settings.conversation
        form = format_named(settings.source) if settings.source else recognise(log)
        window = Window(after=settings.since, until=settings.until,
                        redacted=folder.redacted if settings.redact else None)
        folder.feed(window.look(form.events(log)))
        if not log.tally.understood:
            raise not_understood(path, form.name, log.tally)
    folder.finish()
    return _Folded(folder, log, form.name, turns)


def _answer(done: _Folded, asked: Asked, settings: Settings) -> str:
    """What goes to standard output."""
    if asked.expand is not None:
        return _expanded(done, asked.expand)
    if asked.why:
        return why(done.folder.boundaries)
    if asked.report is not None:
        forms: dict[str, Callable[[Report], str]] = {"table": as_table, "json": as_json, "html": as_page}
        return forms[asked.report](_report(done, settings))
    if asked.messages:
        from distill.render.lines import to_json

        return to_json(done.folder.messages(), indent=2) + "\n"
    return done.folder.text()


def _report(done: _Folded, settings: Settings) -> Report:
    folder = done.folder
    lang = folder.spoken
    cards = folder.tasks
    return Report(
        log=done.log.path, encoding=counter(settings.tokenizer or "estimate").encoding, cards=cards,
        texts={card.id: folder.wording(card, lang) for card in cards}, rows=folder.ledger, verdicts=folder.boundaries,
        aliases=folder.aliases, said={number: one.messages for number, one in done.turns.items()}, lang=lang,
    )


def _expanded(done: _Folded, name: str) -> str:
    """The turns that a card stands for, as they were said."""
    card = next((card for card in (*done.folder.cards, *done.folder.tasks) if card.id == name), None)
    if card is None:
        raise DistillError(f"--expand: there is no card {name!r}; there are "
                           f"{', '.join(card.id for card in done.folder.tasks) or 'none'}")
    parts = []
    for one in done.turns.values():
        if any(first <= one.first <= last for first, last in card.records):
            parts += [_shown(message) for message in one.messages]
    return "\n".join(parts)


def _shown(message: Message) -> str:
    return f"{message.record} {message.role}: {clean(message.text, one_line=False)}\n"


def _corrected(done: _Folded, path: str, splits: Splits, joins: Joins, asked: Asked) -> tuple[Splits, Joins]:
    """The corrections with those that are asked for, kept beside the log."""
    found, pairs = set(splits), list(joins)
    for record in asked.split:
        turn = next((one for one in done.turns.values() if one.first <= record <= one.last), None)
        if turn is None:
            raise DistillError(f"--split: no turn of {path} holds the record {record}")
        found.add(turn.first)
        pairs = [pair for pair in pairs if pair[1] != task_id(turn.first)]
    if asked.join is not None:
        known = {row.task: row.record for row in reversed(done.folder.ledger)}
        for name in asked.join:
            if name not in known:
                raise DistillError(f"--join: there is no card {name!r}; there are {', '.join(reversed(known))}")
        older, newer = sorted(asked.join, key=lambda name: known[name])
        if older == newer:
            raise DistillError(f"--join: {older!r} stands twice; name two cards")
        found.discard(known[newer])
        pairs.append((older, newer))
    save_folds(path, sorted(found), pairs)
    return tuple(sorted(found)), tuple(dict.fromkeys(pairs))


# -- the library of cards ---------------------------------------------------------------------------------------------


def _recalled(task: str, settings: Settings) -> list[Card]:
    """The cards of earlier sessions that are most about `task`."""
    return relevant(kept(), task, (settings.fold or FoldNumbers()).recalled)


def _only_recalled(recalled: Sequence[Card], asked: Asked, settings: Settings) -> int:
    """Print the cards that were recalled, without a log."""
    if asked.recall is None:
        raise InputError("no log named; try distill fold LOG, or --recall TASK for cards of earlier sessions")
    folder = Folder(settings.fold, packs=settings.packs, builtin_rules=settings.builtin_rules, recalled=recalled,
                    tokenizer=settings.tokenizer or "estimate", language=settings.lang, redact=settings.redact)
    if asked.messages:
        from distill.render.lines import to_json

        write(to_json(folder.messages(), indent=2) + "\n", None)
    else:
        write(folder.text(), None)
    if not settings.quiet:
        _say(f"cards of earlier sessions that are about this task: {len(recalled)}")
    return 0


# -- the account ------------------------------------------------------------------------------------------------------


def _account(done: _Folded) -> str:
    total = sums(done.folder.ledger)
    tasks, cards = len(done.folder.tasks), len(done.folder.cards)
    tally = done.log.tally
    return (f"{done.form}: {tally.records} records, {tally.skipped_records} skipped, {total.turns} turns, "
            f"{tasks} tasks, {cards} folded; context of {done.folder.tokens():,} tokens; "
            f"all prompts {total.folded:,} of {total.whole:,} tokens ({total.saved:.1%} saved)")


def _say(text: str) -> None:
    print(clean(f"distill: {text}"), file=sys.stderr)
