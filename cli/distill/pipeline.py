"""The corridor: the only place where the rooms are joined. It takes plain values and gives states."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from io import FileIO
from pathlib import Path
from typing import IO

from distill.classify.cues import CueJudge
from distill.classify.judge import Judge
from distill.model import (
    DistillError,
    Event,
    Finding,
    InputError,
    Item,
    Role,
    SourceLog,
    State,
    Statement,
    Status,
    TokenCounts,
)
from distill.rank.budget import Omitted, fit
from distill.rank.order import ranked
from distill.read.formats import format_named, recognise
from distill.read.log import Log, Tally
from distill.reconcile.endings import Endings, Said, finish
from distill.reconcile.heads import LogHead, elsewhere, joined, knows, repeats, with_log
from distill.reconcile.merge import merge, settle, to_item, with_history
from distill.reconcile.previous import carry
from distill.reconcile.select import select
from distill.reconcile.union import united
from distill.render import compact
from distill.render.markdown import item_line, sections_text, shared_day
from distill.render.outputs import output_named
from distill.rulebook import Rulebook, load
from distill.rulebook.verdict import Explanation
from distill.segment.turns import turns
from distill.text.clean import clean
from distill.text.language import language
from distill.text.mask import masked, masked_event, masked_state
from distill.text.times import rfc3339
from distill.text.tokens import counter, quick

_SURROGATE = re.compile("[\ud800-\udfff]")  # half a character, as cut output leaves it
PROGRESS_EVERY = 2000  # events between two calls of a progress hook


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What a run may be told; the command line and the configuration fill it."""

    format: str = ""  # name of the log format; "" recognises it
    packs: tuple[Path, ...] = ()
    builtin_rules: bool = True
    tokenizer: str = "estimate"
    budget: int | None = None
    form: str = "md"  # the output that will be written; `compact` is bounded whole
    language: str = "auto"  # of the headings
    task: str = ""
    since: str | None = None
    until: str | None = None
    now: str | None = None
    redact: bool = True
    conversation: str | None = None


@dataclass(slots=True)
class Account:
    """What happened to the input, for the closing line: one tally a log, and what was masked."""

    tallies: dict[str, Tally] = field(default_factory=dict)
    formats: dict[str, str] = field(default_factory=dict)
    turns: int = 0
    found: int = 0
    carried: int = 0  # live items of the state before that are still live
    redacted: Counter[str] = field(default_factory=Counter)
    warnings: list[str] = field(default_factory=list)
    ruined: dict[str, str] = field(default_factory=dict)  # logs that could not be read among others, and why

    @property
    def skipped(self) -> int:
        """How many records of all logs were damaged or not understood."""
        return sum(tally.skipped_records for tally in self.tallies.values())


@dataclass(slots=True)
class _Read:
    """One log, judged."""

    head: LogHead
    items: list[Item]
    endings: Endings


Progress = Callable[[str, int], None]  # path, bytes or records so far


def open_log(path: str, stack: ExitStack) -> Log:
    """The log at `path`, or standard input for "-"; an InputError (exit 3) where it cannot be read."""
    if path == "-":
        return Log("stdin", sys.stdin.buffer)
    try:
        stream: IO[bytes] = stack.enter_context(FileIO(path))  # Log buffers it itself
        size = Path(path).stat().st_size
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except IsADirectoryError:
        raise InputError(f"{path}: this is a folder; name the logs in it") from None
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None
    return Log(path, stream, size)


def distil(
    paths: Sequence[str],
    options: Options,
    *,
    previous: State | None = None,
    account: Account | None = None,
    progress: Progress | None = None,
) -> State:
    """Distil logs, older first, to one state; `previous` is what an earlier run left.

    Raises InputError (exit 3) when no log can be read, DistillError (exit 2) for wrong usage.
    """
    account = account if account is not None else Account()
    book = load(options.packs, builtin=options.builtin_rules)
    state = previous or State()
    if options.redact:
        state = masked_state(state, account.redacted)
    items = list(state.items)
    before, edited = len(items), state.written_at
    understood = 0
    for path in dict.fromkeys(paths):
        try:
            with ExitStack() as stack:
                read = _read(open_log(path, stack), options, book, account, progress)
        except InputError as error:
            if len(paths) == 1:
                raise
            account.ruined[path] = str(error)
            continue
        understood += 1
        if elsewhere(state, read.head):
            account.warnings.append(f"{path} belongs to the project {read.head.project}, what came before it to "
                                    f"{clean(state.project)}: their conclusions stand in one state now")
        items = carry(items, read.items, known=knows(state, read.head.source), endings=read.endings, edited=edited)
        state = with_log(state, read.head)
    if not understood:
        raise InputError("; ".join(account.ruined.values()) or "no input")
    account.carried = sum(item.status is Status.LIVE for item in items[:before])
    return _whole(state, items, options, account)


