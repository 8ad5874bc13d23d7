"""Situations: boards in canonical suits, ranges of every source, the same for the same numbers."""

import numpy as np
import pytest

from agents.deepstack.configuration import FLOP, PREFLOP, RIVER, SOURCES, TURN, Configuration
from agents.deepstack.describing import equity_values
from agents.deepstack.situations import (
    LEAST_RATIO,
    PublicSituation,
    SituationSource,
    StreetArrival,
    canonical,
    random_range,
    rounded,
    strengths_on,
)
from agents.deepstack.solving import flop_weights, solve_situation
from engine.abstraction.board_buckets import BoardBuckets
from engine.equity.allin_matrix import apart
from engine.hands.cards import COMBOS, card_bits, combo_of, live_combos, parse_combo
from engine.hands.ranges import compatible_reach
from engine.hands.suits import CARD_SWAPS
from engine.networks.board_network import BoardValueNetwork
from engine.search.network_leaves import StreetEnds
from engine.showdown.board_ranks import board_ranks
from protocol.cards import parse_cards
from tests.oracles.dense_river import DenseRiver
from tests.oracles.terminal import fold_values, showdown_values

CHECKED_DOWN = "script:C"
"""Opens in no time, and comes to every street with all hands."""


def drawn(street=RIVER, over=False, **changes):
    """The situations of one file."""
    configuration = Configuration.of(street, over=over, **{"policy": CHECKED_DOWN, **changes})
    return list(SituationSource(configuration).block(0))


def test_boards_of_the_same_solution_are_one():
    """In any order and any suits; the exchange leads there."""
    board = parse_cards("Ks7d7c2s9s")
    wanted, swap = canonical(board)
    assert sorted(CARD_SWAPS[swap][list(board)].tolist()) == list(wanted)
    for exchange in CARD_SWAPS:
        assert canonical(exchange[list(reversed(board))].tolist())[0] == wanted
    assert canonical(parse_cards("Ks7d7c2s9d"))[0] != wanted


def test_strength_is_by_rank_and_a_mean_before_the_river():
    """The nuts are above all; with a card to come, hands are worth what they become."""
    river = strengths_on(parse_cards("AsKsQs2d2c"))
    assert river.argmax() == parse_combo("JsTs")
    assert (river >= 0).sum() == 1081
    turn = strengths_on(parse_cards("AsKsQs2d"))
    cards = [card for card in range(52) if card not in parse_cards("AsKsQs2dTh9h")]
    hand = combo_of(*parse_cards("Th9h"))
    shares = []
    for card in cards:
        ranks = board_ranks((*parse_cards("AsKsQs2d"), card)).astype(int)
        rivals = ranks[(ranks > 0) & apart()[hand]]
        shares.append(np.mean((rivals < ranks[hand]) + (rivals == ranks[hand]) / 2))
    assert turn[hand] == pytest.approx(np.mean(shares))


def test_a_random_range_halves_by_strength():
    """The weaker half of the hands has any share between nothing and all, the same on average."""
    rng = np.random.default_rng(3)
    strengths = strengths_on(parse_cards("AsKsQs2d2c"))
    ranges = np.array([random_range(strengths, rng) for _ in range(150)])
    live = strengths >= 0
    assert ranges.sum(axis=1) == pytest.approx(1)
    assert (ranges[:, ~live] == 0).all()
    assert (ranges[:, live] > 0).all()
    weak = ranges[:, live & (strengths < np.median(strengths[live]))].sum(axis=1)
    assert np.quantile(weak, [0.25, 0.5, 0.75]) == pytest.approx([0.25, 0.5, 0.75], abs=0.12)


@pytest.mark.parametrize(
    ("street", "over"), [(RIVER, False), (TURN, False), (TURN, True), (FLOP, True)]
)
def test_situations_are_whole(street, over):
    """Of all sources, in their shares: chips fit, all hands that the board leaves have a weight."""
    found = drawn(street, over, block=10)
    counts = Configuration.of(street, over=over, block=10).counts
    assert [SOURCES[one.source] for one in found] == [
        source for source in SOURCES for _ in range(counts[source])
    ]
    for one in found:
        assert len(one.board) == street + 2
        assert canonical(one.board)[0] == one.board
        assert one.pot % 2 == 0
        assert one.pot >= 200
        assert one.stack > 0
        live = live_combos(card_bits(one.board))
        assert (one.ranges.max(axis=1) == 1).all()
        assert (one.ranges[:, live] >= LEAST_RATIO).all()
        assert (one.ranges[:, ~live] == 0).all()


def test_ranges_are_what_the_betting_says():
    """Who checks everything down has any hand; a blueprint's hands are no longer alike."""
    (one,) = drawn(block=1, shares={"played": 1})
    assert set(np.unique(one.ranges)) == {0, 1}
    (two,) = drawn(block=1, shares={"played": 1}, policy="blueprint", seed=3)
    assert len(np.unique(two.ranges)) > 10


