"""Five types of players: names, assignment."""

from itertools import permutations

import numpy as np
import pytest

from agents.statistical.counting.play_summary import NUMBERS, PlaySummary
from agents.statistical.counting.situations import CALL, RAISE
from agents.statistical.predicting.player_types import (
    CLUSTERED,
    TYPES,
    PlayerTypes,
    clustered,
    type_names,
)
from engine.errors import ArtifactMismatch

CENTRES = {
    "aggressive": (0.1, 0.4, 0.5, 0.35, 0.9, 0.0, 0.1, 0.9, 0.1, 0.5),
    "conservative": (0.5, 0.4, 0.1, 0.3, 0.95, 0.2, 0.2, 0.6, 0.0, 0.4),
    "regular": (0.1, 0.7, 0.2, 0.3, 0.95, 0.0, 0.3, 0.7, 0.0, 0.45),
    "bluffer": (0.1, 0.5, 0.4, 0.4, 0.9, 0.0, 0.2, 0.8, 0.6, 0.5),
    "trapper": (0.1, 0.8, 0.1, 0.35, 0.95, 0.0, 0.7, 0.3, 0.0, 0.85),
}
"""Players of each type, in the units of `NUMBERS`."""


def types_of(window=100):
    """Types at `CENTRES`, around the means of some pool; limit games as no-limit ones."""
    usual = np.array([[0.2, 0.5, 0.3, 0.4, 0.9, 0.1, 0.4, 0.6, 0.2, 0.5]])
    means = np.tile(clustered(usual), (2, 1))
    plain = clustered(np.array([CENTRES[name] for name in TYPES], np.float64))
    centres, spreads = (plain - means[0]) / 0.1, np.full((2, len(CLUSTERED)), 0.1)
    return PlayerTypes(centres, means, spreads, 0.6, window, provenance={"a": 1})


def points():
    """Return (5, 10) the players at the centres."""
    return np.array([CENTRES[name] for name in TYPES])


@pytest.mark.parametrize("order", list(permutations(range(5)))[::17])
def test_clusters_get_the_names_they_deserve(order):
    """Each name once, in whatever order they come."""
    names = type_names(types_of().centres[list(order)])
    assert names == tuple(TYPES[place] for place in order)


def test_who_waits_with_strong_hands_is_the_trapper():
    """Of two players who call alike, the one who raises them on the last street."""
    centres = types_of().centres.copy()
    calling, waiting = (TYPES.index(name) for name in ("regular", "trapper"))
    centres[calling] = centres[waiting]
    centres[calling, CLUSTERED.index("waits")] = 0.0
    names = type_names(centres)
    assert (names[waiting], names[calling]) == ("trapper", "regular")


def test_kinds_of_game_have_means_of_their_own():
    """A bet 0.2 above the usual ones counts alike, whatever is usual there."""
    types = types_of()
    more = np.where(np.arange(len(NUMBERS)) == NUMBERS.index("bet"), 0.2, 0.0)
    means = np.stack((types.means[0], types.means[0] + clustered(more[None])[0]))
    apart = PlayerTypes(types.centres, means, types.spreads, 0.6, 100)
    between = points()[:2].mean(axis=0)
    both = np.stack((between, between + more))
    limit, no_limit = apart.chances(both, np.array([0, 1]))
    assert limit == pytest.approx(no_limit)
    assert limit == pytest.approx(types.chances(both[:1], np.array([1]))[0])
    other = apart.chances(both[:1], np.array([1]))[0]
    assert np.abs(other - limit).max() > 0.1


def test_players_at_a_centre_are_of_its_type():
    """Surely; one in the middle of two is of either with the same chance."""
    types = types_of()
    kinds = np.ones(5, np.int64)
    chances = types.chances(points(), kinds)
    assert chances.argmax(axis=1).tolist() == [0, 1, 2, 3, 4]
    assert chances.max(axis=1).min() > 0.8
    between = types.chances(points()[:2].mean(axis=0)[None], kinds[:1])[0]
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
                summary.add_shown(RAISE, 0.9, 5)
                summary.add_shown(CALL, 0.1, 5)
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
        {"spreads": np.zeros((2, len(CLUSTERED)))},
        {"means": types.means[:1]},
        {"width": 0.0},
    ):
        with pytest.raises(ValueError):
            PlayerTypes(**{"width": 1.0, "window": 100, **right, **changes})
