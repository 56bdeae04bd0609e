import json
from io import BytesIO

import pytest

from distill.model import Role
from distill.read.claude_web import FORMAT
from distill.read.formats import recognise
from distill.read.log import Log


def document(value: object) -> Log:
    data = json.dumps(value).encode()
    return Log("session.json", BytesIO(data), len(data))


def test_a_session() -> None:
    lines = [
        {"type": "user", "uuid": "a", "sessionId": "s", "cwd": "/srv/kiln", "message": {"content": "Use gas."}},
        17,
        {
            "type": "assistant",
            "uuid": "b",
            "sessionId": "s",
            "message": {"id": "m", "content": [{"type": "text", "text": "Gas."}]},
        },
    ]
    log = document({"loglines": lines, "branch": "x"})
    assert recognise(log) is FORMAT
    assert [(event.record, event.role, event.text) for event in FORMAT.events(log)] == [
        (1, Role.USER, "Use gas."),
        (3, Role.ASSISTANT, "Gas."),
    ]
    assert log.tally.records == 3
    assert log.tally.skipped == {"not a JSON object": [2]}
    assert log.tally.project == "/srv/kiln"


@pytest.mark.parametrize("value", [{"loglines": 3}, {"messages": []}, [{"loglines": []}], {"x": {"loglines": []}}])
def test_neighbours_are_not_taken(value: object) -> None:
    assert not FORMAT.recognise(document(value))
