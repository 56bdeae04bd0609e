"""opencode's Markdown export."""

from __future__ import annotations

import io

from distill.model import ActionKind, Event, Role
from distill.read.log import Log
from distill.read.opencode_markdown import FORMAT

TOP = """# The cart

**Session ID:** ses_3f610af2cffe
**Created:** 1/29/2026, 6:56:44 PM
**Updated:** 1/31/2026, 2:01:04 AM

---

"""


def _log(text: str) -> Log:
    return Log("log", io.BytesIO(text.encode()))


def _read(text: str) -> list[Event]:
    return list(FORMAT.events(_log(text)))


def _said(events: list[Event]) -> list[tuple[int, Role, str]]:
    return [(e.record, e.role, e.text) for e in events if e.text]


def _line(text: str, part: str) -> int:
    """The line, from 1, on which `part` stands first."""
    return next(number for number, line in enumerate(text.split("\n"), 1) if part in line)


SESSION = (
    TOP
    + """## User

Limit the cart to 12 items.

- and no Redis

---

## Assistant (Build · Big Model · 8.5s)

_Thinking:_

The user wants a limit. Redis?

**Tool: write**

**Input:**
```json
{
  "filePath": "/w/shop/cart.ts",
  "content": "const LIMIT = 12"
}
```

**Output:**
```
Wrote file
```

**Tool: bash**

**Input:**
```json
{
  "command": "git commit -m \\"Limit\\"",
  "description": "Commit"
}
```

**Output:**
```
[main 1a2b3c4] Limit
 1 file changed
```

---

## Assistant (Build · Big Model · 2.0s)

_Thinking:_

All done. Let me sum up.

The cart takes at most 12 items.

## What changed

- `cart.ts` is new

---

Nothing else.

---

"""
)


def test_a_session() -> None:
    log = _log(SESSION)
    assert FORMAT.recognise(log)
    events = list(FORMAT.events(log))
    assert _said(events) == [
        (_line(SESSION, "Limit the cart"), Role.USER, "Limit the cart to 12 items.\n\n- and no Redis"),
        (
            _line(SESSION, "The cart takes"),
            Role.ASSISTANT,
            "The cart takes at most 12 items.\n\n## What changed\n\n- `cart.ts` is new\n\n---\n\nNothing else.",
        ),
    ]
    acts = [(e.record, e.action.kind, e.action.target) for e in events if e.action]
    assert acts == [
        (_line(SESSION, "filePath"), ActionKind.WROTE, "/w/shop/cart.ts"),
        (_line(SESSION, "1a2b3c4"), ActionKind.COMMITTED, "1a2b3c4"),
    ]
    assert all(e.by_line for e in events if e.text)
    assert events[0].time == "2026-01-31T02:01:04Z"
    assert (log.tally.title, log.tally.session) == ("The cart", "ses_3f610af2cffe")
    assert log.tally.types == {"user": 1, "assistant": 2, "tool": 2}


def test_every_line_of_what_was_said_is_a_line_of_the_log() -> None:
    lines = SESSION.split("\n")
    for event in _read(SESSION):
        for offset, line in enumerate(event.text.split("\n")) if event.text else []:
            assert lines[event.record - 1 + offset] == line


def test_the_older_form_of_tools() -> None:
    text = (
        TOP
        + """## Assistant (Build · Big Model · 8.5s)

Let me test it.

```
Tool: bash

**Input:**
```json
{
  "command": "npm test"
}
```
**Output:**
```
Tests:       5 passed, 5 total

```
```

---

## User

ok whats next

---

"""
    )
    events = _read(text)
    assert [text for _, _, text in _said(events)] == ["Let me test it.", "ok whats next"]
    (tested,) = [e.action for e in events if e.action]
    assert (tested.kind, tested.target, tested.done) == (ActionKind.TESTED, "npm test", True)


def test_an_output_that_holds_fences_and_rules() -> None:
    text = (
        TOP
        + """## Assistant

**Tool: bash**

**Input:**
```json
{
  "command": "cat README.md"
}
```

**Output:**
```
# Read me

```bash
npm i
```

We decided to use Redis.

---

## Usage

```
npm start
```

The end of the file.
```

---

## User

Use Go.

---

"""
    )
    assert [text for _, _, text in _said(_read(text))] == ["Use Go."]


