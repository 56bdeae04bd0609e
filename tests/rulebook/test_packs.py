import re
from collections.abc import Callable
from pathlib import Path

import pytest

from distill.model import DistillError, Kind
from distill.rulebook import check, dialogues, load, read, uncovered
from distill.rulebook.packs import RuleError
from distill.rulebook.runner import Fault

Pack = Callable[[dict[str, str]], Path]
HOUSE = "why: House.\ncues: {en: blessed be}\nmatch: [Blessed be tabs.]\nno_match: [Tabs.]\n"


def problems(*packs: Path, builtin: bool = True) -> list[str]:
    with pytest.raises(RuleError) as caught:
        load(packs, builtin)
    return [f"{Path(one.file).name}:{one.line}: {one.field}: {one.message}" for one in caught.value.problems]


def test_a_folder_adds_rules(pack: Pack) -> None:
    assert load().judge("Blessed be tabs.").kind is None
    verdict = load([pack({"decision/house": HOUSE})]).judge("Blessed be tabs.")
    assert (verdict.kind, verdict.rule) == (Kind.DECISION, "decision/house")


def test_a_folder_overrides_a_rule_by_its_id(pack: Pack) -> None:
    book = load([pack({"decision/explicit": HOUSE})])
    assert book.judge("Blessed be tabs.").rule == "decision/explicit"
    assert book.judge("We settled on tabs.").kind is None


def test_a_single_file_adds_and_switches_off(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    body = HOUSE.replace("\n", "\n    ")
    file.write_text(f"off: [decision/explicit]\nrules:\n  decision/house:\n    {body}\n", encoding="utf-8")
    book = load([file])
    assert book.judge("Blessed be tabs.").rule == "decision/house"
    assert book.judge("We settled on tabs.").kind is None
    assert "decision/explicit" in read([file]).off


def test_a_folder_switches_off_by_its_pack_file(pack: Pack) -> None:
    assert load([pack({"pack": "off: [modifier/negated]"})]).modifiers("It is not so.") == frozenset()


def test_later_packs_go_over_earlier_ones(tmp_path: Path) -> None:
    first, second = tmp_path / "a.yaml", tmp_path / "b.yaml"
    first.write_text("rules:\n  decision/house:\n    " + HOUSE.replace("\n", "\n    "), encoding="utf-8")
    second.write_text("off: [decision/house]", encoding="utf-8")
    assert load([first, second]).judge("Blessed be tabs.").kind is None


def test_without_the_packages_rules_only_the_packs_hold(pack: Pack) -> None:
    book = load([pack({"decision/house": HOUSE})], builtin=False)
    assert book.judge("Blessed be tabs.").kind is Kind.DECISION
    assert book.judge("We decided to use tabs.").kind is None
    assert load(builtin=False).judge("We decided to use tabs.").kind is None


def test_all_faults_of_all_files_come_at_once(pack: Pack) -> None:
    root = pack(
        {
            "decision/one": HOUSE + "wight: 3\n",
            "decision/two": HOUSE.replace("blessed be", "go"),
            "fact/three": "cues: {en: a b c\n",
            "mood/four": HOUSE,
        }
    )
    found = problems(root)
    assert len(found) == 4
    assert "one.yaml:5: wight" in found[0]
    assert "two.yaml:2: cues.en" in found[1]
    assert "three.yaml:" in found[2]
    assert ": yaml: " in found[2]
    assert "four.yaml:" in found[3]
    assert ": id: " in found[3]


def test_a_file_that_breaks_its_own_examples_does_not_load(pack: Pack) -> None:
    broken = HOUSE.replace("[Blessed be tabs.]", "\n  - Blessed be tabs.\n  - Cursed be tabs.")
    root = pack({"decision/house": broken, "fact/other": HOUSE.replace("blessed", "not").replace("Blessed", "Not")})
    assert problems(root) == ["house.yaml:5: match: missing: 'Cursed be tabs.' is none"]
    assert [(one.text, one.fault) for one in check([root], only="decision/house")] == [
        ("Cursed be tabs.", Fault.MISSING)
    ]


def test_a_rule_that_fires_where_it_must_not_is_noisy(pack: Pack) -> None:
    root = pack({"decision/house": HOUSE.replace("[Tabs.]", "[Blessed be spaces.]")})
    assert [(one.text, one.fault) for one in check([root], only="decision/house")] == [
        ("Blessed be spaces.", Fault.NOISY)
    ]


def test_a_known_miss_fails_once_it_passes(pack: Pack) -> None:
    root = pack({"decision/house": HOUSE + "todo_match: [Praised be tabs.]\ntodo_no_match: [Tabs and spaces.]\n"})
    found = check([root], only="decision/house")
    assert [(one.fault, one.text, one.field) for one in found] == [(Fault.PASSES, "Tabs and spaces.", "todo_no_match")]


def test_a_pinned_example_must_be_of_that_kind(pack: Pack) -> None:
    root = pack({"decision/house": HOUSE.replace("[Tabs.]", "\n  - Will it be tabs?: fact")})
    assert problems(root) == ["house.yaml:5: no_match: noisy: 'Will it be tabs?' is none"]


def test_rules_that_contradict_each_other_are_refused(pack: Pack) -> None:
    root = pack({"decision/house": HOUSE, "fact/house": HOUSE})
    assert any("shall be fact, but decision/house wants decision" in one for one in problems(root))
    root = pack({"decision/house": HOUSE.replace("[Tabs.]", "[Blessed be tabs.]")})
    assert any("stands in match too" in one for one in problems(root))


def test_the_same_id_twice_in_a_pack_is_refused(pack: Pack) -> None:
    root = pack({"decision/house": HOUSE})
    (root / "decision" / "house.yml").write_text(HOUSE, encoding="utf-8")
    assert any("stands twice" in one for one in problems(root))


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("off: decision/weak", "off"),
        ("off: [decision/nothing]", "off"),
        ("rulez: {}", "rulez"),
        ("rules: []", "rules"),
        ("- a", "file"),
        ("effects: {order: [a, a]}", "order"),
        ("effects: {order: [a], effects: {decision: {b: none}}}", "effects.decision"),
        ("effects: {order: [a], effects: {decision: {a: gone}}}", "effects.decision"),
        ("effects: {order: [a], effects: {mood: {a: none}}}", "effects"),
        ("effects: {order: [a], effects: {}, short: x}", "short"),
        ("effects: {order: [a], effects: {}, openers: 'a * b'}", "openers"),
    ],
)
def test_a_pack_file_with_faults_is_refused(tmp_path: Path, text: str, field: str) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(text, encoding="utf-8")
    assert any(f": {field}: " in one for one in problems(file))


