"""The manifest of a match."""

import json
import os

import numpy as np
import pytest

from dealer.bots.participants import BotKind, Participant
from dealer.errors import MatchError
from dealer.series.manifest import (
    MANIFEST_NAME,
    TOURNAMENT_NAME,
    differences,
    from_json,
    read_manifest,
    to_json,
)
from tests.helpers.said import refused, says


def test_manifest_survives_the_file(make_manifest):
    """Everything that matters for playing again is in it."""
    manifest = make_manifest(
        bots=(
            Participant("r", BotKind.SHIPPED, ("rule", "--x", "a b")),
            Participant("g", BotKind.LISTEN, (), 4000),
        ),
        runs=3,
        duplicate=False,
        dealer_options=(("t_response", 100), ("invalid", "call")),
        versions=(("acpc-arena", "1"),),
    )
    assert from_json(to_json(manifest)) == manifest


def test_options_keep_their_texts_in_the_file(make_manifest):
    """They have types in memory; a folder that is resumed gets the file that it had."""
    document = json.loads(to_json(make_manifest()))
    for reconnect in ("60", "2.0", "2.5"):
        options = {"t_hand": "-5", "invalid": "fold", "listen": "::1", "reconnect": reconnect}
        document["dealer_options"] = options
        document["bots"][0]["clocks"] = {"t_response": "800", "t_per_hand": "-1"}
        text = json.dumps(document)
        manifest = from_json(text)
        assert manifest.dealer_options[0] == ("t_hand", -5)
        assert manifest.bots[0].clocks == (("t_response", 800), ("t_per_hand", -1))
        assert json.dumps(json.loads(to_json(manifest))) == json.dumps(json.loads(text))


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
        lambda document: document["bots"][0].update(words=[]),
        lambda document: document.update(hands_per_leg=10**3000),
        lambda document: document["bots"][0].update(label=document["bots"][1]["label"]),
        lambda document: document.update(style="gauntlet", challengers=3),
        lambda document: document.update(style="gauntlet", challengers="1"),
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
    with refused(MatchError, "not a readable"):
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


def test_changed_game_is_noticed(make_manifest):
    """The digest guards the rules against a change by hand."""
    text = to_json(make_manifest()).replace("20000 20000", "10000 10000")
    with pytest.raises(MatchError, match="digest"):
        from_json(text)


def test_differences_name_what_was_asked_otherwise(make_manifest):
    """One line for each; none for what does not change the match."""
    manifest = make_manifest()
    assert differences(manifest, make_manifest(working_directory="/", versions=(("a", "b"),))) == []
    other = make_manifest(hands=3, seed=8, dealer_options=(("t_hand", 3),))
    seed, options, hands = differences(manifest, other)
    says(seed, "seed: 7 in", "8 asked")
    says(options, "dealer options: - in", "--t_hand 3 asked")
    says(hands, "hands: 4 in", "3 asked", "not shorter")
    other = make_manifest(
        bots=(Participant("A", BotKind.LISTEN), Participant("B", BotKind.COMMAND, ("x",)))
    )
    (line,) = differences(manifest, other)
    says(line, "bots: A=/bin/sleep, B=/bin/sleep in", "A=listen:0, B=x asked")


def test_a_longer_match_is_no_other_one(make_manifest):
    """More hands or more runs begin with the same cards."""
    manifest = make_manifest(runs=2)
    assert differences(manifest, make_manifest(hands=5, runs=3)) == []
    (runs,) = differences(manifest, make_manifest(hands=5))
    says(runs, "runs: 2 in", "1 asked", "not shorter")


def test_folder_without_manifest_cannot_be_resumed(tmp_path):
    """Nothing is guessed."""
    with pytest.raises(MatchError, match="holds no match"):
        read_manifest(tmp_path)
    (tmp_path / "file").write_text("")
    with refused(MatchError, tmp_path / "file", "no match"):
        read_manifest(tmp_path / "file")
    (tmp_path / TOURNAMENT_NAME).write_text("{}")
    with refused(MatchError, "holds no match", "holds a tournament: arena tournament"):
        read_manifest(tmp_path)
    (tmp_path / MANIFEST_NAME).write_bytes(b"\xff")
    with pytest.raises(MatchError, match="cannot be read"):
        read_manifest(tmp_path)
    (tmp_path / MANIFEST_NAME).write_text("{")
    with pytest.raises(MatchError, match="not a readable"):
        read_manifest(tmp_path)


@pytest.mark.parametrize("name", ["\ud800", "/tmp/\udfff"])
def test_names_that_no_system_can_have_are_refused(make_manifest, name):
    """Half a character, which JSON can hold, would fail only when a bot is started."""
    document = json.loads(to_json(make_manifest()))
    document["working_directory"] = name
    with refused(MatchError, "not a readable"):
        from_json(json.dumps(document))


def test_a_pipe_in_the_place_of_a_manifest_is_refused(tmp_path):
    """Nobody waits for a writer."""
    os.mkfifo(tmp_path / "manifest.json")
    with pytest.raises(MatchError, match="not a file"):
        read_manifest(tmp_path)
