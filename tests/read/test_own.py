import pytest

from distill.read.own import BEGIN, END, blanked, is_state, marker, without_own_output

STATE = "---\nschema: 1\ndistill: 0.1.0\ntask: pump\n---\n\n## Decisions\n- use valve B\n"


def test_text_without_markers_passes() -> None:
    assert without_own_output("use distill for that") == ("use distill for that", 0)


def test_a_marked_block_is_emptied_and_the_lines_keep_their_places() -> None:
    text, count = without_own_output(f"first\n{BEGIN}\n- use valve B\n{END}\nlast")
    assert count == 1
    assert text.split("\n") == ["first", "", "", "", "last"]


def test_two_blocks() -> None:
    text, count = without_own_output(f"{BEGIN}\na\n{END}\nmine\n{BEGIN}\nb\n{END}")
    assert count == 2
    assert text.split() == ["mine"]


def test_an_opening_without_an_end_takes_the_rest() -> None:
    text, count = without_own_output(f"mine\n{BEGIN}\n- use valve B")
    assert (text.strip(), count) == ("mine", 1)


def test_an_opening_that_nobody_closes_does_not_swallow_a_long_log() -> None:
    lines = [(1, BEGIN), *((n, f"line {n}") for n in range(2, 6000))]
    found = [0]
    kept = list(blanked(lines, found))
    assert found == [0]
    assert kept[1] == (2, "line 2")
    assert kept[-1] == (5999, "line 5999")


def test_markers_of_a_quoted_or_typed_block() -> None:
    assert marker(f"#### {BEGIN}  ") == "begin"
    assert marker(f"> {END}") == "end"
    assert marker(f"it says {BEGIN} there") == ""


def test_a_state_file_is_emptied() -> None:
    assert is_state(STATE)
    text, count = without_own_output(STATE)
    assert (text.strip(), count) == ("", 1)


def test_a_pasted_state_is_emptied_from_its_front_matter_on() -> None:
    text, count = without_own_output("This was the state:\n" + STATE)
    assert (text.strip(), count) == ("This was the state:", 1)


def test_foreign_front_matter_stays() -> None:
    text = "---\ntitle: about distill\nschema: 2\n---\nbody"
    assert not is_state(text)
    assert without_own_output(text) == (text, 0)


@pytest.mark.parametrize("name", ["User:", "用户：", "[2026-03-05 09:12] dev:"])
def test_a_block_behind_the_name_of_its_speaker(name: str) -> None:
    text, count = without_own_output(f"first\n{name} {BEGIN}\n- use valve B\n{END}\nmine")
    assert count == 1
    assert text.split("\n") == ["first", name, "", "", "mine"]


def test_a_marker_that_is_spoken_of_takes_nothing() -> None:
    text = f"The first line is: {BEGIN}\nand then comes the text"
    assert without_own_output(text) == (text, 0)


ENGLISH = "[Facts] the pump runs on 230 V\n[Decisions] use valve B; no second pump (+2 left out)\n[Open] order the seal"
CHINESE = "【已确认事实】泵用 230 V\n【已定决策】用 B 阀；不加第二台泵\n【待办】订密封圈"
TRADITIONAL = "【已確認事實】泵用 230 V\n【待辦】訂密封圈"


@pytest.mark.parametrize("compact", [ENGLISH, CHINESE, TRADITIONAL, ENGLISH.split("\n")[1], CHINESE.split("\n")[1]])
@pytest.mark.parametrize("before", ["", "> ", "#### "])
def test_the_compact_form_is_emptied_and_the_lines_keep_their_places(compact: str, before: str) -> None:
    pasted = "\n".join(before + line for line in compact.split("\n"))
    text, count = without_own_output(f"Check this first.\n\n{pasted}\n\nNow: 换密封圈。")
    assert count == 1
    assert [line for line in text.split("\n") if line] == ["Check this first.", "Now: 换密封圈。"]
    assert text.split("\n")[-1] == "Now: 换密封圈。"
    assert text.count("\n") == compact.count("\n") + 4


@pytest.mark.parametrize(
    "text",
    [
        "[Open] is the seal tight?",
        "[Decisions] use valve B",
        "【待办】订密封圈",
        "【已定决策】用 B 阀",
        "[Open] order the seal\n[Decisions] use valve B",
        "[Decisions] Use valve B.\n[Open] Order the seal.",
        "【已定决策】用 B 阀。\n【待办】订密封圈。",
        "[Decisions] use valve B\n【待办】订密封圈",
        "[Decisions] use valve B\n[Decisions] no second pump",
        "[Notes] use valve B; no second pump",
        "we write [Facts] here; and [Open] there",
    ],
)
def test_lines_that_people_label_stay(text: str) -> None:
    assert without_own_output(text) == (text, 0)
