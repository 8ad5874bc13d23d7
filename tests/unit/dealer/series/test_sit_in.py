"""Sitting in for a player of a log: what is asked for, kept, and found in the end."""

import hashlib
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from dealer.commands.requests import logged_bots
from dealer.errors import FolderInUse, MatchError, MatchUsageError
from dealer.results.aivat import LiveAivat
from dealer.results.match_result import match_result, seat_document, seat_text, seat_words
from dealer.series.folder import discard_folder, prepare_folder, settle_folder
from dealer.series.given_deals import DEALS_COPY_NAME, SIT_IN_AIVAT_NAME, SIT_IN_LOG_NAME, LoggedBot
from dealer.series.logs import MatchLogs
from dealer.series.manifest import differences, from_json, read_manifest, to_json
from protocol.gamedefs import builtin_path, load_builtin
from tests.helpers.random_logs import random_log
from tests.helpers.requests import match_request
from tests.helpers.said import refused, says

PLAYERS = {"hunl": "rule call", "nolimit3": "rule call third=call"}
LOG = [
    ("r300f", "3d2d|AcKc", (-100, 100), ("Ann", "Bob")),
    ("r300c/cc/cc/r600f", "3d2d|AcKc/2h3h4h/5d/9s", (300, -300), ("Bob", "Ann")),
    ("r20000c///", "AdAh|KcQc/2c7c8d/9h/3s", (20000, -20000), ("Ann", "Bob")),
]
"""A header and three hands of Ann, who has the big blind, the button, the big blind."""


pytestmark = pytest.mark.usefixtures("roster")


@pytest.fixture
def logged():
    """Return a function that writes a log of random play."""

    def write(game="hunl", hands=5):
        file = builtin_path(game).name
        random = np.random.default_rng(1)
        lines = random_log(load_builtin(game), 3, hands, random, game_name=file)
        Path("m.log").write_text("".join(f"{line}\n" for line in lines))

    return write


def request_of(text, game="hunl"):
    """Return what a command line of plain words asks for."""
    return match_request(f"{PLAYERS[game]} {text}")


@pytest.mark.parametrize("game", PLAYERS)
def test_the_first_bot_gets_the_seat(logged, game):
    """One leg of all hands of the player, or of fewer, in the game of the log."""
    logged(game)
    players = len(PLAYERS[game].split())
    for seat, name in enumerate(["Ann", "Bob", "Cleo"][:players]):
        request = request_of(f"--sit-in m.log {name}", game)
        manifest = request.manifest
        assert manifest.game_name == builtin_path(game).name
        assert (manifest.hands, manifest.runs, manifest.duplicate) == (5, 1, False)
        [leg] = manifest.legs()
        assert leg.seats.index(0) == manifest.sit_in.seat == seat
        assert [leg.seats[(seat + at) % players] for at in range(players)] == [*range(players)]
        assert request_of(f"--sit-in m.log {name} --hands 2", game).manifest.hands == 2
        assert manifest.deals.name == "m.log"
        assert manifest.deals.sha256 == hashlib.sha256(request.seat.deals).hexdigest()
        assert from_json(to_json(manifest)) == manifest


def test_the_game_can_be_named(logged):
    """It then counts, whatever the header says; a bare log needs it."""
    logged()
    Path("other.game").write_text(builtin_path("hunl").read_text())
    lines = Path("m.log").read_text().splitlines(keepends=True)
    Path("bare.log").write_text("".join(lines[1:]))
    for log in ("m.log", "bare.log"):
        request = request_of(f"--sit-in {log} Ann --game other.game")
        assert request.manifest.game_name == "other.game"
    with refused(MatchUsageError, "bare.log", "no header", "--game"):
        request_of("--sit-in bare.log Ann")


