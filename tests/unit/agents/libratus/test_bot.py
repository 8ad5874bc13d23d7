"""The libratus bot at a table: the same again, in time, and telling where play came from."""

import math
from dataclasses import replace

import pytest

from agents.libratus.bot import Libratus
from engine.play.budget import TimeBudget
from engine.play.simulate import play_hands
from engine.rules.dealing import Deal
from engine.rules.state import HandState
from engine.rules.view import PlayerView
from protocol.actions import CALL
from protocol.cards import parse_cards
from protocol.gamedefs import load_builtin

GAME = replace(load_builtin("hunl"), stacks=(2000, 2000))


def seated(**options):
    """A bot at the table."""
    bot = Libratus(**{"iterations": 3, "nodes": 80, **options})
    bot.start_match(GAME, 7)
    return bot


def view_on_the_turn(hand_id=0):
    """A turn that was checked to."""
    state = HandState.start(GAME)
    for _ in range(4):
        state = state.apply(CALL)
    holes = tuple(map(tuple, map(parse_cards, ("AsQd", "9s8s"))))
    deal = Deal(holes, tuple(parse_cards("KsJs7d2c3h")))
    return PlayerView.of(state, deal, state.actor, hand_id)


def test_the_same_seed_and_iterations_play_the_same():
    """Hand by hand, with shaken sizes too."""
    won = []
    for _ in range(2):
        bots = [seated(shake=0.08), seated()]
        won.append(play_hands(GAME, 3, 5, [bot.act for bot in bots]).tolist())
    assert won[0] == won[1]


def test_its_notes_say_where_a_decision_came_from():
    """A search with its iterations, or the blueprint and why."""
    bot = seated()
    assert bot.notes() == {}
    bot.act(view_on_the_turn())
    notes = bot.notes()
    assert (notes["decided_by"], notes["iterations"]) == ("search", 3)
    assert notes["nodes"] > 1
    bot.act(view_on_the_turn(1), TimeBudget(0.0))
    assert bot.notes() == {"decided_by": "blueprint", "because": "no time"}


@pytest.mark.parametrize(
    ("budget", "allowed"),
    [
        (TimeBudget(), 2.0),
        (TimeBudget(seconds=1.0), 0.5),
        (TimeBudget(seconds=7.0, hand=4.0), 1.0),
        (TimeBudget(seconds=0.0), 0.0),
    ],
)
def test_the_dealers_clock_counts_for_more_than_its_own(budget, allowed):
    """Half of the time of an answer, a quarter of what is left of the hand's."""
    bot = Libratus(seconds=2.0)
    bot.start_match(GAME, 7)
    asked = []
    answer = bot._policy.answer
    bot._policy.answer = lambda state, board, limit: (
        asked.append(limit),
        answer(state, board, limit._replace(iterations=1, seconds=math.inf)),
    )[1]
    bot.act(view_on_the_turn(), budget)
    assert asked[0].seconds == pytest.approx(allowed)


def test_each_hand_is_shaken_by_its_own_factor():
    """By no more than was asked for, and only its own sizes."""
    bot = seated(shake=0.08)
    factors = set()
    for hand in range(8):
        view = view_on_the_turn(hand)
        bot.act(view)
        own, other = (
            bot._policy.session.factors[view.position],
            bot._policy.session.factors[1 - view.position],
        )
        assert other == 1.0
        assert 0.92 <= own <= 1.08
        factors.add(own)
    assert len(factors) == 8


def test_options_that_cannot_be_are_refused():
    """Before the match."""
    with pytest.raises(ValueError, match="shake"):
        Libratus(shake=1.0)
    with pytest.raises(RuntimeError, match="start_match"):
        Libratus().act(view_on_the_turn())
