"""No script that looks at no card wins from the blueprint that comes along."""

from dataclasses import replace

import numpy as np
import pytest

from agents.blueprint_model.policy import policy_for
from engine.evaluation.blind_scripts import parse_script
from engine.evaluation.board_matches import sample_board
from engine.evaluation.exact_match import ExactMatch
from protocol.gamedefs import load_builtin

SEED = 3
SCRIPTS = (
    *("m", "mf", "mw", "100f", "100w", "200f", "300", "300f", "500f", "a"),
    *("C,200f", "C,300f", "C,500f", "C,a", "C,C,300f"),
)


@pytest.fixture(scope="module")
def policy():
    """That of no-limit hold'em."""
    return policy_for(load_builtin("hunl"))


@pytest.mark.parametrize("boards", [2, pytest.param(40, marks=pytest.mark.slow)])
@pytest.mark.parametrize("text", SCRIPTS)
def test_no_script_wins(policy, text, boards):
    """On the mean of a few boards, on which six of these won when overbets were read by chips.

    200 and 300 % of the pot won more than a big blind a hand then.
    """
    match = ExactMatch(policy.game, parse_script(text), policy)
    values = [match.value(sample_board(SEED, number).tolist()) for number in range(boards)]
    assert np.mean(values) < 0


@pytest.mark.parametrize("boards", [8, pytest.param(40, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("big_blinds", "text"),
    [
        (28, "ar,F,25rf,75f/500w,300fo,F"),
        (32, "ar,F,25rf,75f/500w,300fo,F"),
        (42, "ar,F,25rf,75f/500w,300fo,F"),
        (84, "500w,150w,75f,F/300w,afo,F"),
        (167, "500w,150w,75f,F/300w,afo,F"),
    ],
)
def test_no_script_wins_where_the_next_model_begins(big_blinds, text, boards):
    """The first won 150 at 32 big blinds, on 40 boards, when the model for 50 played there."""
    game = replace(load_builtin("hunl"), stacks=(100 * big_blinds,) * 2)
    match = ExactMatch(game, parse_script(text), policy_for(game))
    values = [match.value(sample_board(SEED, number).tolist()) for number in range(boards)]
    assert np.mean(values) < 0
