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
from protocol.gamedefs import load_builtin
from tests.helpers.views import view_of

HUNL = load_builtin("hunl")
SIX = load_builtin("nolimit6")
LIMIT = load_builtin("hulhe")
YARDSTICKS = ("always-call", "always-fold", "uniform-random", "biased-random")


def plays(view, decisions=60) -> Counter[str]:
    """Return how often each kind of action is chosen."""
    bot = RuleBot()
    bot.start_match(view.game, 4)
    return Counter(bot.act(replace(view, hand_id=hand)).kind for hand in range(decisions))


PLAIN = {
    "aces are raised": (("", "AhAd"), {"r": 60}),
    "under the gun as well": (("", "AhAd", "", SIX), {"r": 60}),
    "trash is folded under the gun": (("", "7h2d", "", SIX), {"f": 60}),
    "but not for nothing": (("c", "7h2d"), {"c": 60}),
    "the last to act opens": (("ffff", "KhTd", "", SIX), {"r": 60}),
    "what the first folds": (("", "KhTd", "", SIX), {"f": 60}),
    "200 blinds out of nowhere fold all": (("r20000", "KhTd"), {"f": 60}),
    "but the best": (("r20000", "AhAd"), {"c": 60}),
    "a small raise is defended": (("r250", "KhTd"), {"f": 0}),
    "a set bets when checked to": (("r250c/c", "7h7d", "7c9s2s"), {"r": range(41, 61)}),
    "and raises a bet": (("r250c/r500", "7h7d", "7c9s2s"), {"r": range(41, 61)}),
    "three undercards do not pay a pot": (("r250c/r750", "4h3d", "KcTs8s"), {"f": 60}),
    "nine outs are worth a fifth of it": (("r250c/cc/r350", "4h3h", "KhTh8s2c"), {"f": 0}),
    "not all the chips": (("r250c/cc/r20000", "4h3h", "KhTh8s2c"), {"f": 60}),
    "a semi-bluff is a mixture": (("r250c/c", "4h3h", "KhTh8s"), {"r": range(11, 50), "f": 0}),
    "bluffs are rare": (("r250c/cc/cc/c", "4h3d", "KhTh8s9cJs"), {"r": range(1, 20)}),
    "and heads-up only": (("fffr250cc/cc", "4h3d", "KhTh8s", SIX), {"c": 60}),
    "the nuts never fold": (("r250c/cc/cc/r20000", "AhAd", "AcAsKh2d7s"), {"c": 60}),
}
"""A spot, and how often of 60 times each kind of action is taken."""


@pytest.mark.parametrize(("where", "kinds"), PLAIN.values(), ids=PLAIN)
def test_spots_where_the_right_play_is_plain(where, kinds):
    """Chart, position and pressure; strength, pot odds and draws."""
    found = plays(view_of(*where))
    for kind, often in kinds.items():
        assert found[kind] in ([often] if isinstance(often, int) else often)


def test_sizes_of_raises():
    """A first raise is two to three blinds; no bet leaves a few chips behind."""
    bot = RuleBot()
    assert 200 < bot.act(view_of("", "AhAd")).raise_to <= 300
    assert 250 <= bot.act(view_of("", "AhAd", game=SIX)).raise_to <= 400
    view = view_of("r3000r9000c/c", "AhAd", "Ac9s2s")
    acts = [bot.act(replace(view, hand_id=hand)) for hand in range(40)]
    assert {act.raise_to for act in acts if act.kind == "r"} == {20000}
    bot.start_match(LIMIT, 1)
    view = view_of("rc/c", "7h7d", "7c9s2s", game=LIMIT)
    assert {bot.act(replace(view, hand_id=hand)).text for hand in range(40)} == {"r", "c"}


def test_some_rule_always_applies():
    """The last rule of each table is unconditional, and every table entry has its own name."""
    rng = np.random.default_rng(0)
    view = view_of("r250c/c", "4h3h", "KhTh8s")
    assert first_match(POSTFLOP[-1:], postflop_situation(view, 0.5, rng)).name == "give up"
    assert first_match(PREFLOP[-1:], preflop_situation(view_of("", "AhAd"), 0.5)).name == "give up"
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
