"""The 36 counters, shown hands, and what follows from them."""

import numpy as np
import pytest

from agents.statistical.counting.counters import SIZE_PRIOR_DECISIONS, OpponentCounters
from agents.statistical.counting.situations import (
    ACTIONS,
    CALL,
    CELLS,
    FOLD,
    RAISE,
)
from tests.helpers.decisions import acted, situated

ALL = (True, True, True)


def test_every_decision_adds_one():
    """To its position, cell and action alone."""
    counters = OpponentCounters()
    counters.add(acted(True, 4, RAISE))
    counters.add(acted(True, 4, RAISE))
    counters.add(acted(False, 4, FOLD))
    assert counters.counts.sum() == 3
    assert counters.counts[1, 4].tolist() == [0, 0, 2]
    assert counters.counts[0, 4].tolist() == [1, 0, 0]
    assert (counters.trust(4), counters.trust(5)) == (3 / 8, 0)


def test_shares_start_at_the_generic_ones():
    """2:5:3 where nothing was counted, among what is legal."""
    counters = OpponentCounters()
    assert counters.shares(situated(True, 0, ALL)) == pytest.approx((0.2, 0.5, 0.3))
    assert counters.shares(situated(True, 0, (False, True, True))) == pytest.approx(
        (0, 0.625, 0.375)
    )
    assert counters.shares(situated(True, 0, (False, True, False))) == (0, 1, 0)


def test_shares_go_to_what_was_counted():
    """Hardly anything is left of the start; positions differ, but where one was never seen."""
    counters = OpponentCounters()
    for _ in range(900):
        counters.add(acted(True, 3, RAISE))
    assert counters.shares(situated(True, 3, ALL))[RAISE] > 0.98
    assert counters.shares(situated(False, 3, ALL))[RAISE] > 0.9
    for _ in range(900):
        counters.add(acted(False, 3, CALL))
    assert counters.shares(situated(False, 3, ALL))[CALL] > 0.98
    assert counters.shares(situated(True, 4, ALL)) == pytest.approx((0.0, 0.5, 0.5), abs=0.01)


def test_shown_hands_are_counted_by_strength():
    """In twenty bins, for the action taken alone."""
    counters = OpponentCounters()
    for strength in (0.8, 0.9, 1.0):
        counters.add_shown(7, RAISE, strength)
    assert np.flatnonzero(counters.shown[7, RAISE]).tolist() == [16, 18, 19]
    assert counters.shown.sum() == 3


def test_phase_two_needs_every_bin():
    """One bin short is not enough; other strengths have none."""
    counters = OpponentCounters()
    for strength in np.arange(20) / 20 + 0.01:
        assert not counters.full_bins(1)
        counters.add_own(float(strength))
    assert [counters.full_bins(samples) for samples in range(3)] == [True, True, False]
    for strength in (-0.1, 1.1, float("nan")):
        with pytest.raises(ValueError, match="strength"):
            counters.add_own(strength)


def filled(seed):
    """Counters of some random player."""
    rng = np.random.default_rng(seed)
    counters = OpponentCounters()
    for _ in range(200):
        cell, action = int(rng.integers(CELLS)), int(rng.integers(ACTIONS))
        counters.add(acted(bool(rng.integers(2)), cell, action))
        counters.add_shown(cell, action, float(rng.random()))
        counters.add_own(float(rng.random()))
    for summary in counters.summaries:
        for _ in range(30):
            shares = float(rng.random()), float(rng.random())
            summary.add(int(rng.integers(ACTIONS)), *shares, int(rng.integers(CELLS)))
        summary.add_hand()
    counters.hands, counters.showdowns = 90, 20
    return counters


def test_counters_survive_being_made_plain():
    """Everything comes back; the largest that are read add up, without running over."""
    counters = filled(1)
    plain = counters.plain()
    again = OpponentCounters.of_plain(plain)
    assert again.plain() == plain
    assert again != filled(2)
    plain["counts"] = np.full((2, 12, 3), 10**9).tolist()
    assert OpponentCounters.of_plain(plain).trust(0) == pytest.approx(1)
    with pytest.raises(ValueError, match="counters"):
        OpponentCounters.of_plain([1, 2])


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("counts", [[1, 2, 3]]),
        ("counts", np.full((2, 12, 3), 10**15).tolist()),
        ("shown", np.full((12, 3, 20), -1).tolist()),
        ("own_bins", [0.5] * 20),
        ("hands", True),
        ("hands", 10**9 + 1),
        ("showdowns", "3"),
        ("scored", 2**70),
        ("scores", [0] * 4),
        ("scores", [-(10**9) - 1] * 5),
        ("scores", [float("nan")] * 5),
        ("summaries", [{}, {}]),
        ("summaries", 3),
    ],
)
def test_damaged_plain_values_are_refused(name, value):
    """The message names what is wrong."""
    plain = filled(1).plain()
    with pytest.raises(ValueError, match=name):
        OpponentCounters.of_plain({**plain, name: value})
    with pytest.raises(ValueError, match=name):
        OpponentCounters.of_plain({key: held for key, held in plain.items() if key != name})


def test_answers_to_raises_are_counted_by_size():
    """Folds to large raises say little about small ones, or about raises over its own."""
    counters = OpponentCounters()
    for _ in range(50):
        counters.add(acted(True, 4, FOLD, 4))
        counters.add(acted(True, 4, CALL, 1))
    here = counters.shares(situated(True, 4))[FOLD]
    assert 0.4 < here < 0.5
    for size, folds in ((4, 50), (1, 0)):
        shrunk = (folds + SIZE_PRIOR_DECISIONS * here) / (50 + SIZE_PRIOR_DECISIONS)
        assert counters.shares(situated(True, 4, ALL, size))[FOLD] == pytest.approx(shrunk)
    assert counters.answers[1, 1].sum() == 0


def test_what_was_counted_can_be_taken_back():
    """As if it had not been; answers to raises as well."""
    counters = filled(3)
    before = counters.plain()
    actions = [*acted(True, 4, FOLD, 4), *acted(False, 0, RAISE)]
    counters.add(actions)
    assert counters.plain() != before
    counters.add(actions, -1)
    assert counters.plain() == before
