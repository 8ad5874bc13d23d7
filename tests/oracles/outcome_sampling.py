"""VR-MCCFR in public form: one path of bets and boards an iteration, all hands at once.

Both players' actions and the board card are sampled uniformly, a path z with probability q; what
the players hold is not sampled but carried along as two vectors of reaches.  Going back up the path
every pair of hands gets an estimate of its value: with a baseline b(n) for each node n and hands,
a guess, the strategy sigma, and the sampled child c,

    value(n) = sum over children n' of sigma(n') b(n') + sigma(c) (value(c) - b(c)) / xi(c)

where xi is the probability of sampling c, and chance is treated like a player.  Its expectation is
right for any baselines; with good ones it hardly varies.  Regrets grow by

    reach of opponent and chance * (value(c) - value(n)) / q(n)

A baseline moves by a share of the distance to the estimate seen, the decay; a decay of 0 leaves
all at 0, and that is plain outcome sampling.  Tables hold every card of every player, so this is
for games in which each player has one card and the board at most one: Kuhn's and Leduc poker.

Source: Schmid, Burch, Lanctot, Moravcik, Kadlec, Bowling, "Variance reduction in Monte Carlo
counterfactual regret minimization (VR-MCCFR) for extensive form games using baselines", AAAI 2019
(baselines, regrets floored at zero as in CFR+, linear averages).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.betting.betting_tree import DEAL, FOLDED, BettingTree
from engine.compiled.jit import kernel
from engine.errors import InvalidGame
from engine.showdown.evaluator import strength

_DEAL = DEAL
_FOLDED = FOLDED
_MOST_STEPS = 64
_MOST_POWER: Final = 16
_AT_ONCE: Final = 1000


class PublicTables(NamedTuple):
    """The game and what is learned.  N nodes, H cards; board H stands for none."""

    kind: NDArray[np.int8]
    first_child: NDArray[np.int32]
    child_count: NDArray[np.int32]
    stake: NDArray[np.float64]
    """(N,) chips that player 0 wins at an end by a fold, or the better hand at a showdown."""
    ahead: NDArray[np.float64]
    """(H + 1, H, H) by board and hands: 1 where player 0 wins, -1 where player 1 does, else 0."""
    regret: NDArray[np.float64]
    """(N, H + 1, H, A) by node, board and the actor's card."""
    strategy_sum: NDArray[np.float64]
    """(N, H + 1, H, A)"""
    baseline: NDArray[np.float64]
    """(N, H + 1, H, H) chips of player 0, by node, board and hands."""
    done: NDArray[np.int64]
    """(1,) iterations so far."""


