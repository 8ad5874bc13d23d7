"""A look one step ahead in limit games: what each action wins, by the network's own estimates.

After an action of the player the opponent answers as the network would with each hand that it may
hold; where that ends the street, cards are dealt.  The look ends where the player is to act again,
and its hand is worth there what the network says, or where the hand is over.

Hands that the opponent may hold are H rows with weights, see `Holdings`.  Chips won count over the
whole hand, so folding wins minus what has been put in.
"""

from __future__ import annotations

import math
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.poker_cnn.encoding_kernels import ROWS_OF_SUITS, encode_planes, hide_hand
from agents.poker_cnn.forward_kernels import (
    FIRST_OUTPUTS,
    run_cnn,
    run_first_layer,
    run_later_layers,
    worth_of,
)
from agents.poker_cnn.hand_kernels import (
    CODE_CALL,
    CODE_FOLD,
    CODE_RAISE,
    UNKNOWN,
    Replay,
    actor_of,
    new_replay,
    spot_of,
)
from agents.poker_cnn.planes import HOLE, KNOWN, PLANES, SIDE, STRENGTH
from agents.poker_cnn.shape import ACTIONS, SCRATCH_SIZE, SIZES
from engine.compiled.jit import kernel
from engine.equity.equity_tables_kernels import (
    RIVER_HALVES,
    TOP,
    EquityTables,
    level_of,
    river_halves,
)
from engine.hands.cards import CARDS, COMBOS
from engine.hands.combo_kernels import card_set, combo_at
from engine.hands.isomorphism_kernels import SCRATCH, class_of_cards
from engine.play.spot import Spot
from engine.rules.fast_state import MAX_TRACE, SPENT, STREET
from engine.showdown.board_kernels import fill_ranks

DRAWS: Final = 6
"""Random numbers of a deal: the hand of the opponent, and up to five cards."""
_HOLES: Final = 4
"""Cards before the board in a row of cards."""
_BOARD: Final = 5
_int: Any = np.int64


class Look(NamedTuple):
    """What looks of a bot work on."""

    game: NDArray[np.int64]
    """Packed, for two."""
    tables: EquityTables
    weights: NDArray[np.float32]
    """(WEIGHTS,) of a network that knows what hands are worth."""
    first_of_card: NDArray[np.float32]
    """(2, 52, FIRST_OUTPUTS) what each card adds to the first layer, as higher and lower one."""
    first_of_strength: NDArray[np.float32]
    """(FIRST_OUTPUTS,) what a p of 1 adds to it."""
    public: NDArray[np.float32]
    """(FIRST_OUTPUTS,) the first layer of a decision without the hand of the player."""
    tremble: float
    """How likely the opponent does anything else than the network would, any legal action."""
    suits: NDArray[np.int64]
    """(4,) row of each suit."""
    replay: Replay
    cards: NDArray[np.uint8]
    """(9,) hole cards by position, then the board; UNKNOWN what is not dealt."""
    betting: NDArray[np.uint32]
    """(MAX_TRACE,) codes of actions, as of `HandRows`; the caller says how many there are."""
    planes: NDArray[np.float32]
    work: NDArray[np.float32]
    actions: NDArray[np.float32]
    """(3,) scores."""
    sizes: NDArray[np.float32]
    ranks: NDArray[np.uint16]
    """(1326,) of all hands on a complete board."""
    known: NDArray[np.uint8]
    """(7,) the cards whose class is looked up."""
    classes: NDArray[np.int64]
    """(SCRATCH,) likewise."""


class Holdings(NamedTuple):
    """H hands that the opponent may hold."""

    holes: NDArray[np.uint8]
    """(H, 2)"""
    weights: NDArray[np.float64]
    """(H,) how likely each is, up to a factor; 0 where a card of it lies elsewhere."""
    levels: NDArray[np.int64]
    """(H,) p of each on the board as it is, as of `engine.equity.equity_tables`."""


def new_look(
    game: NDArray[np.int64], tables: EquityTables, weights: NDArray[np.float32], tremble: float
) -> Look:
    """Return what looks in a game work on."""
    first_of_card = np.empty((2, CARDS, FIRST_OUTPUTS), np.float32)
    first_of_strength = np.empty(FIRST_OUTPUTS, np.float32)
    suits = np.array(ROWS_OF_SUITS, np.int64)
    fill_first_layers(weights, suits, first_of_card, first_of_strength)
    return Look(
        game=game,
        tables=tables,
        weights=weights,
        first_of_card=first_of_card,
        first_of_strength=first_of_strength,
        public=np.zeros(FIRST_OUTPUTS, np.float32),
        tremble=tremble,
        suits=suits,
        replay=new_replay(),
        cards=np.full(_HOLES + _BOARD, UNKNOWN, np.uint8),
        betting=np.zeros(MAX_TRACE + 2, np.uint32),
        planes=np.zeros((PLANES, SIDE, SIDE), np.float32),
        work=np.zeros(SCRATCH_SIZE, np.float32),
        actions=np.zeros(ACTIONS, np.float32),
        sizes=np.zeros(SIZES, np.float32),
        ranks=np.zeros(COMBOS, np.uint16),
        known=np.zeros(2 + _BOARD, np.uint8),
        classes=np.zeros(SCRATCH, np.int64),
    )


