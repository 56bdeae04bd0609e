"""Distil the log of a finished task to what the next task must know.

    from distill import distil_log

    state = distil_log("session.jsonl")
    for item in state.items:
        print(item.kind, item.text, item.at)

`distil_log` reads a log and gives a `State`; its `items` are `Item`s with their kind, text, time and sources. `Options`
are the settings of a run. `Folder` folds a long session while it goes on, by `FoldNumbers`. Whatever goes wrong is a
`DistillError` whose text is one line and whose `code` is the exit code of the command line.

`import distill` alone loads nothing else; the names are fetched from their modules when they are first used.
"""

from __future__ import annotations

__version__ = "0.1.0"

__all__ = ["Context", "DistillError", "FoldNumbers", "Folder", "Item", "Options", "State", "__version__", "distil_log"]

#: Where the public names live. `__init__.pyi` says the same to type checkers.
_HOMES = {
    "Context": "distill.layered",
    "DistillError": "distill.model",
    "Folder": "distill.folder",
    "FoldNumbers": "distill.fold.numbers",
    "Item": "distill.model",
    "Options": "distill.pipeline",
    "State": "distill.model",
    "distil_log": "distill.pipeline",
}


def __getattr__(name: str) -> object:
    """A public name, imported from its module on first use and kept from then on."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value: object = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
