"""`distill run`: logs to one state."""

from __future__ import annotations

import os
import sys
from collections import Counter

from distill.commands.progress import progress_for
from distill.config import Settings
from distill.model import InputError, Kind, State, Status
from distill.pipeline import Account, Options, distil, rendered


def run_command(logs: list[str], previous: str | None, output: str | None, settings: Settings) -> int:
    """Distil `logs`, write the state, account for everything; the exit code."""
    if not logs:
        if sys.stdin.isatty():
            raise InputError("no log named and nothing on standard input; try distill LOG")
        logs = ["-"]
    account = Account()
    options = options_of(settings)
    before = load_state(previous) if previous else None
    if output:
        from distill.render.outputs import check_ours
        from distill.store.files import guard_state

        guard_state(output, check_ours)
    with progress_for(logs, settings) as progress:
        state = distil(logs, options, previous=before, account=account, progress=progress)
    skipped = account.skipped or account.ruined
    if skipped and settings.strict:
        report(account, state, settings, written=False)
        return 4
    text = rendered(state, settings.form, settings.lang)
    if output:
        from distill.store.files import write_atomic

        write_atomic(output, text)
    else:
        sys.stdout.buffer.write(text.encode("utf-8", "replace"))
        sys.stdout.flush()
    report(account, state, settings, written=True)
    if skipped:
        return 4
    return 1 if failed(state, settings.fail_on, bool(skipped)) else 0


def options_of(settings: Settings) -> Options:
    """What the corridor is told."""
    return Options(
        format=settings.source, packs=settings.packs, builtin_rules=settings.builtin_rules,
        tokenizer=settings.tokenizer or ("o200k_base" if settings.budget is not None else "estimate"),
        budget=settings.budget, form=settings.form, language=settings.lang, task=settings.task, since=settings.since,
        until=settings.until, now=settings.now, redact=settings.redact, conversation=settings.conversation,
    )


def load_state(path: str) -> State:
    """The state at `path`; an error where it is none."""
    from distill.render.outputs import parse_state
    from distill.store.files import read_text

    return parse_state(read_text(path), path)


def failed(state: State, fail_on: tuple[str, ...], skipped: bool) -> bool:
    """Whether a check the caller asked for does not hold."""
    return (
        ("open" in fail_on and bool(state.live(Kind.OPEN)))
        or ("skipped" in fail_on and skipped)
        or ("omitted" in fail_on and any(state.omitted))
    )


def report(account: Account, state: State, settings: Settings, *, written: bool) -> None:
    """The closing line (and what was damaged) on standard error."""
    if settings.quiet:
        return
    lines: list[str] = []
    for path, why in account.ruined.items():
        lines.append(f"distill: skipped {why}" if path in why else f"distill: skipped {path}: {why}")
    records = 0
    for path, tally in account.tallies.items():
        records += tally.records
        for reason, places in tally.skipped.items():
            shown = ", ".join(map(str, places[:10])) + (", …" if len(places) > 10 else "")
            lines.append(f"distill: {path}: {len(places)} x {reason} at {shown}")
        if settings.verbose:
            aside = ", ".join(f"{name} {count}" for name, count in sorted(tally.set_aside.items()))
            lines.append(f"distill: {path}: {account.formats[path]}; set aside: {aside or 'nothing'}")
    live = sum(item.status is Status.LIVE for item in state.items)
    left = sum(state.omitted)
    names = ", ".join(dict.fromkeys(account.formats.values()))
    masked = Counter(account.redacted)
    closing = (
        f"distill: {names}: {records} records, {account.skipped} skipped, {account.turns} turns; "
        f"{live + left} found, {live} shown, {left} left out"
    )
    if masked:
        closing += f"; {sum(masked.values())} secrets masked ({', '.join(f'{k} {n}' for k, n in sorted(masked.items()))})"
    if not written:
        closing += "; nothing written (--strict)"
    lines.append(closing)
    print("\n".join(lines), file=sys.stderr)


def on_terminal() -> bool:
    """Whether standard error is a terminal that wants colour and progress."""
    return sys.stderr.isatty() and not os.environ.get("NO_COLOR")
