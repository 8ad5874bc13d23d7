"""The hands of one player of logs, put in the order in which another seat comes to them."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from dealer.deals.logged_seat import game_of_header, logged_seat
from engine.deals.deals_file import GivenDealStream
from engine.errors import LogError
from engine.handlogs.source.log_games import FoundGame
from engine.rules.dealing import DealStream
from protocol.gamedefs import builtin_path, load_builtin
from protocol.handlog import HandRecord, format_hand, parse_log_line
from tests.helpers.random_logs import random_log
from tests.helpers.said import refused, says

GAMES = {name: load_builtin(name) for name in ("hunl", "nolimit3", "nolimit6", "kuhn")}


def write_log(name, game="hunl", seed=7, hands=20):
    """Write a log of random play; return its lines."""
    file = builtin_path(game).name
    found = random_log(GAMES[game], seed, hands, np.random.default_rng(seed), game_name=file)
    lines = list(found)
    Path(name).write_text("".join(f"{line}\n" for line in lines))
    return lines


def hand_lines(lines):
    """Return the STATE lines among the lines of a log."""
    return [line for line in lines if line.startswith("STATE:")]


def names_in(lines):
    """Return the players of a log."""
    return sorted(parse_log_line(hand_lines(lines)[0]).names)


def seat_of(player, *logs, game="hunl", named=None):
    """Return what logs say of a player's seat."""
    return logged_seat([Path(log) for log in logs], named, GAMES[game], player)


def replayed(seat):
    """Return the records of the hands as they are to be played."""
    return [parse_log_line(line) for line in seat.log.decode().splitlines()]


@pytest.fixture(autouse=True)
def folder(monkeypatch, tmp_path):
    """A folder of its own for each test."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("game", GAMES)
def test_all_hands_of_a_match_are_played_in_their_order(game):
    """Whichever seat it was; each position is the one that the seat has in that hand."""
    lines = write_log("m.log", game)
    players = GAMES[game].players
    for player in names_in(lines):
        seat = seat_of(player, "m.log", game=game)
        records = replayed(seat)
        assert [parse_log_line(line) for line in hand_lines(lines)] == records
        assert (seat.hands, seat.waiting, seat.damaged) == (20, 0, ())
        for hand, record in enumerate(records):
            assert record.names.index(player) == (seat.seat - hand) % players


@pytest.mark.parametrize("game", GAMES)
def test_the_cards_are_those_of_the_log(game, tmp_path):
    """Hole cards of everybody, and the board where the header's seed deals the rest of it."""
    write_log("m.log", game)
    lines = Path("m.log").read_text().splitlines()
    seat = seat_of(names_in(lines)[0], "m.log", game=game)
    Path("deals").write_bytes(seat.deals)
    found = GivenDealStream(Path("deals"), GAMES[game], 99)
    for _, deal, again in zip(range(20), DealStream(GAMES[game], 7), found, strict=False):
        assert again == deal


def test_what_the_log_does_not_show_is_drawn_from_another_seed(tmp_path):
    """Without a header nobody knows which river would have come; each deal says its line."""
    lines = write_log("m.log")
    Path("bare.log").write_text("".join(f"{line}\n" for line in hand_lines(lines)))
    seat = seat_of(names_in(lines)[0], "bare.log", named=FoundGame(GAMES["hunl"], "hunl"))
    shown = [parse_log_line(line).cards for line in hand_lines(lines)]
    told = [line.partition("  # ") for line in seat.deals.decode().splitlines()]
    assert [cards for cards, _, _ in told] == shown
    assert [place for _, _, place in told] == [f"bare.log:{at}" for at in range(1, 21)]


def test_hands_of_several_logs_wait_until_their_position_is_due():
    """None is lost but those of which there are too many."""
    first, second = write_log("a.log", hands=5), write_log("b.log", seed=8, hands=4)
    missing = [line for line in second if not line.startswith(("STATE:1:", "STATE:3:"))]
    Path("b.log").write_text("".join(f"{line}\n" for line in missing))
    player = names_in(first)[0]
    seat = seat_of(player, "a.log", "b.log")
    records = replayed(seat)
    positions = [record.names.index(player) for record in records]
    assert positions == [(seat.seat - hand) % 2 for hand in range(len(records))]
    every = [*hand_lines(first), *hand_lines(missing)]
    has = Counter(parse_log_line(line).names.index(player) for line in every)
    assert seat.hands + seat.waiting == len(every) == 7
    assert seat.hands >= 2 * min(has.values())
    cards = {record.cards for record in records}
    assert cards <= {parse_log_line(line).cards for line in every}
    assert len(cards) == seat.hands


