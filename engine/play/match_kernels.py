"""Compiled matches between two policies: the loop over the hands, and what it tells them.

Players are 0 and 1, positions as in the game: player (p + hand + swapped) % 2 is in position p.

    game     packed game (`engine.rules.packed_game`)
    cards    (H, 9) uint8    hole cards of position 0, of position 1, then the board
    actions  (A,) int64      raise_to << 8 | kind of each action, hand after hand; empty if nobody
                             wants them
    ends     (H,) int64      where the actions of a hand end
    won      (H,) float64    chips won by player 0
"""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import inlined_kernel, kernel
from engine.compiled.splitmix import random_word
from engine.equity.equity_tables_kernels import (
    RIVER_HALVES,
    TOP,
    EquityTables,
    level_of,
    percentile_of,
    river_halves,
)
from engine.hands.cards import COMBOS
from engine.hands.combo_kernels import combo_at
from engine.hands.isomorphism_kernels import SCRATCH, class_of_cards
from engine.play.draws import DRAWS, MOST_DECISIONS
from engine.play.spot import NOBODY, UNSEEN, Spot
from engine.rules.fast_state import (
    ACTOR,
    CALL,
    FOLD,
    FOLDED,
    HAND_WIDTH,
    MAX_TRACE,
    RAISE,
    RAISES,
    SPENT,
    STREET,
    TO_MATCH,
    act,
    can_fold,
    is_showdown,
    raise_range,
    start,
)
from engine.rules.packed_game import BLINDS, LARGEST_BLIND, STACKS
from engine.showdown.board_kernels import fill_ranks

KIND_BITS: Final = 8
"""Of an entry of `actions`."""
HOLE: Final = 2
BOARD: Final = 5

_RIVER: Final = 3
_UNIT: Final = 2.0**-53
_int: Any = np.int64
_word: Any = np.uint64


class PlayerRows(NamedTuple):
    """The rows of one player of a match."""

    params: NDArray[np.float64]
    memory: NDArray[np.float64]
    seed: int
    """uint64"""


class MatchRecord(NamedTuple):
    """What becomes of the hands that are dealt; whatever else is to be noted of them goes here."""

    actions: NDArray[np.int64]
    """(A,)"""
    ends: NDArray[np.int64]
    """(H,)"""
    won: NDArray[np.float64]
    """(H,)"""


class MatchScratch(NamedTuple):
    """What a match writes on; each thread has its own."""

    hand: NDArray[np.int64]
    """(HAND_WIDTH,) the betting."""
    holes: NDArray[np.int64]
    """(2, 2) by position."""
    unseen: NDArray[np.int64]
    """(2,) hole cards of somebody else."""
    board: NDArray[np.int64]
    """(5,) as far as it is seen."""
    levels: NDArray[np.int64]
    """(2,) level of p by position on this street, -1 if nobody has asked."""
    decisions: NDArray[np.int64]
    """(2,) taken in this hand, by position."""
    draws: NDArray[np.float64]
    """(4,)"""
    known: NDArray[np.uint8]
    """(7,) hole cards and board of one position."""
    suits: NDArray[np.int64]
    """(SCRATCH,)"""
    ranks: NDArray[np.uint16]
    """(1326,) of all combos on the complete board, if `ranked`."""
    ranked: NDArray[np.bool_]
    """(1,)"""


def match_scratch() -> MatchScratch:
    """Return scratch for one thread."""
    return MatchScratch(
        hand=np.zeros(HAND_WIDTH, np.int64),
        holes=np.zeros((2, HOLE), np.int64),
        unseen=np.full(HOLE, UNSEEN, np.int64),
        board=np.zeros(BOARD, np.int64),
        levels=np.zeros(2, np.int64),
        decisions=np.zeros(2, np.int64),
        draws=np.zeros(DRAWS),
        known=np.zeros(HOLE + BOARD, np.uint8),
        suits=np.zeros(SCRATCH, np.int64),
        ranks=np.zeros(COMBOS, np.uint16),
        ranked=np.zeros(1, np.bool_),
    )


# Kernels: arguments are trusted, results go to the last arguments.


