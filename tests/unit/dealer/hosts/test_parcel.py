"""Legs on their way between hosts."""

import pytest

from dealer.hosts.parcel import outcome_document, outcome_from, packed_files, unpack_files
from dealer.series.outcome import LegOutcome
from dealer.series.schedule import schedule
from dealer.server.endings import Ending

LEG = schedule(["a", "b"], seed=1)[1]


def test_an_outcome_is_the_same_on_the_other_side():
    """Nothing of it is lost, and it can be compared."""
    outcome = LegOutcome(
        LEG,
        Ending.CRASH,
        "ended with exit status 3",
        "b",
        ("out of", "ideas"),
        (("a", (("corrected: malformed", 2), ("late", 1))),),
        restarts=2,
        connections=(("b", (("reconnected", 1),)),),
    )
    assert outcome_from(LEG, outcome_document(outcome)) == outcome
    refused = LegOutcome(LEG, Ending.ERROR, refused=True)
    assert outcome_from(LEG, outcome_document(refused)) == refused


def test_only_the_files_of_the_leg_travel(tmp_path):
    """Whatever else lies in the folder, and whatever else is sent."""
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    there.mkdir()
    names = ["a.b.0.1.log", "a.b.0.1.tlog", "a.b.0.1.player1.err"]
    for name in (*names, "a.b.0.10.log", "manifest.json", "a.b.0.1.player2.err"):
        (here / name).write_text(name)
    files = packed_files(here, LEG)
    assert sorted(files) == sorted(names)
    unpack_files(there, LEG, files | {"../out": b"", "manifest.json": b"{}"})
    assert sorted(path.name for path in there.iterdir()) == sorted(names)
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == []
    assert (there / "a.b.0.1.log").read_text() == "a.b.0.1.log"


def test_the_log_is_written_last(tmp_path, monkeypatch):
    """By it a leg counts as finished, so all else must be there."""
    written = []
    monkeypatch.setattr(
        "dealer.hosts.parcel.write_whole", lambda path, data: written.append(path.suffix)
    )
    unpack_files(tmp_path, LEG, {f"{LEG.name}{end}": b"" for end in (".log", ".tlog", ".err")})
    assert written[-1] == ".log"
    assert sorted(written) == [".err", ".log", ".tlog"]


def test_what_cannot_be_written_is_an_error(tmp_path):
    """It is for the caller to say which leg."""
    with pytest.raises(OSError, match="nowhere"):
        unpack_files(tmp_path / "nowhere", LEG, {f"{LEG.name}.log": b""})