@pytest.mark.parametrize(
    ("options", "facts"),
    [
        ("--sit-in m.log Zoe", ["--sit-in m.log", "Zoe", "Ann, Bob"]),
        ("--sit-in m.log Ann --hands 6", ["m.log", "5 deals", "6 hands"]),
        ("x=call --sit-in m.log Ann", ["2 players", "3"]),
        ("--sit-in pipe Ann", ["--sit-in pipe", "a pipe", "--game"]),
    ],
)
def test_what_cannot_be_played_is_refused_in_one_line(logged, options, facts):
    """Before any folder is made."""
    logged()
    os.mkfifo("pipe")
    with refused(MatchUsageError, *facts):
        request_of(options)
    assert not Path("matches").exists()


def test_lines_that_are_left_out_are_told(logged, capsys):
    """With what keeps them from being played, and how many no seat comes to."""
    logged()
    lines = Path("m.log").read_text().splitlines()
    lines[2] = lines[2][:15]
    Path("m.log").write_text("".join(f"{line}\n" for line in lines))
    assert request_of("--sit-in m.log Ann").manifest.hands == 3
    told = capsys.readouterr().err.splitlines()
    says(told[0], "m.log:3: left out")
    says(told[1], "1 hand of Ann left out", "position")


def test_the_folder_keeps_deals_and_hands(logged, capsys):
    """So the match can be resumed without the log; a change in either is noticed."""
    logged()
    request = request_of("--sit-in m.log Ann --out m")
    manifest = request.manifest
    prepare_folder(Path("m"), manifest, force=False, seat=request.seat)
    Path("m.log").unlink()
    assert Path("m", DEALS_COPY_NAME).read_bytes() == request.seat.deals
    assert Path("m", SIT_IN_LOG_NAME).read_bytes() == request.seat.log
    settle_folder(Path("m"), manifest, manifest)
    assert match_request(["--resume", "m"]).manifest == manifest == read_manifest(Path("m"))
    again = ["--resume", "m", "--aivat", "--known"]
    assert match_request([*again, "Ann=always-call"]).aivat == ("--known", "Ann=always-call")
    with refused(MatchUsageError, "X", "rule, call, Ann, Bob"):
        match_request([*again, "X=rule"])
    with refused(MatchUsageError, "--resume", "--sit-in"):
        match_request(["--resume", "m", "--sit-in", "m.log", "Bob"])
    Path("m", SIT_IN_LOG_NAME).write_bytes(request.seat.log + b"\n")
    with refused(MatchError, Path("m", SIT_IN_LOG_NAME), "not the log"):
        settle_folder(Path("m"), manifest, manifest)
    Path("m", SIT_IN_AIVAT_NAME).touch()
    discard_folder(Path("m"), manifest)
    assert not Path("m").exists()


def test_a_match_is_replaced_by_one_in_a_seat_of_its_own_log(logged):
    """--force plays a log of the folder again; files of others there are never touched."""
    logged()
    request = request_of("--sit-in m.log Ann")
    prepare_folder(Path("m"), request.manifest, force=False, seat=request.seat)
    again = request_of(f"--sit-in m/{SIT_IN_LOG_NAME} Bob --game hunl")
    prepare_folder(Path("m"), again.manifest, force=True, seat=again.seat)
    assert read_manifest(Path("m")) == again.manifest
    discard_folder(Path("m"), again.manifest)
    for name in (DEALS_COPY_NAME, SIT_IN_LOG_NAME):
        Path("own").mkdir(exist_ok=True)
        Path("own", name).write_text("mine")
        with refused(FolderInUse, name, "exists", "no match"):
            prepare_folder(Path("own"), request.manifest, force=True, seat=request.seat)
        assert Path("own", name).read_text() == "mine"
        Path("own", name).unlink()
        Path("own", DEALS_COPY_NAME).unlink(missing_ok=True)


def test_another_seat_is_another_match(logged):
    """Deals may be the same."""
    logged()
    ann, bob = (request_of(f"--sit-in m.log {name} --seed 1").manifest for name in ("Ann", "Bob"))
    says("\n".join(differences(ann, bob)), "seat", "Ann", "Bob")


