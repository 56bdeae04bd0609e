"""Which encoding a name stands for: the counters by name, the encodings, and the models that use them."""

from __future__ import annotations

from distill.text.lazy import Lazy

#: Names that need no rank file.
PLAIN = ("estimate", "chars4")
#: Encodings that can be counted exactly, with the rank file each one reads.
ENCODINGS = {"o200k_base": "o200k_base", "cl100k_base": "cl100k_base", "o200k_harmony": "o200k_base"}
#: What a message about an unknown name lists, and what it looks for the closest match in.
EXAMPLES = (
    "gpt-5",
    "gpt-4o",
    "gpt-4.1",
    "gpt-4",
    "gpt-3.5-turbo",
    "gpt-oss-120b",
    "o3",
    "o4-mini",
    "claude-opus-4",
    "claude-sonnet-4",
    "gemini-2.5-pro",
    "qwen-max",
    "deepseek-chat",
    "glm-4.5",
    "kimi-k2",
    "doubao-pro",
    "llama-3.1",
    "mistral-large",
    "grok-4",
)
_EXACT = (
    ("o200k_harmony", Lazy(r"gpt-oss\b")),
    ("o200k_base", Lazy(r"(?:chatgpt-4o|gpt-4o|gpt-4\.[15]|gpt-5|o[134])(?![a-z0-9])")),
    ("cl100k_base", Lazy(r"(?:gpt-4|gpt-3\.5|gpt-35)(?![a-z0-9.])")),
    ("cl100k_base", Lazy(r"text-embedding-(?:3|ada-002)\b|(?:davinci|babbage)-002\b")),
)
# Families whose own vocabulary is not public or not carried: counted with o200k_base, within some fifteen per cent.
_ALIKE = Lazy(
    r"(?:gpt-?|chatgpt|codex|o\d{1,2}(?!\d)|claude|opus|sonnet|haiku|qwen|qwq|qvq|deepseek|glm|chatglm|codegeex|kimi|moonshot|gemini"
    r"|gemma|llama|codellama|mistral|ministral|mixtral|codestral|devstral|magistral|grok|doubao|seed|hunyuan|ernie|yi"
    r"|minimax|abab|phi|command|nova|baichuan|internlm|step|mimo|longcat|nemotron|granite|jamba|spark)(?![a-z])"
)
_PROVIDER = Lazy(r"(?:[a-z]+\.)+(?=[a-z])")


def encoding_of(model: str) -> tuple[str, bool] | None:
    """The encoding of a model and whether it is the model's own; None where the model is of no known family.

    Takes what configurations hold: letter case, `provider/`, `provider:`, `us.anthropic.` and `ft:` before the name and
    dates, sizes or versions behind it do not count.
    """
    last = model.strip().lower().rsplit("/", 1)[-1]
    for part in last.split(":"):
        name = _PROVIDER.sub("", part, count=1)
        for encoding, pattern in _EXACT:
            if pattern.match(name):
                return encoding, True
        if _ALIKE.match(name):
            return "o200k_base", False
    return None
