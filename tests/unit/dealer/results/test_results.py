"""Win rates from the logs of a match."""

import numpy as np
import pytest

from dealer.ratings.titles import prefers_sets
from dealer.results.match_result import match_result
from dealer.series.logs import MatchLogs
from protocol.gamedef import parse_gamedef

# In the second leg the same positions are worth the same, held by the other bot.
LEG_0 = [
    ("rf", "3d2d|AcKc", (300, -300), ("A", "B")),
    ("rf", "3d2d|AcKc", (-100, 100), ("B", "A")),
    ("cc/cc/r20000c/", "AdAh|KcQc/2c7c8d/9h/3s", (20000, -20000), ("A", "B")),
]
LEG_1 = [("rf", "3d2d|AcKc", (200, -200), ("B", "A")), ("rf", "3d2d|AcKc", (-100, 100), ("A", "B"))]
WORTH = 20000 * 26 / 44


@pytest.fixture
def read(make_manifest, tmp_path, write_log):
    """Return a function that writes the legs' logs and returns them read."""

    def make(*legs, **changes):
        manifest = make_manifest(**changes)
        for leg, hands in zip(manifest.legs(), legs, strict=False):
            write_log(tmp_path / f"{leg.name}.log", hands)
        logs = MatchLogs(manifest, parse_gamedef(manifest.game_text), tmp_path)
        logs.read_new()
        return logs

    return make


def test_four_estimators_over_the_same_hands(read):
    """Raw over five hands, sets over the two deals that both legs have; run-outs are counted."""
    logs, steps = read(LEG_0, LEG_1), []
    result = match_result(logs, steps.append)
    assert sum(steps) == logs.run_outs == 1
    assert (result.hands, result.hands_planned, result.sets) == (5, 8, 2)
    assert (result.run_outs, result.big_blind) == (1, 100)
    a, b = result.bots
    assert (a.label, a.chips, b.chips) == ("A", 300 + 100 + 20000 - 200 - 100, -20100)
    rates = a.rates
    assert list(rates) == ["raw", "sets", "allin", "allin_sets"]
    assert rates["raw"].mbb_per_hand == pytest.approx(10 * 20100 / 5)
    assert (rates["raw"].samples, rates["raw"].hands) == (5, 5)
    # Deal 0: (300 - 200) / 2, deal 1: (100 - 100) / 2.
    assert rates["sets"].mbb_per_hand == pytest.approx(10 * 25)
    assert rates["sets"].sd == pytest.approx(10 * 50 / 2**0.5)
    assert (rates["sets"].samples, rates["sets"].hands) == (2, 4)
    assert rates["allin"].mbb_per_hand == pytest.approx(10 * (100 + WORTH) / 5)
    assert rates["allin_sets"] == rates["sets"]
    assert b.rates["sets"].mbb_per_hand == -rates["sets"].mbb_per_hand
    sets = a.estimates[1]
    assert (sets.name, sets.unit) == ("sets", "duplicate set")
    same = [300, 100, -200, -100]  # raw on the hands of the sets alone
    assert sets.hands_saved == pytest.approx(np.var(same, ddof=1) / (2 * np.var([50, 0], ddof=1)))
    [compared] = result.comparisons
    assert (compared.player, compared.against) == ("A", "B")
    assert (compared.estimator, compared.reference, compared.hands) == ("raw", "allin", 5)
    assert compared.mbb_per_hand == pytest.approx(10 * (20000 - WORTH) / 5)
    assert not compared.warns


def test_without_duplicate_there_are_no_sets(read):
    """One seating is no set."""
    result = match_result(read(LEG_0, duplicate=False))
    assert list(result.bots[0].rates) == ["raw"]
    assert (result.sets, result.hands, result.hands_planned) == (0, 3, 4)


def test_sets_never_mix_runs(read):
    """Hand 0 of run 0 and hand 0 of run 1 are different deals."""
    result = match_result(read(LEG_0, LEG_1, LEG_0[:1], LEG_1[:1], runs=2))
    rate = result.bots[0].rates["sets"]
    assert rate.samples == 3
    assert rate.mbb_per_hand == pytest.approx(10 * (50 + 0 + 50) / 3)


def test_nothing_played_is_a_result_too(read):
    """Zero samples everywhere, no error."""
    result = match_result(read(), lambda count: None)
    assert (result.hands, result.sets) == (0, 0)
    assert {rate.samples for bot in result.bots for rate in bot.rates.values()} == {0}


def test_running_rate_is_the_raw_rate(read):
    """The progress line shows what the table will, which may leave out what takes long."""
    logs = read(LEG_0, LEG_1)
    running = logs.running_rate(1)
    rates = match_result(logs).bots[1].rates
    assert list(rates) == ["raw", "sets"]
    raw = rates["raw"]
    assert running.mbb_per_hand == pytest.approx(raw.mbb_per_hand)
    assert running.ci95 == pytest.approx(raw.ci95)


def test_running_sets_are_the_sets_of_the_table(read):
    """As they become complete, and across runs."""
    logs = read(LEG_0, LEG_1, LEG_0[:1], LEG_1[:1], runs=2)
    running = logs.running_sets(0)
    sets = match_result(logs).bots[0].rates["sets"]
    assert (running.samples, running.hands) == (sets.samples, sets.hands) == (3, 6)
    assert running.mbb_per_hand == pytest.approx(sets.mbb_per_hand)
    assert running.ci95 == pytest.approx(sets.ci95)
    assert prefers_sets(running, logs.running_rate(0))
    few = read([], LEG_1, LEG_0[:1], LEG_1[:1], runs=2)
    assert few.running_sets(0).samples == 1
    assert not prefers_sets(few.running_sets(0), few.running_rate(0))


def test_running_sets_wait_for_a_deal_that_is_missing(read, make_manifest, tmp_path):
    """A log may get a lost hand later; then those after it count too."""
    read(LEG_0, LEG_1)
    text = (tmp_path / "A.B.0.1.log").read_text()
    lines = text.splitlines(keepends=True)
    (tmp_path / "A.B.0.1.log").write_text("".join([*lines[:2], *lines[3:]]))
    manifest = make_manifest()
    logs = MatchLogs(manifest, parse_gamedef(manifest.game_text), tmp_path)
    logs.read_new()
    assert logs.running_sets(0).samples == 0
    with (tmp_path / "A.B.0.1.log").open("a") as log:
        log.write(lines[2])
    logs.read_new()
    logs.read_new()
    assert logs.running_sets(0).samples == 2
