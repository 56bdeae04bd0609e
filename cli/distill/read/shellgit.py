"""What git and the forges' command lines did: commits, tags, pushes, restores, pull requests."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from distill.model import Action, ActionKind
from distill.read.patches import diff_actions
from distill.read.shellmade import forge_away, git_away
from distill.read.shellplace import Place, join
from distill.read.shellwords import Command, Word
from distill.read.verdicts import clean
from distill.text.lazy import Lazy

COMMIT_LINE = Lazy(r"^\[[^\]\n]{1,200}?(?: \(root-commit\))? ([0-9a-f]{7,40})\] (.+)$", re.M)
_LOG_LINE = Lazy(r"^([0-9a-f]{7,40}) (?:\([^)\n]*\) )?(.+)$", re.M)
_NOTHING = Lazy(r"nothing (?:added )?to commit|no changes added to commit|nothing to commit", re.I)
_PUSH_FAILED = Lazy(
    r"^(?:error: .*|fatal: .*| ! \[(?:remote )?rejected\].*|remote: (?:error|fatal): .*|ERROR: .*)$", re.M
)
# A new tag or branch as a push tells of it; a fetch names the remote on the right.
_NEW = Lazy(r"^ \* \[new (tag|branch)\]\s+(\S+) -> (\S+)", re.M)
_FETCHED = Lazy(r"^From \S.*\n(?: .*(?:\n|$))*", re.M)
_TAG_EXISTS = Lazy(r"^fatal: tag '", re.M)
_NO_TAGGING = Lazy(r"-[dlvn]\d*|--(?:delete|list|verify|contains|no-contains|points-at|merged|no-merged|sort|column).*")
_TAG_VALUED = frozenset(("-m", "--message", "-F", "--file", "-u", "--local-user", "--cleanup", "--trailer"))
_UPDATED = Lazy(r"^Updated \d+ paths? from ", re.M)
_DELETED = Lazy(r"^ delete mode \d{6} (.+)$", re.M)  # a file that a commit took away, from the root of the repository
_BACK = Lazy(r"(?:HEAD|@)(?:~(\d*)|(\^+))$")
_SHA = Lazy(r"([0-9a-f]{7,40})$")
_HEAD_AT = Lazy(r"^HEAD is now at ([0-9a-f]{7,40})\b", re.M)
_HEREDOC = Lazy(r"<<-?\s*\\?['\"]?\w+['\"]?[^\n]*\n\s*([^\n]+)")
_URLS = {
    "pr": Lazy(r"https?://[^\s\"'<>]+/(?:pull|pull-requests|pulls|merge_requests|pullrequest)/\d+"),
    "issue": Lazy(r"https?://[^\s\"'<>]+/issues/\d+"),
    "release": Lazy(r"https?://[^\s\"'<>]+/releases?/(?:tag/)?[^\s\"'<>]+"),
    "repo": Lazy(r"https?://[^\s\"'<>/]+/[^\s\"'<>/]+/[^\s\"'<>/]+"),
    "gist": Lazy(r"https?://gist\.[^\s\"'<>]+"),
}
AFTER = "after"  # all commits after the one that is named were undone, or all where it is older than the log
AFTER_KNOWN = "after known"  # the same, where the log made that one: it may be of another branch
TAG = "Tag"  # what was made here; its name stands in the command
_VALUED = frozenset({"-C", "-c", "--git-dir", "--work-tree", "--namespace"})


class Commits:
    """The commits an output tells of, handed out in order."""

    def __init__(self, output: str) -> None:
        self._output = output
        self._found: list[tuple[str, str]] | None = None

    def take(self, all_of_them: bool) -> list[Action]:
        """The next commit, or all that are left."""
        if self._found is None:
            lines = COMMIT_LINE.finditer(self._output) if "] " in self._output else ()
            self._found = [(line[1], clean(line[2])) for line in lines]
        count = len(self._found) if all_of_them else min(1, len(self._found))
        taken, self._found = self._found[:count], self._found[count:]
        return [Action(kind=ActionKind.COMMITTED, target=sha, detail=subject) for sha, subject in taken]

    def logged(self, subject: str) -> str:
        """The id of the commit `subject` where a log line of the output names it."""
        for found in _LOG_LINE.finditer(self._output):
            if subject and found[2].strip() == subject:
                return found[1]
        return ""


def git_actions(
    args: list[Word], command: Command, output: str, commits: Commits, place: Place, *, last: bool
) -> Iterator[Action]:
    """What `git args` did as far as it shows; `last` says that no later command commits.

    An action's `done` is False only where the output says so; whether the command ran at all is the caller's to know.
    """
    at = 0
    while at < len(args) and args[at].text.startswith("-"):
        if args[at].text in _VALUED and at + 1 < len(args):
            if args[at].text == "-C":
                place = place.enter(args[at + 1])
            at += 1
        at += 1
    if at >= len(args):
        return
    verb, rest = args[at].text, args[at + 1 :]
    texts = [word.text for word in rest]
    if "--dry-run" in texts or "--help" in texts or "-h" in texts:
        return
    if verb == "commit":
        yield from _commit(texts, output, commits, last)
    elif verb in ("cherry-pick", "merge", "rebase", "am", "pull"):
        yield from commits.take(all_of_them=last)
    elif verb == "revert":
        for word in rest:
            if not word.text.startswith("-"):
                sha = word.text if _SHA.match(word.text) else ""
                yield Action(kind=ActionKind.UNCOMMITTED, target=sha)
        for path in _DELETED.findall(output):
            yield Action(kind=ActionKind.DELETED, target=path)
        yield from commits.take(all_of_them=last)
    elif verb == "reset":
        yield from _reset(texts, output)
    elif verb in ("restore", "checkout"):
        yield from _restore(verb, rest, output, place)
    elif verb == "push":
        yield from _push(texts, output)
        yield from pushed_new(output)
        yield from git_away(verb, rest, output)
    elif verb == "tag":
        yield from _tag(rest, output)
        yield from git_away(verb, rest, output)
    elif verb in ("branch", "worktree"):
        yield from git_away(verb, rest, output)
    elif verb == "mv":
        yield from _moved(rest, place)
    elif verb == "rm" and "--cached" not in texts:
        for word in rest:
            path = "" if word.text.startswith("-") else place.shown(word)
            if path:
                yield Action(kind=ActionKind.DELETED, target=path)
    elif verb == "apply" and command.body and "--check" not in texts:
        yield from diff_actions(command.body, done=True, cwd=place.cwd)


def _commit(texts: list[str], output: str, commits: Commits, last: bool) -> Iterator[Action]:
    found = commits.take(all_of_them=last)
    if "--amend" in texts and (found or not _NOTHING.search(output)):
        yield Action(kind=ActionKind.UNCOMMITTED)
    if found:
        yield from found
    elif not _NOTHING.search(output):
        subject = _subject(texts)
        yield Action(kind=ActionKind.COMMITTED, target=commits.logged(subject), detail=subject)


def _subject(texts: list[str]) -> str:
    """The first line of a commit's message, as far as it stands in the command."""
    for place, text in enumerate(texts):
        if re.fullmatch(r"-[a-z]*m|--message", text) and place + 1 < len(texts):
            message = texts[place + 1]
        elif text.startswith("--message="):
            message = text[10:]
        elif text.startswith("-m") and not text.startswith("--") and len(text) > 2:
            message = text[2:]
        else:
            continue
        if message.startswith("$("):
            inside = _HEREDOC.search(message)
            return clean(inside[1]) if inside else ""
        return clean(message.lstrip().split("\n")[0])
    return ""


