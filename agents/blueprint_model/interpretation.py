"""Interpret a true hand in the abstract game, whatever is bet in it.

A raise that the abstract game does not have is mapped to one of its neighbours at random, by the
pseudo-harmonic mapping.  Where the abstract pot differs from the true one, sizes relative to the
pot are compared, not chips.  Nothing is drawn here: all interpretations of a hand are kept, each
with its probability.  The result is the strategy of a player who draws once and stays with it.

    chance   of an interpretation: the product of the probabilities of its translations, over those
             interpretations in which the player would have been offered what it did
    weight   (H,) chance times the probability that a player with each of H hands would have acted
             as it did under this interpretation

The strategy at a state mixes those of all interpretations by weight.  Chips are the true ones
throughout: the abstract game says only by what fraction of the pot to raise.  So it may have other
stacks and blinds than the true one (`scale`).  The same fractions lead to the same place, pots are
compared relative to the stacks, and what is beyond a shorter stack is all-in.

An extra raise, which only opponents make, tells nothing of the hand of whoever makes it.

What has no counterpart in the abstract game:

    a raise taken for a call that ends the street there      the answer is a call
    a hand that is all-in there, or is at another place,     the next street begins where the pot
    when the true street ends                                is most like the true one
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.blueprint_model.model import BlueprintModel
from agents.blueprint_model.reading import Reader
from agents.blueprint_model.strategy_rows import StrategyRows
from engine.rules.state import HandState
from protocol import actions as wire
from protocol.actions import Action
from protocol.gamedef import GameDef

HandBuckets = Callable[[int], Any]
"""Street -> (H,) int32 buckets of the hands that are asked about, or the bucket of the only one."""


class Interpretation(NamedTuple):
    """One way to understand a hand; see the module's text."""

    node: int
    """Where the abstract game is."""
    chance: float
    weight: Any
    """(H,) float64, or a number."""


class ActionShares(NamedTuple):
    """What to do with each of H hands, or with one."""

    actions: tuple[Action, ...]
    """A different legal ones."""
    probabilities: NDArray[np.float64]
    """(H, A), rows add to 1; or one of them, (A,)."""


class Interpreter:
    """Interprets hands by a model.

    A single hand may be asked for by its bucket instead of an array of one: the numbers are the
    same, several times as fast.
    """

    def __init__(
        self,
        model: BlueprintModel,
        game: GameDef | None = None,
        *,
        threshold: float = 0.0,
        purify: bool = False,
    ) -> None:
        """Choose how to play.

        Args:
            game: the true one; None: that of the model.  See `reading.Scale`.
            threshold: probabilities below it are dropped, 0 to 1.
            purify: whether only the likeliest action is ever taken.

        Raises:
            ValueError: the threshold is no probability.
        """
        if not 0 <= threshold <= 1:
            raise ValueError(f"threshold {threshold}: want a probability")
        self.model: Final = model
        self.game: Final = model.tree.game if game is None else game
        self.reader: Final = Reader(model.tree, self.game, model.extras)
        self.rows: Final = StrategyRows(model, 1.0 if purify else threshold)
        """(node, buckets) -> (H, A), see `StrategyRows`."""

    def start(self, hands: HandBuckets) -> list[Interpretation]:
        """Return the one interpretation of a hand before its first action."""
        return [Interpretation(0, 1.0, np.ones(np.shape(hands(0))))]

    def step(
        self,
        interpretations: Sequence[Interpretation],
        state: HandState,
        action: Action,
        after: HandState,
        player: int,
        hands: HandBuckets,
    ) -> list[Interpretation]:
        """Return the interpretations after one more action of the true hand.

        Args:
            state: the true state in which it was taken, and `after` the one that it led to.
            action: legal in `state`.
        """
        reader = self.reader
        asked = state.actor == player
        if asked and len(interpretations) > 1:
            # Whoever acts so has understood the hand in a way in which this action is offered.
            interpretations = [
                interpretation
                for interpretation in interpretations
                if reader.offered(interpretation.node, state, action)
            ] or interpretations
        certain = sum(interpretation.chance for interpretation in interpretations)
        by_node: dict[int, Interpretation] = {}
        for node, chance, weight in interpretations:
            for lead in reader.leads(node, state, action, after, asked=asked):
                likely, share = weight * lead.share, chance / certain * lead.chance
                if lead.columns:
                    by_action = self.rows(node, hands(state.street)).T
                    likely = weight * (lead.share * sum(by_action[i] for i in lead.columns))
                earlier = by_node.get(lead.node)
                if earlier is not None:
                    likely, share = likely + earlier.weight, share + earlier.chance
                by_node[lead.node] = Interpretation(lead.node, share, likely)
        return list(by_node.values())

    def answer(
        self, interpretations: Sequence[Interpretation], state: HandState, hands: HandBuckets
    ) -> ActionShares:
        """Return what the actor does at `state` with each of its hands."""
        buckets = hands(state.street)
        if len(interpretations) == 1:
            node = interpretations[0].node
            offers = self.reader.offers(node, state)
            if 0 < len(offers) == len(set(offers)):  # nearly always, and nothing is to be added up
                alone = self.rows(node, buckets).astype(np.float64)
                return ActionShares(offers, alone / alone.sum(axis=-1, keepdims=True))
        nodes = [interpretation.node for interpretation in interpretations]
        weights = (
            [interpretation.weight for interpretation in interpretations]
            if len(nodes) > 1
            else [np.float64(1)]
        )
        actions, table = self._mixed(nodes, weights, state, buckets)
        total = table.sum(axis=-1, keepdims=True)
        if not total.all():  # hands that would not have come here: as if they had
            chances = [np.float64(interpretation.chance) for interpretation in interpretations]
            _, instead = self._mixed(nodes, chances, state, buckets)
            table = np.where(total > 0, table, instead)
            total = table.sum(axis=-1, keepdims=True)
        return ActionShares(actions, table / total)

    def _mixed(
        self, nodes: Sequence[int], weights: Sequence[Any], state: HandState, buckets: Any
    ) -> tuple[tuple[Action, ...], NDArray[np.float64]]:
        """Return the actions at some nodes, and how often each hand takes each of them."""
        shares: dict[Action, Any] = {}
        for node, weight in zip(nodes, weights, strict=True):
            if offers := self.reader.offers(node, state):
                parts = self.rows(node, buckets).T
            else:
                offers, parts = (wire.CALL,), np.ones((1, *np.shape(buckets)))
            for action, part in zip(offers, weight * parts, strict=True):
                shares[action] = shares[action] + part if action in shares else part
        # Rows must be contiguous: else NumPy adds them up in another order.
        return tuple(shares), np.array(tuple(shares.values())).T.copy()
