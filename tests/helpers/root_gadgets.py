"""A gadget without a choice, at the root of a range solve."""

import numpy as np

from engine.hands.cards import COMBOS


class Entered:
    """Both ranges come in as they are told; what was won is there to be read."""

    def __init__(self):
        """Let everything in."""
        self.factors = np.ones((2, COMBOS), np.float32)
        self.won = np.zeros((2, COMBOS))

    def reach(self, which):
        """Return the factors, whatever the profile."""
        return self.factors

    def observe(self, player, values, step):
        """Keep the values of the last iteration."""
        self.won[player] = values

    def best_response(self, player, values, weights, which):
        """Hands that stay out win nothing."""
        return weights[player] @ (self.factors[player] * values)

    def identity(self):
        """Return the factors."""
        return {"factors": self.factors}

    def state(self):
        """Nothing is learnt."""
        return {}

    def resume(self, state):
        """Nothing is learnt."""