def test_an_unknown_modifier_is_refused(pack: Pack) -> None:
    assert any("'moody'" in one for one in problems(pack({"decision/house": HOUSE + "immune: [moody]\n"})))


def test_a_missing_or_empty_pack_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DistillError, match="no such rule pack"):
        load([tmp_path / "nothing"])
    (tmp_path / "empty").mkdir()
    with pytest.raises(DistillError, match="holds no rule files"):
        load([tmp_path / "empty"])


def test_a_file_that_is_no_utf8_is_named(pack: Pack) -> None:
    root = pack({"decision/house": HOUSE})
    (root / "decision" / "other.yaml").write_bytes(b"why: a\ncues: \xff\n")
    assert problems(root) == ["other.yaml:2: yaml: is not UTF-8"]


def test_a_cue_without_an_example_is_a_warning(pack: Pack) -> None:
    root = pack({"decision/house": HOUSE.replace("blessed be", "blessed be | praised be")})
    load([root])
    assert ("decision/house", "praised be") in uncovered([root])
    assert ("decision/house", "blessed be") not in uncovered([root])


def test_dialogues_come_with_their_roles(pack: Pack) -> None:
    talk = "{name: mine, turns: [hello, {user: Tabs it is.}], keep: {decision: [Tabs]}, drop: [hello]}"
    text = f"dialogues: [{talk}]"
    (mine,) = dialogues([pack({"dialogue/mine": text})], builtin=False)
    assert [(str(role), said) for role, said in mine.turns] == [("unknown", "hello"), ("user", "Tabs it is.")]
    assert (dict(mine.keep), mine.drop) == ({Kind.DECISION: ("Tabs",)}, ("hello",))


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("dialogues: 3", "dialogues"),
        ("dialogues: [a]", "dialogues"),
        ("dialogues: [{turns: [a], drop: [a]}]", "name"),
        ("dialogues: [{name: x, turns: [], drop: [a]}]", "turns"),
        ("dialogues: [{name: x, turns: [{boss: a}], drop: [a]}]", "turns"),
        ("dialogues: [{name: x, turns: [a], keep: {mood: [a]}}]", "keep"),
        ("dialogues: [{name: x, turns: [a], drop: a}]", "drop"),
        ("dialogues: [{name: x, turns: [a]}]", "keep"),
        ("dialogues: [{name: x, turns: [a], drop: [a], mood: b}]", "mood"),
        ("dialogues: [{name: x, turns: [a], drop: [a]}, {name: x, turns: [a], drop: [a]}]", "name"),
        ("dialogues: []\nmood: a", "mood"),
    ],
)
def test_a_dialogue_with_faults_is_refused(pack: Pack, text: str, field: str) -> None:
    assert any(f": {field}: " in one for one in problems(pack({"dialogue/mine": text})))


