"""Counting what players do over the lines of a block of log text.

A hand that was all-in with cards still to come is added to every count and to the raw sums; its
contribution to the expectation sums is the caller's, who finds all it needs in `allins`.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import kernel
from engine.estimates.hand_results import (
    BOARD_BITS,
    RESULT_ALLIN,
    RESULT_BOARD,
    RESULT_DEAL,
    RESULT_HAND,
    RESULT_POT,
    RESULT_SEATS,
)
from engine.handlogs.counting.hand_actions import MOST_CODES, note_actions
from engine.handlogs.counting.hand_counts import COUNT_SHOWDOWNS, count_hand, is_run_out
from engine.handlogs.counting.opponents import PairArrays, add_pairs, hash_name, new_pair, owner_of
from engine.handlogs.reading import hand_layout as h
from engine.handlogs.reading.hand_layout import HandScratch
from engine.handlogs.reading.read_hand import end_of_line, read_hand
from engine.rules import fast_state as fast
from engine.rules.packed_game import BIG_BLIND, HOLE_CARDS, PLAYERS
from protocol.gamedef import MAX_PLAYERS

SUM_RAW: Final = 0
SUM_RAW_SQUARES: Final = 1
SUM_EXPECTED: Final = 2
SUM_EXPECTED_SQUARES: Final = 3
SUM_SHOWN: Final = 4
"""Won in hands that the player showed down."""
SUM_SHOWN_SQUARES: Final = 5
SUMS: Final = 6

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
NEW_PAIR: Final = 5
"""The line at state[AT] has a player, state[NAME_AT], who never met opponent state[NAME_SIZE]."""

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
    """(R, 5 + 2 P) hands one by one as in `engine.estimates.hand_results`; R = 0: not wanted."""
    actions: NDArray[np.uint16]
    """(C,) codes as in `engine.handlogs.counting.hand_actions`; C = 0: not wanted."""
    depths: NDArray[np.int64]
    """(P,) which of D depths of stacks each position has."""
    counts: NDArray[np.int64]
    """(Q, P, D, W) how often; columns as in `engine.handlogs.counting.hand_counts`."""
    sums: NDArray[np.float64]
    """(Q, P, D, SUMS) big blinds won, and their squares; the SUM_ entries above."""
    pairs: PairArrays
    """The same by player and opponent."""
    replayed: NDArray[np.int64]
    """(HAND_WIDTH,) scratch."""
    lines: NDArray[np.int64]
    """(P, W) scratch: what one hand counts."""
    won: NDArray[np.float64]
    """(P, SUMS) scratch: what it adds to the sums."""


# Kernels: arguments are trusted, nothing is allocated, results go to the last arguments.


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
    keys, owners, allins, results = tally.keys, tally.owners, tally.allins, tally.results
    actions = tally.actions
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
        if len(tally.pairs.keys):
            position, other = new_pair(players, seated, tally.pairs)
            if position >= 0:
                state[NAME_AT] = seated[position]
                state[NAME_SIZE] = seated[other]
                return NEW_PAIR
        if is_run_out(hand):
            if state[ALLINS] == len(allins):
                return ALLINS_FULL
            _note_allin(players, hand, cards, seated, allins[state[ALLINS]])
            state[ALLINS] += 1
            state[ALLINS_MET] += 1
            expected = False
        else:
            expected = True
        count_hand(game, hand, trace, values, tally.replayed, tally.lines)
        for position in range(players):
            won = chip * hand[h.PRINTED + position]
            shown = tally.lines[position, COUNT_SHOWDOWNS]
            tally.won[position, SUM_RAW] = won
            tally.won[position, SUM_RAW_SQUARES] = won * won
            tally.won[position, SUM_EXPECTED] = won * expected
            tally.won[position, SUM_EXPECTED_SQUARES] = won * won * expected
            tally.won[position, SUM_SHOWN] = won * shown
            tally.won[position, SUM_SHOWN_SQUARES] = won * won * shown
        _add(players, seated, tally)
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
def _add(players: int, seated: NDArray[np.int64], tally: TallyArrays) -> None:
    for position in range(players):
        own, depth = seated[position], tally.depths[position]
        for i in range(tally.lines.shape[1]):
            tally.counts[own, position, depth, i] += tally.lines[position, i]
        for i in range(SUMS):
            tally.sums[own, position, depth, i] += tally.won[position, i]
    if len(tally.pairs.keys):
        add_pairs(players, seated, tally.lines, tally.won, tally.pairs)


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
    pot, most, second = np.int64(0), np.int64(0), np.int64(0)
    for position in range(players):
        entry[RESULT_SEATS + position] = seated[position]
        entry[RESULT_SEATS + players + position] = hand[h.PRINTED + position]
        spent = hand[fast.SPENT + position]
        pot += spent
        second = max(second, min(spent, most))
        most = max(most, spent)
    entry[RESULT_POT] = pot - (most - second)  # see `engine.rules.pots.called`
