from pathlib import Path

import pytest

from tests.cli.tool import Tool
from tests.properties.laws import Folder


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """Gives the command line in a folder of the session; every example writes its own files over those before."""
    place: Path = tmp_path_factory.mktemp("laws")
    return lambda: Tool(place)
