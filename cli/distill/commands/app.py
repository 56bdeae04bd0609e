"""The commands and their options, as typer sees them. What was typed goes on as plain values."""

from __future__ import annotations

import difflib
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from distill.commands.context_app import context_app
from distill.commands.fold_app import add_fold


def _option(names: str, metavar: str | None, text: str) -> Any:
    """An option of the command line: its names, what stands for its value (None for a switch), its help."""
    return typer.Option(*names.split(), metavar=metavar, help=text)


Paths = Annotated[list[str] | None, typer.Argument(metavar="[LOG]...", show_default=False,
                                                   help="Logs, older first; - or a pipe reads standard input.")]
Previous = Annotated[str | None, _option("-p --previous", "STATE", "State of the tasks before, to be carried on.")]
Output = Annotated[str | None, _option("-o --output", "FILE", "Write to FILE (new, or a state), whole or not at all.")]
Form = Annotated[str | None, _option("-f --format", "FORM", "md (default), json, yaml or compact.")]
From = Annotated[str | None, _option("--from", "FORMAT", "Format of the logs; told from content by default.")]
Budget = Annotated[str | None, _option("--budget", "N|none", "Most tokens the state may take; none by default.")]
Rules = Annotated[list[str] | None, _option("--rules", "PACK", "Add a rule pack, a folder or a YAML file; repeatable.")]
NoBuiltin = Annotated[bool, _option("--no-builtin-rules", None, "Use only the rules of the packs named by --rules.")]
Lang = Annotated[str | None, _option(
    "--lang", "LANG", "Language of the headings: en, zh, zh-Hant or auto, that of the text (default).")]
Tokenizer = Annotated[str | None, _option(
    "--tokenizer", "NAME", "How to count: encoding, model, chars4, estimate (default; with a budget o200k_base).")]
TaskTitle = Annotated[str | None, _option("--task", "NAME", "Title of the task.")]
Since = Annotated[str | None, _option("--since", "TIME", "Leave out what is older than this day or time.")]
Until = Annotated[str | None, _option("--until", "TIME", "Leave out what is newer than this day or time.")]
Now = Annotated[str | None, _option("--now", "TIME", "Take this for the time of writing.")]
FailOn = Annotated[list[str] | None, _option(
    "--fail-on", "WHAT", "Exit 1 on open items (open), skipped records (skipped) or cuts (omitted); repeatable.")]
Conversation = Annotated[str | None, _option(
    "--conversation", "ID|N|TITLE", "Which conversation of an export; by default the newest.")]
NoRedact = Annotated[bool, _option("--no-redact", None, "Leave credentials in.")]
Strict = Annotated[bool, _option("--strict", None, "Write nothing when parts of the input were skipped.")]
Quiet = Annotated[bool, _option("-q --quiet", None, "Nothing on standard error but errors.")]
Verbose = Annotated[bool, _option("-v --verbose", None, "Say also what was set aside, log by log.")]
Json = Annotated[bool, _option("--json", None, "As JSON.")]
Llm = Annotated[str | None, _option(
    "--llm", "URL|PROFILE", "Ask a model what rules left undecided: a chat endpoint, or a profile of distill.yaml.")]
LlmModel = Annotated[str | None, _option("--llm-model", "NAME", "The model of the endpoint.")]
LlmCmd = Annotated[str | None, _option("--llm-cmd", "COMMAND", "Ask a command that reads a prompt, prints an answer.")]
LlmCalls = Annotated[str | None, _option("--llm-max-calls", "N", "Most calls of a run, 20 by default.")]
LlmTokens = Annotated[str | None, _option("--llm-max-tokens", "N", "Most tokens of a run in all, 200000 by default.")]
LlmTimeout = Annotated[str | None, _option("--llm-timeout", "SECONDS", "Most time for all calls, 120 by default.")]
LlmJobs = Annotated[str | None, _option("--llm-jobs", "N", "Calls at a time, 2 by default.")]
LlmRequired = Annotated[bool, _option("--llm-required", None, "Exit 4 where the model leaves something unanswered.")]
LlmDryRun = Annotated[bool, _option("--llm-dry-run", None, "Print what would be asked and the most it can cost.")]
LlmFresh = Annotated[bool, _option("--llm-fresh", None, "Ask again what was answered before.")]
NoLlm = Annotated[bool, _option("--no-llm", None, "Take back what a model added, reworded or dropped.")]