def result_of(write_log, played):
    """Return the result of a match in which Ann's seat is played again."""
    write_log(Path("m.log"), LOG)
    request = request_of("--sit-in m.log Ann --game hunl --out m")
    prepare_folder(Path("m"), request.manifest, force=False, seat=request.seat)
    [leg] = request.manifest.legs()
    write_log(Path("m") / f"{leg.name}.log", played)
    logs = MatchLogs(request.manifest, request.game, Path("m"))
    logs.read_new()
    return match_result(logs, lambda count: None)


@pytest.mark.parametrize("hands", [0, 1])
def test_only_hands_that_were_played_count(write_log, hands):
    """A match that was stopped is compared as far as it went; before the first hand not at all."""
    played = [("f", "3d2d|AcKc", (50, -50), ("rule", "call"))]
    found = result_of(write_log, played[:hands]).sit_in
    assert found.hands == hands
    if hands:
        says(seat_words(found), "rule won 1,500.0 ± ? mbb/h more", "Ann", "1 hand")
    else:
        assert (seat_text(found), seat_document(found)["text"]) == ("", None)


def test_what_both_won_is_paired_hand_by_hand(write_log):
    """By every estimator; the interval is that of the differences."""
    played = [
        ("f", "3d2d|AcKc", (50, -50), ("rule", "call")),
        ("r300f", "3d2d|AcKc", (100, -100), ("call", "rule")),
        ("r20000c///", "AdAh|KcQc/2c7c8d/9h/3s", (20000, -20000), ("rule", "call")),
    ]
    found = result_of(write_log, played).sit_in
    assert (found.player, found.bot, found.hands) == ("Ann", "rule", 3)
    raw, allin = found.difference
    assert (raw.name, allin.name) == ("raw", "allin")
    pairs = np.array([50 + 100, -100 + 300, 0]) * 10
    assert raw.rate.mbb_per_hand == pytest.approx(pairs.mean())
    assert raw.rate.sd == pytest.approx(pairs.std(ddof=1))
    assert allin.rate == raw.rate
    assert found.of_player[0].rate.mbb_per_hand == pytest.approx(10 * (-100 - 300 + 20000) / 3)
    assert found.of_bot[1].rate.mbb_per_hand < found.of_bot[0].rate.mbb_per_hand
    words = seat_words(found)
    says(words, "rule won 1,166.7 ± 2,585.6 mbb/h more", "Ann", "3 hands", "all-in expectation")
    table = seat_text(found).splitlines()
    rows = [line.split("  ")[0].split(",")[0] for line in table[2:5]]
    assert rows == ["Ann", "rule", "difference"]
    says(table[0], "seat of Ann")
    assert table[5:] == ["", f"sit-in: {words}"]
    document = seat_document(found)
    assert document["paired_differences"]["raw"]["mbb_per_hand"] == pytest.approx(pairs.mean())
    assert document["player_win_rates"]["allin"]["hands"] == 3


PLAYED = [
    ("f", "3d2d|AcKc", (50, -50), ("rule", "call")),
    ("r300f", "3d2d|AcKc", (100, -100), ("call", "rule")),
]
HEAD = (
    "# values abc\n# {} is blueprint\n"
    "place,hand,position0,position1,big_blind,won,allin,aivat,end,deal,board,actions\n"
)


@pytest.fixture
def estimated(write_log, monkeypatch):
    """A match of two hands in Ann's seat, and what AIVAT is asked for; its files are there."""
    write_log(Path("m.log"), LOG)
    monkeypatch.setattr("dealer.commands.requests.what_is_wrong", lambda words: "")
    words = "--sit-in m.log Ann --game hunl --out m --aivat --known Bob=blueprint --known call"
    request = request_of(f"{words} --values checked-down")
    prepare_folder(Path("m"), request.manifest, force=False, seat=request.seat)
    leg = Path("m") / request.manifest.legs()[0].name
    write_log(leg.with_name(f"{leg.name}.log"), PLAYED)
    leg.with_name(f"{leg.name}.aivat").write_text(
        HEAD.format("call")
        + "x:1,0,rule,call,100,50.0,50.0,20.0,0,0,0,0\n"
        + "x:2,1,call,rule,100,100.0,100.0,-3.0,0,0,0,0\n"
    )
    Path("m", "sit-in.aivat").write_text(
        HEAD.format("Bob")
        + "x:1,0,Ann,Bob,100,-100.0,-100.0,-30.0,0,0,0,0\n"
        + "x:2,1,Bob,Ann,100,300.0,300.0,-7.0,0,0,0,0\n"
    )
    asked = []
    monkeypatch.setattr(
        "dealer.results.aivat.estimate_beside", lambda *told, shown: asked.append(told)
    )
    logs = MatchLogs(request.manifest, request.game, Path("m"))
    logs.read_new()
    return logs, LiveAivat(logs, request.aivat), asked


