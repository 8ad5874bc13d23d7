"""Five types of players: names, assignment."""

from itertools import product

import numpy as np
import pytest

from agents.statistical.counting.play_summary import NUMBERS, PlaySummary
from agents.statistical.counting.situations import CALL, RAISE
from agents.statistical.predicting.player_types import TYPES, PlayerTypes, type_name
from engine.errors import ArtifactMismatch

CENTRES = {
    "aggressive": (0.1, 0.4, 0.5, 0.35, 0.9, 0.0, 0.1, 0.9, 0.1),
    "conservative": (0.5, 0.4, 0.1, 0.3, 0.95, 0.2, 0.2, 0.6, 0.0),
    "regular": (0.1, 0.7, 0.2, 0.3, 0.95, 0.0, 0.3, 0.7, 0.0),
    "bluffer": (0.1, 0.5, 0.4, 0.4, 0.9, 0.0, 0.2, 0.8, 0.6),
    "trapper": (0.1, 0.8, 0.1, 0.25, 0.95, 0.0, 0.7, 0.3, 0.0),
}
"""Players of each type, in the units of `NUMBERS`."""


def types_of(window=100):
    """Types at `CENTRES`, around the means of some pool; limit games as no-limit ones."""
    means = np.tile([0.2, 0.5, 0.3, 0.4, 0.9, 0.1, 0.4, 0.6, 0.2], (2, 1))
    plain = np.array([CENTRES[name] for name in TYPES], np.float64)
    centres, spreads = (plain - means[0]) / 0.1, np.full((2, 9), 0.1)
    return PlayerTypes(centres, means, spreads, 0.6, window, provenance={"a": 1})


def test_points_get_the_names_they_deserve():
    """Each of the five."""
    assert [type_name(np.array(CENTRES[name])) for name in TYPES] == list(TYPES)


@pytest.mark.parametrize(
    ("base", "feature", "bound", "name"),
    [
        ("regular", "folds", 0.25, "conservative"),
        ("regular", "winner folds", 0.05, "conservative"),
        ("regular", "weak raises", 0.35, "bluffer"),
        ("aggressive", "winner calls", 0.9 + 1e-9, "trapper"),
        ("regular", "winner calls", 0.7 / 0.55 * 0.45 + 1e-9, "trapper"),
    ],
)
def test_names_begin_at_their_bounds(base, feature, bound, name):
    """Just below a point has the name it had."""
    point = np.array(CENTRES[base])
    point[NUMBERS.index(feature)] = bound - 1e-6
    assert type_name(point) == base
    point[NUMBERS.index(feature)] = bound
    assert type_name(point) == name


def test_names_are_asked_in_the_order_of_the_module():
    """Bluffs come first, aggression before folds, folds before traps."""
    point = np.array(CENTRES["trapper"])
    point[NUMBERS.index("folds")] = 0.3
    assert type_name(point) == "conservative"
    point[[NUMBERS.index("raises"), NUMBERS.index("winner raises")]] = 0.8
    assert type_name(point) == "aggressive"
    point[NUMBERS.index("weak raises")] = 0.9
    assert type_name(point) == "bluffer"
    point[NUMBERS.index("calls")] = 0.1
    assert type_name(point) == "aggressive"


def test_who_raises_everything_is_aggressive():
    """Weak hands no more than others; from a fifth of calls on it is a bluffer.

    Aggression is a share of raises and calls, whatever is folded.
    """
    for calls, name in ((0.05, "aggressive"), (0.199, "aggressive"), (0.201, "bluffer")):
        raises = 1 - calls
        point = np.array([0.0, calls, raises, 0.6, 0.7, 0.0, calls, raises, raises])
        assert type_name(point) == name
    for raises, folds in product((0.299, 0.301), (0.0, 0.2)):
        point = np.array(CENTRES["regular"])
        point[:3] = folds, (1 - folds) * (1 - raises), (1 - folds) * raises
        assert type_name(point) == ("aggressive" if raises > 0.3 else "regular")


