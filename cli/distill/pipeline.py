"""The corridor: the only place where the rooms are joined. It takes plain values and gives states."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from distill.classify.cues import CueJudge
from distill.classify.judge import Judge
from distill.conclusions import concluded, shown
from distill.model import (
    SECTIONS,
    DistillError,
    Finding,
    InputError,
    Item,
    Kind,
    Reached,
    SilentError,
    SourceLog,
    Start,
    State,
    Status,
    Tail,
    TokenCounts,
)
from distill.rank.budget import Omitted, added, fit
from distill.rank.order import ranked
from distill.read.formats import format_named, recognise
from distill.read.log import Log, Tally
from distill.read.opening import not_understood, open_log
from distill.reconcile.endings import FILE, path_of
from distill.reconcile.goeson import goes_on, parts
from distill.reconcile.heads import PIPE, LogHead, elsewhere, joined, repeats
from distill.reconcile.laid import Told, laid_over
from distill.reconcile.previous import recent
from distill.reconcile.said import Endings
from distill.render import markdown
from distill.render.markdown import item_line, plain_file, sections_text, shared_day
from distill.render.outputs import output_named
from distill.rulebook import Rulebook, load
from distill.segment.places import Places
from distill.segment.turns import turns
from distill.segment.window import BehindError, Window
from distill.text.clean import clean
from distill.text.language import LANGUAGES, script
from distill.text.mask import masked, masked_state
from distill.text.times import rfc3339
from distill.text.tokens import counter

if TYPE_CHECKING:
    from distill.refine.second import SecondPass

_TELLING = 200  # items that tell the language of a state


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
    second: SecondPass | None = None  # a model that is asked about what rules leave undecided


@dataclass(slots=True)
class Account:
    """What happened to the input, for the closing line: one tally a log, and what was masked."""

    tallies: dict[str, Tally] = field(default_factory=dict)
    formats: dict[str, str] = field(default_factory=dict)
    turns: int = 0
    found: int = 0
    carried: int = 0  # live items of the state before that are still live
    second: str = ""  # what came of asking a model
    redacted: Counter[str] = field(default_factory=Counter)
    warnings: list[str] = field(default_factory=list)
    ruined: dict[str, str] = field(default_factory=dict)  # logs that could not be read among others, and why
    silent: set[str] = field(default_factory=set)  # of these, those in which nothing was said
    reached: dict[str, Reached] = field(default_factory=dict)  # logs that can be read on once they have grown

    @property
    def skipped(self) -> int:
        """How many records of all logs were damaged or not understood."""
        return sum(tally.skipped_records for tally in self.tallies.values())


Progress = Callable[[str, int], None]  # path, bytes or records so far
_Held = tuple[State, Sequence[Item]]  # what a state says of itself, and the items it holds by now


def distil(
    paths: Sequence[str],
    options: Options,
    *,
    previous: State | None = None,
    account: Account | None = None,
    progress: Progress | None = None,
    starts: Mapping[str, Start] | None = None,
    redacted: bool = False,
) -> State:
    """Distil logs, older first, to one state; `previous` is what an earlier run left.

    `starts` says of logs whose beginning is in `previous` already where to read on; the account's `reached` tells what
    it takes to do so after this run. `redacted` says that `previous` is known to hold no credentials.
    Raises InputError (exit 3) when no log can be read, DistillError (exit 2) for wrong usage.
    """
    account = account if account is not None else Account()
    book = load(options.packs, builtin=options.builtin_rules)
    state = previous or State()
    if options.redact and not redacted:
        state = masked_state(state, account.redacted)
    items = list(state.items)
    before, edited = len(items), state.written_at
    understood = 0
    lost: Counter[Kind] = Counter()
    for path in dict.fromkeys(paths):
        start = (starts or {}).get(path)
        try:
            read = _read(path, options, book, account, progress, (state, items), start)
        except InputError as error:
            if len(paths) == 1:
                raise
            account.ruined[path] = str(error)
            if isinstance(error, SilentError):
                account.silent.add(path)
            continue
        understood += 1
        lost.update(read.lost)
        if elsewhere(state, read.head):
            account.warnings.append(f"{path} belongs to the project {read.head.project}, what came before it to "
                                    f"{clean(state.project)}: their conclusions stand in one state now")
        state, items = laid_over(state, items, read, share=book.signals.share, edited=edited)
    if not understood:
        raise InputError("; ".join(account.ruined.values()) or "no input")
    account.carried = sum(item.status is Status.LIVE for item in items[:before])
    return _whole(state, items, options, account, lost)


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
        from distill.reconcile.union import united  # of no use to a run over logs

        state = joined(different)
        items = united(different, state.sources)
    return _whole(state, items, options, account)


def _whole(
    state: State, items: Sequence[Item], options: Options, account: Account, lost: Mapping[Kind, int] | None = None
) -> State:
    """`state` with these items, in their order and within the budget; `lost` more were found and not kept."""
    live = ranked(tuple(item for item in items if item.status is Status.LIVE))
    gone = sorted((item for item in items if item.status is not Status.LIVE), key=lambda item: item.id)
    gone.sort(key=lambda item: item.at or "", reverse=True)  # the latest first
    gone = recent(gone)
    title = masked(options.task, account.redacted) if options.redact else options.task
    task = replace(state.task, title=title) if title else state.task
    left = [(lost or {}).get(kind, 0) for kind in SECTIONS]
    state = replace(state, task=task, written_at=options.now, items=(*live, *gone),
                    omitted=(left[0], left[1], left[2], left[3]))
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
    headings in `language` (auto, en, zh or zh-Hant). `task` is the title. Times are texts such as "2026-03-05" or
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
    if language not in LANGUAGES:
        raise DistillError(f"language: {language!r} is none of {', '.join(LANGUAGES)}")
    tokenizer = tokenizer or ("estimate" if budget is None else "o200k_base")
    options = Options(
        format=format, packs=tuple(map(Path, packs)), builtin_rules=builtin_rules, tokenizer=tokenizer, budget=budget,
        language=language, task=task, since=times["since"], until=times["until"], now=times["now"], redact=redact,
        conversation=conversation,
    )
    return distil([str(path)], options)


def _read(
    path: str, options: Options, book: Rulebook, account: Account, progress: Progress | None, held: _Held,
    start: Start | None,
) -> Told:
    """The log at `path`, judged; from `start` on, unless what is there takes back what stands before it."""
    with ExitStack() as stack:
        try:
            return _judged(open_log(path, stack, start), options, book, account, progress, held)
        except BehindError:
            read = _judged(open_log(path, stack), options, book, account, progress, held)
            return replace(read, tail=Tail(path=path, since=1))  # all that it says is told anew


def _judged(
    log: Log, options: Options, book: Rulebook, account: Account, progress: Progress | None, held: _Held
) -> Told:
    earlier, before = held
    log.conversation = options.conversation
    start, tally = log.start, log.tally
    name = start.format if start else options.format
    form = format_named(name) if name else recognise(log)
    account.tallies[log.path] = tally
    account.formats[log.path] = form.name
    cues = CueJudge(book)
    judge = Judge(log.path, cues, book.signals, words_only=not options.builtin_rules)
    since = start.since if start else 0
    window = Window(after=options.since, until=options.until, redacted=account.redacted if options.redact else None)
    judge.acts.recall(path_of(item) for item in before if item.status is Status.LIVE and item.rule == FILE)
    resumed = None
    if start:
        from distill.classify.tail import Resumed

        resumed = Resumed(judge, before, log.path, since)
        window = replace(window, first=start.record, since=since, known=start.known, tokens=start.tokens)
    places = Places(start)
    before_since = start.skipped if start else 0
    hook = (lambda: progress(log.path, log.tally.records)) if progress is not None else None
    events, transcript = window.look(form.events(log), hook), None
    if options.second is not None:
        from distill.refine.transcript import Transcript

        transcript = Transcript()
        events = transcript.listen(events)
    for turn in turns(events, start.turn if start else 0):
        places.begin(turn, judge.seen)
        judge.take(turn)
        places.end(turn, window.tokens - window.latest)
    if not tally.understood:
        raise not_understood(log.path, form.name, tally)
    account.turns += places.turns
    weighed = places.weighed(judge.seen)
    skipped = before_since + tally.skipped_from(since)
    source = SourceLog(path=log.path, format=form.name, records=tally.records, skipped=skipped,
                       sha256=log.sha256, newest=window.newest)
    title = clean(tally.title)
    head = LogHead(source=source, session=clean(tally.session), project=clean(tally.project), oldest=window.oldest,
                   title=masked(title, account.redacted) if options.redact else title, tokens=window.tokens,
                   headless=form.heads and not (tally.session or tally.headed))
    if not start and goes_on(earlier, head):
        judge.behind = sum(one.records for one in parts(earlier.sources))
    findings = shown((resumed or judge).findings(), account.redacted if options.redact else None)

    def conclude(among: Sequence[Finding]) -> tuple[list[Item], Endings]:
        return concluded(judge, among, weighed, window.newest, book.signals.share)

    items, endings = conclude(findings)
    if options.second is not None and transcript is not None:
        from distill.revision import revise

        items, endings = revise(options.second, log.path, transcript, judge, cues, book.signals, findings,
                                (items, endings), conclude)
    account.found += sum(item.status is Status.LIVE for item in items)
    if form.resumes and log.encoding == "utf-8" and log.path != PIPE:
        last = places.since
        reached = places.reached(
            form.name, log.end, tally.records, skipped=skipped - tally.skipped_from(last),
            session=tally.session, project=tally.project, memory=log.memory,
        )
        if reached:
            account.reached[log.path] = reached
    return Told(head=head, items=items, endings=endings, weighed=weighed, lost=judge.lost, planned=judge.acts.planned,
                 tail=resumed.tail() if resumed else None)


def budgeted(state: State, options: Options, source_tokens: int) -> State:
    """`state` cut to the budget, with its tokens counted; what it had left out already adds to what is cut."""
    count = counter(options.tokenizer)
    live = [item for item in state.items if item.status is Status.LIVE]
    history = [item for item in state.items if item.status is not Status.LIVE]
    lang = heading_language(state, options.language)

    lost = state.omitted
    day = shared_day(live) if options.budget is not None else None

    def whole(items: Sequence[Item], omitted: Omitted) -> str:
        shown = replace(state, items=tuple(items), omitted=added(lost, omitted))
        if options.form == "compact":
            from distill.render import compact

            return compact.render(shown, lang)
        return sections_text(shown, lang)

    def line(item: Item) -> str:
        return f"{item.text}；" if options.form == "compact" else item_line(item, lang, day, plain_file(item.text))

    omitted: Omitted = (0, 0, 0, 0)
    if options.budget is not None:
        live, omitted = fit(live, options.budget, count.count, whole, line)
    tokens = TokenCounts(source=source_tokens, state=count.count(whole(live, omitted)),
                         encoding=count.encoding, exact=count.exact)
    return replace(state, items=(*live, *history), omitted=added(lost, omitted), tokens=tokens)


def heading_language(state: State, wanted: str) -> str:
    """The language of the headings: as wanted, else that of most of the state's text, as far as its best items tell."""
    return wanted if wanted != "auto" else script(" ".join(item.text for item in state.items[:_TELLING]))


def rendered(state: State, form: str, wanted: str, before: tuple[str, State] | None = None) -> str:
    """The state as text in one of the output forms.

    `before` is the Markdown of an earlier state and that state: of items that are still the same, the very objects,
    lines are taken over.
    """
    lang = heading_language(state, wanted)
    if form == "md":
        return markdown.render(state, lang, markdown.ledger_lines(*before) if before else None)
    return output_named(form).render(state, lang)


__all__ = [
    "Account", "DistillError", "Options", "budgeted", "distil", "distil_log", "heading_language", "merge_states",
    "open_log", "rendered",
]
