"""`arena rate` with AIVAT: asked of its program, or read from a file that it wrote."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agents.aivat.aivat_command import main as aivat
from dealer.ratings.rate_command import main as rate

LOG = Path(__file__).parents[1] / "golden" / "aivat" / "blueprint.twin.log"


@pytest.fixture(scope="module")
def few(tmp_path_factory):
    """The first three hands of the log."""
    path = tmp_path_factory.mktemp("few") / "few.log"
    text = LOG.read_text(encoding="utf-8")
    path.write_text(text[: text.index("STATE:3:")], encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def estimates(few, tmp_path_factory):
    """What `arena aivat hands` says of the log, nobody known."""
    path = tmp_path_factory.mktemp("aivat") / "hands.csv"
    assert aivat(["hands", str(few), "--out", str(path), "--jobs", "1"]) == 0
    return path


def test_both_ways_come_to_the_same(few, tmp_path, capfd, estimates):
    """And the value function is named beside them."""
    documents = []
    for number, words in enumerate((["--aivat", "--jobs", "1"], ["--estimates", str(estimates)])):
        out = tmp_path / f"{number}.json"
        assert rate([str(few), *words, f"--json={out}"]) == 0
        assert "AIVAT" in capfd.readouterr().out
        documents.append(json.loads(out.read_text(encoding="utf-8")))
    for document in documents:
        assert len(document["aivat"]["values"]) == 64
        assert document["aivat"]["known"] == {}
        del document["command"]
    assert documents[0] == documents[1]


def test_the_mean_is_that_of_the_hands(few, tmp_path, estimates):
    """From the view of the player, not of the position."""
    out = tmp_path / "r.json"
    assert rate([str(few), "--estimates", str(estimates), f"--json={out}"]) == 0
    rows = [line.split(",") for line in estimates.read_text().splitlines()[2:]]
    chips = [float(row[7]) * (1 if row[2] == "blueprint" else -1) for row in rows]
    (game,) = json.loads(out.read_text(encoding="utf-8"))["games"]
    (player,) = [one for one in game["players"] if one["player"] == "blueprint"]
    found = player["estimators"]["aivat"]["mbb_per_hand"]
    assert found == pytest.approx(10 * sum(chips) / len(chips))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda text: text.rsplit("\n", 2)[0] + "\n", "2 hands are not the 3"),
        (lambda text: text.replace(",300.000000,", ",301.000000,", 1), "from 1 on"),
        (lambda text: text.replace("# values", "# nothing"), "arena aivat hands"),
        (lambda text: text.replace(",aivat,", ",other,"), "arena aivat hands"),
        (lambda text: text.replace("-300.000000", "nan", 1), "h.csv:"),
        (lambda text: text.replace("-300.000000", "1e308", 1), "h.csv:"),
        (lambda text: text + "x" * 200_000, "h.csv:6: a line of more than"),
        (lambda text: text + "1\n", "h.csv:6:"),
        (lambda text: "", "arena aivat hands"),
    ],
)
def test_estimates_of_other_hands_are_refused(few, tmp_path, capsys, estimates, change, told):
    """In one line, with nothing rated."""
    path = tmp_path / "h.csv"
    path.write_text(change(estimates.read_text(encoding="utf-8")), encoding="utf-8")
    assert rate([str(few), "--estimates", str(path)]) == 2
    out, err = capsys.readouterr()
    assert told in err
    assert not out


def test_a_limit_log_gets_the_values_of_limit_hold_em(few, tmp_path, capsys):
    """Its header names the game."""
    log = tmp_path / "limit.log"
    log.write_text(
        "# name/game/hands/seed a.b holdem.limit.2p.reverse_blinds.game 1 1\n"
        "STATE:0:f:2c3d|4h5s:5|-5:a|b\n"
    )
    digests = []
    for path in (log, few):
        assert aivat(["hands", str(path), "--out", str(tmp_path / "h.csv"), "--jobs", "1"]) == 0
        digests.append(capsys.readouterr().err.split("values ")[1][:12])
    assert digests[0] != digests[1]
