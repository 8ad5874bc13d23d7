"""The networks of the ensemble, as they evolve."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from agents.astar.play.memory import GAME_INPUTS
from agents.astar.play.policy import evolved_policy
from agents.evolution.family import EvolvedFamily
from agents.patterns.raise_classes import MOVES
from agents.patterns.trees_kernels import VECTOR

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
