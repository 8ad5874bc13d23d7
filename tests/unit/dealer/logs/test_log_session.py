"""Logs counted: folders, copies, duplicate sets, hands with stacks and blinds of their own."""

import json

import numpy as np
import pytest

from dealer.logs import stats
from dealer.logs.log_session import Counting, LogSession
from dealer.ratings import rate_command as rate
from engine.errors import LogError
from engine.estimates.winrate import win_rate
from engine.handlogs.source.complaints import Complaints
from protocol.gamedefs import load_builtin
from protocol.handlog import parse_log_line
from tests.helpers.random_logs import random_log
from tests.helpers.said import refused, says, says_in_a_line

GAME = load_builtin("hulhe")
FILE = "holdem.limit.2p.reverse_blinds.game"


def write_match(folder, *, seed=5, play=1, hands=60, manifest=True):
    """Write the two legs of a duplicate match, as `arena match` leaves them."""
    folder.mkdir()
    legs = []
    for seating, names in enumerate((("Ann", "Bob"), ("Bob", "Ann"))):
        random = np.random.default_rng(10 * play + seating)
        lines = random_log(GAME, seed, hands, random, names=names, game_name=FILE)
        (folder / f"Ann.Bob.0.{seating}.log").write_text("\n".join(lines) + "\n")
        legs.append({"name": f"Ann.Bob.0.{seating}", "seed": seed, "seats": names})
    if manifest:
        (folder / "manifest.json").write_text(json.dumps({"format": 1, "legs": legs}))
    return folder


def rows_of(capsys, *arguments):
    """Return the rows of `arena stats --json` by player, and stderr."""
    assert stats.main([*map(str, arguments), "--json"]) == 0
    out, err = capsys.readouterr()
    return {row["player"]: row for row in json.loads(out)}, err


def won_by_ann(folder):
    """Chips Ann won, (2, hands), a row per leg."""
    return np.array(
        [
            [
                float(record.values[record.names.index("Ann")])
                for record in map(parse_log_line, log.read_text().splitlines())
                if hasattr(record, "betting")
            ]
            for log in sorted(folder.glob("Ann*.log"))
        ]
    )


def test_a_folder_is_its_legs_and_sets_are_found(capsys, tmp_path):
    """The rate over sets is that of the means of both seatings, deal by deal."""
    folder = write_match(tmp_path / "m")
    (folder / "stranger.log").write_text("nothing of this match\n")
    rows, err = rows_of(capsys, folder)
    expected = win_rate(won_by_ann(folder).mean(axis=0), GAME.big_blind)
    assert err == ""
    assert rows["Ann"]["hands"] == rows["Ann"]["sets"]["hands"] == 120
    assert rows["Ann"]["sets"]["samples"] == 60
    for what in ("mbb_per_hand", "ci95", "sd"):
        assert rows["Ann"]["sets"][what] == pytest.approx(getattr(expected, what))
    assert rows["Bob"]["sets"]["mbb_per_hand"] == pytest.approx(-expected.mbb_per_hand)
    stats.main([str(folder)])
    out = capsys.readouterr().out
    assert out.split()[:4] == ["player", "hands", "mbb/h", "sets"]
    says(out.splitlines()[-1], "sets:", "60 a player")


def test_folders_of_other_seeds_add_up(capsys, tmp_path):
    """Their sets are independent samples."""
    first = write_match(tmp_path / "a", seed=5)
    second = write_match(tmp_path / "b", seed=6, play=2, manifest=False)
    rows, err = rows_of(capsys, first, second)
    sets = np.concatenate([won_by_ann(folder).mean(axis=0) for folder in (first, second)])
    assert err == ""
    assert rows["Ann"]["sets"]["samples"] == 120
    expected = win_rate(sets, GAME.big_blind)
    assert rows["Ann"]["sets"]["ci95"] == pytest.approx(expected.ci95)


def test_the_same_deals_in_two_folders_are_no_new_samples(capsys, tmp_path):
    """Each deal stays one sample, worth the mean of its plays, and stderr says so."""
    first = write_match(tmp_path / "a")
    second = write_match(tmp_path / "b", play=2)
    rows, err = rows_of(capsys, first, second)
    sets = (won_by_ann(first).mean(axis=0) + won_by_ann(second).mean(axis=0)) / 2
    expected = win_rate(sets, GAME.big_blind)
    assert (rows["Ann"]["hands"], rows["Ann"]["sets"]["samples"]) == (240, 60)
    assert rows["Ann"]["sets"]["ci95"] == pytest.approx(expected.ci95)
    says(err, "arena stats", "120 hands", "cards")


def test_copies_are_counted_once(capsys, tmp_path):
    """Byte by byte the same, under whatever name."""
    folder = write_match(tmp_path / "m")
    copy = tmp_path / "copy.log"
    copy.write_bytes((folder / "Ann.Bob.0.1.log").read_bytes())
    rows, err = rows_of(capsys, folder, copy, folder / "Ann.Bob.0.0.log")
    assert rows["Ann"]["hands"] == 120
    assert [line.rpartition(" ")[0].split(": ")[1] for line in err.splitlines()] == [
        f"the same as {folder / 'Ann.Bob.0.1.log'}, counted",
        f"the same as {folder / 'Ann.Bob.0.0.log'}, counted",
    ]


