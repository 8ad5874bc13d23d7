"""A solved game as a policy that is told, for AIVAT, exact matches and best responses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents.equilibrium.model import model_for
from engine.small_games.poker_tree import poker_tree
from engine.small_games.profile_policy import ProfilePolicy

if TYPE_CHECKING:
    from protocol.gamedef import GameDef


def policy_for(game: GameDef | None, model: str | None = None) -> ProfilePolicy:
    """Return what `equilibrium` plays; arguments and errors are those of `model_for`."""
    _, solved = model_for(game, model)
    tree = poker_tree(solved.game)
    return ProfilePolicy(solved.game, tree, solved.profile(tree))
