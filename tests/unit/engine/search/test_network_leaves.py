"""Searches that end with the turn: what hands win there, by a network or by nobody's bets."""

from dataclasses import replace

import numpy as np
import pytest

from engine.abstraction.board_buckets import BoardBuckets
from engine.betting.bet_menu import ALL_IN, BetMenu, menu_of, street_menu
from engine.betting.betting_tree import DEAL, SHOWDOWN, build_betting_tree, subgame_root
from engine.cfr.solver import StrategyKind
from engine.cfr.variants import VARIANTS
from engine.equity.allin_matrix import allin_matrix, apart
from engine.errors import ArtifactMismatch, InvalidGame
from engine.hands.cards import CARDS, COMBOS
from engine.hands.ranges import compatible_reach
from engine.range_solver.leaves import Leaf, LeafRequest
from engine.range_solver.settings import RangeSettings
from engine.range_solver.solver import RangeSolver
from engine.rules.state import HandState
from engine.search.menus import THROUGH_TURN_MENUS
from engine.search.network_leaves import NETWORK_OF_STREET, StreetEnds, street_end_network
from engine.search.subgame_search import (
    Budget,
    NotSearched,
    SafetyKind,
    SearchRoot,
    SearchSettings,
    search,
)
from protocol.actions import CALL
from protocol.cards import parse_cards
from protocol.gamedefs import load_builtin
from tests.helpers.subgames import scattered_ranges

GAME = load_builtin("hunl")
FLOP = parse_cards("Ks7d2c")
NONE, ONE = street_menu(()), street_menu((0.75, ALL_IN), (ALL_IN,), max_raises=2)
MENU = BetMenu((NONE, ONE, street_menu((1.0,), (), max_raises=1), NONE))
TURN = 2


def flop_state():
    """A flop with five pots behind."""
    return subgame_root(GAME, 1, 600, (3000, 3000))


def request(tree, nodes, boards, players=(0, 1)):
    """Random ranges at leaves, without what the board blocks."""
    leaves = tuple(Leaf(node, board) for board in boards for node in nodes)
    rng = np.random.default_rng(4)
    reach = rng.uniform(0, 1, (len(leaves), 2, COMBOS)).astype(np.float32)
    for row, leaf in zip(reach, leaves, strict=True):
        row[:, BoardBuckets.of(leaf.board).bucket < 0] = 0
    return LeafRequest(leaves, reach / reach.sum(axis=2, keepdims=True), players, best=False)


def ends_of(tree, kind, street):
    """Nodes of a kind on a street."""
    return np.flatnonzero((tree.kind == kind) & (tree.street == street)).tolist()


def test_leaves_are_the_ends_of_the_turn_and_all_ins_before():
    """Everything else is played."""
    tree = build_betting_tree(flop_state(), MENU)
    nodes = StreetEnds(None, TURN).limit(tree).nodes
    wanted = [
        *ends_of(tree, SHOWDOWN, 1), *ends_of(tree, SHOWDOWN, 2), *ends_of(tree, DEAL, 2),
    ]  # fmt: skip
    assert sorted(nodes) == sorted(wanted)


