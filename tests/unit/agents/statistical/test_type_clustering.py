"""Types found in play."""

from dataclasses import replace

import numpy as np
import pytest

from agents.statistical.player_types import FEATURES, TYPES
from agents.statistical.type_clustering import find_types, windows_of
from tests.helpers.decisions import contexts_of, decisions_of
from tests.unit.agents.statistical.test_player_types import types_of


def planted(seed, each=40):
    """Points around five known centres, and which they belong to."""
    random = np.random.default_rng(seed)
    types = types_of()
    which = np.repeat(np.arange(len(TYPES)), each)
    scattered = types.centres[which] + random.normal(0, 0.15, (len(which), len(FEATURES)))
    return scattered * types.spreads + types.means, which


@pytest.mark.parametrize("seed", range(3))
def test_planted_types_are_found_and_named(seed):
    """Every point goes to the type that it was made of."""
    points, which = planted(seed)
    types = find_types(points, np.random.default_rng(seed))
    found = types.chances(points)
    assert (found.argmax(axis=1) == which).all()
    assert found.max(axis=1).min() > 0.9


def test_finding_repeats_to_the_bit():
    """The same points and seed."""
    points, _ = planted(1)
    first, second = (find_types(points, np.random.default_rng(4)) for _ in range(2))
    assert (first.centres == second.centres).all()
    assert first.width == second.width


def test_too_few_points_are_refused():
    """Five types need five different points."""
    points, _ = planted(1)
    for wrong in (points[:4], np.tile(points[:1], (20, 1)), points[:, :3]):
        with pytest.raises(ValueError):
            find_types(wrong, np.random.default_rng(1))


def test_windows_are_hands_of_one_player():
    """80 hands of two decisions, four players in turn: two windows of 10 for each."""
    random = np.random.default_rng(1)
    contexts = contexts_of(random, 160)
    actions = np.tile([2, 1], 80)
    strengths = np.full(160, 0.8, np.float32)
    decisions = decisions_of(contexts, actions, strengths=strengths)
    found = windows_of(decisions, 10)
    assert found.players.tolist() == [0, 0, 1, 1, 2, 2, 3, 3]
    expected = [0, 0.5, 0.5, 0.375, 1, 0, 0.5, 0.5]
    assert found.points == pytest.approx(np.tile(expected, (8, 1)))
    assert windows_of(decisions, 30).points.shape == (0, 8)
    with pytest.raises(ValueError, match="0 hands"):
        windows_of(decisions, 0)


def test_only_hands_that_were_shown_tell_what_they_were():
    """Strengths of hidden hands change nothing."""
    contexts = contexts_of(np.random.default_rng(1), 40)
    actions = np.tile([2, 1, 1, 1], 10)
    strengths = np.where(actions == 2, 0.9, 0.3).astype(np.float32)
    decisions = decisions_of(contexts, actions, per_hand=4, strengths=strengths)
    hidden = replace(decisions, shown=np.zeros(40, np.bool_))
    unknown = replace(hidden, strengths=np.full(40, np.nan, np.float32))
    points = [windows_of(each, 2).points for each in (decisions, hidden, unknown)]
    assert (points[1] == points[2]).all()
    assert (points[0] != points[1]).any()
