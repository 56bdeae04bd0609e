from collections.abc import Sequence

import pytest

from distill.model import Action, ActionKind
from distill.read.actions import in_result
from distill.read.shell import shell_actions

K = ActionKind


def acts(
    command: str | Sequence[str], output: str = "", *, failed: bool = False, cwd: str = "/srv/app"
) -> list[Action]:
    return list(shell_actions(command, output, failed=failed, cwd=cwd))


def brief(
    command: str | Sequence[str], output: str = "", *, failed: bool = False, cwd: str = "/srv/app"
) -> list[tuple[str, str, bool]]:
    return [(str(act.kind), act.target, act.done) for act in acts(command, output, failed=failed, cwd=cwd)]


@pytest.mark.parametrize(
    "command",
    [
        "ls -la",
        "cat src/a.py | head -20 2>&1",
        "grep -rn '> x' src 2>/dev/null",
        "sed -n 1,80p src/a.py",
        "git status && git diff && git log --oneline -5",
        "echo 'rm -rf x; touch y'",
        "find . -name '*.py'",
        "npm --version",
        "mkdir -p build/out",
        "pytest --collect-only",
        "git push --dry-run",
        "cp --help",
        "",
    ],
)
def test_reading_gives_nothing(command: str) -> None:
    assert acts(command) == []


def test_a_file_from_a_here_document() -> None:
    (act,) = acts("cat > docs/guide.md <<'EOF'\n# Guide\nDon't panic.\nEOF")
    assert act == Action(kind=K.WROTE, target="docs/guide.md", detail="# Guide\nDon't panic.")


def test_redirections_and_tee() -> None:
    assert brief("echo one > a.txt; echo two >> b.txt; echo x | tee c.txt | tee -a d.txt") == [
        ("wrote", "a.txt", True),
        ("edited", "b.txt", True),
        ("wrote", "c.txt", True),
        ("edited", "d.txt", True),
    ]
    assert acts("echo one two > a.txt")[0].detail == "one two"


@pytest.mark.parametrize(
    "target",
    ["/tmp/x.py", "/dev/null", "$OUT", "${OUT}/a", "*.txt", "$(mktemp)", "run.log", "-", "node_modules/a.js", "&2"],
)
def test_what_is_no_artifact(target: str) -> None:
    assert acts(f"echo x > {target}") == []


def test_a_project_below_the_temporary_folder_counts() -> None:
    assert brief("touch a.py /tmp/other", cwd="/tmp/proj") == [("wrote", "a.py", True)]


def test_files_moved_copied_deleted_touched() -> None:
    assert [
        (a.kind, a.target, a.detail)
        for a in acts("cp a.py b.py && mv b.py lib/ && rm -rf old gone.txt && touch new.py")
    ] == [
        (K.WROTE, "b.py", ""),
        (K.MOVED, "lib/b.py", "b.py"),
        (K.DELETED, "old", ""),
        (K.DELETED, "gone.txt", ""),
        (K.WROTE, "new.py", ""),
    ]
    assert [(a.target, a.detail) for a in acts("mv one.md two.md docs")] == [
        ("docs/one.md", "one.md"),
        ("docs/two.md", "two.md"),
    ]


@pytest.mark.parametrize(
    ("command", "paths"),
    [
        ("sed -i 's/a/b/' x.py y.py", ["x.py", "y.py"]),
        ("sed -i '' -e 's/a/b/' x.py", ["x.py"]),
        ("sed -i.bak 's/a/b/' x.py", ["x.py"]),
        ("perl -pi -e 's/a/b/' x.pm", ["x.pm"]),
        ("perl -i -pe 's/a/b/' x.pm", ["x.pm"]),
    ],
)
def test_edits_in_place(command: str, paths: list[str]) -> None:
    found = acts(command)
    assert [act.target for act in found] == paths
    assert {act.kind for act in found} == {K.EDITED}
    assert {act.detail for act in found} == {"s/a/b/"}