@kernel
def play_dealt_rows(
    game: NDArray[np.int64],
    tables: EquityTables,
    cards: NDArray[np.uint8],
    first_hand: int,
    swapped: int,
    decide0: Any,
    observe0: Any,
    finish0: Any,
    decide1: Any,
    observe1: Any,
    finish1: Any,
    players: tuple[PlayerRows, PlayerRows],
    scratch: MatchScratch,
    record: MatchRecord,
) -> int:
    """Play a hand for each row of the cards; return how many were played.

    That is all, or as many as `actions` has room for.

    Args:
        first_hand: number of the first of them in the match.
        swapped: 1 where player 1 has position 0 in hand 0, else 0.
        decide0: this and the next five are `compiled_policy.PolicyKernels` of both players, one by
            one: numba takes functions as pointers from no named tuple, and warns of plain ones.
        players: their rows.
        record: gets the results.
    """
    player0, player1 = players
    actions, ends, won = record
    hand, levels, decisions = scratch.hand, scratch.levels, scratch.decisions
    used = 0
    for row in range(len(cards)):
        if len(actions) > 0 and len(actions) - used < MAX_TRACE:
            return row
        number = first_hand + row
        moved = (number + swapped) & 1
        start(game, hand)
        _deal(cards[row], scratch)
        street = 0
        raises_before = 0
        raised = 0
        raised_before = raised_last = NOBODY
        while hand[ACTOR] >= 0:
            if hand[STREET] != street:
                street = hand[STREET]
                _show_board(cards[row], street, scratch)
                raises_before += raised
                raised = 0
                raised_before, raised_last = raised_last, NOBODY
            position = hand[ACTOR]
            if levels[position] < 0:
                levels[position] = _level(tables, cards[row], street, position, scratch)
            aggressor = NOBODY
            if raised_before != NOBODY:
                aggressor = int(raised_before == position)
            public = _spot(game, hand, number, raises_before, aggressor, scratch)
            private = _own_spot(public, tables, levels[position], scratch.holes[position])
            mine0 = (position + moved) & 1 == 0
            player = player0 if mine0 else player1
            _draw(player.seed, number, decisions[position], scratch.draws)
            decisions[position] += 1
            decide = decide0 if mine0 else decide1
            kind, raise_to = decide(private, player.params, player.memory, scratch.draws)
            if kind == RAISE and public.low > 0:
                raise_to = min(max(raise_to, public.low), public.high)
                raised += 1
                raised_last = position
            else:
                kind = FOLD if kind == FOLD and can_fold(hand) else CALL
                raise_to = 0
            act(game, hand, kind, raise_to)
            if len(actions) > 0:
                actions[used] = raise_to << KIND_BITS | kind
                used += 1
            observe0(private if mine0 else public, kind, raise_to, mine0, player0.memory)
            observe1(public if mine0 else private, kind, raise_to, not mine0, player1.memory)
        ends[row] = used
        chips, shown = _settle(hand, cards[row], scratch)  # of position 0
        if moved == 0:
            won[row] = chips
        else:
            won[row] = -chips
        finish0(player0.memory, _shown_p(1 - moved, shown, scratch), won[row])
        finish1(player1.memory, _shown_p(moved, shown, scratch), -won[row])
    return len(cards)


@inlined_kernel
def _deal(cards: NDArray[np.uint8], scratch: MatchScratch) -> None:
    """Get ready for a hand: before the flop."""
    for position in range(2):
        scratch.holes[position, 0] = cards[HOLE * position]
        scratch.holes[position, 1] = cards[HOLE * position + 1]
        scratch.levels[position] = UNSEEN
        scratch.decisions[position] = 0
    for i in range(BOARD):
        scratch.board[i] = UNSEEN
    scratch.ranked[0] = False


@inlined_kernel
def _show_board(cards: NDArray[np.uint8], street: int, scratch: MatchScratch) -> None:
    """Show the board cards of a street after the first, and forget how strong hands were."""
    for i in range(street + 2):
        scratch.board[i] = cards[2 * HOLE + i]
    scratch.levels[0] = scratch.levels[1] = UNSEEN


