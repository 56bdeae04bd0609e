from collections import Counter

from distill.model import Action, ActionKind, Event, Item, Kind, Role, Source, State, Task, TaskName, item_id
from distill.text.mask import masked, masked_event, masked_state

SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def test_every_text_of_an_event() -> None:
    counts: Counter[str] = Counter()
    said = masked_event(Event(record=1, role=Role.USER, text=f"Use {SECRET}."), counts)
    action = Action(kind=ActionKind.PLANNED, target=SECRET, detail=f"a {SECRET}", options=("no", SECRET),
                    tasks=(Task(text=f"Rotate {SECRET}"),))
    did = masked_event(Event(record=2, role=Role.ASSISTANT, action=action), counts)
    assert SECRET not in repr((said, did))
    assert did.action is not None
    assert did.action.options[0] == "no"
    assert sum(counts.values()) == 5


def test_an_event_without_credentials_stays_the_very_same() -> None:
    counts: Counter[str] = Counter()
    for event in (Event(record=1, role=Role.USER, text="Hello."),
                  Event(record=2, role=Role.USER, action=Action(kind=ActionKind.RAN, target="ls"))):
        assert masked_event(event, counts) is event
    assert masked("", counts) == ""
    assert not counts


def test_the_ids_of_a_state_follow_its_texts() -> None:
    text = f"The token is {SECRET}"
    old = Item(id=item_id(Kind.DECISION, text), kind=Kind.DECISION, text=text,
               sources=(Source(path="a", record=1, quote=text),))
    new = Item(id="d-000001", kind=Kind.DECISION, text="The token is gone", supersedes=(old.id,), by=old.id)
    found = masked_state(State(task=TaskName(title=SECRET), items=(new, old)), Counter())
    assert SECRET not in repr(found)
    first, second = found.items
    assert second.id == item_id(Kind.DECISION, second.text) != old.id
    assert (first.id, first.supersedes, first.by) == ("d-000001", (second.id,), second.id)