class FrontDoor(TyperGroup):
    """`distill LOG` means `distill run LOG`: a first word that is no command goes to the main job."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put `run` in front where the first word is neither a command nor an option of the group."""
        own = {"--help", "-h", "--install-completion", "--show-completion", "--version", "-V"}
        if not args:
            if not ctx.resilient_parsing:  # the shell asks how the first word may go on
                args = ["--help"] if sys.stdin.isatty() else ["run"]
        elif args[0] not in self.commands and args[0] not in own:
            if not ctx.resilient_parsing:
                self._suggest(args[0])
            args = ["run", *args]
        return super().parse_args(ctx, args)

    def _suggest(self, word: str) -> None:
        """A word that is neither a file nor a command gets a suggestion."""
        from distill.model import DistillError, InputError

        if word.startswith("-") or Path(word).exists() or "/" in word or "." in word:
            return
        near = difflib.get_close_matches(word, self.commands, n=1)
        if near:
            raise DistillError(f"{word}: no such file or command; did you mean 'distill {near[0]}'?")
        raise InputError(f"{word}: no such file or command; commands: {', '.join(sorted(self.commands))}")


def _version(value: bool) -> None:
    if value:
        from distill import __version__

        print(f"distill {__version__}")
        raise typer.Exit


Version = Annotated[bool, typer.Option("--version", "-V", callback=_version, is_eager=True, help="Print the version.")]


