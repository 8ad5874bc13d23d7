"""Flop hold'em with a bet that the agent's abstraction lacks, and the agent's answers to it.

The opponent bets .5, .75 or all of the pot, once before the flop and at most so often on it.  The
abstraction has no .75, for neither player.  Nodes are those of the whole game's tree everywhere; a
part of it leaves out bets of .75, all or all but some.

    translated   each .75 is taken for one of its neighbours: the agent goes on in the place that it
                 drew, of which the opponent learns nothing; the pot goes on as it was really bet
    followed     each .75 begins another strategy

Shares are (A, H) of what H hands do, by action without .75.  What is filled has a row for each
action of `FlopGame`, by `OffTreeGame.row`; rows of the opponent, and of .75, stay 0.

Sources: Ganzfried, Sandholm, "Action translation in extensive-form games with large action
spaces", IJCAI 2013; Brown, Sandholm, "Safe and nested subgame solving for imperfect-information
games", NIPS 2017.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.betting.bet_menu import BetMenu, street_menu
from engine.betting.betting_tree import DEAL, RAISE, BettingTree, build_betting_tree
from engine.betting.translation import lower_probability, threshold
from engine.flop_holdem.experiment import flop_holdem
from engine.flop_holdem.flop_game import FlopGame
from engine.flop_holdem.flops import flop_tables
from engine.rules.state import HandState

_PREFLOP: Final = 0
SIZES: Final = (0.5, 0.75, 1.0)
"""The middle one is missing."""


class Translation(NamedTuple):
    """How bets of .75 are taken for others."""

    name: str
    lower: float
    """With what probability for one of .5, else of 1."""
    remembers: bool = True
    """Whether one draw holds for the hand; else each decision draws anew for all bets before."""


_RANDOMISED: Final = lower_probability(*SIZES[::2], SIZES[1])
TRANSLATIONS: Final = (
    Translation("translation, randomised", _RANDOMISED),
    Translation("translation, drawn anew", _RANDOMISED, remembers=False),
    Translation("translation, threshold", float(SIZES[1] <= threshold(*SIZES[::2]))),
)
"""3/7 for .5; the threshold is .714."""

Places = list[tuple[NDArray[np.float64], int]]
"""Where the agent may take itself to be: (H,) its reach with each hand, and a node without .75."""


class OffTreeGame:
    """The whole game, and its parts."""

    def __init__(self, flops: int, bets: int) -> None:
        """Write it out.

        Args:
            flops: classes of flops that come up.
            bets: how many there may be on the flop; 4 meet stacks that are too short for .75.
        """
        menu = BetMenu((street_menu(SIZES, max_raises=1), street_menu(SIZES, max_raises=bets)))
        tree = build_betting_tree(HandState.start(flop_holdem()), menu)
        self.tree: Final[BettingTree] = tree
        self.game: Final = FlopGame(tree, flop_tables(flops))
        self.missing: Final = frozenset(
            raises[1]
            for node in tree.decisions.tolist()
            if (raises := [child for child in tree.children(node) if tree.action[child] == RAISE])
        )
        """Nodes that bets of .75 lead to."""
        self.row: Final = np.full(tree.nodes, -1)
        """By node the row of the action that led there, of those on the node's street."""
        flop_rows = np.full(tree.nodes, -1)
        flop_rows[self.game.kept] = self.game.nodes.row
        for node in tree.decisions.tolist():
            before = tree.street[node] == _PREFLOP
            first = int((self.game.preflop_rows if before else flop_rows)[node])
            for number, child in enumerate(tree.children(node)):
                self.row[child] = first + number

    def part(self, root: int, added: frozenset[int] = frozenset()) -> tuple[BettingTree, list[int]]:
        """Return the betting from a decision on, and its nodes; without .75 but for some bets."""
        left_out = self.missing - added
        return self.tree.below(root, left_out), self.tree.nodes_below(root, left_out).tolist()

    def flop_part(
        self, root: int, added: frozenset[int] = frozenset()
    ) -> tuple[FlopGame, list[int]]:
        """Return the same of a decision before the flop, with all flops."""
        tree, nodes = self.part(root, added)
        return FlopGame(tree, self.game.flops), nodes

    def kept(self, node: int) -> list[int]:
        """Return what lies right below a node, but for .75."""
        return [child for child in self.tree.children(node) if child not in self.missing]

    def preflop_bet(self, player: int) -> int:
        """Return where a player's only bet of .75 before the flop leads to."""
        tree = self.tree
        return next(
            node
            for node in sorted(self.missing)
            if tree.street[node] == _PREFLOP and tree.kind[tree.parent[node]] == player
        )

    def below_bet(self, node: int, bet: int) -> bool:
        """Return whether a node is where a bet leads to, or below it."""
        while node > bet:
            node = int(self.tree.parent[node])
        return node == bet


