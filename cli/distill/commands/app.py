"""The commands and their options, as typer sees them. What was typed goes on as plain values."""

from __future__ import annotations

import difflib
import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

Paths = Annotated[list[str] | None, typer.Argument(metavar="[LOG]...", show_default=False,
                                                   help="Logs, older first; - or a pipe reads standard input.")]
Previous = Annotated[str | None, typer.Option("-p", "--previous", metavar="STATE", help="State of the tasks before.")]
Output = Annotated[str | None, typer.Option("-o", "--output", metavar="FILE", help="Write to FILE, whole or not at all.")]
Form = Annotated[str | None, typer.Option("-f", "--format", metavar="FORM", help="md (default), json, yaml or compact.")]
From = Annotated[str | None, typer.Option("--from", metavar="FORMAT", help="Format of the logs; told from content by default.")]
Budget = Annotated[str | None, typer.Option("--budget", metavar="N|none", help="Most tokens the state may take.")]
Rules = Annotated[list[str] | None, typer.Option("--rules", metavar="PACK", help="Add a rule pack; repeatable.")]
NoBuiltin = Annotated[bool, typer.Option("--no-builtin-rules", help="Use only the packs named by --rules.")]
Lang = Annotated[str | None, typer.Option("--lang", metavar="auto|en|zh", help="Language of the headings.")]
Tokenizer = Annotated[str | None, typer.Option("--tokenizer", metavar="NAME", help="Encoding, model name, estimate or chars4.")]
TaskTitle = Annotated[str | None, typer.Option("--task", metavar="NAME", help="Title of the task.")]
Since = Annotated[str | None, typer.Option("--since", metavar="TIME", help="Leave out what is older.")]
Until = Annotated[str | None, typer.Option("--until", metavar="TIME", help="Leave out what is newer.")]
Now = Annotated[str | None, typer.Option("--now", metavar="TIME", help="Take this for the time of writing.")]
FailOn = Annotated[list[str] | None, typer.Option("--fail-on", metavar="WHAT",
                                                  help="Exit 1 when the state has open items (open), skips (skipped) or cuts (omitted).")]
Conversation = Annotated[str | None, typer.Option("--conversation", metavar="ID|N|TITLE",
                                                  help="Which conversation of an export; the newest by default.")]
NoRedact = Annotated[bool, typer.Option("--no-redact", help="Leave credentials in.")]
Strict = Annotated[bool, typer.Option("--strict", help="Write nothing when parts of the input were skipped.")]
Quiet = Annotated[bool, typer.Option("-q", "--quiet", help="No closing line on standard error.")]
Verbose = Annotated[bool, typer.Option("-v", "--verbose", help="Say more on standard error.")]


class FrontDoor(TyperGroup):
    """`distill LOG` means `distill run LOG`: a first word that is no command goes to the main job."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put `run` in front where the first word is neither a command nor an option of the group."""
        own = {"--help", "-h", "--install-completion", "--show-completion", "--version"}
        if not args:
            args = ["--help"] if sys.stdin.isatty() else ["run"]
        elif args[0] not in self.commands and args[0] not in own:
            self._suggest(args[0])
            args = ["run", *args]
        return super().parse_args(ctx, args)

    def _suggest(self, word: str) -> None:
        """A word that is neither a file nor a command gets a suggestion."""
        from distill.model import InputError

        if word.startswith("-") or os.path.exists(word) or "/" in word or "." in word:
            return
        near = difflib.get_close_matches(word, self.commands, n=1)
        hint = f"; did you mean 'distill {near[0]}'?" if near else f"; commands: {', '.join(sorted(self.commands))}"
        raise InputError(f"{word}: no such file or command{hint}")


def _version(value: bool) -> None:
    if value:
        from distill import __version__

        print(f"distill {__version__}")
        raise typer.Exit


