"""What a command line of `arena match` asks for."""

from dataclasses import replace
from pathlib import Path

import pytest

from dealer.commands import requests
from dealer.errors import MatchUsageError
from dealer.series.folder import prepare_folder
from dealer.series.leg_settings import LegSettings, leg_plan
from dealer.series.manifest import from_json, read_manifest, to_json
from tests.helpers.requests import match_request
from tests.helpers.said import says

pytestmark = pytest.mark.usefixtures("roster")


def test_two_names_are_enough():
    """Heads-up no-limit, a thousand hands each way, cards nobody can foresee."""
    request = match_request("rule call")
    manifest = request.manifest
    assert manifest.labels == ("rule", "call")
    assert manifest.game_name == "holdem.nolimit.2p.reverse_blinds.game"
    assert (manifest.hands, manifest.runs, manifest.duplicate) == (1000, 1, True)
    assert request.folder == Path("matches") / f"rule.call-{manifest.seed}"
    assert (request.jobs, request.resume, request.quiet, request.json) == (3, False, False, None)
    assert request.affinity is None
    assert match_request("rule call").manifest.seed != manifest.seed


def test_everything_can_be_said(tmp_path):
    """Options may stand between the bots."""
    request = match_request(
        "rule --game kuhn --hands 10 x=call --seed 5 --runs 3 --no-duplicate --t_response 100 "
        "--t_hand -1 --t_per_hand 7 --start_timeout 9 --reconnect 2.5 --invalid fold "
        "--listen 0.0.0.0 --out o --force --jobs 4 --affinity --recover --events --quiet "
        "--json j"
    )
    manifest = request.manifest
    assert manifest.labels == ("rule", "x")
    assert manifest.game_name == "kuhn.limit.2p.game"
    assert (manifest.hands, manifest.seed, manifest.runs) == (10, 5, 3)
    assert not manifest.duplicate
    assert dict(manifest.dealer_options) == {
        "t_response": 100,
        "t_hand": -1,
        "t_per_hand": 7,
        "start_timeout": 9,
        "reconnect": 2.5,
        "invalid": "fold",
        "listen": "0.0.0.0",
    }
    assert manifest.working_directory == str(tmp_path)
    assert (request.folder, request.json, request.jobs) == (Path("o"), Path("j"), 4)
    assert request.force
    assert request.affinity
    assert request.recover
    assert request.events
    assert request.quiet


def test_game_may_be_a_file(tmp_path):
    """Its copy in the match folder has a name without blanks, as log headers want it."""
    text = match_request("rule call --game leduc").manifest.game_text
    (tmp_path / "my own.game").write_text(text)
    request = match_request(["rule", "call", "--game", "my own.game"])
    assert (request.manifest.game_name, request.manifest.game_text) == ("my_own.game", text)
    assert request.game.ranks == 3


def test_recover_brings_a_time_to_come_back():
    """A bot that is started again is of no use to a dealer that has given up."""
    assert dict(match_request("rule call --recover").manifest.dealer_options) == {"reconnect": 60}


def test_a_bot_may_have_time_limits_of_its_own():
    """By its label; the last word counts, and what is not labelled is for all."""
    manifest = match_request(
        "me=rule call --t_hand call=-1 --t_response 5 --t_response me=7 --t_response me=8 "
        "--t_response call=9"
    ).manifest
    assert dict(manifest.dealer_options) == {"t_response": 5}
    me, call = manifest.bots
    assert me.clocks == (("t_response", 8),)
    assert call.clocks == (("t_response", 9), ("t_hand", -1))
    leg = manifest.legs()[1]
    match = leg_plan(LegSettings(manifest, Path(), print), leg).match
    assert match.limits.t_response == 5
    clocks = [(("t_response", 9), ("t_hand", -1)), (("t_response", 8),)]
    assert [seat.clocks for seat in match.seats] == clocks
    assert from_json(to_json(manifest)) == manifest


def test_shipped_bot_may_play_a_game_that_is_not_built_in(tmp_path):
    """The roster knows only the built-in ones; a copy of such a one counts as it."""
    text = match_request("shy call --game leduc").manifest.game_text
    (tmp_path / "my.game").write_text(text)
    match_request("shy call --game my.game")
    (tmp_path / "my.game").write_text(text.replace("maxRaises = 2 2", "maxRaises = 3 3"))
    match_request("shy call --game my.game")


def test_help_names_the_options_of_bots_and_explains_a_warning(capsys):
    """Where people look first."""
    with pytest.raises(SystemExit):
        match_request("--help")
    text = capsys.readouterr().out
    says(text, "arena agent NAME --help")
    assert '"ignored: another state"' in text


def test_game_file_that_is_no_text_is_refused(tmp_path):
    """With its name."""
    (tmp_path / "bad.game").write_bytes(b"\xff")
    with pytest.raises(MatchUsageError, match=r"--game bad\.game"):
        match_request("rule call --game bad.game")


