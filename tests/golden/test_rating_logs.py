"""`arena rate` on published logs, against figures that the original's tools were used for."""

import csv
import json

import pytest

from dealer.ratings import rate_command


def rated(capsys, *arguments):
    """Return the JSON of the one game in some logs."""
    assert rate_command.main([*map(str, arguments), "--json"]) == 0
    [game] = json.loads(capsys.readouterr().out)["games"]
    return game


def assert_equals_reference(game, path):
    """Compare every player's raw and all-in figures; intervals there are 1.96 s / sqrt(n)."""
    found = {player["player"]: player for player in game["players"]}
    with path.open(encoding="utf-8", errors="surrogateescape") as rows:
        wanted = {row["player"]: row for row in csv.DictReader(rows)}
    assert set(found) == set(wanted)
    for name, row in wanted.items():
        assert found[name]["hands"] == int(row["hands"])
        for ours, theirs in (("raw", "raw"), ("allin", "allin_ev")):
            own = found[name]["estimators"][ours]
            assert own["mbb_per_hand"] == pytest.approx(
                float(row[f"{theirs}_mbb_per_hand"]), abs=0.006
            )
            assert own["sd_mbb_per_hand"] == pytest.approx(
                1000 * float(row[f"{theirs}_sd_bb"]), abs=0.6
            )
            assert own["ci95_mbb_per_hand"] >= float(row[f"{theirs}_ci95"]) - 0.01


def test_the_deepstack_hands(shared_data, capsys):
    """All 34 players; one pairing each, and the consistency check finds nothing."""
    folder = shared_data / "deepstack"
    game = rated(capsys, folder / "hands.log", "--game", "hunl", "--strip-suffix")
    assert_equals_reference(game, folder / "reference_results.csv")
    assert len(game["groups"]) == 33
    assert game["guard"]["agrees"]
    deepstack = game["players"][0]["estimators"]
    assert deepstack["allin"]["hands_saved_factor"] == pytest.approx(
        (23.844 / 20.216) ** 2, rel=1e-3
    )


def test_the_pluribus_hands(shared_data, capsys):
    """Six players, side pots, fractional payoffs."""
    folder = shared_data / "pluribus"
    game = rated(capsys, folder, "--game", folder / "holdem.nolimit.6p.10000.game")
    assert_equals_reference(game, folder / "reference_results.csv")
    assert game["guard"]["agrees"]


def test_duplicate_matches_of_the_original_dealer(shared_data, capsys):
    """Each deal in every seating of three players, in six logs of one seed."""
    logs = sorted((shared_data / "golden/golden/duplicate").glob("holdem.limit.3p.*.log"))
    game = rated(capsys, *logs)
    assert (game["hands"], game["duplicate_sets"]) == (600, 100)
    for player in game["players"]:
        sets, raw = player["estimators"]["sets"], player["estimators"]["raw"]
        assert sets["mbb_per_hand"] == pytest.approx(raw["mbb_per_hand"])
        assert sets["hands_saved_factor"] > 1.3