def build() -> typer.Typer:
    """The whole command line."""
    markup = "rich" if sys.stdout.isatty() and not os.environ.get("NO_COLOR") else None
    app = typer.Typer(cls=FrontDoor, rich_markup_mode=markup, pretty_exceptions_enable=False, no_args_is_help=False,  # type: ignore[arg-type]
                      context_settings={"help_option_names": ["-h", "--help"]},
                      help="Distil the log of a finished task to what the next task must know: decisions, facts, artifacts, "
                           "open items. `distill LOG > state.md` is the main job.")
    rules = typer.Typer(rich_markup_mode=markup, help="Look at, test and debug rules.", no_args_is_help=True)  # type: ignore[arg-type]
    app.add_typer(rules, name="rules")

    @app.callback()
    def _root(version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True,
                                                    help="Print the version.")] = False) -> None:
        pass

    @app.command()
    def run(
        logs: Paths = None, previous: Previous = None, output: Output = None, form: Form = None, source: From = None,
        budget: Budget = None, rules: Rules = None, no_builtin_rules: NoBuiltin = False, lang: Lang = None,
        tokenizer: Tokenizer = None, task: TaskTitle = None, since: Since = None, until: Until = None, now: Now = None,
        fail_on: FailOn = None, conversation: Conversation = None, no_redact: NoRedact = False, strict: Strict = False,
        quiet: Quiet = False, verbose: Verbose = False,
    ) -> int:
        """Distil logs to one state on standard output (the default command)."""
        from distill.commands.run import run_command
        from distill.config import settle

        settings = settle({
            "format": form, "from": source, "budget": budget, "rules": rules, "lang": lang, "tokenizer": tokenizer,
            "task": task, "since": since, "until": until, "now": now, "fail_on": fail_on, "conversation": conversation,
            "builtin_rules": False if no_builtin_rules else None, "redact": False if no_redact else None,
            "strict": strict or None, "quiet": quiet or None, "verbose": verbose or None,
        })
        return run_command(logs or [], previous, output, settings)

    @app.command()
    def show(
        state: Annotated[str, typer.Argument(metavar="STATE", help="A state file, or - for standard input.")],
        item: Annotated[str | None, typer.Argument(metavar="[ITEM]", help="Id, number or words of an item to expand.")] = None,
        context: Annotated[int, typer.Option("-C", "--context", metavar="N", help="Lines of the log around each place.")] = 2,
        lang: Lang = None,
    ) -> int:
        """Look at a state; with ITEM, at the log lines it came from."""
        from distill.commands.show import show_command

        return show_command(state, item, context, lang or "auto")

    @app.command("eval")
    def evaluate(
        corpus: Annotated[str, typer.Argument(metavar="CORPUS", help="Folder of NAME.labels.jsonl files, or one.")],
        budget: Annotated[list[str] | None, typer.Option("--budget", metavar="N|none,...", show_default=False,
                                                         help="Budgets to score at, default none,1000,500.")] = None,
        min_f1: Annotated[float | None, typer.Option("--min-f1", metavar="X",
                                                     help="Exit 1 where macro-F1 (widest budget) is less.")] = None,
        diff: Annotated[str | None, typer.Option("--diff", metavar="OLD.json",
                                                 help="What was won and lost since `eval --json > OLD.json`.")] = None,
        json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
        rules: Rules = None, no_builtin_rules: NoBuiltin = False, tokenizer: Tokenizer = None, quiet: Quiet = False,
        verbose: Annotated[bool, typer.Option("-v", "--verbose", help="List what was found, missed, wrong.")] = False,
    ) -> int:
        """Precision, recall and retention against labelled logs."""
        from distill.commands.eval import eval_command

        flags = {"rules": rules, "builtin_rules": False if no_builtin_rules else None, "tokenizer": tokenizer,
                 "quiet": quiet or None, "verbose": verbose or None}
        return eval_command(corpus, budget or [], flags, min_f1=min_f1, diff=diff, as_json=json)

    @app.command()
    def formats(
        log: Annotated[str | None, typer.Argument(metavar="[LOG]", help="A log to look at.")] = None,
        source: From = None,
        json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
    ) -> int:
        """The log formats that are read; for a LOG: which it is, its records, what would be skipped."""
        from distill.commands.formats import formats_command

        return formats_command(log, source or "", json)

    @rules.command("list")
    def rules_list(rules: Rules = None, no_builtin_rules: NoBuiltin = False,
                   json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False) -> int:
        """Every rule with its kind, weight and reason."""
        from distill.commands.rules import list_command

        return list_command(_packs(rules), not no_builtin_rules, json)

    @rules.command("show")
    def rules_show(rule: Annotated[str, typer.Argument(metavar="RULE", help="Id of a rule, as in decision/explicit.")],
                   rules: Rules = None, no_builtin_rules: NoBuiltin = False) -> int:
        """One rule, whole: cues, exceptions, examples."""
        from distill.commands.rules import show_command

        return show_command(rule, _packs(rules), not no_builtin_rules)

    @rules.command("test")
    def rules_test(rules: Rules = None, no_builtin_rules: NoBuiltin = False, quiet: Quiet = False) -> int:
        """Run every rule's own examples; exit 1 and name what is missing or noisy."""
        from distill.commands.rules import test_command

        return test_command(_packs(rules), not no_builtin_rules, quiet)

    @rules.command("explain")
    def rules_explain(
        what: Annotated[str, typer.Argument(metavar="SENTENCE|LOG:RECORD", help="A sentence, or a record of a log.")],
        role: Annotated[str, typer.Option("--role", metavar="user|assistant", help="Who says the sentence.")] = "user",
        rules: Rules = None, no_builtin_rules: NoBuiltin = False,
    ) -> int:
        """Which cues, modifiers and signals a sentence shows, what it becomes, and what lost."""
        from distill.commands.rules import explain_command

        return explain_command(what, role, _packs(rules), not no_builtin_rules)

    return app


def _packs(names: list[str] | None) -> tuple[Path, ...]:
    from distill.config import settle

    return settle({"rules": names}).packs
