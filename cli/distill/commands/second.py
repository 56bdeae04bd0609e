"""The second pass as the command line asks for it: whom to ask, where answers are kept, what is said of it."""

from __future__ import annotations

from distill.pipeline import Account
from distill.refine.asking import Asker, Model
from distill.refine.command import CommandModel
from distill.refine.second import SecondPass
from distill.refine.settings import Second
from distill.refine.told import closing, failed, plan, warnings
from distill.store.answers import AnswerStore


def model_of(wanted: Second) -> Model:
    """Whom `wanted` names. Raises DistillError where there is nobody who could be asked."""
    if wanted.cmd:
        return CommandModel(wanted.cmd)
    from distill.refine.endpoint import EndpointModel

    return EndpointModel(wanted.url, wanted.model, wanted.key_env)


def second_pass(wanted: Second, until: float | None = None) -> SecondPass:
    """The pass that is `wanted`, which ends at the monotonic time `until` at the latest.

    Raises DistillError where there is nobody who could be asked.
    """
    asker = Asker(model_of(wanted), wanted.limits, AnswerStore(), fresh=wanted.fresh, until=until)
    return SecondPass(asker, wanted.limits, dry=wanted.dry_run)


def planned(second: SecondPass, wanted: Second) -> str:
    """The prompts that would be sent and the most that they can take."""
    return plan(second.report.prompts, wanted.limits, wanted.prices)


def tell(second: SecondPass, account: Account) -> bool:
    """Account for the pass; whether something was left unanswered."""
    account.second = closing(second.report, second.usage)
    account.warnings += warnings(second.report, second.usage)
    return failed(second.usage)
