"""What a bot's lines are, held against what they should be."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final

from engine.rules.replies import Echo, Problem, ReplyVerdict, read_action, split_reply, unreadable
from protocol.replies import action_kind

if TYPE_CHECKING:
    from collections.abc import Container

    from engine.rules.dealing import Deal
    from engine.rules.state import HandState


class FaultKind(Enum):
    """What can be wrong with a line, in words that a count may precede."""

    ECHO = "another state than the one asked about"
    UNREADABLE = "no answer at all"
    OUT_OF_TURN = "an answer out of turn"
    AGAIN = "a second answer to the same state"
    MALFORMED = "no action that can be read"
    ILLEGAL = "an action that is not legal"
    SIZE = "a raise of a size that is not legal"
    SPELLING = "the state spelled otherwise"
    LINE_END = "LF alone at the end"
    LONG_ACTION = "more than f, c or r and a number behind the state"


TOLERATED_FAULTS: Final = frozenset((FaultKind.SPELLING, FaultKind.LINE_END, FaultKind.LONG_ACTION))
FORM_FAULTS: Final = (
    frozenset((FaultKind.ECHO, FaultKind.UNREADABLE, FaultKind.MALFORMED)) | TOLERATED_FAULTS
)
UNASKED_FAULTS: Final = frozenset((FaultKind.OUT_OF_TURN, FaultKind.AGAIN))
RULE_FAULTS: Final = frozenset((FaultKind.MALFORMED, FaultKind.ILLEGAL, FaultKind.SIZE))

_OF_PROBLEM: Final = {
    Problem.MALFORMED: FaultKind.MALFORMED,
    Problem.ILLEGAL: FaultKind.ILLEGAL,
    Problem.SIZE: FaultKind.SIZE,
}


@dataclass(frozen=True, slots=True)
class AnswerFault:
    """A line that is not as it should be."""

    kind: FaultKind
    asked: bytes
    """The state that the bot was asked about, without line end; b"" where it was asked nothing."""
    line: bytes
    """What it sent, line end included."""
    legal_actions: str = ""
    """Which actions would have been legal, "" where that is not the question."""


@dataclass(frozen=True, slots=True)
class Question:
    """What a bot was asked, with all that its answer is to be held against."""

    text: bytes
    """The state as sent, without line end."""
    state: HandState
    hand_id: int
    position: int
    deal: Deal


@dataclass(frozen=True, slots=True)
class LineJudgement:
    """What a line is."""

    verdict: ReplyVerdict | None
    """The action, None where the line answers nothing that was asked."""
    faults: tuple[AnswerFault, ...] = ()


def judge_line(
    line: bytes, question: Question, shown: Container[bytes], answered: Container[bytes]
) -> LineJudgement:
    """Return what a line is that came while a question was open.

    An answer with another state is taken for one all the same, unless it is one to a state that
    the bot has seen: so that the match goes on, and what else is wrong can be found.

    Args:
        line: as it came, line end included.
        question: the one that is open.
        shown: states the bot was shown and not asked about, without line ends.
        answered: states that it has answered already.
    """
    echo = question.text + b":"
    faults = []
    if line.startswith(echo):
        text = line[len(echo) :]
    elif fault := _unasked(line, question.text, shown, answered):
        return LineJudgement(None, (fault,))
    else:
        kind, rest = _other_echo(line, question)
        faults.append(AnswerFault(kind, question.text, line))
        if rest is None:
            return LineJudgement(None, tuple(faults))
        text = rest
    verdict = read_action(question.state, text) if text.strip() else unreadable()
    if verdict.problem is not None:
        legal_actions = f"legal were {legal_words(question.state)}"
        faults.append(AnswerFault(_OF_PROBLEM[verdict.problem], question.text, line, legal_actions))
    elif not faults:
        faults += _in_form(line, text, verdict, question)
    return LineJudgement(verdict, tuple(faults))


def judge_unasked(line: bytes, shown: Container[bytes], answered: Container[bytes]) -> AnswerFault:
    """Return what is wrong with a line that came while no question was open."""
    fault = _unasked(line, b"", shown, answered)
    return fault or AnswerFault(FaultKind.OUT_OF_TURN, b"", line)


def legal_words(state: HandState) -> str:
    """Return the legal actions in words, as they stand on the wire."""
    actions = ["f"] if state.can_fold else []
    actions.append("c")
    if (legal := state.raise_range()) is not None:
        smallest, largest = legal
        if not state.game.no_limit:
            actions.append("r")
        elif smallest == largest:
            actions.append(f"r{largest}")
        else:
            actions.append(f"r{smallest} to r{largest}")
    return ", ".join(actions)


def _unasked(
    line: bytes, asked: bytes, shown: Container[bytes], answered: Container[bytes]
) -> AnswerFault | None:
    state = line.rstrip(b"\r\n").rpartition(b":")[0].rstrip(b"\r")
    if state in shown:
        return AnswerFault(FaultKind.OUT_OF_TURN, asked, line)
    if state in answered:
        return AnswerFault(FaultKind.AGAIN, asked, line)
    return None


def _other_echo(line: bytes, question: Question) -> tuple[FaultKind, bytes | None]:
    """Return what the state part of an answer is, and what follows it, None where nothing does."""
    echo, text = split_reply(
        line.partition(b"\0")[0],
        question.state,
        question.hand_id,
        question.position,
        question.deal,
    )
    if echo is Echo.SAME:
        return FaultKind.SPELLING, text or b""
    last = line.rstrip(b"\r\n").rpartition(b":")[2]
    if line.startswith(b"MATCHSTATE:") or (len(last) < 12 and action_kind(last)):
        return FaultKind.ECHO, last + b"\r\n"
    return FaultKind.UNREADABLE, None


def _in_form(
    line: bytes, text: bytes, verdict: ReplyVerdict, question: Question
) -> list[AnswerFault]:
    """Return what is unusual about an answer that the dealer takes as it is."""
    action = verdict.action.text.encode("ascii")
    if text == action + b"\r\n":
        return []
    faults = []
    if not text.endswith(b"\r\n"):
        faults.append(AnswerFault(FaultKind.LINE_END, question.text, line))
    if text.rstrip(b"\r\n") != action:
        faults.append(AnswerFault(FaultKind.LONG_ACTION, question.text, line))
    return faults