def test_the_folder_changes_on_the_way() -> None:
    assert [
        t for _, t, _ in brief("cd web && touch a.ts; cd ../api; touch b.py; cd /srv/app/x; touch c; cd /opt; touch d")
    ] == [
        "web/a.ts",
        "api/b.py",
        "x/c",
        "/opt/d",
    ]
    assert [t for _, t, _ in brief("(cd web && touch a.ts) && touch b.ts")] == ["web/a.ts", "b.ts"]
    assert brief("cd $(mktemp -d) && touch a") == []


def test_a_program_on_the_command_line_writes_files() -> None:
    script = "python3 - <<'PY'\nfrom pathlib import Path\np = Path('src/a.py')\np.write_text(p.read_text().upper())\nPY"
    assert brief(script) == [("edited", "src/a.py", True)]
    assert brief("python3 -c \"open('out.csv', 'w').write('x')\"") == [("wrote", "out.csv", True)]
    assert brief("node -e \"require('fs').writeFileSync('b.json', '{}')\"") == [("wrote", "b.json", True)]


def test_what_failed_in_a_chain_is_told_from_the_lines() -> None:
    # The tests failed, so the file before them was written.
    found = brief("cat > a.py <<'EOF'\nx\nEOF\npytest -q", "1 failed, 2 passed in 0.10s", failed=True)
    assert found == [("wrote", "a.py", True), ("tested", "pytest -q", False)]
    assert brief("cp a b && rm c", "rm: cannot remove 'c': No such file", failed=True) == [
        ("wrote", "b", True),
        ("deleted", "c", False),
    ]
    assert brief("touch a", "denied", failed=True) == [("wrote", "a", False)]
    # Without a status: rm's own line tells.
    assert brief("rm a; ls", "rm: cannot remove 'a': No such file or directory") == [("deleted", "a", False)]


def test_a_refused_command_did_nothing() -> None:
    output = "The user doesn't want to proceed with this tool use. The tool use was rejected"
    assert all(not act.done for act in acts("touch a && npm run build && git push", output, failed=True))


def test_what_stands_behind_or_may_not_have_run() -> None:
    assert acts("test -f x || touch x") == []


# -- git -------------------------------------------------------------------------------------------------------------


def test_commits_come_from_the_lines_git_prints() -> None:
    output = "[main 4f2a9c1] fix: first\n 1 file changed\n[main (root-commit) 0a1b2c3d] second\n 2 files changed"
    found = acts("git commit -am 'fix: first' && git commit -m second", output)
    assert [(act.kind, act.target, act.detail) for act in found] == [
        (K.COMMITTED, "4f2a9c1", "fix: first"),
        (K.COMMITTED, "0a1b2c3d", "second"),
    ]


def test_a_commit_stands_though_the_push_failed() -> None:
    output = (
        "[main 4f2a9c1] fix\n 1 file changed\nTo example.org:a/b\n"
        " ! [rejected]        main -> main (fetch first)\nerror: failed to push some refs to 'example.org:a/b'"
    )
    commit, push = acts("git commit -m fix && git push origin main", output, failed=True)
    assert (commit.kind, commit.done) == (K.COMMITTED, True)
    assert (push.kind, push.target, push.done) == (K.PUSHED, "origin main", False)
    assert "rejected" in push.detail


def test_a_push_that_failed_behind_a_pipe() -> None:
    assert brief("git push 2>&1 | tail -1", "error: failed to push some refs to 'origin'") == [
        ("pushed", "git push", False)
    ]


def test_a_push_that_went_through() -> None:
    output = "To example.org:a/b\n   1234567..89abcde  main -> main"
    assert brief("git push -u origin main && make deploy", output, failed=True)[0] == ("pushed", "origin main", True)


def test_nothing_to_commit_is_no_commit() -> None:
    assert acts("git commit -m x", "nothing to commit, working tree clean", failed=True) == []


def test_a_quiet_commit_is_found_in_the_log_line() -> None:
    (act,) = acts("git commit -q -m 'quiet one' && git log --oneline -1", "abcdef1 (HEAD -> main) quiet one")
    assert (act.kind, act.target, act.detail) == (K.COMMITTED, "abcdef1", "quiet one")


