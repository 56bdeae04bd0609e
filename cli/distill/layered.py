"""The layered context of a project as a program uses it: the same commands as `distill context`, one call each.

    from distill import Context

    context = Context.init()
    context.start("Stock of MX-200")
    context.set("region", "North")
    print(context.prompt().text())

Every call that changes something is one transaction on the project's store and can be undone. The corridor between
the layers (`distill.context`), which know no disk, and the store, which knows no layers.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from distill.context import compress, entries, labels, stack
from distill.context.answers import Added, Fed, Turned, View
from distill.context.feeding import entries_of
from distill.context.hearing import QUOTED, Heard, gist, heard, last_sentence
from distill.context.model import (
    Desk,
    Domain,
    Entry,
    Memory,
    Numbers,
    Rule,
    Sort,
    Standing,
    Strength,
    Task,
    require_active,
)
from distill.context.pieces import cut
from distill.context.precedence import Value, sentences, values
from distill.context.prompt import Prompt, assembled, most_tokens
from distill.context.recall import Hit, best, words
from distill.context.rows import from_export, to_desk, to_export, to_tables
from distill.context.switching import Verdict, decide
from distill.model import DistillError
from distill.read.own import BEGIN, END
from distill.render.quoted import defused, is_order, quotation
from distill.store.contextdb import ContextDB, Tables
from distill.text.clean import clean
from distill.text.language import language
from distill.text.redact import redact
from distill.text.times import rfc3339
from distill.text.tokens import estimate

if TYPE_CHECKING:
    from distill.rulebook import Rulebook

FOLDER = ".distill"
FILE = "context.db"
HOME = "DISTILL_HOME"
FED = 1500  # tokens of a log's state that go into a task
TITLE = 80  # characters of a turn that name the task it begins
_IGNORE = "*\n"
Result = TypeVar("Result")


class Context:
    """The layered context of a project. `now` fixes the clock, `redact=False` leaves credentials in what is noted.

    Every method raises DistillError where its words name nothing, or the store cannot be used.
    """

    def __init__(self, folder: Path, *, now: str | None = None, redact: bool = True) -> None:
        """`folder` holds the store; see `find` and `init`."""
        self.store = ContextDB(folder / FILE)
        self._now = now
        self._redact = redact
        self.created = False

    @classmethod
    def find(cls, place: str | Path = ".", *, now: str | None = None, redact: bool = True) -> Context:
        """The context of DISTILL_HOME, where that is set, else of `place` or the nearest folder above that has one."""
        return cls(home_of(Path(place)), now=now, redact=redact)

    @classmethod
    def init(cls, place: str | Path = ".", *, now: str | None = None, redact: bool = True) -> Context:
        """The context of `place` (or DISTILL_HOME), made where there is none: `created` says whether it is new."""
        named = os.environ.get(HOME)
        return cls.at(Path(named) if named else Path(place) / FOLDER, now=now, redact=redact)

    @classmethod
    def at(cls, folder: Path, *, now: str | None = None, redact: bool = True) -> Context:
        """The context in `folder`, made where there is none, out of sight of git unless the folder is DISTILL_HOME."""
        context = cls(folder, now=now, redact=redact)
        context.created = context.store.create()
        if context.created and not os.environ.get(HOME):
            ignore = context.store.path.with_name(".gitignore")
            with suppress(OSError):
                if not ignore.exists():
                    ignore.write_text(_IGNORE, encoding="utf-8")
        return context

    def set_numbers(self, numbers: Numbers) -> None:
        """Replace the numbers that it goes by: window, depth of the stack, thresholds."""
        self._change("init", lambda desk: (replace(desk, numbers=numbers), None))

    # -- the global and the domain layer ------------------------------------------------------------------------------

    def add_rule(self, text: str, *, name: str = "", hard: bool = False) -> Rule:
        """Add a global rule: a hard one, which outranks the task, or a preference, which the task outranks.

        With a `name` it sets a parameter and takes the place of a rule of that name and strength.
        """
        strength = Strength.HARD if hard else Strength.DEFAULT
        return self._change("global add", lambda desk: entries.with_rule(
            desk, strength, self._plain(name), self._plain(text), self.now))

    def drop_rule(self, wanted: str) -> Rule:
        """Take a global rule away, by number or name."""
        return self._change("global drop", lambda desk: entries.without_rule(desk, wanted))

    def add_domain(self, name: str, text: str) -> Domain:
        """Add a pack of background under `name`, in the place of one that has it already."""
        body = redact(text)[0] if self._redact else text
        body = clean(body, one_line=False)

        def act(desk: Desk) -> tuple[Desk, Domain]:
            desk = entries.with_domain(desk, self._plain(name), body, self.now)
            return desk, desk.domains[[one.name for one in desk.domains].index(self._plain(name))]

        return self._change("domain add", act)

    # -- tasks --------------------------------------------------------------------------------------------------------

    def start(self, title: str, *, domain: str | None = None, child: bool = False,
              carry: Sequence[str] = ()) -> stack.Moved:
        """Begin a task; see `distill.context.stack.begin`."""
        return self._change("start", lambda desk: _moved(stack.begin(
            desk, self._plain(title), self.now, domain=domain, child=child, carry=carry)))

    def suspend(self) -> stack.Moved:
        """Put the active task aside; the parent of a child is then active."""
        return self._change("suspend", lambda desk: _moved(stack.suspend(desk, self.now)))

    def resume(self, task: str | None = None, *, sure: bool = False) -> stack.Moved:
        """Take up a task, by default that put aside last; DistillError with code 5 after two days unless `sure`."""
        return self._change("resume", lambda desk: _moved(stack.resume(desk, task, self.now, sure=sure)),
                            whole=task is not None)

    def switch(self, task: str, *, sure: bool = False) -> stack.Moved:
        """Put the active task aside and take up another; like `resume`, but `task` must be named."""
        return self._change("switch", lambda desk: _moved(stack.resume(desk, task, self.now, sure=sure)), whole=True)

    def finish(self) -> tuple[stack.Moved, Memory]:
        """End the active task: its summary goes to memory, the results of a child to its parent."""

        def act(desk: Desk) -> tuple[Desk, tuple[stack.Moved, Memory]]:
            moved, memory = stack.finish(desk, self.now)
            return moved.desk, (moved, memory)

        return self._change("finish", act)

    def compress(self) -> View:
        """Reduce the layer of the active task to goal, conditions, progress and open questions."""

        def act(desk: Desk) -> tuple[Desk, View]:
            task = require_active(desk)
            desk = compress.compressed(desk, task, self.now)
            return desk, self._view(desk, task)

        return self._change("compress", act)

    def turn(self, text: str, *, reply: str = "", apply: bool = False, title: str = "") -> Turned:
        """Tell which task a turn of the user belongs to; `reply` is what the assistant said last.

        With `apply` it is noted, and a switch is made: to an open task, or to a new one with `title` (the turn itself
        by default), which takes on the conditions that the turn points to. What is asked about stays as it is. A task
        that has lain for two days is asked about too.
        """
        text, reply = self._plain(text), gist(self._plain(reply))
        told = listened(text, reply)
        if not apply:
            desk = self.desk()
            return Turned(decision=decide(desk, text, told), task=desk.active)

        def act(desk: Desk) -> tuple[Desk, Turned]:
            decision = decide(desk, text, told)
            if desk.active and reply:
                desk = entries.with_turn(desk, desk.active, reply, self.now)
            moved = stack.Moved(desk=replace(desk, drift=decision.drift), task=desk.active)
            if decision.verdict is Verdict.SWITCH:
                if not decision.target:
                    moved = stack.begin(desk, title or cut(text, TITLE), self.now, carry=decision.carry)
                elif stack.lain(desk, decision.target, self.now):
                    decision = replace(decision, verdict=Verdict.ASK, reasons=(
                        *decision.reasons, f"t{decision.target} was put aside days ago"))
                else:
                    moved = stack.resume(desk, f"t{decision.target}", self.now)
            desk = moved.desk
            if moved.task and decision.verdict is not Verdict.ASK:
                desk = entries.with_turn(desk, moved.task, text, self.now)
            return desk, Turned(decision=decision, task=desk.active, moved=decision.verdict is Verdict.SWITCH)

        return self._change("turn", act)

    def feed(self, path: str, *, budget: int | None = FED) -> Fed:
        """Distil the log at `path` into the active task: decisions become conditions (pending, unless the user's own),
        facts and artifacts results, open items questions. The same log again changes only what it says otherwise.

        Raises InputError (code 3) where the log cannot be read.
        """
        from distill.pipeline import Account, Options, distil

        account = Account()
        require_active(self.desk())
        state = distil([path], Options(budget=budget, now=self.now, redact=self._redact), account=account)
        rows = entries_of(state.items)

        def act(desk: Desk) -> tuple[Desk, Fed]:
            task = require_active(desk)
            desk = entries.with_items(desk, task, path, rows, self.now)
            desk, full = self._fitting(desk, task)
            return desk, Fed(items=len(rows), left=sum(state.omitted), skipped=account.skipped, compressed=full)

        return self._change("feed", act)

    def export(self) -> str:
        """Everything in the store as JSON, what undoing needs included; `import_` makes the same store of it."""
        return to_export(self.store.dump())

    def import_(self, text: str, *, over: bool = False) -> None:
        """Fill the store with what `export` gave: an empty one, or with `over` in the place of what it holds.

        Raises DistillError where `text` is no export.
        """
        self.store.restore(from_export(text), over=over)

    def undo(self) -> tuple[str, str]:
        """Put back exactly what the last command changed; that command and its time."""
        return self.store.undo()

    # -- the task layer -----------------------------------------------------------------------------------------------

    def set(self, name: str, value: str, *, pending: bool = False) -> Added:
        """Set a condition of the active task; `pending` until it is confirmed."""
        standing = Standing.PENDING if pending else Standing.CONFIRMED
        return self._add("set", Sort.CONDITION, name, value, standing=standing)

    def unset(self, name: str) -> None:
        """Drop a condition of the active task; one that its parent sets is not inherited any more."""
        self._change("unset", lambda desk: (entries.without_condition(
            desk, require_active(desk), self._plain(name), self.now), None))

    def result(self, name: str, value: str) -> Added:
        """Note a result of the active task, in the place of one of that name."""
        return self._add("result", Sort.RESULT, name, value)

    def step(self, text: str) -> Added:
        """Note a step that was done."""
        return self._add("step", Sort.STEP, "", text)

    def ask(self, text: str) -> Added:
        """Note an open question."""
        return self._add("ask", Sort.QUESTION, "", text)

    def answer(self, wanted: str) -> Entry:
        """Take an open question away, by number or words."""
        return self._change("answer", lambda desk: entries.without_question(desk, require_active(desk), wanted))

    # -- looking ------------------------------------------------------------------------------------------------------

    def desk(self, *, whole: bool = False) -> Desk:
        """Everything as it stands; with `whole` finished tasks and memories too."""
        return to_desk(self.store.read(whole=whole))

    def show(self, task: str | None = None) -> View:
        """One task as it stands, the active one by default."""
        desk = self.desk(whole=task is not None)
        return self._view(desk, stack.find(desk, task) if task else require_active(desk))

    def global_values(self, desk: Desk) -> tuple[Value, ...]:
        """The parameters that the global rules alone set."""
        return values(desk, None)

    def prompt(self, turn: str = "", *, topic: str = "", lang: str = "auto") -> Prompt:
        """The prompt of the active task with `turn` at its end; `topic` adds what memory knows of it."""
        hits = self.recall(topic) if topic else ()
        return self._assembled(self.desk(), lang=lang, hits=hits, turn=turn)

    def recall(self, query: str) -> tuple[Hit, ...]:
        """The at most two old tasks whose summaries answer `query`, best first."""
        rows, rarity, total = self.store.search(words(query))
        found = to_desk({"memory": {row[0]: row for row in rows}}).memories
        return best(query, found, rarity, total)

    @staticmethod
    def lint(answer: str) -> tuple[labels.Leak, ...]:
        """The internal labels that an answer lets out."""
        return labels.leaks(answer)

    # -- inside -------------------------------------------------------------------------------------------------------

    @property
    def now(self) -> str:
        """The time, RFC 3339 in UTC."""
        return self._now or rfc3339(datetime.now(UTC)) or ""

    def _plain(self, text: str) -> str:
        """What is noted of a text: one line, no credentials."""
        return clean(redact(text)[0] if self._redact else text)

    def _change(self, command: str, act: Callable[[Desk], tuple[Desk, Result]], *, whole: bool = False) -> Result:
        def on_rows(tables: Tables) -> tuple[Tables, Result]:
            before = to_desk(tables)
            desk, result = act(before)
            return to_tables(desk, (before, tables)), result

        return self.store.change(command, self.now, on_rows, whole=whole)

    def _add(self, command: str, sort: Sort, name: str, text: str, *, standing: Standing = Standing.CONFIRMED) -> Added:
        name, text = self._plain(name), self._plain(text)
        if sort in (Sort.CONDITION, Sort.RESULT) and not name:
            raise DistillError(f"a {sort} needs a name: distill context {command} NAME VALUE")

        def act(desk: Desk) -> tuple[Desk, Added]:
            task = require_active(desk)
            desk = entries.with_entry(desk, task, sort, name, text, self.now, standing=standing)
            latest = next(one for one in reversed(desk.of(task.id, sort)) if (one.name, one.text) == (name, text))
            desk, full = self._fitting(desk, task)
            return desk, Added(entry=latest, compressed=full)

        return self._change(command, act)

    def _fitting(self, desk: Desk, task: Task) -> tuple[Desk, bool]:
        """The desk with the layer of `task` compressed where the prompt fills too much of the window."""
        limit = desk.numbers.full * desk.numbers.window
        if most_tokens(desk) < limit or (tokens := self._tokens(desk)) < limit:
            return desk, False
        small = compress.compressed(desk, task, self.now)
        return (small, True) if small.entries != desk.entries and self._tokens(small) < tokens else (desk, False)

    def _tokens(self, desk: Desk) -> int:
        return estimate(self._assembled(desk).text())

    def _assembled(self, desk: Desk, *, lang: str = "auto", hits: Sequence[Hit] = (), turn: str = "") -> Prompt:
        return assembled(desk, (BEGIN, END), safe, lang=lang, hits=hits, turn=turn)

    def _view(self, desk: Desk, task: Task) -> View:
        tokens = self._tokens(desk) if task.id == (desk.active.id if desk.active else 0) else 0
        return View(task=task, values=values(desk, task), sentences=sentences(desk, task),
                    entries=desk.of(task.id), tokens=tokens, window=desk.numbers.window)


def listened(text: str, reply: str = "") -> Heard:
    """What a turn of the user does in the talk by the rules of `rules/speech`; `reply` is what came before it."""
    book = _book()
    last = last_sentence(text)
    found = book.speech(text)
    names = {one.name for one in found}
    asks = last.rstrip(QUOTED)[-1:] in ("?", "？") or "ready" in names or "question" in book.modifiers(last)
    question = asks and "requested" not in names
    return heard(text, found, question=question, reply=reply)


@cache
def _book() -> Rulebook:
    """The rules of the package, read once."""
    from distill.rulebook import load

    return load()


def home_of(place: Path) -> Path:
    """The folder of the store: what DISTILL_HOME names, else the nearest .distill with one.

    Where there is none yet, the nearest .distill of the repository, else that of `place`.
    """
    if named := os.environ.get(HOME):
        return Path(named)
    here = place.resolve()
    places = (here, *here.parents)
    if with_store := next((above / FOLDER for above in places if (above / FOLDER / FILE).exists()), None):
        return with_store
    root = next((number for number, above in enumerate(places) if (above / ".git").exists()), 0)
    return next((above / FOLDER for above in places[: root + 1] if (above / FOLDER).is_dir()), here / FOLDER)


def safe(line: str) -> str:
    """A recorded line as a model may read it: it closes nothing, names no speaker, and an order is a quotation."""
    plain = defused(line)
    return quotation(plain, language(plain)) if is_order(line) or is_order(plain) else plain


def _moved(moved: stack.Moved) -> tuple[Desk, stack.Moved]:
    return moved.desk, moved
