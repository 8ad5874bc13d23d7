"""Packed hands, replayed: the states of a hand, what a player sees in them, and their p."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.poker_cnn.encoding_kernels import encode_planes
from agents.poker_cnn.history_kernels import MOST_ROWS, ROW, note_action
from engine.compiled.jit import inlined_kernel, kernel
from engine.equity.equity_tables_kernels import (
    RIVER_HALVES,
    TOP,
    EquityTables,
    level_of,
    river_halves,
)
from engine.hands.cards import COMBOS
from engine.hands.combo_kernels import combo_at
from engine.hands.isomorphism_kernels import SCRATCH, class_of_cards
from engine.play.spot import NOBODY, UNSEEN, Spot
from engine.rules.fast_state import (
    ACTOR,
    CALL,
    FOLD,
    HAND_WIDTH,
    RAISE,
    RAISES,
    SPENT,
    STREET,
    TO_MATCH,
    act,
    raise_range,
    start,
)
from engine.rules.packed_game import BLINDS, LARGEST_BLIND, PLAYERS, STACKS
from engine.showdown.board_kernels import fill_ranks
from protocol.gamedef import MAX_PLAYERS

CODE_FOLD: Final = 0
CODE_CALL: Final = 1
CODE_RAISE: Final = 2
CODE_BITS: Final = 2
UNKNOWN: Final = 255
MOST_STATES: Final = 255
"""Of a hand: actions that have a number."""

NO_SIZE: Final = -1.0
SMALLEST_RAISE: Final = 0.0
ALL_IN_RAISE: Final = 1e9

_RIVER: Final = 3
_int: Any = np.int64


class HandRows(NamedTuple):
    """What H hands were."""

    cards: NDArray[np.uint8]
    """(H, 2 P + 5) hole cards by position, then the board; UNKNOWN where not shown."""
    actions: NDArray[np.uint32]
    """(A,) raise_to << 2 | code of each action, hand after hand; code is CODE_FOLD, CODE_CALL or
    CODE_RAISE; 0 chips in limit games."""
    ends: NDArray[np.int64]
    """(H,) where the actions of a hand end."""


class StateRows(NamedTuple):
    """S states of these hands."""

    hands: NDArray[np.uint32]
    """(S,) number of the hand."""
    places: NDArray[np.uint8]
    """(S,) number of the action in it."""
    levels: NDArray[np.uint16]
    """(S,) p of whoever acts, as a level of `engine.equity.equity_tables`."""


class Replay(NamedTuple):
    """What a hand is replayed on; each thread has its own."""

    hand: NDArray[np.int64]
    """(HAND_WIDTH,) the betting."""
    history: NDArray[np.float64]
    """(MOST_ROWS, ROW) as whoever acts in the end has it."""
    hole: NDArray[np.int64]
    """(2,)"""
    board: NDArray[np.int64]
    """(5,)"""


def new_replay() -> Replay:
    """Return one for a thread."""
    return Replay(
        hand=np.zeros(HAND_WIDTH, np.int64),
        history=np.zeros((MOST_ROWS, ROW)),
        hole=np.zeros(2, np.int64),
        board=np.zeros(5, np.int64),
    )


# Kernels: arguments are trusted, results go to the last arguments.


@kernel
def actor_of(game: NDArray[np.int64], actions: NDArray[np.uint32], hand: NDArray[np.int64]) -> int:
    """Replay some actions from the start of a hand; return who is to act then, -1 for nobody."""
    start(game, hand)
    for action in actions:
        _act(game, hand, action)
    return _int(hand[ACTOR])  # type: ignore[no-any-return]


@inlined_kernel
def _act(game: NDArray[np.int64], hand: NDArray[np.int64], action: int) -> bool:
    code = action & 3
    kind = RAISE if code == CODE_RAISE else (CALL if code == CODE_CALL else FOLD)
    return act(game, hand, kind, _int(action >> CODE_BITS))


@kernel
def spot_of(
    game: NDArray[np.int64],
    cards: NDArray[np.uint8],
    actions: NDArray[np.uint32],
    level: int,
    replay: Replay,
) -> tuple[Spot, int]:
    """Return what the player to act after some actions sees, and the rows of its history.

    The history is written into `replay`.
    """
    hand = replay.hand
    me = actor_of(game, actions, hand)
    players = game[PLAYERS]
    start(game, hand)
    rows = 0
    for action in actions:
        who = (hand[ACTOR] - me + players) % players
        before = _spot(game, hand, UNSEEN, replay)
        code = action & 3
        kind = RAISE if code == CODE_RAISE else (CALL if code == CODE_CALL else FOLD)
        raise_to = _int(action >> CODE_BITS)
        if kind == RAISE and raise_to == 0:
            raise_to = before.low
        rows = note_action(replay.history, rows, before, who, kind, raise_to)
        act(game, hand, kind, raise_to)
    for i in range(2):
        replay.hole[i] = cards[2 * me + i]
    street = hand[STREET]
    for i in range(5):
        seen = street > 0 and i < street + 2
        replay.board[i] = _int(cards[2 * players + i]) if seen else UNSEEN
    return _spot(game, hand, level, replay), rows


@inlined_kernel
def _spot(game: NDArray[np.int64], hand: NDArray[np.int64], level: int, replay: Replay) -> Spot:
    position = hand[ACTOR]
    low, high = raise_range(game, hand)
    if low > high:
        low = high = 0
    stack = game[STACKS + position]
    pot = 0
    for one in range(game[PLAYERS]):
        pot += hand[SPENT + one]
    p = level / TOP if level >= 0 else float(UNSEEN)
    return Spot(
        0,
        hand[STREET],
        _last_to_act(game, position),
        game[LARGEST_BLIND],
        stack,
        pot,
        hand[TO_MATCH],
        hand[SPENT + position],
        min(hand[TO_MATCH], stack) - hand[SPENT + position],
        low,
        high,
        hand[RAISES],
        0,
        NOBODY,
        p,
        float(UNSEEN),
        replay.hole,
        replay.board,
    )


@inlined_kernel
def _last_to_act(game: NDArray[np.int64], position: int) -> int:
    """Return 1 for the button: of two the smaller blind, of more the last position."""
    if game[PLAYERS] == 2:
        return int(game[BLINDS + position] < game[BLINDS + 1 - position])
    return int(position == game[PLAYERS] - 1)


@kernel
def encode_states(
    game: NDArray[np.int64],
    played: HandRows,
    states: StateRows,
    suits: NDArray[np.int64],
    replay: Replay,
    planes: NDArray[np.float32],
    legal: NDArray[np.float32],
    taken: NDArray[np.int64],
) -> None:
    """Write (N, 16, 17, 17) planes, (N, 3) what is legal, 0 or 1, and (N,) codes of what was done.

    suits: (N, 4) the row of each suit in each state.
    """
    cards, actions, ends = played
    hands, places, levels = states
    for i in range(len(hands)):
        number = _int(hands[i])
        first = ends[number - 1] if number > 0 else 0
        at = first + _int(places[i])
        spot, rows = spot_of(game, cards[number], actions[first:at], _int(levels[i]), replay)
        encode_planes(spot, replay.history, rows, suits[i], planes[i])
        legal[i, CODE_FOLD] = spot.to_call > 0
        legal[i, CODE_CALL] = 1.0
        legal[i, CODE_RAISE] = spot.low > 0
        taken[i] = _int(actions[at]) & 3


@kernel
def describe_states(
    game: NDArray[np.int64],
    played: HandRows,
    states: StateRows,
    hand: NDArray[np.int64],
    actors: NDArray[np.int64],
    streets: NDArray[np.int64],
    pots: NDArray[np.int64],
    spent: NDArray[np.int64],
    raises: NDArray[np.float64],
) -> None:
    """Write each state's actor, street and size of raise in pots.

    Also the pot as it is after calling, and the chips that the actor has put in before.

    A raise to the smallest legal size is SMALLEST_RAISE, one of all chips ALL_IN_RAISE. Where there
    is no choice, as in limit games, or no raise, it is NO_SIZE.
    """
    _, actions, ends = played
    hands, places, _ = states
    for i in range(len(hands)):
        number = _int(hands[i])
        first = ends[number - 1] if number > 0 else 0
        at = first + _int(places[i])
        me = actor_of(game, actions[first:at], hand)
        actors[i] = me
        streets[i] = hand[STREET]
        raises[i] = NO_SIZE
        spent[i] = hand[SPENT + me]
        pot = min(hand[TO_MATCH], game[STACKS + me]) - hand[SPENT + me]
        for one in range(game[PLAYERS]):
            pot += hand[SPENT + one]
        pots[i] = pot
        low, high = raise_range(game, hand)
        if actions[at] & 3 == CODE_RAISE and low < high:
            raise_to = _int(actions[at] >> CODE_BITS)
            size = (raise_to - hand[TO_MATCH]) / pot
            if raise_to >= high:
                size = ALL_IN_RAISE
            elif raise_to <= low:
                size = SMALLEST_RAISE
            raises[i] = size


@kernel
def fill_levels(
    game: NDArray[np.int64],
    tables: EquityTables,
    cards: NDArray[np.uint8],
    actions: NDArray[np.uint32],
    ends: NDArray[np.int64],
    hands: NDArray[np.uint32],
    places: NDArray[np.uint8],
    replay: Replay,
    levels: NDArray[np.uint16],
) -> None:
    """Write (S,) the level of the actor's p in each state."""
    suits = np.zeros(SCRATCH, np.int64)
    known = np.zeros(7, np.uint8)
    ranks = np.zeros(COMBOS, np.uint16)
    ranked = -1
    players = game[PLAYERS]
    for i in range(len(hands)):
        number = _int(hands[i])
        first = ends[number - 1] if number > 0 else 0
        me = actor_of(game, actions[first : first + _int(places[i])], replay.hand)
        row = cards[number]
        known[0] = row[2 * me]
        known[1] = row[2 * me + 1]
        known[2:] = row[2 * players :]
        street = replay.hand[STREET]
        if street == 0:
            levels[i] = tables.preflop[combo_at(_int(known[0]), _int(known[1]))]
        elif street == _RIVER:
            if ranked != number:
                fill_ranks(known[2:], ranks)
                ranked = number
            halves = river_halves(ranks, _int(known[0]), _int(known[1]))
            levels[i] = level_of(halves, RIVER_HALVES)
        else:
            on_flop = street == 1
            index = tables.flop_index if on_flop else tables.turn_index
            found = class_of_cards(index, suits, known[: street + 4])
            levels[i] = tables.flop[found] if on_flop else tables.turn[found]


