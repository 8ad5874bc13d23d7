"""Five types of players: summaries, names, assignment."""

import numpy as np
import pytest

from agents.statistical.habits import CALL, FOLD, RAISE
from agents.statistical.player_types import (
    COUNTER_POLICIES,
    FEATURES,
    TYPES,
    PlayerTypes,
    Summary,
    load_types,
    name_centres,
)
from engine.errors import ArtifactMismatch

CENTRES = {
    "aggressive": (-0.5, -1, 2.5, 1, 0, 0, -1.5, 1.5),
    "conservative": (2.5, 0, -1.5, 0, 0, 0, 0, 0),
    "regular": (0, 0, 0.1, 0, 0, 0, 0, 0),
    "bluffer": (-0.5, 0, 1, 1, 0, 0, 1, -1),
    "trapper": (-0.5, 1, -1, -1, 0, 0, 2, -2),
}
"""What the names mean, in standard deviations."""


def types_of(window=100):
    """Types at `CENTRES`, around the means of some pool."""
    means = np.array([0.2, 0.5, 0.3, 0.4, 0.9, 0.0, 0.6, 0.4])
    centres = np.array([CENTRES[name] for name in TYPES], np.float64)
    return PlayerTypes(centres, means, np.full(8, 0.1), 0.6, window, {"seed": 1})


def test_a_summary_worked_by_hand():
    """Ten actions, two raises of 0.5 and 3 (counted as 2) pots, three shown winners."""
    summary = Summary()
    summary.add_hand()
    for _ in range(3):
        summary.add(FOLD, 0, 1.0)
    for _ in range(5):
        summary.add(CALL, 0, 0.9)
    summary.add(RAISE, 0.5, 0.8)
    summary.add(RAISE, 3.0, 0.7)
    for strength, action in ((0.9, RAISE), (0.5, RAISE), (0.49, CALL), (0.7, CALL)):
        summary.add_shown(action, strength)
    calls, raises = 1 + 4 * 5 / 7, 2 + 4 * 2 / 7
    expected = [0.3, 0.5, 0.2, (0.5 + 2) / 2 / 2, 9.0 / 10, 0, calls / 7, raises / 7]
    assert summary.features() == pytest.approx(expected)
    assert summary.hands == 1


def test_summaries_of_little_are_finite():
    """Somebody who only ever folds; nobody at all is refused."""
    summary = Summary()
    with pytest.raises(ValueError, match="no action"):
        summary.features()
    summary.add(FOLD, 0, 1)
    found = summary.features()
    assert np.isfinite(found).all()
    assert found[:3].tolist() == [1, 0, 0]


def test_centres_get_the_names_they_deserve_in_any_order():
    """The rule finds each of the five."""
    for seed in range(5):
        order = np.random.default_rng(seed).permutation(len(TYPES))
        shuffled = np.array([CENTRES[TYPES[number]] for number in order], np.float64)
        assert order[list(name_centres(shuffled))].tolist() == [0, 1, 2, 3, 4]
    with pytest.raises(ValueError, match="want"):
        name_centres(np.zeros((4, 8)))


def test_players_at_a_centre_are_of_its_type():
    """Surely; one in the middle of two is of either with the same chance."""
    types = types_of()
    points = types.centres * types.spreads + types.means
    chances = types.chances(points)
    assert chances.argmax(axis=1).tolist() == [0, 1, 2, 3, 4]
    assert chances.max(axis=1).min() > 0.8
    between = types.chances(points[:2].mean(axis=0)[None])[0]
    assert between[0] == pytest.approx(between[1])
    assert chances.sum(axis=1) == pytest.approx(np.ones(5))


def test_confidence_grows_with_hands():
    """The same play seen for longer."""
    found = []
    for hands in (1, 10, 100, 1000):
        summary = Summary()
        for _ in range(hands):
            summary.add_hand()
            for action in (RAISE, RAISE, CALL):
                summary.add(action, 1.0, 0.9)
        found.append(types_of().assign(summary))
    assert [one.name for one in found] == ["aggressive"] * 4
    assert found[0].confidence < found[1].confidence < found[2].confidence
    assert found[2].confidence == pytest.approx(found[3].confidence)
    assert found[0].chances[0] == found[0].confidence


def test_every_type_has_a_counter_policy():
    """Call more against aggressive players and bluffers, bluff against conservative ones."""
    assert tuple(COUNTER_POLICIES) == TYPES
    regular = COUNTER_POLICIES["regular"]
    assert COUNTER_POLICIES["aggressive"].call_shift > regular.call_shift
    assert COUNTER_POLICIES["bluffer"].call_shift > regular.call_shift
    assert COUNTER_POLICIES["conservative"].bluff == max(
        policy.bluff for policy in COUNTER_POLICIES.values()
    )
    summary = Summary()
    summary.add(RAISE, 1.0, 0.9)
    found = types_of().assign(summary)
    assert found.counter_policy == COUNTER_POLICIES[found.name]


def test_files_are_checked(tmp_path):
    """What was saved comes back; damage is told."""
    path = tmp_path / "types.model"
    types = types_of(50)
    types.save(path)
    found = load_types(path)
    assert (found.centres == types.centres).all()
    assert (found.window, found.width, found.provenance) == (50, 0.6, {"seed": 1})
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(ArtifactMismatch, match="arena train statistical"):
        load_types(path)


def test_wrong_numbers_are_refused():
    """Shapes, widths, nan."""
    types = types_of()
    with pytest.raises(ValueError):
        PlayerTypes(types.centres[:4], types.means, types.spreads, 1.0, 100)
    with pytest.raises(ValueError):
        PlayerTypes(types.centres, types.means, np.zeros(len(FEATURES)), 1.0, 100)
    with pytest.raises(ValueError):
        PlayerTypes(types.centres, types.means, types.spreads, 0.0, 100)
    with pytest.raises(ValueError):
        PlayerTypes(types.centres * np.nan, types.means, types.spreads, 1.0, 100)