def test_leaves_of_a_flop_search_are_turns():
    """Ranges are of the search, no longer of who checks all down; cards differ in one search."""
    leaves = drawn(TURN, block=3, shares={"leaves": 1})
    assert len({situation.board for situation in leaves}) == 3
    for situation in leaves:
        assert len(np.unique(situation.ranges)) > 10


def test_searches_of_flops_ask_about_shallow_stacks_too(monkeypatch):
    """Little behind, and much; some ends are of one search, which the flop's network ends."""
    asked = []
    values = BoardValueNetwork.values

    def noted(network, *known):
        asked.append(network.facts["cards"])
        return values(network, *known)

    monkeypatch.setattr(BoardValueNetwork, "values", noted)
    found = drawn(FLOP, over=True, block=40, shares={"asked": 1})
    assert set(asked) == {3}
    behind = np.array([one.stack / one.pot for one in found])
    assert behind.max() <= 20
    assert (behind < 0.7).any()
    assert (behind > 2).any()
    assert len({one.board for one in found}) < len(found)
    assert max(len(np.unique(one.ranges)) for one in found) > 10


def test_some_sources_are_of_some_streets_only():
    """Only flop searches are asked what they ask their network about."""
    for street, over in ((RIVER, False), (TURN, True), (PREFLOP, True)):
        with pytest.raises(ValueError, match="source 'asked': there are none of it"):
            Configuration.of(street, over=over, shares={"asked": 1})


def test_nobody_bets_where_a_street_is_over():
    """Hands win what a river below the same pot lets them, on average over its cards."""
    (end,) = drawn(TURN, over=True, block=1, shares={"leaves": 1}, policy="blueprint", seed=2)
    fine = Configuration.of(TURN, over=True, target=0.002)
    solved = solve_situation(end, fine)
    live = live_combos(card_bits(end.board))
    cards = [card for card in range(52) if card not in end.board]
    river = Configuration.of(RIVER, bets=fine.bets, target=0.002)
    ranges = [end.ranges * live_combos(card_bits([card])) for card in cards]
    boards = [tuple(sorted((*end.board, card))) for card in cards]
    below = [
        solve_situation(PublicSituation(0, board, end.pot, end.stack, weights), river).values
        for board, weights in zip(boards, ranges, strict=True)
    ]
    weights = end.ranges[:, live].astype(float)
    mean = np.sum(below, axis=0)[:, live] / (len(cards) - 4)
    away = (weights * np.abs(solved.values[:, live] - mean)).sum(axis=1) / weights.sum(axis=1)
    assert away.max() < 0.02


def test_ends_of_flops_are_solved_through_the_turn():
    """By a network of its ends: what it says of no other boards is asked."""
    (end,) = drawn(FLOP, over=True, block=1, shares={"random": 1}, seed=4)
    solved = solve_situation(end, Configuration.of(FLOP, over=True, most_iterations=12))
    live = live_combos(card_bits(end.board))
    weights = end.ranges.astype(float)
    equity = equity_values(end.board, weights)
    assert not solved.values[:, ~live].any()
    assert np.corrcoef(solved.values[0, live], equity[0, live])[0, 1] > 0.7
    assert np.abs(solved.values - equity)[:, live].mean() > 0.01


def test_situations_do_not_depend_on_how_they_are_solved():
    """The same for other bets and targets; others for another seed."""
    first = drawn(block=2, shares={"random": 1})
    again = drawn(block=2, shares={"random": 1}, target=0.5, bets="100,a")
    other = drawn(block=2, shares={"random": 1}, seed=2)
    for one, two, three in zip(first, again, other, strict=True):
        assert np.array_equal(one.ranges, two.ranges)
        assert one[:4] == two[:4]
        assert not np.array_equal(one.ranges, three.ranges)


def test_ranges_turn_with_their_board():
    """In whatever suits a hand comes, the same situation is made of it."""
    board, hands = parse_cards("As9s7s2d2c"), [parse_cards("KsQs"), parse_cards("AdAh")]
    made = []
    for exchange in CARD_SWAPS:
        ranges = np.zeros((2, COMBOS))
        for weights, hand in zip(ranges, hands, strict=True):
            weights[combo_of(*exchange[list(hand)].tolist())] = 0.2
        arrival = StreetArrival(50, tuple(exchange[list(board)].tolist()), 700, ranges)
        made.append(rounded(arrival, 3))
    wanted = [strengths_on(board)[combo_of(*hand)] for hand in hands]
    for one in made:
        assert (one.board, one.pot, one.stack) == (made[0].board, 1400, 4300)
        strengths = strengths_on(one.board)[one.ranges.argmax(axis=1)]
        assert strengths.tolist() == wanted
        assert np.array_equal(one.ranges[0], made[0].ranges[0])


