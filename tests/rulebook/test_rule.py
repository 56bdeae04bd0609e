import pytest

from distill.rulebook.rule import Place, Rule, read_rule
from distill.rulebook.yamldoor import load

GOOD = """\
why: A house rule.
weight: 3
firm: true
immune: [uncertain]
roles: [user]
cues:
  en: |
    settled on | agreed {to,on}
  zh: |
    敲定
not: |
  agreed on nothing
match:
  - We settled on tabs.
no_match:
  - We agreed on nothing.
  - Did we agree?: open
todo_match: [Fine then.]
"""


def read(text: str, rule_id: str = "decision/house") -> tuple[Rule | None, list[tuple[int, str, str]]]:
    place = Place("house.yaml", text)
    rule = read_rule(rule_id, load(text, "house.yaml"), place)
    return rule, [(one.line, one.field, one.message) for one in place.problems]


def test_a_rule_is_read_field_by_field() -> None:
    rule, problems = read(GOOD)
    assert problems == []
    assert rule is not None
    assert (rule.group, rule.name, rule.weight, rule.firm) == ("decision", "house", 3, True)
    assert (rule.immune, rule.roles, rule.languages) == (("uncertain",), ("user",), ("en", "zh"))
    assert [cue.text for cue in rule.cues] == ["settled on", "agreed {to,on}", "敲定"]
    assert [(one.text, one.pin) for one in rule.no_match] == [("We agreed on nothing.", ""), ("Did we agree?", "open")]
    assert [one.text for one in rule.todo_match] == ["Fine then."]


@pytest.mark.parametrize(
    ("old", "new", "line", "field", "message"),
    [
        ("why: A house rule.", "wy: A house rule.", 1, "wy", "unknown field"),
        ("weight: 3", "weight: 4", 2, "weight", "1 to 3"),
        ("weight: 3", "weight: yes", 2, "weight", "1 to 3"),
        ("firm: true", "firm: maybe", 3, "firm", "true or false"),
        ("immune: [uncertain]", "immune: uncertain", 4, "immune", "list"),
        ("roles: [user]", "roles: [boss]", 5, "roles", "'boss'"),
        ("  zh: |", "  tlh: |", 6, "cues", "'tlh'"),
        ("agreed {to,on}", "agreed {to,on", 8, "cues.en", "braces"),
        ("agreed {to,on}", "go", 8, "cues.en", "so short"),
        ("    敲定", "    定", 10, "cues.zh", "so short"),
        ("agreed {to,on}", "settled on", 8, "cues.en", "twice"),
        ("agreed on nothing\n", "settled on\n", 8, "cues.en", "its own antipattern"),
        ("  - We settled on tabs.", "  - no", 14, "match", "quote it"),
        ("  - We settled on tabs.", "  - 16", 14, "match", "quote it"),
        ("  - We settled on tabs.", "  - Use tabs: open", 14, "match", "takes no kind"),
        ("Did we agree?: open", "Did we agree?: maybe", 17, "no_match", "one of"),
        ("Did we agree?: open", "Did we agree?: no", 17, "no_match", "quote it"),
    ],
)
def test_a_fault_is_named_by_line_and_field(old: str, new: str, line: int, field: str, message: str) -> None:
    assert old in GOOD
    rule, problems = read(GOOD.replace(old, new, 1))
    assert rule is None
    assert any((at, name) == (line, field) and message in text for at, name, text in problems), problems


def test_all_faults_come_at_once() -> None:
    text = GOOD.replace("weight: 3", "weight: 9").replace("firm: true", "firm: 1").replace("\nmatch:", "\nmtch:")
    _, problems = read(text)
    assert {field for _, field, _ in problems} == {"weight", "firm", "mtch", "match"}


@pytest.mark.parametrize("field", ["match", "no_match"])
@pytest.mark.parametrize("value", ["", "[]\n"])
def test_examples_of_both_sorts_are_wanted(field: str, value: str) -> None:
    lines = {"match": "[a]\n", "no_match": "[b]\n", field: value}
    text = "cues: {en: settled on}\n" + "".join(f"{name}: {line}" for name, line in lines.items() if line)
    rule, problems = read(text)
    assert rule is None
    assert [name for _, name, _ in problems] == [field]


def test_a_key_that_is_no_text_is_refused() -> None:
    _, problems = read(GOOD + "off: [x]\n")
    assert any("no text" in message for _, _, message in problems)


def test_a_body_that_is_no_mapping_is_refused() -> None:
    assert read("- a\n")[1][0][1] == "file"


@pytest.mark.parametrize("rule_id", ["decision", "mood/x", "decision/"])
def test_an_id_names_a_known_group(rule_id: str) -> None:
    assert read(GOOD, rule_id)[1][0][1] == "id"


def test_a_modifier_has_fields_of_its_own() -> None:
    text = "direction: both\nreach: statement\nwithin: {en: 40, zh: 8}\ncues: {en: not}\nswallow: not only\n"
    text += "match: [not]\nno_match: [a]"
    rule, problems = read(text, "modifier/house")
    assert problems == []
    assert rule is not None
    assert (rule.direction, rule.reach, rule.within) == ("both", "statement", (40, 8))
    assert [cue.text for cue in rule.excluded] == ["not only"]
    assert read(text.replace("reach: statement", "reach: page"), "modifier/house")[1][0][1] == "reach"
    assert read(text + "\nweight: 2", "modifier/house")[1][0][1] == "weight"
    assert read(text.replace("zh: 8", "fr: 8"), "modifier/house")[1][0][1] == "within"
