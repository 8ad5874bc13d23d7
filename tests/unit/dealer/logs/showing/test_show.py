"""Hands as text for people."""

from pathlib import Path

import pytest

from dealer.logs.showing.show import Palette, hand_steps
from engine.console.output import printable
from engine.handlogs.source.log_hands import LoggedHand
from protocol.gamedefs import load_builtin
from protocol.handlog import parse_log_line

PLAIN = Palette(on=False)
HUNL = "STATE:4:cr500c/cc/cr1000c/cr20000f:ThAs|Ac6c/Qd2h7c/5d/6d:-1000|1000:qin|deep"


def shown(line, game, palette=PLAIN):
    """The steps of a line."""
    hand = LoggedHand(Path("x.log"), 7, 1, load_builtin(game), parse_log_line(line))
    return hand_steps(hand, palette)


def test_a_hand_is_shown_action_by_action():
    """Table first, then a step per action, then the result."""
    steps = shown(HUNL, "hunl")
    text = ["\n".join(step) for step in steps]
    assert text[0].splitlines() == [
        "",
        "hand 4   x.log:7",
        "  qin   BB  20,000  Th As  blind 100",
        "  deep  SB  20,000  Ac 6c  blind 50",
    ]
    assert text[1:] == [
        "preflop\n  deep  calls 50  (pot 200)",
        "  qin   raises to 500  (pot 600)",
        "  deep  calls 400  (pot 1,000)",
        "flop  Qd 2h 7c\n  qin   checks",
        "  deep  checks",
        "turn  Qd 2h 7c 5d\n  qin   checks",
        "  deep  bets 500  (pot 1,500)",
        "  qin   calls 500  (pot 2,000)",
        "river  Qd 2h 7c 5d 6d\n  qin   checks",
        "  deep  bets 19,000 all-in  (pot 21,000)",
        "  qin   folds",
        "  deep  takes back 19,000  (pot 2,000)",
        "pot 2,000\n  qin          -1000  folded\n  deep         +1000",
    ]


def test_raises_are_told_in_chips_of_the_street():
    """After the flop without those of streets before it, in antes' games without the ante."""
    text = shown("STATE:4:cr300c/r400r700c/cc/cc:ThAs|Ac6c/Qd2h7c/5d/6d:0|0:a|b", "hunl")
    assert [one[-1].split("  ")[2] for one in text[2:6]] == [
        *("raises to 300", "calls 200", "bets 100", "raises to 400"),
    ]
    text = shown("STATE:0:rrc/rrc:Ks|Qh/Kh:13|-13:a|b", "leduc")
    assert [one[-1].split("  ")[2] for one in text[1:3]] == ["bets 2", "raises to 4"]
    assert text[5][-1].split("  ")[2] == "raises to 8"


def test_a_showdown_says_what_was_held():
    """After an all-in the rest of the board comes as a step of its own."""
    line = "STATE:0:r20000c///:5d5c|9hQd/8dAs8s/4h/6d:20000|-20000:a|b"
    steps = shown(line, "hunl")
    assert steps[-2] == ["river  8d As 8s 4h 6d"]
    assert steps[-1][1:] == ["  a        +20000  two pair", "  b        -20000  pair"]


@pytest.mark.parametrize(
    ("line", "game", "words"),
    [
        ("STATE:0:ccrcc:Js|As|Qs:-2|4|-2:a|b|c", "kuhn3", ["betting", "bets 1", "P2  unlimited"]),
        ("STATE:0:cc/cc:Ks|Qh/Kh:1|-1:a|b", "leduc", ["street 1", "street 2  Kh", "pair"]),
        ("STATE:0:fcc:Ks|Qh/Kh:1|-1:a|b", "leduc", ["! illegal", "STATE:0:fcc"]),
        ("STATE:0:cc/cc:Ks|Qh/Kh:-1|1:a|b", "leduc", ["! value of position 0 is -1"]),
    ],
)
def test_any_game_and_any_fault(line, game, words):
    """Small games have numbered streets; a hand that breaks the rules is shown with its faults."""
    text = "\n".join("\n".join(step) for step in shown(line, game))
    for word in words:
        assert word in text


def test_names_cannot_write_to_the_terminal():
    """Control characters and foreign bytes of a log are shown escaped."""
    line = HUNL.replace("qin", "q\x1b[2J\udcff")
    text = "\n".join("\n".join(step) for step in shown(line, "hunl"))
    assert "\x1b" not in text
    assert "q\\x1b[2J\\udcff" in text
    assert printable("b\\ös") == "b\\ös"


class Terminal:
    """A stream that is or is not a terminal."""

    def __init__(self, is_terminal):
        self._is_terminal = is_terminal

    def isatty(self):
        """As asked."""
        return self._is_terminal


@pytest.mark.parametrize(
    ("choice", "terminal", "environment", "coloured"),
    [
        ("auto", True, {"TERM": "xterm"}, True),
        ("auto", False, {"TERM": "xterm"}, False),
        ("auto", True, {"TERM": "xterm", "NO_COLOR": "1"}, False),
        ("auto", True, {"TERM": "dumb"}, False),
        ("auto", True, {}, False),
        ("always", False, {"NO_COLOR": "1"}, True),
        ("never", True, {"TERM": "xterm"}, False),
    ],
)
def test_colour_only_where_wanted(monkeypatch, choice, terminal, environment, coloured):
    """NO_COLOR and dumb terminals are respected; always and never win."""
    for name in ("TERM", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    palette = Palette.chosen(choice, Terminal(terminal))
    assert ("\x1b[" in palette.card(0)) == coloured
    assert ("\x1b[" in "".join(shown(HUNL, "hunl", palette)[0])) == coloured
