"""Scripts act legally in any hand."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engine.evaluation.blind_scripts import BLIND_SCRIPTS, parse_script
from engine.rules.state import HandState
from protocol.gamedefs import load_builtin
from tests.helpers.blueprints import random_action

GAMES = [load_builtin(name) for name in ("hunl", "hulhe")]
WORDS = st.one_of(
    st.sampled_from(["C", "F"]),
    st.builds(
        "{}{}".format,
        st.one_of(st.sampled_from("ma"), st.integers(1, 99999)),
        st.sampled_from(["", "f", "w"]),
    ),
)


@given(
    words=st.lists(WORDS, min_size=1, max_size=4),
    game=st.sampled_from(GAMES),
    seed=st.integers(0, 2**32),
    share=st.floats(0, 1),
)
def test_every_action_is_legal(words, game, seed, share):
    """In its own seat of a hand against somebody who does anything, and where it would never be."""
    script, rng = parse_script(",".join(words)), np.random.default_rng(seed)
    state = HandState.start(game)
    while not state.over:
        action = script.action(state)
        assert state.is_legal(action), (script.name, state.betting)
        state = state.apply(action if rng.random() < share else random_action(state, rng))


@given(first=st.sampled_from(BLIND_SCRIPTS), second=st.sampled_from(BLIND_SCRIPTS))
def test_two_scripts_end_their_hand(first, second):
    """Even wars of the smallest raises."""
    for game in GAMES:
        state = HandState.start(game)
        while not state.over:
            state = state.apply((first, second)[state.actor].action(state))
        assert sum(state.spent) <= 2 * game.stacks[0]