def test_hands_that_are_damaged_are_left_out_and_told():
    """A cut line, a wrong value, betting that stops: one line each, with file and number."""
    lines = write_log("m.log")
    hands = hand_lines(lines)
    player = names_in(lines)[0]
    record = parse_log_line(hands[4])
    wrong = HandRecord(4, record.betting, record.cards, ("1", "-1"), record.names)
    damaged = {2: hands[2][:20], 4: format_hand(wrong), 6: "STATE:6:c:AhKd|2c2d:0|0:p1|p2"}
    damaged[6] = damaged[6].replace("p1|p2", "|".join(parse_log_line(hands[6]).names))
    for hand, text in damaged.items():
        lines[lines.index(hands[hand])] = text
    Path("m.log").write_text("".join(f"{line}\n" for line in lines))
    seat = seat_of(player, "m.log")
    assert seat.hands + seat.waiting == 17
    first = lines.index(damaged[2]) + 1
    assert [text.partition(": left out: ")[0] for text in seat.damaged] == [
        f"m.log:{first + at}" for at in (0, 2, 4)
    ]
    says(seat.damaged[1], "worth")
    says(seat.damaged[2], "betting stops")


def test_foreign_bytes_in_names_stay_as_they_are():
    """The other player may be called anything."""
    lines = write_log("m.log")
    player, other = names_in(lines)
    text = Path("m.log").read_text().replace(other, "J\udcfcrgen\\x")
    Path("m.log").write_bytes(text.encode("utf-8", "surrogateescape"))
    seat = seat_of(player, "m.log")
    assert seat.hands == 20
    assert seat.log.count(b"J\xfcrgen\\x") == 20


def test_a_name_that_is_no_seat():
    """Of somebody who is not there, which says who is; and of two at a table."""
    write_log("m.log")
    for player, facts in (("ann", ["m.log", "ann", "Ann"]), ("x", ["m.log", "x", "Ann, Bob"])):
        with refused(LogError, *facts):
            seat_of(player, "m.log")
    hand = HandRecord(0, "f", "AhKd|2c2d", ("50", "-50"), ("same", "same"))
    Path("m.log").write_text(f"{format_hand(hand)}\n")
    with refused(LogError, "m.log:1", "same", "two seats"):
        seat_of("same", "m.log", named=FoundGame(GAMES["hunl"], "hunl"))


def test_a_log_of_another_game():
    """By its values, its actions or its players."""
    lines = write_log("m.log")
    player = names_in(lines)[0]
    hulhe = load_builtin("hulhe")
    for game in (hulhe, GAMES["kuhn"], GAMES["nolimit3"]):
        with refused(LogError, player, "m.log", "none of this"):
            logged_seat([Path("m.log")], FoundGame(game, "named"), game, player)
    write_log("other.log", "nolimit3")
    with refused(LogError, "other.log:2", "another game", "m.log"):
        seat_of(player, "m.log", "other.log")


def test_a_log_without_hands():
    """Is no match."""
    Path("empty.log").write_text("")
    Path("junk.log").write_bytes(bytes(range(256)))
    for name in ("empty.log", "junk.log"):
        with refused(LogError, name, "no hand"):
            seat_of("p1", name)
        with refused(LogError, name, "no hand"):
            game_of_header([Path(name)])


def test_the_game_is_that_of_the_header():
    """The first log with a hand names it; a log without a header does not."""
    Path("empty.log").write_text("")
    lines = write_log("m.log", "nolimit3")
    found = game_of_header([Path("empty.log"), Path("m.log")])
    assert (found.game, found.path) == (GAMES["nolimit3"], builtin_path("nolimit3"))
    Path("bare.log").write_text(f"{hand_lines(lines)[0]}\n")
    with refused(LogError, "bare.log", "no header", "--game"):
        game_of_header([Path("bare.log")])
