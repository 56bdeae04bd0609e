"""The work of a batch that any process can do, here or on another machine: one state from its logs."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from distill.commands.batch_job import Done, Job, Outcome, Passed, outcome_of, settled
from distill.commands.batch_reading import READABLE, reading, save_whole, state_there, text_there
from distill.commands.batch_rows import known_logs, notes, ruined, unread
from distill.model import DistillError, InputError, SilentError, State
from distill.model.summary import summary_of
from distill.pipeline import Account, Options, budgeted, distil, rendered
from distill.store.answers import AnswerStore
from distill.store.logs import LogFile
from distill.store.manifest import Row

if TYPE_CHECKING:
    from distill.refine.known import Known
    from distill.refine.prompt import Prompt
    from distill.refine.second import SecondPass


def work(job: Job) -> Outcome:
    """Do one job. Never raises: what goes wrong is the outcome."""
    try:
        return _work(job)
    except DistillError as error:
        why = str(error)
        named = any(log.name in why for log in job.logs) or job.state in why
        return Outcome(done=Done.FAILED, why=why if named else f"{job.state}: {why}")
    except Exception as error:  # one log must not stop the others
        paths = ", ".join(log.path for log in job.logs)
        return Outcome(done=Done.FAILED, why=f"{paths}: unexpected {type(error).__name__}: {error}; please report it")


def digest(text: str) -> str:
    """What tells the text of a state from another."""
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=16).hexdigest()


def _work(job: Job) -> Outcome:
    row = settled(job)
    if row is not None:
        return outcome_of(row, job.known)
    text = text_there(job)
    plan = reading(job, text)
    account = Account()
    options = job.options
    cut = options.budget is not None or options.form not in READABLE
    replies, second = _second(job)
    try:
        whole = distil(plan.paths, replace(_uncut(options), second=second), previous=plan.base, account=account,
                       starts=plan.starts)
    except InputError as error:
        silent = isinstance(error, SilentError) or account.silent == set(plan.paths)
        return unread(job, {path: account.ruined.get(path, str(error)) for path in plan.paths}, silent)
    if job.strict and (account.skipped or ruined(account)):
        parts = "; ".join([*ruined(account).values(), *notes(account)])
        return Outcome(done=Done.FAILED, why=f"nothing written, since parts could not be read (--strict): {parts}")
    logs = known_logs(job, plan, whole, account)
    hashes = {path: log.sha256 for path, log in logs.items()}
    whole = replace(whole, sources=tuple(
        replace(one, sha256=one.sha256 or hashes.get(one.path, "")) for one in whole.sources))
    shown = budgeted(whole, options, whole.tokens.source) if cut else whole
    new = rendered(shown, options.form, options.language)
    vain = second is not None and text is not None and _only_later(job, shown, text)
    if vain and text is not None:  # a model was asked in vain
        new = text.decode("utf-8", "replace")
    else:
        if new.encode("utf-8", "replace") != text:
            job.folder.write(job.state, new)
        if cut:
            save_whole(job, new, whole)
    gone = [log for log in (job.known.logs if job.known and plan.base else ()) if log.name not in job.names]
    fresh = Row(
        state=job.state, key=job.key, logs=(*gone, *(logs[log.path] for log in job.logs)), made=digest(new),
        stamp=job.folder.stamp(job.state), summary=summary_of(shown), notes=tuple(notes(account)),
        edited=plan.edited, unanswered=replies.unanswered if replies else 0,
    )
    done = Done.GROWN if plan.onward else Done.CHANGED if job.known and job.known.made else Done.NEW
    if vain:
        done = Done.SAME
    read = sum(log.size for log in job.logs if log.path in plan.paths)
    return Outcome(done=done, row=fresh, why=outcome_of(fresh, None).why, read=read, warnings=tuple(account.warnings),
                   passed=_passed(replies, second))


# -- the second pass --------------------------------------------------------------------------------------------------


def prompts_of(job: Job) -> list[Prompt]:
    """What a model would be asked about the logs of a job that is not done; nothing is written."""
    replies, second = _second(job)
    try:
        plan = reading(job, text_there(job))
        distil(plan.paths, replace(_uncut(job.options), second=second), previous=plan.base)
    except DistillError:  # it is told when the state is made
        return []
    return replies.missing if replies else []


def _second(job: Job) -> tuple[Known | None, SecondPass | None]:
    asking = job.asking
    if asking is None:
        return None, None
    from distill.refine.known import Known
    from distill.refine.second import SecondPass

    replies = Known(asking.model, None if asking.fresh else AnswerStore(), asking.replies)
    return replies, SecondPass(replies, asking.limits)


def _passed(replies: Known | None, second: SecondPass | None) -> Passed | None:
    if replies is None or second is None:
        return None
    report = second.report
    return Passed(missing=tuple(replies.missing), parts=report.parts, kept=replies.usage.kept, cut=report.cut,
                  changes=report.changes, rejected=report.rejected)


def _uncut(options: Options) -> Options:
    """The options that give everything, to be cut afterwards where a budget or a form asks for it."""
    cut = options.budget is not None or options.form not in READABLE
    return replace(options, budget=None, form="md", tokenizer="estimate") if cut else options


def _only_later(job: Job, state: State, text: bytes) -> bool:
    """Whether nothing but the time of writing would change."""
    if job.options.form not in READABLE:
        return rendered(state, job.options.form, job.options.language).encode("utf-8", "replace") == text
    before = state_there(job, text)
    if before is None:
        return False
    anew = rendered(replace(state, written_at=before.written_at), job.options.form, job.options.language)
    return anew.encode("utf-8", "replace") == text


def begin(log: LogFile, form: str) -> tuple[str, str]:
    """The project and the time of the first message of a log; "" where it does not say, or cannot be read."""
    from distill.read.opening import beginning

    try:
        return beginning(log.path, form)
    except Exception:  # what is wrong with it is told when it is read
        return "", ""


def begins(form: str) -> partial[tuple[str, str]]:
    """`begin` for one format, as a function that another process can be given."""
    return partial(begin, form=form)
