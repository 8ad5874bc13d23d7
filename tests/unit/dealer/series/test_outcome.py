"""Telling from files how a leg ended."""

import json
import os

import pytest

from dealer.bots.processes import in_words
from dealer.bots.programs import size_on_disk, tail_of
from dealer.series.outcome import finished_leg, hands_in, is_complete, read_summary
from dealer.server.endings import Ending
from tests.helpers.said import says

COMPLETE = {"ending": "timeout", "detail": "it was late", "seat": 2, "warnings": [{}, {}]}


@pytest.mark.parametrize(
    ("text", "finished"),
    [
        ("STATE:0:f:a:b:c\nSCORE:1|-1:A|B\n", True),
        ("STATE:0:f:a:b:c\nSCORE:1|-1:A|B", False),
        ("STATE:0:f:a:b:c\nSCORE:1|-1:A|B\n# name/game/hands/seed\n", False),
        ("SCORE:1|-1:A|B\n", False),
        ("STATE:0:f:a:b:c\nSTATE:1:f:a:b:c\nSCORE:1|-1:A|B\n", False),
        ("STATE:0:f:a:b:c\n# SCORE:\n", False),
        ("", False),
    ],
)
def test_a_leg_is_finished_when_its_log_has_its_hands_and_the_score(tmp_path, text, finished):
    """A torn line is none; a score after too few hands is that of the leg before it was longer."""
    (tmp_path / "log").write_text(text)
    assert is_complete(tmp_path / "log", 1) is finished


@pytest.mark.parametrize("chunk", [1, 2, 5, 6, 7, 8, 100])
def test_hands_are_counted_wherever_the_blocks_end(tmp_path, monkeypatch, chunk):
    """Lines that begin with STATE, in the middle of which a block may end."""
    monkeypatch.setattr("dealer.series.outcome._CHUNK_BYTES", chunk)
    (tmp_path / "log").write_text("STATE:0:x\n# STATE:\nSTATE:1:STATE:\n\nSTATE:2:\nSTATE")
    assert hands_in(tmp_path / "log") == 3


def test_finished_leg_keeps_the_dealers_warnings(tmp_path, make_manifest):
    """They are counted by seat there and told by name here."""
    manifest = make_manifest()
    leg = manifest.legs()[1]
    assert finished_leg(manifest, tmp_path, leg) is None
    assert hands_in(tmp_path / "A.B.0.1.log") == 0
    (tmp_path / "A.B.0.1.log").write_text("STATE:\n" * 4 + "SCORE:1|-1:B|A\n")
    outcome = finished_leg(manifest, tmp_path, leg)
    assert (outcome.ending, outcome.warnings) == (Ending.FINISHED, ())
    summary = {
        **COMPLETE,
        "warnings": [{"ignored: stale": 2, "corrected: illegal": 1}, {}],
        "connections": [{}, {"reconnected": 3}],
    }
    (tmp_path / "A.B.0.1.end.json").write_text(json.dumps(summary))
    outcome = finished_leg(manifest, tmp_path, leg)
    assert outcome.warnings == (("B", (("corrected: illegal", 1), ("ignored: stale", 2))),)
    assert outcome.connections == (("A", (("reconnected", 3),)),)


@pytest.mark.parametrize("text", ["", "{", "[]", "\xff", "[" * 100_000, None])
def test_unreadable_summaries_count_as_none(tmp_path, text):
    """The dealer did not get to writing it, or there is a pipe, whose writer nobody waits for."""
    assert read_summary(tmp_path / "s") is None
    if text is None:
        os.mkfifo(tmp_path / "s")
    else:
        (tmp_path / "s").write_text(text, encoding="latin-1")
    assert read_summary(tmp_path / "s") is None


@pytest.mark.parametrize(
    "damage",
    [
        {"ending": "won"},
        {"ending": ["timeout"]},
        {"detail": None},
        {"seat": "2"},
        {"seat": 0},
        {"seat": True},
        {"warnings": {}},
        {"warnings": [None]},
        {"connections": [None]},
        {"warnings": [{"ignored: stale": "2"}]},
    ],
)
def test_damaged_summaries_count_as_none(tmp_path, damage):
    """Whatever is wrong in them, nobody trips over it."""
    (tmp_path / "s").write_text(json.dumps(COMPLETE))
    assert read_summary(tmp_path / "s") == COMPLETE
    (tmp_path / "s").write_text(json.dumps({**COMPLETE, **damage}))
    assert read_summary(tmp_path / "s") is None


def test_tail_is_the_end_of_what_was_added(tmp_path):
    """Twelve lines at most, none of an earlier leg's, foreign bytes escaped."""
    path = tmp_path / "err"
    assert tail_of(path, 0) == ()
    assert size_on_disk(path) == 0
    path.write_bytes(b"old\n")
    before = size_on_disk(path)
    with path.open("ab") as file:
        file.write(b"new \xff\n")
    assert tail_of(path, before) == ("new \\xff",)
    path.write_text("".join(f"{number}\n" for number in range(5000)))
    assert tail_of(path, 0) == tuple(str(number) for number in range(4988, 5000))


def test_a_tail_steers_no_terminal(tmp_path):
    """A bot's last words are shown to the user, and to nothing else."""
    (tmp_path / "err").write_bytes(b"\x1b]0;title\x07\x1b[2Jgone\n\xe2\x80\xaeback\xff\n")
    assert tail_of(tmp_path / "err", 0) == ("\\x1b]0;title\\x07\\x1b[2Jgone", "\\u202eback\\xff")


def test_exit_statuses_in_words():
    """Signals by their names."""
    for status, fact in {3: "status 3", -9: "SIGKILL", -64: "SIGRTMAX", -63: "signal 63"}.items():
        says(in_words(status), fact)
    says(in_words(None), "stopped")
