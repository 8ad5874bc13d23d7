"""Which raises of the logs a menu lacks the most."""

import math

import numpy as np
import pytest

from agents.blueprint_model.model import tree_of
from agents.errors import GameNotPlayed, TrainingError
from agents.improvement.logged_raises import LoggedRaises, Place, logged_raises
from agents.improvement.ranking import bluff_scale, rank_missing
from engine.betting.translation import lower_probability
from protocol.gamedefs import load_builtin
from tests.helpers.blueprints import tiny_config
from tests.helpers.improving import write_log, write_model

HUNL = load_builtin("hunl")


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """A model and its file; before the flop raises of half a pot and a pot, then a pot, all-in."""
    path = tmp_path_factory.mktemp("model") / "tiny.blueprint"
    return write_model(path), path


def read(model, log, *names, game=HUNL):
    """Return the raises of a log."""
    return logged_raises(*model, [log], game, names, lambda hands: None)


def test_translation_is_linear_in_the_scale():
    """Between two sizes of the menu, so that distances there are those of what is answered."""
    for lower, upper, size in ((0.5, 1.0, 0.75), (0, 0.5, 0.1), (1, 99.5, 20)):
        below, above, there = bluff_scale(np.array([lower, upper, size]))
        share = (above - there) / (above - below)
        assert share == pytest.approx(lower_probability(lower, upper, size))


def test_frequency_times_distance():
    """Raises of 0.75 pots between 0.5 and 1; of those that the menu has nothing is said."""
    tree = tree_of(tiny_config())
    place = Place(0, 40.0, {250: 10.0})
    [found] = rank_missing(tree, LoggedRaises(50, 40.0, [place]), 3)
    assert found.extra == "r250"
    assert found.pots == 0.75
    assert (found.times, found.share, found.nearest) == (10, 0.25, 1.0)
    assert found.distance == pytest.approx(0.5 - 0.75 / 1.75)
    assert found.score == pytest.approx(10 * found.distance)


def test_raises_that_are_learned_already_count_as_the_menu_s():
    """At their place: what they serve is not taken up again."""
    tree = tree_of(tiny_config())
    logged = LoggedRaises(50, 40.0, [Place(0, 40.0, {255: 10.0, 700: 1.0})])
    assert rank_missing(tree, logged, 1)[0].extra == "r255"
    (second,) = rank_missing(tree, logged, 1, ["r250"])
    assert second.extra == "r700"
    assert rank_missing(tree, logged, 1, ["r300r250"])[0].extra == "r255"
    assert not rank_missing(tree, logged, 3, ["r255", "r700"])


def test_sizes_that_are_nearly_one_are_not_learned_twice():
    """The one in their midst serves its neighbours; what is far away comes second."""
    tree = tree_of(tiny_config())
    sizes = {245: 9.0, 250: 10.0, 255: 9.0, 700: 5.0}
    found = rank_missing(tree, LoggedRaises(50, 40.0, [Place(0, 40.0, sizes)]), 2)
    assert {one.extra for one in found} == {"r250", "r700"}
    near = next(one for one in found if one.extra == "r250")
    assert near.times == 28
    assert 10 * near.distance < near.score < 28 * near.distance


def test_no_more_than_there_are_and_none_without_gain():
    """Each is taken once; where the menu only calls, the distance is as large as can be."""
    tree = tree_of(tiny_config())
    places = [Place(0, 3.0, {250: 1.0, 700: 2.0})]
    assert len(rank_missing(tree, LoggedRaises(3, 3.0, places), 9)) == 2
    assert rank_missing(tree, LoggedRaises(3, 0.0, []), 3) == []
    node = tree.path("r300r900r20000")[-1]
    [found] = rank_missing(tree, LoggedRaises(1, 1.0, [Place(node, 1.0, {19000: 1.0})]), 1)
    assert math.isnan(found.nearest)
    assert found.distance == 1


def test_places_are_those_of_the_abstract_game(model, tmp_path):
    """What follows on a raise between two sizes is half after either of them."""
    log = write_log(tmp_path / "a.log", ("r250r800f", 8), ("r200f", 4), ("r300c/cc/cc/cc", 2))
    found = read(model, log)
    assert (found.hands, found.raises) == (14, pytest.approx(22))
    first, *later = found.places
    assert (first.node, first.raises, first.sizes) == (0, 14, {250: 8})
    tree = model[0].tree
    share = lower_probability(0.5, 1.0, 0.75)
    assert [tree.betting(place.node) for place in later] == ["r200", "r300"]
    assert [place.raises for place in later] == pytest.approx([8 * share, 8 * (1 - share)])
    assert [list(place.sizes) for place in later] == [[640], [960]]  # 1.1 pots, to the chip
    all_in = write_log(
        tmp_path / "b.log", ("r300r20000f", 2)
    )  # of a shorter stack: it is the all-in
    assert read(model, all_in).places == []


def test_only_players_who_are_named_count(model, tmp_path):
    """By position: who is first in the list of names sits in the big blind."""
    log = write_log(tmp_path / "a.log", ("r250f", 3), ("cr250f", 2))
    assert [list(p.sizes) for p in read(model, log, "other").places] == [[250]]
    assert [p.raises for p in read(model, log, "one").places] == [2]
    assert len(read(model, log, "one", "other").places) == 2
    with pytest.raises(TrainingError, match="nobody is called me; there are one, other"):
        read(model, log, "me")


def test_bad_logs_are_told_with_their_line(model, tmp_path):
    """A raise that is too small, betting that is none, no hand, another game."""
    log = write_log(tmp_path / "a.log", ("r250f", 1), ("r101f", 1))
    with pytest.raises(TrainingError, match=r"a\.log:2: .*101"):
        read(model, log)
    log.write_text("STATE:0:r250x:AsKs|QdJd:0|0:a|b\n")
    with pytest.raises(TrainingError, match=r"a\.log:1"):
        read(model, log)
    log.write_text("# nothing\n")
    with pytest.raises(TrainingError, match="no hands"):
        read(model, log)
    with pytest.raises(GameNotPlayed):
        read(model, write_log(log, ("rf", 1)), game=load_builtin("hulhe"))
