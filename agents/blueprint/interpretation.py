"""Interpret a true hand in the abstract game, whatever is bet in it.

A raise that the abstract game does not have is taken for one of its neighbours at random, by the
pseudo-harmonic mapping; where the abstract pot has come to differ from the true one, sizes beside
the pot are compared, not chips.  Nothing is drawn here: all interpretations of a hand are kept,
each with its probability, so that what comes out is the strategy of a player who draws once and
stays with it.

    chance   of an interpretation: the product of the probabilities of its translations, over those
             interpretations in which the player would have been offered what it did
    weight   (H,) chance times the probability that a player with each of H hands would have acted
             as it did, had it understood the hand so

The strategy at a state mixes those of all interpretations by weight.  Chips are the true ones
throughout: the abstract game says only by what fraction of the pot to raise.  So it may have other
stacks and blinds than the true one (`agents.blueprint.scale`): the same fractions lead to the same
place, pots are compared beside the stacks, and what is beyond a shorter stack is all-in.

What has no counterpart in the abstract game:

    a raise taken for a call that ends the street there      the answer is a call
    a hand that is all-in there, or is at another place,     the next street begins where the pot
    when the true street ends                                is most like the true one
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.blueprint.model import BlueprintModel
from agents.blueprint.scale import Scale
from agents.blueprint.strategy_rows import StrategyRows
from engine.betting.betting_tree import CALL, DEAL, FOLD
from engine.betting.translation import lower_probability, pot_fraction
from engine.rules.state import HandState
from protocol import actions as wire
from protocol.actions import Action
from protocol.gamedef import GameDef

_ALIKE: Final = 0.1
"""By what part of the true pot the abstract one may miss it and be like it."""
_COMMITTED: Final = 0.5
"""Who has no more left than this part of the pot puts it in, too."""

HandBuckets = Callable[[int], NDArray[np.int32]]
"""Street -> (H,) int32 buckets of the hands that are asked about."""


class Interpretation(NamedTuple):
    """One way to understand a hand; see the module's text."""

    node: int
    """Where the abstract game is."""
    chance: float
    weight: NDArray[np.float64]


class _Branch(NamedTuple):
    """Where an action may lead from an interpretation."""

    node: int
    chance: float
    likely: Any
    """What weights are multiplied by; a number or (H,)."""


class ActionShares(NamedTuple):
    """What to do with each of H hands."""

    actions: tuple[Action, ...]
    """A different legal ones."""
    probabilities: NDArray[np.float64]
    """(H, A), rows add to 1."""


