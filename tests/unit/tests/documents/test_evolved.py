"""Tables of the evolved players, from made-up numbers."""

from tests.documents import evolved
from tests.studies.astar_duels import RANDOM, Section, sections


def duel(one, other, rate, half=10.0):
    """A line of the ledger."""
    return {"one": one, "other": other, "mbb_per_hand": rate, "ci95": half}


def test_a_section_has_counters_means_and_what_was_published():
    """Empty cells for what was not played."""
    asked = Section(
        "x",
        "X",
        ("counter-O1", "counter-O2", "astar --variant street"),
        ("O1", "O2", RANDOM),
        only_own=True,
        means=(("both", ("O1", "O2")),),
    )
    duels = [
        duel("counter-O1", "O1", 998.6),
        duel("counter-O2", "O2", 40_000.0),
        duel("astar --variant street", "O1", 900.0, 30.0),
        duel("astar --variant street", "O2", 700.0, 40.0),
        duel("astar --variant street", RANDOM, -5.0),
    ]
    assert evolved.section_rows(asked, duels) == [
        "| opponent | `counter` | `astar --variant street` |",
        "| --- | --- | --- |",
        "| `O1` | 999 ± 10 | 900 ± 30 |",
        "| published | 1000 |  |",
        "| `O2` | 40 000 ± 10 | 700 ± 40 |",
        "| `O_random` |  | -5 ± 10 |",
        "| published |  | 6359 |",
        "| mean of both | 20 499 ± 7 | 800 ± 25 |",
    ]


def test_the_leader_is_compared_opponent_by_opponent():
    """As the page says: with whom else, and how often it is sure."""
    [strangers] = [one for one in sections() if one.name == "strangers"]
    assert len(strangers.opponents) == 32
    told = {
        name: evolved.led(strangers.leader, name, strangers.opponents)
        for name in ("statistical", "blueprint", "astar --variant refuge")
    }
    assert told == {
        "statistical": (21, 20, 10),
        "blueprint": (26, 24, 4),
        "astar --variant refuge": (25, 16, 3),
    }
