"""`distill merge`: older states and then newer ones, to one."""

from __future__ import annotations

import sys

from distill.commands.run import PIPE, guard, load_state, options_of, writer
from distill.config import Settings
from distill.model import DistillError, Status
from distill.pipeline import Account, merge_states, rendered
from distill.reconcile.heads import apart
from distill.revision import without
from distill.text.clean import clean


def merge_command(paths: list[str], output: str | None, settings: Settings, *, llm: bool = True) -> int:
    """Merge the states at `paths`, older first, and write the result; the exit code.

    Without `llm` they are taken as the rules alone left them.

    DistillError (exit 2) where one of them cannot be read, or `output` is a file that is no state.
    """
    if paths.count(PIPE) > 1:
        raise DistillError("standard input can be only one of the states; name the others")
    account = Account()
    with writer(output, quiet=settings.quiet) as put:
        states = [load_state(path) for path in paths]
        if not llm:
            states = [without(state) for state in states]
        if output and output != PIPE:
            guard(output)
        notes = [f"{path} had left out items to keep to its budget; only the rest is merged"
                 for path, state in zip(paths, states, strict=True) if any(state.omitted)]
        if projects := apart(states):
            notes.append(f"the states belong to different projects ({', '.join(projects)}): "
                         "their conclusions stand in one state now")
        state = merge_states(states, options_of(settings), account)
        put(rendered(state, settings.form, settings.lang))
    if not settings.quiet:
        for note in notes:
            print(f"distill: warning: {clean(note)}", file=sys.stderr)
        before = sum(item.status is Status.LIVE for one in states for item in one.items)
        now = sum(item.status is Status.LIVE for item in state.items)
        left = sum(state.omitted)
        many = "1 state" if len(states) == 1 else f"{len(states)} states"
        print(f"distill: {many}, {before} items to {now + left}, {now} shown, {left} left out; "
              f"{len(state.items) - now} in history", file=sys.stderr)
    return 0
