"""The commands of `distill context` and their options, as typer sees them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from distill.commands.context import Manner


def _argument(metavar: str, text: str) -> Any:
    return typer.Argument(metavar=metavar, help=text, show_default=False)


def _option(names: str, text: str, metavar: str | None = None) -> Any:
    return typer.Option(*names.split(), help=text, metavar=metavar, show_default=False)


Json = Annotated[bool, _option("--json", "As JSON.")]
Quiet = Annotated[bool, _option("-q --quiet", "Nothing on standard error but errors.")]
Yes = Annotated[bool, _option("--yes", "Also where it was put aside days ago.")]
Title = Annotated[str, _argument("TASK", "What is to be done, in a few words.")]
Named = Annotated[str, _argument("TASK", "Number (t3) or words of its title.")]
MaybeNamed = Annotated[str | None, _argument("[TASK]", "Number (t3) or words of its title.")]
Key = Annotated[str, _argument("KEY", "Name of the parameter.")]
Value = Annotated[str, _argument("VALUE", "Its value.")]
Text = Annotated[str, _argument("TEXT", "In one sentence.")]


def _manner(json: bool, quiet: bool) -> Manner:
    from distill.commands.context import Manner

    return Manner(json=json, quiet=quiet)


def context_app(markup: Any, *, whole: bool = True) -> typer.Typer:
    """The group of commands; without them where it is not `whole`, since laying them out costs every start."""
    app = typer.Typer(rich_markup_mode=markup, no_args_is_help=True, help="The layered context of work in progress: "
                      "which task a turn belongs to, what it may see, what stays when it ends.")
    if not whole:
        app.callback()(lambda: None)
        return app
    _add_layers(app, markup)
    _add_tasks(app)
    _add_notes(app)
    _add_looks(app)
    _add_turns(app)
    _add_files(app)
    return app


def _add_layers(app: typer.Typer, markup: Any) -> None:
    """`init`, the global and the domain layer."""
    rules = typer.Typer(rich_markup_mode=markup, no_args_is_help=True, help="Rules that hold for every task.")
    domains = typer.Typer(rich_markup_mode=markup, no_args_is_help=True, help="Packs of background, one a domain.")
    app.add_typer(rules, name="global")
    app.add_typer(domains, name="domain")

    @app.command()
    def init(
        window: Annotated[float | None, _option("--window", "Tokens the prompt may fill, default 8000.", "N")] = None,
        full: Annotated[float | None, _option("--full", "Share of the window from which it is compressed, default 0.7.",
                                              "X")] = None,
        depth: Annotated[float | None, _option("--depth", "Open tasks at a time, default 5.", "N")] = None,
        stale: Annotated[float | None, _option("--stale", "Days after which resuming asks, default 2.", "N")] = None,
        ask: Annotated[float | None, _option("--ask", "Confidence from which a switch is asked about.", "X")] = None,
        switch: Annotated[float | None, _option("--switch", "Confidence from which it is made.", "X")] = None,
        turns: Annotated[float | None, _option("--turns", "Turns in a row that a switch without words takes.",
                                               "N")] = None,
        json: Json = False, quiet: Quiet = False,
    ) -> int:
        """Make the context of this folder, or change the numbers it goes by."""
        from distill.commands import context

        numbers = {"window": window, "full": full, "depth": depth, "stale": stale, "ask": ask, "switch": switch,
                   "turns": turns}
        return context.init(numbers, _manner(json, quiet))

    @rules.command("add")
    def global_add(
        words: Annotated[list[str], _argument("[NAME] TEXT", "A sentence, or the name of a parameter and its value.")],
        hard: Annotated[bool, _option("--hard", "It outranks the task; else the task outranks it.")] = False,
        json: Json = False, quiet: Quiet = False,
    ) -> int:
        """Add a hard rule, or a preference that holds where the task says nothing else."""
        from distill.commands import context

        return context.global_add(words, hard, _manner(json, quiet))

    @rules.command("list")
    def global_list(json: Json = False, quiet: Quiet = False) -> int:
        """The rules, with their numbers."""
        from distill.commands import context

        return context.global_list(_manner(json, quiet))

    @rules.command("drop")
    def global_drop(rule: Annotated[str, _argument("RULE", "Number (g3) or name.")], json: Json = False,
                    quiet: Quiet = False) -> int:
        """Take a rule away."""
        from distill.commands import context

        return context.global_drop(rule, _manner(json, quiet))

    @domains.command("add")
    def domain_add(name: Annotated[str, _argument("NAME", "Name of the domain.")],
                   file: Annotated[str, _argument("FILE", "Its background as text; - is standard input.")],
                   json: Json = False, quiet: Quiet = False) -> int:
        """Add a pack of background, or replace the one of this name."""
        from distill.commands import context

        return context.domain_add(name, file, _manner(json, quiet))

    @domains.command("list")
    def domain_list(json: Json = False, quiet: Quiet = False) -> int:
        """The packs."""
        from distill.commands import context

        return context.domain_list(_manner(json, quiet))


def _add_tasks(app: typer.Typer) -> None:
    """The commands that begin, put aside, take up and end tasks."""

    @app.command()
    def start(
        task: Title,
        domain: Annotated[str | None, _option("--domain", "Background to work with.", "NAME")] = None,
        child: Annotated[bool, _option("--child", "As a part of the active task, whose conditions it sees.")] = False,
        carry: Annotated[list[str] | None, _option("--carry", "Condition of the active task that holds for this one "
                                                   "too; repeatable.", "KEY")] = None,
        json: Json = False, quiet: Quiet = False,
    ) -> int:
        """Begin a task; the active one is put aside."""
        from distill.commands import context

        return context.start(task, domain, child, carry or [], _manner(json, quiet))

    @app.command()
    def suspend(json: Json = False, quiet: Quiet = False) -> int:
        """Put the active task aside; what a child found goes to its parent."""
        from distill.commands import context

        return context.suspend(_manner(json, quiet))

    @app.command()
    def resume(task: MaybeNamed = None, yes: Yes = False, json: Json = False, quiet: Quiet = False) -> int:
        """Take up a task, by default that put aside last; exit 5 where it has lain for two days and nobody says yes."""
        from distill.commands import context

        return context.resume(task, yes, _manner(json, quiet))

    @app.command()
    def switch(task: Named, yes: Yes = False, json: Json = False, quiet: Quiet = False) -> int:
        """Put the active task aside and take up another."""
        from distill.commands import context

        return context.resume(task, yes, _manner(json, quiet))

    @app.command()
    def finish(json: Json = False, quiet: Quiet = False) -> int:
        """End the active task: a summary stays in memory, what a child found goes to its parent."""
        from distill.commands import context

        return context.finish(_manner(json, quiet))

    @app.command()
    def undo(json: Json = False, quiet: Quiet = False) -> int:
        """Put back exactly what the last command changed."""
        from distill.commands import context

        return context.undo(_manner(json, quiet))

    @app.command()
    def compress(json: Json = False, quiet: Quiet = False) -> int:
        """Reduce the active task to goal, conditions, progress and open questions."""
        from distill.commands import context

        return context.compress(_manner(json, quiet))


def _add_notes(app: typer.Typer) -> None:
    """The commands that write into the active task."""

    @app.command("set")
    def condition(
        key: Key, value: Value,
        pending: Annotated[bool, _option("--pending/--confirmed", "Only supposed, or settled (default).")] = False,
        json: Json = False, quiet: Quiet = False,
    ) -> int:
        """Set a condition of the active task."""
        from distill.commands import context

        return context.condition(key, value, pending, _manner(json, quiet))

    @app.command()
    def unset(key: Key, json: Json = False, quiet: Quiet = False) -> int:
        """Drop a condition; one of the parent is no longer seen."""
        from distill.commands import context

        return context.unset(key, _manner(json, quiet))

    @app.command()
    def result(key: Key, value: Value, json: Json = False, quiet: Quiet = False) -> int:
        """Note a result of the active task."""
        from distill.commands import context

        return context.note("result", key, value, _manner(json, quiet))

    @app.command()
    def step(text: Text, json: Json = False, quiet: Quiet = False) -> int:
        """Note what was done."""
        from distill.commands import context

        return context.note("step", "", text, _manner(json, quiet))

    @app.command()
    def ask(text: Text, json: Json = False, quiet: Quiet = False) -> int:
        """Note an open question."""
        from distill.commands import context

        return context.note("ask", "", text, _manner(json, quiet))

    @app.command()
    def answer(question: Annotated[str, _argument("QUESTION", "Number or words of an open question.")],
               json: Json = False, quiet: Quiet = False) -> int:
        """Take an open question away."""
        from distill.commands import context

        return context.answer(question, _manner(json, quiet))


def _add_looks(app: typer.Typer) -> None:
    """The commands that only look."""

    @app.command("list")
    def listing(every: Annotated[bool, _option("--all", "Folded and finished ones too.")] = False, json: Json = False,
                quiet: Quiet = False) -> int:
        """The tasks on the stack."""
        from distill.commands import context

        return context.listing(every, _manner(json, quiet))

    @app.command()
    def show(task: MaybeNamed = None, json: Json = False, quiet: Quiet = False) -> int:
        """A task as it stands: every value, its layer, and what it overrides."""
        from distill.commands import context

        return context.show(task, _manner(json, quiet))


def _add_turns(app: typer.Typer) -> None:
    """The commands that meet the model and the user."""

    @app.command()
    def prompt(
        turn: Annotated[str, _argument("[TURN]", "What the user says now, for the end of the prompt.")] = "",
        topic: Annotated[str, _option("--for", "Add what memory knows of this.", "TOPIC")] = "",
        messages: Annotated[bool, _option("--messages", "As chat messages in JSON.")] = False,
    ) -> int:
        """The prompt of the active task: what it may see, and nothing else."""
        from distill.commands import context_turns

        return context_turns.prompt(turn, topic, messages, _manner(False, False))

    @app.command()
    def lint(answer: Annotated[str, _argument("ANSWER", "What the model answered; - is standard input.")],
             json: Json = False, quiet: Quiet = False) -> int:
        """Tell whether an answer lets an internal label out; exit 1 where it does."""
        from distill.commands import context_turns

        return context_turns.lint(answer, _manner(json, quiet))

    @app.command()
    def turn(
        text: Annotated[str, _argument("TEXT", "What the user says; - is standard input.")],
        reply: Annotated[str, _option("--reply", "What the assistant said before it: fewer questions.", "TEXT")] = "",
        title: Annotated[str, _option("--title", "Title of the task it begins, if it does.", "TASK")] = "",
        apply: Annotated[bool, _option("--apply", "Note it, and make the switch.")] = False,
        json: Json = False, quiet: Quiet = False,
    ) -> int:
        """Tell which task a turn belongs to (stay, ask, switch) and why."""
        from distill.commands import context_turns

        return context_turns.turn(text, reply, title, apply, _manner(json, quiet))

    @app.command()
    def recall(query: Annotated[str, _argument("QUERY", "Words of what is looked for.")], json: Json = False,
               quiet: Quiet = False) -> int:
        """What earlier tasks came to: at most two summaries."""
        from distill.commands import context_turns

        return context_turns.recall(query, _manner(json, quiet))


def _add_files(app: typer.Typer) -> None:
    """The commands that read and write whole files."""

    @app.command()
    def feed(
        logs: Annotated[list[str], _argument("LOG...", "Logs, older first; - is standard input.")],
        budget: Annotated[str | None, _option(
            "--budget", "Most tokens of a log's state, default 1500.", "N|none")] = None,
        json: Json = False, quiet: Quiet = False,
    ) -> int:
        """Distil logs into the active task."""
        from distill.commands import context_turns

        return context_turns.feed(logs, budget, _manner(json, quiet))

    @app.command()
    def export() -> int:
        """Everything in the store as JSON, without loss."""
        from distill.commands import context_turns

        return context_turns.export()

    @app.command("import")
    def import_(file: Annotated[str, _argument("FILE", "An export; - is standard input.")],
                replace: Annotated[bool, _option("--replace", "In the place of what the store holds.")] = False,
                json: Json = False, quiet: Quiet = False) -> int:
        """Fill the store with an export."""
        from distill.commands import context_turns

        return context_turns.import_(file, replace, _manner(json, quiet))