def test_the_subject_of_a_commit_that_failed() -> None:
    (act,) = acts("git commit -m \"$(cat <<'EOF'\nfeat: it's (new\n\nbody\nEOF\n)\"", "hook failed", failed=True)
    assert (act.kind, act.target, act.detail, act.done) == (K.COMMITTED, "", "feat: it's (new", False)


def test_an_amended_commit_replaces_the_last() -> None:
    assert [(k, t) for k, t, _ in brief("git commit --amend --no-edit", "[main 7777777] fix")] == [
        ("uncommitted", ""),
        ("committed", "7777777"),
    ]


def test_a_revert_takes_away_the_files_that_it_deletes() -> None:
    output = '[main 1111111] Revert "x"\n 1 file changed, 4 deletions(-)\n delete mode 100644 docs/tides of may.md'
    assert [(kind, target) for kind, target, _ in brief("git revert --no-edit 4f2a9c1", output)] == [
        (K.UNCOMMITTED, "4f2a9c1"),
        (K.DELETED, "docs/tides of may.md"),
        (K.COMMITTED, "1111111"),
    ]


def test_commits_taken_back() -> None:
    assert [(k, t) for k, t, _ in brief("git revert --no-edit 4f2a9c1", '[main 1111111] Revert "x"')] == [
        ("uncommitted", "4f2a9c1"),
        ("committed", "1111111"),
    ]
    assert [(k, t) for k, t, _ in brief("git reset --hard HEAD~2")] == [
        ("uncommitted", ""),
        ("uncommitted", ""),
        ("restored", "."),
    ]
    assert [k for k, _, _ in brief("git reset --soft HEAD^")] == ["uncommitted"]
    assert acts("git reset HEAD -- a.py") == []


def test_files_restored() -> None:
    assert [t for k, t, _ in brief("git checkout -- a.py b.py") if k == "restored"] == ["a.py", "b.py"]
    assert brief("git restore a.py") == [("restored", "a.py", True)]
    assert brief("git restore --staged a.py") == []
    assert brief("git checkout a.py", "Updated 1 path from the index") == [("restored", "a.py", True)]
    assert brief("git checkout feature/x", "Switched to branch 'feature/x'") == []
    assert brief("git checkout -b feature/x") == []


def test_git_moves_and_removes() -> None:
    found = acts("git mv a.py b.py && git rm -r old && git rm --cached kept")
    assert [(a.kind, a.target, a.detail) for a in found] == [(K.MOVED, "b.py", "a.py"), (K.DELETED, "old", "")]


def test_pull_requests_and_releases_are_their_urls() -> None:
    (act,) = acts("gh pr create --title 'Add kiln' --body x", "https://example.org/a/b/pull/12\n")
    assert act == Action(kind=K.OPENED, target="https://example.org/a/b/pull/12", detail="Add kiln")
    assert brief("glab mr create --fill", "https://gl.example.org/a/b/-/merge_requests/3") == [
        ("opened", "https://gl.example.org/a/b/-/merge_requests/3", True)
    ]
    assert brief("gh release create v1.0", "https://example.org/a/b/releases/tag/v1.0")[0][1].endswith("v1.0")
    assert brief("gh pr view --json url", '{"url":"https://example.org/a/b/pull/2"}') == []
    assert brief("gh pr create --fill", "pull request create failed", failed=True) == [("opened", "", False)]


# -- tests and builds ------------------------------------------------------------------------------------------------


JEST = "Tests:       1 failed, 5 passed, 6 total"
CARGO = "test result: ok. 5 passed; 0 failed; 0 ignored"
MAVEN = "[INFO] Tests run: 12, Failures: 0, Errors: 0, Skipped: 1"
DOTNET = "Passed!  - Failed:     0, Passed:     5, Skipped:     0, Total:     5"


