from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from distill.commands.eval import eval_command
from distill.evaluate.labels import read_labels
from distill.evaluate.report import run_of, to_data
from distill.evaluate.score import Measure
from distill.model import DistillError, InputError, Item, Kind, Source, State
from distill.pipeline import Options, distil
from distill.render.json_state import parse, render

CHECKOUT = Path(__file__).resolve().parents[2]
SCORE = CHECKOUT.parent / "shared" / "eval" / "score.py"
BOAT = """User: We decided to use epoxy resin for the hull.
Assistant: Noted. I will write the cutting list next.
User: Never sand the keel. We decided that the mast is 12 metres high.
Assistant: Done, the cutting list is in plans/cutting.csv. Still to do: order the ropes.
"""
Rows = list[dict[str, Any]]
BOAT_LABELS: Rows = [
    {"kind": "decision", "text": "Use epoxy resin for the hull", "weight": 3,
     "evidence": [{"record": 1, "quote": "We decided to use epoxy resin for the hull"}]},
    {"kind": "decision", "text": "The keel is never sanded",
     "evidence": [{"record": 3, "quote": "Never sand the keel"}]},
    {"kind": "open", "text": "Ropes have to be ordered",
     "evidence": [{"record": 4, "quote": "Still to do: order the ropes"}]},
]
CAFE = """用户：我们决定用 PostgreSQL 16 存订单。
助手：好的。
用户：不要改动 user 表。重试次数定在 3 次。
助手：已完成。待办：补上分页参数校验。
"""
CAFE_LABELS: Rows = [
    {"kind": "decision", "text": "订单存在 PostgreSQL 16", "weight": 3,
     "evidence": [{"record": 1, "quote": "我们决定用 PostgreSQL 16 存订单"}]},
    {"kind": "decision", "text": "不改动 user 表", "evidence": [{"record": 3, "quote": "不要改动 user 表"}]},
    {"kind": "open", "text": "补上分页参数校验", "weight": 1},
    {"kind": "fact", "text": "订单存在旧库", "status": "superseded",
     "evidence": [{"record": 2, "quote": "订单在旧库里"}]},
]


def lines(rows: Rows) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "logs"
    (folder / "far").mkdir(parents=True)
    (folder / "boat.txt").write_text(BOAT, encoding="utf-8")
    (folder / "boat.txt.labels.jsonl").write_text(lines(BOAT_LABELS), encoding="utf-8")
    (folder / "far" / "cafe.txt").write_text(CAFE, encoding="utf-8")
    (folder / "cafe.labels.jsonl").write_text(lines([{"transcript": "far/cafe.txt"}, *CAFE_LABELS]), encoding="utf-8")
    return folder


def evaluated(corpus: Path, capsysbinary: pytest.CaptureFixture[bytes], *budgets: str, diff: str | None = None) -> Any:
    assert eval_command(str(corpus), budgets, {}, diff=diff, as_json=True) == 0
    return json.loads(capsysbinary.readouterr().out)


def distill(*words: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(CHECKOUT / "cli"), "PYTHONUTF8": "1"}
    return subprocess.run([sys.executable, "-m", "distill", *map(str, words)], cwd=cwd, env=environment,
                          capture_output=True, text=True, encoding="utf-8", timeout=120, check=False)


