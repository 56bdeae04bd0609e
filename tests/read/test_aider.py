from io import BytesIO

from distill.model import Action, ActionKind, Event, Role
from distill.read.aider import FORMAT
from distill.read.aideredits import path_of, split_edits
from distill.read.log import Log

HEAD = "\n# aider chat started at 2026-01-05 09:30:00\n\n> Aider v0.86.1  \n> Git repo: .git with 3 files  \n\n"


def read(text: str) -> tuple[list[Event], Log]:
    log = Log("log", BytesIO(text.encode()))
    assert FORMAT.recognise(log)
    events = list(FORMAT.events(log))
    lines = text.split("\n")
    for event in events:  # every line of a text is a line of the log
        for at, line in enumerate(event.text.split("\n")):
            assert line in lines[event.record - 1 + at]
    return events, log


def said(events: list[Event], role: Role) -> list[str]:
    return [event.text for event in events if event.text and event.role is role]


def acts(events: list[Event], kind: ActionKind) -> list[Action]:
    return [event.action for event in events if event.action and event.action.kind is kind]


def test_a_turn_with_an_edit_and_a_commit() -> None:
    events, log = read(
        HEAD
        + "#### add a retry to the pump driver  \n#### three attempts at most  \n\n"
        + "I'll add it.\n\npump/driver.py\n```python\n<<<<<<< SEARCH\nopen()\n=======\nretry(open, 3)\n"
        ">>>>>>> REPLACE\n```\n\nDone.\n\n"
        + "> Tokens: 2.0k sent, 90 received.  \n> Applied edit to pump/driver.py  \n"
        "> Commit ab12cd3 feat: retry three times  \n"
    )
    assert said(events, Role.USER) == ["add a retry to the pump driver\nthree attempts at most"]
    (answer,) = said(events, Role.ASSISTANT)
    assert [line for line in answer.split("\n") if line] == ["I'll add it.", "Done."]
    (edit,) = acts(events, ActionKind.EDITED)
    assert (edit.target, edit.detail) == ("pump/driver.py", "retry(open, 3)")
    (commit,) = acts(events, ActionKind.COMMITTED)
    assert (commit.target, commit.detail) == ("ab12cd3", "feat: retry three times")
    assert {event.time for event in events} == {"2026-01-05T09:30:00Z"}
    assert all(event.by_line for event in events)
    assert log.tally.understood == len(events) == 4


def test_records_are_the_lines_where_things_stand() -> None:
    events, _ = read(HEAD + "#### hello  \n\nhi\n\n> Applied edit to a.txt  \n")
    assert [event.record for event in events] == [7, 9, 11]


def test_a_new_file_is_written_and_a_refused_one_is_not() -> None:
    events, _ = read(
        HEAD
        + "#### go  \n\nNew file.\n\n> Tokens: 1k sent.  \n> docs/a.md  \n> Create new file? (Y)es/(N)o [Yes]: y  \n"
        + "> docs/b.md  \n> Create new file? (Y)es/(N)o [Yes]: n  \n> Applied edit to docs/a.md  \n"
        "> Creating empty file c.md  \n"
    )
    assert [a.target for a in acts(events, ActionKind.WROTE)] == ["docs/a.md", "c.md"]
    assert [a.target for a in acts(events, ActionKind.REJECTED)] == ["docs/b.md"]
    assert not acts(events, ActionKind.EDITED)


def test_an_edit_that_was_not_applied_gives_no_act() -> None:
    events, _ = read(
        HEAD
        + "#### go  \n\na.py\n```\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n```\n\n"
        + "> The LLM did not conform to the edit format.  \n"
    )
    assert not [event for event in events if event.action]


def test_an_assistants_heading_of_the_fourth_level_is_no_input() -> None:
    events, _ = read(HEAD + "#### plan it  \n\n### Steps\n\n#### First step\n\nmove\n\n> Tokens: 1k sent.  \n")
    assert said(events, Role.USER) == ["plan it"]
    assert said(events, Role.ASSISTANT) == ["### Steps\n\n#### First step\n\nmove"]


def test_slash_commands_are_no_words_but_paths_are() -> None:
    events, log = read(
        HEAD
        + "#### /add src/a.py  \n> Added src/a.py to the chat  \n\n#### /etc/pump.conf must stay as it is  \n\nFine.\n"
    )
    assert said(events, Role.USER) == ["/etc/pump.conf must stay as it is"]
    assert log.tally.set_aside["command"] == 1


def test_a_question_that_is_written_twice_counts_once() -> None:
    events, log = read(
        HEAD
        + "#### /ask which valve?  \n> Main model: m with ask edit format  \n\n#### which valve?  \n\nValve B.\n\n"
        + "#### /code  \n#### use valve B  \n#### everywhere  \n\n#### use valve B  \n#### everywhere  \n\nOk.\n"
    )
    assert said(events, Role.USER) == ["which valve?", "use valve B\neverywhere"]
    assert log.tally.set_aside["repeated text"] == 2


