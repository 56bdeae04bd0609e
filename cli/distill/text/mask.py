"""Credentials out of events and states: every text that they carry, wherever it stands."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from distill.model import Event, Item, State, item_id
from distill.text.redact import redact


def masked(text: str, counts: Counter[str]) -> str:
    """`text` without credentials; `counts` gets how many of which kind."""
    if not text:
        return text
    plain, kinds = redact(text)
    if kinds:
        counts.update(kinds)
    return plain


def masked_event(event: Event, counts: Counter[str]) -> Event:
    """An event without credentials, in words and acts alike."""
    if event.text:
        text = masked(event.text, counts)
        return event if text == event.text else replace(event, text=text)
    action = event.action
    if action is None:
        return event
    target, detail = masked(action.target, counts), masked(action.detail, counts)
    tasks = tuple([replace(task, text=masked(task.text, counts)) for task in action.tasks])
    options = tuple([masked(option, counts) for option in action.options])
    if (target, detail, tasks, options) == (action.target, action.detail, action.tasks, action.options):
        return event
    return replace(event, action=replace(action, target=target, detail=detail, tasks=tasks, options=options))


def masked_state(state: State, counts: Counter[str]) -> State:
    """A state without the credentials that a hand or an earlier run left in it; ids follow the texts."""
    ids: dict[str, str] = {}
    items: list[Item] = []
    for item in state.items:
        text = masked(item.text, counts)
        quotes = [text if one.quote == item.text else masked(one.quote, counts) for one in item.sources]
        if text != item.text:
            ids[item.id] = item_id(item.kind, text)
        if text != item.text or quotes != [one.quote for one in item.sources] or item.id in ids:
            sources = tuple(replace(one, quote=quote) for one, quote in zip(item.sources, quotes, strict=True))
            item = replace(item, id=ids.get(item.id, item.id), text=text, sources=sources)
        items.append(item)
    if ids:
        items = [
            replace(item, by=ids.get(item.by, item.by) if item.by else None,
                    supersedes=tuple(ids.get(one, one) for one in item.supersedes))
            for item in items
        ]
    task = replace(state.task, title=masked(state.task.title, counts))
    return replace(state, task=task, items=tuple(items))
