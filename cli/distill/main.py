"""The front door: what the command line accepts. It does no work; commands are imported when called."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run the command line and leave with its exit code."""
    if sys.argv[1:] in (["--version"], ["-V"]):  # the one answer that needs nothing else
        from distill import __version__

        print(f"distill {__version__}")
        return
    try:
        from distill.commands.app import build

        code = build()(standalone_mode=False, prog_name="distill")
        _leave(code if isinstance(code, int) else 0)
    except KeyboardInterrupt:
        print("distill: interrupted", file=sys.stderr)
        _leave(130)
    except BrokenPipeError:
        _quiet()
        sys.exit(0)
    except Exception as error:
        _leave(_report(error))


def _report(error: Exception) -> int:
    """One line for what went wrong and its exit code; with DISTILL_DEBUG=1 the traceback."""
    from distill.model import DistillError

    if os.environ.get("DISTILL_DEBUG") == "1":
        import traceback

        traceback.print_exc()
    if isinstance(error, DistillError):
        print(f"distill: error: {error}", file=sys.stderr)
        return error.code
    if hasattr(error, "exit_code") and hasattr(error, "format_message"):  # the command line's own complaints
        print(f"distill: error: {' '.join(error.format_message().split())} (see distill --help)", file=sys.stderr)
        return 2
    if type(error).__name__ == "Abort":
        print("distill: interrupted", file=sys.stderr)
        return 130
    print(f"distill: error: unexpected {type(error).__name__}: {error}; please report it (DISTILL_DEBUG=1 shows where)",
          file=sys.stderr)
    return 70


def _leave(code: int) -> None:
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _quiet()
        code = 0
    sys.exit(code)


def _quiet() -> None:
    """Keep the interpreter from complaining about a reader that went away."""
    devnull = os.open(os.devnull, os.O_WRONLY)
    os.dup2(devnull, sys.stdout.fileno())


if __name__ == "__main__":
    main()
