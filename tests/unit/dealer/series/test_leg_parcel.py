"""Legs on their way to another machine and back."""

from dataclasses import replace

import pytest

from dealer.bots.participants import BotKind, Participant
from dealer.bots.program_files import with_files
from dealer.series.leg_parcel import (
    LegParcel,
    outcome_document,
    outcome_from,
    packed_files,
    play_parcel,
    unpack_files,
)
from dealer.series.manifest import to_json
from dealer.series.outcome import LegOutcome
from dealer.series.schedule import schedule
from dealer.server.endings import Ending
from tests.helpers.said import says

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
        "dealer.series.leg_parcel.write_whole", lambda path, data: written.append(path.suffix)
    )
    unpack_files(tmp_path, LEG, {f"{LEG.name}{end}": b"" for end in (".log", ".tlog", ".err")})
    assert written[-1] == ".log"
    assert sorted(written) == [".err", ".log", ".tlog"]


def test_what_cannot_be_written_is_an_error(tmp_path):
    """It is for the caller to say which leg."""
    with pytest.raises(OSError, match="nowhere"):
        unpack_files(tmp_path / "nowhere", LEG, {f"{LEG.name}.log": b""})


def run_parcel(manifest, monkeypatch, files=None):
    """Return what becomes of a leg, and the settings that it was played with."""
    plays = []

    async def play_leg(settings, leg, launcher, stop, core):
        plays.append(settings)
        (settings.folder / f"{leg.name}.log").write_text("played\n")
        return LegOutcome(leg, Ending.FINISHED)

    monkeypatch.setattr("dealer.series.leg_parcel.play_leg", play_leg)
    parcel = LegParcel(to_json(manifest), manifest.legs()[1].name, files or {}, False, True, True)
    return play_parcel(parcel), plays


def test_a_leg_is_played_in_a_folder_of_its_own(make_manifest, monkeypatch):
    """From what there is of it, as it would be at home; nothing is left of the folder."""
    manifest = make_manifest()
    result, [settings] = run_parcel(manifest, monkeypatch, {"A.B.0.1.tlog": b"begun"})
    assert result.files == {"A.B.0.1.log": b"played\n", "A.B.0.1.tlog": b"begun"}
    assert outcome_from(manifest.legs()[1], result.outcome).ending is Ending.FINISHED
    assert (settings.events, settings.in_process, settings.recover) == (True, True, False)
    assert settings.manifest == manifest
    assert not settings.folder.exists()


def test_bots_of_the_roster_need_no_folder_of_the_users(make_manifest, monkeypatch):
    """Those of others do, and a file is to be the one that is at home."""
    bots = tuple(Participant(label, BotKind.SHIPPED, ("rule",)) for label in "AB")
    manifest = make_manifest(bots=bots, working_directory="/no/such/folder")
    _, [settings] = run_parcel(manifest, monkeypatch)
    assert settings.manifest.working_directory == str(settings.folder)
    own = (replace(bots[0], kind=BotKind.COMMAND, words=("./bot",)), bots[1])
    result, plays = run_parcel(replace(manifest, bots=own), monkeypatch)
    assert not plays
    assert result.outcome["ending"] == "error"
    says(result.outcome["detail"], "on ", "there is no folder /no/such/folder")


def test_a_bot_whose_file_is_another_one_is_not_played(make_manifest, monkeypatch, tmp_path):
    """Two programs would play under one name."""
    program = tmp_path / "bot"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    bots = tuple(Participant(label, BotKind.COMMAND, (str(program),)) for label in "AB")
    manifest = make_manifest(bots=with_files(bots, str(tmp_path)), working_directory=str(tmp_path))
    program.write_text("#!/bin/sh\nexit\n")
    result, plays = run_parcel(manifest, monkeypatch)
    assert not plays
    says(result.outcome["detail"], "on ", f"{program} of A has 15 bytes")
