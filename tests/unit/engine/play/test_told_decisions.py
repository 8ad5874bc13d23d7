"""What a program is told of a hand is what its player may know, and enough to play it again."""

import pytest

from engine.play.told_decisions import decision_told, finished_hand_told
from engine.rules.state import HandState
from engine.rules.view import PlayerView
from engine.showdown.hand_values import hand_values
from protocol.actions import CALL, FOLD, RAISE, Action
from protocol.gamedefs import builtin_aliases, load_builtin
from tests.helpers.random_messages import random_messages


def played_again(game, betting):
    """Return the state that told steps lead to, by the words alone."""
    state = HandState.start(game)
    for street, position, word, to in betting:
        assert (street, position) == (state.street, state.actor)
        assert word != "check" or state.to_call == 0
        assert word != "call" or state.to_call > 0
        if word == "raise":
            if not game.no_limit:
                assert state.raise_range() == (to, to)
            state = state.apply(Action("r", to) if game.no_limit else RAISE)
        else:
            assert to == 0
            state = state.apply(FOLD if word == "fold" else CALL)
    return state


@pytest.mark.parametrize("alias", builtin_aliases())
def test_what_is_told_leads_to_the_same_state(alias):
    """The betting by words, the pot, the stacks and what is legal, in every game."""
    game = load_builtin(alias)
    decisions = ends = 0
    for state, deal, position, message in random_messages(game, 60, 1):
        view = PlayerView.of(state, deal, position, message.hand_id)
        if view.my_turn:
            asked = decision_told(view)
            assert played_again(game, asked.betting) == state
            assert (asked.hand_id, asked.position) == (message.hand_id, position)
            assert (asked.hole, asked.board) == (deal.holes[position], view.board)
            assert sum(asked.stacks) + asked.pot == sum(game.stacks)
            assert asked.raises == state.raise_range()
            assert (asked.to_call, asked.can_fold) == (state.to_call, state.can_fold)
            decisions += 1
        elif state.over:
            hand = finished_hand_told(view)
            assert played_again(game, hand.betting) == state
            assert hand.holes == view.shown
            assert hand.won == hand_values(state, deal.holes, deal.board)
            ends += 1
    assert decisions > 50
    assert ends == 60 * game.players
