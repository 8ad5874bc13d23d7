"""`arena aivat` on a log of a few hands of two blueprints, and on what is no such log."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from agents.aivat.aivat_command import main
from agents.aivat.rows import COLUMNS

LOG = Path(__file__).parents[1] / "golden" / "aivat" / "blueprint.twin.log"
BOTH = ("--known", "blueprint", "--known", "twin=blueprint")


@pytest.fixture(scope="module")
def few(tmp_path_factory):
    """The first three hands of the log."""
    path = tmp_path_factory.mktemp("few") / "few.log"
    text = LOG.read_text(encoding="utf-8")
    path.write_text(text[: text.index("STATE:3:")], encoding="utf-8")
    return path


def rows_of(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    notes = [line for line in lines if line.startswith("#")]
    return notes, list(csv.DictReader(lines[len(notes) :]))


def estimate(out, log, *words):
    return main(["hands", str(log), "--out", str(out), "--jobs", "1", *words])


def test_hands_get_a_line_each_whoever_is_known(few, tmp_path, capsys):
    """What is known changes the estimate and nothing else; it is the sum of its parts."""
    out = tmp_path / "h.csv"
    estimates = []
    for words in (BOTH, ("--known", "twin=blueprint"), ()):
        assert estimate(out, few, *words) == 0
        notes, rows = rows_of(out)
        assert notes[0].startswith("# values ")
        assert len(notes) == 1 + len(words) // 2
        assert tuple(rows[0]) == COLUMNS
        assert [int(row["hand"]) for row in rows] == [0, 1, 2]
        parts = [sum(float(row[name]) for name in COLUMNS[8:]) for row in rows]
        assert parts == pytest.approx([float(row["aivat"]) for row in rows], abs=1e-4)
        estimates.append([row["aivat"] for row in rows])
    assert len({tuple(one) for one in estimates}) == 3
    logged = [line.split(":") for line in few.read_text().splitlines() if line.startswith("STATE")]
    assert [float(line[4].split("|")[0]) for line in logged] == [float(r["won"]) for r in rows]
    assert "known: none" in capsys.readouterr().err


def test_a_full_disk_is_told_in_one_line(few, capsys):
    """With the file's name, as of all files."""
    assert estimate("/dev/full", few) == 1
    assert (
        capsys.readouterr()
        .err.splitlines()[-1]
        .startswith("arena aivat hands: /dev/full: No space")
    )


@pytest.mark.slow
def test_the_result_does_not_depend_on_the_number_of_processes(tmp_path):
    """To the byte."""
    one, two = tmp_path / "1.csv", tmp_path / "2.csv"
    assert estimate(one, LOG) == 0
    assert main(["hands", str(LOG), "--out", str(two), "--jobs", "2"]) == 0
    assert one.read_bytes() == two.read_bytes()


def test_a_match_folder_tells_who_is_known(few, tmp_path, capsys):
    """Its manifest names the bots; other programs are not known."""
    folder = tmp_path / "match"
    folder.mkdir()
    (folder / "one.log").write_bytes(few.read_bytes())
    bots = [
        {"label": "blueprint", "kind": "shipped", "words": ["blueprint"]},
        {"label": "twin", "kind": "program", "words": ["./twin"]},
    ]
    manifest = folder / "manifest.json"
    manifest.write_text(json.dumps({"bots": bots}), encoding="utf-8")
    assert estimate(tmp_path / "h.csv", folder) == 0
    assert "known: blueprint (blueprint);" in capsys.readouterr().err
    assert estimate(tmp_path / "h.csv", folder, "--unknown") == 0
    assert "known: none" in capsys.readouterr().err
    manifest.write_text('{"bots": [{}]}', encoding="utf-8")
    assert estimate(tmp_path / "h.csv", folder) == 1
    assert "manifest.json: " in capsys.readouterr().err


def test_values_are_fitted_and_used(few, tmp_path, capsys):
    """Other values give other estimates, and name themselves."""
    values, out = tmp_path / "v.values", tmp_path / "h.csv"
    assert main(["fit", str(few), "--out", str(values), "--jobs", "1"]) == 0
    assert "fitted to " in capsys.readouterr().err
    assert estimate(out, few, "--values", str(values)) == 0
    first = rows_of(out)
    assert estimate(out, few, "--values", "checked-down") == 0
    second = rows_of(out)
    assert second[0] == ["# values checked-down"]
    assert first[0] != second[0]
    assert [r["aivat"] for r in first[1]] != [r["aivat"] for r in second[1]]


def test_who_is_not_the_bot_it_is_said_to_be_is_found_out(tmp_path, capsys):
    """Purified it plays its likeliest action only."""
    words = ("--known", "twin=blueprint --purify 1")
    assert estimate(tmp_path / "h.csv", LOG, *words) == 1
    err = capsys.readouterr().err
    assert "twin is not 'blueprint --purify 1'" in err
    assert not (tmp_path / "h.csv").exists()


def test_who_tells_its_chances_is_known_with_its_own_cards(few, tmp_path, capsys):
    """The file is named with its digest; nobody is known in two ways."""
    out, told = tmp_path / "h.csv", tmp_path / "twin.told"
    told.write_text("MATCHSTATE:0:0::Js9c|:c=1\n")
    assert estimate(out, few, "--told", f"twin={told}") == 0
    assert rows_of(out)[0][1].startswith("# twin is told by twin.told ")
    assert estimate(out, few, "--told", f"twin={told}", "--known", "twin=blueprint") == 1
    assert "twin: --known and --told" in capsys.readouterr().err
    assert estimate(out, few, "--told", f"twin={tmp_path / 'nowhere'}") == 1
    assert "nowhere: " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda text: text.replace("holdem.nolimit.2p.reverse_blinds", "other"), "--game"),
        (lambda text: text.replace("STATE:2:", "STATE:2:x"), ":7:"),
        (lambda text: "", "no hands"),
        (lambda text: text.replace("holdem.nolimit.2p.reverse_blinds", "kuhn.limit.3p"), "hold'em"),
    ],
)
def test_wrong_logs_are_one_line(few, tmp_path, capsys, change, told):
    """The last one says where; nothing is written."""
    log = tmp_path / "wrong.log"
    log.write_text(change(few.read_text(encoding="utf-8")), encoding="utf-8")
    assert estimate(tmp_path / "h.csv", log) != 0
    err = capsys.readouterr().err.splitlines()
    assert told in err[-1]
    assert not (tmp_path / "h.csv").exists()


def test_estimates_beside_a_log_are_of_one_seed(few, tmp_path):
    """Rows of other run-outs are made anew; those of the same are left as they are."""
    log = tmp_path / "m.log"
    log.write_bytes(few.read_bytes())
    texts = []
    for seed in ("1", "2", "1"):
        assert main(["beside", str(log), "--seed", seed, "--jobs", "1", *BOTH[2:]]) == 0
        texts.append((tmp_path / "m.aivat").read_text(encoding="utf-8"))
    assert texts[0] == texts[2] != texts[1]
    rows = [[line for line in text.splitlines() if line[0] != "#"] for text in texts[:2]]
    assert rows[0] != rows[1]
