"""Finding a decision of a solution by its betting and the cards that came."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from engine.betting.betting_tree import DEAL, BettingTree
from engine.cfr.solver import StrategyKind
from engine.commands.solve.request import PLAYERS
from engine.hands.cards import CARDS, COMBOS, card_bits, live_combos
from engine.hands.ranges import compatible_reach
from engine.range_solver.settings import RangeSettings
from engine.search.profile_values import profile_solver
from protocol.cards import format_cards

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from engine.commands.solve.request import ReportSection
    from engine.range_solver.strategy import RangeStrategy

_MOST_BOARDS_BELOW: Final = 20_000
"""Values of so many take a second or so."""


class Route(NamedTuple):
    """The path from the root to a decision."""

    nodes: list[int]
    """Of the betting tree, from the root to the decision."""
    dealt: tuple[int, ...]
    """Cards that came on the way."""


@dataclass(frozen=True, slots=True)
class NodeDecision:
    """How one player acts at one node with each of its hands."""

    tree: BettingTree
    node: int
    board: tuple[int, ...]
    """All cards seen there."""
    weights: NDArray[np.float64]
    """(1326,) how often each combo is the one that acts here; sums to 1."""
    strategy: NDArray[np.float32]
    """(1326, A) probabilities of the node's actions."""
    expected: NDArray[np.float64] | None
    """(1326,) chips each combo takes out of the pot on average, less those it puts in from there
    on; nan for combos that cannot be held; None where that would take long."""
    reached: bool
    """Whether the solution comes here at all; if not, `weights` are as if both always did."""

    @property
    def player(self) -> int:
        """Who acts: 0 is out of position."""
        return int(self.tree.kind[self.node])

    @property
    def actions(self) -> list[int]:
        """The children of the node, in the order of the strategy's columns."""
        return list(self.tree.children(self.node))


def find_route(
    tree: BettingTree, board: tuple[int, ...], ranges: ArrayLike, look: ReportSection
) -> Route:
    """Return the route to the decision to look at; `decision_at` accepts any such route.

    Args:
        board: cards at the root of `tree`.
        ranges: (2, 1326) weights.

    Raises:
        ValueError: the betting is not in the tree or ends at no decision, the cards do not fit, or
            there are no hands to show.
    """
    try:
        nodes = tree.path(look.node)
    except ValueError as error:
        raise ValueError(f"--node {error}") from error
    node = nodes[-1]
    player = int(tree.kind[node])
    if player >= DEAL:
        raise ValueError(f"--node {look.node!r}: the betting is over there, nobody acts")
    cards = int(tree.street[node] - tree.street[0])
    if len(look.dealt) != cards:
        where = f"after {look.node!r}" if look.node else "at the root"
        raise ValueError(
            f"--dealt: the decision {where} comes {_cards_text(cards)} after --board, "
            f"{_cards_text(len(look.dealt))} named"
        )
    if set(board) & set(look.dealt):
        raise ValueError(f"--dealt {format_cards(look.dealt)}: the board has such a card already")
    weights = _held(np.asarray(ranges), (*board, *look.dealt), player)
    if not weights.any():
        raise ValueError(
            f"--dealt {format_cards(look.dealt)}: leaves no hand {PLAYERS[player]} beside another"
        )
    if look.hands is not None and not weights[look.hands].any():
        raise ValueError(f"--hands: none of them is held {PLAYERS[player]} there")
    return Route(nodes, look.dealt)


def decision_at(strategy: RangeStrategy, route: Route) -> NodeDecision:
    """Return how the player at the end of a route acts, and how often each hand reaches it."""
    tree = strategy.tree
    node = route.nodes[-1]
    player = int(tree.kind[node])
    board = (*strategy.board, *route.dealt)
    reach = _reach(strategy, route, board)
    weights = _held(reach, board, player)
    reached = bool(weights.any())
    if not reached:
        reach = strategy.ranges
        weights = _held(reach, board, player)
    return NodeDecision(
        tree,
        node,
        board,
        weights / weights.sum(),
        strategy.at(node, route.dealt),
        _expected(strategy, node, board, reach),
        reached,
    )


def expected_net_chips(strategy: RangeStrategy) -> tuple[float, float]:
    """Return what both players take out of the pot on average, less what they put in."""
    chips = []
    for player in (0, 1):
        weights = _held(strategy.ranges, strategy.board, player)
        won = float(weights @ np.nan_to_num(strategy.values[player]) / weights.sum())
        chips.append(strategy.game.pot / 2 + won)
    return chips[0], chips[1]


def _expected(
    strategy: RangeStrategy, node: int, board: tuple[int, ...], reach: NDArray[np.float64]
) -> NDArray[np.float64] | None:
    """Return what the combos of who acts win from a decision on; see `NodeDecision.expected`.

    Args:
        board: all cards seen there.
        reach: (2, 1326) how often both come there.
    """
    tree = strategy.tree
    player = int(tree.kind[node])
    spent = float(tree.spent[node, player])
    won: NDArray[np.float64]
    if node == 0:
        won = strategy.values[player] + spent
        return won
    nodes = tree.nodes_below(node).tolist()
    below = tree.below(node)
    if _boards_below(below, len(board)) > _MOST_BOARDS_BELOW:
        return None

    def chosen(number: int, cards: tuple[int, ...]) -> NDArray[np.float32]:
        return strategy.at(nodes[number], cards[len(strategy.board) :])

    settings = RangeSettings(isomorphism=False)  # the strategy may tell suits apart
    try:
        solver = profile_solver(below, board, reach, chosen, settings)
    except ValueError:  # only a rounding error comes here
        return None
    won = solver.values(StrategyKind.AVERAGE)[player] + spent
    return won


def _boards_below(tree: BettingTree, cards: int) -> int:
    """Return how many pairs of a decision and a board there are, given the cards at the root."""
    streets = tree.street[tree.decisions] - tree.street[0]
    return sum(math.perm(CARDS - cards, int(street)) for street in streets)


def _reach(strategy: RangeStrategy, route: Route, board: Sequence[int]) -> NDArray[np.float64]:
    """Return (2, 1326) float64: how often both players come there with each combo."""
    tree = strategy.tree
    reach = np.array(strategy.ranges, np.float64)
    for above, below in itertools.pairwise(route.nodes):
        player = int(tree.kind[above])
        if player < DEAL:
            dealt = route.dealt[: int(tree.street[above] - tree.street[0])]
            action = below - int(tree.first_child[above])
            reach[player] *= strategy.at(above, dealt)[:, action]
    return reach


def _held(reach: NDArray[np.floating], board: Sequence[int], player: int) -> NDArray[np.float64]:
    """Return how often a player holds each combo, given the board and what the other one holds."""
    assert reach.shape == (2, COMBOS)
    live = reach.astype(np.float64) * live_combos(card_bits(board))
    weights: NDArray[np.float64] = live[player] * compatible_reach(live[1 - player])
    return weights


def _cards_text(count: int) -> str:
    return f"{count} card" if count == 1 else f"{count} cards"
