"""All-in expectation over logs."""

import pytest

from dealer.errors import MatchError
from dealer.results.match_result import expected_chips
from dealer.series.logs import LegLog
from protocol.gamedefs import load_builtin

HUNL = load_builtin("hunl")
TURN_ALL_IN = (
    "cc/cc/r20000c/",
    # Aces against two overcards and a flush draw; position 1 wins with any of the nine clubs.
    "AdAh|KcQc/2c7c8d/9h/3s",
    (20000, -20000),
    ("A", "B"),
)
FOLDED = ("rf", "3d2d|AcKc", (100, -100), ("B", "A"))


def expectation(logs):
    done = []
    values = expected_chips(HUNL, logs, done.append)
    return values, sum(done)


def test_all_in_on_the_turn_is_worth_its_outs(tmp_path, write_log):
    """44 river cards, of which the nine clubs win for position 1."""
    write_log(tmp_path / "log", [FOLDED, TURN_ALL_IN])
    log = LegLog(tmp_path / "log", ["A", "B"], 3)
    log.read_new()
    (values,), done = expectation([log])
    worth = 20000 * (35 - 9) / 44
    assert values.tolist() == [[-100, 100], [worth, -worth], [0, 0]]
    assert done == 1
    assert log.chips[1].tolist() == [20000, -20000]


def test_legs_of_a_run_are_taken_together(tmp_path, write_log):
    """Each gets its own values, by its own names."""
    swapped = (*TURN_ALL_IN[:3], ("B", "A"))
    write_log(tmp_path / "0", [TURN_ALL_IN])
    write_log(tmp_path / "1", [swapped])
    logs = [LegLog(tmp_path / name, ["A", "B"], 1) for name in "01"]
    for log in logs:
        log.read_new()
    values, done = expectation(logs)
    worth = 20000 * 26 / 44
    assert [leg.tolist() for leg in values] == [[[worth, -worth]], [[-worth, worth]]]
    assert done == 2


def test_betting_that_is_not_closed_keeps_its_value(tmp_path, write_log):
    """A slash at the end alone makes no run-out: here the line stops in the middle of a hand."""
    write_log(tmp_path / "log", [("cc/", "AdAh|KcQc/2c7c8d", (5, -5), ("A", "B"))])
    log = LegLog(tmp_path / "log", ["A", "B"], 1)
    log.read_new()
    assert expectation([log])[0][0].tolist() == [[5, -5]]


@pytest.mark.parametrize(
    ("betting", "cards"),
    [
        ("r150c///", "AdAh|KcQc/2c7c8d/9h/3s"),
        ("cc/cc/r20000c/", "AdAh|KcQc/2c7c8d"),
        ("r20000c///", "AdAh|AdQc/2c7c8d/9h/3s"),
    ],
)
def test_hands_that_cannot_be_are_reported(tmp_path, write_log, betting, cards):
    """An illegal raise, a card too few, a card twice."""
    write_log(tmp_path / "log", [(betting, cards, (5, -5), ("A", "B"))])
    log = LegLog(tmp_path / "log", ["A", "B"], 1)
    log.read_new()
    with pytest.raises(MatchError, match="STATE:0"):
        expectation([log])
