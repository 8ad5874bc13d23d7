"""Hold'em in groups as learners play it: what they see, what is played, and what comes of it."""

from dataclasses import replace

import numpy as np
import pytest

from agents.blueprint_model import grouped_holdem
from agents.blueprint_model.grouped_holdem import Groups
from agents.blueprint_model.model import load_model
from agents.blueprint_model.policy import BlueprintPolicy
from agents.errors import TrainingError
from agents.learners.betting_counts import betting_counts
from agents.learners.configuration import (
    LearnerConfig,
    NfspSettings,
    PolicyGradientSettings,
    SampledCfrSettings,
    memory_bytes,
)
from agents.learners.grouped_game import GroupedGame, bets_of, layout_of, tree_counts
from agents.training.run_folder import RunFolder
from engine.betting.bet_menu import menu_of
from engine.betting.betting_tree import build_betting_tree
from engine.betting.policy import check_strategy
from engine.rules.state import HandState
from engine.rules.view import state_of_betting
from engine.small_games.bucket_solver import expected_value
from engine.small_games.table_solver import random_profile
from protocol.cards import parse_cards
from protocol.gamedefs import load_builtin
from tests.helpers.blueprints import flat_turn
from tests.helpers.said import refused
from tests.helpers.torch_threads import one_torch_thread

HANDS = 20_000
GROUPED = {
    "limit": ("hulhe", (3, 2, 1, 2), None, 3),
    "no-limit": ("hunl", (2, 2, 1, 1), None, 5),
    "pot": ("hunl", (3, 2, 1, 2), "100,a/100,a;a", 4),
}
"""Game, groups, bets, and how many actions a network scores."""
LEARNERS = {
    "nfsp": NfspSettings(hands=500, hidden=(8,), batch=16, ring=3000, reservoir=4000),
    "mmd": PolicyGradientSettings(hands=500, hidden=8, part=512, kl=0.5),
    "sdcfr": SampledCfrSettings(traversals=9, hidden=(8,), steps=2, reservoir=2000),
}


@pytest.fixture(autouse=True, scope="module")
def quick_turns():
    """All hands are alike on the turn."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(grouped_holdem, "looked_up", flat_turn)
        yield


@pytest.fixture(scope="module", params=GROUPED)
def named(request):
    """The name of a game in few groups, the game, and a profile of it."""
    game, widths, menu, _ = GROUPED[request.param]
    learned = GroupedGame(load_builtin(game), Groups(widths, deals=3000), 1, menu)
    return request.param, learned, random_profile(learned.holdem.game, np.random.default_rng(1))


@pytest.fixture(scope="module")
def grouped(named):
    """The game, and the profile."""
    return named[1:]


def test_information_sets_are_told_apart(named):
    """No two rows are the same, and the game is as large as was said before."""
    name, game, profile = named
    assert len(np.unique(game.features, axis=0)) == len(game.features) == len(game.owner)
    rules, widths, menu, actions = GROUPED[name]
    layout = layout_of(load_builtin(rules), Groups(widths), menu)
    assert (layout.info_sets, layout.width) == game.features.shape
    assert layout.actions == game.legal.shape[1] == actions
    table = np.zeros(game.legal.shape)
    table[game.rows, game.columns] = profile
    assert (game.profile(table) == profile).all()


def test_hands_are_played_as_the_profile_says(grouped):
    """What is won is, within four standard errors, what it wins exactly; by seat, too."""
    game, profile = grouped
    played = game.play(profile[None], np.zeros((HANDS, 2), np.int8), np.random.default_rng(5))
    exact = expected_value(game.holdem.game, profile)
    ends = np.flatnonzero(played.following < 0)
    won = np.zeros((HANDS, 2))
    won[played.hand[ends], played.player[ends]] = played.won[ends]
    both = np.bincount(played.hand[ends], minlength=HANDS) == 2
    assert (won[both].sum(axis=1) == 0).all()
    first = np.where(both, won[:, 0], won[:, 0] - won[:, 1])
    assert first.mean() == pytest.approx(exact, abs=4 * first.std() / HANDS**0.5)
    assert (game.owner[played.info_set] == played.player).all()


def test_advantages_are_those_of_the_actions(grouped):
    """Weighed by the policy they are nothing, and only of the traverser's legal actions."""
    game, profile = grouped
    sampled = game.traverse(profile, 1, 50, np.random.default_rng(7))
    table = np.zeros(game.legal.shape)
    table[game.rows, game.columns] = profile
    assert (game.owner[sampled.info_sets] == 1).all()
    assert (sampled.advantages[~game.legal[sampled.info_sets]] == 0).all()
    worth = (sampled.advantages * table[sampled.info_sets]).sum(axis=1)
    np.testing.assert_allclose(worth, 0, atol=1e-6)
    assert np.abs(sampled.advantages).max() > 0


