"""Tables of the evolved players, from made-up numbers."""

import pytest

from agents.astar.measuring.report_sections import RANDOM, Section
from tests.documents import evolved


def duel(one, other, rate, half=10.0):
    """A line of the ledger."""
    return {"one": one, "other": other, "mbb_per_hand": rate, "ci95": half}


def test_a_section_has_counters_means_and_what_was_published():
    """Empty cells for what was not played."""
    asked = Section(
        "x",
        "X",
        ("counter-O1", "counter-O2", "astar-street"),
        ("O1", "O2", RANDOM),
        only_own=True,
        means=(("both", ("O1", "O2")),),
    )
    duels = [
        duel("counter-O1", "O1", 998.6),
        duel("counter-O2", "O2", 40_000.0),
        duel("astar-street", "O1", 900.0, 30.0),
        duel("astar-street", "O2", 700.0, 40.0),
        duel("astar-street", RANDOM, -5.0),
    ]
    assert evolved.section_rows(asked, duels) == [
        "| opponent | `counter` | `astar-street` |",
        "| --- | --- | --- |",
        "| `O1` | 999 ± 10 | 900 ± 30 |",
        "| published | 1000 |  |",
        "| `O2` | 40 000 ± 10 | 700 ± 40 |",
        "| `O_random` |  | -5 ± 10 |",
        "| published |  | 6359 |",
        "| mean of both | 20 499 ± 7 | 800 ± 25 |",
    ]


def run(fitness, won, seed=1):
    """A run of a pilot."""
    return {
        "seed": seed,
        "fitness": fitness,
        "won": {"O1": {"mbb_per_hand": won}, "O2": {"mbb_per_hand": 3 * won}},
        "training_hands": 5_120_000,
    }


def test_pilots_are_means_over_seeds():
    """With an interval over the seeds, where there are two."""
    runs = {
        "one": [run([9.0] + [0.5] * 10, 100.0), run([9.0] + [0.7] * 10, 300.0, 2)],
        "two": [run([0.1, 0.2], 50.0)],
    }
    head, _, one, two = evolved.pilot_rows(runs)
    assert head == "|  | fitness | `O1` | `O2` | all eight | hands |"
    assert one == "| one | 0.60 | 200 | 600 | 400 ± 2541 | 5.12 M |"
    assert two == "| two | 0.20 | 50 | 150 | 100 | 5.12 M |"


@pytest.mark.parametrize("name", evolved.SWEEPS)
def test_sweeps_have_a_row_for_each_setting(name, monkeypatch):
    """With the mean over opponents."""
    setting = {
        "form": "inverse",
        "sharpness": 0.05,
        "confidence": 10,
        "half_life": 0.0,
        "carry": 100,
        "doubt": 0.3,
        "patience": 1.0,
        "won": {"O1": {"mbb_per_hand": 90.0, "ci95": 3.0}, "O2": {"mbb_per_hand": 10, "ci95": 4}},
    }
    monkeypatch.setattr(evolved, "data", {f"astar-{name}": {"settings": [setting]}}.__getitem__)
    assert evolved.sweep(f"astar-{name}") == [
        "| form | sharpness | c_min | half-life | carry | doubt | patience | `O1` | `O2` | mean |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
        "| inverse | 0.05 | 10 | 0 | 100 | 0.3 | 1 | 90 ± 3 | 10 ± 4 | 50 ± 2 |",
    ]