# Kernels: arguments are trusted, results go to the last argument.


@kernel
def fill_first_layers(
    weights: NDArray[np.float32],
    suits: NDArray[np.int64],
    of_card: NDArray[np.float32],
    of_strength: NDArray[np.float32],
) -> None:
    """Write what hole cards and strength add to the first layer, see `Look`."""
    planes = np.zeros((PLANES, SIDE, SIDE), np.float32)
    nothing = np.empty(FIRST_OUTPUTS, np.float32)
    run_first_layer(weights, planes.ravel(), nothing)
    for card in range(CARDS):
        row, column = suits[card & 3], card >> 2
        planes[KNOWN, row, column] = 1.0
        for place in range(2):
            planes[HOLE + place, row, column] = 1.0
            run_first_layer(weights, planes.ravel(), of_card[place, card])
            planes[HOLE + place, row, column] = 0.0
            of_card[place, card] -= nothing
        planes[KNOWN, row, column] = 0.0
    planes[STRENGTH] = 1.0
    run_first_layer(weights, planes.ravel(), of_strength)
    of_strength -= nothing


@kernel
def read_board(look: Look, board: NDArray[np.uint8]) -> None:
    """Lay a board of 0, 3, 4 or 5 cards."""
    dealt = len(board)
    look.cards[_HOLES : _HOLES + dealt] = board
    look.cards[_HOLES + dealt :] = UNKNOWN
    if dealt == _BOARD:
        fill_ranks(board, look.ranks)


@kernel
def level_on_board(look: Look, first: int, second: int) -> int:
    """Return the level (int64) of two hole cards on the board that lies there."""
    tables, known = look.tables, look.known
    known[0], known[1] = first, second
    known[2:] = look.cards[_HOLES:]
    if known[2] == UNKNOWN:
        return _int(tables.preflop[combo_at(first, second)])  # type: ignore[no-any-return]
    if known[5] == UNKNOWN:
        return _int(tables.flop[class_of_cards(tables.flop_index, look.classes, known[:5])])  # type: ignore[no-any-return]
    if known[6] == UNKNOWN:
        return _int(tables.turn[class_of_cards(tables.turn_index, look.classes, known[:6])])  # type: ignore[no-any-return]
    return level_of(river_halves(look.ranks, first, second), RIVER_HALVES)


@kernel
def weigh_board(look: Look, holdings: Holdings) -> None:
    """Take hands away that hold a card of the board, and find the levels of the others."""
    board = look.cards[_HOLES:]
    for i in range(len(holdings.weights)):
        first, second = holdings.holes[i]
        for card in board:
            if card in (first, second):
                holdings.weights[i] = 0.0
        if holdings.weights[i] > 0.0:
            holdings.levels[i] = level_on_board(look, _int(first), _int(second))


@kernel
def weigh_action(look: Look, count: int, position: int, code: int, holdings: Holdings) -> None:
    """Weigh hands by how likely the opponent takes its action behind `count` others with each."""
    shares = np.empty(ACTIONS)
    spot = _see(look, count, position, holdings.holes[0])
    for i in range(len(holdings.weights)):
        if holdings.weights[i] > 0.0:
            _infer_with(look, spot, holdings.holes[i], holdings.levels[i], shares)
            holdings.weights[i] *= shares[code]


@kernel
def shares_of(look: Look, count: int, level: int, shares: NDArray[np.float64]) -> None:
    """Write (3,) how likely the network takes each action behind `count` others."""
    _infer(look, count, level, shares)


