"""Abstract hold'em from cards to a strategy: deals, buckets, learning, a checkpoint, play."""

import numpy as np
import pytest

from engine.abstraction.buckets import CardAbstraction
from engine.abstraction.histograms import hand_index
from engine.betting.bet_menu import ALL_IN, menu_of
from engine.betting.betting_tree import DEAL, FOLDED
from engine.betting.info_sets import build_info_sets
from engine.mccfr.checkpoint import load_run, save_run
from engine.mccfr.external_sampling import Mccfr
from engine.mccfr.sample_deals import DealSource
from engine.mccfr.settings import MccfrSettings, Pruning
from tests.helpers.small_mccfr import shallow_holdem

ITERATIONS = 100_000
DEALS = 20_000
SETTINGS = MccfrSettings(period=10_000, pruning=Pruning(-20_000.0, 20_000.0, after=50_000))


@pytest.fixture(scope="module")
def cards():
    """169 hands, ten rivers by equity; flops and turns are told apart by chance."""
    rng = np.random.default_rng(1)
    return CardAbstraction(
        flop_table=rng.integers(0, 3, hand_index(3).size, np.uint16),
        turn_table=rng.integers(0, 3, hand_index(4).size, np.uint16),
        turn_centres=np.arange(6, dtype=np.float32).reshape(3, 2),
        river_shares=(np.arange(1981) // 199).astype(np.uint16),
    )


@pytest.fixture(scope="module")
def game(cards):
    """Stacks of 12 big blinds, bets of the pot and all-in."""
    return build_info_sets(shallow_holdem(menu_of((1.0, ALL_IN), max_raises=2)), cards.counts)


@pytest.fixture(scope="module")
def learned(game, cards):
    """A run in one piece."""
    run = begin(game, cards)
    run.run(ITERATIONS)
    return run


@pytest.fixture(scope="module")
def deals(game, cards):
    """Deals that nobody has learned from."""
    source = DealSource(game.tree.game, cards)
    return source.deal(np.random.default_rng(99).integers(0, 1 << 64, DEALS, np.uint64))


def begin(game, cards):
    """Return a run that has not begun."""
    return Mccfr(game, cards, np.random.default_rng(7), SETTINGS)


def played_by(game, choose):
    """Return a strategy, (B, A) by decision, from what it does with a number of actions."""
    tree = game.tree
    strategy = {}
    for node in map(int, tree.decisions):
        buckets, count = game.buckets[tree.street[node]], int(tree.child_count[node])
        strategy[node] = np.broadcast_to(choose(count), (buckets, count))
    return strategy.__getitem__


def first_player_wins(game, deals, strategies):
    """Return (K,) what player 0 wins at each deal on average over both players' choices, chips."""
    tree = game.tree
    reach = {0: np.ones(len(deals.key))}
    won = np.zeros(len(deals.key))
    for node in range(tree.nodes):  # breadth first: parents come before children
        reached, kind = reach.pop(node), int(tree.kind[node])
        first, count = int(tree.first_child[node]), int(tree.child_count[node])
        if kind < DEAL:
            shares = strategies[kind](node)[deals.bucket[:, kind, tree.street[node]]]
            for action in range(count):
                reach[first + action] = reached * shares[:, action]
        elif count:
            reach[first] = reached
        elif kind == FOLDED:
            chips = min(tree.spent[node])
            won += reached * (chips if tree.kind[tree.parent[node]] == 1 else -chips)
        else:
            won += reached * min(tree.spent[node]) * deals.result
    return won


def gain(game, deals, mine, theirs):
    """Return what one strategy wins of another in chips a hand, with its standard error.

    Each deal is played twice, with seats changed.
    """
    won = first_player_wins(game, deals, (mine, theirs))
    won -= first_player_wins(game, deals, (theirs, mine))
    return won.mean() / 2, won.std() / 2 / np.sqrt(len(won))


def test_a_resumed_run_is_the_same_run(game, cards, learned, tmp_path):
    """Discounts and pruning before and after the checkpoint: the same bits."""
    first = begin(game, cards)
    first.run(ITERATIONS * 2 // 5)
    save_run(first, tmp_path / "run")
    second = load_run(tmp_path / "run", game, cards, SETTINGS)
    second.run(ITERATIONS - second.iterations)
    assert (learned.cells.view(np.uint32) == second.cells.view(np.uint32)).all()
    assert (learned.iterations, learned.nodes) == (second.iterations, second.nodes)


def test_a_strategy_wins_nothing_of_itself(game, learned, deals):
    """To the last chip: seats are changed on the same cards."""
    assert gain(game, deals, learned.average, learned.average) == (0, 0)


@pytest.mark.parametrize(
    "choose",
    [
        lambda count: np.full(count, 1 / count),
        lambda count: np.eye(count)[min(1, count - 1)],
        lambda count: np.eye(count)[count - 1],
    ],
    ids=["uniform", "second_action", "last_action"],
)
def test_learning_beats_fixed_strategies(game, learned, deals, choose):
    """By far more than chance; before learning nothing is won of the uniform one."""
    won, error = gain(game, deals, learned.average, played_by(game, choose))
    assert won > 6 * error


def test_more_learning_beats_less(game, cards, learned, deals):
    """A run of a hundredth of the iterations loses to the whole."""
    early = begin(game, cards)
    early.run(ITERATIONS // 100)
    won, error = gain(game, deals, learned.average, early.average)
    assert won > 4 * error
