"""Stand-ins for what search will put at the root of a range solve."""

import numpy as np

from engine.cfr.solver import StrategyKind
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


class Resolve:
    """Each hand of one player enters or takes an alternative: the gadget of CFR-D, as printed."""

    def __init__(self, player, alternatives):
        """Offer (1326,) chips."""
        self.player = player
        self.alternatives = alternatives
        self.regret = np.zeros((2, COMBOS))
        self.matched = np.zeros((2, COMBOS))
        self.enter_sum = np.zeros(COMBOS)
        self.weight = np.zeros(1)

    def reach(self, which):
        """Return how often each hand enters."""
        found = np.ones((2, COMBOS), np.float32)
        if which is StrategyKind.CURRENT or not self.weight[0]:
            found[self.player] = self._enters()
        else:
            found[self.player] = self.enter_sum / self.weight
        return found

    def observe(self, player, values, step):
        """Add regrets for entering and for staying out."""
        if player != self.player:
            return
        enters = self._enters()
        offers = np.stack((values, self.alternatives))
        instant = offers - (enters * values + (1 - enters) * self.alternatives)
        self.regret *= np.where(self.regret > 0, step.positive, step.negative)
        self.regret += instant
        if step.floor:
            self.regret = np.maximum(self.regret, 0)
        guess = self.regret * step.carry + step.prediction * instant
        self.matched = np.maximum(guess, 0) if step.prediction else self.regret
        self.enter_sum = self.enter_sum * step.keep + step.weight * enters
        self.weight = self.weight * step.keep + step.weight

    def best_response(self, player, values, weights, which):
        """Each hand of its player takes the better one; the other one meets what enters."""
        if player == self.player:
            return weights[player] @ np.maximum(values, self.alternatives)
        stays = 1 - self.reach(which)[self.player]
        return weights[player] @ values - weights[self.player] @ (stays * self.alternatives)

    def identity(self):
        """Return whose hands enter, and what they are offered."""
        return {"player": np.array(self.player), "alternatives": self.alternatives}

    def state(self):
        """Return all that is learnt."""
        names = ("regret", "matched", "enter_sum", "weight")
        return {name: getattr(self, name) for name in names}

    def resume(self, state):
        """Go on from there."""
        for name, array in self.state().items():
            if state[name].shape != array.shape:
                raise ValueError(f"{name} of another gadget")
            setattr(self, name, state[name].copy())

    def _enters(self):
        positive = np.maximum(self.matched, 0)
        total = positive.sum(axis=0)
        return np.where(total > 0, positive[0] / np.where(total > 0, total, 1), 0.5)
