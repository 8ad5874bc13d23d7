"""Reading a log while it grows."""

import pytest

from dealer.errors import MatchError
from dealer.series.logs import LegLog
from tests.helpers.said import refused

HANDS = [
    ("rf", "3d2d|AcKc", (-100, 100), ("B", "A")),
    ("r20000c///", "3d2d|AcKc/2c3c4c/5c/6c", (20000, -20000), ("A", "B")),
    ("cc/cc/cc/cc", "3d2d|AcKc/2c3c4c/5c/6c", (0, 0), ("B", "A")),
    ("cc/r20000c//", "3d2d|AcKc/2c3c4c/5c/6c", (-0.5, 0.5), ("A", "B")),
]


def test_values_go_to_bots_by_name(tmp_path, write_log):
    """Positions rotate; columns stay."""
    write_log(tmp_path / "log", HANDS, score="SCORE:1|-1:A|B")
    log = LegLog(tmp_path / "log", ["A", "B"], 5)
    assert log.read_new() == 4
    assert log.chips.tolist() == [[100, -100], [20000, -20000], [0, 0], [-0.5, 0.5], [0, 0]]
    assert log.played.tolist() == [True, True, True, True, False]
    assert log.total.tolist() == [20099.5, -20099.5]
    assert log.squares.tolist() == [400010000.25] * 2
    assert (log.hands, log.scored) == (4, True)


def test_run_outs_are_hands_whose_betting_closed_early(tmp_path, write_log):
    """Their lines can be found again in the file."""
    write_log(tmp_path / "log", HANDS)
    log = LegLog(tmp_path / "log", ["A", "B"], 4)
    log.read_new()
    data = (tmp_path / "log").read_bytes()
    assert [(hand, data[at:].split(b":")[1]) for hand, at in log.run_outs.tolist()] == [
        (1, b"1"),
        (3, b"3"),
    ]


def test_only_new_and_complete_lines_are_read(tmp_path, write_log, monkeypatch):
    """Cut at every byte, or read in pieces that end within lines, the numbers are the same."""
    monkeypatch.setattr("dealer.series.logs._CHUNK_BYTES", 7)
    write_log(tmp_path / "whole", HANDS, score="SCORE:1|-1:A|B")
    assert LegLog(tmp_path / "whole", ["A", "B"], 4).read_new() == 4
    data = (tmp_path / "whole").read_bytes()
    log = LegLog(tmp_path / "log", ["A", "B"], 4)
    assert log.read_new() == 0
    with (tmp_path / "log").open("wb", buffering=0) as file:
        for index in range(len(data)):
            file.write(data[index : index + 1])
            log.read_new()
    assert (log.hands, log.scored) == (4, True)
    assert log.total.tolist() == [20099.5, -20099.5]
    assert len(log.run_outs) == 2


def test_resumed_log_has_another_header_and_marks(tmp_path, write_log):
    """Comments in between do no harm."""
    write_log(tmp_path / "log", HANDS[:2])
    with (tmp_path / "log").open("a") as file:
        file.write("# name/game/hands/seed m g.game 4 7\n# reconnect seat 1 hand 2\n")
        file.write("STATE:2:rf:3d2d|AcKc:5|-5:A|B\n")
    log = LegLog(tmp_path / "log", ["A", "B"], 4)
    assert log.read_new() == 3


@pytest.mark.parametrize(
    ("line", "facts"),
    [
        ("STATE:0:rf:3d2d|AcKc:5|-5:A|B", ["hand 0", "twice"]),
        ("STATE:4:rf:3d2d|AcKc:5|-5:A|B", []),
        ("STATE:1:rf:3d2d|AcKc:5|-5:A|C", []),
        ("STATE:1:rf:3d2d|AcKc:5|-5", []),
        ("STATE:1:rf:3d2d|AcKc|QcQd:5|-5|0:A|B|C", []),
        ("rubbish", []),
        ("\x80", ["\\x80"]),
    ],
)
def test_foreign_lines_are_reported(tmp_path, write_log, line, facts):
    """A result is never computed from something else's log."""
    write_log(tmp_path / "log", HANDS[:1])
    with (tmp_path / "log").open("a", encoding="latin-1") as file:
        file.write(f"{line}\n")
    log = LegLog(tmp_path / "log", ["A", "B"], 4)
    with refused(MatchError, tmp_path / "log", *(facts or [line])):
        log.read_new()
