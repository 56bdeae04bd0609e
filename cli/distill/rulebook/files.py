"""Finds the rule files of the package and of the user's packs. Every run does, so it imports next to nothing."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from distill.model import DistillError

EFFECTS, SIGNALS = "effects", "signals"
_SUFFIXES = (".yaml", ".yml")


class RuleText(NamedTuple):
    """One file of a pack as it lies on the disk: "decision/explicit", its path, its bytes."""

    id: str
    file: str
    data: bytes

    @property
    def text(self) -> str:
        """The text of the file; raises DistillError where it is not UTF-8."""
        try:
            return self.data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = self.data.count(b"\n", 0, error.start) + 1
            raise DistillError(f"{self.file}:{line}: is not UTF-8") from error


def builtin_folder() -> Path:
    """The folder of the package's own rules, in an installed package or in a checkout."""
    here = Path(__file__).resolve()
    inside = here.parents[1] / "rules"  # beside the package's own folders; importlib.resources is slow to import
    return inside if inside.is_dir() else here.parents[3] / "rules"


def collect_all(packs: Sequence[Path], builtin: bool) -> list[list[RuleText]]:
    """The rule files of the package, then those of `packs`.

    Without `builtin` the package gives its tables alone, which say how modifiers work and what signals weigh. Raises
    DistillError where a pack is missing, cannot be read or holds no rules.
    """
    own = [one for one in collect(builtin_folder()) if builtin or one.id in (EFFECTS, SIGNALS)]
    return [own, *(collect(pack) for pack in packs)]


def collect(pack: Path) -> list[RuleText]:
    """The rule files of a pack (a folder or a single YAML file) in a fixed order; raises like `collect_all`."""
    try:
        if pack.is_file():
            return [RuleText("pack", str(pack), _bytes(str(pack)))]
        if not pack.is_dir():
            raise DistillError(f"{pack}: there is no such rule pack: name a folder or a YAML file")
        entries = sorted(os.scandir(pack), key=lambda entry: entry.name)
        found = _files(entries, "")
        for folder in entries:
            if folder.is_dir():
                found += _files(sorted(os.scandir(folder), key=lambda entry: entry.name), f"{folder.name}/")
    except OSError as error:
        raise DistillError(f"{error.filename or pack}: cannot be read: {error.strerror}") from error
    if not found:
        raise DistillError(f"{pack}: holds no rule files: put them in folders such as decision/ or modifier/")
    return found


def _files(entries: Sequence[os.DirEntry[str]], prefix: str) -> list[RuleText]:
    return [
        RuleText(prefix + entry.name.rpartition(".")[0], entry.path, _bytes(entry.path))
        for entry in entries
        if entry.name.endswith(_SUFFIXES) and entry.is_file()
    ]


def _bytes(path: str) -> bytes:
    with open(path, "rb", buffering=0) as file:
        return file.read()
