"""The branch behind one new raise, to be solved while the rest of the strategy stays as it is.

Both players come to the place of the raise with the hands with which the model comes there.  From
the raise on everything is solved anew, by external sampling, in one of two forms:

    with its siblings (safe)   whoever may make the raise first chooses, with every hand there is,
                               between it and what the model wins at the place without it: a
                               gadget as in re-solving
    alone                      the raise is made with every hand that comes to the place

The first answers a player who makes the raise only with the hands that gain by it, beyond what the
model itself wins with them.  The second wins more from a player who always makes it, and loses to
one who does so with strong hands only.

Sources: Brown, Sandholm, "Superhuman AI for heads-up no-limit poker: Libratus beats top
professionals", Science 359, 2018 (the self-improver, with and without siblings); Burch, Johanson,
Bowling, "Solving imperfect information games using decomposition", AAAI 2014 (the gadget).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from agents.blueprint_model.config import BlueprintConfig
from agents.blueprint_model.model import BlueprintModel, tree_of
from engine.betting.betting_tree import BettingTree
from engine.betting.info_sets import build_info_sets
from engine.mccfr.external_sampling import Mccfr
from engine.mccfr.playouts import Playouts, play_out
from engine.mccfr.settings import MccfrSettings
from engine.mccfr.weighted_deals import Elsewhere, WeightedDeals

LEAST_REACH: Final = 1e-3
"""What the model never brings there comes by mistake."""
PLAYOUTS: Final = 4_000_000
"""Values of the other actions then have an error of 0.1 big blinds for a hand."""
MOST_PERIOD: Final = 250_000
_CHOICES_BEFORE_BRANCH: Final = 2


class Branch:
    """What is to be solved behind a raise.

    Attributes:
        extra: the betting that the raise ends, as in `BlueprintConfig.extras`.
        place: the decision of the model's tree at which it is made.
        player: who may make it.
        tree: the betting that is solved.
    """

    def __init__(self, model: BlueprintModel, extra: str, *, safe: bool) -> None:
        """Set up the betting.

        Raises:
            ValueError: the model's game does not allow the raise, or the model has it.
        """
        self.extra: Final = extra
        self.safe: Final = safe
        self._model: Final = model
        whole = tree_of(extended(model.config, [extra]))
        root = whole.path(extra)[-1]
        above = int(whole.parent[root])
        self.player: Final = int(whole.kind[above])
        self.place: Final = int(matching_nodes(whole, model.tree)[above])
        below = whole.below(root)
        self.tree: Final = below.behind_choice() if safe else below
        self.info_sets: Final = build_info_sets(self.tree, model.cards.counts)

    @property
    def first_decision(self) -> int:
        """Node of what is solved at which the model's new rows begin."""
        return _CHOICES_BEFORE_BRANCH * self.safe

    @property
    def rows(self) -> int:
        """Information sets that the model gets."""
        choice: int = self._model.cards.counts[0] if self.safe else 0
        return self.info_sets.rows - choice

    def value_others(self, cards: Any, deals: int, seed: int) -> Iterator[Playouts]:
        """Yield what the other actions of the place are worth, better known each time.

        Args:
            cards: the model's, with a table of the turn.
            deals: on which they are valued in the end.
        """
        model = self._model
        above = {self.place, *_ancestors(model.tree, self.place)}
        # Of extra raises that the model has already, only those that lead here are played.
        extras = tuple(text for text in model.config.extras if model.tree.path(text)[-1] in above)
        whole = tree_of(replace(model.config, extras=extras))
        there = matching_nodes(whole, model.tree)
        root = int(np.flatnonzero(there == self.place)[0])
        nodes = there[whole.nodes_below(root)]

        return play_out(
            build_info_sets(whole.below(root), model.cards.counts),
            lambda node: self._own_strategy(int(nodes[node])),
            WeightedDeals(whole.game, cards, self._reach(alone=False)),
            deals,
            np.random.default_rng([seed, 0]),
        )

    def worth_of(self, others: Playouts) -> NDArray[np.float64]:
        """Return (B,) chips that each hand has at the place without the raise.

        It is what the model's own mixture of the other actions wins.  The best of them is worth no
        less, but the best of uncertain estimates is too high, by 0.1 big blinds after four million
        deals; then too few hands raise, and the answers to the others are not learned.
        """
        worth: NDArray[np.float64] = (self._own_strategy(self.place) * others.mean).sum(axis=1)
        return worth

    def source(self, cards: Any, worth: NDArray[np.float64] | None) -> WeightedDeals:
        """Return the deals to learn from.

        Args:
            cards: the model's, with a table of the turn.
            worth: (B,) chips that each hand has without the raise; None: it is always made.
        """
        elsewhere = None if worth is None else Elsewhere(self.player, worth)
        reach = self._reach(alone=worth is None)
        return WeightedDeals(self.tree.game, cards, reach, elsewhere)

    def settings(self, workers: int) -> MccfrSettings:
        """Return how it is learned: as the model was."""
        settings = self._model.config.training.settings(workers)
        return replace(settings, period=min(settings.period, MOST_PERIOD))

    def average(self, solver: Mccfr, node: int) -> NDArray[np.float32]:
        """Return what was learned at a node of the branch, counted from the raise on."""
        return solver.average(node + self.first_decision)

    def _own_strategy(self, node: int) -> NDArray[np.float32]:
        """Return what the model does at a node of its tree, without a column for extra raises."""
        model = self._model
        is_own = [child not in model.extras for child in model.tree.children(node)]
        return model.strategy(node)[:, is_own]

    def _reach(self, *, alone: bool) -> NDArray[np.float64]:
        """Return (2, B) how often the model comes to the place with each hand.

        Of whoever makes the raise only where it is alone: else it may come with any hand.
        """
        model, tree = self._model, self._model.tree
        reach = np.ones((2, model.cards.counts[0]))
        node = self.place
        for above in _ancestors(tree, node):
            player = int(tree.kind[above])
            if node not in model.extras and (alone or player != self.player):
                reach[player] *= model.strategy(above)[:, node - int(tree.first_child[above])]
            node = above
        return np.maximum(reach, LEAST_REACH)


def _ancestors(tree: BettingTree, node: int) -> Iterator[int]:
    """Yield the nodes above a node, from its parent to the root."""
    while node > 0:
        node = int(tree.parent[node])
        yield node


def extended(config: BlueprintConfig, extras: Sequence[str]) -> BlueprintConfig:
    """Return the config with more extra raises."""
    return replace(config, extras=(*config.extras, *extras))


def matching_nodes(tree: BettingTree, target: BettingTree) -> NDArray[np.int32]:
    """Return (N,) for each node of a tree the one of another with the same betting, else -1."""
    matches = np.full(tree.nodes, -1, np.int32)
    matches[0] = 0
    for node in range(tree.nodes):
        if matches[node] < 0:
            continue
        theirs = {
            (int(target.action[child]), int(target.raise_to[child])): child
            for child in target.children(int(matches[node]))
        }
        for child in tree.children(node):
            matches[child] = theirs.get((int(tree.action[child]), int(tree.raise_to[child])), -1)
    return matches