def test_values_of_a_shallow_river_are_those_of_the_dense_solver():
    """Hand by hand, in pots; both solutions are a little exploitable."""
    configuration = Configuration.of(RIVER, policy=CHECKED_DOWN, block=1, shares={"random": 1})
    situation = next(SituationSource(configuration).block(0))._replace(pot=2000, stack=700)
    solved = solve_situation(situation, configuration)
    dense = DenseRiver(*situation[1:5], (0.5, 1, 2, np.inf), (1, np.inf))
    for iteration in range(1, 61):
        dense.iterate(iteration)
    away = np.abs(solved.values - dense.values())
    assert dense.exploitability() < 0.003
    assert solved.exploitability <= configuration.target
    assert (dense.weights() * away).sum() / 2 < 0.01
    assert (solved.values[:, ~live_combos(card_bits(situation.board))] == 0).all()


@pytest.mark.slow
@pytest.mark.parametrize("block", range(4))
def test_values_of_rivers_are_those_of_the_dense_solver(block):
    """Twenty rivers, of every source in its share, with all bets."""
    configuration = Configuration.of(RIVER, block=5, seed=77, policy="blueprint")
    for situation in SituationSource(configuration).block(block):
        solved = solve_situation(situation, configuration)
        dense = DenseRiver(*situation[1:5], (0.5, 1, 2, np.inf), (1, np.inf))
        for iteration in range(1, 401):
            dense.iterate(iteration)
        away = (dense.weights() * np.abs(solved.values - dense.values())).sum() / 2
        assert away < 0.003 + 4 * (solved.exploitability + dense.exploitability())


def test_equity_is_what_showdowns_give():
    """Half a pot times the chance to win less that to lose; on the turn over all rivers."""
    board = parse_cards("KsQs7d2c3h")
    ranges = np.stack([random_range(strengths_on(board), np.random.default_rng(k)) for k in (1, 2)])
    ranges[:, ::7] = 0
    found = equity_values(board, ranges)
    hand = parse_combo("AhKd")
    for player in (0, 1):
        won = showdown_values(ranges[1 - player], board)[hand]
        met = fold_values(ranges[1 - player], board)[hand]
        assert found[player, hand] == pytest.approx(won / met / 2, abs=1e-6)
    turn = equity_values(board[:4], ranges)[0, hand]
    rivers = [card for card in range(52) if card not in (*board[:4], *parse_cards("AhKd"))]
    won = met = 0.0
    for card in rivers:
        ranks = board_ranks((*board[:4], card)).astype(int)
        beside = ranges[1] * apart()[hand] * (ranks > 0)
        won += beside @ np.sign(ranks[hand] - ranks)
        met += beside.sum()
    assert turn == pytest.approx(won / met / 2, abs=1e-6)


def test_what_cannot_be_is_refused():
    """With a word about it."""
    for changes, said in (
        ({"shares": {"luck": 1}}, "luck"),
        ({"shares": {"random": 0}}, "positive"),
        ({"street": TURN, "shares": {"searched": 1}}, "none of it"),
        ({"street": 1}, "street 1"),
        ({"bets": "much"}, "much"),
        ({"target": 0.0}, "positive"),
        ({"variant": "magic"}, "magic"),
    ):
        with pytest.raises(ValueError, match=said):
            Configuration(**changes)


def test_one_flop_says_nothing_more_than_all_where_nobody_bets(monkeypatch):
    """What a flop does to a hand's equity is not in the values, and suits are all alike."""
    ends = StreetEnds(None, FLOP, exact=False)
    monkeypatch.setattr("agents.deepstack.solving._ends", lambda _: ends)
    (end,) = drawn(PREFLOP, over=True, block=1, shares={"random": 1}, seed=4)
    solved = solve_situation(end, Configuration.of(PREFLOP, over=True, bets=";"))
    weights = end.ranges.astype(float)
    np.testing.assert_allclose(solved.values, equity_values((), weights), atol=2e-3)


def test_ends_of_the_first_street_are_of_starting_hands():
    """Ranges and values tell no suits apart; both win 0 together."""
    starting = BoardBuckets.of(())
    for source in ("perturbed", "random", "leaves"):
        (end,) = drawn(PREFLOP, over=True, block=1, shares={source: 1}, seed=5)
        solved = solve_situation(end, Configuration.of(PREFLOP, over=True, most_iterations=30))
        for side in (*end.ranges, *solved.values):
            first = side[np.unique(starting.bucket, return_index=True)[1]]
            np.testing.assert_allclose(side, first[starting.bucket], rtol=1e-3, atol=1e-6)
        assert end.board == ()
        met = [compatible_reach(side) for side in end.ranges[::-1].astype(float)]
        weights = end.ranges * np.stack(met)
        weights /= weights.sum(axis=1, keepdims=True)
        assert abs((weights * solved.values).sum()) < 0.02


def test_weights_of_flops_have_a_mean_of_one():
    """Over many flops, for every hand: what blocks it counts for nothing, other flops for more."""
    rng = np.random.default_rng(3)
    ranges = random_range(strengths_on(()), rng).astype(np.float32)[None]
    total, count = np.zeros(1326), 3000
    for _ in range(count):
        flop = tuple(rng.permutation(52)[:3].tolist())
        total += flop_weights(flop, ranges)[0]
    np.testing.assert_allclose(total / count, 1, atol=0.12)
    assert total.mean() / count == pytest.approx(1, abs=0.01)