def build(words: Sequence[str] | None = None) -> typer.Typer:
    """The command line; where `words` say what was typed, without the inner commands of what they do not call."""
    markup = "rich" if sys.stdout.isatty() and not os.environ.get("NO_COLOR") else None
    app = typer.Typer(cls=FrontDoor, rich_markup_mode=markup, pretty_exceptions_enable=False, no_args_is_help=False,  # type: ignore[arg-type]
                      context_settings={"help_option_names": ["-h", "--help"]},
                      help="Distil the log of a finished task to what the next task must know: decisions, facts, "
                           "artifacts, open items. `distill LOG > state.md` is the main job.")
    rules = typer.Typer(rich_markup_mode=markup, help="Look at, test and debug rules.", no_args_is_help=True)  # type: ignore[arg-type]
    app.add_typer(rules, name="rules")
    app.add_typer(context_app(markup, whole=words is None or "context" in words[:1]), name="context")

    @app.callback()
    def _root(version: Version = False) -> None:
        pass

    @app.command()
    def run(
        logs: Paths = None, previous: Previous = None, output: Output = None, form: Form = None, source: From = None,
        budget: Budget = None, rules: Rules = None, no_builtin_rules: NoBuiltin = False, lang: Lang = None,
        tokenizer: Tokenizer = None, task: TaskTitle = None, since: Since = None, until: Until = None, now: Now = None,
        fail_on: FailOn = None, conversation: Conversation = None, no_redact: NoRedact = False, strict: Strict = False,
        quiet: Quiet = False, verbose: Verbose = False, version: Version = False, llm: Llm = None,
        llm_model: LlmModel = None, llm_cmd: LlmCmd = None, llm_max_calls: LlmCalls = None,
        llm_max_tokens: LlmTokens = None, llm_timeout: LlmTimeout = None, llm_required: LlmRequired = False,
        llm_dry_run: LlmDryRun = False, llm_fresh: LlmFresh = False,
    ) -> int:
        """Distil logs to one state on standard output (the default command)."""
        from distill.commands.run import run_command
        from distill.config import settle

        settings = settle({
            "format": form, "from": source, "budget": budget, "rules": rules, "lang": lang, "tokenizer": tokenizer,
            "task": task, "since": since, "until": until, "now": now, "fail_on": fail_on, "conversation": conversation,
            "builtin_rules": False if no_builtin_rules else None, "redact": False if no_redact else None,
            "strict": strict or None, "quiet": quiet or None, "verbose": verbose or None,
            "llm": llm, "llm_model": llm_model, "llm_cmd": llm_cmd, "llm_max_calls": llm_max_calls,
            "llm_max_tokens": llm_max_tokens, "llm_timeout": llm_timeout, "llm_required": llm_required or None,
            "llm_dry_run": llm_dry_run or None, "llm_fresh": llm_fresh or None,
        })
        return run_command(logs or [], previous, output, settings)

    @app.command()
    def show(
        state: Annotated[str, typer.Argument(metavar="STATE", help="A state file, or - for standard input.")],
        item: Annotated[str | None, typer.Argument(metavar="[ITEM]", help="Id, number or words of an item.")] = None,
        context: Annotated[int, typer.Option("-C", "--context", metavar="N", min=0,
                                             help="Lines of the log around each place.")] = 2,
        lang: Lang = None,
    ) -> int:
        """Look at a state; with ITEM, at the log lines it came from."""
        from distill.commands.show import show_command

        return show_command(state, item, context, lang or "auto")

    @app.command()
    def inject(
        state: Annotated[str, typer.Argument(metavar="STATE", help="A state file, or - for standard input.")],
        task: Annotated[str, typer.Option("--for", metavar="TASK", show_default=False,
                                          help="The next task: only what matters to it is shown.")] = "",
        budget: Annotated[str | None, _option(
            "--budget", "N|none", "Most tokens the whole text may take, default 1500.")] = None,
        messages: Annotated[bool, typer.Option("--messages", help="As chat messages in JSON.")] = False,
        old_after: Annotated[list[str] | None, _option(
            "--old-after", "SECTION=AGE", "Mark items as old from this age on, as in facts=30d; repeatable.")] = None,
        lang: Lang = None, tokenizer: Annotated[str | None, _option(
            "--tokenizer", "NAME", "How to count: encoding (default o200k_base), model, chars4, estimate.")] = None,
        now: Annotated[str | None, _option("--now", "TIME", "Take this for the time at which it is read.")] = None,
        no_redact: NoRedact = False, quiet: Quiet = False,
        verbose: Annotated[bool, typer.Option("-v", "--verbose", help="Say also how Chinese was compared.")] = False,
    ) -> int:
        """Print a state as the opening of the next task's prompt: background, not instructions."""
        from distill.commands.inject import BUDGET, inject_command
        from distill.config import settle

        settings = settle({
            "budget": budget, "lang": lang, "tokenizer": tokenizer, "now": now, "old_after": old_after,
            "redact": False if no_redact else None, "quiet": quiet or None, "verbose": verbose or None,
        }, defaults={"budget": str(BUDGET)})
        return inject_command(state, task, settings, messages=messages)

    @app.command()
    def merge(
        states: Annotated[list[str], typer.Argument(metavar="STATE...", help="States, older first; - is a pipe.")],
        output: Output = None, form: Form = None, budget: Budget = None, tokenizer: Tokenizer = None,
        task: TaskTitle = None, lang: Lang = None, now: Now = None, no_llm: NoLlm = False, quiet: Quiet = False,
    ) -> int:
        """Older states and then newer ones, to one."""
        from distill.commands.merge import merge_command
        from distill.config import settle

        flags = {"format": form, "budget": budget, "tokenizer": tokenizer, "task": task, "lang": lang, "now": now,
                 "quiet": quiet or None}
        return merge_command(states, output, settle(flags), llm=not no_llm)

    @app.command()
    def check(
        state: Annotated[str, typer.Argument(metavar="STATE", help="A state file, or - for standard input.")],
        repo: Annotated[str, typer.Option("--repo", metavar="DIR", help="The folder the state speaks of.")] = ".",
        fail_on: Annotated[list[str] | None, typer.Option(
            "--fail-on", metavar="WHAT", help="changed: exit 1 on files that later commits changed, too.")] = None,
        json: Json = False, quiet: Quiet = False,
        verbose: Annotated[bool, typer.Option("-v", "--verbose", help="List also what stands as it was.")] = False,
    ) -> int:
        """What became of the files, commits and branches that a state names; exit 1 where it is stale."""
        from distill.commands.check import check_command

        return check_command(state, repo, fail_on or [], json, quiet, verbose)

    @app.command()
    def batch(
        inputs: Annotated[list[str] | None, typer.Argument(
            metavar="[DIR|LOG|GLOB|URL]...", show_default=False, help="Folders, logs, globs or fsspec URLs.")] = None,
        output: Annotated[str, _option("-o --output", "DIR", "Folder or URL for the states and their index.")] = "",
        agent: Annotated[list[str] | None, _option(
            "--agent", "NAME", "Where claude-code or codex keeps its logs; repeatable.")] = None,
        exclude: Annotated[list[str] | None, _option(
            "--exclude", "PATTERN", "Leave out, as in .gitignore; repeatable.")] = None,
        chain: Annotated[bool, _option("--chain", None, "One state a project, its sessions in order of time.")] = False,
        jobs: Annotated[int | None, typer.Option("-j", "--jobs", metavar="N", min=1, show_default=False,
                                                 help="Processes, by default as many as pay.")] = None,
        engine: Annotated[str, _option(
            "--engine", "local|dask[:ADDRESS]", "Where the work is done.")] = "local",
        prune: Annotated[bool, _option("--prune", None, "Take away the states of logs that are gone.")] = False,
        check: Annotated[bool, _option("--check", None, "Write nothing; exit 1 where a run would.")] = False,
        dry_run: Annotated[bool, _option("--dry-run", None, "Write nothing; list what a run would do.")] = False,
        report: Annotated[str | None, _option("--report", "FILE", "Also write what was done as JSON.")] = None,
        fail_on: Annotated[list[str] | None, _option(
            "--fail-on", "WHAT", "Exit 1 on open items (open), states whose logs are gone or cannot be read (stale), "
                                 "skipped records or logs (skipped), cuts (omitted); repeatable.")] = None,
        form: Form = None, source: From = None, budget: Budget = None, rules: Rules = None,
        no_builtin_rules: NoBuiltin = False, lang: Lang = None, tokenizer: Tokenizer = None, since: Since = None,
        until: Until = None, now: Now = None, no_redact: NoRedact = False, strict: Strict = False,
        quiet: Quiet = False, verbose: Verbose = False, llm: Llm = None, llm_model: LlmModel = None,
        llm_cmd: LlmCmd = None, llm_jobs: LlmJobs = None, llm_max_calls: LlmCalls = None,
        llm_max_tokens: LlmTokens = None, llm_timeout: LlmTimeout = None, llm_required: LlmRequired = False,
        llm_dry_run: LlmDryRun = False, llm_fresh: LlmFresh = False,
    ) -> int:
        """A state for every log under a folder and an index of them all; what has not changed is not touched."""
        from distill.commands.batch import Asked, batch_command
        from distill.config import settle
        from distill.model import DistillError

        if not output:
            raise DistillError("-o: name the folder for the states")
        if not inputs and not agent:
            raise DistillError("name folders, logs or globs, or an agent with --agent")
        settings = settle({
            "format": form, "from": source, "budget": budget, "rules": rules, "lang": lang, "tokenizer": tokenizer,
            "since": since, "until": until, "now": now, "builtin_rules": False if no_builtin_rules else None,
            "redact": False if no_redact else None, "strict": strict or None, "quiet": quiet or None,
            "verbose": verbose or None, "llm": llm, "llm_model": llm_model, "llm_cmd": llm_cmd, "llm_jobs": llm_jobs,
            "llm_max_calls": llm_max_calls, "llm_max_tokens": llm_max_tokens, "llm_timeout": llm_timeout,
            "llm_required": llm_required or None, "llm_dry_run": llm_dry_run or None, "llm_fresh": llm_fresh or None,
        })
        words = [word.strip() for one in fail_on or () for word in one.split(",")]
        return batch_command(inputs or [], output, settings, Asked(
            excludes=exclude or (), agents=agent or (), jobs=jobs, engine=engine, chain=chain, prune=prune, check=check,
            dry_run=dry_run, report=report, fail_on=words or settings.fail_on,
        ))

    add_fold(app)

    @app.command()
    def hook(
        agent: Annotated[str, typer.Argument(metavar="AGENT", help="claude-code, codex, cursor, gemini or generic.")],
        event: Annotated[str, typer.Argument(metavar="EVENT|install|uninstall|status", help="session-start, turn-end, "
                                             "pre-compact, session-end, or the agent's own name of it.")],
        payload: Annotated[str | None, typer.Argument(metavar="[JSON]", show_default=False,
                                                      help="What the agent says, else on standard input.")] = None,
        project: Annotated[bool, typer.Option("--project", help="The settings of this project (default).")] = False,
        user: Annotated[bool, typer.Option("--user", help="The user's own settings, for all projects.")] = False,
        time_limit: Annotated[float, typer.Option("--time-limit", metavar="SECONDS", min=0.1,
                                                  help="Give up after this time.")] = 20.0,
        llm: Annotated[str | None, _option(
            "--llm", "PROFILE", "Ask a model of the project's distill.yaml, too, within the time limit.")] = None,
        verbose: Annotated[bool, typer.Option("-v", "--verbose", help="Say what goes wrong.")] = False,
    ) -> int:
        """The ends of an agent's sessions: write the project's state, print it; install the hooks that do so."""
        from distill.commands.hook import hook_command
        from distill.commands.hook_setup import VERBS, setup_command

        if event in VERBS:
            return setup_command(agent, event, project=project, user=user, model=llm)
        return hook_command(agent, event, payload, limit=time_limit, verbose=verbose, model=llm)

    @app.command("eval")
    def evaluate(
        corpus: Annotated[str, typer.Argument(metavar="CORPUS", help="Folder of NAME.labels.jsonl files, or one.")],
        budget: Annotated[list[str] | None, typer.Option("--budget", metavar="N|none,...", show_default=False,
                                                         help="Budgets to score at, default none,1000,500.")] = None,
        min_f1: Annotated[float | None, typer.Option("--min-f1", metavar="X",
                                                     help="Exit 1 where macro-F1 (widest budget) is less.")] = None,
        diff: Annotated[str | None, typer.Option("--diff", metavar="OLD.json",
                                                 help="What was won and lost since `eval --json > OLD.json`.")] = None,
        boundaries: Annotated[bool, typer.Option("--boundaries", help="Score where tasks end (see fold) against "
                                                 "NAME.boundaries files of record numbers.")] = False,
        logs: Annotated[str, typer.Option("--logs", metavar="DIR", show_default=False, help="With --boundaries: where "
                                          "the logs are, by default beside their labels.")] = "",
        drift_by: Annotated[str | None, typer.Option("--drift-by", metavar="words|meaning", show_default=False,
                                                     help="With --boundaries: what tells turns from each other.")
                            ] = None,
        json: Json = False,
        rules: Rules = None, no_builtin_rules: NoBuiltin = False, tokenizer: Tokenizer = None, quiet: Quiet = False,
        verbose: Annotated[bool, typer.Option("-v", "--verbose", help="List what was found, missed, wrong.")] = False,
    ) -> int:
        """Precision, recall and retention against labelled logs."""
        if boundaries:
            from distill.commands.eval_boundaries import boundaries_command
            from distill.config import settle

            settings = settle({"rules": rules, "builtin_rules": False if no_builtin_rules else None,
                               "tokenizer": tokenizer, "quiet": quiet or None,
                               "fold": [f"drift-by={drift_by}"] if drift_by is not None else None})
            return boundaries_command(corpus, settings, logs=logs, min_f1=min_f1, as_json=json)
        from distill.commands.eval import eval_command

        flags = {"rules": rules, "builtin_rules": False if no_builtin_rules else None, "tokenizer": tokenizer,
                 "quiet": quiet or None, "verbose": verbose or None}
        return eval_command(corpus, budget or [], flags, min_f1=min_f1, diff=diff, as_json=json)

    @app.command()
    def formats(
        log: Annotated[str | None, typer.Argument(metavar="[LOG]", help="A log to look at.")] = None,
        source: From = None,
        json: Json = False,
    ) -> int:
        """The log formats that are read; for a LOG: which it is, its records, what would be skipped."""
        from distill.commands.formats import formats_command

        return formats_command(log, source or "", json)

    @rules.command("list")
    def rules_list(rules: Rules = None, no_builtin_rules: NoBuiltin = False,
                   json: Json = False) -> int:
        """Every rule with its kind, weight and reason."""
        from distill.commands.rules import list_command

        return list_command(*_packs(rules, no_builtin_rules), json)

    @rules.command("show")
    def rules_show(rule: Annotated[str, typer.Argument(metavar="RULE", help="Id of a rule, as in decision/explicit.")],
                   rules: Rules = None, no_builtin_rules: NoBuiltin = False) -> int:
        """One rule, whole: cues, exceptions, examples."""
        from distill.commands.rules import show_command

        return show_command(rule, *_packs(rules, no_builtin_rules))

    @rules.command("test")
    def rules_test(rules: Rules = None, no_builtin_rules: NoBuiltin = False, quiet: Quiet = False) -> int:
        """Run every rule's own examples; exit 1 and name what is missing or noisy."""
        from distill.commands.rules import test_command

        return test_command(*_packs(rules, no_builtin_rules), quiet)

    @rules.command("explain")
    def rules_explain(
        what: Annotated[str, typer.Argument(metavar="SENTENCE|LOG:RECORD", help="A sentence, or a record of a log.")],
        role: Annotated[str, typer.Option("--role", metavar="user|assistant", help="Who says the sentence.")] = "user",
        rules: Rules = None, no_builtin_rules: NoBuiltin = False,
    ) -> int:
        """Which cues, modifiers and signals a sentence shows, what it becomes, and what lost."""
        from distill.commands.rules import explain_command

        return explain_command(what, role, *_packs(rules, no_builtin_rules))

    return app


def _packs(names: list[str] | None, no_builtin: bool) -> tuple[tuple[Path, ...], bool]:
    """The rule packs in use, and whether the package's own rules are."""
    from distill.config import settle

    settings = settle({"rules": names, "builtin_rules": False if no_builtin else None})
    return settings.packs, settings.builtin_rules
