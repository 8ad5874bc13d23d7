"""What a compiled policy is told of the hands that its bot sees."""

from agents.compiled.policy_bot import PolicyBot
from engine.play.compiled_policy import CompiledPolicy, Family
from engine.rules.fast_state import CALL, RAISE
from protocol.cards import parse_cards
from protocol.gamedefs import load_builtin
from tests.helpers.views import view_of

HUNL = load_builtin("hunl")


def view(betting, hole, board=""):
    """Return the view of the button, which acts first before the flop and last after it."""
    return view_of(betting, hole, board, viewer=1)


class Listener:
    """Calls, and writes down the actions that it is told; `bot` plays it."""

    def __init__(self):
        self.told = []
        family = Family(
            "listener",
            decide=lambda spot, params, memory, draws: (CALL, 0),
            observe=lambda spot, kind, raise_to, mine, memory: self.told.append(
                (kind, raise_to, mine, spot.hole.tolist() if mine else None)
            ),
            finish=lambda memory, shown_p, won: None,
            params=0,
            memory=0,
        )
        self.bot = PolicyBot(lambda game, seed: CompiledPolicy(family, [], seed))
        self.bot.start_match(HUNL, 1)


def test_each_action_of_a_hand_is_told_once():
    """Also where a view comes a second time."""
    listener = Listener()
    for betting, board in (("", ""), ("cr300", ""), ("cr300", ""), ("cr300c/r600", "2c7dTs")):
        listener.bot.act(view(betting, "AhKd", board))
    mine = list(parse_cards("AhKd"))
    assert listener.told == [
        (CALL, 0, True, mine),
        (RAISE, 300, False, None),
        (CALL, 0, True, mine),
        (RAISE, 600, False, None),
    ]


def test_a_dealer_that_begins_again_deals_another_hand():
    """The number is the same and the betting no shorter, but the cards are others.

    The first hand of another match may be that of the last one: it is told anew.
    """
    listener = Listener()
    listener.bot.act(view("cr300", "AhKd"))
    listener.told.clear()
    listener.bot.act(view("cr400", "7h2d"))
    told = [(CALL, 0, True, list(parse_cards("7h2d"))), (RAISE, 400, False, None)]
    assert listener.told == told
    listener.bot.start_match(HUNL, 2)
    listener.bot.act(view("cr400", "7h2d"))
    assert listener.told == told * 2