def _reset(texts: list[str], output: str) -> Iterator[Action]:
    refs = [text for text in texts if not text.startswith("-")]
    if "--" in texts:
        return
    back = _BACK.match(refs[0]) if refs else None
    if back:
        count = len(back[2]) if back[2] else int(back[1] or 1)
        for _ in range(min(count, 50)):
            yield Action(kind=ActionKind.UNCOMMITTED)
    elif refs and (sha := _SHA.match(refs[0])):
        yield Action(kind=ActionKind.UNCOMMITTED, target=sha[1], detail=AFTER)
    elif refs and refs[0] not in ("HEAD", "@") and (at := _HEAD_AT.search(output)):
        yield Action(kind=ActionKind.UNCOMMITTED, target=at[1], detail=AFTER_KNOWN)
    if "--hard" in texts:
        yield Action(kind=ActionKind.RESTORED, target=".")


def _restore(verb: str, rest: list[Word], output: str, place: Place) -> Iterator[Action]:
    texts = [word.text for word in rest]
    if verb == "restore":
        if ("--staged" in texts or "-S" in texts) and not ("--worktree" in texts or "-W" in texts):
            return
        paths, skip = [], False
        for word in rest:
            if skip:
                skip = False
            elif word.text in ("-s", "--source"):
                skip = True
            elif not word.text.startswith("-"):
                paths.append(word)
    elif "--" in texts:
        paths = rest[texts.index("--") + 1 :]
    elif any(text in ("-b", "-B", "--orphan", "--detach", "-t", "--track") for text in texts):
        return
    else:
        names = [word for word in rest if not word.text.startswith("-")]
        if not _UPDATED.search(output) and [word.text for word in names] != ["."]:
            return
        from_ref = len(names) > 1 and "/" not in names[0].text and "." not in names[0].text
        paths = names[1:] if from_ref else names
    for word in paths:
        path = "." if word.text in (".", ":/") else place.shown(word)
        if path:
            yield Action(kind=ActionKind.RESTORED, target=path)


