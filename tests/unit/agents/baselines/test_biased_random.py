"""Players with given probabilities."""

from collections import Counter
from dataclasses import replace

import pytest

from agents.baselines.biased_random import BiasedRandom, UniformRandom
from engine.rules.dealing import DealStream
from engine.rules.state import HandState
from engine.rules.view import PlayerView
from protocol.actions import CALL, Action
from protocol.gamedefs import load_builtin

HUNL = load_builtin("hunl")


def view_after(game, *actions: Action) -> PlayerView:
    """Return the view of whoever acts after `actions` of the first hand."""
    state = HandState.start(game)
    for action in actions:
        state = state.apply(action)
    return PlayerView.of(state, next(DealStream(game, 1)), state.actor)


def shares(bot, view, decisions=4000) -> dict[str, float]:
    """Return how often the bot took each kind of action, as shares."""
    bot.start_match(view.game, 9)
    kinds = Counter(bot.act(replace(view, hand_id=hand)).kind for hand in range(decisions))
    return {kind: count / decisions for kind, count in kinds.items()}


def test_defaults_are_those_of_the_example_player():
    """6 % fold, 47 % call, 47 % raise where all three are legal."""
    assert shares(BiasedRandom(), view_after(HUNL)) == pytest.approx(
        {"f": 0.06, "c": 0.47, "r": 0.47}, abs=0.03
    )


def test_an_illegal_fold_is_left_out_and_the_rest_scaled_up():
    """The big blind has nothing to fold to after a call."""
    assert shares(BiasedRandom(), view_after(HUNL, CALL)) == pytest.approx(
        {"c": 0.5, "r": 0.5}, abs=0.03
    )


def test_an_illegal_raise_is_left_out_and_the_rest_scaled_up():
    """Facing an all-in of the whole stack there is only folding and calling."""
    facing = view_after(HUNL, Action("r", 20000))
    assert shares(BiasedRandom(), facing) == pytest.approx(
        {"f": 0.06 / 0.53, "c": 0.47 / 0.53}, abs=0.03
    )


def test_uniform_means_uniform_over_the_legal_kinds():
    """A third each, or a half each where one is illegal."""
    third = pytest.approx({"f": 1 / 3, "c": 1 / 3, "r": 1 / 3}, abs=0.03)
    assert shares(UniformRandom(), view_after(HUNL)) == third
    half = pytest.approx({"c": 0.5, "r": 0.5}, abs=0.03)
    assert shares(UniformRandom(), view_after(HUNL, CALL)) == half


def test_raise_sizes_cover_the_whole_legal_range():
    """Sizes reach from the smallest raise to all-in, evenly."""
    bot = BiasedRandom(fold=0, call=1e-9, raise_=1)
    view = view_after(HUNL)
    sizes = [bot.act(replace(view, hand_id=hand)).raise_to for hand in range(4000)]
    assert min(sizes) >= 200
    assert max(sizes) <= 20000
    assert min(sizes) < 230
    assert max(sizes) > 19970
    assert sum(sizes) / len(sizes) == pytest.approx(10100, abs=300)


def test_limit_raises_carry_no_size():
    """In a limit game the raise is a plain "r"."""
    bot = BiasedRandom(fold=0, call=1e-9, raise_=1)
    assert bot.act(view_after(load_builtin("hulhe"))).text == "r"


@pytest.mark.parametrize("weights", [(-0.1, 1, 1), (0, 0, 1), (1, 1, -1), (0, float("nan"), 1)])
def test_impossible_weights_are_refused(weights):
    """Calling is the one kind always legal, so it needs a weight above zero."""
    fold, call, raise_ = weights
    with pytest.raises(ValueError, match="want"):
        BiasedRandom(fold=fold, call=call, raise_=raise_)
