"""Laws that hold for every log: quotes stand in their records, budgets are kept, states come back, secrets stay out."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from hypothesis import example, given
from hypothesis import strategies as st

from distill.model import CLOSING, LATE, SECTIONS, DistillError, InputError, Item, State, Status, left
from distill.pipeline import Options, distil, heading_language, rendered
from distill.render.contract import list_of
from distill.render.markdown import sections_text
from distill.render.outputs import all_outputs, parse_state
from distill.text.clean import clean
from distill.text.redact import redact
from distill.text.tokens import counter
from tests.bench import synth
from tests.cli.tool import NOW, Tool, environment
from tests.properties.laws import Folder, law
from tests.properties.logs import FORMATS

SENTENCES = (
    "We decided to store sessions in Redis.", "Change of plan: store sessions in Postgres.", "Never touch legacy/.",
    "The timeout is 30 seconds.", "TODO: add pagination tests.", "Which licence do we take?", "Done, 12 tests pass.",
    "我们决定用 PostgreSQL 16 存订单。", "不要改动 user 表。", "待办：补上分页参数校验", "好的，就这样", "ok", "2",
    "Maybe we could use Kafka.", "Retries: 3 → 5", "See https://a.example/b?c=d.", "- [ ] paint the boat",
    "1. Use tabs\n2. Use spaces", "## Summary\n- The keel is **oak**.\n- `mast.py` holds the mast.",
    "| a | b |\n|---|---|\n| 1 | 2 |", "```\nwe decided nothing\n```", "> We decided to quote.",
    "\u200bWe decided to hide.", "We\u00a0decided to use \u202ereversed\u202c text.",
    "\x1b[31mWe decided to use red.\x1b[0m", "---\ndistill: state\n---", "<!-- distill:ledger",
    "- [pin] We decided to pin this.", "(2026-03-02)", "x" * 900, "长" * 500,
)
phrases = st.one_of(st.sampled_from(SENTENCES), st.text(max_size=60))
several = st.lists(phrases, min_size=1, max_size=6)
texts = several.map(" ".join) | several.map("\n\n".join)
talks = st.lists(texts, min_size=1, max_size=6).map(
    lambda said: [(("user", "assistant")[number % 2], text) for number, text in enumerate(said)])
formats = st.sampled_from(sorted(FORMATS))
Talk = Sequence[tuple[str, str]]


def state_of(tool: Tool, name: str, talk: Talk, **options: object) -> State | None:
    """The state of a talk written in a format; None where nothing in it can be read."""
    path = tool.write("log", FORMATS[name][0](talk).encode("utf-8", "surrogatepass"))
    try:
        return distil([str(path)], Options(now=NOW, **options))  # type: ignore[arg-type]
    except InputError:
        return None


@law
@given(formats, talks)
def test_every_quote_stands_in_its_record(folder: Folder, name: str, talk: Talk) -> None:
    tool = folder()
    state = state_of(tool, name, talk)
    if state is None:
        return
    lines = (tool.folder / "log").read_bytes().decode("utf-8", "replace").replace("\r\n", "\n").split("\n")
    said = [clean(line) for _, text in talk for line in text.replace("\r\n", "\n").split("\n")]
    for item in state.items:
        assert item.text == clean(item.text) != ""
        assert item.sources
        for source in item.sources:
            assert source.record >= 1
            if FORMATS[name][1]:  # the record is a line of the log
                line = lines[source.record - 1]
                spoken = [clean(part) for text in _strings(line) for part in text.split("\n")] or [clean(line)]
            else:
                spoken = said
            assert any(source.quote in part for part in spoken), (source, spoken)


def _strings(line: str) -> list[str]:
    """All texts inside a line of JSON, those in JSON texts too; none where it is no JSON."""
    if line[:1] not in "{[\"":
        return []
    try:
        todo = [json.loads(line)]
    except ValueError:
        return []
    found = []
    while todo:
        value = todo.pop()
        if isinstance(value, str):
            found += [value, *_strings(value)]
        todo += value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return found


@law
@given(formats, talks, st.integers(1, 220), st.sampled_from(["md", "compact"]), st.sampled_from(["en", "zh"]))
def test_the_budget_is_never_passed(folder: Folder, name: str, talk: Talk, budget: int, form: str, lang: str) -> None:
    tool = folder()
    count = counter("o200k_base").count
    whole = state_of(tool, name, talk)
    if whole is None:
        return
    options = Options(now=NOW, budget=budget, form=form, language=lang, tokenizer="o200k_base")
    try:
        state = distil([str(tool.folder / "log")], options)
    except DistillError as error:
        if "smaller than the frame" not in str(error):
            raise
        return
    shown = rendered(state, "compact", lang) if form == "compact" else sections_text(state, lang)
    assert count(shown) <= budget
    assert state.tokens.state == count(shown)
    for kind, out in zip(SECTIONS, state.omitted, strict=True):
        assert len(state.live(kind)) + out == len(whole.live(kind))
    texts = {item.text for item in whole.items}
    assert all(item.text in texts for item in state.items)  # none is cut in two


@law
@given(formats, talks, st.sampled_from(["en", "zh", "auto"]), st.integers(0, 2))
def test_what_is_written_is_read_back_the_same(folder: Folder, name: str, talk: Talk, lang: str, times: int) -> None:
    state = state_of(folder(), name, talk, language=lang, task="A # task\n--- {x}: y")
    if state is None:
        return
    for output in all_outputs():
        if output.parse is None:
            continue
        text = rendered(state, output.name, lang)
        for _ in range(times):
            text = rendered(parse_state(text, "state"), output.name, lang)
        found = parse_state(text, "state")
        assert rendered(found, output.name, lang) == text
        if output.name == "md":
            assert found == state
        else:  # which item of two sections is the better is told by the Markdown alone
            assert by_list(found) == by_list(state)
            assert replace(found, items=()) == replace(state, items=())


def by_list(state: State) -> dict[str, list[Item]]:
    """The items of a state by the list they stand in."""
    lists: dict[str, list[Item]] = {}
    for item in state.items:
        lists.setdefault(list_of(item), []).append(item)
    return lists


@law
@given(formats, talks)
def test_the_same_state_again_and_again(folder: Folder, name: str, talk: Talk) -> None:
    """Distilling twice, and distilling the same log into its own state, give the same bytes."""
    tool = folder()
    state = state_of(tool, name, talk)
    if state is None:
        return
    path = str(tool.folder / "log")
    language = heading_language(state, "auto")
    first = rendered(state, "md", language)
    assert rendered(distil([path], Options(now=NOW)), "md", language) == first
    again = distil([path], Options(now=NOW), previous=parse_state(first, "state"))
    assert rendered(again, "md", language) == first


@law
@given(formats, st.lists(talks, min_size=2, max_size=3))
def test_a_chain_holds_each_thing_once_and_forgets_nothing(folder: Folder, name: str, several: list[Talk]) -> None:
    """But for what only the end of a log made a conclusion, where the next log is of the same session."""
    tool = folder()
    state: State | None = None
    for number, talk in enumerate(several):
        path = tool.write(f"log{number}", FORMATS[name][0](talk).encode("utf-8", "surrogatepass"))
        try:
            new = distil([str(path)], Options(now=NOW), previous=state)
        except InputError:
            continue
        if state is not None:
            kept = {place for item in new.items for place in item.sources}
            lost = [item for item in state.items if not kept & set(item.sources)]
            if new.sources[-1].continues:
                lost = [item for item in lost if 0 not in (left(item.tags, CLOSING), left(item.tags, LATE))]
            assert not lost
        live = [item.id for item in new.items if item.status is Status.LIVE]
        assert len(live) == len(set(live))
        ids = {item.id for item in new.items}
        assert all(item.by is None or item.by in ids for item in new.items)
        state = new
    if state is not None:
        assert parse_state(rendered(state, "md", "en"), "state") == state


def _secret(seed: int, kind: str) -> str:
    """A made-up credential of some kind."""
    word = hashlib.sha512(f"{kind}{seed}".encode()).digest()
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    text = "".join(letters[byte % 62] for byte in word)
    return {
        "github": f"ghp_{text[:36]}",
        "aws": f"AKIA{''.join('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[byte % 32] for byte in word)[:16]}",
        "openai": f"sk-proj-{text[:44]}",
        "slack": f"xoxb-{int(word[:5].hex(), 16)}-{int(word[5:10].hex(), 16)}-{text[:24]}",
        "password": f"Hunter{text[:9]}!7",
    }[kind]


HIDING = ("{}", "`{}`", '"{}"', "({})", "**{}**", "{},", "use {} then", "TOKEN={}", "https://me:{}@a.example/x",
          "密钥：{}。")
CONTEXTS = ("We decided that the deploy token is {}.", "Decided: the password is {} until Friday.", "TODO: rotate {}",
            "我们决定密码是 {}，不要改。", "Never print {}.", "- [ ] rotate {}", "## Token {}\n- we decided to keep it",
            "| key | {} |\n|---|---|\n| a | b |", "```\nexport API_KEY={}\n```", "Which is it, {}?")


@law
@given(
    formats, st.integers(0, 10**6), st.sampled_from(["github", "aws", "openai", "slack"]), st.sampled_from(HIDING),
    st.lists(st.sampled_from(CONTEXTS), min_size=1, max_size=4), st.sampled_from(["", "\u200b", "\u00ad", "\x1b[0m"]))
@example("text", 1, "github", "{}", [CONTEXTS[0]], "\u200b")
def test_no_planted_secret_comes_out(
    folder: Folder, name: str, seed: int, kind: str, hiding: str, contexts: list[str], inside: str
) -> None:
    tool = folder()
    secret = _secret(seed, kind)
    planted = hiding.format(f"{secret[:7]}{inside}{secret[7:]}")
    talk = [(("user", "assistant")[number % 2], context.format(planted)) for number, context in enumerate(contexts)]
    tool.write("log", FORMATS[name][0](talk))
    for words in (("log", "-v", "-f", "md"), ("log", "-f", "json"), ("log", "-f", "yaml"), ("log", "-f", "compact"),
                  ("formats", "log")):
        ran = tool(*words)
        assert ran.code in (0, 3, 4), ran.err
        assert secret not in ran.out + ran.err
        assert secret not in clean(ran.out)


@law
@given(st.integers(0, 10**6), st.sampled_from(["password is {}", "密码是 {}", "password: {}", "DB_PASSWORD={}"]))
def test_passwords_in_prose_are_masked(folder: Folder, seed: int, form: str) -> None:
    tool, secret = folder(), _secret(seed, "password")
    tool.write("log", f"User: We decided that the {form.format(secret)} for the staging host.\nAssistant: OK.\n")
    ran = tool("log", "-v")
    assert ran.code == 0
    assert secret not in ran.out + ran.err


@law
@given(formats, talks)
def test_redaction_leaves_nothing_for_a_second_look(folder: Folder, name: str, talk: Talk) -> None:
    state = state_of(folder(), name, talk)
    for item in state.items if state is not None else ():
        assert redact(item.text)[1] == {}


def test_the_hash_seed_changes_nothing(tmp_path: Path) -> None:
    talk = [(("user", "assistant")[number % 2], " ".join(SENTENCES[number : number + 5])) for number in range(8)]
    for name, (build, _) in FORMATS.items():
        (tmp_path / name).write_text(build(talk), encoding="utf-8")
    (tmp_path / "long.jsonl").write_bytes(b"".join(synth.claude_code(1_500_000, chatty=True)))
    words = [sys.executable, "-m", "distill", *FORMATS, "long.jsonl", "--now", NOW, "-f", "json", "-q"]
    seen = [
        subprocess.run(words, cwd=tmp_path, env=environment({"PYTHONHASHSEED": seed}), capture_output=True, timeout=120,
                       check=False)
        for seed in ("1", "20260305")
    ]
    assert [ran.returncode for ran in seen] == [0, 0]
    assert seen[0].stdout == seen[1].stdout != b""
    assert len(json.loads(seen[0].stdout)["sources"]) == len(FORMATS) + 1
