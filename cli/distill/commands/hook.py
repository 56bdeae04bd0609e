"""`distill hook AGENT EVENT`: the state of a project, brought up to date and shown by the hooks of an agent.

Whatever happens, the agent goes on: the exit code is 0, nothing stands on standard error, and what went wrong is noted
in the project's folder.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from distill.agents.agent import Agent, Call, Event, agent_named, call_of, event_named
from distill.config import Settings, settle
from distill.model import DistillError, State
from distill.store.journal import note

if TYPE_CHECKING:
    from distill.pipeline import Options

FOLDER = ".distill"
STATE, SNAPSHOT, PROGRESS, JOURNAL = "state.md", "state.cache", "progress.json", "hook.log"
LIMIT = 20.0  # seconds
RESERVE = 0.3  # of them for what comes after a model was asked
# What the hooks write comes from private talks: whoever wants it in the repository takes this file away, which is
# made only with the folder.
_IGNORE = "# Written by distill; take this file away to keep the state under version control.\n*\n"
_MOST = 1 << 24  # bytes of a payload
_CHUNK = 1 << 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a project keeps what its hooks write."""

    project: Path

    @property
    def folder(self) -> Path:
        """The folder in it."""
        return self.project / FOLDER

    @property
    def state(self) -> Path:
        """Its state."""
        return self.folder / STATE

    @property
    def journal(self) -> Path:
        """What went wrong."""
        return self.folder / JOURNAL


def hook_command(
    name: str, event: str, payload: str | None, *, limit: float = LIMIT, verbose: bool = False, model: str | None = None
) -> int:
    """Serve one call of a hook; the exit code, which is 0 unless a person at a terminal asked for what is not known.

    `model` is a profile of the project's distill.yaml to be asked about a session once the rules are done with it.
    """
    end = monotonic() + limit
    try:
        agent = agent_named(name)
        which = event_named(agent, event)
    except DistillError as error:
        if sys.stdin.isatty():
            raise
        _tell(Place(project=project_of(_here())), f"{name} {event}: {error}", verbose=True)  # a slip in the settings
        return 0
    place = [Place(project=project_of(_here()))]
    with _time_limit(limit, lambda: _tell(place[0], f"{name} {which}: gave up after {limit:g} seconds", verbose)):
        try:
            call = call_of(_payload(payload))
            place[0] = Place(project=project_of(call.cwd or _here()))
            answer = _serve(agent, which, call, place, limit)
            if answer:
                sys.stdout.write(answer)
                sys.stdout.flush()
            if model is not None and which is not Event.SESSION_START:
                from distill.commands.hook_second import ask

                for warning in ask(place[0], str(_log(agent, call)), model, end - limit * RESERVE):
                    _tell(place[0], f"{name} {which}: {warning}", verbose)
        except (Exception, KeyboardInterrupt) as error:
            _tell(place[0], f"{name} {which}: {_what(error)}", verbose)
    return 0


def _here() -> str:
    try:
        return str(Path.cwd())
    except OSError:  # it was removed
        return os.sep


def project_of(folder: str) -> Path:
    """The project that `folder` belongs to: the root of its repository, else the folder itself."""
    path = Path(folder).absolute()
    return next((one for one in (path, *path.parents) if (one / ".git").exists()), path)


def _serve(agent: Agent, event: Event, call: Call, place: list[Place], limit: float) -> str:
    """Do what the event asks for; what to print. `place` is set to where the log says that it belongs."""
    if event is Event.SESSION_START:
        return _shown(agent, place[0])
    log = _log(agent, call)
    if told := _folder_of(str(log)):
        place[0] = Place(project=project_of(told))
    update(place[0], str(log), _settings(place[0]), limit)
    return ""


def _log(agent: Agent, call: Call) -> Path:
    log = Path(call.transcript).expanduser() if call.transcript else agent.find(call, agent.home(os.environ))
    if log is None:
        raise DistillError("the log of the session is not known: the call names none, and none is where it would lie")
    return log


def state_options(options: Options, settings: Settings) -> Options:
    """The options under which the state of a project is kept, with all that is known."""
    return replace(options, budget=None, form="md", tokenizer=settings.tokenizer or "estimate")


