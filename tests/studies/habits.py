"""What a player did over many hands for two: how much it plays, how often it raises, shows down.

    vpip               hands with a voluntary call or raise before the flop / hands with a decision
                       there
    played             hands it does not fold / hands whose first decision is against a raise: in
                       the big blind, with a hand that nothing but the deal has chosen
    raise share        raises / actions but folds, where a raise was legal
    aggression factor  (bets + raises) / calls after the flop
    showdown rate      showdowns / hands that saw the flop

`played` and `raise share` are the measured tightness and aggression: for the bots of the pool that
play a band, they come near the numbers they were given.  The others are as in `arena stats`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import inlined_kernel, kernel
from engine.rules import fast_state as fast
from engine.rules.packed_game import pack_game

if TYPE_CHECKING:
    from engine.play.compiled_match import HandRecords
    from protocol.gamedef import GameDef

# Columns of the counts of a player.
HANDS: Final = 0
FIRST_DECISIONS: Final = 1
VOLUNTARY: Final = 2
RAISED_AT: Final = 3
"""Hands whose first decision was against a raise, and those of them not folded there."""
STAYED: Final = 4
COULD_RAISE: Final = 5
"""Actions but folds where a raise was legal, and the raises among them."""
RAISES: Final = 6
FLOP_RAISES: Final = 7
"""After the flop."""
FLOP_CALLS: Final = 8
SAW_FLOP: Final = 9
SHOWDOWNS: Final = 10
COUNTS: Final = 11


@dataclass(frozen=True, slots=True)
class MeasuredHabits:
    """Shares are 0..1, None where there was no occasion; see the module for what they mean."""

    hands: int
    vpip: float | None
    played: float | None
    raise_share: float | None
    aggression_factor: float | None
    showdown_rate: float | None


def habits_of(counts: NDArray[np.int64]) -> MeasuredHabits:
    """Return the habits that (COUNTS,) int64 counts tell."""

    def share(part: int, whole: int) -> float | None:
        return float(counts[part] / counts[whole]) if counts[whole] else None

    return MeasuredHabits(
        hands=int(counts[HANDS]),
        vpip=share(VOLUNTARY, FIRST_DECISIONS),
        played=share(STAYED, RAISED_AT),
        raise_share=share(RAISES, COULD_RAISE),
        aggression_factor=share(FLOP_RAISES, FLOP_CALLS),
        showdown_rate=share(SHOWDOWNS, SAW_FLOP),
    )


def count_actions(game: GameDef, records: HandRecords, seating: int = 0) -> NDArray[np.int64]:
    """Return what the two players of some hands did, (2, COUNTS) int64.

    Args:
        game: of two players.
        records: what was done in the hands of a match, from its first hand on.
        seating: 1 where the players' positions are exchanged, the second seating of a duplicate.

    Raises:
        ValueError: the game is not for two, or a hand is not whole or not legal.
    """
    if game.players != 2:
        raise ValueError(f"habits are counted over hands of two players, not of {game.players}")
    counts = np.zeros((2, COUNTS), np.int64)
    hand = np.zeros(fast.HAND_WIDTH, np.int64)
    read = _count(pack_game(game), records.actions, records.ends, seating, hand, counts)
    if read < len(records.ends):
        raise ValueError(f"hand {read} is no whole hand of this game: {records.actions_of(read)}")
    return counts


# Kernels: arguments are trusted, results go to the last argument.


@kernel
def _count(
    game: NDArray[np.int64],
    actions: NDArray[np.int64],
    ends: NDArray[np.int64],
    seating: int,
    hand: NDArray[np.int64],
    counts: NDArray[np.int64],
) -> int:
    """Count the hands; return how many could be read, all of them unless one is at fault."""
    seen = np.zeros(2, np.int64)
    at = 0
    for i in range(len(ends)):
        first = (i + seating) & 1  # position of the first player
        fast.start(game, hand)
        seen[:] = 0
        while at < ends[i] and hand[fast.ACTOR] >= 0:
            kind = actions[at] & 0xFF
            _count_action(game, hand, kind, seen, counts[hand[fast.ACTOR] ^ first])
            if not fast.act(game, hand, kind, actions[at] >> 8):
                return i
            at += 1
        if hand[fast.ACTOR] >= 0 or at < ends[i]:
            return i
        for position in range(2):
            own = counts[position ^ first]
            own[HANDS] += 1
            own[FIRST_DECISIONS] += seen[position] & 1
            own[VOLUNTARY] += seen[position] >> 1
            if hand[fast.ACTED_ON] > 0 or hand[fast.STAYING] > 1:
                own[SAW_FLOP] += 1
                own[SHOWDOWNS] += hand[fast.STAYING] > 1
    return len(ends)


@inlined_kernel
def _count_action(
    game: NDArray[np.int64],
    hand: NDArray[np.int64],
    kind: int,
    seen: NDArray[np.int64],
    own: NDArray[np.int64],
) -> None:
    """Count what the actor is about to do; seen: per position, 1 once it decided, 2 voluntarily."""
    position = hand[fast.ACTOR]
    if hand[fast.STREET] == 0:
        if seen[position] == 0 and hand[fast.RAISES] == 1:
            own[RAISED_AT] += 1
            own[STAYED] += kind != fast.FOLD
        calls = kind == fast.CALL and fast.can_fold(hand)
        seen[position] |= 3 if calls or kind == fast.RAISE else 1
    elif kind == fast.RAISE:
        own[FLOP_RAISES] += 1
    elif kind == fast.CALL and fast.can_fold(hand):
        own[FLOP_CALLS] += 1
    smallest, largest = fast.raise_range(game, hand)
    if kind != fast.FOLD and smallest <= largest:
        own[COULD_RAISE] += 1
        own[RAISES] += kind == fast.RAISE