def merge_states(states: Sequence[State], options: Options, account: Account | None = None) -> State:
    """Merge states, older first, to one. A state that only repeats the one before it adds nothing.

    One state comes back as it is, unless `options` name a title or a budget. Raises DistillError (exit 2) for a budget
    that is too small.
    """
    account = account if account is not None else Account()
    if options.redact:
        states = [masked_state(state, account.redacted) for state in states]
    different = [state for number, state in enumerate(states) if not number or not repeats(state, states[number - 1])]
    if len(different) == 1:
        if not options.task and options.budget is None:
            return different[0]
        (state,) = different
        items: Sequence[Item] = state.items
    else:
        state = joined(different)
        items = united(different, state.sources)
    return _whole(state, items, options, account)


def _whole(state: State, items: Sequence[Item], options: Options, account: Account) -> State:
    """`state` with these items, in their order and within the budget."""
    live = ranked(tuple(item for item in items if item.status is Status.LIVE))
    gone = sorted((item for item in items if item.status is not Status.LIVE), key=lambda item: item.id)
    gone.sort(key=lambda item: item.at or "", reverse=True)  # the latest first
    title = masked(options.task, account.redacted) if options.redact else options.task
    task = replace(state.task, title=title) if title else state.task
    state = replace(state, task=task, written_at=options.now, items=(*live, *gone), omitted=(0, 0, 0, 0))
    return budgeted(state, options, state.tokens.source)


def distil_log(
    path: str | Path,
    *,
    format: str = "",
    packs: Sequence[str | Path] = (),
    builtin_rules: bool = True,
    budget: int | None = None,
    tokenizer: str = "",
    language: str = "auto",
    task: str = "",
    since: str | None = None,
    until: str | None = None,
    now: str | None = None,
    redact: bool = True,
    conversation: str | None = None,
) -> State:
    """Distil the log at `path` to a State; the options mean what they mean on the command line.

    `format` is the name of a log format ("" tells it from the content); `packs` are rule packs that are added to the
    package's own rules, which `builtin_rules=False` leaves out. `budget` is the most tokens that the four sections may
    take, counted with `tokenizer` (the encoding o200k_base by default, an estimate where there is no budget), with
    headings in `language` (auto, en or zh). `task` is the title. Times are texts such as "2026-03-05" or
    "2026-03-05T14:00:00Z"; what is older than `since` or newer than `until` is left out, and `now` is noted as the time
    of writing, which is otherwise unknown. `redact=False` leaves credentials in. `conversation` picks one of an export
    by id, number or title; the newest by default.

    Raises InputError, a DistillError with code 3, where the log cannot be read at all, and DistillError (code 2) for a
    wrong option, a rule pack with faults or a budget smaller than the headings. Damaged parts of a log are skipped; how
    many stands in the `skipped` of the state's source.
    """
    times = {"since": since, "until": until, "now": now}
    for name, value in times.items():
        if value is not None:
            times[name] = rfc3339(value)
            if times[name] is None:
                raise DistillError(f"{name}: {value!r} is no time; write it as 2026-03-05 or 2026-03-05T14:00:00Z")
    if language not in ("auto", "en", "zh"):
        raise DistillError(f"language: {language!r} is none of auto, en, zh")
    tokenizer = tokenizer or ("estimate" if budget is None else "o200k_base")
    options = Options(
        format=format, packs=tuple(map(Path, packs)), builtin_rules=builtin_rules, tokenizer=tokenizer, budget=budget,
        language=language, task=task, since=times["since"], until=times["until"], now=times["now"], redact=redact,
        conversation=conversation,
    )
    return distil([str(path)], options)


def _read(log: Log, options: Options, book: Rulebook, account: Account, progress: Progress | None) -> _Read:
    log.conversation = options.conversation
    form = format_named(options.format) if options.format else recognise(log)
    tally = log.tally
    account.tallies[log.path] = tally
    account.formats[log.path] = form.name
    judge = Judge(log.path, CueJudge(book), book.signals, words_only=not options.builtin_rules)
    span: list[str | None] = [None, None]
    tokens = [0]
    events = _prepared(form.events(log), options, account, span, tokens, _hook(log, progress))
    last = 0
    for turn in turns(events):
        judge.take(turn)
        last = turn.number
    if not tally.understood:
        raise InputError(_nothing(log.path, form.name, tally))
    account.turns += last
    groups = merge(_shown(judge.findings(), options, account))
    endings = _endings(judge, span[1])
    settle(groups)
    finish(groups, endings)
    kept = select(groups, judge.seen, book.signals.share)
    account.found += sum(g.status is Status.LIVE for g in kept)
    source = SourceLog(path=log.path, format=form.name, records=tally.records, skipped=tally.skipped_records,
                       sha256=log.sha256, newest=span[1])
    title = clean(tally.title)
    head = LogHead(source=source, session=clean(tally.session), project=clean(tally.project), oldest=span[0],
                   title=masked(title, account.redacted) if options.redact else title, tokens=tokens[0])
    items = with_history(kept, [to_item(group) for group in kept])
    return _Read(head=head, items=items, endings=endings)


