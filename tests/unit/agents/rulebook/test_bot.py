"""The rule bot at the table: what it does in spots where the right play is plain."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from agents.roster.bots import find_agent
from agents.rulebook.bot import RuleBot
from agents.rulebook.rules import POSTFLOP, PREFLOP, first_match
from agents.rulebook.situation import postflop_situation, preflop_situation
from engine.estimates.winrate import win_rate
from engine.play.simulate import play_duplicate
from engine.rules.view import PlayerView, replay_betting
from protocol.cards import parse_cards
from protocol.gamedefs import load_builtin

HUNL = load_builtin("hunl")
SIX = load_builtin("nolimit6")
LIMIT = load_builtin("hulhe")
YARDSTICKS = ("always-call", "always-fold", "uniform-random", "biased-random")


def spot(betting, hole, board="", game=HUNL) -> PlayerView:
    """Return the view of whoever acts after `betting`."""
    state = replay_betting(game, betting)
    shown = tuple(
        parse_cards(hole) if position == state.actor else () for position in range(game.players)
    )
    return PlayerView(state, 0, state.actor, shown, parse_cards(board))


def plays(view, decisions=60) -> Counter[str]:
    """Return how often each kind of action is chosen."""
    bot = RuleBot()
    bot.start_match(view.game, 4)
    return Counter(bot.act(replace(view, hand_id=hand)).kind for hand in range(decisions))


def always(kind) -> Counter[str]:
    return Counter({kind: 60})


class TestPreflop:
    """Chart, position and pressure."""

    def test_aces_are_raised(self):
        """From the small blind and under the gun."""
        assert plays(spot("", "AhAd")) == always("r")
        assert plays(spot("", "AhAd", game=SIX)) == always("r")

    def test_trash_is_folded_early_but_checked_for_free(self):
        """Seven-deuce folds under the gun; the big blind does not fold for nothing."""
        assert plays(spot("", "7h2d", game=SIX)) == always("f")
        assert plays(spot("c", "7h2d")) == always("c")

    def test_the_last_to_act_opens_what_the_first_folds(self):
        """King-ten offsuit: a raise on the button, a fold under the gun with six players."""
        assert plays(spot("ffff", "KhTd", game=SIX)) == always("r")
        assert plays(spot("", "KhTd", game=SIX)) == always("f")

    def test_big_pressure_folds_all_but_the_best(self):
        """An all-in of 200 blinds out of nowhere."""
        assert plays(spot("r20000", "KhTd")) == always("f")
        assert plays(spot("r20000", "AhAd")) == always("c")

    def test_a_small_raise_is_defended(self):
        """The same hand that folds to 200 blinds calls two and a half."""
        assert plays(spot("r250", "KhTd"))["f"] == 0

    def test_a_first_raise_is_two_to_three_blinds(self):
        """Sensible sizes: neither the minimum nor the stack."""
        bot = RuleBot()
        assert 200 < bot.act(spot("", "AhAd")).raise_to <= 300
        assert 250 <= bot.act(spot("", "AhAd", game=SIX)).raise_to <= 400


class TestPostflop:
    """Strength, pot odds and draws."""

    def test_strong_hands_bet_and_raise(self):
        """A set bets most of the time when checked to, and raises a bet."""
        assert plays(spot("r250c/c", "7h7d", "7c9s2s"))["r"] > 40
        assert plays(spot("r250c/r500", "7h7d", "7c9s2s"))["r"] > 40

    def test_nothing_folds_to_a_pot_bet(self):
        """Three undercards without a draw do not pay a pot-sized bet."""
        assert plays(spot("r250c/r750", "4h3d", "KcTs8s")) == always("f")

    def test_a_flush_draw_calls_a_small_bet_and_folds_to_a_huge_one_on_the_turn(self):
        """Nine outs are worth a fifth of the pot, not all the chips."""
        small = plays(spot("r250c/cc/r350", "4h3h", "KhTh8s2c"))
        assert small["f"] == 0
        assert plays(spot("r250c/cc/r20000", "4h3h", "KhTh8s2c")) == always("f")

    def test_draws_are_sometimes_bet(self):
        """A semi-bluff is a mixture, and stops on the river."""
        mixed = plays(spot("r250c/c", "4h3h", "KhTh8s"))
        assert 10 < mixed["r"] < 50
        assert mixed["f"] == 0

    def test_bluffs_are_rare(self):
        """Air on the river bets now and then, heads-up only."""
        assert 0 < plays(spot("r250c/cc/cc/c", "4h3d", "KhTh8s9cJs"), 200)["r"] < 60
        three_way = spot("fffr250cc/cc", "4h3d", "KhTh8s", game=SIX)
        assert plays(three_way) == always("c")

    def test_the_nuts_never_fold(self):
        """Whatever the bet."""
        assert plays(spot("r250c/cc/cc/r20000", "AhAd", "AcAsKh2d7s")) == always("c")

    def test_limit_bets_carry_no_size(self):
        """The same rules play limit hold'em."""
        bot = RuleBot()
        bot.start_match(LIMIT, 1)
        view = spot("rc/c", "7h7d", "7c9s2s", game=LIMIT)
        texts = {bot.act(replace(view, hand_id=hand)).text for hand in range(40)}
        assert texts <= {"r", "c"}
        assert "r" in texts

    def test_a_raise_of_most_of_the_stack_goes_all_in(self):
        """No bet leaves a few chips behind."""
        bot = RuleBot()
        view = spot("r3000r9000c/c", "AhAd", "Ac9s2s")
        acts = [bot.act(replace(view, hand_id=hand)) for hand in range(40)]
        raises = [act for act in acts if act.kind == "r"]
        assert {act.raise_to for act in raises} == {20000}


def test_some_rule_always_applies():
    """The last rule of each table is unconditional, and every table entry has its own name."""
    rng = np.random.default_rng(0)
    view = spot("r250c/c", "4h3h", "KhTh8s")
    assert first_match(POSTFLOP[-1:], postflop_situation(view, 0.5, rng)).name == "give up"
    assert first_match(PREFLOP[-1:], preflop_situation(spot("", "AhAd"), 0.5)).name == "give up"
    for table in (PREFLOP, POSTFLOP):
        names = [rule.name for rule in table]
        assert len(set(names)) == len(names)


@pytest.mark.parametrize("game", [HUNL, LIMIT], ids=["no-limit", "limit"])
@pytest.mark.parametrize("rival", YARDSTICKS)
def test_it_beats_every_yardstick_clearly(game, rival):
    """Over 250 duplicate deals the whole 95 % interval is above zero."""
    opponent = find_agent(rival).build()
    bot = RuleBot()
    bot.start_match(game, 1)
    opponent.start_match(game, 2)
    won = play_duplicate(game, 7, 250, [bot.act, opponent.act]).mean(axis=1)[:, 0]
    rate = win_rate(won, game.big_blind, hands_per_sample=2)
    assert rate.mbb_per_hand - rate.ci95 > 100
