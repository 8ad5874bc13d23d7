"""Views read from a dealer's messages, and what is remembered between them."""

import numpy as np
import pytest

from engine.rules import view_reader
from engine.rules.state import HandState
from engine.rules.view import PlayerView
from engine.rules.view_reader import ViewReader, view_from_match_state
from protocol.errors import MalformedLine
from protocol.gamedef import parse_gamedef
from protocol.gamedefs import builtin_aliases, load_builtin
from protocol.matchstate import MatchState, parse_match_state
from tests.helpers.random_messages import random_messages

HUNL = load_builtin("hunl")
ALL_IN_BY_BLINDS = """GAMEDEF
nolimit
numPlayers = 2
numRounds = 4
stack = 50 50
blind = 50 50
firstPlayer = 2 1 1 1
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF
"""


@pytest.mark.parametrize("alias", builtin_aliases())
def test_views_are_those_of_the_rules_in_any_order(alias):
    """One reader for all seats and hands, in order and shuffled: always the view of the state."""
    game = load_builtin(alias)
    said = list(random_messages(game, 12, 5))
    shuffled = np.random.default_rng(1).permutation(len(said))
    reader = ViewReader(game)
    for state, deal, position, message in [*said, *(said[number] for number in shuffled)]:
        view = reader.view(message)
        assert view == PlayerView.of(state, deal, position, message.hand_id)
        assert view.history == state.history


def test_little_is_remembered_and_nothing_wrong(monkeypatch):
    """With room for three states the views are the same, and no more than three are kept."""
    monkeypatch.setattr(view_reader, "_MOST_STATES_KEPT", 3)
    reader = ViewReader(HUNL)
    for state, deal, position, message in random_messages(HUNL, 40, 9):
        assert reader.view(message) == PlayerView.of(state, deal, position, message.hand_id)
        assert len(reader._states) <= 3


def test_a_betting_text_is_played_once():
    """Later messages, of the hand or of another, share the states of the earlier ones."""
    reader = ViewReader(HUNL)
    before = reader.view(MatchState(1, 7, "cr300", "|2hAc"))
    after = reader.view(MatchState(1, 7, "cr300c/", "|2hAc/5sKs7s"))
    assert [action.text for _, action in after.history] == ["c", "r300", "c"]
    assert after.history[0] is before.history[0]
    assert after.history[2][0] is before.state
    assert reader.view(MatchState(0, 8, "cr300", "2hAc|")).state is before.state


def test_a_size_that_begins_like_another_is_another():
    """r300 was played; r3000 does not go on from it, nor r30 from anything."""
    reader = ViewReader(HUNL)
    reader.view(MatchState(1, 7, "cr300", "|2hAc"))
    longer = parse_match_state(b"MATCHSTATE:1:8:cr3000:|2hAc")
    assert reader.view(longer) == view_from_match_state(HUNL, longer)
    with pytest.raises(MalformedLine, match="must be to"):
        reader.view(MatchState(1, 7, "cr30", "|2hAc"))


REFUSED = {
    "position": (MatchState(2, 0, "", "7d3d|"), "no position 2"),
    "negative position": (MatchState(-1, 0, "", "7d3d|"), "no position -1"),
    "own cards hidden": (MatchState(0, 0, "", "|2hAc"), "cards do not fit the betting"),
    "board is missing": (MatchState(0, 0, "cc/", "7d3d|"), "cards do not fit the betting"),
    "board too soon": (MatchState(0, 0, "", "7d3d|/5sKs7s"), "cards do not fit the betting"),
    "one hole card": (MatchState(0, 0, "", "7d|"), "not 2 hole cards each"),
    "illegal raise": (MatchState(0, 0, "r1", "7d3d|"), "must be to 200..20000"),
    "three players": (MatchState(0, 0, "", "7d3d||"), "not cards of 2 positions"),
    "no betting": (MatchState(0, 0, "cx", "7d3d|"), "not betting"),
    "slash too many": (MatchState(0, 0, "cc//", "7d3d|/5sKs7s"), "should read 'cc/'"),
    "slash missing": (MatchState(0, 0, "ccc", "7d3d|/5sKs7s"), "should read 'cc/c'"),
    "slash first": (MatchState(0, 0, "/", "7d3d|"), "should read ''"),
    "after the end": (MatchState(0, 0, "ff", "7d3d|"), "the hand is over"),
    "hole card twice": (MatchState(0, 0, "", "7d7d|"), "7d is dealt twice"),
    "on the board, too": (MatchState(0, 0, "cc/", "7d3d|/5s3d7s"), "3d is dealt twice"),
}


@pytest.mark.parametrize("known", [False, True])
@pytest.mark.parametrize("name", REFUSED)
def test_messages_of_another_game_are_refused(name, known):
    """Whatever does not fit the game is malformed and says so, and what follows is read."""
    message, reason = REFUSED[name]
    reader = ViewReader(HUNL)
    right = [MatchState(0, 0, "", "7d3d|"), MatchState(0, 0, "cc/", "7d3d|/5sKs7s")]
    expected = [view_from_match_state(HUNL, one) for one in right]
    if known:
        assert [reader.view(one) for one in right] == expected
    with pytest.raises(MalformedLine) as caught:
        reader.view(message)
    assert reason in caught.value.reason
    assert [reader.view(one) for one in right] == expected


def test_cards_that_are_not_in_the_deck_are_refused():
    """Leduc has no queen of hearts but one of spades."""
    with pytest.raises(MalformedLine, match=r"\bQc\b"):
        view_from_match_state(load_builtin("leduc"), MatchState(0, 0, "", "Qc|"))


def test_a_hand_all_in_by_the_blinds_is_over():
    """The first state has all slashes, and no action before them."""
    game = parse_gamedef(ALL_IN_BY_BLINDS)
    message = MatchState(0, 3, "///", "7d3d|9c9d/5sKs7s/2c/2d")
    assert ViewReader(game).view(message).state == HandState.start(game)


def test_the_longest_betting_text_is_no_trouble():
    """As many actions as fit into a line: refused in words, not by running out of stack."""
    with pytest.raises(MalformedLine):
        ViewReader(HUNL).view(MatchState(0, 0, "c" * 4000, "7d3d|"))


def test_ever_new_texts_cost_time_not_memory(monkeypatch):
    """States on the way to those that are remembered count, too: here 62 for each text."""
    monkeypatch.setattr(view_reader, "_MOST_STATES_KEPT", 500)
    reader = ViewReader(HUNL)
    raises = "".join(f"r{total}" for total in range(200, 6200, 100))
    for size in range(6200, 6300):
        reader.view(MatchState(0, 1, f"{raises}r{size}", "7d3d|"))
        states = [state for kept in reader._states.values() for state, _ in kept.history]
        assert len(set(map(id, states))) + len(reader._states) <= 500
    assert len(reader._states) > 1
