"""What one player may know of a hand."""

import pytest

from engine.errors import EngineError
from engine.rules.dealing import Deal, DealStream
from engine.rules.state import HandState
from engine.rules.view import CardTexts, PlayerView, replay_betting
from engine.rules.view_reader import view_from_match_state
from protocol.actions import CALL, FOLD, RAISE, raise_to
from protocol.cards import parse_cards
from protocol.gamedefs import load_builtin
from protocol.matchstate import MatchState

HUNL = load_builtin("hunl")
DEAL = next(DealStream(HUNL, 42))
"""7d3d | 2hAc / 5sKs7s / 9s / 6h"""


def text(betting: str, viewer: int) -> str:
    return CardTexts(HUNL, DEAL).text(replay_betting(HUNL, betting), viewer)


@pytest.mark.parametrize(
    ("betting", "viewer", "cards"),
    [
        ("", 0, "7d3d|"), ("", 1, "|2hAc"), ("cc/", 1, "|2hAc/5sKs7s"),
        ("cc/cc/", 0, "7d3d|/5sKs7s/9s"), ("r20000c///", 0, "7d3d|2hAc/5sKs7s/9s/6h"),
        ("cc/cr200f", 1, "|2hAc/5sKs7s"), ("f", 0, "7d3d|"),
    ],
)  # fmt: skip
def test_card_text_by_street_and_viewer(betting, viewer, cards):
    """Own cards always, the board as far as dealt, the other's only at a showdown."""
    assert text(betting, viewer) == cards


def test_folded_cards_stay_hidden_at_a_showdown():
    """Three players: who folded sees the showdown and its own cards; nobody sees its cards."""
    game = load_builtin("limit3")
    deal = next(DealStream(game, 42))
    texts = CardTexts(game, deal)
    state = replay_betting(game, "rfc/cc/cc/cc")
    assert texts.text(state, 2) == "|2hAc|5sKs/7s9s6h/4h/Ts"
    assert texts.text(state, 0) == "7d3d|2hAc|5sKs/7s9s6h/4h/Ts"


def test_the_log_shows_every_hole_card():
    """The match log hides nothing but undealt board cards."""
    assert CardTexts(HUNL, DEAL).log_text(replay_betting(HUNL, "f")) == "7d3d|2hAc"


def test_a_view_offers_what_is_legal():
    """To call, stack and raise range are the player's own."""
    view = PlayerView.of(HandState.start(HUNL), DEAL, 1)
    assert (view.my_turn, view.to_call, view.pot, view.stack) == (True, 50, 150, 19950)
    assert (view.can_fold, view.can_raise) == (True, True)
    assert (view.min_raise_to, view.max_raise_to) == (200, 20000)
    assert view.hole == parse_cards("2hAc")
    assert view.shown[0] == ()


def test_a_view_out_of_turn_offers_nothing():
    """Whoever waits has nothing to choose."""
    view = PlayerView.of(HandState.start(HUNL), DEAL, 0)
    assert (view.my_turn, view.to_call, view.can_fold, view.can_raise) == (False, 0, False, False)
    assert (view.min_raise_to, view.max_raise_to) == (0, 0)


def test_actions_made_by_a_view_are_legal():
    """Raises are clamped; a fold for nothing is a check; a raise that cannot be is a call."""
    opening = PlayerView.of(HandState.start(HUNL), DEAL, 1)
    assert opening.raise_to(1) == raise_to(200)
    assert opening.raise_to(10**9) == raise_to(20000)
    assert opening.fold() == FOLD
    flop = PlayerView.of(replay_betting(HUNL, "cc/"), DEAL, 0)
    assert flop.fold() == CALL
    all_in = PlayerView.of(replay_betting(HUNL, "r20000"), DEAL, 0)
    assert all_in.raise_to(500) == CALL
    limit = PlayerView.of(HandState.start(load_builtin("hulhe")), DEAL, 1)
    assert limit.raise_to(0) == RAISE


def test_pot_fractions_are_raise_to_totals():
    """A pot-sized raise over a bet of 300 into 600: call 300, then raise by the 900 in the pot."""
    view = PlayerView.of(replay_betting(HUNL, "cr300c/r600"), DEAL, 1)
    assert view.pot_fraction(1.0) == 600 + 1200
    assert PlayerView.of(HandState.start(HUNL), DEAL, 1).pot_fraction(0.5) == 200


@pytest.mark.parametrize("betting", ["c/c", "cc", "ccc/", "cc//", "r150", "ff", "cc/cc/cc/cc/"])
def test_betting_text_must_be_what_the_dealer_would_write(betting):
    """Illegal actions and misplaced slashes are refused."""
    with pytest.raises(EngineError):
        replay_betting(HUNL, betting)


def test_a_view_continues_earlier_ones_of_its_hand():
    """Same number, position, cards and betting so far: the hand has gone on."""
    views = [
        PlayerView.of(replay_betting(HUNL, betting), DEAL, 1, 7)
        for betting in ("", "cr300", "cr300c/", "cr300c/r3000f")
    ]
    for number, view in enumerate(views):
        assert [view.continues(other) for other in views] == [
            other <= number for other in range(len(views))
        ]


@pytest.mark.parametrize(
    ("betting", "deal", "position", "hand_id"),
    [
        ("cr3000c/cc/", DEAL, 1, 7),
        ("r300c/cc/", DEAL, 1, 7),
        ("cr300c/cc/", DEAL, 0, 7),
        ("cr300c/cc/", DEAL, 1, 8),
        ("cr300c/cc/", Deal(DEAL.holes, DEAL.board[::-1]), 1, 7),
        ("cr300c/cc/", Deal(DEAL.holes[::-1], DEAL.board), 1, 7),
    ],
)
def test_a_view_does_not_continue_another_hand(betting, deal, position, hand_id):
    """Other betting, cards, position or number: it is another hand."""
    earlier = PlayerView.of(replay_betting(HUNL, "cr300c/"), DEAL, 1, 7)
    assert PlayerView.of(replay_betting(HUNL, "cr300c/cc/"), DEAL, 1, 7).continues(earlier)
    later = PlayerView.of(replay_betting(HUNL, betting), deal, position, hand_id)
    assert not later.continues(earlier)


def test_board_cards_on_the_first_street_follow_the_holes():
    """Mend 12: written as the original does, without a separator."""
    from dataclasses import replace

    game = replace(load_builtin("leduc"), board_cards=(1, 1), suits=4, ranks=13)
    deal = Deal(((parse_cards("7d")[0],), (parse_cards("3d")[0],)), parse_cards("2h5s"))
    texts = CardTexts(game, deal)
    start = HandState.start(game)
    assert texts.text(start, 0) == "7d|2h"
    assert texts.text(start, 1) == "|3d2h"
    view = view_from_match_state(game, MatchState(1, 0, "", "|3d2h"))
    assert (view.hole, view.board) == (parse_cards("3d"), parse_cards("2h"))
