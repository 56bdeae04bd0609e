"""Any other program that can run a command: it names the log in JSON on standard input and reads plain text back."""

from __future__ import annotations

from pathlib import Path

from distill.agents.agent import Agent, Call, Environment


def home(environment: Environment) -> Path:
    """No such program keeps its settings anywhere that is known."""
    return Path.home()


def find(call: Call, home: Path) -> Path | None:
    """No such program keeps its logs anywhere that is known."""
    return None


AGENT = Agent(
    name="generic", title="any other", folder="", settings="", home=home, events={}, find=find,
    answer=lambda event, text: text,
)
