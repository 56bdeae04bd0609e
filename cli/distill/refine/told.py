"""What the second pass did, in words: for the closing line, for warnings, and what it would do."""

from __future__ import annotations

from collections.abc import Sequence

from distill.refine.asking import TRIES, Limits, Usage
from distill.refine.prompt import Prompt
from distill.refine.second import Report
from distill.text.tokens import estimate


def closing(report: Report, usage: Usage) -> str:
    """What was asked and what came of it, for the closing line."""
    if not report.parts:
        return "second pass: nothing left to ask"
    calls = f"{usage.calls} {'call' if usage.calls == 1 else 'calls'}"
    kept = f" and {usage.kept} kept {'answer' if usage.kept == 1 else 'answers'}" if usage.kept else ""
    changed = ", ".join(f"{count} {name}" for name, count in sorted(report.changes.items()) if count)
    rejected = +report.rejected
    reasons = ", ".join(f"{name} {count}" for name, count in sorted(rejected.items()))
    told = f", {sum(rejected.values())} rejected ({reasons})" if reasons else ""
    return f"second pass: {calls}{kept}, {changed or 'nothing new'}{told}"


def warnings(report: Report, usage: Usage) -> list[str]:
    """What went wrong, a line each; empty where every question was answered."""
    found = [f"second pass: {_parts(count)} without an answer: {reason}; what rules found there stands"
             for reason, count in sorted(usage.failed.items())]
    if usage.unasked:
        found.append(f"second pass: {_parts(usage.unasked)} not asked about, to keep to --llm-max-calls, "
                     "--llm-max-tokens and --llm-timeout; what rules found there stands")
    if report.cut:
        found.append(f"second pass: {report.cut} replies ended too soon; what stood whole in them is kept")
    return found


def failed(usage: Usage) -> bool:
    """Whether some question has no answer."""
    return bool(usage.failed or usage.unasked)


def plan(prompts: Sequence[Prompt], limits: Limits, prices: tuple[float, float] | None) -> str:
    """The prompts that would be sent, and the most that they can take."""
    parts = [f"=== prompt {number} of {len(prompts)}, ~{estimate(prompt.whole)} tokens ===\n{prompt.whole}"
             for number, prompt in enumerate(prompts, 1)]
    calls = min(limits.calls, TRIES * len(prompts))
    each = [estimate(prompt.whole) for prompt in prompts]
    asked = sorted((size for size in each for _ in range(TRIES)), reverse=True)[:calls]
    longest = sorted((min(limits.answer, prompt.answer) for prompt in prompts for _ in range(TRIES)), reverse=True)
    given, taken = min(limits.tokens, sum(asked)), min(limits.tokens, sum(longest[:calls]))
    lines = [f"{_parts(len(prompts))}, ~{sum(each)} tokens; at most {calls} calls, "
             f"~{given} tokens in and {taken} out, ~{min(limits.tokens, given + taken)} together"]
    if prices is not None:
        lines.append(f"at most {_cost(given, taken, limits.tokens, prices):.4f}, at {prices[0]:g} in and {prices[1]:g} "
                     "out for a million tokens")
    return "\n".join([*parts, *lines]) + "\n"


def _cost(given: int, taken: int, most: int, prices: tuple[float, float]) -> float:
    """The most that up to `given` tokens in and `taken` out can cost, of which `most` in all."""
    dear, cheap = sorted([(prices[0], given), (prices[1], taken)], reverse=True)
    return (dear[0] * dear[1] + cheap[0] * min(cheap[1], most - dear[1])) / 1e6


def _parts(count: int) -> str:
    return f"{count} part of the log" if count == 1 else f"{count} parts of the log"
