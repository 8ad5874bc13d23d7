"""ASHE for bulk matches and for the table, and as it evolves."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from agents.ashe.policy_kernels import INPUTS, NET, decide, finish, observe
from agents.evolution.family import EvolvedFamily
from agents.recurrent.shape import row_size
from engine.play.compiled_policy import Family

if TYPE_CHECKING:
    from agents.recurrent.shape import NetShape


@cache
def family_of(shape: NetShape) -> Family:
    """Return the family of players with networks of a shape."""
    memory = NET + (INPUTS + shape.state + shape.work + 1) // 2
    return Family("ashe", decide, observe, finish, row_size(shape), memory)


ASHE: Final = EvolvedFamily(
    name="ashe",
    summary="a network that says how many chips a hand is worth",
    configs=Path(__file__).with_name("configs"),
    opponent_inputs=INPUTS,
    game_inputs=INPUTS,
    outputs=1,
    activation="tanh",
    compiled=family_of,
)
