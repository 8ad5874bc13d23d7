"""The ensemble as a compiled policy: the scores of all networks, blended.

The networks are the counter-strategies, of one shape and in the order of the library, and the base
strategy, of any shape; it may also look ahead (`agents.lookahead`).  Parameters, float64: the row
of sizes of the counter-strategies, its bits as they are; the columns below; their genomes, two
float32 to a number, a whole number of numbers each; the nodes of the library; the row of the base
strategy, see `agents.recurrent.shape`.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from agents.astar.ensemble.evidence_kernels import log_loss
from agents.astar.ensemble.forgetting_kernels import EVERY, forget
from agents.astar.ensemble.likeness_kernels import EVIDENCE, measure_distances, write_likeness
from agents.astar.play.nets_kernels import ask_nets, asked_anew, drawn_move, write_chances
from agents.astar.play.player_memory import COUNTERED, FORGOT_AT, NETS, RESULTS, SEEN
from agents.astar.play.senses_kernels import look
from agents.lookahead.choice_kernels import choose
from agents.lookahead.estimators_kernels import Estimators
from agents.patterns.memory_kernels import nodes_of, path_of
from agents.patterns.raise_classes import MOVES, action_of_move, legal_moves
from agents.patterns.trees_kernels import HAND, MADE, NODE, NOWHERE, VISITS, WIDTH
from agents.recurrent.shape import GENOME_AT, RESETS_AT, SIZES
from engine.compiled.jit import inlined_kernel, kernel, pointer_kernel
from engine.play.spot import Spot

RESETS: Final = SIZES
"""See `agents.recurrent.shape`."""
KNOWN: Final = SIZES + 1
"""Opponents in the library."""
GENOME: Final = SIZES + 2
"""Numbers that each genome takes."""
LIBRARY: Final = SIZES + 3
"""Nodes of each opponent."""
FORM: Final = SIZES + 4
"""Of the likeness."""
SHARPNESS: Final = SIZES + 5
CONFIDENCE: Final = SIZES + 6
"""Hands that a node must have been seen in; at others the base strategy plays."""
ALIKE: Final = SIZES + 7
"""1: all counter-strategies count the same, always."""
HALF_LIFE: Final = SIZES + 8
"""Hands after which what was seen of the opponent counts half; 0: all hands count alike."""
CARRY: Final = SIZES + 9
"""Decisions over which a mean of the distances is kept, for where a street does not tell; 0: the
base strategy plays there."""
DOUBT: Final = SIZES + 10
"""Distance at which the base strategy counts as if it countered somebody known; 0: nowhere."""
BASE: Final = SIZES + 11
"""Where the row of the base strategy begins."""
AHEAD: Final = SIZES + 12
"""1: the base strategy looks ahead; 0: it is a network as the others are."""
SCRATCH: Final = SIZES + 13
"""Where the numbers of the base strategy begin in the memory."""
PATIENCE: Final = SIZES + 14
"""Standard errors by which counter-strategies may lose, on average, before the base strategy plays
instead; 0: without end."""
PRIOR: Final = SIZES + 15
"""Nats that a known opponent must explain the actions seen better than by doubt, in all."""
HEADER: Final = SIZES + 16

FEW: Final = 20.0
"""Hands of counter-strategies that tell nothing yet of what they win."""
_MOSTLY: Final = 0.5
SELDOM: Final = 25.0
"""Hands after which evidence is weighed again, however many there were."""


@pointer_kernel
def decide(
    spot: Spot, params: NDArray[np.float64], memory: NDArray[np.float64], draws: NDArray[np.float64]
) -> tuple[int, int]:
    """Return the kind of action and, where it is a raise, the raise-to."""
    if params[HALF_LIFE] > 0:
        _forget(spot.hand, params[HALF_LIFE], memory)
    look(spot, memory)
    known, ahead = int(params[KNOWN]), params[AHEAD] > 0
    scores = np.empty((known + 1, MOVES), np.float32)
    _ask(spot, params, memory, scores)
    legal, chances, blend = np.empty(MOVES, np.bool_), np.empty(MOVES), np.zeros(MOVES)
    legal_moves(spot, legal)
    weights = np.zeros(known + 1)
    weigh_nets(params, memory, weights)
    if has_lost(memory[RESULTS : RESULTS + 3], params[PATIENCE]):
        weights[:known] = 0.0
        weights[known] = 1.0
    if ahead and draws[2] < weights[known]:
        return _look_ahead(spot, params, memory, draws[0])
    if weights[known] < _MOSTLY:
        memory[COUNTERED] = 1.0
    blended = known if ahead else known + 1
    total = 1.0 - weights[known] if ahead else 1.0
    for net in range(blended):
        if weights[net] > 0:
            write_chances(scores[net], legal, chances)
            for move in range(MOVES):
                blend[move] += weights[net] / total * chances[move]
    return action_of_move(spot, drawn_move(blend, draws[0]), draws[1])


@inlined_kernel
def _ask(
    spot: Spot,
    params: NDArray[np.float64],
    memory: NDArray[np.float64],
    scores: NDArray[np.float32],
) -> None:
    """Write (L + 1, MOVES) the scores of all networks; the last row stays where the base looks
    ahead."""
    known, size = int(params[KNOWN]), int(params[GENOME])
    anew = asked_anew(spot, memory)
    ask_nets(
        memory[SEEN:NETS],
        params[:SIZES].view(np.int64),
        int(params[RESETS]),
        params[HEADER : HEADER + known * size].view(np.float32).reshape(known, 2 * size),
        anew,
        memory[NETS:].view(np.float32),
        scores[:known],
    )
    if params[AHEAD] > 0:
        return
    row = params[int(params[BASE]) :]
    ask_nets(
        memory[SEEN:NETS],
        row[:SIZES].view(np.int64),
        int(row[RESETS_AT]),
        row[GENOME_AT:].view(np.float32).reshape(1, -1),
        anew,
        memory[int(params[SCRATCH]) :].view(np.float32),
        scores[known:],
    )


@inlined_kernel
def has_lost(results: NDArray[np.float64], patience: float) -> bool:
    """Return whether the total result is below 0 by more than `patience` standard errors.

    results: (3,) hands, chips won, their squares.
    """
    hands, won = results[0], results[1]
    if patience <= 0 or hands < FEW:
        return False
    error = math.sqrt(max(results[2] / hands - (won / hands) ** 2, 0.0) / hands)
    return bool(won / hands < -patience * error)


@inlined_kernel
def _look_ahead(
    spot: Spot, params: NDArray[np.float64], memory: NDArray[np.float64], draw: float
) -> tuple[int, int]:
    row = params[int(params[BASE]) :]
    net = Estimators(
        row[:SIZES].view(np.int64),
        row[GENOME_AT:].view(np.float32),
        memory[int(params[SCRATCH]) :].view(np.float32),
    )
    return choose(spot, net, nodes_of(memory), path_of(memory), draw)


@inlined_kernel
def _forget(hand: int, half_life: float, memory: NDArray[np.float64]) -> None:
    """Decay the trees by the hands gone by, if there are EVERY of them since the last time."""
    gone = hand - memory[FORGOT_AT]
    if gone >= EVERY:
        forget(nodes_of(memory), int(path_of(memory).state[MADE]), gone, half_life)
        memory[RESULTS : RESULTS + 3] *= 0.5 ** (gone / half_life)
        memory[FORGOT_AT] = hand


@kernel
def weigh_nets(
    params: NDArray[np.float64], memory: NDArray[np.float64], weights: NDArray[np.float64]
) -> None:
    """Write (L + 1,) how much each one counts where the hand stands, the base last; 1 in all."""
    known = int(params[KNOWN])
    if params[ALIKE] > 0:
        weights[:known] = 1.0 / known
        return
    nodes, path = nodes_of(memory), path_of(memory)
    weights[known] = 1.0
    begin, size = HEADER + known * int(params[GENOME]), int(params[LIBRARY]) * WIDTH
    library = params[begin : begin + known * size].reshape(known, int(params[LIBRARY]), WIDTH)
    distances = np.empty(known + 1)
    kept = memory[len(memory) - known - 2 :]
    told = False
    if int(params[FORM]) == EVIDENCE:
        told = _weigh_evidence(kept, nodes, path.state, library, params, distances[:known])
    else:
        if _is_confident(nodes, path.state, params[CONFIDENCE]):
            told = measure_distances(nodes, library, path, distances[:known]) > 0
        if params[CARRY] > 0:
            told = _carry(kept, told, distances[:known], params)
    if told:
        weights[known] = 0.0
        compared = known
        if params[DOUBT] > 0:
            distances[known] = params[DOUBT]
            if int(params[FORM]) == EVIDENCE:
                distances[known] -= params[PRIOR] / max(kept[0], 1.0)
            compared = known + 1
        form, sharpness = int(params[FORM]), params[SHARPNESS]
        write_likeness(distances[:compared], form, sharpness, weights[:compared])


@inlined_kernel
def _carry(
    kept: NDArray[np.float64],
    told: bool,
    distances: NDArray[np.float64],
    params: NDArray[np.float64],
) -> bool:
    """Average the distances, or reuse the mean where the street gave none; return whether known.

    kept: (L + 2,) how often a street gave distances, and the means.
    """
    if told:
        kept[0] = min(kept[0] + 1, params[CARRY])
        for one in range(len(distances)):
            kept[1 + one] += (distances[one] - kept[1 + one]) / kept[0]
        return True
    distances[:] = kept[1 : 1 + len(distances)]
    return bool(kept[0] >= max(params[CONFIDENCE], 1.0))


@inlined_kernel
def _weigh_evidence(
    kept: NDArray[np.float64],
    nodes: NDArray[np.float64],
    state: NDArray[np.float64],
    library: NDArray[np.float64],
    params: NDArray[np.float64],
    distances: NDArray[np.float64],
) -> bool:
    """Write the distances over all the opponent's actions; return whether these are enough.

    They are measured anew after a tenth of the hands so far, and every SELDOM hands.

    kept: (L + 2,) actions behind the distances, these, and the hand in which to measure again.
    """
    hand, known = state[HAND], len(distances)
    if hand >= kept[known + 1]:
        kept[0] = log_loss(nodes, int(state[MADE]), library, kept[1 : known + 1])
        kept[known + 1] = hand + min(max(hand // 10, 1.0), SELDOM)
    distances[:] = kept[1 : known + 1]
    return bool(kept[0] >= max(params[CONFIDENCE], 1.0))


@inlined_kernel
def _is_confident(nodes: NDArray[np.float64], state: NDArray[np.float64], wanted: float) -> bool:
    """Return whether the node where the hand stands has been seen often enough."""
    if wanted <= 0:
        return True
    return bool(state[NODE] != NOWHERE and nodes[int(state[NODE]), VISITS] >= wanted)