@kernel
def list_states(
    game: NDArray[np.int64],
    cards: NDArray[np.uint8],
    actions: NDArray[np.uint32],
    ends: NDArray[np.int64],
    learned: NDArray[np.uint16],
    hand: NDArray[np.int64],
    hands: NDArray[np.uint32],
    places: NDArray[np.uint8],
) -> int:
    """List the decisions of the positions that are learned from; return how many there are.

    learned: (H,) a bit for each position.  Whoever's hole cards are unknown is left out.
    """
    count = 0
    first = 0
    for number in range(len(ends)):
        start(game, hand)
        for at in range(first, min(ends[number], first + MOST_STATES)):
            position = hand[ACTOR]
            if learned[number] >> position & 1 and cards[number, 2 * position] != UNKNOWN:
                hands[count] = number
                places[count] = at - first
                count += 1
            _act(game, hand, actions[at])
        first = ends[number]
    return count


@kernel
def first_wrong(
    game: NDArray[np.int64],
    cards: NDArray[np.uint8],
    actions: NDArray[np.uint32],
    ends: NDArray[np.int64],
    hand: NDArray[np.int64],
) -> int:
    """Return the first hand that the rules do not allow, or with a card dealt twice; else -1."""
    first = 0
    for number in range(len(ends)):
        start(game, hand)
        for at in range(first, ends[number]):
            if actions[at] & 3 > CODE_RAISE or not _act(game, hand, actions[at]):
                return number
        if hand[ACTOR] >= 0:
            return number
        seen = 0
        for card in cards[number]:
            if card != UNKNOWN:
                if seen >> _int(card) & 1:
                    return number
                seen |= 1 << _int(card)
        first = ends[number]
    return -1


@kernel
def first_hidden(
    game: NDArray[np.int64],
    cards: NDArray[np.uint8],
    actions: NDArray[np.uint32],
    ends: NDArray[np.int64],
    hands: NDArray[np.uint32],
    places: NDArray[np.uint8],
    hand: NDArray[np.int64],
) -> int:
    """Return the first decision whose player's cards, or whose board, are not there; else -1."""
    players = game[PLAYERS]
    for i in range(len(hands)):
        number = _int(hands[i])
        first = ends[number - 1] if number > 0 else 0
        me = actor_of(game, actions[first : first + _int(places[i])], hand)
        row = cards[number]
        board = hand[STREET] + 2 if hand[STREET] > 0 else 0
        for known in row[2 * me : 2 * me + 2]:
            if known == UNKNOWN:
                return i
        for known in row[2 * players : 2 * players + board]:
            if known == UNKNOWN:
                return i
    return -1


assert MAX_PLAYERS <= 16, "a bit for each position"
