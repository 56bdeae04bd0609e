"""What commands make or take away that is no file: tags, branches, worktrees, releases, packages, images."""

from __future__ import annotations

import re
from collections.abc import Iterator

from distill.model import Action, ActionKind
from distill.read.shellwords import Word
from distill.text.lazy import Lazy

PUBLISHED, WORKTREE = "Published", "Worktree"
MAKERS = frozenset(("npm", "pnpm", "yarn", "bun", "cargo", "docker", "podman"))
_NPM = Lazy(r"^\+ (@?[\w./-]+@\d[\w.+-]*)\s*$", re.M)
_YARN = Lazy(r"^success Published\.", re.M)
_CARGO = Lazy(r"^\s*(?:Published|Uploaded) ([\w-]+) v(\d[\w.+-]*)", re.M)
_ERROR = Lazy(r"^(?:npm (?:ERR!|error)|error[: \[]|Error[: ]|fatal: |HTTP 4\d\d|X |GraphQL: )", re.M)
_REFS = Lazy(r"^(?:refs/(?:heads|tags)/)")
_VALUED = frozenset(("-c", "--comment", "-R", "--repo", "--registry", "--otp", "--tag", "-m", "-b", "-B", "--reason"))
_CLOSING = {
    ("pr", "close"): "pull",
    ("mr", "close"): "merge_requests",
    ("mr", "delete"): "merge_requests",
    ("issue", "delete"): "issues",
    ("release", "delete"): "releases",
    ("repo", "delete"): "repo",
    ("gist", "delete"): "gist",
}


def closed(name: str, sort: str = "", *, done: bool = True) -> Action:
    """The act that takes away what is called `name`."""
    return Action(kind=ActionKind.CLOSED, target=_REFS.sub("", name), detail=sort, done=done)


def plain(words: list[Word]) -> list[str]:
    """The arguments that are neither options nor the values of options, as far as they stand in the command."""
    found: list[str] = []
    valued = False
    for word in words:
        if valued:
            valued = False
        elif word.text in _VALUED:
            valued = True
        elif word.text and not word.text.startswith("-") and word.fixed:
            found.append(word.text)
    return found


def git_away(verb: str, rest: list[Word], output: str) -> Iterator[Action]:
    """The tags, branches and worktrees that `git verb rest` takes away, and the worktree it adds."""
    texts = [word.text for word in rest]
    failed = bool(_ERROR.search(output))
    if verb == "tag" and ("-d" in texts or "--delete" in texts):
        for name in plain(rest):
            yield closed(name, "tag", done=f"tag '{name}' not found" not in output)
    elif verb == "branch" and not {"-d", "-D", "--delete"}.isdisjoint(texts):
        for name in plain(rest):
            yield closed(name, "branch", done=not failed)
            tip = re.search(rf"Deleted branch {re.escape(name)} \(was ([0-9a-f]{{7,40}})\)", output)
            if tip and "-D" in texts:
                yield Action(kind=ActionKind.UNCOMMITTED, target=tip[1], detail="branch")
    elif verb == "push":
        names = plain(rest)
        if "--delete" in texts or "-d" in texts:
            away = names[1:]
        else:
            away = [name[1:] for name in names if name.startswith(":") and len(name) > 1]
        for name in away:
            yield closed(name, "pushed", done=not failed and "[rejected]" not in output)
    elif verb == "worktree":
        yield from _worktree(rest, failed=failed)


def _worktree(rest: list[Word], *, failed: bool) -> Iterator[Action]:
    names = plain(rest)
    if len(names) > 1 and names[0] == "add":
        yield Action(kind=ActionKind.OPENED, target=names[1], detail=WORKTREE, done=not failed)
    elif len(names) > 1 and names[0] == "remove":
        yield closed(names[1], "worktree", done=not failed)


def forge_away(args: list[Word], output: str) -> Iterator[Action]:
    """What `gh`, `glab` and the like closed or deleted; "" as its name where it is that of the current branch."""
    names = plain(args)
    sort = _CLOSING.get((names[0], names[1])) if len(names) > 1 else None
    if sort is not None:
        yield closed(names[2] if len(names) > 2 else "", sort, done=not _ERROR.search(output))


def made_elsewhere(name: str, args: list[Word], output: str) -> Iterator[Action]:
    """The packages that a command published or took back, and the images it removed."""
    names = plain(args)
    verb = names[0] if names else ""
    failed = bool(_ERROR.search(output))
    if any(word.text in ("--dry-run", "--help", "-h") for word in args):
        return
    if name in ("docker", "podman"):
        if verb == "image" and names[1:2] in (["rm"], ["remove"]):
            verb, names = "rmi", names[1:]
        for image in names[1:] if verb == "rmi" else ():
            yield closed(image, "image", done=not failed and "Error response" not in output)
    elif verb == "unpublish" and name != "cargo":
        for package in names[1:]:
            yield closed(package, "package", done=not failed)
    elif verb == "publish":
        found = _CARGO.search(output) if name == "cargo" else _NPM.search(output)
        if found and not failed:
            package = f"{found[1]}@{found[2]}" if name == "cargo" else found[1]
            yield Action(kind=ActionKind.OPENED, target=package, detail=PUBLISHED)
