"""A person's seat against a dealer made of the engine alone."""

from __future__ import annotations

import numpy as np
import pytest

from dealer.web.person import NotNow, PersonSeat
from engine.rules.dealing import DealStream
from engine.rules.state import HandState
from engine.rules.view import CardTexts
from engine.showdown.hand_values import hand_values
from protocol.errors import ProtocolError
from protocol.gamedefs import load_builtin
from protocol.handlog import parse_log_line
from protocol.matchstate import MatchState, format_match_state
from tests.helpers.random_logs import random_action

NAMES = ("me", "ann", "bob")


def message(texts, state, position, hand):
    """The line that the dealer sends to a position."""
    found = MatchState(position, hand, state.betting, texts.text(state, position))
    return format_match_state(found) + b"\r\n"


@pytest.mark.parametrize("name", ["hunl", "hulhe", "holdem.nolimit.3p", "kuhn"])
def test_a_match_is_played_from_what_the_page_is_told(name):
    """Each answer is the dealer's line with the action behind it, whatever the game."""
    game, random = load_builtin(name), np.random.default_rng(5)
    seat = PersonSeat(game, NAMES[: game.players])
    assert seat.connected() == b"VERSION:2.0.0\r\n"
    assert seat.situation() is None
    asked = 0
    for hand, deal in zip(range(30), DealStream(game, 3), strict=False):
        mine = -hand % game.players
        texts, state = CardTexts(game, deal), HandState.start(game)
        while not state.over:
            sent = message(texts, state, mine, hand)
            seat.receive(sent[:7])
            seat.receive(sent[7:])
            found = seat.situation()
            line = found["line"].split(":")
            assert (line[1], line[2], line[4]) == (str(hand), state.betting, "")
            assert found["position"] == mine
            assert line[5].split("|")[mine] == "me"
            action = random_action(state, random)
            if state.actor == mine:
                asked += 1
                turn = found["turn"]
                legal = {option["action"]: option for option in turn["legal"]}
                assert (turn["hand"], turn["to_call"]) == (hand, state.to_call)
                assert ("fold" in legal, "raise" in legal) == (state.can_fold, state.can_raise)
                if state.can_raise:
                    assert (legal["raise"]["min"], legal["raise"]["max"]) == state.raise_range()
                answer = seat.answer(found["line"], action.text)
                assert answer == sent.rstrip() + f":{action.text}\r\n".encode()
            else:
                assert found["turn"] is None
            state = state.apply(action)
        seat.receive(message(texts, state, mine, hand) * 2)
        assert seat.situation()["turn"] is None
        assert len(seat.finished) == seat.hands_over == hand + 1
        record = parse_log_line(seat.finished[-1])
        assert record.betting == state.betting
        won = hand_values(state, deal.holes, deal.board[: game.board_seen(state.street)])
        assert tuple(map(float, record.values)) == pytest.approx(won)
        hidden = [p for p in range(game.players) if not record.cards.split("/")[0].split("|")[p]]
        assert mine not in hidden
        assert all(state.folded[p] or not state.showdown for p in hidden)
    assert asked > 20
    assert record.names == tuple(NAMES[(p - mine) % game.players] for p in range(game.players))


@pytest.fixture
def asked():
    """A seat at a table for two that is asked, and the line it was shown."""
    seat = PersonSeat(load_builtin("hunl"), NAMES[:2])
    seat.connected()
    seat.receive(b"MATCHSTATE:1:0::|AhKd\r\n")
    return seat, seat.situation()["line"]


@pytest.mark.parametrize("action", ["", "x", "r", "r1", "r20001", "cc", "r300\r\nc", "\u0665"])
def test_what_the_rules_do_not_allow_is_not_sent(asked, action):
    """The question stays; the dealer would have put another action in its place."""
    seat, line = asked
    with pytest.raises(NotNow):
        seat.answer(line, action)
    assert seat.answer(line, "r300") == b"MATCHSTATE:1:0::|AhKd:r300\r\n"


def test_an_answer_counts_once_and_for_its_own_question(asked):
    """A page may be behind, and may be open twice."""
    seat, line = asked
    with pytest.raises(NotNow):
        seat.answer(line.replace("STATE:0", "STATE:1"), "c")
    assert seat.answer(line, "c")
    assert seat.situation()["turn"] is None
    with pytest.raises(NotNow):
        seat.answer(line, "c")


def test_another_game_is_no_dealer_of_ours(asked):
    """Its cards are told as an error of the protocol; nor are there more names than positions."""
    with pytest.raises(ValueError, match="3 names for 2 players"):
        PersonSeat(load_builtin("hunl"), NAMES)
    with pytest.raises(ProtocolError):
        asked[0].receive(b"MATCHSTATE:1:1::|AhKdQs\r\n")