@inlined_kernel
def _spot(
    game: NDArray[np.int64],
    hand: NDArray[np.int64],
    number: int,
    raises_before: int,
    aggressor: int,
    scratch: MatchScratch,
) -> Spot:
    """Return what everybody sees of the spot of whoever acts."""
    position = hand[ACTOR]
    low, high = raise_range(game, hand)
    if low > high:
        low = high = 0
    stack = game[STACKS + position]
    return Spot(
        number,
        hand[STREET],
        int(game[BLINDS + position] < game[BLINDS + 1 - position]),
        game[LARGEST_BLIND],
        stack,
        hand[SPENT] + hand[SPENT + 1],
        hand[TO_MATCH],
        hand[SPENT + position],
        min(hand[TO_MATCH], stack) - hand[SPENT + position],
        low,
        high,
        hand[RAISES],
        raises_before,
        aggressor,
        float(UNSEEN),
        float(UNSEEN),
        scratch.unseen,
        scratch.board,
    )


@inlined_kernel
def _own_spot(spot: Spot, tables: EquityTables, level: int, hole: NDArray[np.int64]) -> Spot:
    """Return a spot with what only whoever acts knows."""
    return Spot(
        spot.hand,
        spot.street,
        spot.button,
        spot.big_blind,
        spot.stack,
        spot.pot,
        spot.to_match,
        spot.spent,
        spot.to_call,
        spot.low,
        spot.high,
        spot.raises,
        spot.raises_before,
        spot.aggressor,
        level / TOP,
        percentile_of(tables.percentiles, spot.street, level),
        hole,
        spot.board,
    )


@inlined_kernel
def _draw(seed: int, number: int, decision: int, draws: NDArray[np.float64]) -> None:
    """Write the numbers of `engine.play.draws`."""
    key = random_word(seed, MOST_DECISIONS * number + decision + 1)
    for i in range(DRAWS):
        draws[i] = (random_word(key, i + 1) >> _word(11)) * _UNIT


@inlined_kernel
def _level(
    tables: EquityTables,
    cards: NDArray[np.uint8],
    street: int,
    position: int,
    scratch: MatchScratch,
) -> int:
    """Return the level (int64) of a position's p on a street."""
    first, second = scratch.holes[position, 0], scratch.holes[position, 1]
    if street == 0:
        return _int(tables.preflop[combo_at(first, second)])  # type: ignore[no-any-return]
    if street == _RIVER:
        _rank(cards, scratch)
        return level_of(river_halves(scratch.ranks, first, second), RIVER_HALVES)
    known = scratch.known
    known[0] = first
    known[1] = second
    for i in range(street + 2):
        known[HOLE + i] = cards[2 * HOLE + i]
    on_flop = street == 1
    index = tables.flop_index if on_flop else tables.turn_index  # one copy of what is compiled
    found = class_of_cards(index, scratch.suits, known)
    return _int(tables.flop[found] if on_flop else tables.turn[found])  # type: ignore[no-any-return]


@inlined_kernel
def _rank(cards: NDArray[np.uint8], scratch: MatchScratch) -> None:
    """Rank all combos on the complete board, once a hand."""
    if not scratch.ranked[0]:
        fill_ranks(cards[2 * HOLE :], scratch.ranks)
        scratch.ranked[0] = True


@inlined_kernel
def _settle(
    hand: NDArray[np.int64], cards: NDArray[np.uint8], scratch: MatchScratch
) -> tuple[float, bool]:
    """Return what position 0 wins, and whether hands are shown."""
    less = float(min(hand[SPENT], hand[SPENT + 1]))
    if not is_showdown(hand):
        if hand[FOLDED]:
            return -float(hand[SPENT]), False
        return float(hand[SPENT + 1]), False
    _rank(cards, scratch)
    holes = scratch.holes
    mine = scratch.ranks[combo_at(holes[0, 0], holes[0, 1])]
    theirs = scratch.ranks[combo_at(holes[1, 0], holes[1, 1])]
    if mine == theirs:
        return 0.0, True
    return less if mine > theirs else -less, True


@inlined_kernel
def _shown_p(position: int, shown: bool, scratch: MatchScratch) -> float:
    """Return what a position shows: its p on the complete board, -1 if nothing."""
    if not shown:
        return float(UNSEEN)
    hole = scratch.holes[position]
    return level_of(river_halves(scratch.ranks, hole[0], hole[1]), RIVER_HALVES) / TOP
