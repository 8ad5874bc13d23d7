"""arena rate: what it takes, what it prints, what it refuses."""

import csv
import io
import json

import numpy as np
import pytest

from dealer.ratings import rate_command
from engine.estimates.winrate import win_rate
from protocol.gamedefs import load_builtin
from protocol.handlog import parse_log_line
from tests.helpers.random_logs import random_log
from tests.helpers.said import says

HUNL = load_builtin("hunl")
HUNL_FILE = "holdem.nolimit.2p.reverse_blinds.game"


def lines_of(names, seed=5, hands=30, play=1, game=HUNL, game_name=HUNL_FILE):
    """Lines of one leg."""
    random = np.random.default_rng(play)
    return random_log(game, seed, hands, random, names=names, game_name=game_name)


@pytest.fixture
def match(tmp_path):
    """Two legs of a duplicate match, and one more that has other cards."""
    legs = {
        "one": lines_of(("Ann", "Bob")),
        "two": lines_of(("Bob", "Ann"), play=2),
        "three": lines_of(("Ann", "Bob"), seed=6, hands=10),
    }
    for name, lines in legs.items():
        (tmp_path / f"{name}.log").write_text("\n".join(lines) + "\n")
    return tmp_path


def run(capsys, *arguments):
    """Run the command; return exit code, stdout and stderr."""
    try:
        code = rate_command.main([*map(str, arguments)])
    except SystemExit as stopped:
        code = stopped.code
    out = capsys.readouterr()
    return code, out.out, out.err


def won(path, player):
    """Return chips won by a player, from the text alone."""
    hands = [parse_log_line(line) for line in path.read_text().splitlines() if line[0] == "S"]
    return np.array(
        [float(hand.values[hand.names.index(player)]) for hand in hands if hasattr(hand, "hand_id")]
    )


def test_every_estimator_has_a_column(capsys, match):
    """Duplicate sets are found in the logs alone; the rest says how to read them."""
    code, out, err = run(capsys, match)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "built-in holdem.nolimit.2p.reverse_blinds: 70 hands, 2 players"
    titles = "raw", "duplicate sets", "all-in expectation", "all-in exp. in sets"
    assert lines[2].startswith("player  hands  SD, mbb ")
    assert all(title in lines[2] for title in titles)
    assert [line.split()[:2] for line in lines[4:6]] == [["Ann", "70"], ["Bob", "70"]]
    assert lines[4].count("x") == 3
    says(out, "30 deals", "every seating", "consistency check")
    assert lines[-1].startswith("x1.5: without this estimator")


def test_json_has_every_number(capsys, match):
    """The figures are those of the logs; what is not known is null."""
    code, out, _ = run(capsys, match, "--json")
    assert code == 0
    document = json.loads(out, parse_constant=pytest.fail)
    assert (document["logs"], document["lines_left_out"]) == (3, 0)
    [game] = document["games"]
    assert (game["hands"], game["sessions"], game["duplicate_sets"]) == (70, 3, 30)
    ann, bob = game["players"]
    chips = np.concatenate([won(match / f"{name}.log", "Ann") for name in ("one", "two", "three")])
    expected = win_rate(chips, 100)
    raw = ann["estimators"]["raw"]
    assert raw["mbb_per_hand"] == pytest.approx(expected.mbb_per_hand)
    assert raw["ci95_mbb_per_hand"] == pytest.approx(expected.ci95)
    assert (raw["sample_unit"], raw["hands_saved_factor"]) == ("hand", 1)
    sets = (won(match / "one.log", "Ann") + won(match / "two.log", "Ann")) / 2
    expected = win_rate(sets, 100, hands_per_sample=2)
    found = ann["estimators"]["sets"]
    assert found["mbb_per_hand"] == pytest.approx(expected.mbb_per_hand)
    assert found["ci95_mbb_per_hand"] == pytest.approx(expected.ci95)
    assert (found["sample_unit"], found["samples"], found["hands"]) == ("duplicate set", 30, 60)
    same = np.concatenate((won(match / "one.log", "Ann"), won(match / "two.log", "Ann")))
    factor = np.var(same, ddof=1) / (2 * np.var(sets, ddof=1))
    assert found["hands_saved_factor"] == pytest.approx(factor)
    for name in ("raw", "sets", "allin", "allin_sets"):
        mean = ann["estimators"][name]["mbb_per_hand"]
        assert bob["estimators"][name]["mbb_per_hand"] == pytest.approx(-mean)
    [pair] = game["groups"]
    assert (pair["player"], pair["against"]) == ("Ann", ["Bob"])
    assert game["guard"]["significance_level"] == 0.01
    [compared] = game["guard"]["comparisons"]
    assert compared["estimators"] == ["raw", "allin"]
    apart = ann["estimators"]["raw"]["mbb_per_hand"] - ann["estimators"]["allin"]["mbb_per_hand"]
    assert compared["difference_mbb_per_hand"] == pytest.approx(apart)
    verdict = game["verdict"]
    assert (verdict["decided"], verdict["estimator"], verdict["samples"]) == (
        *(False, "allin_sets", 30),
    )
    assert verdict["text"] in run(capsys, match)[1]