class Interpreter:
    """Interprets hands by a model."""

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
            model: the abstract strategy.
            game: the true one; None: that of the model.  See `agents.blueprint.scale`.
            threshold: probabilities below it are dropped, 0 to 1.
            purify: whether only the likeliest action is ever taken.

        Raises:
            ValueError: the threshold is no probability.
        """
        if not 0 <= threshold <= 1:
            raise ValueError(f"threshold {threshold}: want a probability")
        self.model: Final = model
        self.game: Final = model.tree.game if game is None else game
        self._scale: Final = Scale.between(model.tree.game, self.game)
        self.rows: Final = StrategyRows(model, 1.0 if purify else threshold)
        """(node, buckets) -> (H, A), see `StrategyRows`."""
        self._asked: HandState | None = None
        self._offered_there: dict[int, tuple[Action, ...]] = {}
        """By node, in the state that was asked about last: each is needed several times."""
        self._roots: Final = _street_roots(model)
        # Plain lists: numbers of an array one by one take ten times as long.
        tree = model.tree
        self._kind: Final[list[int]] = tree.kind.tolist()
        self._street: Final[list[int]] = tree.street.tolist()
        self._action: Final[list[int]] = tree.action.tolist()
        self._raise_to: Final[list[int]] = tree.raise_to.tolist()
        self._first_child: Final[list[int]] = tree.first_child.tolist()
        self._child_count: Final[list[int]] = tree.child_count.tolist()
        self._spent: Final[list[list[int]]] = tree.spent.tolist()

    def start(self, hands: HandBuckets) -> list[Interpretation]:
        """Return the one interpretation of a hand in which nobody has acted."""
        return [Interpretation(0, 1.0, np.ones(len(hands(0))))]

    def step(
        self,
        interpretations: Sequence[Interpretation],
        before: HandState,
        action: Action,
        after: HandState,
        player: int,
        hands: HandBuckets,
    ) -> list[Interpretation]:
        """Return the interpretations after one more action of the true hand.

        Args:
            interpretations: those before it.
            before: the true state in which it was taken, and `after` the one that it led to.
            action: legal in `before`.
            player: whose hands these are.
            hands: their buckets.
        """
        action = self._effective(action, before)
        buckets = hands(before.street) if before.actor == player else None
        if buckets is not None:
            # Whoever acts so has understood the hand in a way in which this action is offered.
            interpretations = [
                one for one in interpretations if self._offered(one.node, before, action)
            ] or interpretations
        certain = sum(one.chance for one in interpretations)
        found: dict[int, Interpretation] = {}
        for node, chance, weight in interpretations:
            for branch in self._branches(node, before, action, buckets):
                reached = branch.node
                if after.street > before.street and not after.over:
                    reached = self._next_street(reached, before.street, after)
                likely, share = weight * branch.likely, chance / certain * branch.chance
                other = found.get(reached)
                if other is not None:
                    likely, share = likely + other.weight, share + other.chance
                found[reached] = Interpretation(reached, share, likely)
        return list(found.values())

    def answer(
        self, interpretations: Sequence[Interpretation], state: HandState, hands: HandBuckets
    ) -> ActionShares:
        """Return what the actor does at `state` with each of its hands."""
        buckets = hands(state.street)
        if len(interpretations) == 1 and self._in_step(node := interpretations[0].node, state):
            offers = self.offers(node, state)
            if len(set(offers)) == len(offers):  # nearly always, and nothing is to be added up
                alone = self.rows(node, buckets).astype(np.float64)
                return ActionShares(offers, alone / alone.sum(axis=1, keepdims=True))
        shares: dict[Action, NDArray[np.float64]] = {}
        single = len(interpretations) == 1
        for node, _, weight in interpretations:
            factor = np.float64(1) if single else weight
            for action, part in self._parts(node, state, buckets):
                _add(shares, action, factor * part)
        table = np.stack(tuple(shares.values()), axis=1)
        total = table.sum(axis=1, keepdims=True)
        if not total.all():  # hands that would not have come here: as if they had
            instead = dict.fromkeys(shares, np.zeros(len(buckets)))
            for node, chance, _ in interpretations:
                for action, part in self._parts(node, state, buckets):
                    _add(instead, action, np.float64(chance) * part)
            table = np.where(total > 0, table, np.stack(tuple(instead.values()), axis=1))
            total = table.sum(axis=1, keepdims=True)
        return ActionShares(tuple(shares), table / total)

    def offers(self, node: int, state: HandState) -> tuple[Action, ...]:
        """Return for each action of the abstract game the legal one that stands for it."""
        if state is not self._asked:
            self._asked, self._offered_there = state, {}
        offers = self._offered_there.get(node)
        if offers is None:
            offers = self._offered_there[node] = self._offers(node, state)
        return offers

    def _offers(self, node: int, state: HandState) -> tuple[Action, ...]:
        spent = self._spent[node]
        to_match = max(spent)
        pot = sum(spent) + to_match - spent[self._kind[node]]
        legal, scale = state.raise_range(), self._scale
        found: list[Action] = []
        first = self._first_child[node]
        for child in range(first, first + self._child_count[node]):
            kind = self._action[child]
            if kind == FOLD and state.can_fold:
                found.append(wire.FOLD)
            elif kind in (FOLD, CALL) or legal is None:
                found.append(wire.CALL)
            elif not self.game.no_limit:
                found.append(wire.RAISE)
            else:
                size = (self._raise_to[child] - to_match) / pot
                if self._raise_to[child] >= scale.abstract_reach and self._commits(size, state):
                    total = scale.reach
                else:
                    total = state.to_match + round(size * (state.pot + state.to_call))
                total = min(total, scale.reach, legal[1])
                found.append(wire.raise_to(max(legal[0], total)))
        return tuple(found)

    def _in_step(self, node: int, state: HandState) -> bool:
        """Return whether the same player acts there, on the same street."""
        actor = self._scale.seats[state.actor]
        return self._kind[node] == actor and self._street[node] == state.street

    def _effective(self, action: Action, state: HandState) -> Action:
        """Return an action without the chips that nobody could win."""
        reach = self._scale.reach
        if action.kind != "r" or not self.game.no_limit or action.raise_to <= reach:
            return action
        legal = state.raise_range()
        return wire.raise_to(max(reach, legal[0])) if legal is not None else action

    def _commits(self, size: float, state: HandState) -> bool:
        """Return whether the abstract all-in, of so many pots, is the true one.

        With deeper stacks it is a bet of as many pots, unless little would be left behind it.
        """
        if self._scale.same_depth:
            return True
        pot = state.pot + state.to_call
        left = self._scale.reach - state.to_match - size * pot
        return left <= _COMMITTED * (1 + 2 * size) * pot

    def _parts(
        self, node: int, state: HandState, buckets: NDArray[np.int32]
    ) -> Iterator[tuple[Action, Any]]:
        """Yield what is done by somebody who is there, and how much of the time by each hand."""
        if not self._in_step(node, state):
            yield wire.CALL, np.ones(len(buckets))
            return
        rows = self.rows(node, buckets)
        for column, action in enumerate(self.offers(node, state)):
            yield action, rows[:, column]

    def _offered(self, node: int, state: HandState, action: Action) -> bool:
        """Return whether somebody who is there may do exactly this."""
        if not self._in_step(node, state):
            return action == wire.CALL
        return action in self.offers(node, state)

    def _branches(
        self, node: int, state: HandState, action: Action, buckets: NDArray[np.int32] | None
    ) -> list[_Branch]:
        """Return where an action may lead.

        Args:
            node: where an interpretation is before it.
            state: the true state.
            action: what is done.
            buckets: of the hands of whoever does it, where it is they that are asked about.
        """
        if not self._in_step(node, state):
            return [_Branch(node, 1.0, 1.0)]
        first = self._first_child[node]
        offers = self.offers(node, state)
        call = next(i for i in range(len(offers)) if self._action[first + i] == CALL)
        same = [i for i, offer in enumerate(offers) if offer == action]
        if buckets is None:
            taken = self._taken_for(node, call, same, offers, state, action)
            return [_Branch(first + i, share, share) for i, share in taken]
        rows = self.rows(node, buckets)
        if action.kind == "c":  # others that come down to it here would lead astray
            return [_Branch(first + call, 1.0, rows[:, same].sum(axis=1))]
        if same:
            return [_Branch(first + i, 1.0 / len(same), rows[:, i]) for i in same]
        taken = self._taken_for(node, call, same, offers, state, action)
        return [_Branch(first + i, share, share * rows[:, i]) for i, share in taken]

    def _taken_for(
        self,
        node: int,
        call: int,
        same: Sequence[int],
        offers: Sequence[Action],
        state: HandState,
        action: Action,
    ) -> list[tuple[int, float]]:
        """Return the offers that an action may be taken for, by their places, and how likely."""
        if action.kind != "r":
            return [(call, 1.0)]
        if not self.game.no_limit:  # where the true game has more raises, those are calls
            return [(place, 1.0 / len(same)) for place in same] or [(call, 1.0)]
        if same and self._is_like(node, state):
            return [(place, 1.0 / len(same)) for place in same]
        return self._neighbours(self._ladder(node, call, offers, state), state, action.raise_to)

    def _neighbours(
        self, ladder: Sequence[tuple[float, int]], state: HandState, raise_to: int
    ) -> list[tuple[int, float]]:
        """Return what a raise between two of a ladder's steps is taken for."""
        wanted = pot_fraction(state, raise_to)
        for (lower, below), (upper, above) in pairwise(ladder):
            if wanted < upper:
                share = lower_probability(lower, upper, wanted)
                both = (below, share), (above, 1 - share)
                return [(place, chance) for place, chance in both if chance > 0]
        return [(ladder[-1][1], 1.0)]

    def _ladder(
        self, node: int, call: int, offers: Sequence[Action], state: HandState
    ) -> list[tuple[float, int]]:
        """Return the sizes of the offers in pots, ascending from the call, with their places.

        Where the abstract pot is like the true one, these are the sizes of the true raises, so that
        an all-in is an all-in.  Where it is not, the same chips are another bet, and what counts is
        how large it is beside the pot: the sizes are those of the abstract game.
        """
        like, spent, first = self._is_like(node, state), self._spent[node], self._first_child[node]
        to_match = max(spent)
        pot = sum(spent) + to_match - spent[self._kind[node]]
        ladder = [(0.0, call)]
        for place, offer in enumerate(offers):
            size = 0.0
            if self._action[first + place] not in (FOLD, CALL) and offer.kind == "r":
                size = (
                    pot_fraction(state, offer.raise_to)
                    if like
                    else (self._raise_to[first + place] - to_match) / pot
                )
            if size > ladder[-1][0]:
                ladder.append((size, place))
        return ladder

    def _is_like(self, node: int, state: HandState) -> bool:
        """Return whether the pot after a call is about the true one, beside the stacks."""
        spent = self._spent[node]
        pot = sum(spent) + max(spent) - spent[self._kind[node]]
        true_pot = state.pot + state.to_call
        return abs(pot * self._scale.chips - true_pot) <= _ALIKE * true_pot

    def _next_street(self, node: int, street: int, state: HandState) -> int:
        """Return where the next street begins for an interpretation that is at `node`."""
        if self._kind[node] == DEAL and self._street[node] == street:
            return self._first_child[node]
        nodes, pots = self._roots[state.street]
        return int(nodes[np.argmin(np.abs(pots - np.log(state.pot / self._scale.chips)))])


def _add(
    shares: dict[Action, NDArray[np.float64]], action: Action, more: NDArray[np.float64]
) -> None:
    shares[action] = shares[action] + more if action in shares else more


def _street_roots(
    model: BlueprintModel,
) -> dict[int, tuple[NDArray[np.int64], NDArray[np.float64]]]:
    """Return by street where it begins: nodes, and the logarithms of their pots."""
    tree = model.tree
    deals = np.flatnonzero(tree.kind == DEAL)
    roots = tree.first_child[deals].astype(np.int64)
    streets, pots = tree.street[deals] + 1, np.log(tree.spent[roots].sum(axis=1))
    return {
        street: (roots[streets == street], pots[streets == street])
        for street in range(1, tree.game.streets)
    }
