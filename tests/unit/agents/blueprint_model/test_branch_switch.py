"""Branches learned alone are used only while the opponent mostly makes their raise."""

from dataclasses import replace

import numpy as np
import pytest

from agents.blueprint.bot import Blueprint
from agents.blueprint_model.branch_switch import PRIOR, BranchSwitch, branches_alone
from agents.blueprint_model.interpretation import Interpreter
from agents.blueprint_model.model import BlueprintModel, load_model
from agents.blueprint_model.policy import policy_for
from engine.rules.state import HandState
from engine.rules.view import PlayerView, state_of_betting
from protocol.actions import raise_to
from tests.helpers.blueprints import interpretations_of, random_model, tiny_config

EXTRAS = ("r250", "r300r1000")
IMPROVED = [
    {"raise": "r250", "with_siblings": False},
    {"raise": "r300r1000", "with_siblings": True},
]
SHARE = 0.5


@pytest.fixture(scope="module")
def model():
    """A model with a branch learned alone and one learned with its siblings."""
    plain = random_model(replace(tiny_config(), extras=EXTRAS))
    provenance = {**plain.provenance, "improved": IMPROVED}
    return BlueprintModel(plain.config, plain.tree, plain.cards, plain.packed, provenance)


@pytest.fixture(scope="module")
def file(model, tmp_path_factory):
    """Return the model's file."""
    path = tmp_path_factory.mktemp("models") / "alone.blueprint"
    model.save(path)
    return path


@pytest.fixture
def alone(model):
    """The node behind the raise that was learned alone."""
    return model.tree.path("r250")[-1]


def finished(model, betting):
    """Return the end of a hand."""
    return state_of_betting(model.tree.game, betting)


def opener(model):
    """Return who acts first before the flop."""
    return HandState.start(model.tree.game).actor


def test_only_branches_learned_alone_are_switched(model, alone):
    """Whatever else stands in the provenance."""
    assert branches_alone(model) == {alone}
    for improved in ("x", ["x"], [{"raise": "r250"}], [{"raise": ["r250"]}], None):
        odd = BlueprintModel(
            model.config, model.tree, model.cards, model.packed, {"improved": improved}
        )
        assert not branches_alone(odd)
        assert not BranchSwitch(odd, odd.tree.game, SHARE).counts


def test_it_opens_while_the_opponent_mostly_raises_so(model, alone):
    """After as many raises as were taken for granted against it; folds and calls close it again."""
    game, player = model.tree.game, opener(model)
    switch = BranchSwitch(model, game, SHARE)
    for _ in range(PRIOR - 1):
        switch.note(finished(model, "r250f"), player)
        assert switch.closed == {alone}
    switch.note(finished(model, "r250f"), player)
    assert not switch.closed
    for betting in ("f", "cc/cc/cc/cc", "r300f"):
        switch.note(finished(model, betting), player)
        assert switch.closed == {alone}
        switch.note(finished(model, "r250f"), player)
        assert not switch.closed


def test_a_raise_between_two_sizes_counts_in_part(model, alone):
    """By the chance that it is taken for the branch's."""
    switch = BranchSwitch(model, model.tree.game, 0.2)
    for _ in range(100):
        switch.note(finished(model, "r255f"), opener(model))
    assert not switch.closed
    strict = BranchSwitch(model, model.tree.game, 0.9)
    for _ in range(1000):
        strict.note(finished(model, "r255f"), opener(model))
    assert strict.closed == {alone}


def test_raises_of_the_bot_itself_do_not_count(model, alone):
    """Nor do hands in which the opponent sat in the other seat."""
    switch = BranchSwitch(model, model.tree.game, SHARE)
    for _ in range(3 * PRIOR):
        switch.note(finished(model, "r250f"), 1 - opener(model))
    assert switch.closed == {alone}