def update(place: Place, log: str, settings: Settings, limit: float = LIMIT) -> bool:
    """Bring the state of a project up to date with `log`, read on from where it was left; whether anything was read.

    Raises DistillError where the log, the state or the folder cannot be used; nothing is changed then.
    """
    from distill.commands.run import options_of
    from distill.pipeline import Account, distil, rendered
    from distill.store.files import write_atomic
    from distill.store.lock import locked
    from distill.store.progress import load_marks, mark_of, save_marks, start_of
    from distill.store.snapshot import save_snapshot

    _make(place)
    state, progress = str(place.state), place.folder / PROGRESS
    with locked(state, limit=limit):
        options = state_options(options_of(settings), settings)
        before, written = _stored(place, options.redact)
        marks = load_marks(progress)
        mark = marks.pop(log, None)
        start = None
        if mark and before and any(source.path == log for source in before.sources):
            start = start_of(log, mark)
            if start and Path(log).stat().st_size == mark.size:
                return False
        account = Account()
        after = distil([log], options, previous=before, account=account, starts={log: start} if start else None,
                       redacted=written is not None)
        text = rendered(after, "md", settings.lang, (written, before) if written and before else None)
        write_atomic(state, text)
        save_snapshot(place.folder / SNAPSHOT, text.encode("utf-8", "replace"), after, masked=options.redact)
        if log in account.reached and (fresh := mark_of(log, account.reached[log])):
            marks[log] = fresh
        save_marks(progress, marks)
    return True


def state_before(place: Place) -> State | None:
    """The state as it stands, edits by hand and all; None where there is none yet."""
    return _stored(place, masked=False)[0]


def _stored(place: Place, masked: bool) -> tuple[State | None, str | None]:
    """The state as it stands; and the text of its file, where a hook wrote it and nobody touched it since.

    With `masked` that is told only of a file without credentials.
    """
    from distill.commands.run import load_state
    from distill.store.snapshot import load_snapshot

    try:
        text = place.state.read_bytes()
    except FileNotFoundError:
        return None, None
    except OSError as error:
        raise DistillError(f"{place.state}: cannot be read: {error.strerror or error}") from error
    if state := load_snapshot(place.folder / SNAPSHOT, text, masked=masked):
        return state, text.decode("utf-8", "replace")
    return load_state(str(place.state)), None


def _shown(agent: Agent, place: Place) -> str:
    """The state of the project as the agent takes the opening of a prompt; "" where there is none."""
    from distill.commands.inject import BUDGET, injection

    state = state_before(place)
    if state is None:
        return ""
    text = injection(state, _settings(place, str(BUDGET))).text
    return agent.answer(Event.SESSION_START, text) if text.strip() else ""


def _settings(place: Place, budget: str | None = None) -> Settings:
    """The options in force in the project; `budget` where none is set."""
    return settle({"quiet": True}, place.project, {"budget": budget} if budget else None)


def _folder_of(log: str) -> str:
    """The folder in which the session of a log began, where the log tells and it is there."""
    from distill.read.opening import first_folder

    with suppress(DistillError):
        folder = first_folder(log)
        if folder and Path(folder).is_dir():
            return folder
    return ""


def _make(place: Place) -> None:
    """The folder of the project's state; git leaves it alone."""
    try:
        if not place.folder.is_dir():
            place.folder.mkdir()
            (place.folder / ".gitignore").write_text(_IGNORE, "utf-8")
    except FileExistsError:
        if not place.folder.is_dir():
            raise DistillError(f"{place.folder}: is no folder: move it away") from None
    except OSError as error:
        raise DistillError(f"{place.folder}: cannot be made: {error.strerror or error}") from error


# -- what the agent says ----------------------------------------------------------------------------------------------


def _payload(given: str | None) -> object:
    """The JSON that came as an argument or on standard input; None where there is none."""
    if given is not None:
        return json.loads(given)
    if sys.stdin.isatty():
        return None
    data = b""
    stream: Any = sys.stdin.buffer
    while len(data) < _MOST:  # some agents leave their end of the pipe open: what is whole is enough
        more = stream.read1(_CHUNK)
        data += more
        if not more or data.rstrip().endswith(b"}"):
            with suppress(ValueError):
                return json.loads(data.decode("utf-8-sig", "replace"))
            if not more:
                break
    if data.strip():
        raise DistillError("what the agent said is no JSON")
    return None


# -- what went wrong --------------------------------------------------------------------------------------------------


@contextmanager
def _time_limit(seconds: float, late: Callable[[], None]) -> Iterator[None]:
    """End the process with exit code 0 where it takes longer; the state is whole at any time."""
    from threading import Timer

    def leave() -> None:
        late()
        os._exit(0)

    timer = Timer(seconds, leave)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _tell(place: Place, text: str, verbose: bool) -> None:
    """Note what went wrong, where the project has a folder for it; with `verbose` say it too."""
    from distill.text.clean import clean
    from distill.text.redact import redact

    with suppress(Exception):
        line = clean(redact(text)[0])
        if place.folder.is_dir():
            note(place.journal, line)
        if verbose:
            print(f"distill: {line}", file=sys.stderr)


def _what(error: BaseException) -> str:
    return str(error) if isinstance(error, DistillError) else f"{type(error).__name__}: {error}"
