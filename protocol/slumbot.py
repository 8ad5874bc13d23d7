"""Slumbot's words: the betting of a hand as a text, and an action as its clients send it.  Pure.

    betting  streets joined by "/", which stands as soon as a street has ended: b200c/kk/kb400
    action   k  check            c   call            f  fold
             bN bet or raise: N chips of this player on this street, with its blind before the flop

Behind the call of an all-in the streets without actions are there: b20000c///.  Behind the last
action of the river, and behind a fold, there is nothing.  Two players, position 0 the big blind.

Source: sample_api.py of slumbot.com and what its users have recorded (slumbot2019, issues 23, 24,
29 and 30).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from protocol.errors import WrongAnswer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from protocol.decision_json import AskedDecision, BettingStep

BLINDS: Final = (100, 50)
"""By position."""
STACK: Final = 20_000
_RIVER: Final = 3
_INCREMENT: Final = re.compile(r"[kcf]|b([1-9][0-9]{0,8})")
_LETTERS: Final = {"check": "k", "call": "c", "fold": "f"}


class SlumbotAction(NamedTuple):
    """What a client wants to do."""

    word: str
    """fold, check, call or raise."""
    to: int | None = None
    """Total of a raise over the whole hand."""


def open_betting(betting: Sequence[BettingStep], street: int) -> str:
    """Return the text of a hand that is played.

    Args:
        street: of the next action.
    """
    texts = [""] * (street + 1)
    for step in betting:
        texts[step.street] += _text(step, betting)
    return "/".join(texts)


def ended_betting(betting: Sequence[BettingStep]) -> str:
    """Return the text of a hand that is over."""
    last = betting[-1]
    return open_betting(betting, last.street if last.word == "fold" else _RIVER)


def _text(step: BettingStep, betting: Sequence[BettingStep]) -> str:
    if step.word == "raise":
        return f"b{step.to - _spent_before(step.street, betting)}"
    return _LETTERS[step.word]


def _spent_before(street: int, betting: Sequence[BettingStep]) -> int:
    """Return what each player has put in on earlier streets."""
    if street == 0:
        return 0
    return max([max(BLINDS), *(step.to for step in betting if step.street < street)])


def chips_put_in(betting: Sequence[BettingStep]) -> int:
    """Return what both players have put in, a bet that was not called included."""
    spent = list(BLINDS)
    for step in betting:
        if step.word == "raise":
            spent[step.position] = step.to
        elif step.word == "call":
            spent[step.position] = max(spent)
    return sum(spent)


def read_increment(text: str, asked: AskedDecision) -> SlumbotAction:
    """Return the one action that a client sends.

    Raises:
        WrongAnswer: it is none, more than one, or not legal; the message says why.
    """
    match = _INCREMENT.fullmatch(text)
    if match is None:
        raise WrongAnswer("Illegal action: want one of k, c, f, b and chips on this street")
    if match[1] is not None:
        return _bet(int(match[1]), asked)
    if text == "k" and asked.to_call:
        raise WrongAnswer("Illegal check")
    if text == "c" and not asked.to_call:
        raise WrongAnswer("Illegal call")
    if text == "f" and not asked.can_fold:
        raise WrongAnswer("Illegal fold")
    return SlumbotAction({letter: word for word, letter in _LETTERS.items()}[text])


def _bet(chips: int, asked: AskedDecision) -> SlumbotAction:
    if asked.raises is None:
        raise WrongAnswer("Illegal bet")
    before = _spent_before(asked.street, asked.betting)
    smallest, largest = (total - before for total in asked.raises)
    if not smallest <= chips <= largest:
        size = "small" if chips < smallest else "big"
        raise WrongAnswer(f"Bet too {size}: b{smallest} to b{largest} are legal")
    return SlumbotAction("raise", chips + before)
