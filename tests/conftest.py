"""No test touches the user's cache or is told anything by the user's environment."""

import os
from collections.abc import Iterator
from unittest.mock import patch

import pytest


@pytest.fixture(scope="session", autouse=True)
def plain_environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("DISTILL_")}
    kept["DISTILL_CACHE_DIR"] = str(tmp_path_factory.mktemp("cache"))
    with patch.dict(os.environ, kept, clear=True):
        yield
