"""The README says what is so: its made parts are what distill makes now, and its recipes run as they stand."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import distill
from distill.render.outputs import parse_state
from tests.docs.blocks import BLOCKS, README, made, names, runnable
from tests.golden.samples import ROOT, Ran, run

TEXT = README.read_text(encoding="utf-8")
PARTS = runnable(TEXT)
SHELL = shutil.which("bash")
needs_a_shell = pytest.mark.skipif(SHELL is None or os.name == "nt", reason="needs bash")


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test touches the user's cache."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DISTILL_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


class Shell:
    """A folder to run recipes in, with `distill` on the path."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        place = folder / ".bin"
        place.mkdir()
        command = place / "distill"
        command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m distill "$@"\n')
        command.chmod(0o755)
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("DISTILL_")}
        self.environment["DISTILL_CACHE_DIR"] = os.environ["DISTILL_CACHE_DIR"]
        self.environment["PATH"] = f"{place}{os.pathsep}{os.environ['PATH']}"

    def bring(self, sample: str, name: str) -> Path:
        """A copy of the log of a sample."""
        (log,) = (ROOT / sample).glob("log.*")
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(log, path)
        return path

    def __call__(self, script: str, stdin: str = "", **environment: str) -> Ran:
        assert SHELL
        ran = subprocess.run(
            [SHELL, "-c", script], cwd=self.folder, env={**self.environment, **environment}, input=stdin.encode(),
            capture_output=True,
        )
        return Ran(code=ran.returncode, out=ran.stdout, err=ran.stderr.decode())


# -- what is made -----------------------------------------------------------------------------------------------------


def test_every_made_part_is_what_distill_makes_now() -> None:
    """`python -m tests.docs.update` writes them anew."""
    assert sorted(names(TEXT)) == sorted(BLOCKS)
    parts, now = TEXT.split("<!-- made: "), made(TEXT).split("<!-- made: ")
    for part, fresh in zip(parts, now, strict=True):
        assert part == fresh


def test_the_table_of_formats_names_them_all() -> None:
    listed = json.loads(run("formats", "--json", folder=ROOT).out)
    assert re.findall(r"^\| `([a-z][a-z0-9-]*)` \| ", TEXT, re.MULTILINE) == [row["name"] for row in listed]


def test_links_inside_the_page_lead_somewhere() -> None:
    headings = {re.sub(r"[^\w -]", "", line.lstrip("# ").lower()).replace(" ", "-")
                for line in TEXT.split("\n") if line.startswith("#")}  # fmt: skip
    links = re.findall(r"\]\(#([^)]+)\)", TEXT)
    assert links
    assert set(links) <= headings


def test_files_it_names_exist() -> None:
    for path in ("samples/claude-code-en/log.jsonl", "samples/text-zh/log.txt"):
        assert path in TEXT
        assert (README.parent / path).is_file()
    schema = "distill/render/state.schema.json"
    assert schema in TEXT
    assert (Path(distill.__file__).parents[1] / schema).is_file()


def test_every_part_to_run_is_run_here() -> None:
    assert set(PARTS) == {
        "loop", "chain", "agents", "make", "inject", "ci", "hook", "git", "python", "settings", "rule", "rule-commands",
        "context", "folder", "llm", "llm-profile", "batch",
    }  # fmt: skip


# -- what is run ------------------------------------------------------------------------------------------------------


@needs_a_shell
def test_the_loop(shell: Shell) -> None:
    shell.bring("claude-code-en", "run.jsonl")
    ran = shell(PARTS["loop"] + '\nprintf "%s" "$prompt"')
    assert (ran.code, ran.err.count("\n")) == (0, 1)
    assert parse_state((shell.folder / "state.md").read_text(encoding="utf-8"), "state.md").items
    prompt = ran.out.decode()
    assert prompt.startswith("Background from the last task.")
    assert "\n[Decisions] " in prompt
    assert prompt.endswith("Now: add the export button.")


