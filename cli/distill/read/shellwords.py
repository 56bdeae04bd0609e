"""A shell script to its simple commands: words, redirections, here-documents. For POSIX shells and for PowerShell.

One pass from left to right; what stands inside a substitution is skipped, an unclosed quote takes the rest.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from distill.read.shellskip import MARK, after_double, after_paren, heredoc_end
from distill.text.lazy import Lazy

_PLAIN = Lazy(r"[^\s'\"\\$`|&;<>()#*?{}@]+")
_NAME = Lazy(r"\$(?:\{(\w+)\}|(?:env:)?(\w+))")
_ASSIGN_PS = Lazy(r"\$(\w+)\s*=\s*(?!=)")
_ASSIGN = Lazy(r"[A-Za-z_]\w*=")


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a command; `fixed` is False where a variable, a substitution or a pattern leaves its value open."""

    text: str
    fixed: bool = True


@dataclass(slots=True)
class Command:
    """One simple command.

    `writes` are the files standard output goes to, with ">" or ">>"; `body` is its here-document; `before` and `after`
    are the operators around it ("", ";", "&&", "||", "|", "&"); `depth` counts the subshells it stands in; `start` and
    `end` are its place in the script.
    """

    words: list[Word] = field(default_factory=list)
    writes: list[tuple[str, Word]] = field(default_factory=list)
    body: str = ""
    before: str = ""
    after: str = ""
    depth: int = 0
    start: int = -1
    end: int = 0


def parse(text: str, *, powershell: bool = False) -> list[Command]:
    """The simple commands of `text`, in order. Never fails: what makes no sense becomes words."""
    return _Parser(text, powershell).run()