def test_the_figures_are_those_of_the_states(corpus: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    found = evaluated(corpus, capsysbinary, "none,60")
    assert list(found["budgets"]) == ["none", "60"]
    for budget, options in (("none", Options()), ("60", Options(budget=60, tokenizer="o200k_base"))):
        scores = {}
        for name, log, labels in (("boat.txt", "boat.txt", BOAT_LABELS), ("cafe", "far/cafe.txt", CAFE_LABELS)):
            state = distil([str(corpus / log)], options)
            scores[name] = Measure(read_labels(lines(labels), name).labels).score(state)
        expected = json.loads(json.dumps(to_data({budget: run_of(scores)}, "", "")))["budgets"][budget]
        assert found["budgets"][budget] == expected


def test_budgets_may_be_repeated_and_default_to_three(corpus: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert list(evaluated(corpus, capsysbinary)["budgets"]) == ["none", "1000", "500"]
    assert list(evaluated(corpus, capsysbinary, "70, 90", "none", "70")["budgets"]) == ["70", "90", "none"]


def test_the_table(corpus: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert eval_command(str(corpus), ["none"], {}) == 0
    done = capsysbinary.readouterr()
    title, head, *rows = done.out.decode().splitlines()
    assert title == "budget none (by kind: precision/recall/F1)"
    assert head.split() == ["log", *Kind, "macro-F1", "any", "kept", "dup", "stale", "size"]
    assert [row.split()[0] for row in rows if row] == ["boat.txt", "cafe", "ALL"]
    assert len({len(row) for row in (head, *rows) if row}) == 1
    assert b"distill: 2 logs, 7 labels; " in done.err


def test_quiet_says_nothing_beside_the_table(corpus: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    eval_command(str(corpus), ["none"], {"quiet": True})
    assert capsysbinary.readouterr().err == b""


def test_verbose_lists_every_label_and_item(corpus: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    run = evaluated(corpus, capsysbinary, "none")["budgets"]["none"]
    eval_command(str(corpus), ["none", "60"], {"verbose": True})
    text = capsysbinary.readouterr().out.decode()
    assert text.count("cafe, budget none:") == 1
    assert "cafe, budget 60:" not in text
    words = [line.split()[0] for line in text.splitlines() if line.startswith("  ") and line[2] != " "]
    for log in run["logs"].values():
        assert all(label["text"] in text for label in log["labels"])
        assert all(item["text"] in text for item in log["items"])
    labels = [label for log in run["logs"].values() for label in log["labels"]]
    assert words.count("found") == sum(label["found"] for label in labels)
    assert words.count("missed") == sum(not label["found"] for label in labels)


def test_one_label_file_or_its_log_may_be_named(corpus: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    whole = evaluated(corpus, capsysbinary, "none")["budgets"]["none"]["logs"]["boat.txt"]
    for name in ("boat.txt.labels.jsonl", "boat.txt"):
        one = evaluated(corpus / name, capsysbinary, "none")["budgets"]["none"]
        assert one["logs"] == {"boat.txt": whole}


def test_min_f1(corpus: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    got = evaluated(corpus, capsysbinary, "none")["budgets"]["none"]["macro_f1"]
    assert eval_command(str(corpus), ["none"], {}, min_f1=got) == 0
    assert b"is below" not in capsysbinary.readouterr().err
    # the widest budget decides, wherever it stands in the list
    assert eval_command(str(corpus), ["60", "none"], {}, min_f1=min(1.0, got + 0.001)) == 1
    assert f"macro-F1 {got:.3f} at budget none is below".encode() in capsysbinary.readouterr().err


@pytest.mark.parametrize("least", [1.5, -0.1, float("nan")])
def test_min_f1_is_a_share(corpus: Path, least: float) -> None:
    with pytest.raises(DistillError, match="--min-f1"):
        eval_command(str(corpus), ["none"], {}, min_f1=least)


def test_diff_shows_what_a_rule_won(corpus: Path, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    rule = "why: Test.\ncues: {en: blessed be}\nmatch: [Blessed be tabs.]\nno_match: [Tabs.]\n"
    pack = tmp_path / "pack.yaml"
    body = rule.replace("\n", "\n    ").rstrip()
    pack.write_text(f"rules:\n  decision/blessing:\n    {body}\n", encoding="utf-8")
    log = corpus / "boat.txt"
    log.write_text(BOAT + "User: Please see that blessed be the copper rivets.\n", encoding="utf-8")
    label = {"kind": "decision", "text": "Copper rivets are blessed",
             "evidence": [{"record": 5, "quote": "blessed be the copper rivets"}]}
    (corpus / "boat.txt.labels.jsonl").write_text(lines([*BOAT_LABELS, label]), encoding="utf-8")
    old = tmp_path / "old.json"
    old.write_text(json.dumps(evaluated(corpus, capsysbinary, "none,400")), encoding="utf-8")
    flags = {"rules": [str(pack)]}

    assert eval_command(str(corpus), ["none"], flags, diff=str(old), as_json=True) == 0
    change = json.loads(capsysbinary.readouterr().out)["diff"]["none"]
    (won,) = [one for one in change["logs"]["boat.txt"]["changes"] if one["turn"] == "newly right"]
    assert (won["kind"], won["text"], won["weight"]) == ("decision", "Copper rivets are blessed", 2)
    assert "blessed be the copper rivets" in won["item"]
    assert won["rule"] == "decision/blessing"
    assert change["counts"]["newly right"] == 1
    assert change["macro_f1"][0] < change["macro_f1"][1]

    assert eval_command(str(corpus), ["none"], flags, diff=str(old)) == 0
    text = capsysbinary.readouterr().out.decode()
    assert f"against {old} (before > now)" in text
    assert any(line.split()[:4] == ["newly", "right", "decision", "w2"] for line in text.splitlines())


def test_diff_with_itself_finds_nothing(
    corpus: Path, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    old = tmp_path / "old.json"
    old.write_text(json.dumps(evaluated(corpus, capsysbinary, "none,60")), encoding="utf-8")
    found = evaluated(corpus, capsysbinary, "none,60", diff=str(old))["diff"]
    assert set(found) == {"none", "60"}
    assert all(count == 0 for change in found.values() for count in change["counts"].values())


def test_diff_needs_a_budget_in_common(
    corpus: Path, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    old = tmp_path / "old.json"
    old.write_text(json.dumps(evaluated(corpus, capsysbinary, "none,60")), encoding="utf-8")
    with pytest.raises(DistillError, match=r"made at other budgets; add --budget none,60$"):
        eval_command(str(corpus), ["70"], {}, diff=str(old))


@pytest.mark.parametrize(("text", "what"), [("{", r":1:2: not valid JSON"), ("{}", ": not a result of distill eval")])
def test_diff_with_something_else(corpus: Path, tmp_path: Path, text: str, what: str) -> None:
    (tmp_path / "old.json").write_text(text, encoding="utf-8")
    with pytest.raises(DistillError, match=what):
        eval_command(str(corpus), ["none"], {}, diff=str(tmp_path / "old.json"))


def test_faults_of_all_label_files_come_at_once(corpus: Path) -> None:
    (corpus / "boat.txt.labels.jsonl").write_text('{"kind": "fact", "text": "a"}\n{"kind": "fact"}\n', encoding="utf-8")
    (corpus / "cafe.labels.jsonl").write_bytes(b'{"transcript": "far/cafe.txt"}\n\n\xff\n')
    with pytest.raises(DistillError) as caught:
        eval_command(str(corpus), ["none"], {})
    assert caught.value.code == 2
    first, second = str(caught.value).split("\n")
    assert first == f"{corpus / 'boat.txt.labels.jsonl'}:2: text: is missing"
    assert second.startswith(f"{corpus / 'cafe.labels.jsonl'}:3: not valid UTF-8")


def test_a_transcript_that_is_missing(corpus: Path) -> None:
    (corpus / "boat.txt").unlink()
    with pytest.raises(InputError, match=r"boat\.txt is no file"):
        eval_command(str(corpus), ["none"], {})


def test_a_log_that_is_not_labelled(corpus: Path) -> None:
    with pytest.raises(DistillError, match=r"is not labelled: there is no cafe\.txt\.labels\.jsonl"):
        eval_command(str(corpus / "far" / "cafe.txt"), ["none"], {})


def test_a_budget_that_is_too_small_names_the_log(corpus: Path) -> None:
    with pytest.raises(DistillError, match=r"boat\.txt: a budget of 1 tokens"):
        eval_command(str(corpus), ["1"], {})


def test_skipped_records_are_told(corpus: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    rows = [{"role": "user", "content": "We decided to use epoxy resin."}, {"role": "assistant", "content": "Fine."}]
    (corpus / "boat.txt").write_text(lines(rows) + '{"role": "user", "cont\n' + lines(rows), encoding="utf-8")
    assert eval_command(str(corpus), ["none"], {}) == 4
    told = capsysbinary.readouterr().err.decode()
    assert f"distill: {corpus / 'boat.txt'}: 1 x " in told
    assert ", 1 skipped, " in told


def test_what_a_label_says_cannot_touch_the_terminal(corpus: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    label = {"kind": "fact", "text": "nobody said \x1b[31mthis\ud800 line"}
    text = json.dumps(label) + "\n"
    (corpus / "boat.txt.labels.jsonl").write_text(text, encoding="utf-8")
    eval_command(str(corpus), ["none"], {"verbose": True})
    assert b"nobody said this line\n" in capsysbinary.readouterr().out


def test_the_exit_codes(corpus: Path, tmp_path: Path) -> None:
    done = distill("eval", "logs", "--budget", "none", "--json", "-q", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["corpus"] == "logs"
    empty = distill("eval", "logs/far", cwd=tmp_path)
    assert (empty.returncode, empty.stdout) == (2, "")
    assert empty.stderr == "distill: error: logs/far: no label files (NAME.labels.jsonl) in this folder\n"
    assert distill("eval", "nowhere", cwd=tmp_path).returncode == 3
    assert distill("eval", "logs", "--budget", "few", cwd=tmp_path).returncode == 2
    low = distill("eval", "logs", "--budget", "none", "--min-f1", "1", cwd=tmp_path)
    assert low.returncode == 1
    assert low.stdout.startswith("budget none")


def _shared_score(*words: str | Path) -> dict[str, Any]:
    if not SCORE.is_file():
        pytest.skip("the shared scorer is not there")
    environment = {**os.environ, "PYTHONPATH": str(CHECKOUT / "cli"), "PYTHONUTF8": "1"}
    out = Path(words[-1])
    command = [sys.executable, SCORE, *words[:-1], "--json", out]
    subprocess.run(command, env=environment, check=True, capture_output=True, timeout=300)
    found = json.loads(out.read_text(encoding="utf-8"))
    assert isinstance(found, dict)
    return found


def _figures(run: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in run.items() if name != "logs"}


@pytest.mark.shared
def test_the_shared_scorer_agrees(corpus: Path, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    tool = f"{sys.executable} -m distill"
    expected = _shared_score(corpus, "--tool", tool, "--budget", "none,60", tmp_path / "out.json")
    found = evaluated(corpus, capsysbinary, "none,60")["budgets"]
    assert {budget: _figures(run) for budget, run in found.items()} == expected


@pytest.mark.shared
def test_the_shared_scorer_agrees_on_many_states(tmp_path: Path) -> None:
    """States and labels made of few words, so that they are alike in every degree; the "tool" only prints a state."""
    text_of = "use the postgres not redis src/app/main.py main.py v1.2 16 改用 方案二 数据库 库 ＵＴＦ８ of/it x_y"
    words = text_of.split()
    seed = 1

    def pick(count: int) -> int:
        nonlocal seed
        seed = (seed * 1103515245 + 12345) % 2**31
        return (seed >> 8) % count

    def text(most: int = 6) -> str:
        return " ".join(words[pick(len(words))] for _ in range(1 + pick(most)))

    kinds, statuses = list(Kind), ["live", "live", "live", "superseded", "resolved"]
    scores = {}
    for number in range(30):
        pool = [text() for _ in range(4)]
        items = tuple(
            Item(id="x", kind=kinds[pick(4)], text=pool[pick(4)] if pick(2) else text(),
                 sources=tuple(Source(path="a", record=1 + pick(12), quote="q") for _ in range(pick(3))))
            for _ in range(12)
        )
        labels = [
            {"kind": kinds[pick(4)], "text": pool[pick(4)] if pick(3) else text(), "weight": 1 + pick(3),
             "status": statuses[pick(5)],
             "evidence": [{"record": 1 + pick(12), "quote": pool[pick(4)] if pick(3) else text()}
                          for _ in range(pick(3))]}
            for _ in range(8)
        ]
        path = tmp_path / f"{number:02}.json"
        path.write_text(render(State(items=items), "en"), encoding="utf-8")
        path.with_name(f"{path.name}.labels.jsonl").write_text(lines(labels), encoding="utf-8")
        state = parse(path.read_text(encoding="utf-8"), path.name)
        scores[path.name] = Measure(read_labels(lines(labels), path.name).labels).score(state)
    echo = tmp_path / "echo.py"
    echo.write_text("import sys\nsys.stdout.buffer.write(open(sys.argv[1], 'rb').read())\n", encoding="utf-8")
    expected = _shared_score(tmp_path, "--tool", f"{sys.executable} -S -E {echo}", "--budget", "none", tmp_path / "out")
    found = json.loads(json.dumps(to_data({"none": run_of(scores)}, "", "")))["budgets"]["none"]
    assert _figures(found) == expected["none"]
    assert found["stale"] > 3
    assert found["dup"] > 3
