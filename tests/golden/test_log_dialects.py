"""Every line of every real log is read, and written again as it was."""

import json
from collections import Counter

import pytest

from protocol.betting import format_betting, parse_betting
from protocol.cards import parse_cards
from protocol.gamedef import parse_gamedef
from protocol.gamedefs import load_builtin
from protocol.handlog import (
    HandRecord,
    Header,
    Score,
    find_hands,
    format_log_line,
    parse_log_line,
)
from protocol.matchstate import format_card_text, parse_card_text, parse_match_state

# Folder, ending, and how many records of each kind it must give at least.
LOGS = [
    ("golden/golden/logs", ".log", {"HandRecord": 5000, "Header": 20, "Score": 20}),
    ("golden/golden/logs_small", ".log", {"HandRecord": 500}),
    ("golden/golden/logs_small", ".tlog", {"Transaction": 1000}),
    ("golden/golden/duplicate", ".log", {"HandRecord": 1000}),
    ("golden/golden/bm/logs", ".log", {"HandRecord": 80, "Header": 4}),
    ("dealer_logs", ".log", {"Sent": 60_000, "Received": 20_000, "Started": 3, "Finished": 3}),
    ("pluribus", ".log", {"HandRecord": 5000}),
    ("deepstack", ".log", {"HandRecord": 36_580}),
]


def lines_of(path):
    """Lines with their terminators, foreign bytes kept."""
    with path.open(encoding="utf-8", errors="surrogateescape", newline="\n") as file:
        yield from file


def without_end(line):
    return line.removesuffix("\n").removesuffix("\r")


@pytest.mark.parametrize(("folder", "ending", "least"), LOGS)
def test_every_line_is_read_and_written_again(shared_data, folder, ending, least):
    """No line is malformed, and formatting its record gives the line."""
    kinds = Counter()
    for path in sorted((shared_data / folder).glob("*" + ending)):
        for line in lines_of(path):
            record = parse_log_line(line)
            kinds[type(record).__name__] += 1
            assert format_log_line(record) == without_end(line), path
    for kind, count in least.items():
        assert kinds[kind] >= count


def test_cards_and_betting_of_recorded_hands_are_read(shared_data):
    """Texts of all recorded games."""
    checked = Counter()
    games = shared_data / "golden" / "games"
    for path in sorted((shared_data / "golden" / "golden" / "logs").glob("*.log")):
        file_name = path.name.rsplit(".s", 1)[0] + ".game"
        where = games / file_name if (games / file_name).exists() else games / "extra" / file_name
        game = parse_gamedef(where.read_bytes())
        for line in lines_of(path):
            record = parse_log_line(line)
            if not isinstance(record, HandRecord):
                continue
            assert format_betting(parse_betting(record.betting)) == record.betting
            shown = parse_card_text(record.cards, game)
            assert all(len(hole) == game.hole_cards for hole in shown.holes)
            street = record.cards.count("/")
            assert format_card_text(shown.holes, shown.board, game, street) == record.cards
            checked[file_name] += 1
    assert len(checked) >= 15
    assert sum(checked.values()) >= 5000


def test_cards_on_the_first_street_are_read(shared_data):
    """All messages of the recording whose cards the original cannot read back itself."""
    game_file = shared_data / "golden/games/extra/board_first_round.limit.2p.game"
    game = parse_gamedef(game_file.read_bytes())
    cases = (shared_data / "golden" / "edge_cases.jsonl").read_text(encoding="utf-8").splitlines()
    (case,) = [c for c in map(json.loads, cases) if c["id"] == "ru_board_first_round"]
    sent = [step[2] for step in case["transcript"] if step[0] == "recv"]
    states = [parse_match_state(message.encode().removesuffix(b"\r\n")) for message in sent]
    shown = [parse_card_text(state.cards, game) for state in states]
    assert [cards.holes for cards in shown] == [
        (parse_cards("7d"), ()),
        ((), parse_cards("3d")),
    ]
    assert [cards.board for cards in shown] == [parse_cards("2h")] * 2


def test_an_old_header_with_a_path_and_huge_limits(shared_data):
    """One recorded log of a later wrapper program."""
    path = shared_data / "dealer_logs" / ("match.TestingBot.TestingBot.two_player_nolimit.10h.log")
    records = [parse_log_line(line) for line in lines_of(path)]
    assert isinstance(records[0], Header)
    assert records[0].game.startswith("/Users/")
    assert [limit.milliseconds for limit in records[1:3]] == [18446744073709550] * 2
    assert [r.names for r in records if isinstance(r, HandRecord)] == [("TestingBot",) * 2] * 10
    assert not any(isinstance(record, Score) for record in records)


def test_hands_quoted_in_a_competition_report_are_found(shared_data):
    """They are wrapped at 80 columns between lines of prose."""
    text = (shared_data / "dealer_logs" / "acpc_2017_excerpt.txt").read_text(encoding="utf-8")
    hands = list(find_hands(text.splitlines()))
    assert len(hands) == text.count("STATE:") == 29
    game = load_builtin("hunl")
    for hand in hands:
        assert sorted(hand.names) == ["Intermission_2pn_2017", "Slumbot_2pn_2017"]
        assert sum(map(int, hand.values)) == 0
        parse_card_text(hand.cards, game)