@pytest.mark.parametrize(
    ("command", "output", "totals", "done"),
    [
        ("pytest -q", "..F\n1 failed, 2 passed in 0.10s", "1 failed, 2 passed in 0.10s", False),
        ("uv run pytest", "===== 3 passed, 1 warning in 1.20s =====", "3 passed, 1 warning in 1.20s", True),
        ("python -m pytest x", "== 5 passed in 1s ==", "5 passed in 1s", True),
        ("npm test", f"{JEST}\nTime: 1 s", JEST, False),
        ("npx vitest run", " Test Files  1 passed (1)\n      Tests  5 passed (5)\n", "Tests  5 passed (5)", True),
        ("npx mocha", "  12 passing (3s)\n", "12 passing (3s)", True),
        ("npx mocha", "  12 passing (3s)\n  1 failing\n", "1 failing", False),
        ("go test ./...", "ok  \tex.org/a\t0.01s", "ok  \tex.org/a\t0.01s", True),
        ("go test ./...", "--- FAIL: TestA (0.00s)\nFAIL\tex.org/b\t0.2s\nFAIL", "FAIL\tex.org/b\t0.2s", False),
        ("cargo test", f"{CARGO}\n\ntest result: ok. 0 passed; 0 failed", CARGO, True),
        ("mvn verify", f"{MAVEN}\n[INFO] BUILD SUCCESS", MAVEN, True),
        ("./gradlew test", "5 tests completed, 1 failed\nBUILD FAILED", "5 tests completed, 1 failed", False),
        ("dotnet test", DOTNET, DOTNET, True),
        ("vendor/bin/phpunit", "OK (5 tests, 12 assertions)", "OK (5 tests, 12 assertions)", True),
        ("bundle exec rspec", "5 examples, 1 failure", "5 examples, 1 failure", False),
        ("ctest", "100% tests passed, 0 tests failed out of 5", "100% tests passed, 0 tests failed out of 5", True),
        ("python -m unittest", "Ran 5 tests in 0.003s\n\nOK", "Ran 5 tests in 0.003s", True),
        ("python -m unittest", "Ran 5 tests in 0.003s\n\nFAILED (failures=1)", "FAILED (failures=1)", False),
        ("docker compose exec web pytest", "3 passed in 1.2s", "3 passed in 1.2s", True),
        ("node --test", "# tests 6\n# pass 5\n# fail 1", "# fail 1", False),
        ("node test.js", "5 passing", "5 passing", True),
        ("make test", "\x1b[32m4 passed\x1b[0m in 0.2s", "4 passed in 0.2s", True),
    ],
)
def test_totals_as_printed(command: str, output: str, totals: str, done: bool) -> None:
    (act,) = acts(command, output, failed=not done)
    assert (act.kind, act.target, act.detail, act.done) == (K.TESTED, command, totals, done)
    (act,) = acts(f"{command} 2>&1 | tail -30", output)  # the pipe hides the status
    assert act.done is done


def test_a_failure_behind_green_tests_leaves_them_green() -> None:
    assert brief("pytest -q && git push", "3 passed in 1s\nfatal: no remote", failed=True) == [
        ("pushed", "git push", False),
        ("tested", "pytest -q", True),
    ]


def test_a_test_run_without_totals_that_failed_shows_its_error() -> None:
    (act,) = acts("npm test", 'npm error Missing script: "test"', failed=True)
    assert (act.kind, act.done, act.detail) == (K.TESTED, False, 'npm error Missing script: "test"')


def test_a_command_sent_to_the_background_has_no_outcome_yet() -> None:
    assert acts("npm test", "Command running in background with ID: a1") == []


def test_builds() -> None:
    (act,) = acts("cd web && npm run build", "Error: no entry module\nnpm error code 1", failed=True)
    assert (act.kind, act.target, act.detail, act.done) == (K.RAN, "npm run build", "Error: no entry module", False)
    (act,) = acts("ruff check .", "Found 3 errors.")
    assert (act.kind, act.done, act.detail) == (K.RAN, False, "Found 3 errors.")
    (act,) = acts("pnpm install", "Done in 797ms")
    assert (act.kind, act.done) == (K.RAN, True)
    assert acts("npm run build", "> build\n> vite build") == []
    assert acts("which node", "", failed=True) == []


