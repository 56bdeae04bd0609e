import json
from io import BytesIO

import pytest

from distill.model import Event, Role
from distill.read.claude_history import FORMAT
from distill.read.formats import recognise
from distill.read.log import Log


def lines(*entries: object) -> Log:
    data = "".join(json.dumps(entry) + "\n" for entry in entries).encode()
    return Log("history.jsonl", BytesIO(data), len(data))


def test_prompts() -> None:
    log = lines(
        {
            "display": "Use gas.",
            "pastedContents": {},
            "timestamp": 1772442000000,
            "project": "/srv/kiln",
            "sessionId": "s",
        },
        {"display": "Use gas.", "pastedContents": {}, "timestamp": 1772442001000, "project": "/srv/kiln"},
        {"display": "/model ", "pastedContents": {}, "timestamp": 1772442002000, "project": "/srv/kiln"},
        {"display": 4, "project": "/srv/kiln"},
        {"display": "[Pasted text #1 +20 lines] sum it up", "pastedContents": {"1": {"content": "x"}}, "project": 5},
    )
    assert recognise(log) is FORMAT
    first, second = FORMAT.events(log)
    assert first == Event(
        record=1, role=Role.USER, text="Use gas.", time="2026-03-02T09:00:00Z", session="s", project="/srv/kiln"
    )
    assert (second.record, second.text, second.time, second.project) == (5, "sum it up", None, "")
    assert log.tally.skipped == {"prompt without text": [4]}
    assert log.tally.understood == 2


@pytest.mark.parametrize(
    "entry",
    [{"display": "x"}, {"type": "user", "display": "x", "project": "y"}, {"session_id": "x", "text": "hi", "ts": 1}],
)
def test_neighbours_are_not_taken(entry: object) -> None:
    assert not FORMAT.recognise(lines(entry))
