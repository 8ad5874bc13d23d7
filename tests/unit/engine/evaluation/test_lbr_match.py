"""Measurements with local best response: the same numbers however they are cut and shared out."""

import dataclasses

import numpy as np
import pytest

from engine.betting.bet_menu import ALL_IN, menu_of
from engine.evaluation.lbr import LocalBestResponse
from engine.evaluation.lbr_hand import LbrSeat, play_lbr_hand
from engine.evaluation.lbr_match import (
    _STREAM,
    MeasuringWorkers,
    _holes,
    drawing,
    join_samples,
    measure,
    measured_blocks,
    pair_blocks,
    play_lbr_pairs,
)
from engine.evaluation.lbr_settings import parse_lbr_settings
from engine.evaluation.simple_policies import FoldPolicy, Uniform
from engine.rules.dealing import DealStream
from engine.rules.dealing_blocks import deal_arrays
from protocol.gamedefs import load_builtin
from tests.helpers.workers import thread_workers

HUNL = load_builtin("hunl")
LBR = LocalBestResponse(Uniform(menu_of((1.0, ALL_IN))), HUNL, parse_lbr_settings("C,C,FCPA,FCPA"))


def equal(one, other):
    """Whether two sets of samples are the same to the last bit."""
    arrays = ("won", "luck", "tally")
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in arrays)


@pytest.fixture(scope="module")
def samples():
    """Forty pairs."""
    return measure(LBR, 40, seed=5)


def test_a_pair_is_one_deal_from_both_seats():
    """LBR holds the cards of the position it sits in, on the board of the dealer's match."""
    lbr = dataclasses.replace(LBR, policy=FoldPolicy())
    part = play_lbr_pairs(lbr, 5, first=3, pairs=2)
    holes, boards = deal_arrays(HUNL, 5, 5)
    for row in range(2):
        for position in range(2):
            seat = LbrSeat(position, holes[3 + row, position], boards[3 + row])
            value = play_lbr_hand(lbr, seat, lambda probabilities: 0)
            assert part.won[row, position] == value.won
            assert np.array_equal(part.luck[row, position], value.luck)
            assert np.array_equal(part.tally[row, position], value.tally)


def test_several_hands_of_a_board_are_kept_as_their_mean():
    """The dealt hand is among them; all are played with the same draws on the same board."""
    few = play_lbr_pairs(LBR, 5, first=3, pairs=1, holes=4)
    assert few.holes == 4
    for position in range(2):
        deal = deal_of(5, 3)
        name = (_STREAM, 5, 3, position)
        hands = _holes(HUNL, deal, position, 4, name)
        assert len({frozenset(hand) for hand in hands}) == 4
        assert not {card for hand in hands for card in hand} & set(deal.board)
        assert tuple(hands[0]) == tuple(deal.holes[position])
        values = [
            play_lbr_hand(
                LBR, LbrSeat(position, hand, deal.board), drawing(np.random.default_rng(name))
            )
            for hand in hands
        ]
        assert few.won[0, position] == pytest.approx(np.mean([one.won for one in values]))
        np.testing.assert_allclose(
            few.luck[0, position], np.mean([one.luck for one in values], axis=0)
        )
        np.testing.assert_allclose(
            few.tally[0, position], np.mean([one.tally for one in values], axis=0)
        )


def deal_of(seed, number):
    """One hand of the dealer's match."""
    deals = DealStream(HUNL, seed)
    deals.skip(number)
    return next(iter(deals))


@pytest.mark.parametrize("holes", [0, 1082])
def test_a_board_leaves_so_many_hands(holes):
    """Not none, and not more than there are."""
    with pytest.raises(ValueError, match="hands"):
        measure(LBR, 1, seed=5, holes=holes)


def test_a_measurement_may_be_cut(samples):
    """Ranges of pairs, played at any time, join to the same samples."""
    parts = [
        measure(LBR, 7, seed=5),
        measure(LBR, 1, seed=5, first_pair=7),
        measure(LBR, 32, seed=5, first_pair=8),
    ]
    joined = join_samples(parts)
    assert equal(joined, samples)
    assert (joined.first_pair, joined.pairs) == (0, 40)


def test_processes_change_nothing(samples):
    """Two workers return what one does, in order."""
    seen = []
    assert equal(measure(LBR, 40, seed=5, workers=2, progress=seen.append), samples)
    assert [progress.pairs for progress in seen] == [16, 32, 40]


def test_progress_tells_the_mean_so_far(samples):
    """At the end it is that of all hands."""
    seen = []
    measure(LBR, 40, seed=5, progress=seen.append)
    assert [(progress.pairs, progress.of_pairs) for progress in seen] == [
        (16, 40),
        (32, 40),
        (40, 40),
    ]
    assert seen[-1].mbb_per_hand == pytest.approx(samples.won.mean() * 10)
    assert seen[0].mbb_per_hand == pytest.approx(samples.won[:16].mean() * 10)


def test_faults_of_the_policy_come_out_of_the_workers():
    """As they do without."""
    broken = dataclasses.replace(LBR, policy=Broken())
    for workers in (1, 2):
        with pytest.raises(ValueError, match="of no use"):
            measure(broken, 2, seed=5, workers=workers)


class Broken:
    """A policy that cannot answer."""

    def strategy(self, state, board):
        raise ValueError("of no use")


@pytest.mark.parametrize("wrong", [{"pairs": 0}, {"first_pair": -1}, {"workers": 0}, {"seed": -1}])
def test_numbers_must_make_sense(wrong):
    """Before anything is played."""
    with pytest.raises(ValueError):
        measure(LBR, **{"pairs": 1, "seed": 1, **wrong})


def test_only_what_goes_on_can_be_joined(samples):
    """A gap, another seed or other settings are no continuation; neither is nothing at all."""
    more = dataclasses.replace(samples, first_pair=40)
    assert join_samples([samples, more]).pairs == 80
    for odd in (
        dataclasses.replace(more, first_pair=41),
        dataclasses.replace(more, seed=6),
        dataclasses.replace(more, settings=parse_lbr_settings("FC")),
        dataclasses.replace(more, game=load_builtin("hulhe")),
    ):
        with pytest.raises(ValueError, match="do not follow"):
            join_samples([samples, odd])
    with pytest.raises(ValueError, match="no samples"):
        join_samples([])


def test_draws_follow_the_probabilities():
    """In proportion, and never what has none, not even at the edge."""
    draw = drawing(np.random.default_rng(3))
    shares = np.array([0.0, 0.25, 0.0, 0.75, 0.0])
    counts = np.bincount([draw(shares) for _ in range(4000)], minlength=5)
    assert counts[[0, 2, 4]].tolist() == [0, 0, 0]
    assert abs(counts[1] - 1000) < 5 * np.sqrt(750)

    class Edge:
        def random(self):
            return np.nextafter(1.0, 2.0)  # as if rounding had gone the wrong way

    assert drawing(Edge())(shares) == 3


def uniform():
    """Return the strategy that workers open, which says its game."""
    policy = Uniform(menu_of((1.0, ALL_IN)))
    policy.game = HUNL
    return policy


def test_workers_measure_the_same(samples):
    """They open the strategy themselves; what they send first is measured here too."""
    with thread_workers() as (cluster, _):
        there = MeasuringWorkers(cluster, uniform, ())
        parts = measured_blocks(LBR, pair_blocks(range(40)), seed=5, elsewhere=there)
        assert equal(join_samples(list(parts)), samples)
        assert cluster.tally.replayed
