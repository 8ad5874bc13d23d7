"""What was learned of a small game as a policy that is told: AIVAT, exact matches, best responses.

Of several policies, of which each hand draws one, it is the average: what is seen of many hands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents.learners.model import learned_model
from agents.learners.small_game import SmallLearnedGame
from engine.small_games.profile_policy import ProfilePolicy

if TYPE_CHECKING:
    from protocol.gamedef import GameDef


def policy_for(game: GameDef | None, algorithm: str, model: str | None = None) -> ProfilePolicy:
    """Return what a learned bot plays; arguments and errors are those of `learned_model`."""
    learned = learned_model(algorithm, game, model)
    small = SmallLearnedGame(learned.game)
    return ProfilePolicy(learned.game, small.tree, small.average(learned.networks))