@kernel
def look_ahead(
    look: Look,
    count: int,
    level: int,
    holdings: Holdings,
    draws: NDArray[np.float64],
    wanted: NDArray[np.bool_],
    won: NDArray[np.float64],
) -> None:
    """Write (3,) chips that the player to act wins by each of some actions, -inf for the others.

    Args:
        count: actions of the hand so far.
        level: of the player's hand, which lies in `look`.
        holdings: of the opponent, not all of weight 0.
        draws: (D, DRAWS) in [0, 1), a row for each deal of cards to come.
        wanted: (3,) whether to look at an action, none that is not legal.
    """
    me = actor_of(look.game, look.betting[:count], look.replay.hand)
    street, spent = _int(look.replay.hand[STREET]), look.replay.hand[SPENT + me]
    won[:] = -np.inf
    if wanted[CODE_FOLD]:
        won[CODE_FOLD] = -float(spent)
    for code in range(CODE_CALL, ACTIONS):
        if not wanted[code]:
            continue
        look.betting[count] = code
        to_act = actor_of(look.game, look.betting[: count + 1], look.replay.hand)
        if to_act < 0 or look.replay.hand[STREET] > street:
            won[code] = _deal_on(look, count + 1, me, holdings, holdings.weights, draws)
        else:
            won[code] = _answered(look, count + 1, me, level, holdings, draws)


@kernel
def _answered(
    look: Look,
    count: int,
    me: int,
    level: int,
    holdings: Holdings,
    draws: NDArray[np.float64],
) -> float:
    """Return the chips that are won where the opponent is to act on this street."""
    chances = np.zeros((ACTIONS, len(holdings.weights)))
    shares = np.empty(ACTIONS)
    spot = _see(look, count, 1 - me, holdings.holes[0])
    for i in range(len(holdings.weights)):
        if holdings.weights[i] > 0.0:
            _infer_with(look, spot, holdings.holes[i], holdings.levels[i], shares)
            for code in range(ACTIONS):
                chances[code, i] = holdings.weights[i] * shares[code]
    hand = look.replay.hand
    actor_of(look.game, look.betting[:count], hand)
    street = _int(hand[STREET])
    total = 0.0
    for code in range(ACTIONS):
        chance = chances[code].sum()
        if chance <= 0.0:
            continue
        look.betting[count] = code
        to_act = actor_of(look.game, look.betting[: count + 1], hand)
        if code == CODE_FOLD:
            value = float(hand[SPENT + 1 - me])
        elif to_act == me and hand[STREET] == street:
            value = _worth(look, count + 1, level)
        else:
            value = _deal_on(look, count + 1, me, holdings, chances[code], draws)
        total += chance * value
    return total / float(holdings.weights.sum())


@kernel
def _deal_on(
    look: Look,
    count: int,
    me: int,
    holdings: Holdings,
    weights: NDArray[np.float64],
    draws: NDArray[np.float64],
) -> float:
    """Return the chips that are won where a street, or the hand, is over.

    weights: (H,) of the opponent's hands here.
    """
    to_act = actor_of(look.game, look.betting[:count], look.replay.hand)
    dealt = 0
    while dealt < _BOARD and look.cards[_HOLES + dealt] != UNKNOWN:
        dealt += 1
    if dealt == _BOARD:
        return _shown(look, me, holdings, weights)
    wanted = _BOARD if to_act < 0 else _int(look.replay.hand[STREET]) + 2
    total, whole = 0.0, weights.sum()
    for k in range(len(draws)):
        i = _drawn(weights, whole * (k + draws[k, 0]) / len(draws))
        _deal(look, me, holdings.holes[i], dealt, wanted, draws[k])
        total += _on_next_street(look, count, me, holdings.holes[i], to_act)
    look.cards[_HOLES + dealt :] = UNKNOWN
    return total / len(draws)


@kernel
def _on_next_street(look: Look, count: int, me: int, hole: NDArray[np.uint8], to_act: int) -> float:
    """Return the chips that are won on a new board against a hand."""
    if to_act < 0:
        return _shown_to(look, me, hole)
    mine = look.cards[2 * me : 2 * me + 2]
    level = level_on_board(look, _int(mine[0]), _int(mine[1]))
    if to_act == me:
        return _worth(look, count, level)
    shares = np.empty(ACTIONS)
    _hold(look, 1 - me, hole)
    _infer(look, count, level_on_board(look, _int(hole[0]), _int(hole[1])), shares)
    value = 0.0
    for code in range(CODE_CALL, ACTIONS):
        if shares[code] > 0.0:
            look.betting[count] = code
            value += shares[code] * _worth(look, count + 1, level)
    return value


@kernel
def _shown(look: Look, me: int, holdings: Holdings, weights: NDArray[np.float64]) -> float:
    """Return the chips that are won, in the mean, where hands are shown on the board."""
    total = 0.0
    for i in range(len(weights)):
        if weights[i] > 0.0:
            total += weights[i] * _shown_to(look, me, holdings.holes[i])
    return total / float(weights.sum())


