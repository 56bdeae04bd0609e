"""One input, opened for reading: bytes to lines, records or a document, with an account of what was damaged.

Lines end at LF alone (a CR before it is dropped): U+2028 and U+0085 stand raw inside JSON strings of real logs. A byte
order mark decides the encoding; anything else is UTF-8, with invalid bytes replaced and counted.
"""

from __future__ import annotations

import codecs
import hashlib
import io
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import IO, Any

from distill.model import InputError, Start
from distill.read.decoding import line_decoder

HEAD = 1 << 18  # bytes that detection may look at
LONGEST = 1 << 22  # bytes up to which the whole first line belongs to the head
CHUNK = 1 << 20
RETRIES = 40  # places tried for the start of a whole record on a damaged line
Record = dict[str, Any]
_NULS = re.compile(rb"\0+")
_BLOCKS = 8  # blocks of NULs in four kilobytes from which on they belong to a file that is no text


@dataclass(slots=True)
class Tally:
    """The account of one input: what was read, skipped and why, and what the log says of itself.

    `skipped` maps a reason to the records it befell; damage ("invalid JSON", "invalid UTF-8", …) makes the run end in
    exit 4. `types` counts records by type for `distill formats`; `set_aside` counts what was recognised and left out on
    purpose (injected text, side chains, …).
    """

    records: int = 0
    understood: int = 0  # messages and actions that became events
    skipped: dict[str, list[int]] = field(default_factory=dict)
    types: Counter[str] = field(default_factory=Counter)
    set_aside: Counter[str] = field(default_factory=Counter)
    title: str = ""
    project: str = ""
    session: str = ""
    branch: str = ""
    headed: bool = False  # the log shows its beginning, whatever that names

    def skip(self, reason: str, record: int) -> None:
        """Note that `record` was damaged or not understood, and why."""
        self.skipped.setdefault(reason, []).append(record)

    @property
    def skipped_records(self) -> int:
        """How many different records were damaged."""
        return self.skipped_from(0)

    def skipped_from(self, first: int) -> int:
        """How many different records from `first` on were damaged."""
        return len({record for records in self.skipped.values() for record in records if record >= first})


class _Hashing(io.RawIOBase):
    """Passes bytes through and hashes them, so that a pipe is read once."""

    def __init__(self, raw: IO[bytes], path: str) -> None:
        self._raw = raw
        self._path = path
        self.digest = hashlib.sha256()
        self.size = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        raw: Any = self._raw
        try:
            count: int = raw.readinto1(buffer) if hasattr(raw, "readinto1") else raw.readinto(buffer)
        except OSError as error:
            raise InputError(f"{self._path}: cannot be read: {error.strerror or error}") from error
        self.digest.update(memoryview(buffer)[:count])
        self.size += count
        return count


