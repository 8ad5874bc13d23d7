"""Tables of the evolved players, from made-up numbers."""

from tests.documents import evolved
from tests.studies.astar_duels import KNOWLEDGE, RANDOM, Section, sections


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


def test_what_the_article_claims_stands_beside_ours(monkeypatch):
    """Each claim with our agent by the article's rule, and by our own if there is one."""
    knowledge = dict(sections()[0].means)[KNOWLEDGE]
    monkeypatch.setattr(
        evolved,
        "duels",
        lambda: [
            duel(agent, one, 100.0 * number)
            for number, claim in enumerate(evolved.CLAIMS)
            for agent in claim[2:]
            for one in (knowledge if claim[1] == KNOWLEDGE else claim[1:2])
        ],
    )
    lines = evolved.claims()
    assert lines[2] == "| A_tar | O1 | 1000 | `counter-O1`: 0 ± 10 |  |"
    assert (
        "| A* | O_random | 6359 | `astar --variant street`: 400 ± 10 | `astar`: 400 ± 10 |" in lines
    )
    assert "| Slumbot | knowledge bots | 52 | `blueprint`: 800 ± 4 |  |" in lines


def test_the_articles_config_has_the_articles_parameters():
    """Row by row; a part of it has as many individuals and generations, and fewer deals."""
    rows = {row[0]: row[1:] for row in (line[2:-2].split(" | ") for line in evolved.parameters())}
    for name in ("individuals", "generations"):
        article, _, whole, part = rows[name]
        assert article == whole == part
    deals = rows["deals with each opponent, from both seats"]
    assert deals[0] == deals[2] == "10 000"
    assert deals[3] == "40 to 90"
    survival = rows["share that survives"]
    assert float(survival[0]) == float(survival[2])
    assert rows["hands, millions"][0] == rows["hands, millions"][2]


def test_resources_have_a_row_for_each_system():
    """Of the article's five systems; those that are bots here have our figures, too."""
    rows = [line[2:-2].split(" | ") for line in evolved.resources()[2:]]
    assert [row[0] for row in rows] == ["A*", "ASHE", "Slumbot", "NFSP", "DeepStack"]
    assert [row[4] for row in rows[:3]] == ["`astar`", "`ashe`", "`blueprint`"]
    assert [row[4] for row in rows[3:]] == ["", "`deepstack-fast`"]
    assert all(row[5].endswith("MB") == bool(row[4]) for row in rows)


def test_seeds_are_compared_in_pairs(monkeypatch):
    """The last generations count; a gain is that over the usual variant from the same seed."""

    def run(variant, seed, fitness, won):
        curve = [-9.0, *[fitness] * 5]
        return {
            "variant": variant, "seed": seed, "fitness": curve, "won": {"O1": {"mbb_per_hand": won}}
        }  # fmt: skip

    runs = [
        run("S1", 1, 0.1, 1100.0),
        run("S1", 2, 0.3, 2100.0),
        run("S4", 2, 0.6, 2000.0),
        run("S4", 1, 0.6, 1000.0),
    ]
    single = {"curricula": runs[::3], "widths": [run("50", 1, 0.5, 0.0)], "survival": []}
    measured = {"astar-pilots": {"pilots": single}, "astar-seeds": {"pilots": {"curricula": runs}}}
    monkeypatch.setattr(evolved, "data", measured.get)
    assert evolved.seeds()[2:] == [
        "| curriculum, figure 10 | S1 | .1212 | 0.10 | 0.20 ± 1.27 | 1600 ± 6353 | 100 ± 0 |",
        "| curriculum, figure 10 | S4 | .6654 | 0.60 | 0.60 ± 0.00 | 1500 ± 6353 |  |",
        "| width of the head, figure 8 | 50 |  | 0.50 |  |  |  |",
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