@pytest.mark.parametrize(("text", "line", "field"), [
    ("signals: 3", 1, "signals"),
    ("bars: [1, 2]", 1, "bars"),
    ("bars: [1, 2, 3, x]", 1, "bars"),
    ("weights: [1, 2, 3, 4]", 1, "weights"),
    ("signals:\n  odd: 3\n", 2, "signals.odd"),
    ("signals:\n  odd:\n    points: [1, 2, 3]\n    why: so\n", 3, "signals.odd.points"),
    ("signals:\n  odd:\n    points: [true, 2, 3, 4]\n    why: so\n", 3, "signals.odd.points"),
    ("signals:\n  odd:\n    points: [1, 2, 3, 4]\n", 2, "signals.odd.why"),
    ("signals:\n  odd:\n    points: [1, 2, 3, 4]\n    why: so\n    roles: [bot]\n", 5, "signals.odd.roles"),
    ("signals:\n  odd:\n    points: [1, 2, 3, 4]\n    why: so\n    cues: 'a{b'\n", 5, "signals.odd.cues"),
    ("signals:\n  odd:\n    points: [1, 2, 3, 4]\n    why: so\n    colour: red\n", 5, "signals.odd.colour"),
])
def test_a_fault_in_a_table_of_signals_is_named(pack: Pack, text: str, line: int, field: str) -> None:
    (found,) = problems(pack({"signals": text}))
    assert re.search(rf"signals\.yaml:{line}: {re.escape(field)}: ", found), found


def test_signals_of_a_pack_go_over_those_of_the_package(pack: Pack) -> None:
    row = "signals:\n  user:\n    points: [9, 0, 0, 0]\n    why: the user is always right\n"
    assert load([pack({"signals": row})]).signals.table["user"].points == (9, 0, 0, 0)
    assert "user" in load([pack({"decision/house": HOUSE})], builtin=False).signals.table


SIGNALS = """\
signals:
  haste:
    points: [1, 0, 0, 0]
    why: Quick words.
    cues: {en: "asap | right {now,away}"}
    match: [Do it asap]
    no_match: [Do it, do it right]
"""


def test_signals_carry_examples_too(pack: Pack) -> None:
    good = pack({"signals": SIGNALS})
    assert check([good], only="signals/haste") == []
    assert ("signals/haste", "right {now,away}") in uncovered([good])
    assert ("signals/haste", "asap") not in uncovered([good])
    bad = pack({"signals": SIGNALS.replace("Do it, do", "Do it asap, do")})
    assert [str(one) for one in check([bad], only="signals/haste")] == [
        "signals/haste: noisy: 'Do it asap' is haste"
    ]
    with pytest.raises(DistillError, match=r"signals\.haste\.match: must be a list of texts"):
        load([pack({"signals": SIGNALS.replace("[Do it asap]", "yes")})])
