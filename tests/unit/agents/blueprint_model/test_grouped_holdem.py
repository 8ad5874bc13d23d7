"""Hold'em in groups of buckets: solved whole, and played as a blueprint."""

from dataclasses import replace

import numpy as np
import pytest

from agents.blueprint_model import grouped_holdem
from agents.blueprint_model.grouped_holdem import GroupedHoldem, Groups
from agents.blueprint_model.model import load_model
from agents.blueprint_model.policy import BlueprintPolicy
from agents.equilibrium.equilibrium_run import EquilibriumConfig, EquilibriumRun, Goal
from agents.errors import GameNotPlayed
from engine.betting.policy import check_strategy
from engine.cfr.adaptive import FAST_POOL, UcbRule
from engine.cfr.adaptive_choice import AdaptiveChoice
from engine.cfr.solver import StrategyKind
from engine.errors import InvalidGame
from engine.rules.view import state_of_betting
from protocol.cards import parse_cards
from protocol.gamedefs import load_builtin
from tests.helpers.blueprints import flat_turn

HULHE = load_builtin("hulhe")
GROUPS = Groups((3, 2, 1, 2), deals=3000)
CONFIG = EquilibriumConfig(
    "hulhe", HULHE, AdaptiveChoice(FAST_POOL, UcbRule()), groups=GROUPS, random_start=True
)


@pytest.fixture(autouse=True)
def quick_turns(monkeypatch):
    """All hands are alike on the turn."""
    monkeypatch.setattr(grouped_holdem, "looked_up", flat_turn)


def test_limit_holdem_is_solved_and_played(tmp_path):
    """A choice of minimisers, stopped and resumed; the file has the exact exploitability."""
    run = EquilibriumRun(tmp_path, CONFIG)
    before = run.solver.exploitability(StrategyKind.CURRENT)
    run.solve(Goal(iterations=3), lambda _: None, lambda: False)
    run.save()
    run = EquilibriumRun(tmp_path, CONFIG, resume=True)
    after = run.solve(Goal(iterations=6), lambda _: None, lambda: False)
    model = run.save()
    assert sum(run.uses.values()) == 6
    assert after < before
    assert model.provenance["exploitability"] == pytest.approx(after, rel=0.02)
    assert sum(model.provenance["values"]) == 0
    assert (model.provenance["groups"], model.provenance["deals"]) == ([3, 2, 1, 2], 3000)
    loaded = load_model(tmp_path / "model.blueprint")
    assert loaded.cards.counts == (3, 6, 6, 12)
    policy = BlueprintPolicy(loaded, HULHE)
    board = parse_cards("QsJc2d7h7c")
    for betting, dealt in (("", 0), ("rc/cr", 3), ("rc/crc/r", 4), ("cc/cc/cc/c", 5)):
        state = state_of_betting(HULHE, betting)
        strategy = policy.strategy(state, board[:dealt])
        check_strategy(strategy, state, board[:dealt])
        assert len({*map(tuple, np.round(strategy.probabilities.tolist(), 3))}) <= 13


def test_groups_are_checked():
    """Four of them, not too many in all, and some deals."""
    for widths, why in (((2, 2, 2), "want 4"), ((1, 1, 1, 0), "want 4"), ((9, 9, 9, 9), "6561")):
        with pytest.raises(ValueError, match=why):
            Groups(widths)
    with pytest.raises(ValueError, match="0 deals"):
        Groups((1, 1, 1, 1), 0)


@pytest.mark.parametrize(
    ("game", "error"),
    [
        (load_builtin("leduc"), InvalidGame),
        (load_builtin("limit3"), GameNotPlayed),
        (replace(load_builtin("hunl"), stacks=(2500, 2500)), InvalidGame),
    ],
)
def test_other_games_are_refused(game, error):
    """Of other cards, of three players, with stacks that no blueprint was trained for."""
    with pytest.raises(error):
        GroupedHoldem(game, GROUPS, 0)
