import pytest

from distill.read.shellwords import Command, parse


def texts(script: str, *, powershell: bool = False) -> list[list[str]]:
    return [[word.text for word in command.words] for command in parse(script, powershell=powershell)]


def only(script: str) -> Command:
    (command,) = parse(script)
    return command


def test_operators_separate_commands() -> None:
    commands = parse("cd web && ls | head -5; echo done & wait\npwd || exit 1")
    assert [command.words[0].text for command in commands] == ["cd", "ls", "head", "echo", "wait", "pwd", "exit"]
    assert [command.after for command in commands] == ["&&", "|", ";", "&", ";", "||", ""]
    assert [command.before for command in commands] == ["", "&&", "|", ";", "&", ";", "||"]


def test_quotes_and_escapes() -> None:
    assert texts("echo 'a b' \"c \\\"d\\\"\" e\\ f g''h") == [["echo", "a b", 'c "d"', "e f", "gh"]]


def test_a_variable_makes_a_word_open_and_a_known_one_does_not() -> None:
    words = parse('NAME=report.md; cat > "$NAME" "$HOME/x" *.py {a,b} $(date)')[1]
    assert words.writes[0][1].text == "report.md"
    assert words.writes[0][1].fixed
    assert [word.fixed for word in words.words] == [True, False, False, False, False]


def test_redirections() -> None:
    command = only("run 2> err.txt > out.txt >> more.txt 2>&1 < in.txt &> both.txt")
    assert [(op, word.text) for op, word in command.writes] == [
        (">", "out.txt"),
        (">>", "more.txt"),
        (">", "both.txt"),
    ]
    assert [word.text for word in command.words] == ["run"]


def test_a_here_document_is_the_body_and_not_part_of_the_script() -> None:
    first, second = parse("cat > notes.md <<'EOF'\nit's \"here\" && rm x\nEOF\nls")
    assert first.body == 'it\'s "here" && rm x'
    assert [word.text for word in second.words] == ["ls"]


def test_a_here_document_that_is_not_closed_takes_the_rest() -> None:
    assert only("cat <<EOF\none\ntwo").body == "one\ntwo"


def test_a_here_document_inside_a_substitution_inside_quotes() -> None:
    commands = parse("git commit -m \"$(cat <<'EOF'\nfix: don't (stop\nEOF\n)\" && git push")
    assert [[word.text for word in command.words][:2] for command in commands] == [["git", "commit"], ["git", "push"]]


def test_comments_and_process_substitutions() -> None:
    assert texts("ls # it's nothing; rm x\ndiff <(sort a) <(sort b)") == [["ls"], ["diff"]]


def test_subshells_have_a_depth() -> None:
    assert [(command.words[0].text, command.depth) for command in parse("(cd a && touch b); touch c")] == [
        ("cd", 1),
        ("touch", 1),
        ("touch", 0),
    ]


def test_a_backslash_before_a_letter_is_a_windows_path() -> None:
    assert texts("type C:\\Temp\\a.txt") == [["type", "C:\\Temp\\a.txt"]]


def test_powershell_variables_here_strings_and_blocks() -> None:
    script = "$p = 'a b.txt'\nSet-Content $p @'\nit's\n'@\nforeach ($f in $all) { Remove-Item $f }; "
    script += "echo `\n 'it''s' \"x`\"y\""
    assert texts(script, powershell=True) == [
        ["Set-Content", "a b.txt", "it's"],
        ["foreach"],
        ["$f", "in", "$all"],
        ["Remove-Item", "$f"],
        ["echo", "it's", 'x"y'],
    ]


@pytest.mark.parametrize(
    "script",
    [
        "'",
        '"',
        "`",
        "$(",
        "$((",
        "<<",
        "<<EOF",
        "> ",
        "&",
        "|||",
        "((((",
        "\\",
        "$",
        "${",
        '"$(cat <<E\n',
        "a\0b",
        "@'",
    ],
)
@pytest.mark.parametrize("powershell", [False, True])
def test_nonsense_never_fails(script: str, powershell: bool) -> None:
    parse(script, powershell=powershell)


def test_deep_nesting_is_survived() -> None:
    parse('echo "' + '$(echo "' * 5000)
    parse("(" * 50_000)
    parse("''" * 50_000, powershell=True)
