"""Modellers of different settings on the same deals, and the reports on them."""

import json
import xml.etree.ElementTree as ET
from dataclasses import asdict

import numpy as np
import pytest

from agents.errors import GameNotPlayed, UnknownAgent
from agents.opponents.bot import PoolBot
from agents.statistical.bot import Settings, Statistical
from agents.statistical.departures import preset
from agents.statistical.variants import VariantSettings, bot_with
from agents.studies.pool.contestants import all_contestants
from agents.studies.statistical import trials
from agents.studies.statistical.command import main
from agents.studies.statistical.trials import (
    Plan,
    Trial,
    match_seed,
    opponents_of,
    period_of,
    play_trials,
    rate_of_trial,
)
from agents.studies.statistical.trials_picture import curves_figure
from agents.studies.statistical.trials_report import Results, as_data, as_text
from engine.play.learners import play_tables, rotations
from protocol.gamedefs import load_builtin

LIMIT = load_builtin("hulhe")
OFF = Settings(modelling=False)


def test_a_trial_is_a_duplicate_match_of_each_setting():
    """The same chips as when each is played by itself."""
    plan = Plan(LIMIT, {"early": VariantSettings(bin_samples=0), "off": OFF}, 8, 1, 3)
    [(trial, won)] = play_trials(plan, ["O2"])
    assert trial == Trial("O2", 0)
    for settings, found in zip(plan.settings.values(), won, strict=True):
        seats = rotations([lambda s=settings: bot_with(s), lambda: PoolBot("O2")])
        alone = play_tables(LIMIT, match_seed(3, trial), 8, seats)
        np.testing.assert_array_equal(found, alone[:, :, 0].mean(axis=1))


def test_what_cannot_be_played_is_told_at_once():
    """Before the first deal."""
    with pytest.raises(UnknownAgent, match="nobody"):
        list(play_trials(Plan(LIMIT, {"off": OFF}), ["nobody"]))
    with pytest.raises(GameNotPlayed, match=r"O2 .* not limit"):
        list(play_trials(Plan(load_builtin("leduc"), {"off": OFF}), ["O2"]))


def test_opponents_are_each_met_once():
    """A bot with two names by the first of them; without names, those that `arena pool` plays."""
    assert opponents_of(["O5", "hothead-maniac", "O3", "rule", "O5"]) == ("O5", "O3", "rule")
    assert opponents_of([]) == tuple(one.name for one in all_contestants())
    with pytest.raises(UnknownAgent, match=r"plane-200-10.*; there are: "):
        opponents_of(["plane-200-10"])


def test_points_of_the_plane_are_opponents():
    """By the names that they have in `arena pool`."""
    [(trial, won)] = play_trials(Plan(LIMIT, {"off": OFF}, 8, 1, 3), ["plane-30-70"])
    seats = rotations([lambda: Statistical(OFF), lambda: PoolBot("plane-30-70")])
    alone = play_tables(LIMIT, match_seed(3, trial), 8, seats)
    np.testing.assert_array_equal(won[0], alone[:, :, 0].mean(axis=1))


def test_samples_are_deals_or_periods():
    """Where an opponent changes every 500 hands, its periods."""
    assert period_of("O_random") == 500
    assert period_of("O1") == period_of("always-call") == 1
    won = np.arange(2400.0).reshape(2, 1200)
    assert rate_of_trial(won, 10, 1).samples == 2400
    by_period = rate_of_trial(won, 10, 500)
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
    return Results(plan, ("O1", "O2"), {"O1": np.stack((on, off)), "O2": np.stack((on, off))})


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
    assert "+1,000" in as_text(results, 20)


