"""Read the betting of a true hand in the abstract game: what is offered, and where actions lead.

Nothing here depends on cards, so results are cached by state: hands that were bet alike are read
alike, and most hands begin like many before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

import numpy as np

from engine.betting.betting_tree import CALL, DEAL, FOLD
from engine.betting.translation import lower_probability, pot_fraction
from protocol import actions as wire

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from engine.betting.betting_tree import BettingTree
    from engine.rules.state import HandState
    from protocol.actions import Action
    from protocol.gamedef import GameDef

_POT_TOLERANCE: Final = 0.1
_COMMITTED_POT_SHARE: Final = 0.5
"""Who has no more behind than this part of the pot puts it in, too."""
_CACHED_ANSWERS: Final = 8192

_Key = TypeVar("_Key")
_Answer = TypeVar("_Answer")


class Scale(NamedTuple):
    """Chips of an abstract game in the true one, where blinds or stacks differ.

    The same action is the same fraction of the pot.  The same pot is the same fraction of the
    effective stack, the smaller of the two, or in limit games of the big blind.
    """

    abstract_reach: int
    """Effective stack there, its chips: a raise to so many is the all-in."""
    reach: int
    """Effective stack here, true chips; nothing is won or lost by more."""
    chips: float
    """True chips in which a pot is as large as in one abstract chip."""
    same_depth: bool
    """Whether both effective stacks are as many big blinds; so always in limit games."""
    seats: tuple[int, int]
    """True position -> abstract one: whoever acts first before the flop is the same."""

    @classmethod
    def between(cls, abstract: GameDef, true: GameDef) -> Scale:
        """Return the scale of two games for two of one kind, limit or no-limit."""
        theirs, ours = min(abstract.stacks), min(true.stacks)
        if abstract.no_limit:
            chips = ours / theirs
            same = ours * abstract.big_blind == theirs * true.big_blind
        else:
            chips, same = true.big_blind / abstract.big_blind, True
        turned = abstract.first_positions[0] != true.first_positions[0]
        return cls(theirs, ours, chips, same, (1, 0) if turned else (0, 1))


class Lead(NamedTuple):
    """Where an action may lead from a node."""

    node: int
    chance: float
    """That the action is taken for the one that leads there."""
    share: float
    """What weights are multiplied by, apart from what hands do."""
    columns: tuple[int, ...]
    """Which actions of the node a hand may have taken to do this; () where it is not asked, and
    for an extra raise."""


class PlacedAction(NamedTuple):
    """An action of a hand, and where the abstract game may be."""

    state: HandState
    """In which it is taken."""
    action: Action
    before: dict[int, float]
    """Node -> chance."""
    after: dict[int, float]


class Reader:
    """Reads true hands in an abstract game."""

    def __init__(
        self, tree: BettingTree, game: GameDef, extras: frozenset[int] = frozenset()
    ) -> None:
        """Take the abstract game's betting, the true game, and the nodes behind extra raises."""
        self.game: Final = game
        self._extras: Final = extras
        self._closed: frozenset[int] = frozenset()
        self._scale: Final = Scale.between(tree.game, game)
        self._roots: Final = _street_roots(tree)
        # Plain lists: numbers of an array one by one take ten times as long.
        self._kind: Final[list[int]] = tree.kind.tolist()
        self._street: Final[list[int]] = tree.street.tolist()
        self._action: Final[list[int]] = tree.action.tolist()
        self._raise_to: Final[list[int]] = tree.raise_to.tolist()
        self._first_child: Final[list[int]] = tree.first_child.tolist()
        self._child_count: Final[list[int]] = tree.child_count.tolist()
        self._spent: Final[list[list[int]]] = tree.spent.tolist()
        self._offers: Final[dict[tuple[str, int], tuple[Action, ...]]] = {}
        self._leads: Final[dict[tuple[str, int, Action, bool], tuple[Lead, ...]]] = {}

    @property
    def closed(self) -> frozenset[int]:
        """Nodes behind extra raises that hands are read without."""
        return self._closed

    def close(self, nodes: frozenset[int]) -> None:
        """Read hands from now on as if there were not these extra raises, and all the others."""
        if nodes != self._closed:
            self._closed = nodes
            self._leads.clear()

    def offers(self, node: int, state: HandState) -> tuple[Action, ...]:
        """Return for each action of the abstract game the legal one that stands for it.

        Empty where the abstract game is out of step (on another street, or at the other player);
        the answer then is a call.
        """
        key = state.betting, node
        offers = self._offers.get(key)
        if offers is None:
            in_step = self._in_step(node, state)
            offers = tuple(self._find_offers(node, state)) if in_step else ()
            _keep(self._offers, key, offers)
        return offers

    def offered(self, node: int, state: HandState, action: Action) -> bool:
        """Return whether somebody who is there may do exactly this."""
        return self._effective(action, state) in (self.offers(node, state) or (wire.CALL,))

    def leads(
        self, node: int, state: HandState, action: Action, after: HandState, *, asked: bool
    ) -> tuple[Lead, ...]:
        """Return where an action may lead.

        Args:
            node: where an interpretation is before it.
            state: the true one in which it is taken, and `after` the one that it leads to.
            asked: whether the actor is the player about whose hands we ask.
        """
        key = state.betting, node, action, asked
        answer = self._leads.get(key)
        if answer is None:
            effective = self._effective(action, state)
            leads = self._find_leads(node, state, effective, asked=asked)
            if after.street > state.street and not after.over:
                leads = [
                    lead._replace(node=self._next_street(lead.node, state.street, after))
                    for lead in leads
                ]
            answer = tuple(leads)
            _keep(self._leads, key, answer)
        return answer

    def readings(self, end: HandState) -> Iterator[PlacedAction]:
        """Yield the actions of a hand before the flop, with where each is read and leads."""
        chances = {0: 1.0}
        for state, action, after in end.steps():
            if state.street:
                return
            further: dict[int, float] = {}
            for node, chance in chances.items():
                for lead in self.leads(node, state, action, after, asked=False):
                    further[lead.node] = further.get(lead.node, 0.0) + chance * lead.chance
            yield PlacedAction(state, action, chances, further)
            chances = further

    def _in_step(self, node: int, state: HandState) -> bool:
        """Return whether the same player acts there, on the same street."""
        actor = self._scale.seats[state.actor]
        return self._kind[node] == actor and self._street[node] == state.street

    def _find_offers(self, node: int, state: HandState) -> Iterator[Action]:
        to_match, pot = max(self._spent[node]), self._pot(node)
        true_pot = state.pot + state.to_call
        legal, scale = state.raise_range(), self._scale
        first = self._first_child[node]
        for child in range(first, first + self._child_count[node]):
            kind = self._action[child]
            if kind == FOLD and state.can_fold:
                yield wire.FOLD
            elif kind in (FOLD, CALL) or legal is None:
                yield wire.CALL
            elif not self.game.no_limit:
                yield wire.RAISE
            else:
                size = (self._raise_to[child] - to_match) / pot
                if self._raise_to[child] >= scale.abstract_reach and self._commits(size, state):
                    total = scale.reach
                else:
                    total = state.to_match + round(size * true_pot)
                total = min(total, scale.reach, legal[1])
                yield wire.raise_to(max(legal[0], total))

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
        stack = self._scale.reach - state.to_match - size * pot
        return stack <= _COMMITTED_POT_SHARE * (1 + 2 * size) * pot

    def _find_leads(
        self, node: int, state: HandState, action: Action, *, asked: bool
    ) -> list[Lead]:
        """Return where an action may lead, on the street on which it is taken."""
        offers = self.offers(node, state)
        if not offers:
            return [Lead(node, 1.0, 1.0, ())]
        first = self._first_child[node]
        call = next(i for i in range(len(offers)) if self._action[first + i] == CALL)
        same = tuple(
            i for i, offer in enumerate(offers) if offer == action and first + i not in self._closed
        )
        if asked and action.kind == "c":  # others that come down to it here would lead astray
            return [Lead(first + call, 1.0, 1.0, same)]
        if asked and same:
            same = tuple(i for i in same if first + i not in self._extras) or same
            taken, certain = [(i, 1.0 / len(same)) for i in same], True
        else:
            taken, certain = self._taken_for(node, call, same, offers, state, action), False
        return [
            Lead(
                first + i,
                share,
                1.0 if certain else share,
                (i,) if asked and first + i not in self._extras else (),
            )
            for i, share in taken
        ]

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
            return [(index, 1.0 / len(same)) for index in same] or [(call, 1.0)]
        if same and self._is_like(node, state):
            return [(index, 1.0 / len(same)) for index in same]
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
                return [(index, chance) for index, chance in both if chance > 0]
        return [(ladder[-1][1], 1.0)]

    def _ladder(
        self, node: int, call: int, offers: Sequence[Action], state: HandState
    ) -> list[tuple[float, int]]:
        """Return the sizes of the offers in pots, ascending from the call, with their places.

        Where the abstract pot is like the true one, these are the sizes of the true raises, so that
        an all-in is an all-in. Otherwise the same chips are another bet, and the sizes are those of
        the abstract game, relative to its pot.
        """
        like, first = self._is_like(node, state), self._first_child[node]
        to_match, pot = max(self._spent[node]), self._pot(node)
        ladder = [(0.0, call)]
        for index, offer in enumerate(offers):
            size = 0.0
            if self._action[first + index] not in (FOLD, CALL) and offer.kind == "r":
                size = (
                    pot_fraction(state, offer.raise_to)
                    if like
                    else (self._raise_to[first + index] - to_match) / pot
                )
            if size > ladder[-1][0] and first + index not in self._closed:
                ladder.append((size, index))
        return ladder

    def _is_like(self, node: int, state: HandState) -> bool:
        """Return whether the pot after a call is about the true one, relative to the stacks."""
        true_pot = state.pot + state.to_call
        return abs(self._pot(node) * self._scale.chips - true_pot) <= _POT_TOLERANCE * true_pot

    def _pot(self, node: int) -> int:
        spent = self._spent[node]
        return sum(spent) + max(spent) - spent[self._kind[node]]

    def _next_street(self, node: int, street: int, state: HandState) -> int:
        """Return where the next street begins for an interpretation that is at `node`."""
        if self._kind[node] == DEAL and self._street[node] == street:
            return self._first_child[node]
        nodes, pots = self._roots[state.street]
        return int(nodes[np.argmin(np.abs(pots - np.log(state.pot / self._scale.chips)))])


def _keep(cache: dict[_Key, _Answer], key: _Key, answer: _Answer) -> None:
    """Cache an answer; a full cache is emptied first."""
    if len(cache) >= _CACHED_ANSWERS:
        cache.clear()
    cache[key] = answer


def _street_roots(
    tree: BettingTree,
) -> dict[int, tuple[NDArray[np.int64], NDArray[np.float64]]]:
    """Return by street where it begins: nodes, and the logarithms of their pots."""
    deals = np.flatnonzero(tree.kind == DEAL)
    roots = tree.first_child[deals].astype(np.int64)
    streets, pots = tree.street[deals] + 1, np.log(tree.spent[roots].sum(axis=1))
    return {
        street: (roots[streets == street], pots[streets == street])
        for street in range(1, tree.game.streets)
    }
