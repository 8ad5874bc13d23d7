"""The manifest of a match."""

import json
import os

import numpy as np
import pytest

from dealer.bots.participants import BotKind, Participant
from dealer.errors import MatchError
from dealer.series.given_deals import MatchDeals, SitIn
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
    ("part", "change"),
    [
        ("bot", {"label": "../../x"}),
        ("bot", {"label": 7}),
        ("bot", {"label": "B"}),
        ("bot", {"words": [None]}),
        ("bot", {"words": []}),
        ("bot", {"port": 70_000}),
        ("all", {"hands_per_leg": 10**3000}),
        ("all", {"hands_per_leg": 10**15}),
        ("all", {"hands_per_leg": -5}),
        ("all", {"hands_per_leg": 1e3}),
        ("all", {"style": "gauntlet", "challengers": 3}),
        ("all", {"style": "gauntlet", "challengers": "1"}),
        ("all", {"runs": 10**7}),
        ("all", {"runs": "many"}),
        ("all", {"seed": 2**32}),
        ("all", {"duplicate": "yes"}),
        ("all", {"dealer_options": {"t_hand": 5}}),
        ("all", {"dealer_options": []}),
        ("all", {"working_directory": "a\0b"}),
        ("all", {"working_directory": "/tmp/\udfff"}),
        ("all", {"versions": None}),
        ("game", {"file": "../../victim"}),
        ("game", {"file": ".."}),
        ("game", {"file": ""}),
        ("deals", {"file": "../x"}),
        ("deals", {"sha256": "00"}),
        ("deals", {"deals": 0}),
        ("deals", {"deals": ""}),
        ("sit_in", {"seat": 2}),
        ("sit_in", {"seat": -1}),
        ("sit_in", {"sha256": "0"}),
        ("sit_in", {"player": 5}),
        ("sit_in", {"player": "a\0"}),
        ("sit_in", {"bots": [{"label": "a"}]}),
    ],
)
def test_what_no_match_can_have_is_refused(make_manifest, part, change):
    """Names that lead out of the folder, numbers that would never end, other kinds of values."""
    deals, seat = MatchDeals("d", "0" * 64, 4), SitIn("Ann", 1, "0" * 64)
    manifest = make_manifest(duplicate=False, deals=deals, sit_in=seat)
    document = json.loads(to_json(manifest))
    assert from_json(json.dumps(document)) == manifest
    (document | {"all": document, "bot": document["bots"][0]})[part].update(change)
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
    """Nothing is guessed, and nobody waits for the writer of a pipe."""
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
    (tmp_path / MANIFEST_NAME).unlink()
    os.mkfifo(tmp_path / MANIFEST_NAME)
    with pytest.raises(MatchError, match="not a file"):
        read_manifest(tmp_path)
