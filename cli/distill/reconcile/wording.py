"""The words of a statement that say what it is about, without those by which people insist, repeat or forbid."""

from __future__ import annotations

import re
from functools import lru_cache

from distill.text.lazy import Lazy

_PHRASES = Lazy(
    r",?\s*\bas (?:said|before|agreed|decided|discussed|always|usual)\b"
    r"|\b(?:actually|please|still(?! (?:to|open|missing|needed))|once more)\b"
    r"|再说一遍|之前(?:说好|定|说)的|就这么定|照旧|不变(?=[。！!]?$)|请(?=[不别勿])"
    r"|(?:绝|千万|一定|都|也)?(?:不要|不能|不准|不许|不得|别|勿|禁止|严禁)(?:再)?(?:改动|修改|变动|动|改|碰)",
    re.IGNORECASE,
)


@lru_cache(maxsize=1 << 12)
def bare(text: str) -> str:
    """`text` without phrases that insist on what is said, repeat it, or forbid to touch it; never empty."""
    found = _PHRASES.sub(" ", text)
    return found if found.strip(" ,.;，。；！!") else text
