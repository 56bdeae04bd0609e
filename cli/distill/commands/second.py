"""The second pass as the command line asks for it: whom to ask, where answers are kept, what is said of it."""

from __future__ import annotations

from distill.pipeline import Account
from distill.refine.asking import Asker, Model
from distill.refine.command import CommandModel
from distill.refine.second import SecondPass
from distill.refine.settings import Second
from distill.refine.told import closing, failed, plan, warnings
from distill.store.answers import AnswerStore


def second_pass(wanted: Second) -> SecondPass:
    """The pass that is `wanted`. Raises DistillError where there is nobody who could be asked."""
    model: Model
    if wanted.cmd:
        model = CommandModel(wanted.cmd)
    else:
        from distill.refine.endpoint import EndpointModel

        model = EndpointModel(wanted.url, wanted.model, wanted.key_env)
    asker = Asker(model, wanted.limits, AnswerStore(), fresh=wanted.fresh)
    return SecondPass(asker, wanted.limits, dry=wanted.dry_run)


def planned(second: SecondPass, wanted: Second) -> str:
    """The prompts that would be sent and the most that they can take."""
    return plan(second.report.prompts, wanted.limits, wanted.prices)


def tell(second: SecondPass, account: Account) -> bool:
    """Account for the pass; whether something was left unanswered."""
    account.second = closing(second.report, second.usage)
    account.warnings += warnings(second.report, second.usage)
    return failed(second.usage)
