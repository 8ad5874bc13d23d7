"""What spectators see: of each line of a log, and of the hand that is being played."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from dealer.web.spectating import OpenHand, SeenCards, shown_line
from engine.rules.state import HandState
from protocol.betting import parse_betting
from protocol.deals import DealsNote, format_deals_note
from protocol.gamedefs import load_builtin
from protocol.handlog import HandRecord, format_hand, parse_log_line
from tests.helpers.random_logs import random_log

GAMES = ("hunl", "hulhe", "holdem.nolimit.3p", "kuhn.limit.3p")
SEED, HANDS = 31, 40
HEADER = f"# name/game/hands/seed m g {HANDS} {SEED}"


@pytest.fixture(scope="module", params=[*GAMES, "hulhe fixed"])
def match(request):
    """A game, and the records of a match in it; seats move on, or stay."""
    name, *fixed = request.param.split()
    game = load_builtin(name)
    lines = random_log(game, SEED, HANDS, np.random.default_rng(1), fixed=bool(fixed))
    return game, [one for one in map(parse_log_line, lines) if isinstance(one, HandRecord)]


def actions_of(record):
    """All actions of a hand, in order."""
    return [action for street in parse_betting(record.betting) for action in street]


def secret(game, record):
    """The hole cards that nobody but their player may know, by the plain words of the rules."""
    state = HandState.start(game)
    for action in actions_of(record):
        state = state.apply(action)
    left = [seat for seat in range(game.players) if not state.folded[seat]]
    holes = record.cards.split("/")[0].split("|")
    return [hole for seat, hole in enumerate(holes) if len(left) == 1 or seat not in left]


def test_cards_that_were_not_shown_are_not_in_a_line(match):
    """All else stays as it is; with all cards the line itself does."""
    game, records = match
    hidden = 0
    for record in records:
        line = format_hand(record)
        assert shown_line(game, line, SeenCards.ALL) == line
        seen = parse_log_line(shown_line(game, line, SeenCards.SHOWN))
        assert replace(seen, cards=record.cards) == record
        mine, theirs = (one.cards.split("/", 1) for one in (seen, record))
        assert mine[1:] == theirs[1:]
        away = secret(game, record)
        kept = [hole for hole in theirs[0].split("|") if hole not in away]
        assert [hole for hole in mine[0].split("|") if hole] == kept
        hidden += len(away)
    assert hidden


@pytest.mark.parametrize(
    "line",
    [
        HEADER,
        "# Ks Kd is what I have",
        "STATE:1:r300:AhKd|2c2d:100|-100:a|b",  # not over
        "STATE:1:f:AhKd|2c2d:50|-50|0:a|b",
        "STATE:1:f:AhAh|2c2d:50|-50:a|b",
        "STATE:1:f:AhKd|2c2d:9|-9:a|b",
        "anything at all AhKd",
        "",
    ],
)
def test_what_may_hold_hidden_cards_is_withheld(line):
    """The seed, comments, and hands of which it is not known who folded; a score has no cards."""
    score = "SCORE:100|-100:a|b"
    assert shown_line(load_builtin("hunl"), score, SeenCards.SHOWN) == score
    assert shown_line(load_builtin("hunl"), line, SeenCards.SHOWN) is None


@pytest.mark.parametrize("cards", SeenCards)
def test_an_open_hand_grows_into_its_line(match, cards):
    """With every action, in the words of the log; hole cards are there or not as was asked."""
    game, records = match
    hand = OpenHand(game, cards)
    hand.read_log([HEADER])
    for number, record in enumerate(records):
        for length, action in enumerate(actions_of(record)):
            begun, holes_and_board, names = parts_of(hand.line(), number)
            assert record.betting.startswith(begun)
            assert len([one for street in parse_betting(begun) for one in street]) == length
            holes, *board = holes_and_board.split("/")
            assert record.cards.split("/")[1 : 1 + len(board)] == board
            whole = record.cards.split("/")[0]
            assert holes == (whole if cards is SeenCards.ALL else "|" * (game.players - 1))
            assert number < 2 or names == list(record.names)
            hand.read_actions([f"{action.text} {number} 1.5 1.6"])
        begun, holes_and_board, _ = parts_of(hand.line(), number)
        assert begun == record.betting
        shown = shown_line(game, format_hand(record), cards)
        assert holes_and_board == parse_log_line(shown).cards
        hand.read_log([format_hand(record)])
    hand.read_log(["SCORE:" + "|".join("0" * game.players) + ":" + "|".join("abc"[: game.players])])
    assert hand.line() is None


def parts_of(line, number):
    """Betting, cards and names of an open hand's line."""
    word, hand_id, betting, cards, values, names = line.split(":")
    assert (word, int(hand_id), values) == ("STATE", number, "")
    return betting, cards, names.split("|")


def test_without_a_seed_no_card_is_made_up():
    """Nor where the match has given deals."""
    hand = OpenHand(load_builtin("hunl"), SeenCards.ALL)
    assert hand.line() == "STATE:0::|::seat 1|seat 2"
    hand.read_log([HEADER, format_deals_note(DealsNote(0, "0" * 64, "spots.txt"))])
    hand.read_actions(["c 0 1.0 1.1", "c 0 1.0 1.1"])
    assert hand.line() == "STATE:0:cc/:|::seat 1|seat 2"


@pytest.mark.parametrize(
    ("seed", "number"), [(2**32, 0), (2**32 - 1, 9_999_999_998)], ids=["seed", "number"]
)
def test_of_a_match_that_cannot_be_no_card_is_made_up(seed, number):
    """No dealer here has such a seed, or that many hands; nobody waits for them to be dealt."""
    hand = OpenHand(load_builtin("hunl"), SeenCards.ALL)
    hand.read_log(
        [f"# name/game/hands/seed m g 1 {seed}", f"STATE:{number}:f:2c3c|9hQd:50|-50:A|B"]
    )
    assert hand.line() == f"STATE:{number + 1}::|::B|A"


def test_actions_of_other_hands_and_damaged_lines_change_nothing():
    """A file may be torn, and actions may come before the hand in the log."""
    game = load_builtin("hunl")
    hand = OpenHand(game, SeenCards.SHOWN)
    hand.read_log([HEADER, "STATE:0:nothing"])
    hand.read_actions(["c 1 1.0 1.1", "c 0 1.0", "\x00", "f 0 1.0 1.1"])
    assert hand.line().startswith("STATE:0:f:")


def test_a_match_that_is_joined_late_deals_its_open_hand(match):
    """The deals before it are passed over."""
    game, records = match
    hand = OpenHand(game, SeenCards.ALL)
    hand.read_log([HEADER, *map(format_hand, records[:17])])
    assert hand.line().split(":")[3] == records[17].cards.split("/")[0]


def test_the_open_hand_stops_at_an_action_that_is_not_legal():
    """What follows is of a hand that is not known: no street of it may be shown too soon."""
    hand = OpenHand(load_builtin("hunl"), SeenCards.SHOWN)
    hand.read_log([HEADER])
    hand.read_actions([f"{action} 0 1.0 1.0" for action in ("r150", "c", "c")])
    assert hand.line().startswith("STATE:0::|::")