@needs_a_shell
def test_the_chain(shell: Shell) -> None:
    shell.bring("claude-code-en", "run.jsonl")
    (shell.folder / "run2.jsonl").write_text(
        '{"role": "user", "content": "We decided to keep the counters for 30 days.", "ts": "2026-03-04T09:00:00Z"}\n'
    )
    assert shell("distill run.jsonl -q -o state.md").code == 0
    state = shell.folder / "state.md"
    before = parse_state(state.read_text(encoding="utf-8"), "state.md")
    assert shell(PARTS["chain"]).code == 0
    after = parse_state(state.read_text(encoding="utf-8"), "state.md")
    assert "We decided to keep the counters for 30 days." in {item.text for item in after.items}
    assert {item.id for item in before.items} < {item.id for item in after.items}
    assert [log.path for log in after.sources] == ["run.jsonl", "run2.jsonl"]
    assert shell(PARTS["chain"]).code == 0
    again = parse_state(state.read_text(encoding="utf-8"), "state.md")
    assert again.items == after.items


@needs_a_shell
def test_the_head_of_the_next_prompt(shell: Shell) -> None:
    shell.bring("claude-code-en", "run.jsonl")
    assert shell("distill run.jsonl -q -o state.md").code == 0
    ran = shell(PARTS["inject"] + '\nprintf "%s" "$prompt"')
    assert (ran.code, ran.err) == (0, "")
    prompt = ran.out.decode()
    assert prompt.startswith("<!-- distill:begin -->\nBackground from earlier work")
    assert "- Never send a real SMS from the tests" in prompt
    assert "limiter" in prompt
    assert prompt.endswith("<!-- distill:end -->\n\nMake the limit of the alert sender configurable per harbour.")
    (shell.folder / "next.txt").write_text(f"User: {prompt}\nAssistant: OK.\n")
    later = shell("distill next.txt -q").out.decode()
    assert "SMS" not in later


AGENT = """#!/bin/sh
# An agent that decides what its prompt asks for, and says whether it was told of earlier work.
prompt=$(cat)
case $prompt in *distill:begin*) heard="Earlier work is known.";; *) heard="Nothing is known.";; esac
task=$(printf "%s" "$prompt" | tail -n 1)
printf '{"role": "user", "content": "We decided: %s"}\\n' "$task"
printf '{"role": "assistant", "content": "%s"}\\n' "$heard"
"""


@needs_a_shell
def test_a_row_of_tasks(shell: Shell) -> None:
    agent = shell.folder / ".bin" / "agent"
    agent.write_text(AGENT)
    agent.chmod(0o755)
    (shell.folder / "logs").mkdir()
    tasks = ["Sessions live in SQLite.", "接口一律返回 JSON。", "Exports are written as CSV."]
    (shell.folder / "tasks.txt").write_text("".join(f"{task}\n" for task in tasks), encoding="utf-8")
    assert shell(PARTS["agents"]) == Ran(code=0, out=b"", err="")
    logs = [path.read_text("utf-8") for path in sorted((shell.folder / "logs").iterdir())]
    assert ["Earlier work is known." in log for log in logs] == [False, True, True]
    state = parse_state((shell.folder / "state.md").read_text("utf-8"), "state.md")
    assert {f"We decided: {task}" for task in tasks} <= {item.text for item in state.items}


@needs_a_shell
@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
def test_the_makefile(shell: Shell) -> None:
    (shell.folder / "Makefile").write_text(PARTS["make"])
    shell.bring("claude-code-en", "logs/1.jsonl")
    assert shell("make -s").code == 0
    first = parse_state((shell.folder / "state.md").read_text("utf-8"), "state.md")
    assert "is up to date" in shell("make").out.decode()
    shell.bring("codex-zh", "logs/2.jsonl")
    assert shell("touch -d '1 minute ago' state.md && make -s").code == 0
    both = parse_state((shell.folder / "state.md").read_text("utf-8"), "state.md")
    assert [log.path for log in both.sources] == ["logs/1.jsonl", "logs/2.jsonl"]
    assert {item.id for item in first.items} < {item.id for item in both.items}


