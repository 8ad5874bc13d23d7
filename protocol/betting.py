"""Betting text <-> actions per street.

    betting = street *("/" street)
    street  = *action
    action  = "f" / "c" / "r" *10DIGIT        "r300" raises to 300 chips, plain "r" in limit games

This is the strict grammar of what a dealer writes; whether the actions are legal is the engine's
question.  Runs of digits are bounded because turning a huge one into a number is expensive.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from protocol.actions import CALL, FOLD, RAISE, Action
from protocol.errors import MalformedBetting

MAX_SIZE_DIGITS: Final = 10
"""A stack can hold 2**31 - 1 chips, which has ten digits."""

BETTING_PATTERN: Final = rf"(?:[fc/]|r[0-9]{{0,{MAX_SIZE_DIGITS}}}+)*+"
"""The grammar as a regular expression without groups.  Possessive: an action is decided by its
first letter, so giving characters back never helps and matching takes linear time."""

_BETTING: Final = re.compile(BETTING_PATTERN)
_ACTION: Final = re.compile(r"[fc]|r[0-9]*")
_PLAIN: Final = {"f": FOLD, "c": CALL, "r": RAISE}


def parse_betting(text: str) -> tuple[tuple[Action, ...], ...]:
    """Return the actions, one tuple for each part between slashes ("cc/" has two, one empty).

    Raises:
        MalformedBetting: `text` is outside the grammar above.
    """
    if _BETTING.fullmatch(text) is None:
        raise MalformedBetting(text)
    return tuple([_parse_street(street) for street in text.split("/")])


def parse_actions(text: str) -> list[Action]:
    """Return the actions of a betting text, or of a part of one, wherever its slashes stand.

    Raises:
        MalformedBetting: `text` is outside the grammar above.
    """
    plain = _PLAIN.get(text)
    if plain is not None:
        return [plain]
    if _BETTING.fullmatch(text) is None:
        raise MalformedBetting(text)
    return _actions_in(text)


def split_last_action(text: str) -> tuple[str, str]:
    """Return a betting text before its last action, and that action without slashes behind it.

    "cr300c/r600" gives "cr300c/" and "r600"; both are "" where there is no action.
    """
    played = text.rstrip("/")
    if played[-1:] in _PLAIN:
        return played[:-1], played[-1]
    start = max(played.rfind("r"), 0)
    return played[:start], played[start:]


def format_betting(streets: Iterable[Sequence[Action]]) -> str:
    """Inverse of `parse_betting`."""
    return "/".join(["".join([action.text for action in street]) for street in streets])


def _parse_street(street: str) -> tuple[Action, ...]:
    return tuple(_actions_in(street))


def _actions_in(text: str) -> list[Action]:
    return [_PLAIN.get(part) or Action("r", int(part[1:])) for part in _ACTION.findall(text)]
