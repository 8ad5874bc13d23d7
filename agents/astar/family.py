"""The networks of the ensemble, as they evolve, and as they play alone."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from agents.astar.play.memory import GAME_INPUTS
from agents.astar.play.policy import evolved_policy
from agents.evolution.family import EvolvedFamily
from agents.lookahead.policy import LOOKAHEAD
from agents.patterns.raise_classes import MOVES
from agents.patterns.trees_kernels import VECTOR

if TYPE_CHECKING:
    from agents.evolution.network import EvolvedNetwork
    from engine.play.compiled_policy import CompiledPolicy

ASTAR: Final = EvolvedFamily(
    name="astar",
    summary="a network that exploits one opponent, or several",
    configs=Path(__file__).with_name("configs"),
    opponent_inputs=VECTOR,
    game_inputs=GAME_INPUTS,
    outputs=MOVES,
    activation="rectified",
    policy=evolved_policy,
)

NETWORK_FAMILIES: Final = (ASTAR, LOOKAHEAD)


def looks_ahead(network: EvolvedNetwork) -> bool:
    """Return whether a network is one of estimators."""
    return network.family == LOOKAHEAD.name


def policy_of(network: EvolvedNetwork, seed: int) -> CompiledPolicy:
    """Return a network of FAMILIES as a player."""
    family = LOOKAHEAD if looks_ahead(network) else ASTAR
    policy: CompiledPolicy = family.policy(network.shape, network.genome, network.resets, seed)
    return policy
