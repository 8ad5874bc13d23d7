"""Types found in play."""

from dataclasses import replace

import numpy as np
import pytest

from agents.statistical.counting.play_summary import NUMBERS
from agents.statistical.learning.type_clustering import find_types, windows_of
from agents.statistical.predicting.contexts import FEATURES
from agents.statistical.predicting.player_types import TYPES
from tests.helpers.decisions import contexts_of, decisions_of
from tests.unit.agents.statistical.predicting.test_player_types import CENTRES

NO_LIMIT = FEATURES.index("no-limit")


def planted(seed, each=60):
    """Points around five known centres, and which they belong to."""
    random = np.random.default_rng(seed)
    which = np.repeat(np.arange(len(TYPES)), each)
    scattered = np.array([CENTRES[name] for name in TYPES])[which]
    return scattered + random.normal(0, 0.01, (len(which), len(NUMBERS))), which


@pytest.mark.parametrize("kind", range(2))
def test_planted_types_are_found_and_named(kind):
    """Every point goes to the type that it was made of, in either kind of game."""
    points, which = planted(kind)
    kinds = np.full(len(points), kind)
    types = find_types(points, kinds, np.random.default_rng(1))
    found = types.chances(points, kinds)
    assert (found.argmax(axis=1) == which).all()
    assert found.max(axis=1).min() > 0.9
    assert (types.means[0] == types.means[1]).all()


def test_limit_games_are_measured_apart_from_no_limit_games():
    """Bets four times as large in one kind of game are as usual there."""
    points, which = planted(2)
    larger = points.copy()
    larger[:, NUMBERS.index("bet")] *= 4
    kinds = np.repeat([0, 1], len(points))
    both = np.concatenate((points, larger))
    types = find_types(both, kinds, np.random.default_rng(1))
    assert (types.chances(both, kinds).argmax(axis=1) == np.tile(which, 2)).all()


def test_finding_repeats_to_the_bit():
    """The same points and seed."""
    points, _ = planted(1)
    kinds = np.zeros(len(points), np.int64)
    first, second = (find_types(points, kinds, np.random.default_rng(4)) for _ in range(2))
    assert (first.centres == second.centres).all()
    assert first.width == second.width


def test_too_few_points_are_refused():
    """There must be as many different points as centres."""
    points, _ = planted(1)
    for wrong in (points[: len(TYPES) - 1], np.tile(points[:1], (40, 1))):
        with pytest.raises(ValueError):
            find_types(wrong, np.ones(len(wrong), np.int64), np.random.default_rng(1))


def test_windows_are_hands_of_one_player():
    """80 hands of two decisions, four players in turn: two windows of 10 for each, of one game."""
    random = np.random.default_rng(1)
    contexts = contexts_of(random, 160)
    contexts[:, NO_LIMIT] = 1
    actions = np.tile([2, 1], 80)
    strengths = np.full(160, 0.8, np.float32)
    decisions = decisions_of(contexts, actions, strengths=strengths)
    found = windows_of(decisions, 10)
    assert found.players.tolist() == [0, 0, 1, 1, 2, 2, 3, 3]
    assert found.kinds.tolist() == [1] * 8
    expected = [0, 0.5, 0.5, 0.375, 1, 0, 0.5, 0.5, 0.5]
    assert found.points[:, :9] == pytest.approx(np.tile(expected, (8, 1)))
    assert windows_of(decisions, 30).points.shape == (0, 10)
    contexts[:, NO_LIMIT] = np.repeat([0, 1], 80)
    mixed = decisions_of(contexts, actions, players=1)
    assert windows_of(mixed, 40).kinds.tolist() == [0, 1]
    assert windows_of(mixed, 41).points.shape == (0, 10)


def test_only_hands_that_were_shown_tell_what_they_were():
    """Strengths of hidden hands change nothing."""
    contexts = contexts_of(np.random.default_rng(1), 40)
    contexts[:, NO_LIMIT] = 1
    actions = np.tile([2, 1, 1, 1], 10)
    strengths = np.where(actions == 2, 0.9, 0.3).astype(np.float32)
    decisions = decisions_of(contexts, actions, per_hand=4, strengths=strengths)
    hidden = replace(decisions, shown=np.zeros(40, np.bool_))
    unknown = replace(hidden, strengths=np.full(40, np.nan, np.float32))
    points = [windows_of(each, 2).points for each in (decisions, hidden, unknown)]
    assert (points[1] == points[2]).all()
    assert (points[0] != points[1]).any()
