"""Three versions of the betting rules must agree: the value, the compiled row and the oracle."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import IllegalAction
from engine.rules import fast_state as fast
from engine.rules.packed_game import pack_game
from engine.rules.state import HandState
from protocol.actions import Action
from tests.helpers.rules_strategies import MOVES, games, size_of
from tests.oracles import betting as oracle


def row_of(state):
    """The row that fast_state should have reached."""
    game = state.game
    row = np.zeros(fast.HAND_WIDTH, np.int64)
    row[fast.STREET] = state.street
    row[fast.ACTOR] = state.actor
    row[fast.TO_MATCH] = state.to_match
    row[fast.MIN_RAISE_TO] = state.min_raise_to
    row[fast.RAISES] = state.raises
    row[fast.ACTIONS] = state.actions
    row[fast.SETTLED] = state.settled
    row[fast.TAKEN] = sum(letter in "fcr" for letter in state.betting)
    row[fast.ABLE] = sum(
        not out and chips < stack
        for out, chips, stack in zip(state.folded, state.spent, game.stacks, strict=True)
    )
    row[fast.STAYING] = state.folded.count(False)
    row[fast.SPENT : fast.SPENT + game.players] = state.spent
    row[fast.FOLDED : fast.FOLDED + game.players] = state.folded
    return row


def assert_same_row(hand, state):
    """Compare all columns; ACTED_ON has no field of its own in HandState."""
    want = row_of(state)
    want[fast.ACTED_ON] = state.betting.rstrip("/").count("/") if state.over else 0
    got = hand.copy()
    if not state.over:
        got[fast.ACTED_ON] = 0
    assert got.tolist() == want.tolist()
    assert fast.is_over(hand) == state.over
    assert fast.is_showdown(hand) == state.showdown
    assert fast.can_fold(hand) == state.can_fold
    smallest, largest = fast.raise_range(pack_game(state.game), hand)
    assert (None if smallest > largest else (smallest, largest)) == state.raise_range()


@given(games(), MOVES)
def test_compiled_rules_equal_hand_state(game, moves):
    """Legal and illegal actions leave the same trace in every field."""
    packed = pack_game(game)
    hand = np.empty(fast.HAND_WIDTH, np.int64)
    fast.start(packed, hand)
    state = HandState.start(game)
    assert_same_row(hand, state)
    for letter, where in moves:
        size = size_of(where, state.raise_range())
        legal = fast.act(packed, hand, ord(letter), size)
        try:
            state = state.apply(Action(letter, size))
        except IllegalAction:
            assert not legal
        else:
            assert legal
        assert_same_row(hand, state)


@given(games(), MOVES)
def test_hand_state_equals_the_recounting_oracle(game, moves):
    """Keeping running totals gives what recounting all actions gives."""
    state = HandState.start(game)
    hand = oracle.Hand(game)
    for letter, where in moves:
        assert state.over == hand.over()
        if not state.over:
            spent, bet, smallest, folded = hand.chips()
            assert state.actor == hand.actor()
            assert list(state.spent) == spent
            assert state.to_match == bet
            assert state.min_raise_to == smallest
            assert {p for p, out in enumerate(state.folded) if out} == folded
            assert state.street == len(hand.streets) - 1
        assert state.raise_range() == hand.raise_range()
        assert state.betting == hand.betting()
        size = size_of(where, state.raise_range())
        try:
            state = state.apply(Action(letter, size))
        except IllegalAction:
            with pytest.raises(oracle.Illegal):
                hand.act(letter, size)
        else:
            hand.act(letter, size)


@given(games(), MOVES)
def test_every_hand_keeps_its_chips_and_ends(game, moves):
    """Contributions never shrink or exceed a stack, and calling ends any hand."""
    state = HandState.start(game)
    for letter, where in moves:
        before = state
        action = Action(letter, size_of(where, state.raise_range()))
        if state.is_legal(action):
            state = state.apply(action)
        assert all(a <= b for a, b in zip(before.spent, state.spent, strict=True))
        assert all(a <= b for a, b in zip(state.spent, game.stacks, strict=True))
        assert max(state.spent) == state.to_match
    for _ in range(game.players * game.streets):
        if not state.over:
            state = state.apply(Action("c"))
    assert state.over
    assert state.betting.count("/") == (game.streets - 1 if state.showdown else state.street)


@given(games(), MOVES, st.booleans())
def test_text_reads_back_to_the_same_state(game, moves, finish):
    """The bytes of a betting text lead where its actions led, in a log of several hands."""
    state = HandState.start(game)
    for letter, where in moves:
        action = Action(letter, size_of(where, state.raise_range()))
        if state.is_legal(action):
            state = state.apply(action)
    while finish and not state.over:
        state = state.apply(Action("c"))
    text = state.betting.encode()
    first, second = 1, len(text) + 2
    stops = [first + len(text), second + len(text)]
    read = fast.replay(game, b"x" + text + b":" + text, [first, second], stops)
    assert read.status.tolist() == [fast.READ, fast.READ]
    assert read.stopped_at.tolist() == stops
    assert_same_row(read.hands[0], state)
    assert_same_row(read.hands[1], state)
