"""The benchmark: `python -m tests.bench [--mb 200] [--logs 10000] [--repeat 5] [--json OUT] [--check]`.

Run it from the project's root.

Every number is a ratio taken in one run on one machine, of CPU time, each pair measured one after the other; memory is
the peak of the whole process. The logs are made by `synth` in a temporary folder and removed again.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.bench import folders, grown, measure
from tests.bench.measure import Sample

_DECODE = "import sys, orjson\nfor line in open(sys.argv[1], 'rb'): orjson.loads(line)"
_MAKE = (
    "import sys\nfrom tests.bench import synth\n"
    "with open(sys.argv[3], 'wb') as file:\n"
    "    file.writelines(getattr(synth, sys.argv[1])(int(sys.argv[2]), chatty=sys.argv[4] == 'chatty'))"
)
_TOOLS = {"wc -l": ["wc", "-l"], "jq -c .type": ["jq", "-c", ".type"], "ripgrep -c decided": ["rg", "-c", "decided"]}
_MODULES = (
    "import sys\nsys.argv = ['distill', '-q', *sys.argv[1:]]\nfrom distill.main import main\n"
    "try:\n    main()\nexcept SystemExit:\n    pass\n"
    "sys.exit(9 if {'jieba', 'rjieba'} & set(sys.modules) else 0)"
)
_FLAT = 1.1  # a peak up to this much higher for ten times the log counts as the same
Row = dict[str, Any]


def main() -> int:
    """Measure, print the table, write the JSON; with --check exit 1 where a target is missed."""
    given = _arguments()
    with tempfile.TemporaryDirectory(prefix="distill-bench-") as name:
        folder = Path(name)
        env = measure.environment(folder)
        rows = [*_start(folder, env, given.repeat * 3)]
        kinds = [("claude_code", "Claude Code", ""), ("codex", "Codex", "")]
        if given.chatty:
            kinds.append(("claude_code", "Claude Code, mostly talk", "chatty"))
        for kind, title, style in kinds:
            rows += _log(kind, title, style, given.mb, given.repeat, folder, env)
        long, more = folder / "grown.jsonl", folder / "more.jsonl"
        _make("claude_code", given.mb * 2.5e5, "", long)
        _make("claude_code", grown.MORE, "", more)
        rows += grown.rows(long, more, given.mb / 4, folder, env, given.repeat * 2)
        if given.logs:
            rows += folders.rows(folder, env, given.logs, min(3, given.repeat))
    machine = measure.machine()
    _print(rows, machine)
    if given.json:
        Path(given.json).write_text(json.dumps({"machine": machine, "rows": rows}, indent=1) + "\n", "utf-8")
    return 1 if given.check and any(row["ok"] is False for row in rows) else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description="Measure distill against plain Python.")
    parser.add_argument("--mb", type=float, default=200, help="size of the long log; the short one has a tenth (200)")
    parser.add_argument("--logs", type=int, default=10_000, help="small logs of a batch; 0 leaves it out (10000)")
    parser.add_argument("--repeat", type=int, default=5, help="rounds of which the median counts (5)")
    parser.add_argument("--json", metavar="OUT", help="also write the table to OUT as JSON")
    parser.add_argument("--chatty", action="store_true", help="also measure a log that is mostly talk")
    parser.add_argument("--check", action="store_true", help="exit 1 where a target is missed")
    return parser.parse_args()


def _make(kind: str, size: float, style: str, path: Path) -> str:
    """Write a log in a process of its own, so that this one stays small."""
    root = Path(__file__).resolve().parents[2]
    subprocess.run([sys.executable, "-c", _MAKE, kind, str(int(size)), str(path), style], cwd=root, check=True)
    return str(path)


def _start(folder: Path, env: dict[str, str], rounds: int) -> list[Row]:
    small = _make("claude_code", 100_000, "", folder / "small.jsonl")
    distill = measure.installed_distill()
    found = measure.side_by_side(
        {
            "pass": [sys.executable, "-c", "pass"],
            "version": [distill, "--version"],
            "small": [distill, small],
        },
        rounds,
        env,
    )
    mixed = _make("claude_code", 4e6, "", folder / "mixed.jsonl")  # long enough for tasks in both languages
    clean = measure.run_once([sys.executable, "-c", _MODULES, mixed], env).code == 0
    return [
        _row("distill --version", "python -c pass", found["version"], found["pass"], 6),
        _row("distill, 100 kB log", "python -c pass", found["small"], found["pass"], 18),
        {"what": "no Chinese dictionary loaded", "value": clean, "ok": clean},
    ]


def _log(kind: str, title: str, style: str, mb: float, rounds: int, folder: Path, env: dict[str, str]) -> list[Row]:
    long, short = folder / "long.jsonl", folder / "short.jsonl"
    _make(kind, mb * 1e6, style, long)
    _make(kind, mb * 1e5, style, short)
    distill = measure.installed_distill()
    tools = {name: [path, *words[1:], str(long)] for name, words in _TOOLS.items() if (path := shutil.which(words[0]))}
    found = measure.side_by_side(
        {
            "decode": [sys.executable, "-c", _DECODE, str(long)],
            "long": [distill, str(long)],
            "short": [distill, str(short)],
            **tools,
        },
        rounds,
        env,
    )
    long.unlink()
    short.unlink()
    high, low = measure.peak(found["long"]), measure.peak(found["short"])
    target = 2.5 if not style else None
    name = f"{title}, {mb:g} MB"
    return [
        _row(f"distill, {name}", "decoding it with orjson", found["long"], found["decode"], target),
        *(_row(f"distill, {name}", tool, found["long"], found[tool], None) for tool in tools),
        _row(f"distill, {name}", f"a tenth of it (x10 is linear), {mb / 10:g} MB", found["long"], found["short"], None),
        {"what": f"peak memory, {name}", "value": round(high), "unit": "MiB", "target": 150, "ok": high <= 150},
        {
            "what": f"peak memory, {title}, {mb / 10:g} MB",
            "value": round(low),
            "unit": "MiB",
            "target": f"{high / _FLAT:.0f} or more",
            "ok": high <= low * _FLAT,
        },
    ]


def _row(what: str, against: str, over: list[Sample], under: list[Sample], target: float | None) -> Row:
    value = measure.ratio(over, under)
    return {
        "what": what,
        "against": against,
        "value": round(value, 2),
        "unit": "x",
        "seconds": round(measure.seconds(over), 4),
        "target": target,
        "ok": None if target is None else value <= target,
    }


def _print(rows: list[Row], machine: dict[str, str | int]) -> None:
    print("{cpu}, {cores} cores, {system}, Python {python}, load {load}".format_map(machine))
    print(f"{'measured':<44} {'against':<40} {'value':>9}  {'target':>10}  held")
    for row in rows:
        value = row["value"] if isinstance(row["value"], bool) else f"{row['value']} {row.get('unit', '')}".strip()
        held = {True: "yes", False: "NO", None: ""}[row["ok"]]
        print(f"{row['what']:<44} {row.get('against', ''):<40} {value!s:>9}  {row.get('target') or '':>10}  {held}")


if __name__ == "__main__":
    sys.exit(main())
