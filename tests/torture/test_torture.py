"""A small part of the torture, in a process of its own, since it forks."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.cli.tool import CHECKOUT, environment

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that fork")


@pytest.mark.parametrize(("what", "count"), [("kills", 30), ("writers", 16)])
def test_a_state_outlives(what: str, count: int) -> None:
    done = subprocess.run([sys.executable, "-m", "tests.torture", what, str(count)], cwd=CHECKOUT, env=environment(),
                          capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert ("'killed'" in done.stdout) is (what == "kills")