def translate(
    game: OffTreeGame,
    agent: int,
    node: int,
    places: Places,
    chosen: Callable[[int], NDArray[np.float32]],
    how: Translation,
    into: NDArray[np.float32],
) -> dict[int, Places]:
    """Fill what the agent does from a node to the end of the street.

    Args:
        places: where it takes itself to be.
        chosen: node -> (A, H) what hands do in the abstraction.
        into: (rows, H).

    Returns:
        The places at each node where the flop comes.
    """
    tree = game.tree
    if tree.kind[node] >= DEAL:
        return {node: places} if tree.kind[node] == DEAL else {}
    found: dict[int, Places] = {}
    if tree.kind[node] != agent:
        for number, child in enumerate(tree.children(node)):
            below: Places = []
            for reach, place in places:
                others = tree.children(place)
                if child not in game.missing:
                    below.append((reach, others[number]))
                    continue
                taken = ((how.lower, others[number - 1]), (1 - how.lower, others[number + 1]))
                below += [(chance * reach, other) for chance, other in taken if chance]
            found |= translate(game, agent, child, below, chosen, how, into)
        return found
    shares = [chosen(place) for _, place in places]
    total = np.sum([reach for reach, _ in places], axis=0)
    for number, child in enumerate(game.kept(node)):
        came = [reach * share[number] for (reach, _), share in zip(places, shares, strict=True)]
        row = into[game.row[child]]
        row[:] = shares[0][number]
        np.divide(np.sum(came, axis=0), total, out=row, where=total > 0, casting="same_kind")
        below = [
            (now if how.remembers else reach, game.kept(place)[number])
            for now, (reach, place) in zip(came, places, strict=True)
        ]
        found |= translate(game, agent, child, below, chosen, how, into)
    return found


class InForce(Protocol):
    """A strategy that the agent follows until a bet that it does not have."""

    def shares(self, node: int) -> NDArray[np.float32]:
        """Return (A, H) what hands do at a decision of the agent."""


class Bet(NamedTuple):
    """A bet of .75 that the opponent made."""

    node: int
    """Where it leads to."""
    reach: NDArray[np.float64]
    """(H,) of the agent's hands there."""
    before: InForce


def follow_strategy(
    game: OffTreeGame,
    agent: int,
    node: int,
    reach: NDArray[np.float64],
    strategy: InForce,
    again: Callable[[Bet], InForce],
    into: NDArray[np.float32],
) -> None:
    """Fill what the agent does from a node to the end of the street.

    Args:
        reach: (H,) of the agent's hands.
        strategy: in force at the node.
        again: what is in force after a bet of .75.
        into: (rows, H).
    """
    kind = game.tree.kind[node]
    if kind >= DEAL:
        return
    if kind == agent:
        for share, child in zip(strategy.shares(node), game.kept(node), strict=True):
            into[game.row[child]] = share
            follow_strategy(game, agent, child, reach * share, strategy, again, into)
        return
    for child in game.tree.children(node):
        new = again(Bet(child, reach, strategy)) if child in game.missing else strategy
        follow_strategy(game, agent, child, reach, new, again, into)
