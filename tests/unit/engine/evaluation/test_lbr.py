"""Local best response: what it reckons, what it does when actions are equal, what it believes."""

import dataclasses

import numpy as np
import pytest

from engine.betting.policy import Strategy
from engine.errors import InvalidGame
from engine.evaluation.lbr import (
    LocalBestResponse,
    belief_after_action,
    belief_after_cards,
    first_belief,
)
from engine.evaluation.lbr_rollouts import chances
from engine.evaluation.lbr_settings import parse_lbr_settings
from engine.evaluation.simple_policies import CallPolicy, FoldPolicy, TablePolicy
from engine.hands.cards import COMBOS, card_bits, live_combos, parse_combo
from engine.play.simulate import play_hand
from engine.rules.dealing import Deal
from engine.rules.view import PlayerView, replay_betting
from protocol.actions import CALL, FOLD, raise_to
from protocol.cards import parse_cards
from protocol.gamedefs import load_builtin

HUNL = load_builtin("hunl")
BOARD = parse_cards("2c7d9hJsKs")
HOLE = parse_cards("QdQc")
WEAKER, STRONGER = parse_combo("5d4c"), parse_combo("AhKd")


def lbr(policy, options, game=HUNL):
    """LBR with one word of options."""
    return LocalBestResponse(policy, game, parse_lbr_settings(options))


def belief_of(**weights):
    """Weights of WEAKER and STRONGER."""
    belief = np.zeros(COMBOS)
    belief[WEAKER], belief[STRONGER] = weights["weaker"], weights["stronger"]
    return belief


def decide(player, betting, belief, game=HUNL):
    """LBR's choice with QdQc on the river."""
    state = replay_betting(game, betting)
    return player.choose(state, BOARD, belief, chances(HOLE, BOARD))


def only(combo, action, other):
    """A row of a table: one combo does `action`, all others do `other`."""
    share = np.zeros(COMBOS, np.float32)
    share[combo] = 1
    return {action: share, other: 1 - share}


@pytest.mark.parametrize(
    ("caller", "options", "betting", "weaker", "values", "action"),
    [
        # Pot 400, 200 to call, ahead of a quarter: .25 * 400 - .75 * 200 = -50, so it folds
        (None, "FC", "cc/cc/cc/r300", 0.25, (-50, 0), FOLD),
        # The weaker hand folds to a pot bet, the stronger calls: .75 * 200 - .25 * 200 = 100
        (STRONGER, "FCP", "cc/cc/cc/", 0.75, (150, 100), CALL),
        # Only the weaker hand calls: the bet wins 200 from it and the pot from the other
        (WEAKER, "FCP", "cc/cc/cc/", 0.75, (150, 0.25 * 200 + 0.75 * 400), raise_to(300)),
    ],
)
def test_what_actions_are_worth(caller, options, betting, weaker, values, action):
    """A call its share of the pot; a raise also what those who fold leave."""
    policy = CallPolicy()
    if caller is not None:
        policy = TablePolicy({"cc/cc/cc/r300": only(caller, CALL, FOLD)})
    choice = decide(lbr(policy, options), betting, belief_of(weaker=weaker, stronger=1 - weaker))
    assert choice.values == pytest.approx(values)
    assert choice.action == action


@pytest.mark.parametrize(("stack", "bet"), [(500, 500), (150, 200)])
def test_chips_that_cannot_be_matched_are_in_no_pot(stack, bet):
    """A stack of 20000 bets all a shorter one has left, or as little as it may: that much more."""
    short = dataclasses.replace(HUNL, stacks=(20000, stack))
    choice = decide(
        lbr(CallPolicy(), "FCA", short), "cc/cc/cc/", belief_of(weaker=1, stronger=0), short
    )
    assert choice.considered == (CALL, raise_to(bet))
    assert choice.values == pytest.approx((200, 200 + stack - 100))


@pytest.mark.parametrize(
    ("policy", "betting", "weaker", "action"),
    [
        (FoldPolicy(), "cc/cc/cc/", 1.0, CALL),  # the pot is won either way
        (CallPolicy(), "cc/cc/cc/", 0.5, CALL),  # no bet gains or loses
        (CallPolicy(), "cc/cc/cc/r300", 1 / 3, CALL),  # a call is worth exactly nothing
        (FoldPolicy(), "cc/cc/cc/", 0.9, raise_to(200)),  # all bets win the pot alike
    ],
)
def test_among_equals_the_first_is_played(policy, betting, weaker, action):
    """Calls before folds, checks before bets, small bets before large; rounding plays no part."""
    belief = belief_of(weaker=weaker, stronger=1 - weaker)
    assert decide(lbr(policy, "56"), betting, belief).action == action


