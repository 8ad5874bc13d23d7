"""Hands of OpenSpiel and ours side by side: legal actions, states and payoffs."""

import pytest

from agents.bridges.spiel_games import CALL_CODE, FOLD_CODE, POT_CODE, spiel_card
from engine.rules.state import HandState
from engine.showdown.hand_values import hand_values


def assert_same_hand(spiel_game, played, deal):
    """Play a finished hand of ours in OpenSpiel; all that both tell of it must be equal.

    Where the betting is that of `fullgame` or a limit game.
    """
    game = played.game
    state, ours = spiel_game.new_initial_state(), HandState.start(game)
    cards = iter([card for hole in deal.holes for card in hole] + list(deal.board))
    actions = iter([action for _, action in played.history])
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(spiel_card(game, next(cards)))
            continue
        assert state.current_player() == ours.actor
        legal = ours.raise_range()
        sizes = range(legal[0], legal[1] + 1) if legal else []
        raises = list(sizes) if game.no_limit else [POT_CODE] * len(sizes)
        assert state.legal_actions() == [FOLD_CODE] * ours.can_fold + [CALL_CODE] + raises
        action = next(actions)
        codes = {"f": FOLD_CODE, "c": CALL_CODE, "r": action.raise_to or POT_CODE}
        state.apply_action(codes[action.kind])
        ours = ours.apply(action)
        assert f"STATE:0:{ours.betting.rstrip('/')}" in str(state)
    assert ours == played
    values = hand_values(played, deal.holes, deal.board)
    assert state.returns() == pytest.approx(values, abs=1e-9)