def test_the_difference_is_paired_by_aivat_too(estimated):
    """Of the match and of the log; each is told of those who play there, and of hands played."""
    logs, live, asked = estimated
    aivat = live.estimates(1, shown=False)
    found = match_result(logs, lambda _: None, aivat, live.seat_estimates(1, shown=False)).sit_in
    rates = {one.name: one.rate for one in found.difference}
    pairs = np.array([20 + 30, 3 - 7]) * 10
    assert list(rates) == ["raw", "allin", "aivat"]
    assert rates["aivat"].mbb_per_hand == pytest.approx(pairs.mean())
    assert rates["aivat"].sd == pytest.approx(pairs.std(ddof=1))
    assert rates["raw"].mbb_per_hand == pytest.approx(10 * (150 + 200) / 2)
    says(seat_words(found), "2 hands", "AIVAT")
    assert "AIVAT" in seat_text(found).splitlines()[0]
    document = seat_document(found)
    assert document["aivat_of_log"] == {"values": "abc", "known": {"Bob": "blueprint"}}
    assert document["paired_differences"]["aivat"]["samples"] == 2
    values = ["--values", "checked-down"]
    (folders, *_), (logs_asked, _, words, _) = asked
    assert (folders, logs_asked) == ([Path("m")], [Path("m", SIT_IN_LOG_NAME)])
    assert words == ["--known", "Bob=blueprint", *values, "--most", "2"]


def test_without_estimates_of_the_log_the_difference_stays_as_it_is(estimated):
    """Estimates of fewer hands, or of the match alone, are none of the difference."""
    logs, live, _ = estimated
    aivat = live.estimates(1, shown=False)
    beside = Path("m", "sit-in.aivat")
    beside.write_text(beside.read_text().rsplit("\n", 2)[0] + "\n")
    with refused(MatchError, "no AIVAT", "sit-in.aivat"):
        live.seat_estimates(1, shown=False)
    found = match_result(logs, lambda _: None, aivat).sit_in
    assert [one.name for one in found.difference] == ["raw", "allin"]
    assert "aivat_of_log" not in seat_document(found)


def test_who_played_in_the_log_is_kept_as_far_as_it_is_known(logged):
    """From the match folder that it lies in; a name of two bots is nobody."""
    logged()
    one = request_of("--seed 1 --out one").manifest
    other = match_request(["rule", "call=rule", "--seed", "1", "--out", "other"]).manifest
    for name, manifest in (("one", one), ("other", other)):
        prepare_folder(Path(name), manifest, force=False)
    rule, call = LoggedBot("rule", ("rule",)), LoggedBot("call", ("call",))
    logs = [Path(name, "rule.call.0.1.log") for name in ("one", "other")]
    assert logged_bots(logs[:1]) == (rule, call)
    assert logged_bots(logs) == (rule,)
    assert logged_bots([Path("one", "mine.log"), Path("one", SIT_IN_LOG_NAME), Path("m.log")]) == ()
    manifest = request_of("--sit-in m.log Ann --game hunl").manifest
    assert manifest.sit_in.bots == ()
    kept = replace(manifest, sit_in=replace(manifest.sit_in, bots=(rule, call)))
    assert from_json(to_json(kept)) == kept
    prepare_folder(Path("again"), kept, force=False, seat=None)
    assert logged_bots([Path("again", SIT_IN_LOG_NAME)]) == (rule, call)