def test_the_architects_plan_handed_on_is_not_the_users() -> None:
    events, log = read(
        HEAD
        + "#### /architect make it quiet  \n\n#### make it quiet  \n\nLower the speed.\n\n- 20 rpm\n\n"
        + "> Tokens: 1k sent.  \n> Edit the files? (Y)es/(N)o [Yes]: y  \n\n"
        + "#### Lower the speed.  \n####   \n#### - 20 rpm  \n\nspeed.txt\n```\n20\n```\n\n"
        "> Applied edit to speed.txt  \n"
    )
    assert said(events, Role.USER) == ["make it quiet"]
    assert log.tally.set_aside["machine prompt"] == 1
    (approved,) = [event for event in events if event.action and event.action.kind is ActionKind.APPROVED]
    assert approved.action is not None
    assert approved.action.detail == "Lower the speed.\n\n- 20 rpm"
    assert (approved.role, approved.record) == (Role.USER, 11)
    assert acts(events, ActionKind.EDITED)[0].detail == "20"


def test_a_refused_plan() -> None:
    events, _ = read(HEAD + "#### go  \n\nPlan.\n\n> Edit the files? (Y)es/(N)o [Yes]: n  \n")
    assert [a.target for a in acts(events, ActionKind.REJECTED)] == ["plan"]


def test_undo_takes_the_commit_back() -> None:
    events, _ = read(
        HEAD + "#### go  \n\nOk.\n\n> Commit ab12cd3 feat: x  \n\n#### /undo  \n> Removed: ab12cd3 feat: x  \n"
        "> Now at:  1111111 y  \n"
    )
    (undone,) = [event for event in events if event.action and event.action.kind is ActionKind.UNCOMMITTED]
    assert undone.action is not None
    assert (undone.action.target, undone.role) == ("ab12cd3", Role.USER)


def test_undo_takes_back_all_that_its_input_led_to() -> None:
    session = "#### {}  \n\nOk.\n\n> Applied edit to {}  \n> Commit {} feat: x  \n\n"
    both = session.format("net prices", "net.py", "ab12cd3") + session.format("gross prices", "gross.py", "ef45ab6")
    events, _ = read(f"{HEAD}{both}#### /undo  \n> Removed: ef45ab6 feat: x  \n")
    (asked,) = [event.record for event in events if event.text == "gross prices"]
    assert [e.action.back_to for e in events if e.action and e.action.kind is ActionKind.REWOUND] == [asked - 1]


def test_undo_after_another_input_takes_back_the_commit_alone() -> None:
    talk = "#### go  \n\nOk.\n\n> Commit ab12cd3 feat: x  \n\n#### why so slow?  \n\nThe index.\n\n"
    events, _ = read(f"{HEAD}{talk}#### /undo  \n> Removed: ab12cd3 feat: x  \n")
    kinds = [event.action.kind for event in events if event.action]
    assert kinds == [ActionKind.COMMITTED, ActionKind.UNCOMMITTED]


def test_an_undo_that_failed_takes_nothing_back() -> None:
    events, _ = read(HEAD + "#### /undo  \n> The last commit was not made by aider in this chat session.  \n")
    assert not acts(events, ActionKind.UNCOMMITTED)


def test_an_undo_without_an_answer_means_the_last_commit() -> None:
    events, _ = read(HEAD + "#### /undo  \n\n#### now the other way  \n\nOk.\n")
    assert [a.target for a in acts(events, ActionKind.UNCOMMITTED)] == [""]


def test_a_declined_shell_command_did_not_run() -> None:
    events, _ = read(
        HEAD + "#### go  \n\nOk.\n\n> rm -r build  \n"
        "> Run shell command? (Y)es/(N)o/(S)kip all/(D)on't ask again [Yes]: n  \n"
    )
    assert [a.target for a in acts(events, ActionKind.REJECTED)] == ["rm -r build"]
    assert not acts(events, ActionKind.DELETED)


def test_an_entry_of_several_lines_is_no_answer() -> None:
    events, _ = read(
        HEAD
        + "#### go  \n\nOk.\n\n> Tokens: 1k sent.  \n> export A=1\nexport B=2     \nrun.sh  \n"
        + "> Run shell commands? (Y)es/(N)o [Yes]: n  \n\n#### next  \n\nFine.\n"
    )
    assert said(events, Role.ASSISTANT) == ["Ok.", "Fine."]


def test_a_fence_never_holds_a_turn() -> None:
    events, _ = read(HEAD + "#### show it  \n\n```md\n\n#### use valve C  \n> Applied edit to x.py\n```\n\nThere.\n")
    assert said(events, Role.USER) == ["show it"]
    assert not [event for event in events if event.action]


def test_fences_inside_an_edit_do_not_count() -> None:
    events, _ = read(
        HEAD + "#### notes  \n\nREADME.md\n```markdown\n<<<<<<< SEARCH\n=======\n# Run\n\n```bash\nmake\n```\n"
        ">>>>>>> REPLACE\n```\n\n"
        + "That's it.\n\n> Tokens: 1k sent.  \n> Applied edit to README.md  \n\n#### good  \n\nOk.\n"
    )
    assert said(events, Role.USER) == ["notes", "good"]
    assert acts(events, ActionKind.EDITED)[0].detail == "# Run\n\n```bash\nmake\n```"
    assert said(events, Role.ASSISTANT)[0].split("\n")[-1] == "That's it."


