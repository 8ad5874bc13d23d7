"""Recorded hands are lines of a match log, and the slow rules agree with them."""

from dataclasses import replace

import pytest

from engine.equity.equity_tables import equity_tables
from engine.errors import EngineError
from engine.play.compiled_match import play_matches
from engine.play.record import replay_hand, state_lines
from protocol.gamedefs import load_builtin
from protocol.handlog import HandRecord, parse_log_line
from tests.helpers.bulk_policies import plain, wild

GAME = load_builtin("hunl")
NAMES = ("first", "second")
HANDS = 60


@pytest.fixture(scope="module")
def result():
    """A recorded match in duplicate."""
    (found,) = play_matches(
        GAME, [(wild(), plain())], HANDS, 4, duplicate=True, record=True, tables=equity_tables()
    )
    return found


@pytest.mark.parametrize("seating", [0, 1])
def test_lines_tell_who_won_what(result, seating):
    """Each line parses, and gives names and values by position, the button moving on."""
    lines = list(state_lines(GAME, result, NAMES, seating))
    assert len(lines) == HANDS
    for hand, line in enumerate(lines):
        record = parse_log_line(line)
        assert isinstance(record, HandRecord)
        assert record.hand_id == hand
        assert record.names[(hand + seating) % 2] == "first"
        assert float(record.values[record.names.index("first")]) == result.won[seating, hand]


def test_a_wrong_value_is_noticed(result):
    """Lines are not written for values that the slow rules do not give."""
    wrong = replace(result, won=result.won + 1)
    with pytest.raises(EngineError, match="hand 0"):
        next(state_lines(GAME, wrong, NAMES))


def test_what_is_not_there_is_refused(result):
    """No record, no such seating, too few names, no such hand."""
    with pytest.raises(ValueError, match="record=True"):
        state_lines(GAME, replace(result, records=None), NAMES)
    with pytest.raises(ValueError, match="seating 2 of 2"):
        state_lines(GAME, result, NAMES, 2)
    with pytest.raises(ValueError, match="1 names"):
        state_lines(GAME, result, NAMES[:1])
    with pytest.raises(IndexError, match=f"hand {HANDS}"):
        replay_hand(GAME, result.records[0], HANDS)
