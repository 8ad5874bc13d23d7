"""What each position did in one hand, counted: columns of tallies, and the kernels that fill them.

Narrow lines have `BASIC` columns, wide ones `COUNTS`.  What the wide ones count is defined in
docs/tracker.md.  Columns named PAIR are two: how often, and of how many occasions.  Where a count
is by street, the first street is 0.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import kernel
from engine.handlogs.reading import hand_layout as h
from engine.rules import fast_state as fast
from engine.rules.packed_game import BLINDS, LARGEST_BLIND, PLAYERS, STACKS, STREETS
from protocol.gamedef import MAX_STREETS

COUNT_HANDS: Final = 0
COUNT_WON: Final = 1
"""Hands that ended with a positive result."""
COUNT_FIRST_DECISIONS: Final = 2
"""Hands with at least one action on the first street."""
COUNT_VOLUNTARY: Final = 3
"""Hands with a call or raise on the first street."""
COUNT_FIRST_RAISES: Final = 4
"""Hands with a raise on the first street."""
COUNT_RAISES: Final = 5
"""Bets and raises on the streets after the first (in one-street games on that street)."""
COUNT_CALLS: Final = 6
COUNT_CHECKS: Final = 7
COUNT_FOLDS: Final = 8
COUNT_SECOND_STREET: Final = 9
"""Hands in which the second street came and the player had not folded (one street: all hands)."""
COUNT_SHOWDOWNS: Final = 10
COUNT_SHOWDOWNS_WON: Final = 11
"""Showdowns that brought the player at least part of a contested pot."""
BASIC: Final = 12

PAIR_THREE_BET: Final = BASIC
PAIR_FOLD_TO_THREE_BET: Final = BASIC + 2
PAIR_FOUR_BET: Final = BASIC + 4
PAIR_FOLD_TO_FOUR_BET: Final = BASIC + 6
PAIR_SQUEEZE: Final = BASIC + 8
PAIR_SHOWDOWN_PLAYED: Final = BASIC + 10
"""Showdowns of hands that saw the second street, without those run out after an all-in."""
PAIR_SECOND_STREET_WON: Final = BASIC + 12
"""Hands that saw the second street and took at least part of a pot."""
BY_STREET: Final = BASIC + 14

_PAIRS: Final = 2 * MAX_STREETS
PAIR_CBET: Final = BY_STREET
"""From here on pairs for each street, the first one unused."""
PAIR_FOLD_TO_CBET: Final = PAIR_CBET + _PAIRS
PAIR_DONK_BET: Final = PAIR_FOLD_TO_CBET + _PAIRS
PAIR_CHECK_RAISE: Final = PAIR_DONK_BET + _PAIRS
PAIR_FLOAT: Final = PAIR_CHECK_RAISE + _PAIRS
COUNT_ACTIONS: Final = PAIR_FLOAT + _PAIRS
"""By street and, within it, by TRACE_ code: folds, checks, calls, bets and raises."""
SIZE_EDGES: Final = (25, 40, 60, 85, 115, 175)
"""Hundredths of the pot after calling, from which on a bet or raise is of the next size."""
SIZES: Final = len(SIZE_EDGES) + 1
COUNT_SIZES: Final = COUNT_ACTIONS + 4 * MAX_STREETS
"""Bets and raises by street and, within it, by size."""
COUNTS: Final = COUNT_SIZES + SIZES * MAX_STREETS

# Kernels: arguments are trusted, nothing is allocated, results go to the last arguments.


@kernel
def count_hand(
    game: NDArray[np.int64],
    hand: NDArray[np.int64],
    trace: NDArray[np.int64],
    values: NDArray[np.float64],
    replayed: NDArray[np.int64],
    lines: NDArray[np.int64],
) -> None:
    """Count one hand.

    Args:
        game: packed.
        hand: as in `hand_layout`, over.
        trace: its actions.
        values: chips won by position.
        replayed: (HAND_WIDTH,) scratch.
        lines: (P, BASIC or COUNTS) int64, what was counted by position.
    """
    lines[:] = 0
    players = game[PLAYERS]
    streets = game[STREETS]
    gone_first = 0  # one bit per position
    for i in range(hand[fast.TAKEN]):
        position = fast.trace_actor(trace[i])
        kind = fast.trace_kind(trace[i])
        first = fast.trace_street(trace[i]) == 0
        if first:
            lines[position, COUNT_FIRST_DECISIONS] = 1
            if kind == fast.TRACE_CALL:
                lines[position, COUNT_VOLUNTARY] = 1
            elif kind == fast.TRACE_RAISE:
                lines[position, COUNT_VOLUNTARY] = 1
                lines[position, COUNT_FIRST_RAISES] = 1
            elif kind == fast.TRACE_FOLD:
                gone_first |= 1 << position
        if not first or streets == 1:
            if kind == fast.TRACE_RAISE:
                lines[position, COUNT_RAISES] += 1
            elif kind == fast.TRACE_CALL:
                lines[position, COUNT_CALLS] += 1
            elif kind == fast.TRACE_CHECK:
                lines[position, COUNT_CHECKS] += 1
            else:
                lines[position, COUNT_FOLDS] += 1
    largest = np.int64(0)  # the two largest contributions: more than the second comes back
    second = np.int64(0)
    for position in range(players):
        spent = hand[fast.SPENT + position]
        if spent > largest:
            second = largest
            largest = spent
        elif spent > second:
            second = spent
    for position in range(players):
        lines[position, COUNT_HANDS] = 1
        lines[position, COUNT_WON] = hand[h.PRINTED + position] > 0
        if streets == 1 or (hand[fast.STREET] > 0 and gone_first >> position & 1 == 0):
            lines[position, COUNT_SECOND_STREET] = 1
        if fast.is_showdown(hand) and hand[fast.FOLDED + position] == 0:
            lines[position, COUNT_SHOWDOWNS] = 1
            contested = float(min(hand[fast.SPENT + position], second))
            lines[position, COUNT_SHOWDOWNS_WON] = values[position] + contested > 0.0
    if lines.shape[1] > BASIC:
        _count_ends(players, hand, lines)
        _count_betting(game, hand, trace, replayed, lines)


@kernel
def _count_ends(players: int, hand: NDArray[np.int64], lines: NDArray[np.int64]) -> None:
    showdown = fast.is_showdown(hand)
    run_out = is_run_out(hand)
    for position in range(players):
        own = lines[position]
        if own[COUNT_SECOND_STREET] == 0:
            continue
        if not run_out:
            _note(own, PAIR_SHOWDOWN_PLAYED, own[COUNT_SHOWDOWNS] > 0)
        alone = not showdown and hand[fast.FOLDED + position] == 0
        _note(own, PAIR_SECOND_STREET_WON, alone or own[COUNT_SHOWDOWNS_WON] > 0)


@kernel
def is_run_out(hand: NDArray[np.int64]) -> bool:
    """Return whether the hand came to a showdown with cards dealt after the last action."""
    return fast.is_showdown(hand) and hand[fast.ACTED_ON] < hand[fast.STREET]


@kernel
def _count_betting(
    game: NDArray[np.int64],
    hand: NDArray[np.int64],
    trace: NDArray[np.int64],
    now: NDArray[np.int64],
    lines: NDArray[np.int64],
) -> None:
    """Play the hand again and count what depends on who did what before."""
    players = game[PLAYERS]
    forced = 0  # whether the largest blind stands for a bet
    for position in range(players):
        forced |= game[BLINDS + position] != game[LARGEST_BLIND]
    street = 0
    raiser = -1  # who bet or raised last on this street, and before that
    raiser_before = -1
    last_raiser = -1  # on the street before
    may_cbet = -1
    cbettor = -1
    cbettor_before = -1
    acted = 0  # one bit per position, as all below; on this street
    checked = 0
    called_raise = 0
    called_cbet = 0
    floating = 0
    fast.start(game, now)
    for i in range(hand[fast.TAKEN]):
        position = fast.trace_actor(trace[i])
        kind = fast.trace_kind(trace[i])
        raise_to = fast.trace_raise_to(trace[i])
        if fast.trace_street(trace[i]) != street:
            kept = cbettor >= 0 and raiser == cbettor
            may_cbet = raiser if street == 0 or kept else -1
            floating = called_cbet if kept else 0
            cbettor_before = cbettor
            last_raiser = raiser
            street = fast.trace_street(trace[i])
            raiser = -1
            cbettor = -1
            acted = 0
            checked = 0
            called_cbet = 0
        bit = 1 << position
        raises = now[fast.RAISES]
        smallest, largest = fast.raise_range(game, now)
        can = smallest <= largest
        own = lines[position]
        own[COUNT_ACTIONS + 4 * street + kind] += 1
        if street == 0:
            bets = raises + forced
            if bets == 2 and can:
                _note(own, PAIR_THREE_BET, kind == fast.TRACE_RAISE)
                if called_raise:
                    _note(own, PAIR_SQUEEZE, kind == fast.TRACE_RAISE)
            if bets == 3:
                if can:
                    _note(own, PAIR_FOUR_BET, kind == fast.TRACE_RAISE)
                if position == raiser_before:
                    _note(own, PAIR_FOLD_TO_THREE_BET, kind == fast.TRACE_FOLD)
            if bets == 4 and position == raiser_before:
                _note(own, PAIR_FOLD_TO_FOUR_BET, kind == fast.TRACE_FOLD)
        else:
            if raises == 0 and can:
                if position == may_cbet:
                    _note(own, PAIR_CBET + 2 * street, kind == fast.TRACE_RAISE)
                    if kind == fast.TRACE_RAISE:
                        cbettor = position
                elif last_raiser >= 0 and last_raiser != position:
                    behind = acted >> last_raiser & 1 == 0
                    if behind and _can_act(game, now, last_raiser):
                        _note(own, PAIR_DONK_BET + 2 * street, kind == fast.TRACE_RAISE)
                if floating & bit and acted >> cbettor_before & 1:
                    _note(own, PAIR_FLOAT + 2 * street, kind == fast.TRACE_RAISE)
            elif raises == 1 and cbettor >= 0:
                _note(own, PAIR_FOLD_TO_CBET + 2 * street, kind == fast.TRACE_FOLD)
                if kind == fast.TRACE_CALL:
                    called_cbet |= bit
            if checked & bit:
                checked ^= bit
                if can:
                    _note(own, PAIR_CHECK_RAISE + 2 * street, kind == fast.TRACE_RAISE)
        acted |= bit
        if kind == fast.TRACE_CHECK:
            checked |= bit
        elif kind == fast.TRACE_CALL:
            called_raise |= bit
        elif kind == fast.TRACE_RAISE:
            _note_size(
                players, now, fast.trace_raise_to(trace[i]), own, COUNT_SIZES + SIZES * street
            )
            raiser_before = raiser
            raiser = position
            called_raise = 0
        letter = fast.CALL
        if kind == fast.TRACE_RAISE:
            letter = fast.RAISE
        elif kind == fast.TRACE_FOLD:
            letter = fast.FOLD
        fast.act(game, now, letter, raise_to)


@kernel
def _note(line: NDArray[np.int64], pair: int, done: bool) -> None:
    line[pair] += done
    line[pair + 1] += 1


@kernel
def _can_act(game: NDArray[np.int64], hand: NDArray[np.int64], position: int) -> bool:
    spent = hand[fast.SPENT + position]
    return bool(hand[fast.FOLDED + position] == 0 and spent < game[STACKS + position])


@kernel
def _note_size(
    players: int, before: NDArray[np.int64], raise_to: int, line: NDArray[np.int64], column: int
) -> None:
    """Count a bet or raise by its share of the pot after calling; `before` is without it."""
    matched = before[fast.TO_MATCH]
    pot = matched - before[fast.SPENT + before[fast.ACTOR]]
    for position in range(players):
        pot += before[fast.SPENT + position]
    size = 0
    for edge in SIZE_EDGES:
        size += 100 * (raise_to - matched) >= edge * pot
    line[column + size] += 1
