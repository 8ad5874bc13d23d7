"""Folders of logs, copies, and duplicate sets in what `arena stats` shows."""

import json

import numpy as np
import pytest

from dealer.logs import stats
from dealer.logs.reading.errors import LogError
from dealer.logs.reading.inputs import logs_in
from engine.estimates.winrate import win_rate
from protocol.gamedefs import load_builtin
from protocol.handlog import parse_log_line
from tests.helpers.random_logs import random_log
from tests.helpers.said import refused, says

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


@pytest.mark.parametrize(
    ("manifest", "fact"),
    [
        ("{", "not a readable"),
        ('{"legs": [{}]}', "not a readable"),
        ('{"legs": [{"name": "../x"}]}', "'../x'"),
        ('{"legs": [{"name": "gone"}]}', "no log"),
        ("[]", "no log"),
        (None, "no log"),
    ],
)
def test_folders_without_logs_are_one_line(tmp_path, manifest, fact):
    """Whatever the manifest looks like."""
    if manifest is not None:
        (tmp_path / "manifest.json").write_text(manifest)
    with refused(LogError, tmp_path, fact):
        logs_in([str(tmp_path)])


def test_a_tournament_has_the_logs_of_its_matches(tmp_path):
    """Those of pairings that nobody has played yet are not missed; none at all is an error."""
    pairings = tmp_path / "pairings"
    for name in ("b", "a", "nothing-yet"):
        (pairings / name).mkdir(parents=True)
    with refused(LogError, tmp_path, "no log"):
        logs_in([tmp_path])
    for name in ("b", "a"):
        (pairings / name / "x.0.0.log").write_text("")
    assert logs_in([str(tmp_path)]) == [pairings / name / "x.0.0.log" for name in ("a", "b")]


def test_links_that_lead_back_are_followed_once(tmp_path):
    """Though each doubles the paths that lead to the same logs."""
    (tmp_path / "tournament.json").write_text("{}")
    match = tmp_path / "pairings" / "a"
    match.mkdir(parents=True)
    (match / "manifest.json").write_text('{"legs": [{"name": "x"}, {"name": "x"}]}')
    (match / "x.log").write_text("")
    for name in ("b", "c"):
        (match.parent / name).symlink_to("..")
        (match.parent / f"{name}{name}").symlink_to("a")
    assert logs_in([tmp_path]) == [match / "x.log"]
