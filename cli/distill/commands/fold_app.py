"""`distill fold` and its options, as typer sees them."""

from __future__ import annotations

from typing import Annotated, Any

import typer


def _option(names: str, text: str, metavar: str | None = None) -> Any:
    return typer.Option(*names.split(), help=text, metavar=metavar, show_default=False)


def _number(name: str, text: str, metavar: str = "N") -> Any:
    """One of the numbers that folding goes by."""
    return typer.Option(f"--{name}", help=text, metavar=metavar, show_default=False, rich_help_panel="Numbers")


def add_fold(app: typer.Typer) -> None:
    """Add the command to `app`."""

    @app.command()
    def fold(
        log: Annotated[str | None, typer.Argument(metavar="[LOG]", show_default=False,
                                                  help="The log of a session; - is standard input.")] = None,
        messages: Annotated[bool, _option("--messages", "The context as chat messages in JSON.")] = False,
        why: Annotated[bool, _option("--why", "What spoke for and against an end of the task, turn by turn.")] = False,
        expand: Annotated[str | None, _option("--expand", "The turns that a card stands for, as said.", "CARD")] = None,
        split: Annotated[list[int] | None, _option(
            "--split", "A task begins at this record; kept in LOG.folds.yaml; repeatable.", "RECORD")] = None,
        join: Annotated[tuple[str, str] | None, _option(
            "--join", "Two cards are one task; kept in LOG.folds.yaml.", "CARD CARD")] = None,
        report: Annotated[str | None, _option(
            "--report", "The ledger: prompt tokens turn by turn, tasks, saving.", "table|json|html")] = None,
        recall: Annotated[str | None, _option(
            "--recall", "Offer the kept cards that are most about TASK, as reference.", "TASK")] = None,
        keep: Annotated[bool, _option("--keep", "Keep the cards in .distill/context.db for later sessions.")] = False,
        drift_by: Annotated[str | None, _number(
            "drift-by", "What tells turns from each other; meaning needs the extra semantic.", "words|meaning")] = None,
        drift: Annotated[float | None, _number("drift", "Likeness under which a turn drifts, 0.28.", "X")] = None,
        same: Annotated[float | None, _number("same", "Likeness from which it goes on, default 0.5.", "X")] = None,
        confirm: Annotated[int | None, _number("confirm", "Points that the signs of an end need, default 3.")] = None,
        alone: Annotated[int | None, _number("alone", "New words from which a turn stands alone, default 12.")] = None,
        taken_up: Annotated[float | None, _number(
            "taken-up", "Likeness with its answer from which a turn goes on, default 0.25.", "X")] = None,
        look_back: Annotated[int | None, _number("look-back", "Turns a turn is compared with, default 3.")] = None,
        idle: Annotated[int | None, _number("idle", "Seconds of silence that are a sign, default 300.")] = None,
        delay: Annotated[int | None, _number("delay", "Turns before a finished task folds, default 2.")] = None,
        verbatim: Annotated[int | None, _number("verbatim", "Turns repeated word for word, default 6.")] = None,
        limit: Annotated[int | None, _number("limit", "Tokens from which it folds at once, default 4000.")] = None,
        alike: Annotated[float | None, _number("alike", "Likeness of goals that are one, default 0.7.", "X")] = None,
        cards: Annotated[int | None, _number("cards", "Cards before the archive, default 15.")] = None,
        card_tokens: Annotated[int | None, _number("card-tokens", "Most tokens of a card, default 260.")] = None,
        share: Annotated[float | None, _number(
            "share", "Share of a task's tokens for what does not bind, default 0.14.", "X")] = None,
        archive_tokens: Annotated[int | None, _number(
            "archive-tokens", "Most tokens of the archive card, default 700.")] = None,
        lifetime: Annotated[int | None, _number("lifetime", "Seconds until a card may be stale, a week.")] = None,
        recalled: Annotated[int | None, _number("recalled", "Cards that --recall offers, default 2.")] = None,
        source: Annotated[str | None, _option("--from", "Format of the log; told from content by default.",
                                              "FORMAT")] = None,
        rules: Annotated[list[str] | None, _option("--rules", "Add a rule pack; repeatable.", "PACK")] = None,
        no_builtin_rules: Annotated[bool, _option("--no-builtin-rules", "Use only the rules of --rules.")] = False,
        lang: Annotated[str | None, _option("--lang", "Language of the words around the cards.", "auto|en|zh")] = None,
        tokenizer: Annotated[str | None, _option("--tokenizer", "How to count, default estimate.", "NAME")] = None,
        conversation: Annotated[str | None, _option("--conversation", "Which one of an export.", "ID|N|TITLE")] = None,
        no_redact: Annotated[bool, _option("--no-redact", "Leave credentials in.")] = False,
        strict: Annotated[bool, _option("--strict", "Write nothing when parts were skipped.")] = False,
        quiet: Annotated[bool, _option("-q --quiet", "Nothing on standard error but errors.")] = False,
    ) -> int:
        """A long session as cards of its finished tasks and its last turns: the context of the next prompt."""
        from distill.commands.fold import Asked, fold_command
        from distill.config import settle

        numbers = {
            "drift-by": drift_by, "drift": drift, "same": same, "confirm": confirm, "alone": alone,
            "taken-up": taken_up, "look-back": look_back, "idle": idle, "delay": delay, "verbatim": verbatim,
            "limit": limit, "alike": alike, "cards": cards, "card-tokens": card_tokens, "share": share,
            "archive-tokens": archive_tokens, "lifetime": lifetime, "recalled": recalled,
        }
        given = [f"{name}={value}" for name, value in numbers.items() if value is not None]
        settings = settle({
            "fold": given or None, "from": source, "rules": rules, "lang": lang, "tokenizer": tokenizer,
            "builtin_rules": False if no_builtin_rules else None, "conversation": conversation,
            "redact": False if no_redact else None, "strict": strict or None, "quiet": quiet or None,
        })
        return fold_command(log, settings, Asked(
            messages=messages, why=why, expand=expand, split=split or (), join=join, report=report, recall=recall,
            keep=keep,
        ))
