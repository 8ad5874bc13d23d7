"""The authority on one STATE line: what it says about wrong ones."""

import pytest

from engine.showdown.hand_check import check_hand
from protocol.gamedefs import load_builtin
from protocol.handlog import parse_log_line

HUNL = load_builtin("hunl")
RIGHT = "STATE:4:cr500c/cc/cc/cc:ThAs|Ac6c/Qd2h7c/5d/6d:-500|500:qin|deep"


def faults(line, game=HUNL):
    """Check one line."""
    return check_hand(game, parse_log_line(line)).faults


def test_a_right_hand_has_no_faults():
    """Betting, cards and values come back ready for use."""
    report = check_hand(HUNL, parse_log_line(RIGHT))
    assert report.faults == ()
    assert report.state.pot == 1000
    assert len(report.cards.board) == 5
    assert report.values == (-500.0, 500.0)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (":-500|500:", ":500|-500:", "value of position 0 is 500, recomputed -500"),
        (":-500|500:", ":-500|500.5:", "value of position 1 is 500.5, recomputed 500"),
        ("cr500c/", "cr150c/", "illegal action 2 of position 0: r150: a raise must be to 200"),
        ("cr500c/", "cr20001c/", "a raise must be to 200..20000 chips"),
        ("cr500c/", "ff/", "illegal action 2: f: the hand is over"),
        ("cc/cc:", "cc/c:", "the betting stops while position 1 is to act"),
        ("cc/cc/cc:", "cccc/cc:", "should be written 'cr500c/cc/cc/cc'"),
        ("r500", "r0500", "should be written"),
        ("Ac6c", "Ac6c6h", "not 2 hole cards each"),
        ("Ac6c", "", "0 of 2 hole cards at position 1"),
        ("Ac6c", "As6c", "card As appears 2 times"),
        ("/6d:", ":", "4 board cards, the betting shows 5"),
        ("/5d/6d", "/5d6d", "not the board cards of this game"),
        (":qin|deep", ":qin|deep|x", ""),
    ],
)
def test_each_fault_is_named(old, new, reason):
    """The text says what is wrong and what would be right."""
    assert old in RIGHT
    found = faults(RIGHT.replace(old, new))
    assert any(reason in fault for fault in found) if reason else found == ()


def test_another_game_is_one_fault():
    """A hand of three in a game of two is not taken apart any further."""
    line = "STATE:0:ccc:Js|As|Ks:-1|2|-1:a|b|c"
    assert faults(line) == ("3 values and 3 names in a game of 2",)
    assert faults(line, load_builtin("kuhn3")) == ()


def test_cards_outside_a_small_deck_are_noticed():
    """Kuhn poker for three knows four cards."""
    line = "STATE:0:ccc:Js|As|2s:-1|2|-1:a|b|c"
    (fault,) = faults(line, load_builtin("kuhn3"))
    assert "2s" in fault


def test_stakes_of_the_hand_come_before_those_of_the_game():
    """Stacks bound the raises, blinds set the pot."""
    line = "STATE:4:900|800:20|10:r800f:ThAs|Ac6c:-20|20:qin|deep"
    assert faults(line) == ()
    assert check_hand(HUNL, parse_log_line(line)).state.game.stacks == (900, 800)
    (fault,) = faults(line.replace("r800", "r801"))
    assert "r801" in fault


@pytest.mark.parametrize(
    ("stakes", "reason"),
    [
        ("900|800|700:20|10", "3 stacks and 2 blinds in a game of 2"),
        ("900|800:20|10|0", "2 stacks and 3 blinds in a game of 2"),
        ("900|0:20|0", "no stack of 0"),
        ("900|8:20|10", "no stack of 8 plays with a blind of 10"),
        ("9999999999|800:20|10", "no stack of 9999999999"),
    ],
)
def test_stakes_that_cannot_be_are_named(stakes, reason):
    """The hand has that one fault."""
    (fault,) = faults(f"STATE:4:{stakes}:f:ThAs|Ac6c:5|-5:qin|deep")
    assert reason in fault
