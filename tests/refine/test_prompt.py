"""What the model is told: its examples must be worth believing themselves."""

from __future__ import annotations

import re

import pytest

from distill.model import Role
from distill.refine.believe import Believed, Evidence
from distill.refine.prompt import instructions
from distill.refine.reply import parse
from distill.refine.transcript import Entry


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_answer_that_is_shown_would_be_believed(language: str) -> None:
    told = instructions()[language]
    rows = re.findall(r"^(?:> )?\[(\d+)\] (\w+): (.*)$", told, re.MULTILINE)
    entries = [Entry(record=int(record), role=Role(role), parts=(words,)) for record, role, words in rows]
    reply = parse(told.splitlines()[-1])
    proof = Evidence(entries)
    shown = frozenset(entry.record for entry in entries)
    assert [type(proof.judge(claim, shown)) for claim in reply.claims] == [Believed] * 3
    assert [claim.also is not None for claim in reply.claims] == [False, True, False]
    assert not reply.malformed
    assert len(reply.drops) == 1
