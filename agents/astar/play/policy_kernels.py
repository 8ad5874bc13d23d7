"""An evolved player as a compiled policy: it watches, asks its network, and draws its action.

Parameters, float64: the row of sizes (`agents.recurrent.sizes`), its bits as they are; which stacks
begin each hand anew (`RESETS`); the genome, two float32 to a number.  The memory is that of
`memory`.

The ten inputs, all 0 to 1 or thereabouts: what the trees tell of the opponent at the node where the
hand stands (`trees_kernels.tell`); the share of hands with a straight or a flush on this board, the
pairs on the board by 2, the street by 3, the own equity against a random hand, and the chips that
the opponent has raised by, and the player itself, as shares of the pot.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from agents.astar.features.made_hands_kernels import straight_or_flush
from agents.astar.features.raise_classes import MOVES, action_of, legal_moves, move_of
from agents.astar.features.trees_kernels import (
    HAND,
    LONGEST_TRACE,
    STATE,
    VECTOR,
    WIDTH,
    TreePath,
    arrive,
    learn,
    move_on,
    tell,
)
from agents.astar.play.memory import (
    ASKED_IN,
    GAME_INPUTS,
    MADE,
    MADE_ON,
    MINE,
    NET,
    NODES,
    SAID,
    THEIRS,
    TRACE,
    TRACE_MOVES,
    TRACE_NODES,
    TREES,
)
from agents.recurrent.kernels import run_net
from agents.recurrent.sizes import BLOCKS, CELLS, GAME, LAYERS, OPPONENT, SIZES
from engine.compiled.jit import inlined_kernel, kernel
from engine.play.spot import Spot
from engine.rules.fast_state import RAISE

RESETS: Final = SIZES
"""1: the opponent stack begins each hand anew; 2: the game stack; 3: both; 0: neither."""
GENOME: Final = RESETS + 1
_OPPONENT_ANEW: Final = 1
_GAME_ANEW: Final = 2
_SUITS: Final = 4


@kernel
def decide(
    spot: Spot, params: NDArray[np.float64], memory: NDArray[np.float64], draws: NDArray[np.float64]
) -> tuple[int, int]:
    """Return the kind of action and, where it is a raise, the raise-to."""
    sizes = params[:SIZES].view(np.int64)
    scores = _ask(spot, sizes, params, memory)
    legal = np.empty(MOVES, np.bool_)
    legal_moves(spot, legal)
    return action_of(spot, drawn_move(scores, legal, draws[0]), draws[1])


@inlined_kernel
def _ask(
    spot: Spot,
    sizes: NDArray[np.int64],
    params: NDArray[np.float64],
    memory: NDArray[np.float64],
) -> NDArray[np.float32]:
    """Return (MOVES,) the scores of the network in a spot, after a step of its stacks."""
    first = 2 * sizes[OPPONENT + LAYERS] * sizes[OPPONENT + BLOCKS] * sizes[OPPONENT + CELLS]
    second = 2 * sizes[GAME + LAYERS] * sizes[GAME + BLOCKS] * sizes[GAME + CELLS]
    floats = memory[NET:].view(np.float32)
    opponent = floats[:VECTOR]
    game = floats[VECTOR : VECTOR + GAME_INPUTS]
    scores = floats[VECTOR + GAME_INPUTS : VECTOR + GAME_INPUTS + MOVES]
    state = floats[VECTOR + GAME_INPUTS + MOVES :]
    trace = trace_of(memory)
    follow_hand(spot, trace, memory)
    if memory[ASKED_IN] != spot.hand + 1:
        memory[ASKED_IN] = spot.hand + 1
        resets = int(params[RESETS])
        if resets & _OPPONENT_ANEW:
            state[:first] = 0
        if resets & _GAME_ANEW:
            state[first : first + second] = 0
    nodes = memory[TREES:NET].reshape(NODES, WIDTH)
    arrive(nodes, trace, spot.hand, spot.street, 1 - spot.button)
    said = memory[SAID : SAID + VECTOR]
    tell(nodes, trace, said)
    for i in range(VECTOR):
        opponent[i] = said[i]
    _see_game(spot, memory, game)
    genome = params[GENOME:].view(np.float32)
    kept = state[: first + second]
    run_net(sizes, genome, opponent, game, kept, state[first + second :], scores)
    return scores


@inlined_kernel
def trace_of(memory: NDArray[np.float64]) -> TreePath:
    """Return the views of a memory that follow a hand through the trees."""
    return TreePath(
        memory[TRACE : TRACE + STATE],
        memory[TRACE_NODES : TRACE_NODES + LONGEST_TRACE],
        memory[TRACE_MOVES : TRACE_MOVES + LONGEST_TRACE],
    )


@inlined_kernel
def follow_hand(spot: Spot, trace: TreePath, memory: NDArray[np.float64]) -> None:
    """Begin the sums of a hand anew where a spot is the first of it."""
    if trace.state[HAND] != spot.hand + 1:
        memory[MINE] = memory[THEIRS] = memory[MADE_ON] = 0.0


@inlined_kernel
def _see_game(spot: Spot, memory: NDArray[np.float64], game: NDArray[np.float32]) -> None:
    """Write (GAME_INPUTS,) what the cards and chips tell."""
    if memory[MADE_ON] != spot.street + 1:
        memory[MADE_ON] = spot.street + 1
        memory[MADE] = straight_or_flush(spot.hole, spot.board)
    game[0] = memory[MADE]
    game[1] = pairs_on(spot.board) / 2.0
    game[2] = spot.street / 3.0
    game[3] = spot.p
    game[4] = memory[THEIRS] / spot.pot
    game[5] = memory[MINE] / spot.pot


@inlined_kernel
def pairs_on(board: NDArray[np.int64]) -> int:
    """Return how many ranks are on a board twice or more often; cards below 0 are to come."""
    once = twice = 0
    for card in board:
        if card >= 0:
            bit = 1 << (card // _SUITS)
            twice |= once & bit
            once |= bit
    pairs = 0
    while twice:
        twice &= twice - 1
        pairs += 1
    return pairs


@inlined_kernel
def drawn_move(scores: NDArray[np.float32], legal: NDArray[np.bool_], draw: float) -> int:
    """Return a legal move, drawn by the softmax of the scores."""
    highest = -np.inf
    for move in range(len(scores)):
        if legal[move]:
            highest = max(highest, scores[move])
    total = 0.0
    for move in range(len(scores)):
        if legal[move]:
            total += math.exp(scores[move] - highest)
    left = draw * total
    found = 1
    for move in range(len(scores)):
        if legal[move]:
            found = move
            left -= math.exp(scores[move] - highest)
            if left < 0:
                break
    return found


@kernel
def observe(spot: Spot, kind: int, raise_to: int, mine: bool, memory: NDArray[np.float64]) -> None:
    """Follow an action through the trees, and count the chips of raises."""
    trace = trace_of(memory)
    follow_hand(spot, trace, memory)
    nodes = memory[TREES:NET].reshape(NODES, WIDTH)
    arrive(nodes, trace, spot.hand, spot.street, 1 - spot.button if mine else spot.button)
    move_on(trace, move_of(spot, kind, raise_to), mine)
    if kind == RAISE:
        memory[MINE if mine else THEIRS] += raise_to - spot.to_match


@kernel
def finish(memory: NDArray[np.float64], shown_p: float, won: float) -> None:
    """Learn from a hand that is over."""
    learn(memory[TREES:NET].reshape(NODES, WIDTH), trace_of(memory), shown_p)
