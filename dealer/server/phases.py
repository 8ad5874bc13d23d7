"""What a match waits for, and what may happen meanwhile."""

from enum import Enum
from typing import Final


class MatchPhase(Enum):
    """What a match waits for."""

    STARTING = "starting"
    """To be played."""
    ASKED = "asked"
    """The reply of the seat to act."""
    ASKED_HELD = "asked, held"
    """A seat that does not read what it is sent; then the reply."""
    HAND_OVER = "hand over"
    """Nothing: the next hand comes at once, or the end."""
    HAND_OVER_HELD = "hand over, held"
    """A seat that does not read what it is sent; then the next hand."""
    ON_FAST_PATH = "on the fast path"
    """The end of a visit to it, see `dealer.server.fast_path`."""
    OVER = "over"
    """Nothing any more."""


_STARTING: Final = MatchPhase.STARTING
_ASKED: Final = MatchPhase.ASKED
_ASKED_HELD: Final = MatchPhase.ASKED_HELD
_HAND_OVER: Final = MatchPhase.HAND_OVER
_HAND_OVER_HELD: Final = MatchPhase.HAND_OVER_HELD
_ON_FAST_PATH: Final = MatchPhase.ON_FAST_PATH
_OVER: Final = MatchPhase.OVER

TRANSITIONS: Final[dict[MatchPhase, dict[str, MatchPhase]]] = {
    _STARTING: {
        "ask": _ASKED,
        "end hand": _HAND_OVER,
        "enter fast path": _ON_FAST_PATH,
        "finish": _OVER,
        "stop": _OVER,
    },
    _ASKED: {"end hand": _HAND_OVER, "hold": _ASKED_HELD, "stop": _OVER},
    _ASKED_HELD: {"release": _ASKED, "stop": _OVER},
    _HAND_OVER: {
        "ask": _ASKED,
        "end hand": _HAND_OVER,
        "hold": _HAND_OVER_HELD,
        "enter fast path": _ON_FAST_PATH,
        "finish": _OVER,
        "stop": _OVER,
    },
    _HAND_OVER_HELD: {"release": _HAND_OVER, "stop": _OVER},
    _ON_FAST_PATH: {"ask": _ASKED, "end hand": _HAND_OVER, "stop": _OVER},
    _OVER: {},
}
"""What may happen in a phase, and the phase it leads to."""