class OutcomeSampling:
    """Regrets, strategy sums and baselines for a small game.

    Attributes:
        tree: the betting.
        tables: the game and what is learned.
    """

    def __init__(
        self,
        tree: BettingTree,
        generator: np.random.Generator,
        *,
        decay: float = 0.5,
        floor: bool = True,
        average_power: float = 1.0,
    ) -> None:
        """Start from uniform strategies.

        Args:
            tree: the betting of the whole game.
            generator: of the paths.
            decay: how fast baselines follow the estimates, 0 to 1; 0 is plain outcome sampling.
            floor: whether regrets never fall below zero ("+").
            average_power: iteration t counts t**average_power in the average; at most 16, or sums
                would leave the range of numbers.

        Raises:
            InvalidGame: not a game with one card for each player and at most one on the board.
            ValueError: the decay is outside 0..1 or the power outside 0..16.
        """
        game = tree.game
        if game.players != 2 or game.hole_cards != 1 or game.board_total > 1:
            raise InvalidGame("public sampling is for two cards in two hands and one on the board")
        if not 0 <= decay <= 1 or not 0 <= average_power <= _MOST_POWER:
            raise ValueError(
                f"decay {decay} must be within 0..1, power {average_power} within 0..{_MOST_POWER}"
            )
        hands, actions = len(game.deck), int(tree.child_count.max())
        at_stake = tree.spent.min(axis=1).astype(np.float64)
        lost = (tree.kind == FOLDED) & (tree.kind[tree.parent] == 0)
        rows = tree.nodes, hands + 1, hands
        self.tree: Final = tree
        self.tables: Final = PublicTables(
            kind=tree.kind,
            first_child=tree.first_child,
            child_count=tree.child_count,
            stake=np.where(lost, -at_stake, at_stake),
            ahead=_comparisons(game.deck),
            regret=np.zeros((*rows, actions)),
            strategy_sum=np.zeros((*rows, actions)),
            baseline=np.zeros((*rows, hands)),
            done=np.zeros(1, np.int64),
        )
        self._generator: Final = generator
        self._learning: Final = float(decay), bool(floor), float(average_power)

    @property
    def iterations(self) -> int:
        """How many there have been; each samples one path for each player."""
        return int(self.tables.done[0])

    def run(self, iterations: int) -> None:
        """Learn for some more iterations.

        Raises:
            KeyboardInterrupt: Ctrl-C, after a thousand iterations at most; the run can be
                resumed.
            ValueError: a negative number of them.
        """
        if iterations < 0:
            raise ValueError(f"cannot run {iterations} iterations")
        path = _make_path(self.tables)
        decay, floor, power = self._learning
        for first in range(0, iterations, _AT_ONCE):
            more = min(_AT_ONCE, iterations - first)
            learn(self.tables, path, more, decay, floor, power, self._generator)

    def average(self, node: int) -> NDArray[np.float32]:
        """Return (R, A) float32, the average strategy at a decision; uniform where never seen.

        `bucket` says which of the rows is whose.

        Raises:
            ValueError: the node is no decision.
        """
        if not 0 <= node < self.tree.nodes or self.tree.kind[node] >= DEAL:
            raise ValueError(f"node {node} is no decision")
        count = int(self.tree.child_count[node])
        sums = self.tables.strategy_sum[node, ..., :count].reshape(-1, count)
        totals = sums.sum(axis=1, keepdims=True)
        shares = np.where(totals > 0, sums / np.where(totals > 0, totals, 1), 1 / count)
        return shares.astype(np.float32)

    def bucket(self, hole: Sequence[int], board: Sequence[int]) -> int:
        """Return the row of a hand: every card and board has one.

        Raises:
            ValueError: the cards are not those of a hand.
        """
        game, deck = self.tree.game, self.tree.game.deck
        cards = {*hole, *board}
        right = len(hole) == 1 and len(board) <= game.board_total
        if not right or len(cards) < 1 + len(board) or not cards <= set(deck):
            raise ValueError(f"hole cards {list(hole)} on board {list(board)}")
        shown = deck.index(board[0]) if len(board) else len(deck)
        return shown * len(deck) + deck.index(hole[0])


def _comparisons(deck: tuple[int, ...]) -> NDArray[np.float64]:
    hands = range(len(deck))
    ahead = np.zeros((len(deck) + 1, len(deck), len(deck)))
    for shown in range(len(deck) + 1):
        board = [deck[shown]] if shown < len(deck) else []
        strengths = [strength([deck[hand], *board]) if hand != shown else 0 for hand in hands]
        for first in hands:
            for second in hands:
                if len({first, second, shown}) == 3:
                    ours, theirs = strengths[first], strengths[second]
                    ahead[shown, first, second] = (ours > theirs) - (ours < theirs)
    return ahead


class _Path(NamedTuple):
    """What one path needs, for each of its steps."""

    node: NDArray[np.int64]
    board: NDArray[np.int64]
    choice: NDArray[np.int64]
    """The action sampled, or the board card."""
    chance: NDArray[np.float64]
    """Probability of the path up to here."""
    reach: NDArray[np.float64]
    """(steps, 2, H) of each player's cards up to here."""
    strategy: NDArray[np.float64]
    """(steps, H, A) of the actor."""
    value: NDArray[np.float64]
    """(2, H, H) of the step below and of this one."""


def _make_path(tables: PublicTables) -> _Path:
    _, _, hands, actions = tables.regret.shape
    return _Path(
        node=np.zeros(_MOST_STEPS, np.int64),
        board=np.zeros(_MOST_STEPS, np.int64),
        choice=np.zeros(_MOST_STEPS, np.int64),
        chance=np.ones(_MOST_STEPS),
        reach=np.ones((_MOST_STEPS, 2, hands)),
        strategy=np.zeros((_MOST_STEPS, hands, actions)),
        value=np.zeros((2, hands, hands)),
    )


# Kernels: arguments are trusted, nothing is allocated.


@kernel
def learn(
    tables: PublicTables,
    path: _Path,
    iterations: int,
    decay: float,
    floor: bool,
    power: float,
    generator: np.random.Generator,
) -> None:
    """Run some more iterations, each of which is counted."""
    for _ in range(iterations):
        tables.done[0] += 1
        weight = float(tables.done[0]) ** power
        for player in range(2):
            steps = _sample(tables, path, generator)
            for step in range(steps - 1, -1, -1):
                if tables.kind[path.node[step]] == _DEAL:
                    _come_back_to_deal(tables, path, step, decay)
                else:
                    _come_back(tables, path, step, decay, player)
                    if tables.kind[path.node[step]] == player:
                        _average(tables, path, step, floor, weight)
                path.value[0] = path.value[1]


