"""Counting what players do over the lines of a block of log text.

A hand that was all-in with cards still to come is added to every count and to the raw sums; its
contribution to the expectation sums is the caller's, who finds all it needs in `allins`.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import kernel
from engine.handlogs import hand_layout as h
from engine.handlogs.hand_actions import MOST_CODES, note_actions
from engine.handlogs.hand_layout import HandScratch
from engine.handlogs.hand_results import (
    BOARD_BITS,
    RESULT_ALLIN,
    RESULT_BOARD,
    RESULT_DEAL,
    RESULT_HAND,
    RESULT_POT,
    RESULT_SEATS,
)
from engine.handlogs.read_hand import read_hand
from engine.handlogs.verify_block import end_of_line
from engine.rules import fast_state as fast
from engine.rules.packed_game import BIG_BLIND, HOLE_CARDS, PLAYERS, STREETS
from protocol.gamedef import MAX_PLAYERS

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
COUNTS: Final = 12

SUM_RAW: Final = 0
SUM_RAW_SQUARES: Final = 1
SUM_EXPECTED: Final = 2
SUM_EXPECTED_SQUARES: Final = 3
SUMS: Final = 4

ALLIN_PLAYER: Final = 0
"""Then, each with room for ten: player index, chips spent, folded; then the street on which the
betting ended, the number of cards known and the cards as in `read_hand`."""
ALLIN_SPENT: Final = ALLIN_PLAYER + MAX_PLAYERS
ALLIN_FOLDED: Final = ALLIN_SPENT + MAX_PLAYERS
ALLIN_STREET: Final = ALLIN_FOLDED + MAX_PLAYERS
ALLIN_CARDS: Final = ALLIN_STREET + 1
ALLIN_SIZE: Final = ALLIN_CARDS + h.MAX_CARDS

AT: Final = 0
LINES: Final = 1
ALLINS: Final = 2
NAME_AT: Final = 3
NAME_SIZE: Final = 4
RESULTS: Final = 5
ALLINS_MET: Final = 6
"""All-in hands since the beginning, those no longer in `allins` as well."""
DEALS_OF: Final = 7
"""Goes into the number of each deal: hands are of one deal only where it is the same."""
MOST_LOST: Final = 8
"""Millionths of a chip that a hand can cost a player; it can bring so many from each other one."""
CONTRADICTED: Final = 9
"""Hands whose printed values are not those of betting and cards."""
IMPOSSIBLE: Final = 10
"""Those among them with more won or lost than there is."""
UNEVEN: Final = 11
"""Those among them whose values do not sum to 0, by more than rounding makes."""
ACTIONS: Final = 12
"""Codes in `actions`."""
STATE_SIZE: Final = 13

AT_END: Final = 0
LOOK_HERE: Final = 1
"""The line at state[AT] is not accepted, or is no STATE line."""
NEW_NAME: Final = 2
"""The line at state[AT] has a name, at state[NAME_AT], that is not among `keys`."""
ALLINS_FULL: Final = 3
RESULTS_FULL: Final = 4

_NEWLINE: Final = ord("\n")
_BLANK: Final = ord(" ")
_BAR: Final = ord("|")
_COLON: Final = ord(":")


class TallyArrays(NamedTuple):
    """What is counted, of Q players in P positions."""

    keys: NDArray[np.uint64]
    """(K,) open addressing: hash of a name, 0 where free; K = 2**m."""
    owners: NDArray[np.int64]
    """(K,) player index of that name."""
    allins: NDArray[np.int64]
    """(A, ALLIN_SIZE) hands whose expectation is still to be computed."""
    results: NDArray[np.int64]
    """(R, 5 + 2 P) hands one by one as in `engine.handlogs.hand_results`; R = 0: not wanted."""
    actions: NDArray[np.uint16]
    """(C,) codes as in `engine.handlogs.hand_actions`; C = 0: not wanted."""
    counts: NDArray[np.int64]
    """(Q, P, COUNTS) how often; the COUNT_ entries above."""
    sums: NDArray[np.float64]
    """(Q, P, SUMS) big blinds won, and their squares; the SUM_ entries above."""


# Kernels: arguments are trusted, nothing is allocated, results go to the last arguments.


@kernel
def hash_name(data: NDArray[np.uint8], at: int, size: int) -> np.uint64:
    """Return the 64-bit FNV-1a hash of data[at : at + size]; never 0.

    Source: Fowler, Noll and Vo, the FNV hash (draft-eastlake-fnv), 64-bit parameters.
    """
    number = np.uint64(14695981039346656037)
    for i in range(at, at + size):
        number = (number ^ np.uint64(data[i])) * np.uint64(1099511628211)
    return number if number != np.uint64(0) else np.uint64(1)


@kernel
def owner_of(keys: NDArray[np.uint64], owners: NDArray[np.int64], key: np.uint64) -> int:
    """Return the player index filed under `key`, -1 where there is none."""
    mask = np.uint64(keys.size - 1)
    place = key & mask
    while keys[place] != np.uint64(0):
        if keys[place] == key:
            return int(owners[place])
        place = (place + np.uint64(1)) & mask
    return -1


@kernel
def file_owner(
    key: np.uint64, owner: int, keys: NDArray[np.uint64], owners: NDArray[np.int64]
) -> None:
    """File a player index under `key`; there must be a free place."""
    mask = np.uint64(keys.size - 1)
    place = key & mask
    while keys[place] != np.uint64(0):
        place = (place + np.uint64(1)) & mask
    keys[place] = key
    owners[place] = owner


@kernel
def tally_block(
    data: NDArray[np.uint8],
    game: NDArray[np.int64],
    tally: TallyArrays,
    scratch: HandScratch,
    seated: NDArray[np.int64],
    state: NDArray[np.int64],
) -> int:
    """Consume lines from state[AT] on; return AT_END or why the next one was not.

    `data` ends in a newline; `seated` (10,) int64 is scratch.  A line that is not consumed has
    counted nothing.
    """
    hand, trace, cards, values = scratch
    keys, owners, allins, results, actions, counts, sums = tally
    players = game[PLAYERS]
    chip = 1.0 / (1e6 * game[BIG_BLIND])
    at = state[AT]
    while at < data.size:
        if data[at] == _NEWLINE:
            at += 1
            state[LINES] += 1
            continue
        state[AT] = at
        verdict = read_hand(data, at, game, hand, trace, cards, values)
        if verdict != h.ACCEPTED and verdict != h.OTHER_VALUES:
            return LOOK_HERE
        name_at = hand[h.NAMES_AT]
        end = -1
        for position in range(players):
            size = 0
            while (
                data[name_at + size] != _BAR
                and data[name_at + size] > _BLANK
                and data[name_at + size] != _COLON
            ):
                size += 1
            if size == 0:
                return LOOK_HERE
            after = name_at + size
            if position + 1 < players:
                if data[after] != _BAR:
                    return LOOK_HERE
            else:
                end = end_of_line(data, after)
                if end < 0:
                    return LOOK_HERE
            owner = owner_of(keys, owners, hash_name(data, name_at, size))
            if owner < 0:
                state[NAME_AT] = name_at
                state[NAME_SIZE] = size
                return NEW_NAME
            seated[position] = owner
            name_at = after + 1
        if len(results) and state[RESULTS] == len(results):
            return RESULTS_FULL
        if len(actions) and state[ACTIONS] + MOST_CODES > len(actions):
            return RESULTS_FULL
        if fast.is_showdown(hand) and hand[fast.ACTED_ON] < hand[fast.STREET]:
            if state[ALLINS] == len(allins):
                return ALLINS_FULL
            _note_allin(players, hand, cards, seated, allins[state[ALLINS]])
            state[ALLINS] += 1
            state[ALLINS_MET] += 1
            expected = False
        else:
            expected = True
        for position in range(players):
            won = chip * hand[h.PRINTED + position]
            own = sums[seated[position], position]
            own[SUM_RAW] += won
            own[SUM_RAW_SQUARES] += won * won
            if expected:
                own[SUM_EXPECTED] += won
                own[SUM_EXPECTED_SQUARES] += won * won
        _count(game, hand, trace, values, seated, counts)
        if len(results):
            allin = 0 if expected else state[ALLINS_MET]
            _note_result(game, hand, cards, seated, allin, state[DEALS_OF], results[state[RESULTS]])
            state[RESULTS] += 1
        if len(actions):
            state[ACTIONS] = note_actions(hand, trace, actions, state[ACTIONS])
        if verdict == h.OTHER_VALUES:
            _note_doubts(players, hand, state)
        state[LINES] += 1
        at = end
    state[AT] = at
    return AT_END


@kernel
def _note_doubts(players: int, hand: NDArray[np.int64], state: NDArray[np.int64]) -> None:
    most = state[MOST_LOST]
    total = np.int64(0)
    possible = True
    for position in range(players):
        won = hand[h.PRINTED + position]
        total += won
        possible = possible and -most <= won <= most * (players - 1)
    state[CONTRADICTED] += 1
    state[IMPOSSIBLE] += not possible
    state[UNEVEN] += abs(total) > players


@kernel
def _note_allin(
    players: int,
    hand: NDArray[np.int64],
    cards: NDArray[np.uint8],
    seated: NDArray[np.int64],
    entry: NDArray[np.int64],
) -> None:
    for position in range(players):
        entry[ALLIN_PLAYER + position] = seated[position]
        entry[ALLIN_SPENT + position] = hand[fast.SPENT + position]
        entry[ALLIN_FOLDED + position] = hand[fast.FOLDED + position]
    entry[ALLIN_STREET] = hand[fast.ACTED_ON]
    for card in range(hand[h.CARD_COUNT]):
        entry[ALLIN_CARDS + card] = cards[card]


@kernel
def _note_result(
    game: NDArray[np.int64],
    hand: NDArray[np.int64],
    cards: NDArray[np.uint8],
    seated: NDArray[np.int64],
    allin: int,
    deals_of: int,
    entry: NDArray[np.int64],
) -> None:
    players = game[PLAYERS]
    holes = players * game[HOLE_CARDS]
    deal = hash_name(cards, 0, holes)
    for number in (hand[h.HAND_ID], deals_of):
        deal = (deal ^ np.uint64(number)) * np.uint64(1099511628211)
    board = np.int64(0)
    for place in range(hand[h.CARD_COUNT] - holes):
        board |= (np.int64(cards[holes + place]) + 1) << (BOARD_BITS * place)
    entry[RESULT_DEAL] = np.int64(deal >> np.uint64(1))
    entry[RESULT_BOARD] = board
    entry[RESULT_ALLIN] = allin
    entry[RESULT_HAND] = hand[h.HAND_ID]
    entry[RESULT_POT] = 0
    for position in range(players):
        entry[RESULT_SEATS + position] = seated[position]
        entry[RESULT_SEATS + players + position] = hand[h.PRINTED + position]
        entry[RESULT_POT] += hand[fast.SPENT + position]


@kernel
def _count(
    game: NDArray[np.int64],
    hand: NDArray[np.int64],
    trace: NDArray[np.int64],
    values: NDArray[np.float64],
    seated: NDArray[np.int64],
    counts: NDArray[np.int64],
) -> None:
    players = game[PLAYERS]
    streets = game[STREETS]
    acted = 0  # one bit per position
    voluntary = 0
    raised = 0
    gone_first = 0
    for i in range(hand[fast.TAKEN]):
        position = trace[i] & 15
        kind = (trace[i] >> 4) & 15
        first = trace[i] >> 8 == 0
        bit = 1 << position
        if first:
            acted |= bit
            if kind == fast.TRACE_CALL:
                voluntary |= bit
            elif kind == fast.TRACE_RAISE:
                voluntary |= bit
                raised |= bit
            elif kind == fast.TRACE_FOLD:
                gone_first |= bit
        if not first or streets == 1:
            own = counts[seated[position], position]
            if kind == fast.TRACE_RAISE:
                own[COUNT_RAISES] += 1
            elif kind == fast.TRACE_CALL:
                own[COUNT_CALLS] += 1
            elif kind == fast.TRACE_CHECK:
                own[COUNT_CHECKS] += 1
            else:
                own[COUNT_FOLDS] += 1
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
        own = counts[seated[position], position]
        bit = 1 << position
        own[COUNT_HANDS] += 1
        own[COUNT_WON] += hand[h.PRINTED + position] > 0
        own[COUNT_FIRST_DECISIONS] += (acted & bit) != 0
        own[COUNT_VOLUNTARY] += (voluntary & bit) != 0
        own[COUNT_FIRST_RAISES] += (raised & bit) != 0
        if streets == 1 or (hand[fast.STREET] > 0 and (gone_first & bit) == 0):
            own[COUNT_SECOND_STREET] += 1
        if fast.is_showdown(hand) and hand[fast.FOLDED + position] == 0:
            own[COUNT_SHOWDOWNS] += 1
            contested = float(min(hand[fast.SPENT + position], second))
            own[COUNT_SHOWDOWNS_WON] += values[position] + contested > 0.0
