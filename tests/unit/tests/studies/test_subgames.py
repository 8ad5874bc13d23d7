"""The whole study on two flops: against an obvious best response, and taken up again."""

import numpy as np
import pytest

from engine.errors import ArtifactMismatch
from engine.hands.cards import COMBOS
from engine.hands.ranges import compatible_reach, without_blocked
from tests.oracles.flop_holdem import best_response, gifts
from tests.studies import frame
from tests.studies.flop_holdem.techniques import (
    TECHNIQUES,
    FlopBlueprint,
    solved_again,
    without_needless_gifts,
)
from tests.studies.subgames import Subgames

SETTINGS = {
    "tree": "small",
    "iterations": 12,
    "solved": 60,
    "flops": 2,
    "seed": 1,
    "algorithm": "lcfr",
}
SLACK = 3.0
"""Chips that 200 iterations may be short of an equilibrium of the gadget."""


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """All done in one go."""
    study = Subgames(tmp_path_factory.mktemp("one-go"), SETTINGS)
    *_, (_, done, of) = study.steps(5)
    assert done == of
    return study


@pytest.mark.parametrize(("tree", "actions"), [("small", 114), ("large", 392)])
def test_trees_have_the_published_size(tmp_path, tree, actions):
    """Strategies on the flop take 1.1 and 4 GB as doubles, as the article says."""
    study = Subgames(tmp_path, SETTINGS | {"tree": tree, "flops": 1})
    assert study.game.row_count == actions


@pytest.fixture(scope="module")
def plan(tmp_path_factory):
    """A blueprint where one flop comes, in all its suits."""
    settings = SETTINGS | {"solved": 1, "flops": 1}
    study = Subgames(tmp_path_factory.mktemp("one-flop"), settings)
    list(study.steps(5))
    return FlopBlueprint(study.solver(5))


def test_the_blueprint_loses_what_an_obvious_best_response_wins(plan):
    """From both positions."""
    expected = [best_response(plan.game, *plan.profile, player) for player in (0, 1)]
    assert plan.exploitability(None) == pytest.approx(np.mean(expected), rel=1e-5)


def test_gifts_are_what_a_fold_would_have_saved(plan):
    """Of both players on each way to the flop, by dense matrices."""
    (*arrivals,) = plan.arrivals(0)
    largest = 0.0
    for player in (0, 1):
        expected = gifts(plan.game, *plan.profile, player)
        largest = max(largest, *(one.max() for one in expected.values()))
        for way, arrival in zip(plan.game.ways, arrivals, strict=True):
            assert arrival.gifts[player] == pytest.approx(expected[way], rel=1e-4, abs=1e-4)
    assert largest > 1


def test_every_technique_improves_it(finished):
    """Here, where so few buckets leave so much."""
    found = finished.exploitability(5)
    assert set(found) == {"blueprint", *(technique.name for technique in TECHNIQUES)}
    before = found.pop("blueprint")
    assert all(0 < after < before for after in found.values())
    assert found["max-margin"] < found["resolve"]


@pytest.mark.parametrize("technique", TECHNIQUES[1:3], ids=lambda one: one.name)
def test_safe_techniques_leave_no_hand_more(finished, technique):
    """No hand that the opponent may hold wins more than it could from the blueprint."""
    plan = FlopBlueprint(finished.solver(5))
    for arrival in plan.arrivals(0):
        for searcher in (0, 1):
            best = solved_again(finished.game, arrival, technique, searcher, 200)
            reach = without_blocked(arrival.reach[searcher], arrival.board)
            held = without_blocked(compatible_reach(reach), arrival.board) > 1e-6
            assert (best - arrival.best[1 - searcher])[held].max() < SLACK


def test_it_is_taken_up_again(finished, tmp_path):
    """After a stop at any step, by any number of processes; other settings are refused."""
    left = Subgames(tmp_path, SETTINGS).steps(5)
    for _ in range(4):
        next(left)
    left.close()
    study = Subgames(tmp_path, SETTINGS, workers=2)
    assert all(done <= of for _, done, of in study.steps(5))
    assert study.exploitability(5) == finished.exploitability(5)
    assert list(study.steps(5)) == []
    with pytest.raises(ArtifactMismatch, match="other settings"):
        list(Subgames(tmp_path, SETTINGS | {"flops": 3}).steps(5))


@pytest.mark.parametrize("cards", ["KhKh3c", "Ks8d", "KsXd4c", "Ks8d4"])
def test_a_flop_that_is_none_is_refused(cards, capsys):
    """In a line."""
    with pytest.raises(SystemExit, match="2"):
        frame.main(["subgames", "--tree", "turn", "--turn-flop", cards])
    assert cards in capsys.readouterr().err.splitlines()[-1]


def test_techniques_differ_by_gifts_only_where_some_were_given(plan):
    """Nine techniques, five without; and what stands for a technique plays as it does."""
    arrival, given = next(iter(plan.arrivals(0))), np.zeros(COMBOS)
    assert len({without_needless_gifts(one, given) for one in TECHNIQUES}) == 5
    arrival = arrival._replace(gifts=np.zeros((2, COMBOS)))
    for one in TECHNIQUES:
        both = one, without_needless_gifts(one, given)
        found, alike = (solved_again(plan.game, arrival, each, 0, 3) for each in both)
        np.testing.assert_array_equal(found, alike)
    given[7] = 1e-9
    assert len({without_needless_gifts(one, given) for one in TECHNIQUES}) == 9
