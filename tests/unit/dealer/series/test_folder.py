"""The folder of a match: begun, made longer, locked, deleted."""

import json
import subprocess
import sys

import pytest

from dealer.errors import FolderInUse, MatchError
from dealer.series.folder import locked, prepare_folder, settle_folder
from dealer.series.manifest import MANIFEST_NAME, TOURNAMENT_NAME, read_manifest
from tests.helpers.said import refused


def test_the_game_of_a_changed_manifest_is_not_followed_out_of_the_folder(make_manifest, tmp_path):
    """With --force, the files of the older match are deleted: none of anybody else's."""
    folder = tmp_path / "match"
    (tmp_path / "victim").write_text("mine")
    prepare_folder(folder, make_manifest(), force=False)
    document = json.loads((folder / MANIFEST_NAME).read_text())
    document["game"]["file"] = "../victim"
    (folder / MANIFEST_NAME).write_text(json.dumps(document))
    with refused(MatchError, "../victim"):
        prepare_folder(folder, make_manifest(), force=True)
    assert (tmp_path / "victim").read_text() == "mine"


def test_folder_of_a_match_is_not_overwritten_unless_forced(make_manifest, tmp_path):
    """And then only the files of that match go; its game lies beside the logs."""
    manifest = make_manifest()
    prepare_folder(tmp_path, manifest, force=False)
    assert read_manifest(tmp_path) == manifest
    assert (tmp_path / manifest.game_name).read_text() == manifest.game_text
    for name in ("A.B.0.0.log", "A.B.0.1.player1.err", "notes.txt", "A.B.0.10.log"):
        (tmp_path / name).write_text("x")
    with pytest.raises(FolderInUse, match="--resume"):
        prepare_folder(tmp_path, make_manifest(seed=8), force=False)
    prepare_folder(tmp_path, make_manifest(seed=8), force=True)
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {"notes.txt", "A.B.0.10.log", MANIFEST_NAME, manifest.game_name}
    assert read_manifest(tmp_path).seed == 8


@pytest.mark.parametrize("force", [False, True])
def test_a_folder_of_the_other_kind_is_left_alone(make_manifest, tmp_path, force):
    """A match in the folder of a tournament would hide the tournament from all readers."""
    (tmp_path / TOURNAMENT_NAME).write_text("{}")
    with refused(FolderInUse, "holds a tournament, not a match", "--out"):
        prepare_folder(tmp_path, make_manifest(), force=force)
    assert [path.name for path in tmp_path.glob("*.json")] == [TOURNAMENT_NAME]


def test_files_of_nobodys_match_are_never_touched(make_manifest, tmp_path):
    """A log without manifest may be anything, also with force."""
    (tmp_path / "A.B.0.1.log").write_text("x")
    with refused(FolderInUse, "A.B.0.1.log", "no match"):
        prepare_folder(tmp_path, make_manifest(), force=True)
    assert (tmp_path / "A.B.0.1.log").read_text() == "x"


def test_folder_that_cannot_be_made_is_a_match_error(make_manifest, tmp_path):
    """One line, no traceback; nor can one that is gone be locked."""
    (tmp_path / "file").write_text("")
    with refused(MatchError, "No such file"), locked(tmp_path / "gone"):
        pass
    with refused(MatchError, "match folder", tmp_path / "file" / "x"):
        prepare_folder(tmp_path / "file" / "x", make_manifest(), force=False)
    with refused(MatchError, "match folder", tmp_path / "file", "is a file"):
        prepare_folder(tmp_path / "file", make_manifest(), force=False)


def test_two_runners_cannot_share_a_folder(make_manifest, tmp_path):
    """The second is refused while the first lives, and lock-breaking force is refused too."""
    prepare_folder(tmp_path, make_manifest(), force=False)
    with locked(tmp_path):
        with pytest.raises(FolderInUse, match="another"), locked(tmp_path, patience=0):
            pass
        with pytest.raises(FolderInUse, match="another"):
            prepare_folder(tmp_path, make_manifest(), force=True)
    with locked(tmp_path, patience=0):
        pass


def test_lock_stays_while_a_process_holds_its_descriptor(make_manifest, tmp_path):
    """A dealer that outlives its runner for a moment keeps the folder locked for that moment."""
    prepare_folder(tmp_path, make_manifest(), force=False)
    with locked(tmp_path) as descriptor:
        child = subprocess.Popen(
            [sys.executable, "-S", "-c", "input()"],
            stdin=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            pass_fds=(descriptor,),
        )
    try:
        with pytest.raises(FolderInUse), locked(tmp_path, patience=0.15):
            pass
    finally:
        child.kill()
        child.communicate()
    with locked(tmp_path, patience=0):
        pass


def test_the_lock_outlives_a_new_manifest(make_manifest, tmp_path):
    """It is the folder's, not that of a file which is replaced when the match is made longer."""
    before, wanted = make_manifest(), make_manifest(hands=9, runs=2)
    prepare_folder(tmp_path, before, force=False)
    with locked(tmp_path):
        settle_folder(tmp_path, before, wanted)
        assert read_manifest(tmp_path) == wanted
        with pytest.raises(FolderInUse), locked(tmp_path, patience=0):
            pass


def test_a_match_that_changed_meanwhile_is_left_alone(make_manifest, tmp_path):
    """Two who make it longer at once do not undo each other's hands; nor are files overwritten."""
    before = make_manifest()
    prepare_folder(tmp_path, make_manifest(hands=9), force=False)
    with refused(FolderInUse, tmp_path, "changed"):
        settle_folder(tmp_path, before, make_manifest(hands=7))
    assert read_manifest(tmp_path).hands == 9
    (tmp_path / "A.B.1.0.log").write_text("x")
    stored = read_manifest(tmp_path)
    with refused(FolderInUse, "A.B.1.0.log", "no match"):
        settle_folder(tmp_path, stored, make_manifest(hands=9, runs=2))
    assert read_manifest(tmp_path) == stored


@pytest.mark.parametrize("how", ["resumed", "replaced"])
def test_what_killed_writers_left_is_cleared_away(make_manifest, tmp_path, how):
    """Unfinished files of the match, and of nothing else."""
    manifest = make_manifest()
    prepare_folder(tmp_path, manifest, force=False)
    left = [f".{name}.12.345.part" for name in ("result.json", "manifest.json", "A.B.0.1.end.json")]
    others = [".notes.12.345.part", ".A.B.0.10.end.json.12.345.part", ".result.json.part"]
    for name in (*left, *others):
        (tmp_path / name).write_text("half")
    if how == "resumed":
        settle_folder(tmp_path, manifest, manifest)
    else:
        prepare_folder(tmp_path, manifest, force=True)
    found = {path.name for path in tmp_path.iterdir() if path.name[0] == "."}
    assert found == set(others)
