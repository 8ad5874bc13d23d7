"""Hands as states of PokerKit, and back: actions, pots and payoffs are the same in both."""

from contextlib import suppress
from dataclasses import replace
from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.bridges.libraries import MissingLibrary, library
from agents.bridges.pokerkit_states import from_pokerkit, to_pokerkit
from engine.errors import IllegalAction, InvalidGame
from engine.rules.dealing import DealStream
from engine.rules.state import HandState
from engine.rules.view import PlayerView, replay_betting
from engine.showdown.hand_values import hand_values
from protocol.actions import CALL, FOLD, RAISE, raise_to
from protocol.cards import parse_cards
from protocol.gamedefs import load_builtin

try:
    pokerkit = library("pokerkit")
except MissingLibrary:
    pytest.skip("PokerKit is not installed", allow_module_level=True)

NO_LIMIT = ["hunl", "nolimit3", "nolimit6"]
LIMIT = ["hulhe", "limit3"]
load = cache(load_builtin)


@st.composite
def hands(draw, *, equal_stacks):
    """Return all states of a hand from its first, and its cards."""
    game = load(draw(st.sampled_from([*NO_LIMIT, *LIMIT] if equal_stacks else NO_LIMIT)))
    if game.no_limit:
        sizes = st.integers(game.big_blind, 40 * game.big_blind)
        stacks = [draw(sizes)] * game.players
        if not equal_stacks:
            stacks = [draw(sizes) for _ in stacks]
        game = replace(game, stacks=tuple(stacks))
    states = [HandState.start(game)]
    while not (state := states[-1]).over:
        ways = [CALL] * 2 + [FOLD] * state.can_fold
        if legal := state.raise_range():
            low, high = legal
            ways += [raise_to(draw(st.integers(low, high)))] * 2 if game.no_limit else [RAISE] * 2
        states.append(state.apply(draw(st.sampled_from(ways))))
    return states, next(DealStream(game, draw(st.integers(0, 2**32 - 1))))


def legal_at(found, state):
    """Whether PokerKit lets the actor fold, and between which totals over the hand it may raise."""
    earlier = state.spent[state.actor] - found.bets[state.actor]
    low = found.min_completion_betting_or_raising_to_amount
    high = found.max_completion_betting_or_raising_to_amount
    return found.can_fold(), None if low is None else (low + earlier, high + earlier)


def assert_same(state, deal):
    """Compare a state with its twin, and with what comes back of that."""
    found = to_pokerkit(state, deal.holes, deal.board)
    back = from_pokerkit(found)
    assert back.state == state
    assert back.holes == deal.holes
    assert back.board == deal.board[: len(back.board)]
    if state.over:
        assert not found.status
        values = hand_values(state, deal.holes, deal.board)
        assert list(map(float, found.payoffs)) == pytest.approx(values, abs=1e-6)
        assert sum(found.payoffs) == 0
    elif found.actor_index is None:  # nobody is left to bet with, so the check is not asked for
        assert state.to_call == 0
        assert not state.can_raise
    else:
        assert found.actor_index == state.actor
        assert len(back.board) == state.game.board_seen(state.street)
        assert sum(found.pot_amounts) + sum(found.bets) == state.pot
        assert found.checking_or_calling_amount == state.to_call
        assert legal_at(found, state) == (state.can_fold, state.raise_range())


@given(hands(equal_stacks=True))
def test_hands_between_equal_stacks_are_the_same(hand):
    """For two to six, limit and no-limit, state by state."""
    states, deal = hand
    for state in states:
        assert_same(state, deal)


def answered_by_nobody(state):
    """Whether all others have at most what there is to match, so that no raise wins more."""
    stacks, actor = state.game.stacks, state.actor
    staying = [one for one, out in enumerate(state.folded) if not out and one != actor]
    return max(stacks[one] for one in staying) <= state.to_match