def _endings(judge: Judge, newest: str | None) -> Endings:
    """What the log says to be done, and the files it deleted."""
    finished = [Said(text=one.statement.text, time=one.statement.time,
                     place=(one.statement.turn, one.statement.record)) for one in judge.pool if one.finishes]
    finished += [Said(text=task.text, time=newest) for task in judge.acts.tasks if task.status == "completed"]
    return Endings(finished=tuple(finished),
                   deleted=tuple(Said(text=path, time=time) for path, _, time in judge.acts.deleted))


def _hook(log: Log, progress: Progress | None) -> Callable[[], None] | None:
    if progress is None:
        return None
    return lambda: progress(log.path, log.tally.records)


def _nothing(path: str, form: str, tally: Tally) -> str:
    types = ", ".join(f"{name} ({count})" for name, count in tally.types.most_common(8))
    aside = ", ".join(f"{name} ({count})" for name, count in tally.set_aside.most_common(4))
    seen = f"; record types: {types}" if types else ""
    seen += f"; set aside: {aside}" if aside else ""
    return f"{path}: read as {form}, but no message was understood{seen}"


def _prepared(
    events: Iterator[Event],
    options: Options,
    account: Account,
    span: list[str | None],
    tokens: list[int],
    progress: Callable[[], None] | None,
) -> Iterator[Event]:
    """The events in the window of time, redacted, each with a time where its session has one."""
    last: str | None = None
    for number, event in enumerate(events):
        if progress is not None and number % PROGRESS_EVERY == 0:
            progress()
        if event.text and _SURROGATE.search(event.text):
            event = replace(event, text=_SURROGATE.sub("\ufffd", event.text))
        time = event.time or last
        last = time
        if time is not None:
            if options.since and time < options.since:
                continue
            if options.until and time > options.until:
                continue
            span[0] = min(span[0] or time, time)
            span[1] = max(span[1] or time, time)
        tokens[0] += quick(event.text) if event.text else 0
        if options.redact:
            event = masked_event(event, account.redacted)
        yield event if event.time == time else replace(event, time=time)


def _shown(findings: Sequence[Finding], options: Options, account: Account) -> list[Finding]:
    """Findings whose words may be shown: no control characters, no line breaks, and nothing that these had hidden."""

    def plain(text: str) -> str:
        bare = clean(text)
        return masked(bare, account.redacted) if options.redact and bare != text else bare

    return [
        replace(f, text=plain(f.text), source=replace(f.source, quote=plain(f.source.quote)))
        for f in findings
        if f.text.strip()
    ]


def budgeted(state: State, options: Options, source_tokens: int) -> State:
    """`state` cut to the budget, with its tokens counted."""
    count = counter(options.tokenizer)
    live = [item for item in state.items if item.status is Status.LIVE]
    history = [item for item in state.items if item.status is not Status.LIVE]
    lang = heading_language(state, options.language)

    day = shared_day(live)

    def whole(items: Sequence[Item], omitted: Omitted) -> str:
        shown = replace(state, items=tuple(items), omitted=omitted)
        return compact.render(shown, lang) if options.form == "compact" else sections_text(shown, lang)

    def line(item: Item) -> str:
        return f"{item.text}；" if options.form == "compact" else item_line(item, lang, day)

    omitted: Omitted = (0, 0, 0, 0)
    if options.budget is not None:
        live, omitted = fit(live, options.budget, count.count, whole, line)
    tokens = TokenCounts(source=source_tokens, state=count.count(whole(live, omitted)),
                         encoding=count.encoding, exact=count.exact)
    return replace(state, items=(*live, *history), omitted=omitted, tokens=tokens)


def heading_language(state: State, wanted: str) -> str:
    """The language of the headings: as wanted, else that of most of the state's text."""
    return wanted if wanted != "auto" else language(" ".join(item.text for item in state.items))


def rendered(state: State, form: str, wanted: str) -> str:
    """The state as text in one of the output forms."""
    return output_named(form).render(state, heading_language(state, wanted))


def record_statements(log: Log, record: int) -> list[Statement]:
    """The statements of one record of a log, as they are judged."""
    found: list[Statement] = []
    for turn in turns(recognise(log).events(log)):
        found += [one for one in (*turn.asked, *turn.planned, *turn.told, *turn.closing) if one.record == record]
    return found


def explained(
    text: str, role: Role, packs: Sequence[Path], builtin: bool, statement: Statement | None = None
) -> tuple[Explanation, list[tuple[str, tuple[int, int, int, int], str]], dict[str, int], str]:
    """Why a sentence is what it is: cues and modifiers, signals with their points and reasons, sums, the outcome.

    What only the whole log shows (repetition, lateness) is left out.
    """
    book = load(packs, builtin=builtin)
    judge = Judge("", CueJudge(book), book.signals, words_only=not builtin)
    one = statement or Statement(text=text, quote=text, record=1, role=role)
    signals, points, kind = judge.weigh_alone(one)
    rows = [(name, book.signals.table[name].points, book.signals.table[name].why) for name in sorted(signals)]
    return book.explain(one.text, one.role), rows, {str(k): v for k, v in points.items()}, str(kind or "no conclusion")


__all__ = [
    "Account", "DistillError", "Options", "budgeted", "distil", "distil_log", "explained", "heading_language",
    "merge_states", "open_log", "record_statements", "rendered",
]