def steps() -> list[str]:
    """The commands of the job, step by step."""
    import yaml

    (job,) = yaml.safe_load(PARTS["ci"])["jobs"].values()
    return [step["run"] for step in job["steps"] if "run" in step]


@needs_a_shell
def test_the_check_in_ci(shell: Shell) -> None:
    install, states, summary = steps()
    pip = shell.folder / ".bin" / "pip"
    pip.write_text('#!/bin/sh\necho "$@"\n')
    pip.chmod(0o755)
    name = tomllib.loads((README.parent / "pyproject.toml").read_text("utf-8"))["project"]["name"]
    assert shell(install).out.decode() == f"install {name}\n"
    shell.bring("claude-code-en", "logs/one.jsonl")
    ran = shell(states)
    assert (ran.code, ran.err) == (1, "")
    assert (shell.folder / "states" / "one.md").is_file()
    assert shell(summary, GITHUB_STEP_SUMMARY="summary.md").code == 0
    assert "## Decisions\n- " in (shell.folder / "summary.md").read_text("utf-8")
    shell.bring("damaged-en", "logs/one.jsonl")
    shutil.rmtree(shell.folder / "states")
    ran = shell(states)
    assert (ran.code, list((shell.folder / "states").iterdir())) == (4, [])


@needs_a_shell
def test_the_hooks_of_a_session(shell: Shell) -> None:
    log = shell.bring("claude-code-en", "a log/session.jsonl")
    (shell.folder / ".git").mkdir()
    assert shell(PARTS["hook"]).code == 0
    hooks = json.loads((shell.folder / ".claude" / "settings.json").read_text("utf-8"))["hooks"]
    commands = {name: one["command"] for name, groups in hooks.items() for group in groups for one in group["hooks"]}
    assert set(commands) == {"SessionStart", "PreCompact", "SessionEnd"}
    call = {"session_id": "s", "transcript_path": str(log), "cwd": str(shell.folder), "reason": "exit"}
    nothing = Ran(code=0, out=b"", err="")
    assert shell(commands["SessionStart"], json.dumps(call)) == nothing
    for name in ("PreCompact", "SessionEnd"):
        assert shell(commands[name], json.dumps({**call, "hook_event_name": name})) == nothing
        assert parse_state((shell.folder / ".distill" / "state.md").read_text("utf-8"), "state.md").items
    shown = json.loads(shell(commands["SessionStart"], json.dumps(call)).out)
    assert "## Decisions\n- " in shown["hookSpecificOutput"]["additionalContext"]
    assert not (shell.folder / ".distill" / "hook.log").exists()
    assert "installed already in" in shell(PARTS["hook"]).out.decode()
    assert shell("distill hook claude-code status").code == 0
    assert shell("distill hook claude-code uninstall && cat .claude/settings.json").out.decode().endswith("\n{}\n")


