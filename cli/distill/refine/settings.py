"""What the second pass is told: flags over a profile over the defaults."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import Any

from distill.model import DistillError
from distill.refine.asking import Limits

KEY = "DISTILL_LLM_KEY"  # the variable that holds the key where a profile names none
_TEXTS = ("url", "model", "cmd", "key-env")
JOBS = 2  # calls at a time where there is more than one log
_WHOLE = {"jobs": "", "max-calls": "calls", "max-tokens": "tokens", "chunk-tokens": "chunk", "answer-tokens": "answer"}
_PRICES = ("price-in", "price-out")
_TIMES = ("timeout", "call-timeout")
KNOWN = (*_TEXTS, *_WHOLE, *_TIMES, *_PRICES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Second:
    """Whom to ask and within which limits. `url` or `cmd` is set; `prices` are for a million tokens in and out."""

    url: str = ""
    model: str = ""
    cmd: str = ""
    key_env: str = ""
    limits: Limits = field(default_factory=Limits)
    jobs: int = JOBS
    prices: tuple[float, float] | None = None
    required: bool = False
    dry_run: bool = False
    fresh: bool = False


def second_of(flags: Mapping[str, Any], profiles: Mapping[str, Any], where: str) -> Second | None:
    """The settings of the second pass, None where no flag asks for it.

    `flags` are named as in `llm_model`, None where nothing was typed; `profiles` are those of distill.yaml, which
    `where` names in errors. Raises DistillError (exit 2).
    """
    url, cmd = flags.get("llm"), flags.get("llm_cmd")
    typed = {name.removeprefix("llm_").replace("_", "-"): value for name, value in flags.items()
             if name.startswith("llm_") and value is not None}
    if not url and not cmd:
        if idle := [name for name in typed if name != "cmd"]:
            raise DistillError(f"--llm-{idle[0]}: there is nobody to ask: name an endpoint with --llm, or a command "
                               "with --llm-cmd")
        return None
    if url and cmd:
        raise DistillError("--llm and --llm-cmd: name one of them")
    given: dict[str, Any] = {}
    if url and "://" not in url:
        given = _profile(url, profiles, where)
        url = given.get("url", "")
    given.update((name, typed[name]) for name in (*_TEXTS, *_WHOLE, *_TIMES) if name in typed)
    found = {name: _number(given[name], name) for name in (*_WHOLE, *_TIMES, *_PRICES) if name in given}
    limits = replace(Limits(), **{_WHOLE[name]: int(value) for name, value in found.items() if _WHOLE.get(name)})
    limits = replace(limits, seconds=found.get("timeout", limits.seconds), call=found.get("call-timeout", limits.call))
    if ("price-in" in found) is not ("price-out" in found):
        raise DistillError(f"{where}: price-in and price-out go together")
    if not given.get("cmd") and not url:
        raise DistillError(f"{where}: a profile needs url or cmd")
    return Second(
        url="" if given.get("cmd") else url or "", cmd=given.get("cmd", ""), model=given.get("model", ""),
        key_env=given.get("key-env", ""), limits=limits, jobs=int(found.get("jobs", JOBS)),
        prices=(found["price-in"], found["price-out"]) if "price-in" in found else None,
        required=bool(typed.get("required")), dry_run=bool(typed.get("dry-run")), fresh=bool(typed.get("fresh")),
    )


def _profile(name: str, profiles: Mapping[str, Any], where: str) -> dict[str, Any]:
    profile = profiles.get(name)
    if profile is None:
        near = get_close_matches(name, profiles, n=1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(profiles) or 'none'}"
        raise DistillError(f"--llm: {name!r} is neither a URL nor a profile under llm-profiles; {hint}")
    if not isinstance(profile, Mapping):
        raise DistillError(f"{where}: {name}: write it as a mapping of {', '.join(KNOWN)}")
    found: dict[str, Any] = {}
    for key, value in profile.items():
        plain = str(key).replace("_", "-")
        if plain not in KNOWN:
            raise DistillError(f"{where}: {name}: {key} is none of {', '.join(KNOWN)}")
        if plain in _TEXTS and not isinstance(value, str):
            raise DistillError(f"{where}: {name}: {key}: {value!r} is not a text")
        found[plain] = value
    return found


def _number(value: Any, name: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = -1
    if isinstance(value, bool) or not 0 <= number < 1e9 or (name not in _PRICES and number == 0):
        raise DistillError(f"--llm-{name}: {value!r} is no number above 0")
    if name in _WHOLE and number != int(number):
        raise DistillError(f"--llm-{name}: {value!r} is no whole number")
    return number
