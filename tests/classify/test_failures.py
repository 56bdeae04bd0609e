"""A claim that the log proves wrong is not believed."""

from __future__ import annotations

import pytest

from distill.classify.failures import Failures
from distill.model import Action, ActionKind, Kind
from tests.classify.talk import live

KINDS = (Kind.DECISION, Kind.FACT, Kind.ARTIFACT)


def _ran(command: str, *, done: bool) -> Action:
    return Action(kind=ActionKind.RAN, target=command, done=done)


def _told(claim: str, *acts: Action) -> str:
    """What is found of a closing claim behind some acts."""
    lines: tuple[str | Action, ...] = ("u: Finish the release of the bell timer.", *acts, f"a: {claim}")
    return " | ".join(text for kind in KINDS for text in live(kind, *lines))


CLAIMS = [
    ("npm publish", "The package is published on the registry."),
    ("npm publish", "新版本已发布到仓库"),
    ("make deploy", "The new timer is deployed to both kiosks."),
    ("make deploy", "新的计时器已部署到两台终端"),
    ("git merge rota", "The rota branch is merged into the main line."),
    ("gh pr create", "I opened a pull request for the rota of June."),
]


@pytest.mark.parametrize(("command", "claim"), CLAIMS)
def test_a_claim_of_a_failed_act_is_not_believed(command: str, claim: str) -> None:
    assert claim[:12] not in _told(claim, _ran(command, done=False))


@pytest.mark.parametrize(("command", "claim"), CLAIMS[:4])
def test_it_is_believed_where_the_act_succeeded_in_the_end(command: str, claim: str) -> None:
    assert claim[:12] in _told(claim, _ran(command, done=False), _ran(command, done=True))


def test_another_failure_refutes_nothing() -> None:
    claim = "The package is published on the registry."
    assert claim in _told(claim, _ran("make deploy", done=False))


def test_a_failed_commit_or_pull_request_is_known_by_its_act() -> None:
    failures = Failures()
    failures.note(Action(kind=ActionKind.COMMITTED, detail="add cart", done=False), 4)
    assert failures.before(5)
    assert not failures.before(4)
    assert failures.refute(["claimed_commit"], 5)
    assert not failures.refute(["claimed_commit"], 3)
    assert not failures.refute(["claimed_push", "asked"], 5)
    failures.note(Action(kind=ActionKind.COMMITTED, target="91b0aa7", detail="add cart"), 6)
    assert not failures.refute(["claimed_commit"], 7)
