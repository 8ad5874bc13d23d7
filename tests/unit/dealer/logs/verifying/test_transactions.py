"""What the transaction file beside a log proves, and what becomes of one that is damaged."""

import numpy as np
import pytest

from dealer.logs.showing.verify_report import report_lines
from dealer.logs.verifying.verify import VerifySettings, verify_log
from protocol.betting import parse_betting
from protocol.gamedefs import load_builtin
from protocol.handlog import HandRecord, parse_log_line
from tests.helpers.random_logs import random_log
from tests.helpers.said import says

GAME = load_builtin("hulhe")
FILE = "holdem.limit.2p.reverse_blinds.game"
LINES = random_log(GAME, 7, 40, np.random.default_rng(7), game_name=FILE)
"""Header, hands 0 to 39, SCORE: hand N is on line N + 2."""


class _Plain:
    """A palette without colours."""

    def paint(self, text, *_):
        return text


def transactions(lines):
    """Lines of the transaction file of these hands."""
    records = [record for record in map(parse_log_line, lines) if isinstance(record, HandRecord)]
    return [
        f"{action.text} {record.hand_id} 1.000000 1.500000"
        for record in records
        for street in parse_betting(record.betting)
        for action in street
    ]


def verified(tmp_path, lines, applied, end="\n"):
    """Write both files; return faults, notes and the text of the report."""
    (tmp_path / "m.log").write_text("\n".join(lines) + "\n")
    (tmp_path / "m.tlog").write_bytes(("\n".join(applied) + end).encode())
    report = verify_log(tmp_path / "m.log", VerifySettings())
    assert all(remark.line == 0 for remark in report.remarks)
    return (
        [(fault.line, fault.text) for fault in report.faults],
        [remark.text for remark in report.remarks],
        "\n".join(report_lines(report, _Plain())),
    )


def test_a_right_log_agrees_with_its_transactions(tmp_path):
    """And the report says that they were compared."""
    faults, notes, text = verified(tmp_path, LINES, transactions(LINES))
    assert (faults, notes) == ([], [])
    says(text, "ok", "40 hands", "seed 7", "actions compared", ".tlog", "SCORE right")


def test_a_hand_put_in_place_of_another_is_found(tmp_path):
    """It is legal, has the right cards and values, and the score is made to fit."""
    other = random_log(GAME, 7, 40, np.random.default_rng(8), game_name=FILE)
    lines = [*LINES[:11], other[11], *LINES[12:-1]]
    faults, notes, _ = verified(tmp_path, lines, transactions(LINES))
    assert notes == []
    [(line, text)] = faults
    assert line == 12
    assert text.startswith("hand 10 has the actions ")
    (tmp_path / "m.tlog").unlink()
    assert verify_log(tmp_path / "m.log", VerifySettings()).all_is_well


@pytest.mark.parametrize("cut", [1, 5])
def test_hands_missing_at_the_end_are_found(tmp_path, cut):
    """A log alone looks like one of a match that was interrupted."""
    faults, _, _ = verified(tmp_path, LINES[: -1 - cut], transactions(LINES))
    last = len(transactions(LINES))
    ((line, text),) = faults
    assert line == 0
    says(text, "hand 39" if cut == 1 else "hands 35 to 39", f"m.tlog:{last}", "not logged")


def test_a_hand_that_was_never_played_to_its_end_is_not_missed(tmp_path):
    """The dealer was stopped in it."""
    applied = transactions(LINES[:21])
    faults, notes, _ = verified(tmp_path, LINES[:20], applied[:-1])
    assert (faults, notes) == ([], [])


def test_hands_that_no_transaction_speaks_of_are_faults(tmp_path):
    """Added to a log, with the cards that the seed deals."""
    faults, _, _ = verified(tmp_path, LINES, transactions(LINES[:39]))
    assert faults == [(40, "hand 38 is not in m.tlog"), (41, "hand 39 is not in m.tlog")]


def test_a_hand_left_out_in_the_middle(tmp_path):
    """Told where it should stand, besides the gap in the numbers."""
    lines = [*LINES[:11], *LINES[12:-1]]
    faults, _, _ = verified(tmp_path, lines, transactions(LINES))
    assert [text for line, text in faults if line == 12][1].startswith(
        "hand 10 was played (m.tlog:"
    )


@pytest.mark.parametrize(
    ("damage", "note"),
    [
        (lambda rows: [*rows[:30], "what is this", *rows[30:]], "line 30: not a transaction"),
        (lambda rows: [*rows[:30], rows[0], *rows[30:]], "line 30: hand 0 after hand"),
        (lambda rows: ["\0" * 50], "line 0: not a transaction"),
    ],
)
def test_a_damaged_file_is_one_note(tmp_path, damage, note):
    """What stands before the damage counts, and nothing is held against the log."""
    faults, notes, _ = verified(tmp_path, LINES, damage(transactions(LINES)))
    assert faults == []
    assert len(notes) == 1
    assert f"m.tlog used up to {note}" in notes[0]


def test_a_torn_file_is_one_note(tmp_path):
    """A killed dealer leaves half a line."""
    for cut in range(1, 20):
        text = "\n".join(transactions(LINES))
        faults, notes, _ = verified(tmp_path, LINES, [text[:-cut]], end="")
        assert faults == []
        (note,) = notes
        says(note, "m.tlog", "middle of a line")


def test_the_file_of_another_match_is_one_note(tmp_path):
    """Left from an earlier match of the same name."""
    other = random_log(GAME, 8, 40, np.random.default_rng(8), game_name=FILE)
    faults, notes, text = verified(tmp_path, LINES, transactions(other))
    assert faults == []
    assert notes[0].startswith("m.tlog not used: ")
    assert "compared" not in text


def test_several_matches_in_a_log_need_more_than_one_file(tmp_path):
    """Which is said."""
    other = random_log(GAME, 8, 5, np.random.default_rng(8), game_name=FILE)
    faults, notes, _ = verified(tmp_path, [*LINES, *other], transactions(other))
    assert faults == []
    (note,) = notes
    says(note, "m.tlog not used", "more than one")
