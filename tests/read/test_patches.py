import pytest

from distill.model import Action, ActionKind
from distill.read.patches import change_actions, diff_actions, patch_actions, relative

K = ActionKind


@pytest.mark.parametrize(
    ("path", "cwd", "shown"),
    [
        ("/srv/app/src/a.py", "/srv/app", "src/a.py"),
        ("/srv/app/src/a.py", "/srv/app/", "src/a.py"),
        ("/srv/application/a.py", "/srv/app", "/srv/application/a.py"),
        ("/srv/app", "/srv/app", "/srv/app"),
        ("./src/a.py", "/srv/app", "src/a.py"),
        ("src/a.py", "", "src/a.py"),
        (".env", "/srv/app", ".env"),
        ("D:\\Work\\App\\src\\a.ts", "D:\\Work\\App", "src\\a.ts"),
        ("d:/work/app/src/a.ts", "D:\\Work\\App", "src/a.ts"),
        ("file:///srv/app/a.py", "/srv/app", "a.py"),
        ("/SRV/app/a.py", "/srv/app", "/SRV/app/a.py"),
    ],
)
def test_relative(path: str, cwd: str, shown: str) -> None:
    assert relative(path, cwd) == shown


PATCH = """*** Begin Patch
*** Add File: /srv/app/docs/new.md
+# New
+text
*** Update File: src/a.py
@@ def main():
-    old()
+    new()
*** Update File: src/b.py
*** Move to: lib/b.py
@@
-x
+y
*** Delete File: gone.txt
*** End Patch"""


def test_a_patch() -> None:
    assert patch_actions(PATCH, done=True, cwd="/srv/app") == (
        Action(kind=K.WROTE, target="docs/new.md", detail="# New\ntext"),
        Action(kind=K.EDITED, target="src/a.py", detail="    new()"),
        Action(kind=K.MOVED, target="lib/b.py", detail="src/b.py"),
        Action(kind=K.EDITED, target="lib/b.py", detail="y"),
        Action(kind=K.DELETED, target="gone.txt"),
    )


def test_a_patch_that_was_refused_or_is_cut() -> None:
    found = patch_actions(PATCH.replace("*** End Patch", ""), done=False, cwd="/srv/app")
    assert len(found) == 5
    assert not any(act.done for act in found)


def test_a_patch_with_windows_line_ends_and_no_move_of_text() -> None:
    patch = "*** Begin Patch\r\n*** Update File: a.txt\r\n*** Move to: b.txt\r\n*** End Patch\r\n"
    assert patch_actions(patch, done=True) == (Action(kind=K.MOVED, target="b.txt", detail="a.txt"),)


def test_a_long_edit_is_shortened() -> None:
    patch = "*** Begin Patch\n*** Add File: a\n" + "+line of text\n" * 5000 + "*** End Patch"
    assert 1900 < len(patch_actions(patch, done=True)[0].detail) <= 2000


DIFF = """diff --git a/new.py b/new.py
new file mode 100644
index 0000000..e69de29
--- /dev/null
+++ b/new.py
@@ -0,0 +1,2 @@
+one
+--- two
diff --git a/src/a.py b/src/a.py
index 1..2 100644
--- a/src/a.py
+++ b/src/a.py
@@ -1,3 +1,3 @@
 same
--- old comment
++++ new comment
 same
diff --git a/gone.py b/gone.py
deleted file mode 100644
--- a/gone.py
+++ /dev/null
@@ -1 +0,0 @@
-x
diff --git a/old name.py b/new name.py
similarity index 100%
rename from old name.py
rename to new name.py
diff --git "a/caf\\303\\251.md" "b/caf\\303\\251.md"
--- "a/caf\\303\\251.md"
+++ "b/caf\\303\\251.md"
@@ -1 +1 @@
-a
+b
"""


def test_a_git_diff() -> None:
    assert diff_actions(DIFF, done=True) == (
        Action(kind=K.WROTE, target="new.py", detail="one\n--- two"),
        Action(kind=K.EDITED, target="src/a.py", detail="+++ new comment"),
        Action(kind=K.DELETED, target="gone.py"),
        Action(kind=K.MOVED, target="new name.py", detail="old name.py"),
        Action(kind=K.EDITED, target="café.md", detail="b"),
    )


def test_a_plain_diff() -> None:
    diff = (
        "--- a.txt\t2026-01-01\n+++ a.txt\t2026-01-02\n@@ -1 +1 @@\n-x\n+y\n--- b.txt\n+++ b.txt\n@@ -1 +1 @@\n-x\n+z\n"
    )
    assert [(act.target, act.detail) for act in diff_actions(diff, done=True)] == [("a.txt", "y"), ("b.txt", "z")]


def test_a_map_of_changes_in_both_forms() -> None:
    changes: dict[str, object] = {
        "/srv/app/a.py": {"type": "add", "content": "one"},
        "/srv/app/b.py": {"type": "update", "unified_diff": "@@ -1 +1 @@\n-x\n+y\n", "move_path": None},
        "/srv/app/c.py": {"update": {"unified_diff": "", "move_path": "/srv/app/d.py"}},
        "/srv/app/e.py": {"delete": {"content": "x"}},
        "/srv/app/f.py": 3,
    }
    assert change_actions(changes, done=True, cwd="/srv/app") == (
        Action(kind=K.WROTE, target="a.py", detail="one"),
        Action(kind=K.EDITED, target="b.py", detail="y"),
        Action(kind=K.MOVED, target="d.py", detail="c.py"),
        Action(kind=K.DELETED, target="e.py"),
    )


@pytest.mark.parametrize(
    "text", ["", "\n", "+", "@@ -1,99999999 +1,9 @@", "--- \n+++ ", "diff --git ", "*** Move to: x", "rename to x"]
)
def test_nonsense_gives_nothing_or_little(text: str) -> None:
    assert len(diff_actions(text, done=True)) <= 1
    assert patch_actions(text, done=True) == ()