def test_an_all_in_on_the_flop_wins_what_each_hand_does():
    """Exactly, over both cards to come."""
    tree = build_betting_tree(flop_state(), MENU)
    node = ends_of(tree, SHOWDOWN, 1)[0]
    given = request(tree, [node], [FLOP])
    (chips,) = StreetEnds(None, TURN).limit(tree).values.values(given)
    won, stake = allin_matrix(FLOP), tree.spent[node].min()
    np.testing.assert_allclose(chips[0], stake * (won @ given.reach[0, 1]), rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(chips[1], stake * (won @ given.reach[0, 0]), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("network", [None, "shipped"])
def test_ends_of_the_turn_win_what_their_buckets_do(network):
    """Times pot and opposing mass, on each board by itself; both players' sums are near 0."""
    tree = build_betting_tree(flop_state(), MENU)
    nodes = [*ends_of(tree, SHOWDOWN, 2)[:1], *ends_of(tree, DEAL, 2)[:2]]
    boards = [(*FLOP, card) for card in (1, 50)]
    given = request(tree, nodes, boards)
    net = street_end_network(TURN) if network else None
    ending = StreetEnds(net, TURN)
    chips = ending.limit(tree).values.values(given)
    for number, leaf in enumerate(given.leaves):
        buckets, reach = BoardBuckets.of(leaf.board), given.reach[number]
        live = buckets.bucket >= 0
        shares = np.stack([np.bincount(buckets.bucket[live], side[live], 256) for side in reach])
        met = buckets.met(shares[None].astype(np.float32))
        values = buckets.equity_values(shares[None].astype(np.float32), met)
        if net is not None and tree.kind[leaf.node] == DEAL:
            mass = (shares * met[0]) / (shares * met[0]).sum(axis=1, keepdims=True)
            stack = (3300 - tree.spent[leaf.node].max()) / tree.spent[leaf.node].sum()
            known = shares[None], mass[None], values, buckets.hands, buckets.moments, [stack]
            values = net.values(*(np.asarray(array, np.float32) for array in known))
        pot = 2 * tree.spent[leaf.node].min()
        for player in (0, 1):
            wanted = values[0, player, np.maximum(buckets.bucket, 0)] * live * pot
            wanted = wanted * compatible_reach(reach[1 - player])
            np.testing.assert_allclose(chips[number, player], wanted, rtol=1e-3, atol=2e-3)
        total = (reach * chips[number]).sum()
        assert abs(total) < 0.02 * pot


def test_ranges_of_next_to_nothing_win_nothing():
    """Products of dozens of actions come there, where the inverse is no number any more."""
    tree = build_betting_tree(flop_state(), MENU)
    given = request(tree, ends_of(tree, DEAL, 2)[:1], [(*FLOP, 1)])
    given.reach[0, 0] *= np.float32(1e-38)
    chips = StreetEnds(street_end_network(TURN), TURN).limit(tree).values.values(given)
    assert np.isfinite(chips).all()
    assert np.abs(chips[0, 1]).max() < 1e-30
    assert np.abs(chips[0, 0]).max() > 1


@pytest.mark.parametrize(
    ("change", "said"), [({"over": False}, "begin"), ({"cards": 3}, "boards of 3 cards")]
)
def test_networks_of_something_else_are_refused(tmp_path, change, said):
    """By what their files say."""
    network = street_end_network(TURN)
    other = replace(network, facts={**network.facts, **change})
    other.save(tmp_path / NETWORK_OF_STREET[TURN])
    with pytest.raises(ArtifactMismatch, match=said):
        street_end_network(TURN, tmp_path)


def test_networks_of_other_buckets_are_refused(tmp_path):
    """Before anything is asked of them."""
    network = replace(street_end_network(0), facts={**street_end_network(0).facts, "cards": 4})
    network.save(tmp_path / NETWORK_OF_STREET[TURN])
    with pytest.raises(ArtifactMismatch, match="of 169 buckets, not 256"):
        street_end_network(TURN, tmp_path)


def test_only_the_values_that_are_wanted_are_told():
    """The others stay 0."""
    tree = build_betting_tree(flop_state(), MENU)
    given = request(tree, ends_of(tree, DEAL, 2)[:1], [(*FLOP, 1)], players=(1,))
    chips = StreetEnds(None, TURN).limit(tree).values.values(given)
    assert not chips[:, 0].any()
    assert chips[:, 1].any()


def test_before_the_flop_all_ends_may_be_leaves():
    """All-in with ten big blinds: who calls wins by it, by the matrix; who folds would not."""
    game = replace(GAME, stacks=(1000, 1000))
    tree = build_betting_tree(HandState.start(game), menu_of((ALL_IN,), (), max_raises=1))
    limit = StreetEnds(None, 0).limit(tree)
    settings = RangeSettings(alternating=True)
    solver = RangeSolver(tree, (), np.ones((2, COMBOS)), settings, limit=limit)
    for number in range(120):
        solver.iterate(VARIANTS["dcfr"].step(number + 1, solver.spread))
    assert solver.exploitability(StrategyKind.AVERAGE) < 2
    (shove,) = np.flatnonzero((tree.raise_to == 1000) & (tree.parent == 0))
    shoved = solver.strategy(StrategyKind.AVERAGE, 0)[:, shove - tree.first_child[0]]
    call = 1000 * (allin_matrix(()) @ shoved) / (apart() @ shoved)
    fold_share, call_share = solver.strategy(StrategyKind.AVERAGE, int(shove)).T
    assert call[call_share > 0.99].min() > -105
    assert call[fold_share > 0.99].max() < -95
    assert min((call_share > 0.99).mean(), (fold_share > 0.99).mean(), shoved.mean()) > 0.2
    with pytest.raises(InvalidGame, match="ends before it"):
        RangeSolver(tree, (), np.ones((2, COMBOS)))


def test_nobody_bets_after_the_turn_without_a_network():
    """The search is the whole solve of a betting without a river, but for buckets."""
    state = flop_state()
    tree = build_betting_tree(state, BetMenu((NONE, NONE, street_menu((ALL_IN,), ()), NONE)))
    ranges = scattered_ranges(4, classes=3)
    limit = StreetEnds(None, TURN).limit(tree)
    whole, cut = (
        RangeSolver(tree, FLOP, ranges, RangeSettings(portions=7), limit=end)
        for end in (None, limit)
    )
    for solver in (whole, cut):
        for number in range(60):
            solver.iterate(VARIANTS["dcfr"].step(number + 1, solver.spread))
    pot = whole.game.pot
    value = whole.game_value(StrategyKind.AVERAGE)
    assert cut.game_value(StrategyKind.AVERAGE) == pytest.approx(value, abs=0.02 * pot)


def searched(iterations=6, safety=SafetyKind.RESOLVE, **root):
    """A search by the shipped network."""
    settings = SearchSettings(
        VARIANTS["dcfr+"], safety, most_nodes=120, menus=THROUGH_TURN_MENUS, portions=7
    )
    state = flop_state()
    origin = SearchRoot(state, FLOP, state.actor, scattered_ranges(4), **root)
    ending = StreetEnds(street_end_network(TURN), TURN)
    return search(origin, state, settings, Budget(iterations), ending=ending)


def test_a_search_through_the_turn_is_less_exploitable_with_more_iterations():
    """By what the network says of the ends."""
    few, more = searched(2), searched(12)
    exploitable = [one.solver.exploitability_of_pot(StrategyKind.AVERAGE) for one in (few, more)]
    assert exploitable[1] < exploitable[0] / 2
    assert more.iterations == 12


def test_its_solution_goes_on_to_the_turn_and_ends_there():
    """Ranges and values of the opponent at a decision on the turn; nothing on the river."""
    solution = searched()
    state, turn = flop_state(), (*FLOP, 30)
    later = state.apply(CALL).apply(CALL)
    ranges, values = solution.onward(later, turn)
    live = BoardBuckets.of(turn).bucket >= 0
    assert ranges.shape == (2, COMBOS)
    assert np.abs(values[live]).max() < 3300
    assert values[live].std() > 10
    check = later.apply(CALL)
    assert solution.strategy(check, turn).probabilities.shape[0] == COMBOS
    river = check.apply(CALL)
    with pytest.raises(NotSearched, match="ended before it"):
        solution.strategy(river, (*turn, 31))
    assert len(solution.solver.game.boards[1].boards) <= CARDS - 3
