"""Which inputs matter to the network: by how much it predicts worse without each.

    importance = mean of -ln(probability of what was done), the input shuffled, less the same with
                 the input as it is; nats per decision, on hands that were not learned from

An input is shuffled among the held-out decisions, so that its values stay as frequent as they were
and tell nothing of the decision.  Inputs that are one feature, such as the three that say the
street, move together.  What is legal stays as it is, whatever the shuffled inputs say of it.
Permutation importance: Breiman, "Random forests", Machine Learning 45, 2001, for any model Fisher,
Rudin, Dominici, "All models are wrong, but many are useful", JMLR 20, 2019.  What two inputs both
tell counts for neither, as the network still has it from the other one.

The interval is over repeats of the shuffle (Student's).  It holds how the shuffles differ, not how
other hands would: the standard error over hands stands beside it.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from agents.statistical.learning.evaluation import losses
from agents.statistical.predicting.contexts import FEATURES, legal_in_contexts
from engine.estimates.winrate import half_interval

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from agents.statistical.learning.dataset import DecisionTable
    from agents.statistical.predicting.ann import Network

TOGETHER: Final = {
    "street": ("flop", "turn", "river"),
    "raises faced": ("no raise", "one raise", "more raises"),
    "price of a call": ("pot odds", "bet"),
    "leader of the street before": ("led street before", "other led street before"),
    "suits of the board": ("flush possible", "two of a suit"),
    "high cards of the board": ("ace", "king", "high cards"),
    "own counters here": ("folds here", "calls here", "raises here", "known here"),
    "own counters in all": ("folds", "raises"),
}
"""Feature -> its inputs; every other input is a feature by itself."""


class Importance(NamedTuple):
    """How much a feature matters, nats per decision."""

    feature: str
    inputs: tuple[str, ...]
    increase: float
    half_width: float
    """Half the 95 % interval over repeats; infinite for one."""
    over_hands: float
    """Standard error of the increase over hands."""


class Importances(NamedTuple):
    """All features, what matters most first."""

    loss: float
    """Of the network with all inputs, nats per decision."""
    decisions: int
    hands: int
    repeats: int
    features: list[Importance]


def features() -> dict[str, tuple[str, ...]]:
    """Return the inputs of each feature, in the order of `FEATURES`."""
    owner = {one: name for name, inputs in TOGETHER.items() for one in inputs}
    found: dict[str, tuple[str, ...]] = {}
    for one in FEATURES:
        name = owner.get(one, one)
        found[name] = (*found.get(name, ()), one)
    return found


def importances(
    network: Network,
    held_out: DecisionTable,
    repeats: int,
    rng: np.random.Generator,
    progress: Callable[[float], None] | None = None,
) -> Importances:
    """Return how much each feature matters; the same generator gives the same numbers.

    Args:
        held_out: decisions that it has not seen, one at least.
        repeats: shuffles of each feature, one or more.
        progress: told the share that is done.
    """
    legal = legal_in_contexts(held_out.contexts)
    _, hand = np.unique(held_out.hands, return_inverse=True)

    def loss_of(contexts: NDArray[np.float32]) -> NDArray[np.float64]:
        return losses(network.probabilities_among(legal, contexts), held_out.actions)

    usual = loss_of(held_out.contexts)
    count = len(usual)
    found = []
    every = features()
    for number, (name, inputs) in enumerate(every.items()):
        if progress is not None:
            progress(number / len(every))
        columns = [FEATURES.index(one) for one in inputs]
        worse = np.zeros((repeats, count))
        for one in range(repeats):
            shuffled = held_out.contexts.copy()
            shuffled[:, columns] = held_out.contexts[rng.permutation(count)][:, columns]
            worse[one] = loss_of(shuffled) - usual
        means = worse.mean(axis=1)
        increase = float(means.mean())
        sd = float(means.std(ddof=1)) if repeats > 1 else math.inf
        sums = np.bincount(hand, worse.mean(axis=0) - increase)
        found.append(
            Importance(
                name,
                inputs,
                increase,
                half_interval(sd, repeats),
                math.sqrt(float(sums @ sums)) / count,
            )
        )
    found.sort(key=lambda one: -one.increase)
    return Importances(float(usual.mean()), count, len(sums), repeats, found)
