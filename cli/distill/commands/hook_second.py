"""The second pass of a hook: a model is asked about a session once the result of the rules stands."""

from __future__ import annotations

from dataclasses import replace
from time import monotonic

from distill.commands.hook import SNAPSHOT, Place, state_before, state_options
from distill.commands.run import options_of
from distill.commands.second import second_pass, tell
from distill.config import settle
from distill.pipeline import Account, distil, rendered
from distill.store.files import write_atomic
from distill.store.lock import locked
from distill.store.snapshot import save_snapshot


def ask(place: Place, log: str, model: str, until: float) -> list[str]:
    """Lay what the profile `model` adds to `log` over the project's state; what was left unanswered, in words.

    The log is read whole, so that the same is asked about the same words and answers that are kept serve again. No call
    takes longer than to the monotonic time `until`, and others may write the state meanwhile. Raises DistillError where
    nobody can be asked or nothing be written; the state is as it was then.
    """
    settings = settle({"quiet": True, "llm": model}, place.project)
    if settings.second is None or monotonic() > until:
        return ["no time left to ask a model"]
    account, second = Account(), second_pass(settings.second, until)
    options = replace(state_options(options_of(settings), settings), second=second)
    before = state_before(place)
    after = distil([log], options, previous=before, account=account)
    tell(second, account)
    warnings = [one for one in account.warnings if one.startswith("second pass")]
    if not any(second.report.changes.values()) or (before and replace(after, written_at=before.written_at) == before):
        return warnings
    with locked(str(place.state), limit=max(1.0, until - monotonic())):
        now = state_before(place)
        if now != before:  # another session ended meanwhile: what was answered is known
            after = distil([log], options, previous=now)
        text = rendered(after, "md", settings.lang)
        write_atomic(str(place.state), text)
        save_snapshot(place.folder / SNAPSHOT, text.encode("utf-8", "replace"), after, masked=options.redact)
    return warnings