@needs_a_shell
@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_the_hook_of_git(shell: Shell) -> None:
    who = {f"GIT_{role}_{what}": "a@b.example" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    assert shell("git init -q .", GIT_CONFIG_GLOBAL=os.devnull).code == 0
    hook = shell.folder / ".git" / "hooks" / "post-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(PARTS["git"])
    hook.chmod(0o755)
    commit = "git commit -q --allow-empty -m change && git log -1 --notes=distill"
    assert "Notes" not in shell(commit, GIT_CONFIG_GLOBAL=os.devnull, **who).out.decode()
    (shell.folder / ".distill").mkdir()
    shell.bring("claude-code-en", "run.jsonl")
    assert shell("distill run.jsonl -q -o .distill/state.md").code == 0
    told = shell(commit, GIT_CONFIG_GLOBAL=os.devnull, **who)
    assert (told.code, told.err) == (0, "")
    assert "Notes (distill):\n" in told.out.decode()
    assert "## Decisions" in told.out.decode()


def test_a_session_is_folded_by_a_program(tmp_path: Path) -> None:
    ran = subprocess.run([sys.executable, "-c", PARTS["folder"] + "\nprint(prompt)"], cwd=tmp_path, capture_output=True)
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert b"rainfall by month" in ran.stdout


def test_the_python(tmp_path: Path) -> None:
    shutil.copyfile(ROOT / "claude-code-en" / "log.jsonl", tmp_path / "log.jsonl")
    program = [sys.executable, "-c", PARTS["python"]]
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    ran = subprocess.run(program, cwd=tmp_path, env=environment, capture_output=True)
    assert (ran.returncode, ran.stderr) == (0, b"")
    lines = ran.stdout.decode().splitlines()
    assert lines
    shape = re.compile(r"(decision|fact|artifact|open) \| .+ \| 2026-.+Z \| log\.jsonl:\d+")
    assert [line for line in lines if not shape.fullmatch(line)] == []
    (tmp_path / "log.jsonl").unlink()
    ran = subprocess.run(program, cwd=tmp_path, env=environment, capture_output=True)
    assert (ran.returncode, ran.stderr.decode().strip()) == (1, "log.jsonl: no such file (exit code 3)")


def test_the_settings(tmp_path: Path) -> None:
    (tmp_path / "distill.yaml").write_text(PARTS["settings"], encoding="utf-8")
    (tmp_path / "house.yaml").write_text(PARTS["rule"], encoding="utf-8")
    (tmp_path / "log.txt").write_text("Ruling: one queue per tenant\n待办：补 README 的部署一节\n", encoding="utf-8")
    ran = run("log.txt", "-f", "json", "-q", folder=tmp_path)
    assert ran.code == 1
    data = json.loads(ran.out)
    assert [item["rule"] for item in data["decisions"]] == ["decision/ruling"]
    assert data["tokens"]["encoding"] == "o200k_base"


@needs_a_shell
def test_a_rule_in_five_minutes(shell: Shell) -> None:
    (shell.folder / "house.yaml").write_text(PARTS["rule"], encoding="utf-8")
    test, explain, use = [shell(line) for line in PARTS["rule-commands"].strip().split("\n")]
    assert (test.code, test.err) == (0, "")
    assert test.out.decode().endswith(" 0 failures\n")
    assert "decision/ruling: warning" not in test.out.decode()
    assert explain.code == 0
    assert "decision/ruling (weight 3): counts" in explain.out.decode()
    assert explain.out.decode().endswith("=> decision\n")
    state = parse_state(use.out.decode(), "state.md")
    assert [(item.text, item.rule) for item in state.items] == [("Ruling: one queue per tenant", "decision/ruling")]
    without = shell('echo "Ruling: one queue per tenant" | distill -q')
    assert parse_state(without.out.decode(), "state.md").items == ()


def test_exit_codes(tmp_path: Path) -> None:
    """Each code of the table, but 130, for which somebody would have to press a key."""
    listed = re.findall(r"^\| (\d+) \| ", TEXT, re.MULTILINE)
    assert listed == ["0", "1", "2", "3", "4", "130"]
    good = str(ROOT / "claude-code-en" / "log.jsonl")
    codes = [
        run(good, "-q", folder=tmp_path).code,
        run(good, "-q", "--fail-on", "open", folder=tmp_path).code,
        run(good, "-q", "--budget", "1", folder=tmp_path).code,
        run("no-such.jsonl", folder=tmp_path).code,
        run(str(ROOT / "damaged-en" / "log.jsonl"), "-q", folder=tmp_path).code,
    ]
    assert codes == [0, 1, 2, 3, 4]


def test_tokenizers_it_names_are_known(tmp_path: Path) -> None:
    (section,) = re.findall(r"`--tokenizer` takes (.*?)\n\n", TEXT, re.DOTALL)
    named = [name for name in re.findall(r"`([^`]+)`", section) if " " not in name]
    assert len(named) > 6
    (tmp_path / "log.txt").write_text("We decided to use PostgreSQL.\n")
    for name in named:
        ran = run("log.txt", "-q", "-f", "json", "--tokenizer", name, folder=tmp_path)
        assert ran.code == 0, name
        assert json.loads(ran.out)["tokens"]["encoding"].startswith(
            name if name in ("estimate", "chars4") or "_" in name else "o200k_base"
        )
    assert "approximate" in json.loads(
        run("log.txt", "-q", "-f", "json", "--tokenizer", "qwen-max", folder=tmp_path).out
    )["tokens"]["encoding"]  # fmt: skip


def test_a_secret_is_masked_as_it_says(tmp_path: Path) -> None:
    key = "ghp_" + "A1b2C3d4" * 4
    (tmp_path / "log.txt").write_text(
        f"We decided to deploy with the token {key} from commit 3f2a9c1, ask ops@example.org.\n", encoding="utf-8"
    )
    ran = run("log.txt", folder=tmp_path)
    assert key not in ran.out.decode()
    assert "[redacted: github token]" in ran.out.decode()
    assert "commit 3f2a9c1, ask ops@example.org" in ran.out.decode()
    assert re.search(r"1 secrets? masked \(github token 1\)", ran.err)


def test_edits_by_hand_do_what_it_says(tmp_path: Path) -> None:
    lines = (ROOT / "text-zh" / "state.md").read_text(encoding="utf-8").split("\n")
    first, second = [number for number, line in enumerate(lines) if line.startswith("- ")][:2]
    gone = lines[first].removeprefix("- ")
    lines[first] = "- 缓存放内存里"
    lines[second] += " [pin]"
    lines.insert(second + 1, "- [x] 发周报")
    (tmp_path / "state.md").write_text("\n".join(lines), encoding="utf-8")
    shown = run("show", "state.md", folder=tmp_path).out.decode()
    assert "- 缓存放内存里\n" in shown
    assert f"{lines[second]}\n" in shown
    assert gone not in shown
    assert "发周报" not in shown


# -- the package -------------------------------------------------------------------------------------------------------


def test_importing_the_package_loads_nothing_heavy() -> None:
    program = (
        "import sys, distill\n"
        "assert [name for name in sys.modules if name.startswith('distill')] == ['distill'], sys.modules\n"
        "from distill import DistillError, Item, Options, State, distil_log\n"
        "assert distill.State is State and set(distill.__all__) <= set(dir(distill))\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True)
    assert (ran.returncode, ran.stderr) == (0, b"")


def test_type_checkers_see_the_same_names() -> None:
    stub = Path(distill.__file__).with_suffix(".pyi").read_text(encoding="utf-8")
    assert set(re.findall(r"import (\w+) as \1", stub)) | {"__version__"} == set(distill.__all__)
    assert Path(distill.__file__).with_name("py.typed").exists()
    with pytest.raises(AttributeError, match="no attribute 'merge'"):
        _ = distill.merge  # type: ignore[attr-defined]


@needs_a_shell
def test_a_model_is_asked_shown_and_taken_back(shell: Shell) -> None:
    shell.bring("claude-code-en", "run.jsonl")
    agent = shell.folder / ".bin" / "agent"
    agent.write_text("#!/bin/sh\ncat > prompt.txt\necho '{\"items\": [], \"drop\": []}'\n")
    agent.chmod(0o755)
    write, show, back = [line.partition("#")[0] for line in PARTS["llm"].strip().split("\n")]
    ran = shell(write)
    assert (ran.code, "second pass: 1 call, nothing new" in ran.err) == (0, True)
    assert "Transcript:" in (shell.folder / "prompt.txt").read_text(encoding="utf-8")
    assert "tokens in and" in shell(show).out.decode()
    assert shell(back).code == 0
    (shell.folder / "distill.yaml").write_text(PARTS["llm-profile"], encoding="utf-8")
    costs = shell("distill run.jsonl --llm big --llm-dry-run", BIG_KEY="k").out.decode()
    assert "at 3 in and 15 out for a million tokens" in costs
