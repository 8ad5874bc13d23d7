"""Records of slumbot.com: what is read, what is written, what is refused with which words."""

import json

import pytest

from engine.errors import UnusableHistory
from engine.histories.hand import LeftOut
from protocol.gamedefs import load_builtin
from protocol.handlog import format_hand
from tests.helpers.histories import hands_in, only_hand, why_left_out, written

RECORD = {
    "old_action": "b200c/kk/kb400",
    "action": "b200c/kk/kb400c/kk",
    "client_pos": 0,
    "hole_cards": ["Ad", "9s"],
    "bot_hole_cards": ["As", "Ts"],
    "board": ["Kc", "4c", "3s", "2s", "2d"],
    "winnings": -600,
    "won_pot": -1200,
    "token": "7",
}


def text_of(*records):
    return "".join(f"{json.dumps(record)}\n" for record in records)


def changed(**changes):
    return text_of(RECORD | changes)


def test_a_record_is_a_hand():
    """Bets count within the street; the client is at position 0, in the big blind."""
    hand = only_hand(text_of(RECORD), "slumbot")
    assert format_hand(hand.record) == (
        "STATE:0:r200c/cc/cr600c/cc:Ad9s|AsTs/Kc4c3s/2s/2d:-600|600:client|slumbot"
    )
    assert hand.game == load_builtin("hunl")
    assert hand.fields == {"_slumbot": {"won_pot": -1200}}


def test_the_client_may_have_the_button():
    """Cards that are not shown are not known."""
    text = changed(action="b20000f", client_pos=1, bot_hole_cards=None, board=[], winnings=100)
    line = format_hand(only_hand(text, "slumbot").record)
    assert line == "STATE:0:r20000f:|Ad9s:-100|100:slumbot|client"


@pytest.mark.parametrize("end", ["", "///"])
def test_an_all_in_goes_to_the_end_with_or_without_its_streets(end):
    """With all cards of the board."""
    text = changed(action=f"b20000c{end}", winnings=-20000)
    line = format_hand(only_hand(text, "slumbot").record)
    assert line.startswith("STATE:0:r20000c///:Ad9s|AsTs/Kc4c3s/2s/2d:-20000|20000:")


def test_records_before_the_last_of_a_hand_are_passed_over():
    """One that never ends is told."""
    begun = {key: value for key, value in RECORD.items() if key not in ("winnings", "board")}
    steps = [begun | {"action": action} for action in ("", "b200c/", "b200c/kk/kb400")]
    other = begun | {"action": "b200", "hole_cards": ["7d", "2c"]}
    hand, left = hands_in(text_of(*steps, RECORD, other), "slumbot")
    assert hand.line == 4
    assert left == LeftOut(5, "unfinished: no record of it has winnings")
    first, second = hands_in(text_of(other, RECORD), "slumbot")
    assert (first.line, second.record.hand_id) == (1, 0)


def test_hands_of_logs_are_records():
    """The client stays who has the first big blind, but slumbot is never the client."""
    log = (
        "STATE:3:r200c/cc/cr600c/cc:Ad9s|AsTs/Kc4c3s/2s/2d:-600|600:Slumbot_2pn|Ann # 12.5\n"
        "STATE:4:r20000c///:Ad9s|AsTs/Kc4c3s/2s/2d:-20000|20000:Ann|Slumbot_2pn\n"
    )
    text = written(hands_in(log, "log", load_builtin("hunl")), "slumbot")
    first, second = map(json.loads, text.splitlines())
    assert [first[key] for key in ("client", "client_pos", "winnings")] == ["Ann", 1, 600]
    assert first["action"] == "b200c/kk/kb400c/kk"
    assert first["hole_cards"] == ["As", "Ts"]
    assert first["_phh"] == '_stamp = "12.5"\n'
    assert [second[key] for key in ("client", "client_pos", "winnings")] == ["Ann", 0, -20000]
    assert second["action"] == "b20000c///"
    assert written(hands_in(text, "slumbot"), "log") == log


def test_a_record_comes_back_from_a_log():
    """Less the token and the action before."""
    hand = only_hand(text_of(RECORD), "slumbot")
    (again,) = hands_in(written([hand], "log"), "log", hand.game)
    told = json.loads(written([again], "slumbot"))
    assert {key: told[key] for key in RECORD if key not in ("token", "old_action")} == {
        key: value for key, value in RECORD.items() if key not in ("token", "old_action")
    }


@pytest.mark.parametrize("name", ["hulhe", "nolimit3", "kuhn"])
def test_other_games_are_refused(name):
    """By what slumbot plays."""
    logs = {
        "hulhe": "STATE:0:f:AcAd|7h6h:5|-5:a|b\n",
        "nolimit3": "STATE:0:ff:AcAd|7h6h|2c2d:-50|50|0:a|b|c\n",
        "kuhn": "STATE:0:cc:Qs|Ks:-1|1:a|b\n",
    }
    hands = hands_in(logs[name], "log", load_builtin(name))
    with pytest.raises(UnusableHistory, match="no-limit hold'em for two, blinds 50 and 100, 20,0"):
        written(hands, "slumbot")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (changed(action="b200x"), "action is no betting: 'b200x'"),
        (changed(action=7), "action is no betting: '7'"),
        (changed(action="b200c/kk/kb400c/k"), "the betting stops while position 1 is to act"),
        (changed(action="b200k/kk/kb400c/kk"), "'k' where the player can call"),
        (changed(action="b200c/cc/kb400c/kk"), "'c' where the player can check"),
        (changed(action="b150c/kk/kb400c/kk"), "a raise must be to 200..20000 chips"),
        (changed(action="b200f"), "more cards on the board than the betting has streets"),
        (changed(client_pos=2), "client_pos is neither 0 nor 1: '2'"),
        (changed(client_pos=True), "client_pos is neither 0 nor 1: 'True'"),
        (changed(winnings="x"), "winnings are no chips: 'x'"),
        (changed(hole_cards=["Kc", "9s"]), "card Kc appears 2 times"),
        (changed(hole_cards="Kc9s"), "hole_cards are no list of cards"),
        (changed(board=["Kc"]), "not the board cards of this game"),
        (changed(client=""), "client is no name"),
        ('{"client_pos": 0, "action": "b2\n', "no JSON: Unterminated string"),
        ("[" * 100_000 + "\n", "no JSON: maximum recursion depth"),
        ("[1]\n", "no JSON object"),
    ],
)
def test_what_is_not_so_is_refused_by_name(text, words):
    """One clear line; nothing is guessed."""
    assert words in why_left_out(text, "slumbot")
