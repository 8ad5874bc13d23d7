"""Texts that the lane writes without Python, against Python's own formatting."""

import numpy as np
import pytest

from dealer.lane.texts import FROM, TO, put_number, put_time_spent, put_told, put_transaction

BLANK = np.full(80, ord("?"), np.uint8)


@pytest.mark.parametrize("number", [0, 7, -1, 10, -10, 99, 100, 2**31, -(10**12), 10**17])
def test_whole_numbers(number):
    """As `str` writes them; nothing is written behind them."""
    out = BLANK.copy()
    end = put_number(out, 3, number)
    assert out[: end + 1].tobytes() == b"???" + str(number).encode() + b"?"


@pytest.mark.parametrize("sent", [1_764_000_000_000_000, 1_764_000_000_000_001, 999_999, 0])
def test_lines_of_the_transaction_file(sent):
    """Action, hand, and both times with six digits."""
    out = BLANK.copy()
    received = sent + 1_000_042
    action = np.frombuffer(b"cr300f", np.uint8)
    end = put_transaction(out, 12, action, 1, 5, sent, received)
    times = (f"{us // 10**6}.{us % 10**6:06d}" for us in (sent, received))
    assert out[:end].tobytes().decode() == f"r300 12 {' '.join(times)}\n"


@pytest.mark.parametrize(("way", "word"), [(TO, "TO"), (FROM, "FROM")])
def test_lines_of_the_transcript(way, word):
    """Seats count from 1, times have six digits, and the text is as it was sent."""
    out = BLANK.copy()
    text = np.frombuffer(b"?some text\r\n?", np.uint8)
    end = put_told(out, way, 1, 1_764_000_000_000_042, text, 1, 12)
    assert out[:end].tobytes().decode() == f"{word} 2 at 1764000000.000042 some text\r\n"


def test_time_spent():
    """In whole seconds; the seat counts from 0, as the original has it."""
    out = BLANK.copy()
    end = put_time_spent(out, 1, 603)
    expected = b"Seconds cumulatively spent in match for seat 1: 603\n"
    assert out[:end].tobytes() == expected