# -- other shells ----------------------------------------------------------------------------------------------------


def test_an_argument_vector() -> None:
    assert brief(["bash", "-lc", "touch a.py"]) == [("wrote", "a.py", True)]
    assert brief(["touch", "a b.py"]) == [("wrote", "a b.py", True)]
    assert brief("bash -c 'touch a.py && npm test'", "2 passed in 1s") == [
        ("wrote", "a.py", True),
        ("tested", "npm test", True),
    ]


def test_a_patch_inside_a_shell_command() -> None:
    script = "apply_patch <<'PATCH'\n*** Begin Patch\n*** Add File: a.txt\n+hi\n*** End Patch\nPATCH"
    assert brief(["bash", "-lc", script], "Success.") == [("wrote", "a.txt", True)]
    assert brief(["bash", "-lc", script], "apply_patch verification failed: x") == [("wrote", "a.txt", False)]


def test_powershell() -> None:
    script = (
        "$p='E:\\app\\notes.txt'; Set-Content -LiteralPath $p -Value 'hello' -Encoding UTF8; Add-Content log.md 'x'\n"
        "Remove-Item old.txt -Force; Copy-Item a.txt -Destination b.txt; Rename-Item src\\a.ts b.ts\n"
        "New-Item -ItemType Directory out; New-Item -Path src -Name c.ts -ItemType File; 'x' | Out-File -FilePath d.txt"
    )
    found = acts(script, cwd="E:\\app")
    assert [(a.kind, a.target, a.detail) for a in found] == [
        (K.WROTE, "notes.txt", "hello"),
        (K.EDITED, "log.md", "x"),
        (K.DELETED, "old.txt", ""),
        (K.WROTE, "b.txt", ""),
        (K.MOVED, "src\\b.ts", "src\\a.ts"),
        (K.WROTE, "src/c.ts", ""),
        (K.WROTE, "d.txt", "x"),
    ]
    assert brief(["powershell.exe", "-Command", "[IO.File]::WriteAllText('a.txt', $x)"]) == [("wrote", "a.txt", True)]


def test_elsewhere_is_not_here() -> None:
    assert acts("ssh host 'touch /srv/a'") == []
    assert acts("docker exec web touch a.py") == []


def test_odd_input_is_survived() -> None:
    assert acts([]) == []
    acts("\0" * 5000 + "> a")
    acts("touch " + "a" * 100_000)
    acts("cat > x <<EOF\n" + "y" * 3_000_000)
    acts("pytest", "=" * 200_000 + " 1 passed")


PUSHED_TAG = "To example.org:a/b.git\n * [new tag]         v1.4.0 -> v1.4.0"


@pytest.mark.parametrize(
    ("script", "output", "made"),
    [
        ("git tag v1.4.0", "", [("v1.4.0", "Tag")]),
        ("git tag -a v1.4.0 -m 'eight gauges' 3f2a9c1", "", [("v1.4.0", "Tag")]),
        ("git tag -sm '八个站' v1.4.0", "", [("v1.4.0", "Tag")]),
        ("git tag v1.4.0 && git push origin v1.4.0", PUSHED_TAG, [("v1.4.0", "Tag"), ("v1.4.0", "Pushed tag")]),
        ("git push --tags", PUSHED_TAG, [("v1.4.0", "Pushed tag")]),
        (
            "git push -u origin HEAD",
            "To example.org:a/b.git\n * [new branch]      feature/tide -> feature/tide",
            [("feature/tide", "Pushed branch")],
        ),
        ("git push -u origin HEAD", "To example.org:a/b.git\n   3f2a9c1..4be1d07  main -> main", []),
        (
            "git fetch && git push",
            "From example.org:a/b\n * [new tag]         v1.3.9 -> v1.3.9\n * [new branch]      x -> origin/x\n"
            "To example.org:a/b.git\n   3f2a9c1..4be1d07  main -> main",
            [],
        ),
        ("git fetch", " * [new tag]         v1.3.9 -> v1.3.9", []),
        ("git tag", "v1.3.9\nv1.4.0", []),
        ("git tag -l 'v1.*'", "v1.3.9", []),
        ("git tag --contains 3f2a9c1", "v1.4.0", []),
        ("git tag -d v1.4.0", "Deleted tag 'v1.4.0' (was 3f2a9c1)", []),
        ("git tag v$NEXT", "", []),
        ("git tag v1.4.0", "fatal: tag 'v1.4.0' already exists", []),
    ],
)
def test_tags_and_new_branches(script: str, output: str, made: list[tuple[str, str]]) -> None:
    found = [act for act in acts(script, output) if act.kind is K.OPENED and act.done]
    assert [(act.target, act.detail) for act in found] == made


