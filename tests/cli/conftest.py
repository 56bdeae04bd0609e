from pathlib import Path

import pytest

from tests.cli.tool import Tool


@pytest.fixture
def tool(tmp_path: Path) -> Tool:
    """The command line in an empty folder."""
    return Tool(tmp_path)
