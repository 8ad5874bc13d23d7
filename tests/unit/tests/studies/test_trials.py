"""Modellers of different settings on the same deals, and what their chips come to."""

import re

import numpy as np
import pytest

from agents.errors import GameNotPlayed, UnknownAgent
from agents.opponents.bot import PoolBot
from agents.roster.contestants import all_contestants
from agents.statistical.bot import Settings
from agents.statistical.variants import VariantSettings, bot_with
from engine.play.learners import play_tables, rotations
from protocol.gamedefs import load_builtin
from tests.documents import modeller_figures
from tests.studies import frame, sweep
from tests.studies.trials import (
    Plan,
    Results,
    Trial,
    as_data,
    match_seed,
    opponents_of,
    period_of,
    play_trials,
    rate_of_trial,
)

LIMIT = load_builtin("hulhe")
OFF = Settings(modelling=False)


@pytest.mark.parametrize("name", ["O2", "plane-30-70"])
def test_a_trial_is_a_duplicate_match_of_each_setting(name):
    """The same chips as when each is played by itself; points of the plane are opponents, too."""
    plan = Plan(LIMIT, {"early": VariantSettings(bin_samples=0), "off": OFF}, 8, 1, 3)
    trial = Trial(name, 0)
    [won] = play_trials(plan, [trial])
    for settings, found in zip(plan.settings.values(), won, strict=True):
        seats = rotations([lambda s=settings: bot_with(s), lambda: PoolBot(name)])
        alone = play_tables(LIMIT, match_seed(3, trial), 8, seats)
        np.testing.assert_array_equal(found, alone[:, :, 0].mean(axis=1))


def test_opponents_are_each_met_once():
    """A bot with two names by the first of them; without names, those of the study `pool`."""
    assert opponents_of(["O5", "hothead-maniac", "O3", "rule", "O5"]) == ("O5", "O3", "rule")
    assert opponents_of([]) == tuple(one.name for one in all_contestants())
    with pytest.raises(UnknownAgent, match=r"plane-200-10.*; there are: "):
        opponents_of(["plane-200-10"])
    with pytest.raises(UnknownAgent, match="nobody"):
        Plan(LIMIT, {"off": OFF}).check(["nobody"])
    with pytest.raises(GameNotPlayed, match=r"O2 .* not limit"):
        Plan(load_builtin("leduc"), {"off": OFF}).check(["O2"])


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


def wandering(matches=4, deals=1000, of_period=20.0, seed=2) -> Results:
    """O_random, whose periods differ, and O2, whose do not; chips of 10 to the big blind."""
    rng = np.random.default_rng(seed)
    plan = Plan(LIMIT, {"modelling": Settings(), "without": OFF}, deals, matches)
    periods = rng.normal(0, of_period, (2, matches, -(-deals // 500))).repeat(500, axis=2)
    luck = rng.normal(0, 5, (2, matches, deals))
    return Results(plan, {"O_random": periods[:, :, :deals] + luck, "O2": luck})


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


def test_a_single_sample_has_no_interval(monkeypatch):
    """Not in the numbers, nor in the figure."""
    results = wandering(matches=1)
    random, other = as_data(results, 500)["opponents"]
    assert [one["ci95"] for one in random["blocks"]["modelling"]] == [None, None]
    assert None not in [one["ci95"] for one in other["blocks"]["modelling"]]
    bands = [len(axes.collections) for axes in drawn(monkeypatch, results, 500)]
    assert bands == [0, 2]


def test_intervals_hold_how_differently_a_bot_learns():
    """With several matches; over them where they differ by more than their deals explain."""
    rng = np.random.default_rng(3)
    learnt = np.array([-20.0, 0, 10, 30])[:, np.newaxis]
    off = rng.normal(0, 5, (4, 400))
    plan = Plan(LIMIT, {"modelling": Settings(), "without": OFF}, 400, 4)
    results = Results(plan, {"O2": np.stack((off + learnt, off))})
    on, _ = results.rates("O2")
    assert (on.samples, on.hands) == (4, 3200)
    assert on.ci95 == pytest.approx(3.182446 * 100 * np.std(learnt, ddof=1) / 2, rel=0.1)
    [gain] = results.gains("O2")
    assert gain.mbb_per_hand == pytest.approx(500)
    assert gain.ci95 == pytest.approx(3.182446 * 100 * np.std(learnt, ddof=1) / 2)
    told = as_data(results)["opponents"][0]
    assert told["gains"]["modelling"]["deals_of_a_sample"] == 400
    alike = Results(plan, {"O2": np.stack((off - off.mean(axis=1, keepdims=True), off))})
    assert alike.rates("O2")[0].samples == 1600
    one = Results(plan, {"O2": results.played["O2"][:, :1]})
    assert one.rates("O2")[0].samples == 400


def drawn(monkeypatch, results, block):
    """The panels of the figure of some results."""
    facts = {"report": "curve"} | as_data(results, block)
    monkeypatch.setattr(modeller_figures, "data", lambda name: facts)
    return modeller_figures.curves().axes


def test_the_figure_has_a_panel_for_each_opponent(monkeypatch):
    """With two curves and their bands."""
    results = made_up()
    panels = drawn(monkeypatch, results, 20)
    assert [axes.get_title(loc="left") for axes in panels] == list(results.played)
    rows = results.blocks(next(iter(results.played)), 20)
    _, first, last = panels[0].get_lines()
    for line, curve in ((first, rows[0]), (last, rows[-2])):
        assert list(line.get_ydata()) == [rate.mbb_per_hand for rate in curve]
    assert len(panels[0].collections) == 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("tolerance x,.05 O3", "tolerance x: want a number (values stand before opponents)"),
        ("tolerance O3", "tolerance O3: want a number (values stand before opponents)"),
        ("bin_samples 1.5,3", "bin_samples 1.5: want a whole number (values stand before"),
        ("types .5,1", "types .5: want 0 or 1 (values stand before"),
        ("tolerance .1", "want different values"),
        ("tolerance .1,.10", "want different values"),
    ],
)
def test_values_that_are_none_are_refused_with_their_setting(words, message):
    """And with what is wanted instead."""
    with pytest.raises(ValueError, match=re.escape(message)):
        sweep.swept_settings(frame.parsed("sweep", words.split()))


def test_swept_settings_differ_in_one_thing():
    """From the default, or from a preset."""
    words = ["types", "0,1", "--preset", "patent"]
    settings = sweep.swept_settings(frame.parsed("sweep", words))
    assert {name: one.types for name, one in settings.items()} == {
        "types 0": False,
        "types 1": True,
    }
    assert all(one.optimistic for one in settings.values())
