"""What the laws have in common."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import HealthCheck, settings

from tests.cli.tool import Tool

#: Few examples each, so that all laws together take well under a minute.
law = settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
Folder = Callable[[], Tool]