@kernel
def _shown_to(look: Look, me: int, hole: NDArray[np.uint8]) -> float:
    """Return the chips that are won from a hand on the complete board; the betting is replayed."""
    spent, mine = look.replay.hand[SPENT : SPENT + 2], look.cards[2 * me : 2 * me + 2]
    own = look.ranks[combo_at(mine[0], mine[1])]
    other = look.ranks[combo_at(hole[0], hole[1])]
    stake = float(min(spent[0], spent[1]))
    return stake * float(_int(own > other) - _int(own < other))


@kernel
def _worth(look: Look, count: int, level: int) -> float:
    """Return the chips that the network expects the player to act to win."""
    shares = np.empty(ACTIONS)
    spot = _infer(look, count, level, shares)
    return worth_of(look.weights, look.work) * (spot.pot + spot.to_call) - spot.spent


@kernel
def _infer(look: Look, count: int, level: int, shares: NDArray[np.float64]) -> Spot:
    """Run the network for the player to act; write how likely it takes each action."""
    spot, rows = spot_of(look.game, look.cards, look.betting[:count], level, look.replay)
    encode_planes(spot, look.replay.history, rows, look.suits, look.planes)
    run_cnn(look.weights, look.planes.ravel(), look.work, look.actions, look.sizes)
    _share_out(look, spot, shares)
    return spot


@kernel
def _see(look: Look, count: int, position: int, hole: NDArray[np.uint8]) -> Spot:
    """Run the first layer for the opponent to act, but for its hand; `hole` stands for any."""
    _hold(look, position, hole)
    spot, rows = spot_of(look.game, look.cards, look.betting[:count], 0, look.replay)
    encode_planes(spot, look.replay.history, rows, look.suits, look.planes)
    hide_hand(spot.hole, look.suits, look.planes)
    run_first_layer(look.weights, look.planes.ravel(), look.public)
    return spot


@kernel
def _infer_with(
    look: Look, spot: Spot, hole: NDArray[np.uint8], level: int, shares: NDArray[np.float64]
) -> None:
    """Run the network where `_see` has seen; write how likely a hand takes each action."""
    higher = look.first_of_card[0, max(hole[0], hole[1])]
    lower = look.first_of_card[1, min(hole[0], hole[1])]
    p = np.float32(level / TOP)
    for i in range(FIRST_OUTPUTS):
        look.work[i] = look.public[i] + higher[i] + lower[i] + p * look.first_of_strength[i]
    run_later_layers(look.weights, look.work, look.actions, look.sizes)
    _share_out(look, spot, shares)


@kernel
def _share_out(look: Look, spot: Spot, shares: NDArray[np.float64]) -> None:
    """Write how likely each action is by the scores that the network has given."""
    scores = look.actions
    if spot.to_call == 0:
        scores[CODE_FOLD] = -np.inf
    if spot.low == 0:
        scores[CODE_RAISE] = -np.inf
    best, total, legal = scores.max(), 0.0, 0
    for code in range(ACTIONS):
        shares[code] = math.exp(scores[code] - best)
        total += shares[code]
        legal += scores[code] > -np.inf
    for code in range(ACTIONS):
        shares[code] *= (1.0 - look.tremble) / total
        if scores[code] > -np.inf:
            shares[code] += look.tremble / legal


@kernel
def _hold(look: Look, position: int, hole: NDArray[np.uint8]) -> None:
    look.cards[2 * position] = hole[0]
    look.cards[2 * position + 1] = hole[1]


@kernel
def _drawn(weights: NDArray[np.float64], at: float) -> int:
    """Return the row at which the sum of weights passes a number, one of weight above 0."""
    last = 0
    for i in range(len(weights)):
        if weights[i] > 0.0:
            last = i
            at -= weights[i]
            if at < 0.0:
                break
    return last


@kernel
def _deal(
    look: Look,
    me: int,
    hole: NDArray[np.uint8],
    dealt: int,
    wanted: int,
    draws: NDArray[np.float64],
) -> None:
    """Deal a board on, up to so many cards, with cards that nobody holds."""
    dead = card_set(look.cards[2 * me : 2 * me + 2]) | card_set(hole)
    dead |= card_set(look.cards[_HOLES : _HOLES + dealt])
    for at in range(dealt, wanted):
        left = _int(draws[1 + at - dealt] * (CARDS - _HOLES - at))
        for card in range(CARDS):
            if dead >> card & 1 == 0:
                left -= 1
                if left < 0:
                    look.cards[_HOLES + at] = card
                    dead |= _int(1) << card
                    break
    if wanted == _BOARD:
        fill_ranks(look.cards[_HOLES:], look.ranks)