def test_csv_has_a_line_for_each(capsys, match, tmp_path):
    """On stdout instead of the table, or in a file beside it."""
    code, out, _ = run(capsys, match, "--csv", "-")
    table = out
    rows = list(csv.DictReader(io.StringIO(table)))
    assert code == 0
    assert [(row["player"], row["against"], row["estimator"]) for row in rows[::4]] == [
        ("Ann", "", "raw"),
        ("Bob", "", "raw"),
        ("Ann", "Bob", "raw"),
    ]
    assert rows[0]["mbb_per_hand"] == rows[8]["mbb_per_hand"]
    code, out, _ = run(capsys, match, "--csv", tmp_path / "x.csv", "--json", tmp_path / "x.json")
    assert code == 0
    assert out.startswith("built-in holdem")
    assert (tmp_path / "x.csv").read_text() == table
    assert json.loads((tmp_path / "x.json").read_text())["logs"] == 3


def test_many_pairings_make_a_crosstable(capsys, tmp_path):
    """Each row wins from the column what the column loses; the list says with how many hands."""
    for number, names in enumerate((("Ann", "Bob"), ("Ann", "Cleo"), ("Bob", "Cleo"))):
        lines = lines_of(names, seed=number, play=number)
        (tmp_path / f"{number}.log").write_text("\n".join(lines) + "\n")
    code, out, _ = run(capsys, tmp_path)
    assert code == 0
    assert ", 3 pairings" in out.splitlines()[0]
    assert "\nplayer  against  hands" in out
    cross = out.split("crosstable, by all-in expectation; place:")[1].splitlines()[1:]
    assert cross[0].split() == ["mbb/h", "place", "Ann", "Bob", "Cleo"]
    assert [line.split()[1] for line in cross[1:4]] == ["1-3"] * 3  # of 30 hands each
    cells = [line.split()[2] for line in (cross[1], cross[2])]
    assert cells[0].lstrip("+-") == cells[1].lstrip("+-")
    assert cells[0][0] != cells[1][0]


def test_games_are_rated_apart(capsys, match):
    """Kuhn poker beside hold'em; its equal cards under other seeds are chance, no duplicate."""
    kuhn = load_builtin("kuhn")
    for number in range(4):
        names = ("Ann", "Bob") if number % 2 else ("Bob", "Ann")
        lines = lines_of(names, number, 40, number, kuhn, "kuhn.limit.2p.game")
        (match / f"k{number}.log").write_text("\n".join(lines) + "\n")
    code, out, _ = run(capsys, match, "--json")
    assert code == 0
    games = {game["game"]: game for game in json.loads(out)["games"]}
    assert {name: game["hands"] for name, game in games.items()} == {
        "built-in holdem.nolimit.2p.reverse_blinds": 70,
        "built-in kuhn.limit.2p": 160,
    }
    assert games["built-in kuhn.limit.2p"]["duplicate_sets"] == 0


def test_sessions_as_samples(capsys, match):
    """The two legs of a match are one."""
    code, out, _ = run(capsys, match, "--unit", "session", "--no-allin-ev")
    assert code == 0
    says(out, "samples: sessions", "2 a player")
    assert "all-in" not in out


def test_wrong_values_make_the_guard_warn(capsys, tmp_path):
    """A log that pays every all-in to the first position: no expectation agrees with it."""
    line = "STATE:{}:r20000c///:AsAh|7d2c/8dAc8s/4h/6d:{}|{}:{}|{}"
    rows = [
        line.format(hand, *((-20000, 20000) if hand % 4 else (20000, -20000)), "Ann", "Bob")
        for hand in range(60)
    ]
    log = tmp_path / "wrong.log"
    log.write_text("\n".join(rows) + "\n")
    code, out, _ = run(capsys, log, "--game", "hunl")
    assert code == 0
    [warning] = [line for line in out.splitlines() if line.startswith("warning: ")]
    says(warning, "Ann against Bob: raw less all-in expectation", "60 hands", "p < 0.0001")
    says(warning, "1 comparison", "-")


def test_bad_input_is_told_and_the_rest_counted(capsys, match):
    """Damaged lines, a showdown without cards, empty and foreign files, one that is not there."""
    lines = lines_of(("Ann", "Bob"), seed=9, hands=3)
    wrong = ["STATE:7:rXc:AsAh|7d2c:1|-1:a|b", "STATE:8:cc/cc/cc/cc:|/AsKsQs/Js/Ts:0|0:a|b"]
    damaged = [*lines[:2], *wrong, *lines[2:]]
    (match / "damaged.log").write_text("\n".join(damaged) + "\n")
    (match / "empty.log").write_text("")
    (match / "noise.log").write_bytes(bytes(range(256)) * 40)
    names = ("one", "damaged", "empty", "noise", "none")
    code, out, err = run(capsys, *(match / f"{name}.log" for name in names))
    assert code == 1
    assert out.splitlines()[0].endswith(": 33 hands, 2 players")
    told = err.splitlines()
    assert len(told) == 5
    says(told[0], "damaged.log:3: left out", "STATE")
    says(told[1], "damaged.log:4: left out", "a showdown of unknown cards")
    says(told[2], f"arena rate: {match}/empty.log: no hand")
    says(told[3], f"arena rate: {match}/noise.log: no hand")
    says(told[4], f"arena rate: {match}/none.log: No such file")


def test_a_player_against_itself_is_not_rated(capsys, tmp_path):
    """There is nobody else."""
    log = tmp_path / "x.log"
    log.write_text("STATE:0:cc:Qs|Ks:-1|1:a|a\n")
    code, out, _ = run(capsys, log, "--game", "kuhn")
    assert code == 0
    says(out.splitlines()[0], "kuhn", "nobody")