def test_one_seating_makes_no_sets(capsys, tmp_path):
    """Nor do logs of one seed whose seats are the same."""
    folder = write_match(tmp_path / "m")
    rows, _ = rows_of(capsys, folder / "Ann.Bob.0.0.log")
    assert rows["Ann"]["sets"] is None


FREEZEOUT = """\
STATE:1:1500|1500:20|10:r60f:8sQd|Ks7h:-20|20:Ann|Bob
STATE:2:1520|1480:40|20:r1480c///:8sQc|AsAh/2d3d4d/6d/7c:-1480|1480:Bob|Ann
STATE:3:2960|40:40|20:f:8sQd|Ks7h:20|-20:Ann|Bob
"""


def test_a_log_with_stacks_and_blinds_is_counted(tmp_path, capsys):
    """In the big blinds of each hand; three players are a game that must be named."""
    path = tmp_path / "freezeout.log"
    path.write_text(FREEZEOUT)
    assert stats.main([str(path), "--json"]) == 0
    ann, bob = json.loads(capsys.readouterr().out)
    assert ann["raw"]["mbb_per_hand"] == pytest.approx(1000 * (-1 + 37 + 0.5) / 3)
    assert bob["raw"]["mbb_per_hand"] == -ann["raw"]["mbb_per_hand"]
    path.write_text("STATE:1:90|90|90:5|10|0:ff:8sQd|Ks7h|AsAh:-5|5|0:A|B|C\n")
    assert stats.main([str(path)]) == 2
    says_in_a_line(capsys.readouterr().err, "no header", "--game")
    assert stats.main([str(path), "--game", "nolimit3"]) == 0


@pytest.mark.parametrize("main", [stats.main, rate.main], ids=["stats", "rate"])
@pytest.mark.parametrize(
    ("text", "code", "facts"),
    [
        ("# nothing\n", 1, ["no hand"]),
        ("STATE:0:cc:Qs|Ks:-1|1:a|b\n", 2, ["no header", "--game"]),
        ("# name/game/hands/seed m chess.game 1 1\nSTATE:0:cc:Qs|Ks:-1|1:a|b\n", 2, ["chess.game"]),
    ],
    ids=["no hand", "no header", "unknown game"],
)
def test_nothing_to_count(tmp_path, capsys, main, text, code, facts):
    """A log without hands is exit code 1, hands of an unknown game 2; each is told in a line."""
    log = tmp_path / "x.log"
    log.write_text(text)
    assert main([str(log)]) == code
    said = capsys.readouterr()
    assert said.out == ""
    says_in_a_line(said.err, log, *facts)


@pytest.mark.parametrize("main", [stats.main, rate.main], ids=["stats", "rate"])
def test_bad_hands_are_told_and_the_others_counted(tmp_path, capsys, main):
    """Nothing is skipped silently."""
    log = tmp_path / "x.log"
    lines = random_log(GAME, 5, 4, np.random.default_rng(1), game_name=FILE)
    log.write_text("\n".join([*lines[:5], "STATE:9:rrrrrrrrf:|:0|0:a|b", "STATE:junk"]) + "\n")
    assert main([str(log), "--no-allin-ev"]) == 1
    said = capsys.readouterr()
    says(said.err, "x.log:6: left out: illegal action", "x.log:7: left out", "STATE")
    assert "all-in" not in said.out
    assert ["Ann", "4"] in [line.split()[:2] for line in said.out.splitlines()]


def test_what_is_told_of_each_log(tmp_path):
    """How far it was read, what was left out, and why it could not be read at all."""
    folder = write_match(tmp_path / "m")
    whole, cut = sorted(folder.glob("*.log"))
    cut.write_text("\n".join([*cut.read_text().splitlines()[:9], "STATE:junk", ""]))
    (folder / "noise.log").write_bytes(bytes(9) + b"\n")
    logs, left_out = [whole, cut, folder / "none.log", folder / "noise.log"], []
    session = LogSession(logs, Counting(begins_within=1), Complaints(left_out.append))
    counted = session.count(lambda log: None)
    assert [(log.hands, log.left_out, log.begun, log.ended) for log in counted.logs] == [
        *((60, 0, True, True), (8, 1, True, False), (0, 0, False, False), (0, 0, False, False)),
    ]
    assert [log.error is not None for log in counted.logs] == [False, False, True, True]
    assert len(left_out) == counted.complaints.count == 1
    (game,) = counted.games
    assert dict(+game.hands) == {whole: 60, cut: 8}
    assert len(game.tally.results()) == 68
    with refused(LogError, "none.log"):
        LogSession(logs, Counting(), Complaints(left_out.append)).count()
