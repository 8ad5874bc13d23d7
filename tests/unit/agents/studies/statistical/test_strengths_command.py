"""`arena statistical strengths` at the shell."""

import json
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from agents.studies.statistical import strength_study
from agents.studies.statistical.command import main
from agents.studies.statistical.strength_picture import study_figure
from agents.studies.statistical.strength_study import StrengthCounts, Study
from engine.equity.strength import OptimisticReader, StrengthReader
from engine.hands.cards import combo_of
from engine.rules.dealing import DealStream
from protocol.gamedefs import load_builtin


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """What a tiny run writes: text, counts, picture."""
    folder = tmp_path_factory.mktemp("strengths")
    files = [folder / name for name in ("s.json", "s.svg")]
    argv = ["strengths", "--hands", "6", "--match", "3", "--jobs", "1", "--seed", "4"]
    assert main([*argv, "--json", str(files[0]), "--svg", str(files[1])]) == 0
    return [file.read_text(encoding="utf-8") for file in files]


def test_counts_are_kept(written):
    """All of them, and what was played."""
    data = json.loads(written[0])
    assert (data["deals"], data["match"], data["seed"], data["bins"]) == (6, 3, 4, 100)
    assert (data["complete"], data["deals_wanted"]) == (True, 6)
    assert sum(data["hands"][0]) == 12
    assert "limit for 2 players" in data["game"]


def test_the_picture_has_three_panels(written):
    """Well-formed, with as many lines and bars as there is to show."""
    text = "".join(ET.fromstring(written[1]).itertext())
    assert "hands that reached a street" in text
    assert "effective hand strength" in text


def test_the_picture_shows_the_counts(written):
    """Bars of all hands, a point for each bin that has hands, a line for each street."""
    counts = StrengthCounts()
    for name in ("decisions", "hands", "wins", "ties"):
        setattr(counts, name, np.array(json.loads(written[0])[name]))
    bars, chances, streets = study_figure(counts).axes
    assert sum(bar.get_height() for bar in bars.patches) == counts.hands.sum()
    found = counts.win_chances(bins=20)
    drawn = chances.get_lines()[0].get_ydata()
    assert drawn == pytest.approx(found.chance[found.hands > 0])
    assert len(streets.get_lines()) == 4


def test_text_tells_shape_and_chances(capsys):
    """And progress goes to stderr."""
    assert main(["strengths", "--hands", "2", "--jobs", "1"]) == 0
    out, err = capsys.readouterr()
    assert "2 deals" in out
    assert "histogram" in out
    assert "won, 95 % interval" in out
    assert err == "2 of 2 deals\n"


def test_a_preset_counts_its_own_strengths(tmp_path, capsys):
    """EHS' of the hands that were dealt, on the flop; the head and the counts tell the preset."""
    found = []
    for words in ([], ["--preset", "patent"]):
        file = tmp_path / "s.json"
        argv = ["strengths", "--hands", "3", "--seed", "4", "--jobs", "1", "--json", str(file)]
        assert main([*argv, *words]) == 0
        found.append(json.loads(file.read_text()))
    plain, patent = found
    assert (plain["preset"], patent["preset"]) == (None, "patent")
    assert "seed 4, preset patent" in capsys.readouterr().out
    game = load_builtin("hulhe")
    [(seed, deals)] = Study(game, 3, seed=4).parts()
    for told, reader in zip(found, (StrengthReader(), OptimisticReader()), strict=True):
        counted = set(np.flatnonzero(told["hands"][1]).tolist())
        dealt = set()
        for _, deal in zip(range(deals), DealStream(game, seed), strict=False):
            strengths = reader.read(deal.board[:3])
            dealt |= {int(100 * strengths[combo_of(*hole)]) for hole in deal.holes}
        assert counted
        assert counted <= dealt
    assert not counted <= set(np.flatnonzero(plain["hands"][1]).tolist())


def test_ctrl_c_keeps_what_was_played(monkeypatch, capsys, tmp_path):
    """The counts of the matches that were over are shown and written; exit code 130."""

    def interrupted(study, jobs):
        yield strength_study.StrengthCounts(2)
        raise KeyboardInterrupt

    monkeypatch.setattr(strength_study, "count_strengths", interrupted)
    file = tmp_path / "s.json"
    assert main(["strengths", "--hands", "9", "--json", str(file)]) == 130
    data = json.loads(file.read_text())
    assert (data["deals"], data["deals_wanted"], data["complete"]) == (2, 9, False)
    assert "stopped after 2 of 9 deals" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["--game", "kuhn"], "for two"),
        (["--hands", "0"], "want a whole number from 1 to 99999999"),
        (["--hands", "many"], "want a whole number from 1 to 99999999"),
        (["--game", "nothing"], "game nothing"),
        (["--preset", "copyright"], "'copyright' (choose from 'patent')"),
    ],
)
def test_bad_arguments(argv, message, capsys):
    """One line, exit code 2."""
    try:
        code = main(["strengths", "--jobs", "1", *argv])
    except SystemExit as left:
        code = left.code
    err = capsys.readouterr().err
    assert code == 2
    assert message in err
    assert err.count("\n") == 1


def test_a_file_that_cannot_be_written(tmp_path, capsys):
    """Exit code 1, after the table; where it can be known, 2 before anything is played."""
    words = ["strengths", "--hands", "1", "--jobs", "1"]
    assert main([*words, "--json", "/dev/full"]) == 1
    told = capsys.readouterr()
    assert "histogram" in told.out
    assert "arena statistical: /dev/full: No space left on device\n" in told.err
    for option in ("--json", "--svg"):
        with pytest.raises(SystemExit, match="2"):
            main([*words, option, str(tmp_path / "none" / "s")])
        told = capsys.readouterr()
        assert (told.out, told.err.count("\n")) == ("", 1)
