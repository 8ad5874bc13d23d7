"""The open hand, looked up in files that grow, vanish and are replaced."""

import os
from contextlib import closing
from itertools import islice

import pytest

from dealer.web.live_hand import LiveHand
from dealer.web.log_lines import PIECE_BYTES
from dealer.web.spectating import SeenCards
from engine.rules.dealing import DealStream
from protocol.cards import format_cards
from protocol.gamedefs import load_builtin

GAME = load_builtin("hunl")
HEADER = "# name/game/hands/seed m g 9 7\n"
HAND = "STATE:0:f:2c3c|9hQd:50|-50:A|B\n"


@pytest.fixture
def files(tmp_path):
    """The two files of a match."""
    return tmp_path / "m.log", tmp_path / "m.tlog"


@pytest.fixture
def hand(files):
    """The hand that is played in it."""
    with closing(LiveHand(files[0], GAME, SeenCards.ALL)) as found:
        yield found


def test_a_hand_is_followed_from_file_to_file(files, hand):
    """Its actions before its result, the next one after it."""
    log, actions = files
    assert hand.look() is None
    log.write_text(HEADER)
    actions.write_text("")
    first, second = (format_cards(deal.holes[0]) for deal in islice(DealStream(GAME, 7), 2))
    assert hand.look().startswith(f"STATE:0::{first}|")
    actions.write_text("r300 0 1.0 1.0\n")
    assert hand.look().startswith(f"STATE:0:r300:{first}|")
    with log.open("a") as file:
        file.write(HAND)
    assert hand.look().startswith(f"STATE:1::{second}|")
    assert hand.look().endswith("::B|A")


def test_actions_may_come_before_the_hand_before_them(files, hand):
    """The two files are written one after the other."""
    log, actions = files
    log.write_text(HEADER)
    actions.write_text("f 0 1.0 1.0\nc 1 1.0 1.0\n")
    assert hand.look().startswith("STATE:0:f:")
    with log.open("a") as file:
        file.write(HAND)
    assert hand.look().startswith("STATE:1:c:")


def test_a_hand_is_found_behind_many_others(files, hand):
    """Wherever lines of a long transaction file begin."""
    log, actions = files
    log.write_text(HEADER + HAND.replace("STATE:0", "STATE:20000"))
    lines = [f"c {number} 1.0 1.0\n" for number in range(20001)]
    actions.write_text("".join(lines) + "r300 20001 1.0 1.0\n")
    assert actions.stat().st_size > PIECE_BYTES
    assert hand.look().startswith("STATE:20001:r300:")
    with actions.open("a") as file:
        file.write("c 20001 1.0 1.0\n")
    assert hand.look().startswith("STATE:20001:r300c/:")


def test_another_match_in_the_same_place_is_begun_anew(files, hand):
    """As with `arena match --force`."""
    log, actions = files
    log.write_text(HEADER + HAND)
    actions.write_text("f 0 1.0 1.0\n")
    assert hand.look().startswith("STATE:1::")
    log.write_text(HEADER)
    actions.write_text("")
    assert hand.look() is None
    assert hand.look().startswith("STATE:0::")


def test_another_match_in_the_same_files_is_begun_anew(files, hand):
    """As when a dealer is started again before the first hand was over: sizes may be the same."""
    log, actions = files
    log.write_text(HEADER)
    actions.write_text("r300 0 1.0 1.0\n")
    assert hand.look().startswith("STATE:0:r300:")
    later = os.path.getmtime(log) + 1
    log.write_text(HEADER.replace("9 7", "9 8"))
    os.utime(log, (later, later))
    actions.write_text("c 0 1.0 1.0\nc 0 1.0 1.0\n")
    assert hand.look() is None
    (deal,) = islice(DealStream(GAME, 8), 1)
    assert hand.look().startswith(f"STATE:0:cc/:{format_cards(deal.holes[0])}|")


def test_nobody_plays_a_hand_that_was_left_long_ago(files, hand):
    """Such as that of a match that was stopped."""
    for file in files:
        file.write_text(HEADER)
        os.utime(file, (1.0, 1.0))
    assert hand.look() is None


def test_actions_of_an_earlier_match_are_not_those_of_this_one(files, hand):
    """A match without a transaction file leaves that of another one where it is."""
    log, actions = files
    actions.write_text("c 0 1.0 1.0\nc 0 1.0 1.0\n")
    log.write_text(HEADER)
    os.utime(actions, (os.path.getmtime(log) - 10,) * 2)
    assert hand.look() is None


def test_a_resumed_match_goes_on_with_its_cards(files, hand):
    """Its log has the header again, behind the hands that were played."""
    log, actions = files
    log.write_text(HEADER + HAND)
    actions.write_text("f 0 1.0 1.0\n")
    before = hand.look()
    with log.open("a") as file:
        file.write(HEADER)
    assert hand.look() == before
    with log.open("a") as file:
        file.write(HAND.replace("STATE:0", "STATE:1"))
    (third,) = islice(DealStream(GAME, 7), 2, 3)
    assert hand.look().startswith(f"STATE:2::{format_cards(third.holes[0])}|")


def test_hands_of_several_matches_in_one_log_have_no_cards(files, hand):
    """Nobody knows of which match the next hand is."""
    log, actions = files
    log.write_text(HEADER + HAND.replace("STATE:0", "STATE:5"))
    actions.write_text("")
    assert hand.look().startswith("STATE:6::")
    with log.open("a") as file:
        file.write(HAND)
    assert hand.look() == "STATE:1::|::A|B"