class Log:
    """One log. Its head can be looked at any number of times, its body be walked through once."""

    def __init__(self, path: str, stream: IO[bytes], size: int | None = None, start: Start | None = None) -> None:
        """`path` is the name to show; `size` in bytes where it is known.

        With `start`, which needs a stream that can seek, the log is its first record and what stands from there on.
        """
        self.path = path
        self.size = size
        self.conversation: str | None = None  # which of many: id, number from the newest, or title
        self.tally = Tally()
        self.start = start
        self.memory: dict[str, Any] = dict(start.memory) if start else {}  # of the reader, from one run to the next
        self._opening = b""  # the first record, where the body begins further on
        if start:
            self.tally.session, self.tally.project = start.session, start.project
            if start.record > 1:
                self._opening = stream.read(HEAD).partition(b"\n")[0].removeprefix(codecs.BOM_UTF8)
            stream.seek(start.offset)
            self.size = size = None if size is None else size - start.offset
        self._hashing = _Hashing(stream, path)
        self._body = io.BufferedReader(self._hashing, CHUNK)
        head = b""
        while len(head) < HEAD and (more := self._body.read(HEAD - len(head))):
            head += more
        if not head:
            raise InputError(f"{path}: the file is empty", 3)
        self.encoding = _encoding(head)
        if len(head) == HEAD and b"\n" not in head:
            head += self._body.readline(LONGEST)  # a first line that is cut looks like a document
            if self.encoding.startswith("utf-16") and len(head) % 2:
                head += self._body.read(1)
        self._head = head
        self.whole = len(head) < HEAD or not self._body.peek(1)  # the head is all there is
        if self.encoding == "utf-8" and b"\0" in head[:4096] and _binary(head):
            raise InputError(f"{path}: this is a binary file, not a log", 3)
        self._document: list[Any] = []
        self._objects: list[Record] | None = None
        self._text: str | None = None

    # -- the head, for detection ---------------------------------------------------------------------------------

    @property
    def head(self) -> str:
        """The first quarter of a megabyte as text, without a byte order mark and with LF line ends."""
        if self._text is None:
            data = self._head
            if not self.whole and self.encoding == "utf-8":
                data = data[: data.rfind(b"\n") + 1] or data
            text = data.decode(self.encoding, "replace").removeprefix("\ufeff")
            self._text = text.replace("\r\n", "\n").replace("\0", "")
        return self._text

    @property
    def first(self) -> str:
        """The first character that is not blank, or ""."""
        return self.head[:4096].lstrip()[:1]

    @property
    def objects(self) -> list[Record]:
        """The objects on the first 40 lines that parse as JSON; empty where this is one pretty-printed document."""
        if self._objects is None:
            self._objects = []
            lines = self.head.split("\n")
            for number, line in enumerate(lines[:60]):
                if number == len(lines) - 1 and not self.whole:
                    break
                found = _loads(line.strip()) if line.strip()[:1] == "{" else None
                if isinstance(found, dict):
                    self._objects.append(found)
                if len(self._objects) == 40:
                    break
        return self._objects

    @property
    def is_document(self) -> bool:
        """Whether the input is one JSON document and not JSON lines."""
        if self.first == "[":
            return True
        return self.first == "{" and (not self.objects or (len(self.objects) == 1 and self._one_line()))

    def _one_line(self) -> bool:
        return self.whole and len([line for line in self.head.split("\n") if line.strip()]) == 1

    @property
    def document(self) -> Any:
        """The whole JSON document, parsed once; None where it is none. Data after it is counted as damage."""
        if not self._document:
            text = self.read_text().lstrip()
            try:
                found, end = json.JSONDecoder(strict=False).raw_decode(text)
                if text[end:].strip():
                    self.tally.skip("data after the end of the JSON document", text.count("\n", 0, end) + 1)
            except (ValueError, RecursionError):
                found = None
            self._document.append(found)
        return self._document[0]

    # -- the body, once ----------------------------------------------------------------------------------------------

    def byte_lines(self) -> Iterator[bytes]:
        """Every line as bytes of UTF-8, without its line end; damage is left in."""
        return (line.rstrip(b"\r\n") for line in self._lines())

    def _lines(self) -> Iterable[bytes]:
        """Every line as bytes of UTF-8, with the line end it has."""
        if self.encoding != "utf-8":
            return (text.encode("utf-8", "replace") for text in self._decoded())
        head = io.BytesIO(self._head.removeprefix(codecs.BOM_UTF8)).readlines()
        self._head_done()
        if not head or not head[-1].endswith(b"\n"):
            last = (head.pop() if head else b"") + self._body.readline()
            head += [last] if last else []
        return chain(head, self._body)

    def text_lines(self) -> Iterator[tuple[int, str]]:
        """Every line of a text log with its number; invalid bytes are replaced and counted, NULs dropped."""
        for number, line in enumerate(self.byte_lines(), 1):
            self.tally.records = number
            try:
                text = line.decode("utf-8")
            except UnicodeDecodeError:
                text = line.decode("utf-8", "replace")
                self.tally.skip("invalid UTF-8", number)
            yield number, text.replace("\0", "")

    def records(self, idle: Callable[[bytes], bool] | None = None) -> Iterator[tuple[int, Record]]:
        """Every object of a JSON Lines log with its line number.

        Damage costs only what is damaged: a broken line is counted, whole records spliced onto one line are recovered,
        a line with invalid bytes is repaired and counted. Lines that `idle` says nobody needs are not decoded.
        """
        loads = line_decoder(self.size)
        tally = self.tally
        opening = _loads(self._opening.decode("utf-8", "replace")) if self._opening else None
        if isinstance(opening, dict):
            yield 1, opening
        number = self.start.record - 1 if self.start else 0
        for line in self._lines():
            number += 1
            tally.records = number
            if idle is not None and idle(line):
                continue
            try:
                found = loads(line)
            except (ValueError, RecursionError):
                for repaired in self._repair(line.rstrip(b"\r\n"), number):
                    yield number, repaired
                continue
            if isinstance(found, dict):
                yield number, found
            else:
                tally.skip("not a JSON object", number)

    def read_text(self) -> str:
        """All of a text or document, decoded; invalid bytes are replaced and counted."""
        if self.encoding != "utf-8":
            return "\n".join(self._decoded())
        data = self._head + self._body.read()
        self._head_done()
        data = data.removeprefix(codecs.BOM_UTF8)
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            text = data.decode("utf-8", "replace")
            self.tally.skip("invalid UTF-8", data.count(b"\n", 0, error.start) + 1)
        return text.replace("\r\n", "\n").replace("\0", "")

    @property
    def sha256(self) -> str:
        """The hash of all bytes; reads on to the end where the walk stopped before it. "" where it began further on."""
        while self._body.read(CHUNK):
            pass
        return "" if self.start else self._hashing.digest.hexdigest()

    @property
    def end(self) -> int:
        """The byte up to which the log was read."""
        return self._hashing.size + (self.start.offset if self.start else 0)

    def _head_done(self) -> None:
        self._head = b""

    def _decoded(self) -> Iterator[str]:
        reader = codecs.getreader(self.encoding)(_Chain(self._head, self._body), "replace")
        self._head_done()
        rest = ""
        while chunk := reader.read(CHUNK):
            *lines, rest = (rest + chunk).split("\n")
            for line in lines:
                yield line.removeprefix("\ufeff").rstrip("\r")
        if rest:
            yield rest.removeprefix("\ufeff").rstrip("\r")

    def _repair(self, line: bytes, number: int) -> Iterator[Record]:
        if len(line) < 2:
            if line.strip():
                self.tally.skip("not a JSON object", number)
            return
        if not line.strip(b" \t\0"):
            return
        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError:
            text = line.decode("utf-8", "replace")
            self.tally.skip("invalid UTF-8", number)
        text = text.replace("\0", "").strip().removeprefix("\ufeff")
        found = _loads(text)
        if isinstance(found, dict):
            yield found
            return
        parts, whole = _spliced(text)
        if not whole:
            self.tally.skip("invalid JSON", number)
        yield from parts


