"""The engines of `distill batch`: the same bytes whoever does the work, also where a worker or the whole run dies."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import pytest

from distill.commands.batch_engines import here, processes, workers
from distill.render.outputs import parse_state
from tests.cli.test_batch import STATES, batch, content, report
from tests.cli.tool import NOW, Tool, environment, said

needs_dask = pytest.mark.skipif(find_spec("distributed") is None, reason="needs the extra dask")
needs_fsspec = pytest.mark.skipif(find_spec("fsspec") is None, reason="needs the extra remote")
posix = pytest.mark.skipif(os.name == "nt", reason="needs signals")


@pytest.fixture
def logs(tool: Tool) -> Tool:
    """Twelve sessions of three projects, one of them damaged, one empty."""
    for number in range(12):
        text = f"We decided to keep {number + 3} copies." if number % 2 else f"决定：保留 {number + 3} 份备份。"
        log = said(number + 1, text, f"TODO: write chapter {number}", project=f"/w/项目{number % 3}")
        tool.write(f"logs/{number % 3}/{number:02}.jsonl", log)
    tool.write("logs/0/bad.jsonl", said(20, "Never push to main.") + '{"type": "user", "mess\n')
    tool.write("logs/1/empty.jsonl", "")
    return tool


# -- processes --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [[], ["--chain"]])
def test_any_number_of_processes_gives_the_same_bytes(logs: Tool, words: list[str]) -> None:
    found = []
    for number in ("1", "3"):
        ran = logs("batch", "logs", "-o", f"out{number}", "-j", number, "--now", NOW, *words)
        assert ran.code == 4
        assert ran.err.count("failed ") == 1
        found.append(content(logs.folder / f"out{number}"))
    assert len(found[0]) > 4
    assert found[0] == found[1]


def killer(item: Path) -> str:
    """Kill the process that is at a file called "deadly"; once where it is called "fragile"."""
    if item.name == "deadly" or (item.name == "fragile" and not (once := item.with_suffix(".once")).exists()):
        if item.name == "fragile":
            once.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return item.name


@posix
def test_a_process_that_dies_takes_nothing_with_it(tmp_path: Path) -> None:
    names = ["a", "b", "deadly", "c", "fragile", "d", "e", "f", "g"]
    found = dict(processes(killer, [tmp_path / name for name in names], 2))
    assert {path.name: result for path, result in found.items()} == {
        name: None if name == "deadly" else name for name in names}


def test_as_many_processes_as_pay() -> None:
    assert workers(None, 1000, 100) == 1
    assert 1 <= workers(None, 1000, 1 << 40) <= (os.cpu_count() or 1)
    assert workers(4, 1000, 100) == 4
    assert workers(4, 2, 100) == 2
    assert workers(None, 0, 0) == 1
    assert list(here(len, ["a", "bb"])) == [("a", 1), ("bb", 2)]


# -- runs that are cut off --------------------------------------------------------------------------------------------


def start(tool: Tool, *words: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-m", "distill", "batch", "logs", "-o", "out", "--now", NOW, *words],
                            cwd=tool.folder, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            start_new_session=True)


def wait_for(folder: Path, count: int) -> None:
    for _ in range(3000):
        if len(list(folder.rglob("*.md"))) >= count:
            return
        time.sleep(0.01)
    raise AssertionError("no states after half a minute")


MANY = 40


def fill(tool: Tool) -> None:
    for number in range(MANY):
        tool.write(f"logs/{number:03}.jsonl", said(2, *(f"We decided to keep {number}{n} copies." for n in range(8))))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What a run over these logs writes when nothing happens to it."""
    tool = Tool(tmp_path_factory.mktemp("whole"))
    fill(tool)
    assert batch(tool).code == 0
    return content(tool.folder / "out")


@posix
@pytest.mark.parametrize(("number", "how", "code"), [
    ("1", signal.SIGKILL, -9), ("2", signal.SIGKILL, -9), ("1", signal.SIGINT, 130), ("2", signal.SIGINT, 130)])
def test_a_run_that_is_cut_off_goes_on_where_it_was(
    tool: Tool, whole: dict[str, bytes], number: str, how: int, code: int
) -> None:
    fill(tool)
    child = start(tool, "-j", number)
    wait_for(tool.folder / STATES, 4)
    os.killpg(child.pid, how) if how == signal.SIGINT else child.kill()
    assert child.wait(timeout=20) == code
    for state in (tool.folder / STATES).rglob("*.md"):
        parse_state(state.read_text(), str(state))
    done = len(list((tool.folder / STATES).rglob("*.md")))
    assert done < MANY
    assert batch(tool, "--report", "report.json").code == 0
    lost = report(tool)["counts"]["new"] - (MANY - done)
    assert 0 <= lost <= 4 * int(number)  # what was under way
    assert content(tool.folder / "out") == whole
    assert not list(tool.folder.rglob(".*.tmp"))


@posix
def test_processes_end_with_the_one_that_started_them(tool: Tool) -> None:
    fill(tool)
    child = start(tool, "-j", "2")
    wait_for(tool.folder / STATES, 2)
    child.kill()
    child.wait()
    for _ in range(200):
        try:
            os.killpg(child.pid, 0)  # the group is gone once all are
        except ProcessLookupError:
            return
        time.sleep(0.05)
    raise AssertionError("processes are left")