def test_a_closed_branch_is_as_if_it_were_not_there(model, alone):
    """An exact raise and one nearby are taken for the sizes that the model has besides."""
    without = random_model(replace(tiny_config(), extras=EXTRAS[1:]))
    for betting in ("r250", "r240", "r260"):
        closed = Interpreter(model)
        closed.reader.close(frozenset({alone}))
        chances = [
            {
                interpreter.model.tree.betting(entry.node): pytest.approx(entry.chance)
                for entry in interpretations_of(
                    interpreter, finished(model, betting), 0, lambda street: 0
                )
            }
            for interpreter in (closed, Interpreter(without))
        ]
        assert chances[0] == chances[1]
        opened = Interpreter(model)
        nodes = {
            entry.node
            for entry in interpretations_of(opened, finished(model, betting), 0, lambda street: 0)
        }
        assert alone in nodes


def over(model, betting, position):
    """Return the view of a finished hand."""
    state = finished(model, betting)
    return PlayerView(state, 0, position, (), ())


def test_the_bot_switches_between_hands(file, model, alone):
    """It learns, so it is shown the hands of a match that is resumed."""
    bot = Blueprint(str(file))
    assert not bot.learns
    bot.start_match(model.tree.game, 1)
    assert bot.learns
    reader = bot._interpreter.reader
    assert reader.closed == {alone}
    for _ in range(PRIOR):
        bot.end_hand(over(model, "r250f", 1 - opener(model)))
    assert not reader.closed
    bot.start_match(model.tree.game, 1)
    assert bot._interpreter.reader.closed == {alone}


@pytest.mark.parametrize(("share", "closed"), [(0.0, False), (1.0, True)])
def test_it_may_be_used_always_or_never(file, model, alone, share, closed):
    """Then nothing depends on the opponent, and the policy can be told."""
    bot = Blueprint(str(file), alone=share)
    bot.start_match(model.tree.game, 1)
    assert not bot.learns
    assert (alone in bot._interpreter.reader.closed) == closed
    policy = policy_for(None, str(file), alone=share)
    assert (alone in policy.interpreter.reader.closed) == closed
    rows = policy.strategy(HandState.start(model.tree.game).apply(raise_to(250)), ())
    policy.close(frozenset() if closed else frozenset({alone}))
    again = policy.strategy(HandState.start(model.tree.game).apply(raise_to(250)), ())
    assert not np.array_equal(rows.probabilities, again.probabilities)


def test_a_policy_that_depends_on_the_opponent_is_refused(file):
    """Estimators and best responses would take it for a fixed strategy."""
    with pytest.raises(ValueError, match=r"alone, .* want --alone 0 \(always\) or 1 \(never\)"):
        policy_for(None, str(file))


def test_a_newer_model_is_taken_between_hands(file, model, tmp_path, capsys):
    """If that is wanted; a damaged one is told and not taken."""
    path = tmp_path / "m.blueprint"
    random_model(tiny_config(), seed=1).save(path)
    bot, still = Blueprint(str(path), renew=1), Blueprint(str(path))
    for player in (bot, still):
        player.start_match(model.tree.game, 1)
        player.end_hand(over(model, "f", 0))
        assert not player._interpreter.model.config.extras
    model.save(path)
    for player in (bot, still):
        player.end_hand(over(model, "f", 0))
    assert bot._interpreter.model.config.extras == EXTRAS
    assert not still._interpreter.model.config.extras
    path.write_bytes(b"damaged")
    bot.end_hand(over(model, "f", 0))
    bot.end_hand(over(model, "f", 0))
    assert bot._interpreter.model.config.extras == EXTRAS
    assert capsys.readouterr().err.count("plays on with the model that it has") == 1
    path.unlink()
    bot.end_hand(over(model, "f", 0))
    assert load_model(file).config.extras == EXTRAS


def test_what_is_renewed_is_a_file():
    """The shipped models stay as they are."""
    with pytest.raises(ValueError, match="renew: want a model's file"):
        Blueprint(renew=1)
