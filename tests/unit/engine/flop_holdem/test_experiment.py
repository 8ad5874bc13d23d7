"""The whole experiment on two flops: against an obvious best response, and taken up again."""

from shutil import copytree

import numpy as np
import pytest

from engine.errors import ArtifactMismatch
from engine.flop_holdem.experiment import ExperimentSettings, SubgameExperiment
from engine.flop_holdem.flop_blueprint import FlopBlueprint
from engine.flop_holdem.techniques import TECHNIQUES, solved_again, without_needless_gifts
from engine.hands.cards import COMBOS
from engine.hands.ranges import compatible_reach, without_blocked
from tests.oracles.flop_holdem import best_response, gifts

SETTINGS = ExperimentSettings(iterations=12, solved=60, flops=2)
SLACK = 3.0
"""Chips that 200 iterations may be short of an equilibrium of the gadget."""


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """All done in one go."""
    experiment = SubgameExperiment(tmp_path_factory.mktemp("one-go"), SETTINGS, (5,))
    steps = list(experiment.run())
    assert [step.done == step.of for step in steps][-1]
    return experiment


@pytest.mark.parametrize(("tree", "actions"), [("small", 114), ("large", 392)])
def test_trees_have_the_published_size(tmp_path, tree, actions):
    """Strategies on the flop take 1.1 and 4 GB as doubles, as the article says."""
    game = SubgameExperiment(tmp_path, ExperimentSettings(tree, flops=1)).game
    assert game.row_count == actions


@pytest.fixture(scope="module")
def plan(tmp_path_factory):
    """A blueprint where one flop comes, in all its suits."""
    settings = ExperimentSettings(iterations=12, solved=1, flops=1)
    one = SubgameExperiment(tmp_path_factory.mktemp("one-flop"), settings, (5,))
    list(one.run())
    return FlopBlueprint(one.solver(5))


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
    found = {name: row[5] for name, row in finished.exploitability().items()}
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
    """After a stop at any step, by any number of processes."""
    left = SubgameExperiment(tmp_path, SETTINGS, (5,)).run()
    for _ in range(4):
        next(left)
    left.close()
    experiment = SubgameExperiment(tmp_path, None, (5,), workers=2)
    assert experiment.exploitability() == {}
    for step in experiment.run():
        assert step.done <= step.of
    assert experiment.exploitability() == finished.exploitability()
    assert list(experiment.run()) == []


def test_another_experiment_is_not_mixed_in(finished, tmp_path):
    """A folder holds one."""
    with pytest.raises(ArtifactMismatch, match="another experiment"):
        SubgameExperiment(finished.folder.path, ExperimentSettings())
    with pytest.raises(ArtifactMismatch, match="no experiment"):
        SubgameExperiment(tmp_path / "nothing", None)


@pytest.mark.parametrize(
    "damaged", ["buckets", "blueprint", pytest.param("solved-0000", marks=pytest.mark.slow)]
)
def test_a_damaged_file_is_named(finished, tmp_path, damaged):
    """Which to remove, so that it is made again."""
    copytree(finished.folder.path, tmp_path / "copy")
    path = tmp_path / "copy" / "5" / damaged
    whole = path.read_bytes()
    experiment = SubgameExperiment(tmp_path / "copy", SETTINGS, (5,))
    for wrong in (b"", b"nothing", whole[: len(whole) // 2], whole[:-9] + bytes(9)):
        path.write_bytes(wrong)
        with pytest.raises(ArtifactMismatch, match=f"{damaged}.* made again"):
            experiment.exploitability()
    path.unlink()
    if damaged == "solved-0000":
        assert len(list(experiment.run())) == 2


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
