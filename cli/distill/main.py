"""The front door: what the command line accepts. It does no work; commands are imported when called."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from contextlib import suppress
from typing import Any

UNEXPECTED = 70  # an error that is ours
_COLLECT = (50_000, 20, 50)  # cycles are rare here: looking for them as often as Python does costs a twentieth of a run


def main() -> None:
    """Run the command line and leave with its exit code."""
    if sys.argv[1:] in (["--version"], ["-V"]):  # the one answer that needs nothing else
        from distill import __version__

        try:
            print(f"distill {__version__}")
        except OSError as error:
            sys.exit(_report(error))
        return
    _streams()
    gc.set_threshold(*_COLLECT)
    try:
        from distill.commands.later import put_off

        put_off("inspect")  # `dataclasses` imports it and hardly uses it
        from distill.commands.plain import is_hook, plain, run_hook, run_plain

        if is_hook(sys.argv[1:]):
            code = run_hook(*sys.argv[2:])
        elif (asked := plain(sys.argv[1:])) is not None:
            code = run_plain(asked)
        else:
            from distill.commands.app import build

            typed = None if "_DISTILL_COMPLETE" in os.environ else sys.argv[1:]
            code = _number(build(typed)(standalone_mode=False, prog_name="distill"))
        sys.stdout.flush()
    except KeyboardInterrupt:
        _say("interrupted")
        code = 130
    except BrokenPipeError:  # whoever read the answer has enough
        code = 0
    except SystemExit as leaving:  # the completion for shells; and how the library meets a closed pipe
        code = 0 if type(sys.stdout).__name__ == "PacifyFlushWrapper" else _number(leaving.code)
    except Exception as error:
        code = _report(error)
    sys.exit(_closed(code))


def run() -> None:
    """`main` as the whole of a process, which ends at once: taking apart what it holds costs a tenth of a small run."""
    try:
        main()
        code = _closed(0) if sys.stdout is not None else 0
    except SystemExit as leaving:
        code = _number(leaving.code)
    if sys.getprofile() or sys.gettrace() or _others_work():
        sys.exit(code)
    atexit._run_exitfuncs()
    with suppress(OSError, ValueError):
        sys.stderr.flush()
    os._exit(code)


def _others_work() -> bool:
    """Whether threads go on that a process waits for at its end."""
    threading = sys.modules.get("threading")
    return threading is not None and any(
        not one.daemon and one is not threading.main_thread() for one in threading.enumerate()
    )


def _number(code: object) -> int:
    return code if isinstance(code, int) else int(bool(code))


def _streams() -> None:
    """Standard streams that exist and take any character: UTF-8 on standard output, whatever the locale says."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # the caller closed it
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode, encoding="utf-8"))
    for stream, errors in ((sys.stdout, "replace"), (sys.stderr, "backslashreplace")):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8" if stream is sys.stdout else None, errors=errors)


def _report(error: Exception) -> int:
    """One line for what went wrong and its exit code; with DISTILL_DEBUG=1 the traceback."""
    from distill.model import DistillError

    if os.environ.get("DISTILL_DEBUG") == "1":
        import traceback

        traceback.print_exc()
    if isinstance(error, DistillError):
        from distill.text.clean import clean
        from distill.text.redact import redact

        lines = redact(str(error))[0].split("\n")  # a rule pack may have several faults
        _say("\n".join(("error: " if number == 0 else "         ") + clean(line) for number, line in enumerate(lines)))
        return error.code
    if hasattr(error, "exit_code") and hasattr(error, "format_message"):
        return _usage(error)
    if type(error).__name__ == "Abort":
        _say("interrupted")
        return 130
    if isinstance(error, OSError) and error.filename is None:  # a stream that cannot be written
        _say(f"error: standard output cannot be written: {error.strerror or error}")
        return 2
    _say(f"error: unexpected {type(error).__name__}: {error}; please report it (DISTILL_DEBUG=1 shows where)")
    return UNEXPECTED


def _usage(error: Any) -> int:
    """What the command line itself complains of: one line, or the help where a subcommand is missing."""
    context = getattr(error, "ctx", None)
    where = context.command_path if context is not None else "distill"
    if type(error).__name__ == "NoArgsIsHelpError":
        print(error.format_message(), file=sys.stderr)
    else:
        _say(f"error: {' '.join(error.format_message().split())} (see {where} --help)")
    return 2


def _say(text: str) -> None:
    with suppress(OSError):  # nobody listens
        print(f"distill: {text}", file=sys.stderr)


def _closed(code: int) -> int:
    """The exit code once all output is out."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        code = 0
    except OSError as error:
        _say(f"error: standard output cannot be written: {error.strerror or error}")
        code = code or 2
    _quiet()
    return code


def _quiet() -> None:
    """Keep the interpreter from complaining about streams that nobody reads or that are full."""
    for stream in (sys.__stdout__, sys.__stderr__):
        if stream is None:
            continue
        try:
            stream.flush()
        except (OSError, ValueError):
            with suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


if __name__ == "__main__":
    main()
