"""Whatever is bet, a blueprint has a legal answer."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.blueprint_model.interpretation import Interpreter
from agents.blueprint_model.models import check_model_game
from engine.abstraction.lossless import LosslessAbstraction
from engine.rules.state import HandState
from protocol import actions as wire
from protocol.gamedef import UNLIMITED_RAISES, UNLIMITED_STACK
from tests.helpers.blueprints import (
    interpretations_of,
    legal_sizes,
    random_action,
    random_model,
    some_buckets,
)
from tests.helpers.blueprints import tiny_config as config_of

GAMES = ("hunl", "small bets", "hulhe", "leduc")
HOLDEM = ("hunl", "small bets", "hulhe")
STATES, PARTS = 1_000_000, 20
STYLES = ("anything", "smallest", "largest", "pots", "policy")
HANDS = 3


@cache
def reader_of(name):
    """Return an interpreter of a random model; half of all hands follow what it would do."""
    config = config_of(name)
    cards = LosslessAbstraction(config.game) if name == "leduc" else some_buckets(4, 4, 4, 4)
    return Interpreter(random_model(config, cards, seed=7))


def some_game(abstract, rng):
    """Return a game of the kind of a model's: other chips, stacks, a seat's perhaps, and caps."""
    small = int(rng.integers(1, 51))
    big, turned = 2 * small, bool(rng.integers(2))
    order = (0, 1, 1, 1) if turned else (1, 0, 0, 0)
    least, most = (20, 250) if abstract.no_limit else (1, 60)
    stacks = [
        int(big * np.exp(rng.uniform(np.log(least), np.log(most)))) + int(rng.integers(big))
        for _ in range(2)
    ]
    stacks = [max(least * big, min(most * big, one)) for one in stacks]
    if rng.integers(2):
        stacks[1] = stacks[0]
    elif rng.random() < 0.3:
        stacks[int(rng.integers(2))] = UNLIMITED_STACK
    return replace(
        abstract,
        stacks=tuple(stacks),
        blinds=(small, big) if turned else (big, small),
        first_positions=order,
        raise_sizes=() if abstract.no_limit else (big, big, 2 * big, 2 * big),
        max_raises=[abstract.max_raises, (1, 2, 1, 3), (UNLIMITED_RAISES,) * 4][
            int(rng.integers(3))
        ],
    )


def action_in(style, state, rng, offered):
    """Return a legal action of somebody of a style."""
    legal = state.raise_range()
    if style == "policy" and rng.random() < 0.8:
        return offered[int(rng.integers(len(offered)))]
    if legal is None or style in ("anything", "policy") or rng.random() < 0.15:
        return random_action(state, rng)
    if not state.game.no_limit:
        return wire.RAISE
    if style == "smallest":
        return wire.raise_to(min(legal[1], legal[0] + int(rng.integers(3))))
    if style == "largest":
        return wire.raise_to(max(legal[0], legal[1] - int(rng.integers(3))))
    return legal_sizes(state, rng)


def play_hand(interpreter, rng):
    """Play a hand between two who act anyhow; check what both are told; return the states seen."""
    buckets = rng.integers(
        0, min(interpreter.model.cards.counts), (interpreter.game.streets, HANDS)
    )
    buckets = buckets.astype(np.int32)
    styles = [STYLES[int(rng.integers(len(STYLES)))] for _ in range(2)]
    state = HandState.start(interpreter.game)
    interpretations = [interpreter.start(buckets.__getitem__) for _ in range(2)]
    seen = 0
    while not state.over:
        answer = interpreter.answer(interpretations[state.actor], state, buckets.__getitem__)
        check(answer, state)
        action = action_in(styles[state.actor], state, rng, answer.actions)
        after = state.apply(action)
        interpretations = [
            interpreter.step(
                interpretations[player], state, action, after, player, buckets.__getitem__
            )
            for player in range(2)
        ]
        assert all(abs(sum(one.chance for one in mine) - 1) < 1e-6 for mine in interpretations)
        state = after
        seen += 1
    return seen


def check(answer, state):
    """Different legal actions; rows of probabilities."""
    assert len(set(answer.actions)) == len(answer.actions)
    for action in answer.actions:
        assert state.is_legal(action), (state.betting, action)
    assert answer.probabilities.shape == (HANDS, len(answer.actions))
    assert (answer.probabilities >= 0).all(), state.betting
    assert np.abs(answer.probabilities.sum(axis=1) - 1).max() < 1e-5, state.betting


@pytest.mark.parametrize("name", GAMES)
@given(seed=st.integers(0, 2**63))
def test_every_answer_is_legal(name, seed):
    """Wars of smallest raises, tiny and huge bets, all-ins, and what the bot itself would do."""
    play_hand(reader_of(name), np.random.default_rng(seed))


@pytest.mark.parametrize("name", HOLDEM)
@given(seed=st.integers(0, 2**63))
def test_every_answer_is_legal_whatever_the_chips(name, seed):
    """Blinds of 1/2 or 37/74, 20 to 250 big blinds, unequal stacks, other caps on raises.

    The button in either seat; in limit games even stacks of one big blind.
    """
    rng = np.random.default_rng(seed)
    model = reader_of(name).model
    game = some_game(model.tree.game, rng)
    check_model_game(Path("model"), model.tree.game, game)
    play_hand(Interpreter(model, game), rng)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_a_million_answers_are_legal(part):
    """The same without shrinking, in each game by turns."""
    name = GAMES[part % len(GAMES)]
    rng, seen = np.random.default_rng(part), 0
    while seen < STATES // PARTS:
        seen += play_hand(reader_of(name), rng)


def test_a_war_of_smallest_raises_is_followed_to_its_end():
    """64 actions, far deeper than the tree."""
    interpreter, hands = reader_of("hunl"), lambda street: np.zeros(HANDS, np.int32)
    state = HandState.start(interpreter.game)
    while state.street == 0:
        answer = interpreter.answer(
            interpretations_of(interpreter, state, state.actor, hands), state, hands
        )
        check(answer, state)
        legal = state.raise_range()
        state = state.apply(wire.CALL if legal is None else wire.raise_to(legal[0]))
    assert len(state.betting) > 200