class _Chain(io.RawIOBase):
    def __init__(self, head: bytes, body: IO[bytes]) -> None:
        self._head, self._body = head, body

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        if self._head:
            data, self._head = self._head, b""
            return data
        return self._body.read(size)


def _encoding(head: bytes) -> str:
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    sample = head[:64]
    if len(sample) > 8 and sample[1::2].count(0) > len(sample) // 3 and 0 not in sample[0::2]:
        return "utf-16-le"  # a redirect that lost its mark
    if len(sample) > 8 and sample[0::2].count(0) > len(sample) // 3 and 0 not in sample[1::2]:
        return "utf-16-be"
    return "utf-8"


def _binary(head: bytes) -> bool:
    """Many control bytes, or NULs all over, and no record: a block of NULs, as power cuts leave it, is only damage."""
    rest = head.replace(b"\0", b"")
    if not rest.strip():
        return True
    if any(isinstance(_loads(line.decode("utf-8", "replace")), dict) for line in rest.split(b"\n", 60)[:60]):
        return False
    odd = sum(byte < 32 and byte not in (8, 9, 10, 12, 13, 27) for byte in rest[:4096])
    if odd * 20 > len(rest[:4096]):
        return True
    sample = head[:4096]
    return sample.count(0) * 3 > len(sample) and len(_NULS.findall(sample)) > _BLOCKS


def _loads(text: str) -> Any:
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None


def _spliced(text: str) -> tuple[list[Record], bool]:
    """The whole records on a line that is no JSON, and whether nothing else stands on it."""
    decode = json.JSONDecoder(strict=False).raw_decode
    parts: list[Record] = []
    at, whole, tries = 0, True, 0
    while at < len(text) and tries < RETRIES:
        tries += 1
        start = text.find('{"', at)
        if start < 0:
            whole = whole and not text[at:].strip()
            break
        whole = whole and not text[at:start].strip()
        try:
            found, end = decode(text, start)
        except (ValueError, RecursionError):
            whole, at = False, start + 1
            continue
        rest = text[end:].lstrip()
        if isinstance(found, dict) and (not rest or rest.startswith('{"')):
            parts.append(found)
            at = end
        else:  # an object inside a broken record
            whole, at = False, end
    whole = whole and (tries < RETRIES or at >= len(text))
    return parts, whole and bool(parts)