@kernel
def _sample(tables: PublicTables, path: _Path, generator: np.random.Generator) -> int:
    """Sample a path; write the value of its end, return how many steps it has."""
    hands = tables.regret.shape[2]
    node, board, step = 0, hands, 0
    while tables.child_count[node]:
        path.node[step], path.board[step] = node, board
        path.reach[step + 1] = path.reach[step]
        if tables.kind[node] == _DEAL:
            ways = hands
            choice = board = int(generator.random() * ways)
            child = tables.first_child[node]
        else:
            ways = tables.child_count[node]
            choice = int(generator.random() * ways)
            child = tables.first_child[node] + choice
            _match(tables.regret[node, board], ways, path.strategy[step])
            path.reach[step + 1, tables.kind[node]] *= path.strategy[step, :, choice]
        path.choice[step] = choice
        path.chance[step + 1] = path.chance[step] / ways
        node = child
        step += 1
    if tables.kind[node] == _FOLDED:
        path.value[0] = tables.stake[node]
    else:
        path.value[0] = tables.stake[node] * tables.ahead[board]
    return step


@kernel
def _match(regret: NDArray[np.float64], count: int, strategy: NDArray[np.float64]) -> None:
    """Write the strategy of each card that matches its regrets."""
    for hand in range(len(regret)):
        total = 0.0
        for action in range(count):
            total += max(regret[hand, action], 0.0)
        for action in range(count):
            share = max(regret[hand, action], 0.0) / total if total > 0 else 1.0 / count
            strategy[hand, action] = share


@kernel
def _come_back_to_deal(tables: PublicTables, path: _Path, step: int, decay: float) -> None:
    """Write the values before a board card, given those after the one sampled."""
    hands = tables.regret.shape[2]
    card = path.choice[step]
    baseline = tables.baseline[tables.first_child[path.node[step]]]
    share = 1.0 / (hands - 2)
    for first in range(hands):
        for second in range(hands):
            if first == second:
                continue
            value = 0.0
            for other in range(hands):
                if other not in (first, second):
                    value += share * baseline[other, first, second]
            if card not in (first, second):
                surprise = path.value[0, first, second] - baseline[card, first, second]
                value += share * hands * surprise
                baseline[card, first, second] += decay * surprise
            path.value[1, first, second] = value


@kernel
def _come_back(tables: PublicTables, path: _Path, step: int, decay: float, player: int) -> None:
    """Write the values before an action, given those after it; add regrets of `player`."""
    node, board, action = path.node[step], path.board[step], path.choice[step]
    hands, count = tables.regret.shape[2], tables.child_count[node]
    actor, child = tables.kind[node], tables.first_child[node]
    dealt = hands * (hands - 1) if board == hands else hands * (hands - 1) * (hands - 2)
    weight = (1 - 2 * actor) / (dealt * path.chance[step])
    for first in range(hands):
        for second in range(hands):
            if first in (second, board) or second == board:
                continue
            own, other = (first, second) if actor == 0 else (second, first)
            surprise = path.value[0, first, second]
            surprise -= tables.baseline[child + action, board, first, second]
            value = path.strategy[step, own, action] * surprise * count
            for i in range(count):
                baseline = tables.baseline[child + i, board, first, second]
                value += path.strategy[step, own, i] * baseline
            path.value[1, first, second] = value
            if actor == player:
                cf_reach = weight * path.reach[step, 1 - actor, other]
                for i in range(count):
                    seen = tables.baseline[child + i, board, first, second] - value
                    if i == action:
                        seen += surprise * count
                    tables.regret[node, board, own, i] += cf_reach * seen
            tables.baseline[child + action, board, first, second] += decay * surprise


@kernel
def _average(tables: PublicTables, path: _Path, step: int, floor: bool, weight: float) -> None:
    """Add the actor's strategy to its sums; floor its regrets if so wanted."""
    node, board = path.node[step], path.board[step]
    actor = tables.kind[node]
    for hand in range(tables.regret.shape[2]):
        reach = weight * path.reach[step, actor, hand] / path.chance[step]
        for action in range(tables.child_count[node]):
            share = path.strategy[step, hand, action]
            tables.strategy_sum[node, board, hand, action] += reach * share
            if floor and tables.regret[node, board, hand, action] < 0:
                tables.regret[node, board, hand, action] = 0.0