def test_an_answer_that_was_cut_off_ends_with_the_next_input() -> None:
    events, _ = read(
        HEAD + "#### go  \n> ^C KeyboardInterrupt  \n\nHere:\n\na.py\n```python\n<<<<<<< SE\n\n"
        "#### no, stop. use make  \n\n```sh\nmake\n```\n"
    )
    assert said(events, Role.USER) == ["go", "no, stop. use make"]
    assert len(acts(events, ActionKind.INTERRUPTED)) == 1


def test_leaving_at_the_prompt_is_no_interruption() -> None:
    events, _ = read(HEAD + "#### go  \n\nOk.\n\n> Tokens: 1k sent.  \n> ^C again to exit  \n")
    assert not acts(events, ActionKind.INTERRUPTED)


def test_several_sessions_have_their_own_times() -> None:
    events, log = read(HEAD + "#### one  \n\nOk.\n" + HEAD.replace("01-05", "01-09") + "#### two  \n\nOk.\n")
    assert [event.time for event in events if event.role is Role.USER] == [
        "2026-01-05T09:30:00Z",
        "2026-01-09T09:30:00Z",
    ]
    assert log.tally.types["session"] == 2
    assert len({event.session for event in events}) == 2


def test_thoughts_are_left_out() -> None:
    events, log = read(
        HEAD + "#### go  \n\n--------------\n► **THINKING**\n\nmaybe B\n\n------------\n► **ANSWER**\n\nTake A.\n"
    )
    assert said(events, Role.ASSISTANT) == ["Take A."]
    assert log.tally.set_aside["thinking"] == 1


def test_without_the_two_blanks() -> None:
    text = (
        "# aider chat started at 2026-01-05 09:30:00\n\n> Aider v0.86.1\n\n#### fix it\n\n### Step 1\n\n"
        "#### main.py\n```\nx\n```\n\n"
        "> Tokens: 1k sent.\n> Applied edit to main.py\n> Commit ab12cd3 fix: it\n\n#### /undo\n"
        "> Removed: ab12cd3 fix: it\n\n"
        "#### keep the old one\n\nFine. A sample:\n\n```md\n#### use valve C\n```\n\n#### /drop main.py\n\n"
        "#### that is all\n"
    )
    events, _ = read(text)
    assert said(events, Role.USER) == ["fix it", "keep the old one", "that is all"]
    assert [a.target for a in acts(events, ActionKind.EDITED)] == ["main.py"]
    assert [a.target for a in acts(events, ActionKind.UNCOMMITTED)] == ["ab12cd3"]


def test_crlf() -> None:
    log = Log("log", BytesIO((HEAD + "#### go  \n\nOk.\n").replace("\n", "\r\n").encode()))
    assert [event.text for event in FORMAT.events(log)] == ["go", "Ok."]


def test_a_history_whose_beginning_is_missing_is_recognised() -> None:
    read("#### go  \n\nOk.\n\n> Tokens: 1k sent.  \n> Applied edit to a.py  \n")


def test_other_texts_are_not_aiders() -> None:
    for text in ("#### go\n\nOk.\n", "notes\n```\n# aider chat started at 2026-01-05 09:30:00\n```\n", '{"a": 1}\n'):
        assert not FORMAT.recognise(Log("log", BytesIO(text.encode())))


def test_own_output_in_an_input_is_set_aside() -> None:
    events, log = read(
        HEAD + "#### <!-- distill:begin -->  \n#### - use valve B  \n#### <!-- distill:end -->  \n#### go on  \n"
    )
    assert said(events, Role.USER) == ["go on"]
    assert log.tally.set_aside["own output"] == 1


def test_a_command_of_the_users_and_its_result() -> None:
    events, _ = read(HEAD + "#### /run pytest -q  \n> 12 passed in 0.41s  \n\n#### good  \n\nOk.\n")
    (tested,) = [event for event in events if event.action]
    assert tested.action is not None
    assert (tested.action.kind, tested.role, tested.record) == (ActionKind.TESTED, Role.USER, 7)
    assert "12 passed" in tested.action.detail


def test_edit_blocks() -> None:
    kept, new = split_edits(
        ["Two files:", "", "**a/b.py**", "```python", "<<<<<<< SEARCH", "1", "=======", "2", ">>>>>>> REPLACE", "",
         "<<<<<<< SEARCH", "3", "=======", "4", ">>>>>>> REPLACE", "```", "", "bye"]
    )  # fmt: skip
    assert [line for line in kept if line] == ["Two files:", "bye"]
    assert new == {"a/b.py": "2\n4"}
    _, new = split_edits(["c.txt", "```", "whole", "file", "```"])
    assert new == {"c.txt": "whole\nfile"}


def test_paths() -> None:
    assert path_of("src\\Models\\A.cs") == "src\\Models\\A.cs"
    assert path_of("Makefile") == "Makefile"
    assert path_of("`a.py`:") == "a.py"
    assert path_of("One block is enough for that:") == ""
