"""Binds the user's words to what the assistant put up before them: what was taken, as what, and what was left."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from distill.classify.candidate import with_lead
from distill.classify.cues import CueJudge
from distill.classify.features import hollow
from distill.classify.numbered import numbered_answers
from distill.classify.picks import Choice, choose, goes_beyond
from distill.classify.proposals import Proposals, Put, as_decision, is_offer
from distill.classify.replies import Answer, Reply, read_reply
from distill.model import Statement
from distill.text.language import width
from distill.text.lazy import Lazy

SHORT = 60  # width of a message up to which it may be the plain answer to a question
REST = 120  # width of the user's words that go with what was taken
BRIEF = 24  # width up to which the words behind a pick of several only say why
PLACED = 40  # width up to which a message may mean one of two ways that nobody asked about by its place
BARE = 8  # width up to which what follows a yes or no says nothing more
STEPS = 12  # steps of a plan that a single yes approves one by one
_ASKS_BACK = Lazy(
    r"[?？]|吗|呢|什么|怎么|顺便|另外|(?i:\b(?:what|why|how|which|show|explain|continue|also|by the way)\b)"
)
_ONLY = Lazy(r"(?i:\b(?:only|just)\b)|只|就做")
_ALL_BUT = Lazy(r"(?i:\b(?:all|everything|both) (?:of (?:it|them) )?(?:but|except|without)\b)|除了.{1,24}都")
_PART = Lazy(r"\s*[,;，；。]\s*|\.\s+")  # between answers that stand in the order of the questions
# A question that a yes or no cannot answer.
_OPEN_QUESTION = Lazy(
    r"(?i:^(?:(?:and|so|ok|then),? )?(?:which|what|how|where|when|who|whose|why)\b)"
    r"|哪|什么|什麼|怎么|怎麼|多少|几[个次条天]|谁"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """A proposal that the user's words made a decision, and what it says as one."""

    proposal: Statement
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """What a message of the user does to the proposals before it."""

    answer: Answer = Answer.NONE
    taken: tuple[Taken, ...] = ()
    passed: tuple[Statement, ...] = ()  # options that were not taken
    spent: frozenset[int] = frozenset()  # places in the message of the words that say no more than this


def bind(asked: Sequence[Statement], request: str, put: Proposals, cues: CueJudge) -> Bound:
    """What the user's message, `asked` with its text `request`, makes of the proposals `put` before it.

    A list of questions is answered by number, or in its order where there are as many answers as questions.
    """
    if len(put.options) > 1 and (answers := numbered_answers(request, put.options)):
        return _by_number(asked, answers, put, cues)
    questions = {key: one for key, one in put.options.items() if _asks(one)}
    if len(questions) > 1:
        parts = [part for part in _PART.sub("\n", request).split("\n") if part.strip()]
        if len(parts) == len(questions) and all(width(part) <= SHORT for part in parts):
            return _by_number(asked, dict(zip(questions, map(str.strip, parts), strict=True)), put, cues)
        put = replace(put, single=())  # whichever of them it answers, it is not the last for sure
    reply, first = read_reply(request, cues), asked[0]
    if reply.answer is Answer.HOLD:
        return Bound(answer=Answer.HOLD)
    if put.kind is Put.WHICH:
        return _options(first, reply, _which(first, reply, put), put, cues)
    if put.kind is Put.EITHER:
        choice = choose(first.text, put.all, by_name=width(first.text) <= BRIEF)
        if choice.taken and width(first.text) <= PLACED:
            return _options(first, reply, choice, put, cues)
    if put.kind is Put.STEPS:
        return _options(first, reply, _steps(first, reply, put), put, cues)
    if len(put.all) > 1 and (listed := _listed(first, put)).taken:
        return _options(first, reply, listed, put, cues)
    if reply.answer in (Answer.PICK, Answer.BOTH):
        return _options(first, reply, Choice(taken=_keyed(reply, put)), put, cues)
    return _single(asked, reply, put, cues)


# -- several options or steps -----------------------------------------------------------------------------------------


def _keyed(reply: Reply, put: Proposals) -> tuple[Statement, ...]:
    if reply.answer is Answer.BOTH:
        return tuple(put.all)
    picked = [put.pick(key, by_name=reply.named) for key in reply.keys]
    return tuple(one for one in picked if one is not None)


def _which(first: Statement, reply: Reply, put: Proposals) -> Choice:
    """Of alternatives, those that are meant by number, place or name."""
    if reply.answer in (Answer.PICK, Answer.BOTH):
        return Choice(taken=_keyed(reply, put))
    return choose(first.text, put.all)


def _steps(first: Statement, reply: Reply, put: Proposals) -> Choice:
    """Of a plan's steps all that a yes approves, but for those that it leaves out."""
    if reply.answer is Answer.PICK:
        return Choice(taken=_keyed(reply, put))
    choice, only = choose(first.text, put.all), bool(_ONLY.search(first.text))
    if only and choice.taken:
        return Choice(taken=choice.taken)
    if reply.answer in (Answer.YES, Answer.BOTH) or _ALL_BUT.search(first.text):
        if len(put.all) > STEPS:
            return Choice(out=choice.out)
        return Choice(taken=tuple(one for one in put.all if one not in choice.out), out=choice.out)
    return Choice(out=choice.out)


def _listed(first: Statement, put: Proposals) -> Choice:
    """Of a list that nobody asked about, what the user's words take of it by number or place and nothing else."""
    if width(first.text) > SHORT:
        return Choice()
    choice = choose(first.text, put.all, by_name=False)
    if not choice.taken and choice.out and _ALL_BUT.search(first.text):
        return Choice(taken=tuple(one for one in put.all if one not in choice.out), out=choice.out)
    return choice if choice.out or len(choice.taken) > 1 else Choice()


