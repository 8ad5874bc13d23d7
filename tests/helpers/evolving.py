"""Small runs of evolution: tiny networks of ASHE, some deals, a few generations."""

import numpy as np

from agents.ashe.policy import ASHE
from agents.evolution.evolution import EvolutionPlan, Stage
from agents.evolution.selection import TIERED, ReproductionConfig
from agents.lookahead.sizes import FOLD_INPUTS, OUTPUTS, WIN_INPUTS
from agents.recurrent.shape import GAME_ANEW, NetShape, Stack, random_genome
from protocol.gamedefs import load_builtin

HUNL = load_builtin("hunl")
SHAPE = NetShape(
    Stack(1, 1, 2), Stack(1, 2, 2), (3,), ASHE.opponent_inputs, ASHE.game_inputs, 1, "tanh"
)
AHEAD = NetShape(Stack(1, 1, 3), Stack(1, 1, 2), (4,), WIN_INPUTS, FOLD_INPUTS, OUTPUTS, "tanh")
"""Of a network that looks ahead."""
STAGES = (Stage(2, ("O2",), 6), Stage(2, ("O1", "O2"), 3))


def play_small(genome, seed):
    """Return who plays a genome."""
    return ASHE.policy(SHAPE, genome, GAME_ANEW, seed)


def small_plan(**changes):
    """Return a plan of four generations, or another."""
    usual = {
        "shape": SHAPE,
        "stages": STAGES,
        "population": 5,
        "founders": 7,
        "breeding": ReproductionConfig(0.4, TIERED),
        "seed": 11,
    }
    return EvolutionPlan(**usual | changes)


def small_genomes(count, seed=5):
    """Return (count, G) random genomes."""
    rng = np.random.default_rng(seed)
    return np.stack([random_genome(SHAPE, rng) for _ in range(count)])
