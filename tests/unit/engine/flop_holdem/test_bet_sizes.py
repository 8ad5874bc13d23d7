"""What menus win: against an obvious best response, kept in a folder and taken up again."""

import json
import math

import pytest

from engine.cfr.solver import StrategyKind, solve
from engine.cfr.variants import VARIANTS
from engine.errors import ArtifactMismatch, OutOfMemory
from engine.flop_holdem.bet_sizes import VARIANT, SizeExperiment, SizeSettings
from engine.flop_holdem.size_search import menu_text, start_at
from tests.oracles.flop_holdem import best_response

OPPONENT = "50,100;a;/75;"
SETTINGS = SizeSettings(stack=10, flops=1, iterations=3, opponent=OPPONENT)
SHALLOW = SizeSettings(stack=3, flops=1, iterations=1, opponent=OPPONENT)
MENU = "100;/50;"


@pytest.fixture
def experiment(tmp_path):
    """Nothing found yet."""
    return SizeExperiment(tmp_path / "sizes", SETTINGS, 1)


@pytest.mark.slow
def test_a_menu_is_sure_of_what_an_obvious_best_response_leaves(experiment):
    """And its own best response wins the upper bound, mbb per hand."""
    assert experiment.worth(MENU) is None
    steps = list(experiment.evaluate(MENU))
    assert steps[-1].done == steps[-1].of == 2 * SETTINGS.iterations
    found = experiment.worth(MENU)
    position = 1
    solver = experiment.solver(MENU, position)
    solve(solver, VARIANTS[VARIANT], SETTINGS.iterations)
    profile = solver.profile(StrategyKind.AVERAGE)
    own, other = (best_response(solver.game, *profile, p) for p in (position, 1 - position))
    assert found.low[position] == pytest.approx(-other * 10, rel=1e-4)
    assert found.high[position] == pytest.approx(own * 10, rel=1e-4)
    assert found.low[position] < found.high[position]
    assert found.middle == pytest.approx(sum(found.low + found.high) / 4)


def test_only_the_searcher_has_its_menu(experiment):
    """The other position has the opponent's."""
    for position in (0, 1):
        tree = experiment.solver("400;/", position).game.tree
        first = [int(tree.raise_to[node]) for node in tree.children(0)]
        assert first == ([0, 0, 900] if position == 1 else [0, 0, 200, 300])


def test_the_opponents_own_menu_is_worth_nothing(experiment):
    """Both have the same then, and each wins what the other loses."""
    list(experiment.evaluate(OPPONENT))
    assert experiment.worth(OPPONENT).middle == pytest.approx(0, abs=1e-9)


@pytest.mark.slow
def test_a_search_goes_on_where_it_was(tmp_path):
    """After a stop anywhere, with the same values to the last bit; a finished one does nothing."""
    experiment = SizeExperiment(tmp_path / "sizes", SHALLOW, 1)
    start, least = start_at(1.0, 1), 100.0
    whole = list(experiment.search(start, least))
    assert whole
    path = experiment.found(start, least).path
    other = SizeExperiment(tmp_path / "other", SHALLOW, 2)
    assert other.best([start], least) is None
    steps = other.search(start, least)
    for _ in range(5):
        next(steps)
    steps.close()
    again = SizeExperiment(tmp_path / "other", SHALLOW, 1)
    list(again.search(start, least))
    assert again.found(start, least) == experiment.found(start, least)
    text = (tmp_path / "sizes" / "trace.json").read_text()
    assert (tmp_path / "other" / "trace.json").read_text() == text
    assert list(again.search(start, least)) == []
    best = again.best([start], least)
    assert best == path[-1]
    losses = dict(again.losses(best, 0))
    assert losses[best[0]] == 0
    middle = again.worth(menu_text(best)).middle
    for level, lost in losses.items():
        assert lost == middle - again.worth(menu_text((level, *best[1:]))).middle


def test_other_settings_and_damage_are_refused(experiment, tmp_path):
    """A folder holds one experiment."""
    list(experiment.evaluate(MENU))
    with pytest.raises(ArtifactMismatch, match="another experiment: stack 10, flops 1"):
        SizeExperiment(tmp_path / "sizes", SizeSettings())
    path = tmp_path / "sizes" / "trace.json"
    whole = json.loads(path.read_text())
    values = ([[1], [2]], [[1, 2], [3, math.nan]])
    wrongs = [json.dumps(whole | {"low_high_mbb": {MENU: found}}) for found in values]
    for wrong in ("", "[]", "{}", *wrongs):
        path.write_text(wrong)
        with pytest.raises(ArtifactMismatch, match=r"damaged.* made again"):
            SizeExperiment(tmp_path / "sizes", SETTINGS)


def test_menus_with_too_many_bets_are_refused(tmp_path):
    """Before they fill the memory."""
    sizes = ",".join(str(n) for n in range(10, 400, 10))
    experiment = SizeExperiment(tmp_path, SizeSettings(200, flops=1, iterations=1), 1)
    with pytest.raises(OutOfMemory, match="nodes"):
        list(experiment.evaluate(f"{sizes};{sizes}/{sizes};{sizes}"))