def test_centres_of_one_name_add_up():
    """Two bluffers beside a regular player; nobody is of a type without a centre."""
    plain = np.array([CENTRES[name] for name in ("bluffer", "bluffer", "regular")])
    means, spreads = np.zeros((2, 9)), np.ones((2, 9))
    types = PlayerTypes(plain, means, spreads, 1.0, 100)
    assert types.names == ("bluffer", "bluffer", "regular")
    chances = types.chances(plain[:1], np.array([1]))[0]
    assert chances[TYPES.index("trapper")] == 0
    assert chances[TYPES.index("bluffer")] > 0.6
    assert chances.sum() == pytest.approx(1)


def test_kinds_of_game_have_means_of_their_own():
    """A bet 0.2 above the usual ones counts alike, whatever is usual there."""
    types = types_of()
    more = np.where(np.arange(len(NUMBERS)) == NUMBERS.index("bet"), 0.2, 0.0)
    means = np.stack((types.means[0], types.means[0] + more))
    apart = PlayerTypes(types.centres, means, types.spreads, 0.6, 100)
    between = types.plain_centres()[:2].mean(axis=0)
    points = np.stack((between, between + more))
    limit, no_limit = apart.chances(points, np.array([0, 1]))
    assert limit == pytest.approx(no_limit)
    assert limit == pytest.approx(types.chances(points[:1], np.array([1]))[0])
    other = apart.chances(points[:1], np.array([1]))[0]
    assert np.abs(other - limit).max() > 0.1


def test_players_at_a_centre_are_of_its_type():
    """Surely; one in the middle of two is of either with the same chance."""
    types = types_of()
    points, kinds = types.plain_centres(), np.ones(5, np.int64)
    chances = types.chances(points, kinds)
    assert chances.argmax(axis=1).tolist() == [0, 1, 2, 3, 4]
    assert chances.max(axis=1).min() > 0.8
    between = types.chances(points[:2].mean(axis=0)[None], kinds[:1])[0]
    assert between[0] == pytest.approx(between[1])
    assert chances.sum(axis=1) == pytest.approx(np.ones(5))


def test_confidence_grows_with_hands():
    """The same play seen for longer."""
    found = []
    for hands in (1, 10, 100, 1000):
        summary = PlaySummary(no_limit=True)
        for _ in range(hands):
            summary.add_hand()
            for action in (RAISE, RAISE, CALL):
                summary.add(action, 0.7, 0.9, 5)
                summary.add_shown(RAISE, 0.9)
                summary.add_shown(CALL, 0.1)
        found.append(types_of().assign(summary))
    assert [one.name for one in found] == ["aggressive"] * 4
    assert found[0].confidence < found[1].confidence < found[2].confidence
    assert found[2].confidence == pytest.approx(found[3].confidence)


def test_files_are_checked(tmp_path):
    """What was saved comes back; damage is told."""
    path = tmp_path / "types.model"
    types = types_of(50)
    types.save(path)
    found = PlayerTypes.load(path)
    assert (found.centres == types.centres).all()
    assert (found.window, found.width, found.provenance) == (50, 0.6, {"a": 1})
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(ArtifactMismatch, match="arena train statistical"):
        PlayerTypes.load(path)


def test_wrong_numbers_are_refused():
    """Shapes, widths, nan."""
    types = types_of()
    right = {name: getattr(types, name) for name in ("centres", "means", "spreads")}
    for changes in (
        {"centres": types.centres[:, :4]},
        {"centres": types.centres[:0]},
        {"centres": types.centres * np.nan},
        {"spreads": np.zeros((2, len(NUMBERS)))},
        {"means": types.means[:1]},
        {"width": 0.0},
    ):
        with pytest.raises(ValueError):
            PlayerTypes(**{"width": 1.0, "window": 100, **right, **changes})
