"""Random numbers of bots that decide by views: a generator for each decision, nothing is kept.

So what a bot draws does not depend on what it drew before: started again in the middle of a match
it plays as it would have.  Compiled policies draw by `engine.play.draws`, for the same reason.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from engine.rules.view import PlayerView


def decision_generator(seed: int, view: PlayerView) -> np.random.Generator:
    """Return the generator of a decision: the same again for the same seed, hand and decision.

    Args:
        seed: of the player in this match, 0 or more.
    """
    return np.random.default_rng((seed, view.hand_id, view.decision))
