"""Acts are kept as they stand at the end: undone, deleted and rewound ones are gone."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from distill.classify.acts import JOURNAL, Acts
from distill.model import Action, ActionKind, Event, Kind, Role, Task


def kept(*actions: Action) -> Acts:
    acts = Acts("log")
    acts.take([Event(record=n, role=Role.ASSISTANT, action=a) for n, a in enumerate(actions, 1)])
    acts.close()
    return acts


def texts(acts: Acts, kind: Kind) -> list[str]:
    return list(dict.fromkeys(f.text for f in acts.findings() if f.kind is kind))


def do(
    kind: ActionKind,
    target: str = "",
    detail: str = "",
    *,
    done: bool = True,
    tasks: Sequence[Task] = (),
    back_to: int = 0,
) -> Action:
    return Action(kind=kind, target=target, detail=detail, done=done, tasks=tuple(tasks), back_to=back_to)


def test_files_written_edited_moved_and_deleted() -> None:
    acts = kept(
        do(ActionKind.WROTE, "a.py"),
        do(ActionKind.EDITED, "b.py"),
        do(ActionKind.WROTE, "tmp.txt"),
        do(ActionKind.DELETED, "tmp.txt"),
        do(ActionKind.WROTE, "old.py"),
        do(ActionKind.MOVED, "new.py", "old.py"),
        do(ActionKind.EDITED, "c.py", done=False),
        do(ActionKind.WROTE, "gone/x.py"),
        do(ActionKind.DELETED, "gone"),
    )
    assert texts(acts, Kind.ARTIFACT) == ["a.py (created)", "b.py (changed)", "new.py (created)"]
    assert [path for path, _, _ in acts.deleted] == ["tmp.txt", "old.py", "gone"]


def test_a_file_that_is_moved_out_of_the_way_is_no_artifact() -> None:
    acts = kept(do(ActionKind.WROTE, "a.py"), do(ActionKind.MOVED, "tmp-a.py", "a.py"), do(ActionKind.EDITED, "b.py"))
    assert texts(acts, Kind.ARTIFACT) == ["b.py (changed)"]


def test_a_restored_file_is_no_artifact() -> None:
    acts = kept(do(ActionKind.EDITED, "a.py"), do(ActionKind.RESTORED, "a.py"), do(ActionKind.EDITED, "b.py"))
    assert texts(acts, Kind.ARTIFACT) == ["b.py (changed)"]


def test_a_hard_reset_takes_back_what_was_not_committed() -> None:
    acts = kept(
        do(ActionKind.WROTE, "a.py"),
        do(ActionKind.COMMITTED, "4f2a9c1", "add a"),
        do(ActionKind.WROTE, "b.py"),
        do(ActionKind.RESTORED, "."),
    )
    assert texts(acts, Kind.ARTIFACT) == ["a.py (created)", "Commit 4f2a9c1: add a"]


def test_commits_can_be_undone() -> None:
    acts = kept(
        do(ActionKind.COMMITTED, "1111111", "one"),
        do(ActionKind.COMMITTED, "2222222", "two"),
        do(ActionKind.UNCOMMITTED),
        do(ActionKind.COMMITTED, "3333333", "three"),
    )
    assert texts(acts, Kind.ARTIFACT) == ["Commit 1111111: one", "Commit 3333333: three"]


def test_only_the_last_outcome_of_a_test_counts() -> None:
    acts = kept(
        do(ActionKind.TESTED, "pytest", "2 failed, 5 passed", done=False), do(ActionKind.TESTED, "pytest", "7 passed")
    )
    assert texts(acts, Kind.FACT) == ["`pytest`: 7 passed"]


def test_the_last_to_do_list_says_what_is_open() -> None:
    first = [Task(text="Write migration"), Task(text="Add index test")]
    last = [Task(text="Write migration", status="completed"), Task(text="Add index test", status="in_progress")]
    acts = kept(do(ActionKind.PLANNED, tasks=first), do(ActionKind.PLANNED, tasks=last))
    assert texts(acts, Kind.OPEN) == ["Add index test"]


def test_a_failed_push_is_open_until_one_succeeds() -> None:
    failed = do(ActionKind.PUSHED, "git push", "rejected", done=False)
    assert texts(kept(failed), Kind.OPEN) == ["`git push` failed: rejected"]
    assert texts(kept(failed, do(ActionKind.PUSHED, "git push")), Kind.OPEN) == []


def test_answers_are_decisions_with_their_question() -> None:
    acts = kept(do(ActionKind.ANSWERED, "Where should backups go?", "Object store"))
    assert texts(acts, Kind.DECISION) == ["Where should backups go? → Object store"]


def test_what_was_rewound_never_happened() -> None:
    acts = kept(do(ActionKind.WROTE, "a.py"), do(ActionKind.WROTE, "b.py"), do(ActionKind.REWOUND, back_to=1))
    assert texts(acts, Kind.ARTIFACT) == ["a.py (created)"]


def test_a_description_goes_with_the_one_file_of_that_name() -> None:
    acts = kept(
        do(ActionKind.WROTE, "src/a.py"),
        do(ActionKind.WROTE, "src/b/__init__.py"),
        do(ActionKind.WROTE, "src/c/__init__.py"),
    )
    assert acts.describe("a.py", "parses the file", (9, None, "a.py"))
    assert not acts.describe("__init__.py", "two of that name", (9, None, "__init__.py"))
    assert texts(acts, Kind.ARTIFACT)[0] == "src/a.py: parses the file"


@pytest.mark.parametrize("count", [JOURNAL + 10, 3 * JOURNAL])
def test_a_long_log_keeps_the_same_outcome(count: int) -> None:
    acts = Acts("log")
    for number in range(1, count + 1):
        acts.take([Event(record=number, role=Role.ASSISTANT, action=do(ActionKind.EDITED, f"f{number % 7}.py"))])
    acts.close()
    assert len(texts(acts, Kind.ARTIFACT)) == 7
    assert len(acts.findings()) <= 7 * 12


PULL = "https://example.org/a/b/pull/12"
RELEASE = "https://example.org/a/b/releases/tag/v2"


@pytest.mark.parametrize(
    ("made", "taken"),
    [
        (do(ActionKind.OPENED, "v2", "Tag"), do(ActionKind.CLOSED, "v2", "tag")),
        (do(ActionKind.OPENED, "spike", "Pushed branch"), do(ActionKind.CLOSED, "spike", "pushed")),
        (do(ActionKind.OPENED, PULL, "Add kiln"), do(ActionKind.CLOSED, "12", "pull")),
        (do(ActionKind.OPENED, PULL, "Add kiln"), do(ActionKind.CLOSED, "", "pull")),
        (do(ActionKind.OPENED, PULL, "Add kiln"), do(ActionKind.CLOSED, PULL, "pull")),
        (do(ActionKind.OPENED, RELEASE), do(ActionKind.CLOSED, "v2", "releases")),
        (do(ActionKind.OPENED, "kiln@1.2.0", "Published"), do(ActionKind.CLOSED, "kiln@1.2.0", "package")),
    ],
)
def test_what_was_closed_or_deleted_is_gone(made: Action, taken: Action) -> None:
    assert texts(kept(made, taken), Kind.ARTIFACT) == []
    failed = Action(kind=taken.kind, target=taken.target, detail=taken.detail, done=False)
    assert len(texts(kept(made, failed), Kind.ARTIFACT)) == 1
    assert len(texts(kept(made, taken, made), Kind.ARTIFACT)) == 1


def test_closing_one_leaves_the_others() -> None:
    acts = kept(do(ActionKind.OPENED, PULL), do(ActionKind.OPENED, PULL + "3"), do(ActionKind.CLOSED, "12", "pull"))
    assert texts(acts, Kind.ARTIFACT) == [PULL + "3"]


def test_a_reset_takes_the_commits_after_it() -> None:
    made = [do(ActionKind.COMMITTED, name, f"step {name}") for name in ("1111111", "2222222", "3333333")]
    assert texts(kept(*made, do(ActionKind.UNCOMMITTED, "1111111", "after")), Kind.ARTIFACT) == [
        "Commit 1111111: step 1111111"
    ]
    assert texts(kept(*made, do(ActionKind.UNCOMMITTED, "9999999", "after")), Kind.ARTIFACT) == []
    assert len(texts(kept(*made, do(ActionKind.UNCOMMITTED, "9999999", "after known")), Kind.ARTIFACT)) == 3
    pushed = do(ActionKind.PUSHED, "origin main")
    assert len(texts(kept(*made, pushed, do(ActionKind.UNCOMMITTED, "3333333", "branch")), Kind.ARTIFACT)) == 3


def test_a_folder_takes_its_files_along() -> None:
    made = [do(ActionKind.WROTE, name) for name in ("old/a.py", "old/b/c.py")]
    acts = kept(*made, do(ActionKind.MOVED, "new", "old"))
    assert texts(acts, Kind.ARTIFACT) == ["new/a.py (created)", "new/b/c.py (created)"]
    assert acts.is_gone("old/a.py", 2)


def test_a_file_moves_into_a_folder_that_is_known() -> None:
    acts = kept(do(ActionKind.WROTE, "lib/a.py"), do(ActionKind.WROTE, "b.py"), do(ActionKind.MOVED, "lib", "b.py"))
    assert texts(acts, Kind.ARTIFACT) == ["lib/a.py (created)", "lib/b.py (created)"]