def test_runs_at_the_same_time_take_turns(tool: Tool, whole: dict[str, bytes]) -> None:
    fill(tool)
    both = [start(tool, "-j", "1"), start(tool, "-j", "1")]
    said_at_end = [child.communicate(timeout=100)[1].decode() for child in both]
    assert [child.returncode for child in both] == [0, 0]
    assert sum("unchanged" in text for text in said_at_end) == 1
    assert content(tool.folder / "out") == whole


# -- dask -------------------------------------------------------------------------------------------------------------


@needs_dask
def test_a_cluster_gives_the_same_bytes(logs: Tool) -> None:
    assert logs.process("batch", "logs", "-o", "out1", "-j", "1", "--now", NOW).code == 4
    ran = logs.process("batch", "logs", "-o", "out2", "-j", "2", "--engine", "dask", "--now", NOW)
    assert ran.code == 4, ran.err
    assert content(logs.folder / "out1") == content(logs.folder / "out2")


@needs_dask
@posix
def test_a_worker_that_dies_on_the_way_is_no_matter(tmp_path: Path) -> None:
    from distill.commands.batch_dask import cluster

    names = ["a", "b", "c", "fragile", "d", "e"]
    found = dict(cluster(killer, [tmp_path / name for name in names], "", 2))
    assert {path.name: result for path, result in found.items()} == {name: name for name in names}
    assert (tmp_path / "fragile.once").exists()


@needs_dask
def test_a_cluster_that_is_named(logs: Tool) -> None:
    from dask.distributed import LocalCluster

    logs("batch", "logs", "-o", "out1", "--now", NOW)
    with LocalCluster(n_workers=1, processes=False, dashboard_address=None) as own:
        ran = logs("batch", str(logs.folder / "logs"), "-o", "out2", "--engine", f"dask:{own.scheduler_address}")
    assert ran.code == 4, ran.err
    assert content(logs.folder / "out1").keys() == content(logs.folder / "out2").keys()


@pytest.mark.skipif(find_spec("distributed") is not None, reason="dask is installed")
def test_dask_that_is_not_installed_is_one_line(logs: Tool) -> None:
    ran = batch(logs, "--engine", "dask")
    assert (ran.code, "pip install 'distill-log[dask]'" in ran.err) == (2, True)


# -- URLs -------------------------------------------------------------------------------------------------------------


@needs_fsspec
def test_logs_and_states_behind_urls(logs: Tool) -> None:
    import fsspec

    memory = fsspec.filesystem("memory")
    memory.store.clear()
    for path in (logs.folder / "logs").rglob("*.jsonl"):
        memory.pipe_file(f"/box/logs/{path.relative_to(logs.folder / 'logs')}", path.read_bytes())
    words = ["batch", "memory://box/logs", "-o", "memory://box/out", "--now", NOW, "--exclude", "bad.jsonl"]
    assert logs(*words).code == 4
    assert logs("batch", "logs", "-o", "out", "--now", NOW, "--exclude", "bad.jsonl").code == 4
    states = {name[len("/box/out/") :]: memory.cat_file(name) for name in memory.find("/box/out")}
    here = content(logs.folder / "out")
    assert states.keys() - {".distill/manifest.jsonl"} == here.keys()
    for name, data in here.items():
        if name.startswith("states"):
            text = states[name].replace(b"memory:///box/logs/", b"logs/")
            assert text.split(b"\n---\n")[1] == data.split(b"\n---\n")[1]
    again = logs(*words, "--report", "report.json")
    assert (again.code, report(logs)["counts"]["unchanged"]) == (4, 12)
    memory.pipe_file("/box/logs/0/00.jsonl", memory.cat_file("/box/logs/0/00.jsonl") + said(25, "Use tabs.").encode())
    memory.rm_file("/box/logs/0/03.jsonl")
    logs(*words, "--report", "report.json", "--prune")
    assert (report(logs)["counts"]["changed"], report(logs)["removed"]) == (1, ["states/0/03.jsonl.md"])
    assert not memory.exists("/box/out/states/0/03.jsonl.md")
    ran = logs("memory://box/logs/0/06.jsonl", "-q")
    assert "9 份备份" in ran.out
    ran = logs("memory://box/logs/none.jsonl")
    assert (ran.code, "no such file" in ran.err) == (3, True)
    ran = logs("batch", "nowhere9://box", "-o", "out3")
    assert (ran.code, len(ran.err.strip().split("\n"))) == (2, 1)


@pytest.mark.skipif(find_spec("fsspec") is not None, reason="fsspec is installed")
def test_urls_without_fsspec_are_one_line(logs: Tool) -> None:
    for words in (["batch", "s3://box/logs", "-o", "out"], ["s3://box/log.jsonl"], ["batch", "logs", "-o", "s3://out"]):
        ran = logs(*words)
        assert ran.code in (2, 3)
        assert "pip install 'distill-log[remote]'" in ran.err