def wandering(matches=4, deals=1000, of_period=20.0, seed=2) -> Results:
    """O_random, whose periods differ, and O2, whose do not; chips of 10 to the big blind."""
    rng = np.random.default_rng(seed)
    plan = Plan(LIMIT, {"modelling": Settings(), "without": OFF}, deals, matches)
    periods = rng.normal(0, of_period, (2, matches, -(-deals // 500))).repeat(500, axis=2)
    luck = rng.normal(0, 5, (2, matches, deals))
    return Results(plan, ("O_random", "O2"), {"O_random": periods[:, :, :deals] + luck, "O2": luck})


def test_a_block_of_a_wanderer_is_one_sample_per_match():
    """All its deals are of one period: the interval covers what periods differ by."""
    results = wandering()
    for row in results.blocks("O_random", 500):
        assert [rate.samples for rate in row] == [4, 4]
    assert results.blocks("O2", 500)[0][0].samples == 2000
    held = [
        abs(rate.mbb_per_hand) < rate.ci95
        for seed in range(50)
        for row in wandering(seed=seed).blocks("O_random", 500)[:2]
        for rate in row
    ]
    assert np.mean(held) == pytest.approx(0.95, abs=0.04)


@pytest.mark.parametrize(
    ("block", "deals_of_a_sample"), [(100, 100), (500, 500), (750, 750), (1000, 500)]
)
def test_no_period_is_in_two_samples_of_a_block(block, deals_of_a_sample):
    """A block that does not consist of whole periods is a sample."""
    results = wandering(deals=2000)
    rates = results.blocks("O_random", block)[0]
    assert {rate.samples for rate in rates} == {4 * block // deals_of_a_sample}
    random, other = as_data(results, block)["opponents"]
    told = {one["deals_of_a_sample"] for row in random["blocks"].values() for one in row}
    assert told == {deals_of_a_sample}
    assert {one["deals_of_a_sample"] for one in other["blocks"]["gain"]} == {1}


def test_a_single_sample_has_no_interval():
    """Not in the text, nor in the numbers, nor in the picture."""
    results = wandering(matches=1)
    random, other = as_data(results, 500)["opponents"]
    assert [one["ci95"] for one in random["blocks"]["modelling"]] == [None, None]
    assert None not in [one["ci95"] for one in other["blocks"]["modelling"]]
    lines = as_text(results, 500).splitlines()
    assert lines[1].startswith("O_random")
    assert lines[1].count("± ?") == 3
    assert "?" not in lines[3]
    bands = [len(axes.collections) for axes in curves_figure(results, 500).axes]
    assert bands == [0, 2]


def test_intervals_hold_how_differently_a_bot_learns():
    """With several matches; over them where they differ by more than their deals explain."""
    rng = np.random.default_rng(3)
    learnt = np.array([-20.0, 0, 10, 30])[:, np.newaxis]
    off = rng.normal(0, 5, (4, 400))
    plan = Plan(LIMIT, {"modelling": Settings(), "without": OFF}, 400, 4)
    results = Results(plan, ("O2",), {"O2": np.stack((off + learnt, off))})
    on, _ = results.rates("O2")
    assert (on.samples, on.hands) == (4, 3200)
    assert on.ci95 == pytest.approx(3.182446 * 100 * np.std(learnt, ddof=1) / 2, rel=0.1)
    [gain] = results.gains("O2")
    assert gain.mbb_per_hand == pytest.approx(500)
    assert gain.ci95 == pytest.approx(3.182446 * 100 * np.std(learnt, ddof=1) / 2)
    told = as_data(results)["opponents"][0]
    assert told["gains"]["modelling"]["deals_of_a_sample"] == 400
    alike = Results(plan, ("O2",), {"O2": np.stack((off - off.mean(axis=1, keepdims=True), off))})
    assert alike.rates("O2")[0].samples == 1600
    one = Results(plan, ("O2",), {"O2": results.played["O2"][:, :1]})
    assert one.rates("O2")[0].samples == 400
    assert "means of matches" in as_text(results)
    assert "this is one" in as_text(one)


def test_the_picture_has_a_panel_for_each_opponent():
    """With two curves and their bands."""
    results = made_up()
    drawn = curves_figure(results, 20).axes
    assert [axes.get_title(loc="left") for axes in drawn] == list(results.played)
    rows = results.blocks(next(iter(results.played)), 20)
    _, first, last = drawn[0].get_lines()
    for line, curve in ((first, rows[0]), (last, rows[-2])):
        assert list(line.get_ydata()) == [rate.mbb_per_hand for rate in curve]
    assert len(drawn[0].collections) == 2


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
    assert "O2 (calling-machine)" in told.out
    data = json.loads(path.read_text())
    assert (data["complete"], data["matches_played"], data["matches_wanted"]) == (True, 1, 1)
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


def test_curves_are_told_before_files_are_written(capsys):
    """The table is there although none of them can be; exit code 1."""
    words = ["curve", "O2", "--game", "hulhe", "--hands", "6", "--matches", "1", "--block", "3"]
    assert main([*words, "--jobs", "1", "--svg", "/dev/full", "--json", "/dev/full"]) == 1
    told = capsys.readouterr()
    assert "3-" in told.out
    assert "arena statistical: /dev/full: No space left on device\n" in told.err


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


@pytest.mark.parametrize("report", ["versus", "sweep tolerance .02,.05", "curve --block 1"])
def test_a_preset_is_played_and_told(report, tmp_path, capsys):
    """Its settings are in the numbers, but for the one that is swept or left out."""
    path = tmp_path / "x.json"
    words = f"{report} O2 --game hulhe --hands 2 --matches 1 --jobs 1".split()
    assert main([*words, "--preset", "patent", "--json", str(path)]) == 0
    assert "; seed 1; preset patent" in capsys.readouterr().out
    for settings in json.loads(path.read_text())["settings"].values():
        changed = {"tolerance": settings["tolerance"], "modelling": settings["modelling"]}
        assert settings == asdict(preset("patent", **changed))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("tolerance x,.05 O3", "tolerance x: want a number (values stand before opponents)"),
        ("tolerance O3", "tolerance O3: want a number (values stand before opponents)"),
        ("bin_samples 1.5,3", "bin_samples 1.5: want a whole number (values stand before"),
        ("types .5,1", "types .5: want 0 or 1 (values stand before"),
    ],
)
def test_values_that_are_none_are_told_with_their_setting(words, message, capsys):
    """And with what is wanted instead."""
    assert main(["sweep", *words.split()]) == 2
    assert capsys.readouterr().err.startswith(f"arena statistical: {message}")


@pytest.mark.parametrize("report", ["versus", "curve", "sweep"])
def test_help_names_those_who_are_met_if_nobody_is_named(report, capsys):
    """All fourteen."""
    with pytest.raises(SystemExit):
        main([report, "--help"])
    told = " ".join(capsys.readouterr().out.split())
    assert ", ".join(one.name for one in all_contestants()) in told


@pytest.mark.parametrize(
    "words",
    [
        *("", "versus nobody", "versus --game leduc", "versus --hands 0"),
        *("sweep tolerance x", "sweep tolerance .1", "sweep tolerance .1,.10", "sweep luck 0,1"),
        *("curve O2 --hands 4 --block 5", "curve O2 --svg none/x.svg", "versus --json none/x"),
        *("sweep types 0,2", "sweep tolerance .1,2", "sweep predictor counters,dice"),
        "versus --preset none",
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


def test_ctrl_c_shows_what_there_is(monkeypatch, capsys, tmp_path):
    """Exit code 130; the numbers say that they are not all."""

    def stopped(plan, names, jobs):
        yield Trial("O2", 0), np.zeros((2, plan.hands))
        raise KeyboardInterrupt

    path = tmp_path / "x.json"
    monkeypatch.setattr(trials, "play_trials", stopped)
    words = ["versus", "O2", "O1", "--game", "hulhe", "--hands", "4", "--json", str(path)]
    assert main(words) == 130
    told = capsys.readouterr()
    assert "stopped after 1 of 2 matches\n" in told.err
    assert "O2" in told.out
    data = json.loads(path.read_text())
    assert (data["complete"], data["matches_played"], data["matches_wanted"]) == (False, 1, 2)


def test_ctrl_c_before_the_first_match_shows_nothing(monkeypatch, capsys, tmp_path):
    """One line says so; no file is written."""

    def stopped(plan, names, jobs):
        raise KeyboardInterrupt

    path = tmp_path / "x.json"
    monkeypatch.setattr(trials, "play_trials", stopped)
    assert main(["versus", "O2", "--game", "hulhe", "--json", str(path)]) == 130
    told = capsys.readouterr()
    line = "arena statistical: stopped after 0 of 1 matches: nothing to show or write\n"
    assert (told.out, told.err) == ("", line)
    assert not path.exists()
