"""Scripts that bet without looking at their cards: what no sound strategy loses to.

A script is written as one word per street, separated by commas; the last one serves all streets
after it too:

    C       checks and calls
    F       checks, and folds to any bet
    300     raises by 300 % of the pot once, as soon as it is to act, then checks and calls
    300f    the same, but folds where 300 would call
    300w    raises by 300 % of the pot at every turn: a war; calls where no raise is possible
    300o    only where nobody has bet on the street: checked to, it bets, and bet into, it calls
    300r    only where somebody has: it raises a bet, and checks where there is none
    m, a    in place of a number: the smallest legal raise, all chips

Letters may stand together, as in 300fo.  A script of two such texts with a slash between them plays
by the first where it acts first before the flop, and by the second in the other seat: C,C,C,400/a.
"C,300f" checks and calls before the flop and bets three pots once on every street after it.  Raises
are pot fractions as in `engine.betting.bet_menu`; where none is legal, the script does what it does
after its raise.  In limit games every size is the one that there is.

Because such a script holds every hand with the same probability whatever it does, all it can win
from is how its bets are answered: one that wins shows a hole, though the other way round proves
nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

import numpy as np

from engine.betting.bet_menu import ALL_IN, BetMenu, StreetMenu
from engine.betting.policy import Strategy
from engine.hands.cards import COMBOS
from engine.rules.state import HandState
from protocol.actions import CALL, FOLD, RAISE, Action, raise_to
from protocol.gamedef import MAX_STREETS, GameDef

SCRIPT_PREFIX: Final = "script:"
_SMALLEST_POTS: Final = 1e-9
"""It is played as the smallest legal raise, as all sizes that are too small."""
_WORDS: Final = {"m": _SMALLEST_POTS, "a": ALL_IN}
_SIZED: Final = re.compile("(?P<size>m|a|[1-9][0-9]{0,4})(?P<how>[fwor]*)")
_SEATS: Final = 2
_MOST_QUOTED_LETTERS: Final = 40


class RaiseTrigger(Enum):
    """Where a script raises."""

    ANY = ""
    UNBET = "o"
    BET = "r"


@dataclass(frozen=True, slots=True)
class StreetScript:
    """What a script does on one street."""

    size: float | None
    """Of its raises, pots; None: it never raises."""
    again: bool = False
    """Whether it raises at every turn instead of once."""
    folds: bool = False
    """Whether it folds to a bet where it does not raise, instead of calling."""
    when: RaiseTrigger = RaiseTrigger.ANY


@dataclass(frozen=True, slots=True)
class BlindScript:
    """A script as a `Policy`, for two players."""

    name: str
    seats: tuple[tuple[StreetScript, ...], tuple[StreetScript, ...]]
    """What it does on each street where it acts first before the flop, and in the other seat."""

    def strategy(self, state: HandState, board: Sequence[int]) -> Strategy:
        """Return the one action for all combos."""
        return Strategy((self.action(state),), np.ones((COMBOS, 1), np.float32))

    def action(self, state: HandState) -> Action:
        """Return the script's action at `state`."""
        streets = self.seats[state.actor != state.game.first_positions[0]]
        script = streets[min(state.street, len(streets) - 1)]
        if script.size is not None and _is_time(script, state):
            totals = BetMenu((StreetMenu(((script.size,),)),)).raise_tos(state)
            if totals:
                return raise_to(totals[0]) if state.game.no_limit else RAISE
        return FOLD if script.folds and state.can_fold else CALL


def _is_time(script: StreetScript, state: HandState) -> bool:
    if script.when is not RaiseTrigger.ANY and (state.raises > 0) != (
        script.when is RaiseTrigger.BET
    ):
        return False
    return script.again or not any(
        spot.street == state.street and spot.actor == state.actor and action.kind == "r"
        for spot, action in state.history
    )


def parse_script(text: str) -> BlindScript:
    """Return the script written as in the module's table.

    Raises:
        ValueError: a word is none of the table's, or there are more of them than streets; the
            message says so.
    """
    seats = text.split("/")
    if len(seats) > _SEATS:
        raise ValueError(f"a script has at most {_SEATS} seats, not {len(seats)}")
    return BlindScript(text, (_streets(seats[0]), _streets(seats[-1])))


def _streets(text: str) -> tuple[StreetScript, ...]:
    parts = text.split(",")
    if len(parts) > MAX_STREETS:
        raise ValueError(f"a script has at most {MAX_STREETS} streets, not {len(parts)}")
    return tuple(map(_street, parts))


def _street(word: str) -> StreetScript:
    if word in ("C", "F"):
        return StreetScript(None, folds=word == "F")
    match = _SIZED.fullmatch(word)
    if match is None or len(set(match["how"])) < len(match["how"]) or {*match["how"]} >= {*"or"}:
        raise ValueError(
            f"a script on a street {word[:_MOST_QUOTED_LETTERS]!r}: want C, F or a size - per "
            f"cent of the pot, "
            "m or a - with nothing or some of f, w, o, r after it"
        )
    size, how = match["size"], match["how"]
    when = next(
        (trigger for trigger in (RaiseTrigger.UNBET, RaiseTrigger.BET) if trigger.value in how),
        RaiseTrigger.ANY,
    )
    pots = _WORDS[size] if size in _WORDS else int(size) / 100
    return StreetScript(pots, "w" in how, "f" in how, when)


_SIZES: Final = ("m", "50", "100", "200", "300", "500", "a")
_STARTS: Final = ("", "C,", "C,C,", "C,C,C,")

BLIND_SCRIPTS: Final = tuple(
    parse_script(text)
    for text in (
        *("C", "F"),
        *(f"{start}{size}{end}" for size in _SIZES for start in _STARTS for end in ("", "f")),
        *(f"{start}{size}w" for size in ("m", "100") for start in _STARTS),
        *(f"{start}{size}fo" for size in ("50", "100", "300", "a") for start in _STARTS),
        *(f"{start}{size}r" for size in ("100", "300", "500", "a") for start in _STARTS),
        *("C/a", "a/C", "100/a", "300/a", "C,C,C,400/a", "C,C,C,400r/a", "F/a", "ar,F/a"),
        *("ar,F,25rf,75f/500w,300fo,F", "500w,150w,75f,F/300w,afo,F"),
    )
)
"""Those that everybody can think of: each size, from each street on, once and calling or folding
to raises; wars; bets only where checked to, and raises only of bets; all-in in one seat.  Beside
them the last three, which a search found: they won from models much deeper than the stacks."""
_IN_LIMIT: Final = tuple(
    parse_script(text)
    for text in ("C", "F", *(f"{start}m{end}" for start in _STARTS for end in ("", "f", "w")))
)


def blind_scripts(game: GameDef) -> tuple[BlindScript, ...]:
    """Return the scripts that are tried in a game of so many sizes."""
    return BLIND_SCRIPTS if game.no_limit else _IN_LIMIT
