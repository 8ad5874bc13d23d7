"""Which actions local best response looks at on each street, as data.

A setting is written as one word per street, separated by commas:

    C       checks and calls, whatever comes
    FC      fold, check or call; F, C, P and A may stand together in this order
    P       a pot-sized raise
    A       all chips
    4       fold, check, call and the 4 sizes of `FOUR`
    8       fold, check, call and the 8 sizes of `EIGHT`
    56      fold, check, call and the 56 sizes of `FIFTY_SIX`

"C,C,FCPA,FCPA" waits for the turn.  Folding is offered only against a bet, and a raise only where
the rules allow one; sizes are pot fractions as in `engine.betting.bet_menu`.

The four published settings and what LBR won with them from well-known bots (mbb/h) are in
Lisy, Bowling, "Equilibrium approximation quality of current no-limit poker bots", 2017, and in the
supplement of Moravcik et al., "DeepStack: expert-level artificial intelligence in heads-up no-limit
poker", Science 356, 2017.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.betting.bet_menu import ALL_IN, BetMenu, StreetMenu
from engine.rules.state import HandState
from protocol.actions import CALL, FOLD, RAISE, Action, raise_to
from protocol.gamedef import MAX_STREETS, GameDef

FIFTY_SIX: Final = (*(0.05 * 1.15**step for step in range(55)), ALL_IN)
"""A geometric ladder: 5 % of the pot, each size 15 % more than the one before, up to 94.8 pots,
and all-in.  The articles say how many sizes there are, not which; this ladder is what the headers
of the authors' published match logs are reported to list."""
FOUR: Final = (0.5, 1.0, 2.0, ALL_IN)
EIGHT: Final = (0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, ALL_IN)
"""Most of what 56 bring, from agents that have to be asked about each of them; a choice."""

_LADDERS: Final = {"4": FOUR, "8": EIGHT, "56": FIFTY_SIX}
_SIZES: Final = {"P": 1.0, "A": ALL_IN}
_MOST_QUOTED_LETTERS: Final = 40


@dataclass(frozen=True, slots=True)
class StreetOptions:
    """What LBR may do on one street besides checking and calling."""

    may_fold: bool
    raises: tuple[float, ...]
    """Pot fractions, ascending; empty where it only calls."""


@dataclass(frozen=True, slots=True)
class LbrSettings:
    """LBR's options on every street; the last entry serves all streets after it too."""

    name: str
    streets: tuple[StreetOptions, ...]

    def __post_init__(self) -> None:
        """Refuse a setting without streets, and sizes that are no sizes."""
        self._menu()

    def actions(self, state: HandState) -> tuple[Action, ...]:
        """Return the legal actions to compare at `state`: call, raises ascending, fold."""
        street = self.streets[min(state.street, len(self.streets) - 1)]
        actions = [CALL]
        if street.raises:
            totals = self._menu().raise_tos(state)
            actions += [raise_to(total) if state.game.no_limit else RAISE for total in totals]
        if street.may_fold and state.can_fold:
            actions.append(FOLD)
        return tuple(actions)

    def _menu(self) -> BetMenu:
        return BetMenu(tuple(StreetMenu((street.raises,)) for street in self.streets))


def parse_lbr_settings(text: str) -> LbrSettings:
    """Return the settings written as in the module's table.

    Raises:
        ValueError: a word is none of the table's, or there are more of them than streets; the
            message says so.
    """
    parts = text.split(",")
    if len(parts) > MAX_STREETS:
        raise ValueError(f"LBR has settings of at most {MAX_STREETS} streets, not {len(parts)}")
    return LbrSettings(text, tuple(map(_street, parts)))


def suspect_settings(game: GameDef) -> tuple[LbrSettings, ...]:
    """Return the settings in which a strategy for `game` is likely to lose most."""
    return _SUSPECTS if game.no_limit else _SUSPECTS_IN_LIMIT


def _street(word: str) -> StreetOptions:
    if word in _LADDERS:
        return StreetOptions(True, _LADDERS[word])
    chosen = [letter for letter in "FCPA" if letter in word]
    if "".join(chosen) != word or "C" not in chosen:
        raise ValueError(
            f"LBR on a street {word[:_MOST_QUOTED_LETTERS]!r}: want C with F, P or A as in FCPA, "
            f"or 4, 8 or 56"
        )
    return StreetOptions("F" in chosen, tuple(_SIZES[s] for s in chosen if s in _SIZES))


PUBLISHED_SETTINGS: Final = tuple(
    parse_lbr_settings(text) for text in ("FC,FC,FC,FC", "C,C,FCPA,FCPA", "C,C,56,56", "C,56,FC,FC")
)
"""They stand in the order of the articles' tables."""

_SUSPECTS: Final = (
    *PUBLISHED_SETTINGS,
    *map(
        parse_lbr_settings,
        (
            *("56,56,56,56", "56,FC,FC,FC", "C,56,56,56", "C,C,56,FC", "C,C,C,56"),
            *("FCPA,FCPA,FCPA,FCPA", "FCPA,FC,FC,FC", "C,FCPA,FC,FC", "C,C,C,FCPA"),
        ),
    ),
)
_SUSPECTS_IN_LIMIT: Final = tuple(
    parse_lbr_settings(text)
    for text in (
        *("FC,FC,FC,FC", "FCP,FCP,FCP,FCP", "FCP,FC,FC,FC", "C,FCP,FCP,FCP", "C,FCP,FC,FC"),
        *("C,C,FCP,FCP", "C,C,FCP,FC", "C,C,C,FCP"),
    )
)
