"""The match folder and its manifest."""

import json
import subprocess
import sys

import numpy as np
import pytest

from dealer.matches.bots import BotKind, Participant
from dealer.matches.errors import FolderInUse, MatchError
from dealer.matches.manifest import (
    MANIFEST_NAME,
    differences,
    from_json,
    locked,
    prepare_folder,
    read_manifest,
    to_json,
)


def test_manifest_survives_the_file(make_manifest):
    """Everything that matters for playing again is in it."""
    manifest = make_manifest(
        bots=(
            Participant("r", BotKind.SHIPPED, ("rule", "--x", "a b")),
            Participant("g", BotKind.LISTEN, (), 4000),
        ),
        runs=3,
        duplicate=False,
        dealer_options=(("t_response", "100"), ("invalid", "call")),
        versions=(("acpc-arena", "1"),),
    )
    assert from_json(to_json(manifest)) == manifest


def test_manifest_file_names_its_legs(make_manifest):
    """People and scripts can read from it which log is which."""
    document = json.loads(to_json(make_manifest()))
    assert document["legs"] == [
        {"name": "A.B.0.0", "seed": 7, "seats": ["A", "B"]},
        {"name": "A.B.0.1", "seed": 7, "seats": ["B", "A"]},
    ]


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"format": 2}', '{"format": 1}', '{"format": 1, "bots": 3}', "null", "7"],
)
def test_other_files_are_no_manifests(text):
    """A damaged file is reported, whatever is in it."""
    with pytest.raises(MatchError):
        from_json(text)


@pytest.mark.parametrize(
    "change",
    [
        lambda document: document["bots"][0].update(label="../../x"),
        lambda document: document["bots"][0].update(label=7),
        lambda document: document["bots"][0].update(words=[None]),
        lambda document: document["bots"][0].update(port=70_000),
        lambda document: document["game"].update(file="../../victim"),
        lambda document: document["game"].update(file=".."),
        lambda document: document["game"].update(file=""),
        lambda document: document.update(hands_per_leg=-5),
        lambda document: document.update(hands_per_leg=1e3),
        lambda document: document.update(hands_per_leg=10**15),
        lambda document: document.update(runs=10**7),
        lambda document: document.update(runs="many"),
        lambda document: document.update(seed=2**32),
        lambda document: document.update(duplicate="yes"),
        lambda document: document.update(dealer_options={"t_hand": 5}),
        lambda document: document.update(dealer_options=[]),
        lambda document: document.update(working_directory="a\0b"),
        lambda document: document.update(versions=None),
    ],
)
def test_what_no_match_can_have_is_refused(make_manifest, change):
    """Names that lead out of the folder, numbers that would never end, other kinds of values."""
    document = json.loads(to_json(make_manifest()))
    change(document)
    with pytest.raises(MatchError, match="not a readable match manifest"):
        from_json(json.dumps(document))


def test_a_damaged_document_is_one_error(make_manifest):
    """Whatever byte of it is changed, and however deeply something is nested."""
    text = to_json(make_manifest())
    rng = np.random.default_rng(1)
    refused = 0
    for _ in range(500):
        at = int(rng.integers(len(text)))
        try:
            from_json(text[:at] + chr(rng.integers(32, 127)) + text[at + 1 :])
        except MatchError:
            refused += 1
    assert refused > 100
    with pytest.raises(MatchError):
        from_json('{"format": 1, "bots": ' + "[" * 100_000)


def test_the_game_of_a_changed_manifest_is_not_followed_out_of_the_folder(make_manifest, tmp_path):
    """With --force, the files of the older match are deleted: none of anybody else's."""
    folder = tmp_path / "match"
    (tmp_path / "victim").write_text("mine")
    prepare_folder(folder, make_manifest(), force=False)
    document = json.loads((folder / MANIFEST_NAME).read_text())
    document["game"]["file"] = "../victim"
    (folder / MANIFEST_NAME).write_text(json.dumps(document))
    with pytest.raises(MatchError, match="victim' cannot be there"):
        prepare_folder(folder, make_manifest(), force=True)
    assert (tmp_path / "victim").read_text() == "mine"


def test_changed_game_is_noticed(make_manifest):
    """The digest guards the rules against a change by hand."""
    text = to_json(make_manifest()).replace("20000 20000", "10000 10000")
    with pytest.raises(MatchError, match="digest"):
        from_json(text)


def test_differences_name_what_was_asked_otherwise(make_manifest):
    """One line for each; none for what does not change the match."""
    manifest = make_manifest()
    assert differences(manifest, make_manifest(working_directory="/", versions=(("a", "b"),))) == []
    other = make_manifest(hands=5, seed=8, dealer_options=(("t_hand", "3"),))
    assert differences(manifest, other) == [
        "hands: 4 in the folder, 5 asked for",
        "seed: 7 in the folder, 8 asked for",
        "dealer options: - in the folder, --t_hand 3 asked for",
    ]
    other = make_manifest(
        bots=(Participant("A", BotKind.LISTEN), Participant("B", BotKind.COMMAND, ("x",)))
    )
    assert differences(manifest, other) == [
        "bots: A=/bin/sleep, B=/bin/sleep in the folder, A=listen:0, B=x asked for"
    ]


def test_new_folder_holds_manifest_and_game(make_manifest, tmp_path):
    """The game lies beside the logs, where their headers point."""
    manifest = make_manifest()
    prepare_folder(tmp_path / "a" / "b", manifest, force=False)
    assert read_manifest(tmp_path / "a" / "b") == manifest
    assert (tmp_path / "a" / "b" / manifest.game_name).read_text() == manifest.game_text


def test_folder_of_a_match_is_not_overwritten_unless_forced(make_manifest, tmp_path):
    """And then only the files of that match go, nothing else."""
    manifest = make_manifest()
    prepare_folder(tmp_path, manifest, force=False)
    for name in ("A.B.0.0.log", "A.B.0.1.player1.err", "notes.txt", "A.B.0.10.log"):
        (tmp_path / name).write_text("x")
    with pytest.raises(FolderInUse, match="--resume"):
        prepare_folder(tmp_path, make_manifest(seed=8), force=False)
    prepare_folder(tmp_path, make_manifest(seed=8), force=True)
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {"notes.txt", "A.B.0.10.log", MANIFEST_NAME, manifest.game_name}
    assert read_manifest(tmp_path).seed == 8


def test_files_of_nobodys_match_are_never_touched(make_manifest, tmp_path):
    """A log without manifest may be anything, also with force."""
    (tmp_path / "A.B.0.1.log").write_text("x")
    with pytest.raises(FolderInUse, match="belongs to no match"):
        prepare_folder(tmp_path, make_manifest(), force=True)
    assert (tmp_path / "A.B.0.1.log").read_text() == "x"


def test_folder_that_cannot_be_made_is_a_match_error(make_manifest, tmp_path):
    """One line, no traceback."""
    (tmp_path / "file").write_text("")
    with pytest.raises(MatchError, match="match folder"):
        prepare_folder(tmp_path / "file" / "x", make_manifest(), force=False)


def test_folder_without_manifest_cannot_be_resumed(tmp_path):
    """Nothing is guessed."""
    with pytest.raises(MatchError, match="holds no match"):
        read_manifest(tmp_path)
    (tmp_path / MANIFEST_NAME).write_bytes(b"\xff")
    with pytest.raises(MatchError, match="cannot be read"):
        read_manifest(tmp_path)
    (tmp_path / MANIFEST_NAME).write_text("{")
    with pytest.raises(MatchError, match="not a readable"):
        read_manifest(tmp_path)


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