def test_resume_needs_nothing_but_the_folder(tmp_path, make_manifest):
    """All of the match is in its manifest; how to run it is said anew."""
    manifest = make_manifest(dealer_options=(("t_hand", 5),), working_directory="/")
    prepare_folder(tmp_path / "m", manifest, force=False)
    request = match_request("--resume m --jobs 2")
    assert replace(request.manifest, bots=manifest.bots) == manifest
    assert (request.resume, request.folder, request.jobs) == (True, Path("m"), 2)


def test_resume_accepts_what_agrees_and_refuses_what_does_not(tmp_path, make_manifest):
    """Nobody gets another match than was asked for."""
    prepare_folder(tmp_path / "m", make_manifest(seed=0, runs=2), force=False)
    match_request("A=/bin/sleep B=/bin/sleep --game hunl --hands 4 --seed 0 --runs 2 --resume m")
    for words, complaint in (
        ("--hands 3", "hands: 4 in the folder, 3 asked for .it can be made longer, not shorter."),
        ("--seed 3", "seed"),
        ("--runs 1", "runs: 2 in the folder, 1 asked for"),
        ("--no-duplicate", "duplicate"),
        ("--game kuhn", "game"),
        ("--t_hand 3", "dealer options"),
        ("--t_hand A=3", "A=/bin/sleep --t_hand 3, B=/bin/sleep"),
        ("rule call", "bots"),
    ):
        with pytest.raises(MatchUsageError, match=complaint):
            match_request(f"{words} --resume m")


def test_resume_may_make_the_match_longer(tmp_path, make_manifest):
    """Nothing else of it changes, and nothing in the folder yet."""
    before = make_manifest()
    prepare_folder(tmp_path / "m", before, force=False)
    request = match_request("--resume m --hands 9 --runs 2")
    assert request.stored == before
    assert replace(request.manifest, bots=before.bots) == make_manifest(hands=9, runs=2)
    assert read_manifest(tmp_path / "m") == before


@pytest.mark.parametrize(
    ("words", "jobs"),
    [("rule call", 3), ("rule listen", 1), ("rule listen:4000", 1), ("rule listen --jobs 2", 2)],
)
def test_legs_go_side_by_side_unless_somebody_has_to_sit_down(words, jobs):
    """Who starts a bot by hand may have only one; who has more says so."""
    assert match_request(words).jobs == jobs


def test_resume_with_recover_needs_a_match_that_allows_coming_back(tmp_path, make_manifest):
    """The dealer's options are part of the match and stay."""
    prepare_folder(tmp_path / "m", make_manifest(), force=False)
    with pytest.raises(MatchUsageError, match="--recover needs"):
        match_request("--resume m --recover")


@pytest.mark.parametrize(
    ("words", "faster"),
    [
        ("O1 O5 --hands 5000", True),
        ("O1 O5 --sprt mbb1=10", True),
        ("O1 O5 --hands 4999", False),
        ("O1 O5 --hands 5000 --no-duplicate", False),
        ("O1 O5 --hands 5000 --in-process", False),
        ("O1 O5 --hands 5000 --events", False),
        ("O1 O5 --hands 5000 --recover", False),
        ("O1 O5 --hands 5000 --quiet", False),
        ("O1 rule --hands 5000", False),
        ("O1 listen --hands 5000", False),
    ],
)
def test_a_long_match_of_compiled_bots_could_be_faster(monkeypatch, words, faster):
    """It is said where nothing that only dealers have was asked for."""
    roster = dict.fromkeys(("O1", "O5", "rule"), ("hunl",))
    monkeypatch.setattr("dealer.commands.requests.shipped_bots", lambda names: roster)
    compiled = frozenset(("O1", "O5"))
    monkeypatch.setattr("dealer.commands.requests.compiled_bots", lambda names: compiled)
    assert match_request(words).faster is faster


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("rule call --affinity --executor mpi", "--affinity is about this machine"),
        ("rule listen --executor dask:x:1", "connects by itself"),
        ("rule call --executor processes", 'call thinks by the clock.*"call --steps 100"$'),
    ],
)
def test_what_other_machines_would_not_play_alike_is_refused(monkeypatch, words, wanted):
    """Nor what they cannot play; the option that helps is named."""
    monkeypatch.setattr(requests, "clock_options", lambda names: {"call": "--steps"})
    monkeypatch.setattr(requests, "CAN_PIN", True)
    with pytest.raises(MatchUsageError, match=wanted):
        match_request(words)


def test_an_executor_is_part_of_the_request(monkeypatch):
    """A bot of the clock may play once it counts steps."""
    monkeypatch.setattr(requests, "clock_options", lambda names: {"call": "--steps"})
    words = ["rule", "call --steps=7", "--executor", "dask:tcp://10.0.0.1:8786"]
    assert match_request(words).executor == "dask:tcp://10.0.0.1:8786"
    assert match_request("rule rule").executor is None


def test_an_executor_that_is_none_is_refused(capsys):
    """In a line, before anything is made."""
    with pytest.raises(SystemExit):
        match_request("rule call --executor ray:1")
    assert "ray:1: want dask:ADDRESS, mpi or processes" in capsys.readouterr().err