class _Parser:
    def __init__(self, text: str, powershell: bool) -> None:
        self.text = text
        self.powershell = powershell
        self.found: list[Command] = []
        self.values: dict[str, str] = {}  # variables whose value stands in the script
        self.command = Command()
        self.pieces: list[str] = []
        self.in_word = False
        self.fixed = True
        self.brace = False
        self.expect = ""  # what the next word is: the target of a redirection, or a here-document's mark
        self.heredocs: list[tuple[Command, str, bool]] = []
        self.assigned = ""
        self.depth = 0
        self.at = 0  # where the token that is dealt with begins

    def run(self) -> list[Command]:
        text, end, at = self.text, len(self.text), 0
        while at < end:
            self.at = at
            if self.command.start < 0 and not text[at].isspace():
                self.command.start = at
            plain = _PLAIN.match(text, at)
            if plain:
                self.add(plain[0])
                at = plain.end()
            else:
                at = self.special(text[at], at)
        self.at = end
        self.end_command("")
        return self.found

    def add(self, piece: str, fixed: bool = True) -> None:
        self.pieces.append(piece)
        self.in_word = True
        self.fixed = self.fixed and fixed

    def special(self, char: str, at: int) -> int:
        """Deal with the character at `at`, which is more than a letter; the place to go on from."""
        text = self.text
        if char == "\n":
            self.end_command(";")
            return self.bodies(at + 1) if self.heredocs else at + 1
        if char.isspace():
            self.end_word()
            return at + 1
        if char in "'\"":
            return self.quote(char, at)
        if char == "\\":
            return self.backslash(at)
        if char == "`":
            return self.backtick(at)
        if char == "$":
            return self.dollar(at)
        if char == "#":
            if self.in_word:
                self.add(char)
                return at + 1
            stop = text.find("\n", at)
            return len(text) if stop < 0 else stop
        if char in "*?":
            self.add(char, fixed=False)
            return at + 1
        if char in "{}":
            return self.curly(char, at)
        if char == "@":
            if self.powershell and text[at + 1 : at + 2] in ("'", '"'):
                return self.here_string(at)
            self.add(char)
            return at + 1
        return self.operator(char, at)

    # -- words -----------------------------------------------------------------------------------------------------

    def quote(self, char: str, at: int) -> int:
        text = self.text
        if char == "'":
            stop = text.find("'", at + 1)
            while self.powershell and stop >= 0 and text.startswith("'", stop + 1):  # '' is one quote
                self.add(text[at + 1 : stop + 1])
                at = stop + 1
                stop = text.find("'", at + 1)
            self.add(text[at + 1 : stop if stop >= 0 else len(text)])
            return len(text) if stop < 0 else stop + 1
        stop = after_double(text, at, 0, self.powershell)
        inside = text[at + 1 : stop - 1] if text[stop - 1 : stop] == '"' and stop - 1 > at else text[at + 1 : stop]
        value, fixed = self.expand(inside)
        self.add(value, fixed)
        return stop

    def expand(self, inside: str) -> tuple[str, bool]:
        """The text inside double quotes, and whether its value is known."""
        escape = "`" if self.powershell else "\\"
        fixed = True
        if escape in inside:
            if self.powershell:
                inside = re.sub(r"`(.)", r"\1", inside, flags=re.S)
            elif "`" in inside or "\\$" not in inside:
                fixed = "`" not in inside
                inside = re.sub(r'\\(["\\$`\n])', lambda m: "" if m[1] == "\n" else m[1], inside)
            else:
                return re.sub(r'\\(["\\$`])', r"\1", inside), "$" not in inside.replace("\\$", "")
        elif not self.powershell and "`" in inside:
            fixed = False
        if "$" in inside:
            inside = _NAME.sub(self.value, inside)
            fixed = fixed and "$" not in inside
        return inside, fixed

    def value(self, found: re.Match[str]) -> str:
        name = found[1] or found[2]
        return self.values.get(name.lower() if self.powershell else name, found[0])

    def backslash(self, at: int) -> int:
        following = self.text[at + 1 : at + 2]
        if self.powershell or following.isalnum():  # a Windows path: nobody escapes a letter
            self.add("\\")
            return at + 1
        if following not in ("\n", ""):
            self.add(following)
        return at + 2

    def backtick(self, at: int) -> int:
        following = self.text[at + 1 : at + 2]
        if self.powershell:
            if following not in ("\n", "\r", ""):
                self.add(following)
            return at + 2 + (following == "\r")
        stop = self.text.find("`", at + 1)
        self.add(self.text[at : stop + 1] if stop >= 0 else self.text[at:], fixed=False)
        return len(self.text) if stop < 0 else stop + 1

    def dollar(self, at: int) -> int:
        text = self.text
        if self.powershell and not self.in_word and not self.command.words:
            found = _ASSIGN_PS.match(text, at)
            if found:
                self.assigned = found[1].lower()
                return found.end()
        if text.startswith("$(", at):
            stop = after_paren(text, at + 1, 0, self.powershell)
            self.add(text[at:stop], fixed=False)
            return stop
        if text.startswith(("$'", '$"'), at) and not self.powershell:
            return at + 1
        name = _NAME.match(text, at)
        if name:
            value = self.value(name)
            self.add(value, fixed=value != name[0])
            return name.end()
        self.add("$", fixed=False)
        return at + 1

    def curly(self, char: str, at: int) -> int:
        if self.powershell:
            self.end_command(";")
            return at + 1
        self.add(char)
        self.brace = True
        return at + 1

    def here_string(self, at: int) -> int:
        mark = self.text[at + 1]
        stop = self.text.find("\n" + mark + "@", at + 2)
        inside = self.text[at + 2 : stop if stop >= 0 else len(self.text)].lstrip("\r\n")
        value, fixed = (inside, True) if mark == "'" else self.expand(inside)
        self.add(value, fixed)
        return len(self.text) if stop < 0 else stop + 3

    # -- operators -------------------------------------------------------------------------------------------------

    def operator(self, char: str, at: int) -> int:
        text = self.text
        if char == "&":
            if text.startswith("&>", at):
                return self.redirect(at + 1, "1")
            if text.startswith("&&", at):
                self.end_command("&&")
                return at + 2
            self.end_command("&" if not self.powershell else ";")
            return at + 1
        if char == "|":
            double = text.startswith("||", at)
            self.end_command("||" if double else "|")
            return at + (2 if double or text.startswith("|&", at) else 1)
        if char in "()":
            self.end_command(";")
            self.depth = max(0, self.depth + (1 if char == "(" else -1))
            return at + 1
        if char == ">":
            stream = "".join(self.pieces) if self.in_word and "".join(self.pieces).isdigit() else ""
            if stream:
                self.pieces, self.in_word = [], False
            else:
                self.end_word()
            return self.redirect(at, stream or "1")
        if char == "<":
            return self.input(at)
        self.end_command(";")
        return at + 1

    def redirect(self, at: int, stream: str) -> int:
        text = self.text
        self.end_word()
        op = ">>" if text.startswith(">>", at) else ">"
        at += len(op)
        if text.startswith("(", at):  # a process that takes it
            return after_paren(text, at, 0, self.powershell)
        if text.startswith("&", at):
            at += 1
            if text[at : at + 1].isdigit() or text.startswith("-", at):
                return at + 1
        elif text.startswith("|", at):
            at += 1
        self.expect = op if stream in ("1", "&") else "drop"
        return at

    def input(self, at: int) -> int:
        text = self.text
        self.end_word()
        if text.startswith("<<<", at):
            self.expect = "<<<"
            return at + 3
        mark = MARK.match(text, at)
        if mark:
            self.heredocs.append((self.command, mark[2], text.startswith("<<-", at)))
            return mark.end()
        if text.startswith("<(", at):
            return after_paren(text, at + 1, 0, self.powershell)
        self.expect = "drop"
        return at + 1

    def bodies(self, at: int) -> int:
        """Take the here-documents that begin at `at`; the place after them."""
        for command, mark, tabs in self.heredocs:
            start = at
            stop, at = heredoc_end(self.text, at, mark, tabs)
            command.body = command.body or self.text[start:stop].rstrip("\n")
        self.heredocs = []
        return at

    # -- ends ------------------------------------------------------------------------------------------------------

    def end_word(self) -> None:
        if not self.in_word:
            return
        text = "".join(self.pieces)
        word = Word(text, self.fixed and not (self.brace and "," in text))
        self.pieces, self.in_word, self.fixed, self.brace = [], False, True, False
        expect, self.expect = self.expect, ""
        if expect in (">", ">>"):
            self.command.writes.append((expect, word))
        elif expect == "<<<":
            self.command.body = text
        elif not expect:
            self.command.words.append(word)

    def end_command(self, operator: str) -> None:
        self.end_word()
        command = self.command
        assigned, self.assigned = self.assigned, ""
        if assigned and len(command.words) == 1 and not command.writes:
            if command.words[0].fixed:
                self.values[assigned] = command.words[0].text
            command.words = []
        elif not self.powershell and command.words and all(_ASSIGN.match(word.text) for word in command.words):
            for word in command.words:
                name, _, value = word.text.partition("=")
                if word.fixed:
                    self.values[name] = value
                else:
                    self.values.pop(name, None)
        if not command.words and not command.writes:
            command.body = ""
            command.start = -1
            if operator == ";" and not command.before and self.found:
                command.before = operator
            return
        command.end = self.at
        command.after = operator
        command.depth = self.depth
        self.found.append(command)
        self.command = Command(before=operator)
        self.expect = ""