def test_a_tag_stands_in_the_call_and_a_pushed_one_in_the_result() -> None:
    tagged, pushed = (act for act in acts("git tag v2 && git push --tags", PUSHED_TAG) if act.kind is K.OPENED)
    assert (in_result(tagged), in_result(pushed)) == (False, True)


@pytest.mark.parametrize(
    ("command", "output", "wanted"),
    [
        ("git tag -d v2", "Deleted tag 'v2' (was 4f2a9c1)", [("closed", "v2", True)]),
        ("git tag -d v9", "error: tag 'v9' not found.", [("closed", "v9", False)]),
        ("git push origin --delete spike", " - [deleted]         spike", [("closed", "spike", True)]),
        ("git push origin :refs/tags/v2", " - [deleted]         v2", [("closed", "v2", True)]),
        ("git push -d origin main", "! [remote rejected] main (protected)\nerror: failed", [("closed", "main", False)]),
        ("git branch -d done", "Deleted branch done (was 4f2a9c1).", [("closed", "done", True)]),
        ("git branch -D spike", "Deleted branch spike (was 4f2a9c1).",
         [("closed", "spike", True), ("uncommitted", "4f2a9c1", True)]),
        ("git branch -d wip", "error: the branch 'wip' is not fully merged", [("closed", "wip", False)]),
        ("git branch", "* main", []),
        ("git worktree add ../spare -b spare", "Preparing worktree", [("opened", "../spare", True)]),
        ("git worktree remove ../spare", "", [("closed", "../spare", True)]),
        ("gh pr close 12 -c 'not needed'", "✓ Closed pull request a/b#12 (Add kiln)", [("closed", "12", True)]),
        ("gh pr close 12", "GraphQL: Could not resolve to a PullRequest", [("closed", "12", False)]),
        ("gh release delete v2 -y", "✓ Deleted release v2", [("closed", "v2", True)]),
        ("gh pr list", "12  Add kiln", []),
        ("docker rmi kiln:1.2", "Untagged: kiln:1.2", [("closed", "kiln:1.2", True)]),
        ("docker image rm kiln:1.2", "Error response from daemon: image is in use", [("closed", "kiln:1.2", False)]),
        ("npm publish", "npm notice\n+ @club/kiln@1.2.0", [("opened", "@club/kiln@1.2.0", True)]),
        ("npm unpublish @club/kiln@1.2.0", "- @club/kiln@1.2.0", [("closed", "@club/kiln@1.2.0", True)]),
        ("git reset --hard 4f2a9c1", "HEAD is now at 4f2a9c1 Start",
         [("uncommitted", "4f2a9c1", True), ("restored", ".", True)]),
        ("git reset HEAD a.py", "", []),
        ("git reset --hard HEAD", "HEAD is now at 4f2a9c1 Start", [("restored", ".", True)]),
    ],
)
def test_what_commands_take_away_again(command: str, output: str, wanted: list[tuple[str, str, bool]]) -> None:
    assert [one for one in brief(command, output, failed="rror" in output) if one[0] != "ran"] == wanted


def test_what_is_taken_away_in_a_refused_command_stays() -> None:
    (act,) = acts("git tag -d v2", "The user doesn't want to proceed", failed=True)
    assert not act.done