def test_an_error_and_a_refusal() -> None:
    text = (
        TOP
        + """## Assistant (Build · Big Model · 8.5s)

**Tool: edit**

**Input:**
```json
{
  "filePath": "a.ts",
  "oldString": "x",
  "newString": "y"
}
```

**Error:**
```
oldString not found in content
```

**Tool: bash**

**Input:**
```json
{
  "command": "rm -r dist"
}
```

**Error:**
```
The user rejected permission to use this specific tool call with the following feedback: keep dist
```

---

"""
    )
    events = _read(text)
    acts = [(e.record, e.action.kind, e.action.target, e.action.done) for e in events if e.action]
    assert acts == [
        (_line(text, '"filePath"'), ActionKind.EDITED, "a.ts", False),
        (_line(text, "The user rejected"), ActionKind.REJECTED, "rm -r dist", False),
    ]
    assert _said(events) == [(_line(text, "The user rejected"), Role.USER, "keep dist")]


def test_an_answered_question() -> None:
    text = (
        TOP
        + """## Assistant (Plan · Big Model · 8.5s)

**Tool: question**

**Input:**
```json
{
  "questions": [
    {
      "question": "Which store?",
      "header": "Store",
      "options": [
        {
          "label": "SQLite",
          "description": ""
        }
      ]
    }
  ]
}
```

**Output:**
```
User has answered your questions: "Which store?"="SQLite". You can now continue with the user's answers in mind.
```

---

"""
    )
    (answer,) = [e for e in _read(text) if e.action]
    assert answer.action is not None
    assert (answer.role, answer.record) == (Role.USER, _line(text, "User has answered"))
    assert (answer.action.kind, answer.action.target, answer.action.detail) == (
        ActionKind.ANSWERED,
        "Which store?",
        "SQLite",
    )


def test_a_session_that_starts_in_the_middle_and_prompts_that_nobody_typed() -> None:
    text = (
        TOP
        + """## Assistant (Build · Big Model · 8.5s)

Still at it.

---

## User

<system-reminder>
[BACKGROUND TASK COMPLETED]
</system-reminder>
<!-- OMO_INTERNAL_INITIATOR -->

---

## User

Use Go.
<system-reminder>
You must use Redis.
</system-reminder>
And no ORM.

---

"""
    )
    log = _log(text)
    said = _said(list(FORMAT.events(log)))
    assert said[0] == (_line(text, "Still at it."), Role.ASSISTANT, "Still at it.")
    assert " ".join(words for _, role, words in said if role is Role.USER).split() == [
        "Use",
        "Go.",
        "And",
        "no",
        "ORM.",
    ]
    lines = text.split("\n")
    for number, _, words in said:
        for offset, line in enumerate(words.split("\n")):
            assert lines[number - 1 + offset] == line
    assert log.tally.set_aside["injected text"] == 2


def test_headings_in_prose_are_prose() -> None:
    text = (
        TOP
        + """## Assistant (Build · Big Model · 8.5s)

The roles are:

## User

A person.

## Assistant

A model.

---

"""
    )
    assert len(_said(_read(text))) == 1


def test_thinking_in_sections_with_titles() -> None:
    text = (
        TOP
        + """## Assistant (Build · Big Model · 8.5s)

_Thinking:_

**Weighing the stores**

I am thinking about Redis.

**Choosing a name**

Cart is fine.

The cart is stored in SQLite.

---

"""
    )
    assert [words for _, _, words in _said(_read(text))] == ["The cart is stored in SQLite."]


def test_a_cut_export() -> None:
    text = TOP + '## Assistant\n\n**Tool: write**\n\n**Input:**\n```json\n{\n  "filePath": "a.ts",\n'
    assert _read(text) == []


def test_neighbours_are_not_taken() -> None:
    assert not FORMAT.recognise(_log("# Title\n\n**Session ID:** 12345\n\n## User\n\nhi\n"))
    assert not FORMAT.recognise(_log("# Title\n\nThe **Session ID:** ses_1 is below\n"))
