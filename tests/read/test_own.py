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
