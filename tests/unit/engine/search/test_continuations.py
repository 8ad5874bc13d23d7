"""What both win behind a depth limit when one of them chooses how to play on."""

import numpy as np
import pytest

from engine.betting.bet_menu import ALL_IN, BetMenu, street_menu
from engine.betting.betting_tree import (
    CALL,
    DEAL,
    FOLD,
    FOLDED,
    RAISE,
    SHOWDOWN,
    build_betting_tree,
    subgame_root,
)
from engine.cfr.solver import StrategyKind, solve
from engine.cfr.variants import VARIANTS
from engine.equity.allin_matrix import allin_matrix
from engine.hands.cards import CARDS, COMBO_CARDS, COMBOS
from engine.range_solver.leaves import DepthLimit, Leaf, LeafRequest, street_ends
from engine.range_solver.solver import RangeSolver
from engine.search.choices import with_choices
from engine.search.continuations import (
    BIASES,
    MatrixLeaves,
    biased,
    draw_runouts,
    sampled_payoffs,
)
from engine.showdown.evaluator import strength
from protocol.cards import parse_cards
from protocol.gamedefs import load_builtin
from tests.helpers.leaf_values import odd_play
from tests.helpers.subgames import scattered_ranges

GAME = load_builtin("hunl")
TURN = parse_cards("KsJs7d2c")
BETS = street_menu((1.0, ALL_IN), (ALL_IN,), max_raises=2)
AVERAGE = StrategyKind.AVERAGE


def turn_tree():
    """The betting of a turn and a river."""
    return build_betting_tree(subgame_root(GAME, 2, 400, (900, 900)), BetMenu((BETS,) * 4))


def turn_ends(tree):
    """Where the turn ends, and more may be bet."""
    return [node for node in street_ends(tree, 2) if tree.kind[node] == DEAL]


def uneven(node, cards):
    """Strategies that differ by node, combo and board."""
    tree = uneven.tree
    rng = np.random.default_rng((node, *cards))
    weights = rng.uniform(0.05, 1, (COMBOS, len(tree.children(node)))).astype(np.float32)
    return weights / weights.sum(axis=1, keepdims=True)


def won_by_walking(tree, node, cards, combos, chooser, bias, played):
    """Chips that player 0 wins on a whole board with two known hands."""
    kind = int(tree.kind[node])
    stake = float(tree.spent[node].min())
    if kind == FOLDED:
        return stake if tree.kind[tree.parent[node]] else -stake
    if kind == SHOWDOWN:
        held = [strength((*COMBO_CARDS[one].tolist(), *cards)) for one in combos]
        return stake * float(np.sign(held[0] - held[1]))
    if kind == DEAL:
        below = tree.children(node).start
        return won_by_walking(tree, below, cards, combos, chooser, bias, played)
    seen = tree.game.board_seen(int(tree.street[node]))
    shares = played(node, cards[:seen])[combos[kind]].astype(float)
    if kind == chooser and bias is not None:
        shares *= [10.0 if tree.action[child] == bias else 1.0 for child in tree.children(node)]
        shares /= shares.sum()
    return sum(
        share * won_by_walking(tree, child, cards, combos, chooser, bias, played)
        for share, child in zip(shares, tree.children(node), strict=True)
    )


@pytest.mark.parametrize("chooser", [0, 1])
def test_payoffs_are_those_of_walking_hand_against_hand(chooser):
    """From a turn on, on two runouts, for every continuation."""
    tree = uneven.tree = turn_tree()
    runouts = [(*TURN, 3), (*TURN, 40)]
    won = sampled_payoffs(tree, TURN, chooser, uneven, runouts)
    assert won.shape == (len(BIASES), COMBOS, COMBOS)
    rng = np.random.default_rng(2)
    compared = 0
    while compared < 12:
        combos = rng.choice(COMBOS, 2, replace=False)
        held = set(COMBO_CARDS[combos].ravel().tolist())
        free = [cards for cards in runouts if not held & set(cards)]
        if len(held) < 4 or held & set(TURN) or not free:
            continue
        for way, bias in enumerate(BIASES):
            walked = [
                won_by_walking(tree, 0, cards, combos, chooser, bias, uneven) for cards in free
            ]
            assert won[way][tuple(combos)] == pytest.approx(np.mean(walked), abs=1e-2)
        compared += 1


