"""Whatever a client of Slumbot's sends, it is one action of its own or none."""

import re

from hypothesis import given
from hypothesis import strategies as st

from engine.play.told_decisions import decision_told
from engine.rules.state import HandState
from engine.rules.view import PlayerView
from protocol.actions import CALL, FOLD, raise_to
from protocol.errors import WrongAnswer
from protocol.gamedefs import load_builtin
from protocol.slumbot import open_betting, read_increment
from tests.helpers.slumbot_client import Betting

GAME = load_builtin("hunl")
INCREMENTS = st.one_of(
    st.sampled_from("kcf"),
    st.from_regex(r"b[0-9]{1,6}", fullmatch=True),
    st.from_regex(r"(?:b[0-9]{1,20}|[kcf/]){2,5}", fullmatch=True),
    st.text(max_size=8),
)


def asked(state):
    """What the player to act is asked."""
    hole = ((0, 1), (2, 3))
    board = tuple(range(10, 10 + GAME.board_seen(state.street)))
    shown = tuple(cards if number == state.actor else () for number, cards in enumerate(hole))
    return decision_told(PlayerView(state, 0, state.actor, shown, board))


@given(st.lists(INCREMENTS, max_size=30), st.data())
def test_an_increment_is_one_action_of_its_sender_or_none(texts, data):
    """The betting grows by what was sent and nothing else, and the other player is not moved."""
    state = HandState.start(GAME)
    for text in texts:
        before = open_betting(asked(state).betting, state.street)
        assert Betting(before).actor == state.actor
        try:
            action = read_increment(text, asked(state))
        except WrongAnswer:
            text = data.draw(st.sampled_from("kcf" if not state.can_fold else "cf"))
            if not state.can_fold:
                text = "k"
            action = read_increment(text, asked(state))
        made = {"fold": FOLD, "call": CALL, "check": CALL}.get(action.word)
        after = state.apply(made or raise_to(action.to))
        assert len(after.history) == len(state.history) + 1
        assert after.history[-1].facts.actor == state.actor
        if after.over:
            return
        grown = open_betting(asked(after).betting, after.street)
        assert re.fullmatch(re.escape(before + text) + "/?", grown)
        state = after


@given(st.text(max_size=12))
def test_several_actions_in_a_row_are_none(text):
    """However they are put together."""
    question = asked(HandState.start(GAME))
    for joined in (f"c{text}c", f"b200{text}b400", f"{text}cc"):
        try:
            action = read_increment(joined, question)
        except WrongAnswer:
            continue
        assert re.fullmatch("b[1-9][0-9]{0,8}", joined, re.ASCII), (joined, action)
