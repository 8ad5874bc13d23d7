"""`arena tournament --aivat`: standings from the estimates beside the logs, counted once more."""

import csv
import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from agents.aivat.aivat_command import main as aivat
from dealer.commands.tournament import main
from dealer.errors import MatchError

BOTS = ("always-call", "always-fold", "c=uniform-random")
WORDS = ("--hands", "2", "--seed", "4", "--quiet", "--in-process", "--jobs", "1")


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A round-robin of three bots, two of which tell their strategies."""
    folder = tmp_path_factory.mktemp("t") / "t"
    assert main([*BOTS, *WORDS, "--aivat", "--out", str(folder)]) == 0
    return folder


def told_in(folder):
    """Return the standings."""
    return json.loads((folder / "standings.json").read_text(encoding="utf-8"))


def values_of(folder, pairing):
    """Return (2, H) chips that the first bot of a pairing won in each seating, by AIVAT."""
    won = []
    for path in sorted((folder / "pairings" / pairing["name"]).glob("*.aivat")):
        lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
        won.append(
            [
                float(row["aivat"]) * (1 if row["position0"] == pairing["bot"] else -1)
                for row in csv.DictReader(lines)
            ]
        )
    return np.array(won)


def test_pairings_and_bankrolls_are_rated_by_aivat_in_sets(played):
    """As the files beside the logs say."""
    told = told_in(played)
    assert told["rated_by"] == "aivat_sets"
    won = {bot["label"]: [] for bot in told["bots"]}
    with (played / "standings.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for pairing, row in zip(told["pairings"], rows, strict=True):
        chips = values_of(played, pairing)
        assert chips.shape == (2, 2)
        rate = pairing["win_rates"]["aivat_sets"]
        assert rate["samples"] == 2
        assert rate["mbb_per_hand"] == pytest.approx(10 * chips.mean(), abs=1e-3)
        assert float(row["mbb_per_hand"]) == pytest.approx(10 * chips.mean(), abs=1e-2)
        assert row["estimator"] == "aivat_sets"
        won[pairing["bot"]].append(rate["mbb_per_hand"])
        won[pairing["opponent"]].append(-rate["mbb_per_hand"])
    for bot in told["bots"]:
        assert bot["bankroll_mbb_per_hand"] == pytest.approx(np.mean(won[bot["label"]]))


def test_it_is_said_what_the_estimates_depend_on(played):
    """For each pairing, in every file of the standings."""
    pairings = told_in(played)["pairings"]
    known = [sorted(one["aivat"]["known"]) for one in pairings]
    assert known == [["always-call", "always-fold"], ["always-call"], ["always-fold"]]
    [values] = {one["aivat"]["values"] for one in pairings}
    rows = (played / "standings.csv").read_text(encoding="utf-8").splitlines()
    assert [row.split(",")[-2:] for row in rows[1:]] == [[values, "|".join(one)] for one in known]
    for name in ("standings.txt", "standings.html"):
        text = (played / name).read_text(encoding="utf-8")
        assert "AIVAT" in text
        assert values[:12] in text
        assert "always-call, always-fold;" in text


def test_a_longer_tournament_keeps_its_estimates(played, tmp_path, monkeypatch):
    """Where others joined since, too; the ledger is that of a tournament without AIVAT."""
    folder = Path(shutil.copytree(played, tmp_path / "t"))
    for beside in folder.glob("pairings/*always-fold*/*.aivat"):
        beside.unlink()  # as if but one pairing had been played
    kept = {path: path.stat().st_mtime_ns for path in folder.glob("pairings/*/*.aivat")}
    assert len(kept) == 2

    def estimate_beside(places, game, words, jobs, *, shown):
        """Estimate as the program does, in this process."""
        words = [*map(str, places), "--game", str(game), *words, "--jobs", "1"]
        assert aivat(["beside", *words]) == 0

    monkeypatch.setattr("dealer.results.aivat.estimate_beside", estimate_beside)
    again = ["--resume", str(folder), "--quiet", "--in-process"]
    assert main([*again, "--rounds", "2"]) == 0
    ledger = (folder / "ledger.jsonl").read_bytes()
    assert told_in(folder)["rated_by"] == "allin_sets"
    assert main([*again, "--aivat"]) == 0
    assert (folder / "ledger.jsonl").read_bytes() == ledger
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
    rates = [one["win_rates"]["aivat_sets"] for one in told_in(folder)["pairings"]]
    assert [rate["samples"] for rate in rates] == [4, 4, 4]


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (KeyboardInterrupt(), "arena tournament --resume {} --aivat --known c="),
        (MatchError("no AIVAT: why"), "arena tournament: no AIVAT: why"),
    ],
    ids=["Ctrl-C", "an error"],
)
def test_without_estimates_all_pairings_are_rated_by_all_in_expectation(
    played, tmp_path, monkeypatch, capsys, error, told
):
    """Though some have estimates; a line says how AIVAT can be had, or why not."""
    folder = Path(shutil.copytree(played, tmp_path / "t"))

    def estimate_beside(*_words, **_named):
        raise error

    monkeypatch.setattr("dealer.results.aivat.estimate_beside", estimate_beside)
    assert main(["--resume", str(folder), "--quiet", "--aivat", "--known", "c=always-call"]) == 0
    assert told.format(folder) in capsys.readouterr().err
    standing = told_in(folder)
    assert standing["rated_by"] == "allin_sets"
    assert all("aivat" not in one["win_rates"] for one in standing["pairings"])
    assert "aivat" not in standing["pairings"][0]
    assert "AIVAT" not in (folder / "standings.txt").read_text(encoding="utf-8")


def test_estimates_of_other_hands_are_no_estimates(played, tmp_path, monkeypatch, capsys):
    """One row that is missing in one pairing leaves AIVAT out of all."""
    folder = Path(shutil.copytree(played, tmp_path / "t"))
    beside = next(folder.glob("pairings/*/*.aivat"))
    beside.write_text(beside.read_text().rsplit("\n", 2)[0] + "\n")
    monkeypatch.setattr("dealer.results.aivat.estimate_beside", lambda *_, **__: None)
    assert main(["--resume", str(folder), "--quiet", "--aivat"]) == 0
    assert "no AIVAT: " in capsys.readouterr().err
    assert told_in(folder)["rated_by"] == "allin_sets"