def test_every_next_card_comes_as_often():
    """While there are enough runouts for all; none has a card twice."""
    runouts = draw_runouts(TURN[:3], 2 * (CARDS - 3), np.random.default_rng(4))
    turns = [cards[3] for cards in runouts]
    assert sorted(turns) == sorted([c for c in range(CARDS) if c not in TURN[:3]] * 2)
    assert all(len(set(cards)) == 5 and cards[:3] == TURN[:3] for cards in runouts)


def test_a_bias_makes_one_kind_of_action_ten_times_as_likely():
    """And leaves the others as they were among themselves."""
    shares = np.array([[0.5, 0.3, 0.1, 0.1]], np.float32)
    kinds = [FOLD, CALL, RAISE, RAISE]
    np.testing.assert_array_equal(biased(shares, kinds, None), shares)
    found = biased(shares, kinds, RAISE)
    assert found.sum() == pytest.approx(1)
    assert found[0, 2] / found[0, 0] == pytest.approx(10 * 0.1 / 0.5)
    assert found[0, 1] / found[0, 0] == pytest.approx(0.3 / 0.5)
    np.testing.assert_array_equal(biased(shares[:, :2], kinds[:2], RAISE), [[0.625, 0.375]])


def matrices_on_all_rivers(tree, profile, chooser):
    """Of each end of the turn, with every river."""
    runouts = draw_runouts(TURN, CARDS - len(TURN), np.random.default_rng(0))
    found = {}
    for end in turn_ends(tree):
        nodes = tree.nodes_below(int(tree.first_child[end])).tolist()
        found[end] = sampled_payoffs(
            tree.below(nodes[0]),
            TURN,
            chooser,
            lambda node, cards, nodes=nodes: profile(nodes[node], cards),
            runouts,
        )
    return found, allin_matrix(TURN)


@pytest.fixture(scope="module")
def played_on():
    """A tree, ranges, and the matrices of an odd profile."""
    tree = turn_tree()
    odd = odd_play(tree, turn_ends(tree), [np.arange(COMBOS)] * 2)
    return (
        tree,
        scattered_ranges(5),
        *matrices_on_all_rivers(tree, lambda node, cards: odd(node, cards).T, 1),
    )


def limited(played_on, ways):
    """A depth-limited solver in which player 1 chooses among some continuations."""
    tree, ranges, matrices, shown = played_on
    cut, leaves = with_choices(tree, list(matrices), 1, len(ways))
    known = {
        node: shown * np.float32(cut.spent[node].min())
        for node in np.flatnonzero(cut.kind == SHOWDOWN).tolist()
    }
    for end, chosen in leaves.items():
        for way, leaf in zip(ways, chosen, strict=True):
            known[leaf] = matrices[end][way]
    return RangeSolver(cut, TURN, ranges, limit=DepthLimit(tuple(known), MatrixLeaves(known)))


@pytest.mark.slow
def test_more_continuations_leave_less_to_win_by_choosing_one(played_on):
    """Against what was solved for one, the other player wins by choosing; against all four, not."""
    one, four = limited(played_on, [0]), limited(played_on, range(len(BIASES)))
    for solver in (one, four):
        solve(solver, VARIANTS["dcfr"], 150)
    naive = limited(played_on, range(len(BIASES)))
    for node, place in naive.game.places.items():
        if node in one.game.places and place.player == 0:
            sums = naive.learnt.tables[0][0].strategy_sum
            mine = one.learnt.tables[0][0].strategy_sum
            rows = slice(place.first, place.first + place.actions)
            from_ = one.game.places[node]
            sums[0, rows] = mine[0, from_.first : from_.first + from_.actions]

    def lost(solver):
        return float(
            np.nan_to_num(solver.best_response_values(AVERAGE)[1])
            @ (solver.game.beliefs[1] * solver.game.rivals[1] / solver.game.joint)
        )

    assert four.exploitability_of_pot(AVERAGE) < 0.003
    assert lost(naive) > lost(four) + 0.01 * four.game.pot


def test_values_can_be_forgotten():
    """They take much memory."""
    source = MatrixLeaves({3: np.zeros((COMBOS, COMBOS), np.float32)})
    source.forget()
    with pytest.raises(KeyError):
        source.values(LeafRequest((Leaf(3, TURN),), np.zeros((1, 2, COMBOS)), (0, 1), False))
