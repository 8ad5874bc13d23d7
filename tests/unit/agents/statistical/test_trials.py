"""Modellers of different settings on the same deals, and the reports on them."""

import json
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from agents.errors import GameNotPlayed, UnknownAgent
from agents.pool.bot import PoolBot
from agents.statistical import trials_command
from agents.statistical.bot import Settings, Statistical
from agents.statistical.matches import play_tables, rotations
from agents.statistical.modeller_command import main
from agents.statistical.trials import Plan, Trial, period_of, play_trials, rate_of, seed_of
from agents.statistical.trials_picture import curves_svg
from agents.statistical.trials_report import Results, as_text
from protocol.gamedefs import load_builtin

LIMIT = load_builtin("hulhe")
OFF = Settings(modelling=False)


def test_a_trial_is_a_duplicate_match_of_each_setting():
    """The same chips as when each is played by itself."""
    plan = Plan(LIMIT, {"early": Settings(bin_samples=0), "off": OFF}, 8, 1, 3)
    [(trial, won)] = play_trials(plan, ["O2"])
    assert trial == Trial("O2", 0)
    for settings, found in zip(plan.settings.values(), won, strict=True):
        seats = rotations([lambda s=settings: Statistical(s), lambda: PoolBot("O2")])
        alone = play_tables(LIMIT, seed_of(3, trial), 8, seats)
        np.testing.assert_array_equal(found, alone[:, :, 0].mean(axis=1))


def test_what_cannot_be_played_is_told_at_once():
    """Before the first deal."""
    with pytest.raises(UnknownAgent, match="nobody"):
        list(play_trials(Plan(LIMIT, {"off": OFF}), ["nobody"]))
    with pytest.raises(GameNotPlayed, match="O2"):
        list(play_trials(Plan(load_builtin("leduc"), {"off": OFF}), ["O2"]))
    with pytest.raises(ValueError, match="matches"):
        list(play_trials(Plan(LIMIT, {"off": OFF}, 0), ["O2"]))


def test_samples_are_deals_or_periods():
    """Where an opponent changes every 500 hands, its periods."""
    assert period_of("O_random") == 500
    assert period_of("O1") == period_of("always-call") == 1
    won = np.arange(2400.0).reshape(2, 1200)
    assert rate_of(won, 10, 1).samples == 2400
    by_period = rate_of(won, 10, 500)
    assert (by_period.samples, by_period.hands) == (4, 4000)
    assert by_period.mbb_per_hand == pytest.approx(
        100 * np.delete(won, slice(1000, None), 1).mean()
    )


def made_up() -> Results:
    """Two opponents, two matches of 40 deals; modelling wins a big blind more after 20 deals."""
    rng = np.random.default_rng(1)
    plan = Plan(LIMIT, {"modelling": Settings(), "without": OFF}, 40, 2)
    off = rng.normal(0, 5, (2, 40))
    on = off + 10 * (np.arange(40) >= 20)
    return Results(plan, {"O1": np.stack((on, off)), "O2": np.stack((on, off))})


def test_gains_are_paired():
    """Their interval is that of the differences, however much luck there was."""
    results = made_up()
    [gain] = results.gains("O1")
    assert gain.mbb_per_hand == pytest.approx(500)
    assert gain.ci95 < results.rates("O1")[0].ci95
    on, off, gains = results.blocks("O1", 20)
    assert [rate.mbb_per_hand for rate in gains] == pytest.approx([0, 1000])
    assert [rate.samples for rate in on] == [40, 40]
    assert on[0] == off[0]
    assert "+500" in as_text(results)
    assert "+1000" in as_text(results, 20)


def test_the_picture_has_a_panel_for_each_opponent():
    """With two curves and their bands."""
    drawn = ET.fromstring(curves_svg(made_up(), 20))
    groups = drawn.findall("{http://www.w3.org/2000/svg}g")
    assert len(groups) == 2
    classes = [one.get("class") for one in groups[0]]
    assert {"line0", "line1", "band0", "band1"} <= set(classes)
    with pytest.raises(ValueError, match="blocks"):
        curves_svg(made_up(), 41)


def test_versus_writes_what_it_shows(tmp_path, capsys):
    """A row for each opponent, and the numbers."""
    path = tmp_path / "x.json"
    code = main(
        [*["versus", "O2", "--game", "hulhe", "--hands", "6", "--jobs", "1", "--json"], str(path)]
    )
    assert code == 0
    told = capsys.readouterr()
    assert "O2" in told.out
    assert "1 of 1 matches" in told.err
    data = json.loads(path.read_text())
    [row] = data["opponents"]
    assert set(row["rates"]) == {"modelling", "without"}
    assert row["gains"]["modelling"]["samples"] == 6


def test_curves_are_drawn(tmp_path, capsys):
    """And told block by block."""
    svg, path = tmp_path / "x.svg", tmp_path / "x.json"
    words = [
        "curve",
        "O2",
        "--game",
        "hulhe",
        "--hands",
        "6",
        "--matches",
        "1",
        "--block",
        "3",
        "--jobs",
        "1",
    ]
    assert main([*words, "--svg", str(svg), "--json", str(path)]) == 0
    assert ET.fromstring(svg.read_text()) is not None
    assert len(json.loads(path.read_text())["opponents"][0]["blocks"]["gain"]) == 2
    assert "3-" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("setting", "values"), [("tolerance", (".02", ".1")), ("types", ("0", "1"))]
)
def test_each_swept_value_has_a_column(tmp_path, capsys, setting, values):
    """The others are compared with the last."""
    path = tmp_path / "x.json"
    words = f"sweep {setting} {','.join(values)} O2 --game hulhe --hands 4 --jobs 1".split()
    assert main([*words, "--json", str(path)]) == 0
    told, data = capsys.readouterr().out, json.loads(path.read_text())
    for value in values:
        assert f"{setting} {value}" in told
    first, last = (data["settings"][f"{setting} {value}"][setting] for value in values)
    assert first == float(values[0])
    assert last == float(values[1])
    assert set(data["opponents"][0]["gains"]) == {f"{setting} {values[0]}"}


@pytest.mark.parametrize(
    "words",
    [
        *("", "versus nobody", "versus --game leduc", "versus --hands 0"),
        *("sweep tolerance x", "sweep tolerance .1", "sweep tolerance .1,.10", "sweep luck 0,1"),
        *("sweep types 0,2", "sweep tolerance .1,2", "sweep predictor counters,dice"),
    ],
)
def test_wrong_arguments(words, capsys):
    """One line, exit code 2."""
    try:
        code = main(words.split())
    except SystemExit as error:
        code = error.code
    assert code == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1


def test_ctrl_c_shows_what_there_is(monkeypatch, capsys):
    """Exit code 130."""

    def stopped(plan, names, jobs):
        yield Trial("O2", 0), np.zeros((2, plan.hands))
        raise KeyboardInterrupt

    monkeypatch.setattr(trials_command, "play_trials", stopped)
    assert main(["versus", "O2", "O1", "--game", "hulhe", "--hands", "4"]) == 130
    told = capsys.readouterr()
    assert "stopped after 1 of 2" in told.err
    assert "O2" in told.out
