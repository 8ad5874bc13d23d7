"""Players that look ahead, for bulk matches and for the table, and as they evolve."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from agents.evolution.family import EvolvedFamily
from agents.lookahead.policy_kernels import decide, finish, observe
from agents.lookahead.sizes import FOLD_INPUTS, OUTPUTS, WIN_INPUTS, scratch_size
from agents.patterns.tree_memory import END
from agents.recurrent.shape import row_size
from engine.play.compiled_policy import Family

if TYPE_CHECKING:
    from agents.recurrent.shape import NetShape


@cache
def family_of(shape: NetShape) -> Family:
    """Return the family of players with networks of a shape."""
    return Family("lookahead", decide, observe, finish, row_size(shape), END + scratch_size(shape))


LOOKAHEAD: Final = EvolvedFamily(
    name="ashe-2",
    summary="two estimators, of wins and of folds, for a look one step ahead",
    configs=Path(__file__).with_name("configs"),
    opponent_inputs=WIN_INPUTS,
    game_inputs=FOLD_INPUTS,
    outputs=OUTPUTS,
    activation="tanh",
    compiled=family_of,
)