@given(hands(equal_stacks=False))
def test_hands_between_any_stacks_are_the_same_or_refused(hand):
    """For two always; for more, all is equal up to a raise that is no full one or asks nobody."""
    states, deal = hand
    for state, after in pairwise(states):
        if state.game.players > 2 and answered_by_nobody(state):
            break
        assert_same(state, deal)
        if state.game.players > 2 and state.to_match < after.to_match < state.min_raise_to:
            break
    else:
        assert_same(states[-1], deal)
    with suppress(IllegalAction):
        found = to_pokerkit(states[-1], deal.holes, deal.board)
        values = hand_values(states[-1], deal.holes, deal.board)
        assert list(map(float, found.payoffs)) == pytest.approx(values, abs=1e-6)


def test_an_action_that_pokerkit_lacks_is_named():
    """With what came before it: a second raise over an all-in that was no full one."""
    game = replace(load("nolimit3"), stacks=(1500, 20000, 20000))
    state = replay_betting(game, "r1000r1500cr3000c/cc/cc/cc")
    deal = next(DealStream(game, 1))
    with pytest.raises(IllegalAction, match=r"r1000r1500c: r3000: not in PokerKit: "):
        to_pokerkit(state, deal.holes, deal.board)


def test_a_player_s_view_can_be_handed_over():
    """With cards that are not known."""
    game = load("hunl")
    deal, state = next(DealStream(game, 1)), replay_betting(game, "cr300c/r600")
    view = PlayerView.of(state, deal, 0)
    found = to_pokerkit(state, view.shown, view.board)
    back = from_pokerkit(found)
    assert back == (state, view.shown, view.board)
    assert found.can_fold()


def test_hands_of_pokerkit_s_own_making_are_read():
    """With its automations, cards dealt and burned by itself."""
    every = tuple(pokerkit.Automation)
    found = pokerkit.NoLimitTexasHoldem.create_state(
        every, True, 0, (50, 100), 100, (5000, 20000, 7000), 3
    )
    found.complete_bet_or_raise_to(300)
    found.check_or_call()
    found.fold()
    found.complete_bet_or_raise_to(500)
    found.check_or_call()
    back = from_pokerkit(found)
    assert back.state.betting == "r300cf/r800c/"
    assert back.state.game.stacks == (5000, 20000, 7000)
    for staying in (0, 2):
        cards = "".join(map(repr, found.hole_cards[staying]))
        assert back.holes[staying] == parse_cards(cards)
    assert len(back.board) == 4


def created(kind, **changed):
    """A hand for three of a game of PokerKit."""
    named = {
        "raw_antes": 0,
        "raw_blinds_or_straddles": (1, 2),
        "min_bet": 2,
        "raw_starting_stacks": 200,
        **changed,
    }
    return getattr(pokerkit, kind).create_state((), True, player_count=3, **named)


@pytest.mark.parametrize(
    ("kind", "changed", "words"),
    [
        ("PotLimitOmahaHoldem", {}, "not of hold'em"),
        ("NoLimitTexasHoldem", {"raw_antes": 1}, "antes"),
        ("NoLimitTexasHoldem", {"starting_board_count": 2}, "several boards"),
        ("NoLimitTexasHoldem", {"min_bet": 4}, "smallest bet is not the big blind"),
        ("NoLimitTexasHoldem", {"raw_blinds_or_straddles": (0.5, 1)}, "0.5 chips.* whole"),
    ],
)
def test_games_that_are_not_ours_are_refused(kind, changed, words):
    """By what is in them."""
    with pytest.raises(InvalidGame, match=words):
        from_pokerkit(created(kind, **changed))


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_our_games_that_are_not_hold_em_are_refused(name):
    """PokerKit's Kuhn poker has antes, ours has blinds; it has no Leduc."""
    with pytest.raises(InvalidGame, match="of hold'em"):
        to_pokerkit(HandState.start(load(name)), ((), ()), ())