def test_nothing_is_reckoned_without_a_choice():
    """On a street of calls LBR asks nobody anything."""
    choice = decide(lbr(None, "C"), "cc/cc/cc/r300", belief_of(weaker=1, stronger=0))
    assert choice == (CALL, (CALL,), ())


class Odd:
    """A policy that answers with a fixed strategy."""

    def __init__(self, actions, share):
        self.answer = Strategy(actions, np.full((COMBOS, len(actions)), share, np.float32))

    def strategy(self, state, board):
        return self.answer


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        (Odd((FOLD, CALL), 0.4), "do not sum to 1"),
        (Odd((FOLD,), np.nan), "do not sum to 1"),
        (Odd((FOLD, raise_to(301)), 0.5), "r301"),
        (Odd((FOLD, FOLD), 0.5), "named twice"),
    ],
)
def test_a_policy_must_give_strategies(policy, message):
    """A faulty opponent is named as such, not measured."""
    with pytest.raises(ValueError, match=f"policy at 'cc/cc/cc/r300': .*{message}"):
        decide(lbr(policy, "FCP"), "cc/cc/cc/", belief_of(weaker=1, stronger=0))


@pytest.mark.parametrize("name", ["leduc", "kuhn", "nolimit3"])
def test_other_games_are_refused(name):
    """Combos are hands of hold'em for two."""
    with pytest.raises(InvalidGame, match="hold'em for two"):
        LocalBestResponse(CallPolicy(), load_builtin(name), parse_lbr_settings("FC"))


def test_beliefs_start_even_and_lose_what_is_seen():
    """1225 combos without LBR's cards, 1081 after a flop."""
    belief = first_belief(HOLE)
    assert np.count_nonzero(belief) == 1225
    belief, share = belief_after_cards(belief, BOARD[:3])
    assert share == pytest.approx(1081 / 1225)
    live = live_combos(card_bits((*HOLE, *BOARD[:3])))
    assert np.array_equal(belief > 0, live)
    assert belief.sum() == pytest.approx(1)


def test_beliefs_follow_bayes_rule():
    """Half of the one combo and all of the other."""
    rows = np.ones((COMBOS, 2), np.float32)
    rows[WEAKER] = (0.5, 0.5)
    rows[STRONGER] = (1, 0)
    strategy = Strategy((CALL, raise_to(300)), rows)
    belief = belief_after_action(belief_of(weaker=0.5, stronger=0.5), strategy, CALL)
    assert belief[[WEAKER, STRONGER]] == pytest.approx((1 / 3, 2 / 3))
    for action in (FOLD, raise_to(300)):
        with pytest.raises(ValueError, match=f"never does '{action.text}'"):
            belief_after_action(belief_of(weaker=0, stronger=1), strategy, action)


def test_belief_from_a_view_follows_the_betting():
    """Ask along the way: only aces raise before the flop, only one of them bets the flop."""
    aces = [parse_combo(text) for text in ("AsAh", "AsAd", "AhAd")]
    raises = np.zeros(COMBOS, np.float32)
    raises[aces] = 1
    table = {
        "": {raise_to(300): raises, CALL: 1 - raises},
        "r300c/c": only(aces[1], raise_to(600), CALL),
    }
    view = PlayerView(
        replay_betting(HUNL, "r300c/cr600c/c"), 0, 0, (HOLE, ()), parse_cards("2c7d9hJs")
    )
    belief = lbr(TablePolicy(table), "FC").belief(view)
    assert belief[aces[1]] == 1
    assert belief.sum() == 1


def test_lbr_plays_ordinary_hands():
    """Queens against a hand that calls everything: all-in on the first street where LBR may."""
    player = lbr(CallPolicy(), "C,C,FCPA")
    deal = Deal((HOLE, parse_cards("5d4c")), BOARD)
    state, chips = play_hand(HUNL, deal, [player.act, lambda view: CALL])
    assert state.betting == "cc/cc/r20000c/"
    assert chips == (20000, -20000)