def _options(first: Statement, reply: Reply, choice: Choice, put: Proposals, cues: CueJudge) -> Bound:
    picked = reply.answer is Answer.PICK and reply.rest != first.text.strip()
    rest = (_within(reply.rest, first.text) if picked else first.text).rstrip(".。 ")
    found: list[Taken] = []
    for one in choice.taken:
        text = as_decision(one, cues)
        if one.lead.endswith(("?", "？")):
            text = f"{one.lead} → {text}"
        elif len(choice.taken) == 1:  # several say together what they are about
            text = with_lead(one, text)
        if hollow(text, least=2):  # 「写文件」 says enough where it was one of two ways
            continue
        more = len(choice.taken) == 1 and 0 < width(rest) < REST and goes_beyond(rest, one)
        found.append(Taken(proposal=one, text=f"{text} ({rest})" if more else text))
    if choice.out and not found:  # where others were taken, what was left needs no words
        found.append(Taken(proposal=first, text=_ruled_out(first.text, choice, cues)))
    brief = width(rest) < REST if len(choice.taken) == 1 else width(rest) <= BRIEF
    alone = brief or not goes_beyond(rest, *choice.taken, *choice.out)
    return Bound(
        answer=reply.answer,
        taken=tuple(found),
        passed=_passed(choice.taken, put) if put.kind is not Put.STEPS or reply.answer is Answer.PICK else choice.out,
        spent=frozenset([first.index]) if found and (alone or not choice.taken) else _no_more(first, reply, put),
    )


def _within(rest: str, said: str) -> str:
    """As much of `rest`, what a message says behind its answer, as stands in its first statement `said`."""
    for size in range(min(len(rest), len(said)), 0, -1):
        if said.endswith(rest[:size]) or said.rstrip(".。!！ ").endswith(rest[:size]):
            return rest[:size]
    return ""


def _passed(taken: Iterable[Statement], put: Proposals) -> tuple[Statement, ...]:
    places = {(one.record, one.index) for one in taken}
    return tuple(one for one in put.all if (one.record, one.index) not in places) if places else ()


def _ruled_out(said: str, choice: Choice, cues: CueJudge) -> str:
    """The user's words with the options that they rule out."""
    left = "; ".join(as_decision(one, cues) for one in choice.out)
    return f"{said.rstrip('.。 ')} [{left}]" if width(left) <= REST else said


def _by_number(
    asked: Sequence[Statement], answers: Mapping[str, str], put: Proposals, cues: CueJudge
) -> Bound:
    """Answers to the questions or steps of a list, each by its number."""
    found: list[Taken] = []
    passed: list[Statement] = []
    for key, words in answers.items():
        one = put.options[key]
        reply = read_reply(words, cues)
        if reply.answer is Answer.NO and not _asks(one) and width(reply.rest) < BARE:
            passed.append(one)
        elif reply.answer is Answer.YES and width(reply.rest) < BARE and not _OPEN_QUESTION.search(one.text):
            found.append(Taken(proposal=one, text=as_decision(one, cues)))
        else:
            found.append(Taken(proposal=one, text=f"{one.text} → {words.rstrip('.。 ')}"))
    spent = [one.index for one in asked if any(one.text in words or words in one.text for words in answers.values())]
    return Bound(answer=Answer.PICK, taken=tuple(found), passed=tuple(passed), spent=frozenset(spent))


# -- one question or recommendation -----------------------------------------------------------------------------------


def _single(asked: Sequence[Statement], reply: Reply, put: Proposals, cues: CueJudge) -> Bound:
    first = asked[0]
    if reply.answer is Answer.YES:
        agreed = [one for one in put.single if not (_asks(one) and _OPEN_QUESTION.search(one.text))]
        rest = reply.rest if len(asked) == 1 and 0 < width(reply.rest) <= SHORT else ""
        rest = "" if _ASKS_BACK.search(rest) else rest
        texts = [(one, as_decision(one, cues)) for one in agreed]
        found = [Taken(proposal=one, text=text) for one, text in texts if not hollow(text)]
        if found and rest:
            found[-1] = Taken(proposal=found[-1].proposal, text=f"{found[-1].text} ({rest})")
        if found:
            spent = frozenset([first.index]) if rest else _no_more(first, reply, put)
            return Bound(answer=reply.answer, taken=tuple(found), spent=spent)
    question = put.single[0] if len(put.single) == 1 and len(asked) == 1 else None
    if question is None or reply.answer not in (Answer.NONE, Answer.YES) or not _asks(question):
        return Bound(answer=reply.answer, spent=_no_more(first, reply, put))
    words = reply.rest if reply.answer is Answer.YES else first.text
    plain = 0 < width(words) <= SHORT and not _ASKS_BACK.search(words)
    if not plain or is_offer(question.text, cues) or hollow(question.text):
        return Bound(answer=reply.answer, spent=_no_more(first, reply, put))
    text = f"{question.text} → {first.text.rstrip('.。 ')}"
    return Bound(answer=reply.answer, taken=(Taken(proposal=question, text=text),))


def _no_more(first: Statement, reply: Reply, put: Proposals) -> frozenset[int]:
    """The place of a first statement that says yes, no or which, and nothing more."""
    if reply.answer is Answer.PICK and not put.all:
        return frozenset()
    if reply.answer in (Answer.NONE, Answer.HOLD) or width(reply.rest) >= BARE:
        return frozenset()
    return frozenset([first.index])


def _asks(one: Statement) -> bool:
    return one.text.rstrip().endswith(("?", "？"))