def _push(texts: list[str], output: str) -> Iterator[Action]:
    if "--delete" in texts or "-d" in texts or any(text.startswith(":") for text in texts):
        return
    # Where no remote is named, the words that stand in the log are those of the command.
    target = " ".join(text for text in texts if not text.startswith("-") and "$(" not in text) or "git push"
    failure = _PUSH_FAILED.search(output)
    yield Action(
        kind=ActionKind.PUSHED,
        target=target,
        detail=clean(failure[0]) if failure else "",
        done=failure is None,
    )


def pushed_new(output: str) -> Iterator[Action]:
    """The tags and branches that a push says are new on the remote."""
    for kind, name, there in _NEW.findall(_FETCHED.sub("", output)) if "[new " in output else ():
        if name.split("/")[-1] == there.split("/")[-1]:
            yield Action(kind=ActionKind.OPENED, target=name, detail=f"Pushed {kind}")


def _tag(rest: list[Word], output: str) -> Iterator[Action]:
    """The tag that `git tag` makes, where it makes one."""
    valued = False
    for word in rest:
        if valued:
            valued = False
        elif _NO_TAGGING.fullmatch(word.text):
            return
        elif word.text in _TAG_VALUED or re.fullmatch(r"-[asf]*m", word.text):
            valued = True
        elif not word.text.startswith("-"):
            if word.fixed:
                done = not _TAG_EXISTS.search(output)
                yield Action(kind=ActionKind.OPENED, target=word.text, detail=TAG, done=done)
            return


def _moved(rest: list[Word], place: Place) -> Iterator[Action]:
    names = [word for word in rest if not word.text.startswith("-")]
    if len(names) < 2:
        return
    *sources, goal = names
    for source in sources:
        word = goal
        if len(sources) > 1 or goal.text.endswith("/") or goal.text == ".":
            base = source.text.rstrip("/").rpartition("/")[2]
            word = Word(join(goal.text, base), source.fixed and goal.fixed)
        if path := place.shown(word):
            yield Action(kind=ActionKind.MOVED, target=path, detail=place.shown(source) or source.text)


def forge_actions(name: str, args: list[Word], output: str) -> Iterator[Action]:
    """What `gh`, `glab` and the like opened, by the URL they print."""
    texts = [word.text for word in args]
    words = [text for text in texts if not text.startswith("-")][:2]
    if "--dry-run" in texts or "--help" in texts or not words:
        return
    yield from forge_away(args, output)
    if name == "hub" and words[0] == "pull-request":
        words = ["pr", "create"]
    kind = {"mr": "pr", "pulls": "pr", "issues": "issue", "releases": "release"}.get(words[0], words[0])
    if len(words) < 2 or words[1] not in ("create", "new") or kind not in _URLS:
        return
    title = next((b for a, b in pairwise(texts) if a in ("--title", "-t")), "")
    url = _URLS[kind].search(output)
    yield Action(kind=ActionKind.OPENED, target=_url(url), detail=clean(title), done=bool(url))


def opened(title: str, output: str, *, failed: bool) -> tuple[Action, ...]:
    """The pull request or issue that a tool's result names by its URL."""
    url = _URLS["pr"].search(output) or _URLS["issue"].search(output)
    if not url:
        return ()
    return (Action(kind=ActionKind.OPENED, target=_url(url), detail=clean(title), done=not failed),)


def _url(found: re.Match[str] | None) -> str:
    return found[0].rstrip(".,)\\") if found else ""
