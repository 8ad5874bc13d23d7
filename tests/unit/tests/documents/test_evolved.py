"""Tables of the evolved players, from made-up numbers."""

from agents.studies.astar.report_sections import RANDOM, Section
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
