"""What departures from the patent win, measured and told."""

import json

import numpy as np
import pytest

from agents.statistical.departures import DEPARTURES, preset
from agents.statistical.variants import VariantSettings
from protocol.gamedefs import load_builtin
from tests.documents.modeller import departure_rows
from tests.studies.departures import as_data, gains_of, settings_of
from tests.studies.trials import Plan, Results

LIMIT = load_builtin("hulhe")


def made_up(matches=3, deals=20):
    """Whoever departs in the n-th thing wins n + 1 chips a deal less, the patent itself 20 less."""
    rng = np.random.default_rng(1)
    settings = settings_of("counters")
    plan = Plan(LIMIT, settings, deals, matches)
    less = np.array([*range(1, len(DEPARTURES) + 1), 20, 0])[:, None, None]
    luck = {name: rng.normal(0, 5, (1, matches, deals)) for name in ("O1", "O2")}
    noise = rng.normal(0, 1, (len(settings), matches, deals))
    noise -= noise.mean(axis=(1, 2), keepdims=True)
    played = {"O1": luck["O1"] - less + noise, "O2": luck["O2"] - 3 * less + noise}
    return Results(plan, played)


def test_who_plays():
    """Each with one thing as in the patent, all of it, and the bot as it is, which comes last."""
    settings = settings_of("ann")
    assert list(settings) == [*(one.name for one in DEPARTURES), "patent", "default"]
    assert settings["default"] == VariantSettings(predictor="ann")
    assert settings["patent"] == preset("patent", predictor="ann")
    assert settings["outcomes"] == VariantSettings(predictor="ann", values=False)
    assert len(set(settings.values())) == len(settings)


def test_gains_are_those_of_the_default():
    """Paired, by opponent, and the mean of opponents; 10 chips to the big blind."""
    results = made_up()
    for number, one in enumerate(DEPARTURES):
        gains = gains_of(results, one.name)
        assert gains["O1"].mbb_per_hand == pytest.approx(100 * (number + 1))
        assert gains["O2"].mbb_per_hand == pytest.approx(300 * (number + 1))
    data = as_data(results)
    first = data["departures"][0]
    assert first["mbb_per_hand"] == pytest.approx(200)
    each = [first["by_opponent"][name]["ci95"] for name in ("O1", "O2")]
    assert first["ci95"] == pytest.approx(np.hypot(*each) / 2)
    assert (first["name"], first["setting"], first["value"]) == ("strength", "optimistic", True)
    assert data["preset"]["mbb_per_hand"] == pytest.approx(4000)
    assert data["matches_played"] == 6


def test_a_single_sample_has_no_interval():
    """None in the numbers."""
    results = made_up(matches=1, deals=1)
    assert as_data(results)["departures"][0]["ci95"] is None


def test_the_table_of_the_documents():
    """A row for each departure and one for all, limit beside no-limit."""
    data = json.loads(json.dumps(as_data(made_up())))
    lines = departure_rows(data, data)
    assert len(lines) == 2 + len(DEPARTURES) + 1
    assert lines[2].startswith("| strength | EHS' = HS + (1 - HS) PPot (`--optimistic 1`) | EHS")
    assert lines[2].count("200 ± ") == 2
    assert lines[-1].startswith("| all of them | `--preset patent` | the default | 4000 ± ")
