"""AIVAT's mean is the game's value, to the last digit, whoever is known and whatever is guessed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.aivat.equity_values import CHECKED_DOWN
from engine.aivat.estimate import Aivat, NotItsStrategy
from engine.aivat.hands import HoldemHands, hands_of
from engine.betting.policy import Strategy
from engine.errors import InvalidGame
from engine.evaluation.simple_policies import CallPolicy, FoldPolicy
from engine.hands.cards import COMBO_CARDS, COMBOS
from engine.rules.view import replay_betting
from engine.showdown.hand_values import hand_values
from protocol.betting import parse_actions
from protocol.cards import parse_card
from protocol.gamedefs import load_builtin
from protocol.matchstate import parse_card_text
from tests.unit.engine.aivat.small_games import OneCardHands, RandomStrategy, RandomValues, all_ends

WHO = ((), (0,), (1,), (0, 1))


CASES = [
    *((name, who, ()) for name in ("kuhn", "leduc") for who in WHO),
    ("kuhn", (0, 1), (1,)),
    ("leduc", (0, 1), (0,)),
    ("leduc", (1,), (1,)),
]
"""Game, who is known, and of whom for its own hand only."""


@pytest.mark.parametrize(("name", "who", "own"), CASES, ids=str)
def test_the_mean_over_all_that_can_happen_is_the_value_of_the_game(name, who, own):
    """For strategies and values drawn at random; all deals, cards and actions are counted."""
    game = load_builtin(name)
    policies = {position: RandomStrategy(game, position) for position in range(2)}
    aivat = Aivat(game, OneCardHands(game), RandomValues(game, 5))
    known = {position: policies[position] for position in who}
    value = mean = total = 0.0
    spread = 0.0
    for end in all_ends(game, policies):
        chips = hand_values(end.state, end.holes, end.board)[0]
        estimate = aivat.estimate(end.state, end.holes, end.board, known, with_own_hand=own)
        assert estimate.value == pytest.approx(
            estimate.end + estimate.deal + estimate.board + estimate.actions
        )
        total += end.chance
        value += end.chance * chips
        mean += end.chance * estimate.value
        spread += end.chance * abs(estimate.value - chips)
    assert total == pytest.approx(1, abs=1e-9)
    assert mean == pytest.approx(value, abs=1e-9)
    assert spread > 0.5  # they are corrected, and by no little


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_single_cards_meet_as_counted_one_by_one(name):
    """On every board and before it, for any weights."""
    game = load_builtin(name)
    hands, slow = hands_of(game), OneCardHands(game)
    rng = np.random.default_rng(4)
    assert hands.size == slow.size
    assert [hands.number((card,)) for card in slow.deck] == list(range(hands.size))
    for board in ((), *((card,) for card in game.deck if game.board_total)):
        live = hands.unblocked(board)
        assert live.tolist() == slow.unblocked(board).tolist()
        weights = rng.random(hands.size) * live
        assert hands.met(weights) == pytest.approx(slow.met(weights))
        assert hands.shown(weights, board)[live] == pytest.approx(slow.shown(weights, board)[live])


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_checked_down_values_are_unbiased_in_small_games(name):
    """As the command estimates them: the mean of the estimates is the value of the game."""
    game = load_builtin(name)
    policies = {position: RandomStrategy(game, position) for position in range(2)}
    aivat = Aivat(game, hands_of(game), CHECKED_DOWN)
    value = mean = 0.0
    for end in all_ends(game, policies):
        value += end.chance * hand_values(end.state, end.holes, end.board)[0]
        mean += end.chance * aivat.estimate(end.state, end.holes, end.board, policies).value
    assert mean == pytest.approx(value, abs=1e-9)


def test_hands_of_other_games_are_refused():
    """Three players, lists of their own, two cards of a small deck."""
    for name in ("limit3", "kuhn3", "fixed-queen"):
        with pytest.raises(InvalidGame):
            hands_of(load_builtin(name))
    with pytest.raises(InvalidGame, match="one private card"):
        hands_of(replace(load_builtin("leduc"), hole_cards=2))
    assert isinstance(hands_of(HUNL, 1), HoldemHands)


class PerfectValues(RandomValues):
    """What two strategies really win from a place on, counted by going through all that follows."""

    digest = "perfect"

    def __init__(self, game, policies) -> None:
        super().__init__(game, 0)
        self._policies = policies
        self._counted = {}

    def _pairs(self, state, board):
        size = len(self._deck)
        key = (state.betting, board)
        if key not in self._counted:
            found = np.zeros((size, size))
            for own in range(size):
                for other in range(size):
                    held = (self._deck[own],), (self._deck[other],)
                    if own != other and not {*held[0], *held[1]} & set(board):
                        found[own, other] = self._value(state, held, board)
            self._counted[key] = found
        return self._counted[key]

    def _value(self, state, holes, board):
        if state.over and not state.showdown:
            return hand_values(state, holes, board)[0]
        if len(board) < self._game.board_seen(state.street):
            left = [c for c in self._deck if c not in (*holes[0], *holes[1], *board)]
            return np.mean([self._value(state, holes, (*board, c)) for c in left])
        if state.over:
            return hand_values(state, holes, board)[0]
        strategy = self._policies[state.actor].strategy(state, board)
        row = strategy.probabilities[self._deck.index(holes[state.actor][0])]
        return sum(
            share * self._value(state.apply(action), holes, board)
            for action, share in zip(strategy.actions, row, strict=True)
            if share
        )


def test_with_perfect_values_and_both_known_nothing_is_left_to_luck():
    """Every hand of Leduc is then worth the value of the game."""
    game = load_builtin("leduc")
    policies = {position: RandomStrategy(game, position) for position in range(2)}
    aivat = Aivat(game, OneCardHands(game), PerfectValues(game, policies))
    ends = list(all_ends(game, policies))
    value = sum(e.chance * hand_values(e.state, e.holes, e.board)[0] for e in ends)
    for end in ends[::297]:
        estimate = aivat.estimate(end.state, end.holes, end.board, policies)
        assert estimate.value == pytest.approx(value, abs=1e-9)


HUNL = load_builtin("hunl")


def _estimate(betting, cards, known, values=CHECKED_DOWN):
    end = replay_betting(HUNL, betting)
    shown = parse_card_text(cards, HUNL)
    return Aivat(HUNL, HoldemHands(), values).estimate(end, shown.holes, shown.board, known)


def test_two_that_never_look_at_their_cards_are_worth_nothing():
    """Always calling against always calling: whatever comes, the estimate is 0."""
    both = {0: CallPolicy(), 1: CallPolicy()}
    estimate = _estimate("cc/cc/cc/cc", "AsAh|2c7d/9h4d2h/Jc/3s", both)
    assert estimate.value == pytest.approx(0, abs=1e-9)


def test_an_all_in_before_the_flop_is_worth_its_equity():
    """With nobody known: what luck the deal and the board were is taken out."""
    estimate = _estimate("r20000c///", "AsAh|KsKh/9h4d2h/Jc/3s", {})
    # Aces win 82.6 % from kings of the same suits; with the checked-down guess the deal takes out
    # the 0.65 that they are better before anything is bet, at stakes of 100.
    edge = 2 * 0.8264 - 1
    assert estimate.end == pytest.approx(20000 * edge, rel=2e-3)
    assert estimate.board == 0
    assert estimate.deal == pytest.approx(-100 * edge, rel=2e-3)


def test_an_action_that_a_known_player_never_takes_is_refused():
    """It is another player, then."""
    with pytest.raises(NotItsStrategy, match="'c' at 'r300'"):
        _estimate("r300c/cc/cc/cc", "AsAh|2c7d/9h4d2h/Jc/3s", {0: FoldPolicy()})


class Jam:
    """Goes all-in with its good hands only, and counts how often it is asked."""

    asked = 0

    def strategy(self, state, board):
        self.asked += 1
        shares = np.zeros((COMBOS, 2), np.float32)
        shares[:, 1] = COMBO_CARDS.min(axis=1) >= parse_card("Ts")
        shares[:, 0] = 1 - shares[:, 1]
        return Strategy(tuple(parse_actions("cr20000")), shares)


def test_what_is_known_from_the_betting_alone_is_asked_once():
    """Of two known players, before the board; each still has to hold cards that it plays so."""
    jam, call = Jam(), CallPolicy()
    aivat = Aivat(HUNL, HoldemHands(), CHECKED_DOWN)
    end = replay_betting(HUNL, "r20000c///")

    def estimate(cards, known, aivat=aivat):
        shown = parse_card_text(cards, HUNL)
        return aivat.estimate(end, shown.holes, shown.board, known)

    held = "AsAh|KsKh/9h4d2h/Jc/3s"
    first = estimate(held, {0: call, 1: jam})
    assert estimate(held, {1: jam, 0: call}) == first
    assert jam.asked == 1
    with pytest.raises(NotItsStrategy, match="never plays 'r20000'"):
        estimate("AsAh|2c7d/9h4d2h/Jc/3s", {0: call, 1: jam})
    assert jam.asked == 1
    assert estimate(held, {1: jam}) != first
    assert jam.asked == 2
    fresh = Aivat(HUNL, HoldemHands(), CHECKED_DOWN)
    assert estimate(held, {0: call, 1: Jam()}, fresh) == first


class Narrow:
    """Answers for four hands."""

    def strategy(self, state, board):
        return Strategy(CallPolicy().strategy(state, board).actions, np.ones((4, 1)))


@pytest.mark.parametrize(
    ("estimate", "message"),
    [
        (
            lambda: _estimate("cc/cc/cc/cc", "AsAh|2c7d/9h4d2h/Jc/3s", {0: Narrow()}),
            r"want \(1326, 1\) probabilities",
        ),
        (lambda: _estimate("r300", "AsAh|2c7d", {}), "still to act"),
        (lambda: Aivat(load_builtin("nolimit3"), HoldemHands(), CHECKED_DOWN), "two players"),
    ],
)
def test_what_cannot_be_estimated_is_refused(estimate, message):
    """A strategy of other hands, a hand that is not over, a game of three."""
    with pytest.raises(ValueError, match=message):
        estimate()