def test_decisions_of_a_tree_are_counted_as_those_of_a_game():
    """By the array of the betting and by walking it."""
    for name in ("kuhn", "leduc"):
        game = load_builtin(name)
        tree = build_betting_tree(HandState.start(game), menu_of((1.0,)))
        assert tree_counts(tree) == betting_counts(game)


@pytest.mark.parametrize(
    "name", ["sdcfr", *(pytest.param(name, marks=pytest.mark.slow) for name in ("nfsp", "mmd"))]
)
def test_a_run_is_resumed_to_the_bit_and_played(tmp_path, name):
    """As a blueprint, whose file says how exploitable it is among its groups."""
    one_torch_thread()
    from agents.learners.train.learner_run import LearnerRun

    game = load_builtin("hulhe")
    config = LearnerConfig(
        name, "hulhe", game, 1, 6000, LEARNERS[name], Groups((3, 2, 1, 2), deals=3000)
    )
    assert memory_bytes(config) > 10 << 20
    runs = {}
    for stops in (False, True):
        run = LearnerRun(tmp_path / str(stops), config)
        if stops:
            run.learn(0.0, lambda: None, lambda: False, iter(range(10**6)).__next__)
            run.save()
            run = LearnerRun(tmp_path / str(stops), config, resume=True)
        run.learn(600.0, lambda: None, lambda: False)
        runs[stops] = run
    assert runs[True].curve[-1] == runs[False].curve[-1]
    model = runs[True].save()
    assert model.provenance["exploitability"] == pytest.approx(runs[True].curve[-1][1], rel=0.05)
    policy = BlueprintPolicy(load_model(runs[True].model_file), game)
    board = parse_cards("QsJc2d7h7c")
    for betting, dealt in (("", 0), ("rc/cr", 3), ("cc/cc/cc/c", 5)):
        state = state_of_betting(game, betting)
        check_strategy(policy.strategy(state, board[:dealt]), state, board[:dealt])


def test_bets_are_named_as_elsewhere():
    """By street and raise; the last street's serve all after it."""
    hunl = load_builtin("hunl")
    assert bets_of(hunl) == 4 * (("50,100,a", "100,a"),)
    assert bets_of(hunl, "100,a/50;a") == (("100,a",), *3 * (("50", "a"),))
    assert bets_of(load_builtin("hulhe")) is None
    for game, menu, why in (
        ("hulhe", "100", "limit game"),
        ("hunl", "100;", "sizes of each raise"),
        ("hunl", "1/1/1/1/1", "4 streets"),
        ("hunl", "x", "'x'"),
    ):
        with pytest.raises(ValueError, match=why):
            bets_of(load_builtin(game), menu)
    config = LearnerConfig("mmd", "hunl", hunl, 1, 6000, LEARNERS["mmd"], Groups((2, 2, 2, 2)))
    small = replace(config, bets="100,a")
    assert "bets" not in config.facts()
    assert small.facts() == config.facts() | {"bets": "100,a"}
    assert 20 * memory_bytes(small) < memory_bytes(replace(config, groups=Groups((4, 3, 3, 3))))


def test_another_run_is_refused_before_its_deals_are_counted(tmp_path, monkeypatch):
    """What is compared lies in the checkpoint."""
    one_torch_thread()
    from agents.learners.train import learner_run

    game, groups = load_builtin("hulhe"), Groups((2, 1, 1, 1), deals=3000)
    config = LearnerConfig("mmd", "hulhe", game, 1, 6000, LEARNERS["mmd"], groups)
    folder = RunFolder(tmp_path, learner_run.KIND)
    folder.save(config.facts(), {}, {})
    monkeypatch.delattr(learner_run, "GroupedGame")
    with refused(TrainingError, "another groups"):
        other = replace(config, groups=Groups((1, 1, 1, 1), deals=3000))
        learner_run.LearnerRun(tmp_path, other, resume=True)
    with refused(TrainingError, "holds a run"):
        learner_run.LearnerRun(tmp_path, config)


@pytest.mark.slow  # ten seconds
def test_a_table_learns_holdem_in_groups(tmp_path):
    """External sampling loses ever less, once it has been everywhere."""
    one_torch_thread()
    from agents.learners.train.learner_run import LearnerRun

    settings = SampledCfrSettings(traversals=100, reservoir=1, tabular=True)
    game, groups = load_builtin("hulhe"), Groups((2, 1, 1, 1), deals=3000)
    run = LearnerRun(tmp_path, LearnerConfig("t", "hulhe", game, 1, 8_000_000, settings, groups))
    run.learn(600.0, lambda: None, lambda: False)
    lost = [value for _, value in run.curve]
    assert lost[-1] < max(lost) / 5
