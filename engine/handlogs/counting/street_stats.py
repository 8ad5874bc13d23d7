"""What players did street by street, and on which street their hands ended and how.

A hand gets to a street for a player who has not folded and whose betting goes on there: a board
that is run out after an all-in is no street that was reached.  It ends for him where he folds, or
where the betting closes: with him alone, or with a showdown.  So of the hands that reach a street,
those that do not end there reach the next one, and what was won in all ends adds up to the result.

N hands, A actions, Q players, P positions, S streets, three ends.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from engine.estimates.winrate import WinRate, win_rate_from_sums
from engine.rules import fast_state as fast

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.estimates.hand_results import HandResults
    from engine.handlogs.counting.hand_actions import HandActions

FOLDED: Final = 0
UNCONTESTED: Final = 1
SHOWN_DOWN: Final = 2
_ENDS: Final = 3
_KINDS: Final = 4


@dataclass(frozen=True, slots=True)
class StreetEnd:
    """The hands of a player that ended on one street in one way."""

    hands: int
    won: WinRate
    """In them, per hand of all hands of the player."""


@dataclass(frozen=True, slots=True)
class StreetStats:
    """One player on one street."""

    player: str
    street: int
    """From 0."""
    hands: int
    """Of the player, in all."""
    reached: int
    folded: StreetEnd
    uncontested: StreetEnd
    shown_down: StreetEnd
    won: WinRate
    """In all hands that ended here, per hand of all."""
    raises: int
    """Bets and raises."""
    calls: int
    checks: int
    folds: int


def street_stats(
    results: HandResults, actions: HandActions, names: Sequence[str], streets: int, big_blind: int
) -> list[StreetStats]:
    """Return a row for each player and street, most hands first.

    Args:
        results: N hands of one game.
        actions: those of the same hands.
        names: (Q,) the players by index.
        streets: S, of the game.
        big_blind: chips.
    """
    players = results.players
    last = np.repeat(actions.closed[:, None].astype(np.int64), players.shape[1], axis=1)
    how = np.where(actions.shown[:, None], SHOWN_DOWN, UNCONTESTED) + np.zeros_like(last)
    folds = actions.kind == fast.TRACE_FOLD
    folded = actions.hand[folds], actions.position[folds]
    last[folded] = actions.street[folds]
    how[folded] = FOLDED
    shape = (len(names), streets, _ENDS)
    cells = np.ravel_multi_index((players, last, how), shape).ravel()
    chips = results.chips.ravel()
    size = int(np.prod(shape))
    ended = np.bincount(cells, minlength=size).reshape(shape)
    total = np.bincount(cells, chips, size).reshape(shape)
    squares = np.bincount(cells, chips * chips, size).reshape(shape)
    kinds = (len(names), streets, _KINDS)
    actor = players[actions.hand, actions.position]
    taken = np.ravel_multi_index((actor, actions.street, actions.kind), kinds)
    counts = np.bincount(taken, minlength=int(np.prod(kinds))).reshape(kinds)
    hands = ended.sum(axis=(1, 2))
    reached = ended.sum(axis=2)[:, ::-1].cumsum(axis=1)[:, ::-1]
    ranked = sorted(range(len(names)), key=lambda player: (-int(hands[player]), names[player]))
    rows = []
    for player in ranked if len(results) else ():

        def won(*cell: int, player: int = player) -> WinRate:
            chips = float(total[player][cell].sum())
            spread = float(squares[player][cell].sum())
            return win_rate_from_sums(int(hands[player]), chips, spread, big_blind)

        for street in range(streets):
            ends = [
                StreetEnd(int(ended[player, street, end]), won(street, end)) for end in range(_ENDS)
            ]
            count = counts[player, street].tolist()
            rows.append(
                StreetStats(
                    player=names[player],
                    street=street,
                    hands=int(hands[player]),
                    reached=int(reached[player, street]),
                    folded=ends[FOLDED],
                    uncontested=ends[UNCONTESTED],
                    shown_down=ends[SHOWN_DOWN],
                    won=won(street),
                    raises=count[fast.TRACE_RAISE],
                    calls=count[fast.TRACE_CALL],
                    checks=count[fast.TRACE_CHECK],
                    folds=count[fast.TRACE_FOLD],
                )
            )
    return rows
