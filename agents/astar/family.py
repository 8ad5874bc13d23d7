"""The networks of the ensemble, as they evolve, and as they play alone."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from agents.astar.play.player_memory import GAME_INPUTS, memory_size
from agents.astar.play.policy_kernels import decide
from agents.astar.play.senses_kernels import finish, observe
from agents.evolution.family import EvolvedFamily
from agents.lookahead.policy import LOOKAHEAD
from agents.patterns.raise_classes import MOVES
from agents.patterns.trees_kernels import VECTOR
from agents.recurrent.shape import row_size
from engine.play.compiled_policy import Family

if TYPE_CHECKING:
    from agents.evolution.network import EvolvedNetwork
    from agents.recurrent.shape import NetShape
    from engine.play.compiled_policy import CompiledPolicy


@cache
def family_of(shape: NetShape) -> Family:
    """Return the family of players with networks of a shape."""
    return Family("evolved", decide, observe, finish, row_size(shape), memory_size(shape))


ASTAR: Final = EvolvedFamily(
    name="astar",
    summary="a network that exploits one opponent, or several",
    configs=Path(__file__).with_name("configs"),
    opponent_inputs=VECTOR,
    game_inputs=GAME_INPUTS,
    outputs=MOVES,
    activation="rectified",
    compiled=family_of,
)

NETWORK_FAMILIES: Final = (ASTAR, LOOKAHEAD)


def looks_ahead(network: EvolvedNetwork) -> bool:
    """Return whether a network is one of estimators."""
    return network.family == LOOKAHEAD.name


def policy_of(network: EvolvedNetwork, seed: int) -> CompiledPolicy:
    """Return a network of NETWORK_FAMILIES as a player."""
    family = LOOKAHEAD if looks_ahead(network) else ASTAR
    return family.policy(network.shape, network.genome, network.resets, seed)
