"""`distill run`: logs to one state."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import TextIO

from distill.commands.progress import progress_for
from distill.config import Settings
from distill.model import DistillError, InputError, Kind, State, Status
from distill.pipeline import Account, Options, distil, rendered

PIPE = "-"  # standard input or output
PLACES = 10  # damaged records that are listed by number


def run_command(logs: list[str], previous: str | None, output: str | None, settings: Settings) -> int:
    """Distil `logs`, write the state, account for everything; the exit code."""
    if not logs:
        if sys.stdin.isatty():
            raise InputError("no log named and nothing on standard input; try distill LOG")
        logs = [PIPE]
    if previous == PIPE and PIPE in logs:
        raise DistillError("--previous: standard input cannot be both a log and a state; name one of them")
    account = Account()
    with writer(output, quiet=settings.quiet) as put:
        before = load_state(previous) if previous else None
        if before is not None and any(before.omitted):
            left = f"had left out {_counted(sum(before.omitted), 'item')} to keep to its budget"
            account.warnings.append(f"{previous} {left}; only the rest is carried on")
        if output and output != PIPE:
            guard(output)
        with progress_for(logs, settings) as progress:
            options, second = options_of(settings), None
            if settings.second is not None:
                from distill.commands.second import second_pass

                second = second_pass(settings.second)
                options = replace(options, second=second)
            state = distil(logs, options, previous=before, account=account, progress=progress)
        skipped = bool(account.skipped or account.ruined)
        if second is not None and settings.second is not None:
            from distill.commands.second import planned, tell

            if settings.second.dry_run:
                write(planned(second, settings.second), None)
                return 0
            skipped |= tell(second, account) and settings.second.required
        if skipped and settings.strict:
            report(account, state, settings, written=False)
            return 4
        put(rendered(state, settings.form, settings.lang))
    report(account, state, settings, written=True)
    if lapses := failed(state, settings.fail_on, account):
        if not settings.quiet:
            print(f"distill: --fail-on: {'; '.join(lapses)}", file=sys.stderr)
        return 1
    return 4 if skipped else 0


def options_of(settings: Settings) -> Options:
    """What the corridor is told."""
    return Options(
        format=settings.source, packs=settings.packs, builtin_rules=settings.builtin_rules,
        tokenizer=settings.tokenizer or ("o200k_base" if settings.budget is not None else "estimate"),
        budget=settings.budget, form=settings.form, language=settings.lang, task=settings.task, since=settings.since,
        until=settings.until, now=settings.now, redact=settings.redact, conversation=settings.conversation,
    )


# -- states on the disk -------------------------------------------------------------------------------------------


def load_state(path: str) -> State:
    """The state at `path` (standard input for "-"); an error (exit 2) where it is none."""
    from distill.render.outputs import parse_state
    from distill.store.files import read_text
    from distill.store.upgrade import upgraded

    name = path
    if path == PIPE:
        name = "stdin"
        text = sys.stdin.buffer.read().decode("utf-8-sig", "replace")
    else:
        text = read_text(path)
    if not text.strip():
        hint = "" if path == PIPE else "; a shell that redirects into it empties it first: use -o to write in place"
        raise DistillError(f"{name}: the file is empty, not a state{hint}")
    return parse_state(text, name, upgraded)


def guard(output: str) -> None:
    """Raise DistillError where `output` is a file that a state must not replace."""
    from distill.render.outputs import check_ours
    from distill.store.files import guard_state
    from distill.store.upgrade import upgraded

    guard_state(output, partial(check_ours, upgrade=upgraded))


@contextmanager
def writer(output: str | None, *, quiet: bool) -> Iterator[Callable[[str], None]]:
    """Give what writes the answer to `output`, which nobody else who asks for it can write to until this ends.

    What `output` holds may be read meanwhile, to be carried on. Waiting for another is told on standard error, unless
    `quiet`. Raises DistillError where nothing can be written there, and on writing where an editor, say, has changed
    the file since: its change would be lost.
    """
    if not output or output == PIPE:
        yield lambda text: write(text, None)
        return
    from distill.store.files import stamp
    from distill.store.lock import locked

    def waiting() -> None:
        if not quiet:
            _print(f"distill: waiting for another distill on {output} …", sys.stderr)

    with locked(output, waiting=waiting):
        seen = stamp(output)

        def put(text: str) -> None:
            if stamp(output) != seen:
                raise DistillError(f"{output}: was changed meanwhile and is left as it is now: run this again")
            write(text, output)

        yield put


def write(text: str, output: str | None) -> None:
    """Write the answer to the file `output`, whole or not at all, or to standard output."""
    if output and output != PIPE:
        from distill.store.files import write_atomic

        write_atomic(output, text)
        return
    sys.stdout.buffer.write(text.encode("utf-8", "replace"))
    sys.stdout.flush()


# -- the account --------------------------------------------------------------------------------------------------


def failed(state: State, fail_on: tuple[str, ...], account: Account) -> list[str]:
    """The checks the caller asked for that do not hold, in words."""
    found = {
        "open": (len(state.live(Kind.OPEN)) + state.omitted[3], "open item"),
        "skipped": (account.skipped + len(account.ruined), "skipped record"),
        "omitted": (sum(state.omitted), "omitted item"),
    }
    return [_counted(*found[name]) for name in fail_on if found[name][0]]


def report(account: Account, state: State, settings: Settings, *, written: bool) -> None:
    """Account on standard error for what was read, skipped, found and shown; the last line holds the sums."""
    from distill.text.redact import redact

    lines = [] if settings.quiet else [*_damage(account), *_aside(account, settings), _closing(account, state)]
    if not written:
        parts = _counted(account.skipped + len(account.ruined), "part")
        lines.append(f"distill: nothing written, since {parts} of the input could not be read (--strict)")
    if lines:
        _print(redact("\n".join(lines))[0], sys.stderr)


def _damage(account: Account) -> list[str]:
    lines = [f"distill: warning: {warning}" for warning in account.warnings]
    for path, why in account.ruined.items():
        lines.append(f"distill: skipped {why}" if why.startswith(path) else f"distill: skipped {path}: {why}")
    for path, tally in account.tallies.items():
        for reason, places in tally.skipped.items():
            shown = ", ".join(map(str, places[:PLACES])) + (", …" if len(places) > PLACES else "")
            lines.append(f"distill: {path}: {len(places)} x {reason} at {shown}")
    return lines


def _aside(account: Account, settings: Settings) -> list[str]:
    if not settings.verbose:
        return []
    lines = []
    for path, tally in account.tallies.items():
        aside = ", ".join(f"{name} {count}" for name, count in sorted(tally.set_aside.items()))
        form = account.formats[path]
        lines.append(f"distill: {path}: {form}, {_counted(tally.records, 'record')}; set aside: {aside or 'nothing'}")
    return lines


def _closing(account: Account, state: State) -> str:
    live, left = sum(item.status is Status.LIVE for item in state.items), sum(state.omitted)
    records = sum(tally.records for tally in account.tallies.values())
    carried = f" ({account.carried} carried on)" if account.carried else ""
    tokens = state.tokens
    parts = [
        f"{_counted(records, 'record')}, {account.skipped} skipped, {_counted(account.turns, 'turn')}",
        f"{live + left} found{carried}, {live} shown, {left} left out",
        f"~{tokens.source} tokens to {'' if tokens.exact else '~'}{tokens.state}",
    ]
    if masked := sum(account.redacted.values()):
        kinds = ", ".join(f"{kind} {count}" for kind, count in sorted(account.redacted.items()))
        parts.append(f"{_counted(masked, 'secret')} masked ({kinds})")
    if account.second:
        parts.append(account.second)
    names = ", ".join(dict.fromkeys(account.formats.values()))
    return f"distill: {names}: {'; '.join(parts)}"


def _counted(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def _print(text: str, stream: TextIO) -> None:
    """Print lines that hold words of a log: nothing that acts on a terminal."""
    from distill.text.clean import clean

    with suppress(OSError):  # the state is written, whether anybody reads this or not
        print("\n".join(clean(line) for line in text.split("\n")), file=stream)
