"""Modules that many import and few use are read when something in them is used."""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import Any


class _Later(ModuleType):
    """Stands for a module until something in it is asked for."""

    def __getattr__(self, name: str) -> Any:
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        return getattr(import_module(self.__name__), name)


def put_off(name: str) -> None:
    """Let the module `name`, where nobody has imported it, be read at its first use."""
    sys.modules.setdefault(name, _Later(name))
