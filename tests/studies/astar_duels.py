"""What the evolved ensemble, its parts and other bots win from known opponents and strangers.

    make study NAME="astar-duels [SECTION...]"

10 000 deals from both seats for each entry, 50 000 for O_random, in duplicate; hours on all cores.
The ledger of the work folder has each duel that is over.
Strangers are drawn by a seed of their own, and named by what they are, so that the same report can
be asked for again; none of them was met in training.

`--models DIR` has `astar` play with the networks of that folder instead of the shipped ones, as in
`make study NAME="astar-duels article --models runs/article-part/models"`.
"""

from __future__ import annotations

import shlex
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from agents.roster.bots import COUNTERED_OPPONENTS, MANNER_OF_CHARACTER
from engine.console.arguments import count
from engine.console.options import jobs_option, seed_option
from tests.studies.duels import MATCH, Duel, play_duels

RANDOM: Final = "O_random"
PERIODS_TIMES: Final = 5
"""Deals against RANDOM, by those of other matches: its periods are samples, and differ much."""
LEARNERS: Final = (*MANNER_OF_CHARACTER, "statistical", "astar", "ashe", "ashe-2")
STRANGERS: Final = 20
"""Points of the plane that are drawn."""
MIXTURES: Final = 5
SEARCHER: Final = "deepstack --seconds 0.1 --iterations 30"
"""The trees of deepstack-fast, with iterations instead of its clock, so that it repeats.

On a quiet machine it has time for some 100 on flops and turns.
"""
SEARCHED_PART: Final = 10
"""The searcher plays one of so many deals."""
SEARCHED_MATCH: Final = 100
"""Deals of its matches with learners."""
LEARNED: Final = "blueprint --model runs/nfsp-hunl-1/model.blueprint"
"""What `arena train nfsp --game hunl --groups 3,2,2,2 --bets "100,a/100,a;a" --steps 30000000`
writes; it does not play unless its section is asked for."""
SIZES: Final = 10
SIZE_EXPONENTS: Final = (1.0, 3.3)
"""Of ten: raises of 10 to 2000 % of the pot at most."""
SIZED_POINTS: Final = "points of all sizes"
FOREIGN: Final = ("biased-random", "uniform-random")
"""The original's example player, and one that is more random still."""
KNOWN: Final = "O1 to O8"
KNOWLEDGE: Final = "knowledge bots"
ARTICLE: Final = {
    ("counter-O1", "O1"): 999.92,
    ("astar --variant base", RANDOM): 5105.38,
    ("astar --variant average", RANDOM): -1068.44,
    ("astar --variant street", RANDOM): 6359.36,
    ("blueprint", RANDOM): 3387.13,
    ("astar", KNOWLEDGE): 229.64,
    ("ashe", KNOWLEDGE): -13.0,
    ("blueprint", KNOWLEDGE): 52.43,
    ("ashe", "O1"): 998.6,
    ("ashe", "O2"): 40_368.0,
    ("ashe", "O3"): 36_158.0,
    ("ashe", "candid-statistician"): 9_800.0,
}
"""(agent, opponent or several) -> mbb/h, as published by Zhang et al. (see `agents.astar`), those
of ASHE against single opponents by Li and Miikkulainen (see `agents.ashe`).  Their blueprint is
Slumbot; knowledge bots and points of the plane were others."""


USUAL_SECTIONS: Final = ("ablation", "article", "ancestor", "comparison", "strangers", "sizes")
LEARNED_SECTION: Final = "nfsp"
"""Its duels have a file of their own."""
SECTIONS: Final = (*USUAL_SECTIONS, LEARNED_SECTION)
DEALS: Final = 10_000
SMALL: Final = {"sections": ["ancestor"], "deals": 20, "jobs": 1}


def add_options(parser: ArgumentParser) -> None:
    """Add sections and how much is played."""
    add = parser.add_argument
    add(
        "sections",
        metavar="SECTION",
        nargs="*",
        default=USUAL_SECTIONS,
        help=f"of {', '.join(SECTIONS)} (all but the last)",
    )
    add("--models", metavar="DIR", type=Path, help="networks and library of astar (the shipped)")
    add("--deals", metavar="N", type=count, default=DEALS, help="of each match (%(default)s)")
    seed_option().add_to(parser)
    jobs_option().add_to(parser)


def result_name(options: Namespace) -> str:
    """Return the file of all duels."""
    if list(options.sections) == [LEARNED_SECTION]:
        return f"astar/{LEARNED_SECTION}.jsonl"
    return f"astar/{'models' if options.models else 'duels'}.jsonl"


def run(options: Namespace) -> list[dict[str, Any]]:
    """Play what the ledger lacks; return all duels of the sections, each once."""
    unknown = sorted(set(options.sections) - set(SECTIONS))
    if unknown:
        raise ValueError(f"no section is called {unknown[0]!r}; there are: {', '.join(SECTIONS)}")
    chosen = [section for section in sections() if section.name in options.sections]
    duels = [duel for section in chosen for duel in section.duels(options.deals, options.seed)]
    if options.models is None:
        return play_duels(duels, options.work, options.jobs)
    words = f" --models {shlex.quote(str(options.models))}"
    by_models = [_with_models(duel, words) for duel in duels]
    rows = play_duels(by_models, options.work, options.jobs)
    return [{**row, "one": row["one"].removesuffix(words)} for row in rows]


def _with_models(duel: Duel, words: str) -> Duel:
    return duel._replace(one=duel.one + words) if duel.one.split()[0] == "astar" else duel


@dataclass(frozen=True, slots=True)
class Section:
    """A table: what each agent wins from each opponent."""

    name: str
    title: str
    agents: tuple[str, ...]
    opponents: tuple[str, ...]
    only_own: bool = False
    """Whether agents that counter somebody meet that opponent alone."""
    means: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Opponents over whom a mean is told, with a name."""
    leader: str = ""
    """The agent of whom is told how often it wins more than each other one."""

    def duels(self, deals: int, seed: int) -> list[Duel]:
        """Return all that are played for it."""
        return [
            _duel(agent, opponent, deals, seed)
            for agent in self.agents
            for opponent in self.opponents
            if self.meets(agent, opponent)
        ]

    def meets(self, agent: str, opponent: str) -> bool:
        """Return whether an agent plays an opponent."""
        counters = self.only_own and agent.startswith("counter-")
        return agent != opponent and (not counters or agent == f"counter-{opponent}")


def _duel(agent: str, opponent: str, deals: int, seed: int) -> Duel:
    """Return as many matches as it takes, of MATCH deals with learners, or one."""
    match = MATCH
    if SEARCHER in (agent, opponent):
        deals, match = max(deals // SEARCHED_PART, 1), SEARCHED_MATCH
    if opponent in LEARNERS:
        length = min(match, deals)
        return Duel(agent, opponent, deals // length * length, seed, length)
    return Duel(agent, opponent, PERIODS_TIMES * deals if opponent == RANDOM else deals, seed)


def sections(strangers_seed: int = 2028) -> tuple[Section, ...]:
    """Return all tables of the report, in its order."""
    counters = tuple(f"counter-{name}" for name in COUNTERED_OPPONENTS)
    variants = (
        "astar --variant base",
        "astar --variant refuge",
        "astar --variant average",
        "astar --variant similar",
        "astar --variant street",
        "astar --variant eight",
        "astar --variant sure",
    )
    knowledge = tuple(MANNER_OF_CHARACTER)
    players = "astar", "ashe", "ashe-2", "blueprint", "statistical"
    points, mixed = drawn_points(strangers_seed), drawn_mixtures(strangers_seed)
    sized = drawn_sizes(strangers_seed)
    return (
        Section(
            "ablation",
            "Counter-strategies, each against its opponent, the parts of the ensemble, and others",
            (*counters, *variants, "astar", "blueprint"),
            (*COUNTERED_OPPONENTS, RANDOM, *knowledge),
            only_own=True,
            means=((KNOWN, COUNTERED_OPPONENTS), (KNOWLEDGE, knowledge)),
        ),
        Section(
            "article",
            "The base strategy and the ensemble by the article's rule",
            ("astar --variant base", "astar --variant street"),
            (*COUNTERED_OPPONENTS, RANDOM, *knowledge),
            means=((KNOWN, COUNTERED_OPPONENTS), (KNOWLEDGE, knowledge)),
        ),
        Section(
            "ancestor",
            "ASHE and the opponents that its first version evolved against",
            ("ashe", "ashe-2"),
            ("O1", "O2", "O3", "candid-statistician"),
        ),
        Section(
            "comparison",
            "Each other, the knowledge bots, and the opponent that changes",
            (*players, SEARCHER),
            (*players, *knowledge, RANDOM),
            means=((KNOWLEDGE, knowledge),),
        ),
        Section(
            "strangers",
            "Opponents that nobody was trained against",
            ("astar", "astar --variant refuge", "astar --variant base", "blueprint", "statistical"),
            (*points, *mixed, *FOREIGN, *knowledge),
            means=(("points", points), ("mixtures", mixed)),
            leader="astar",
        ),
        Section(
            "sizes",
            "Points of the plane that bet a tenth of the pot, or twenty pots",
            ("astar", "astar --variant refuge", "astar --variant sure", "blueprint"),
            sized,
            means=((SIZED_POINTS, sized),),
        ),
        Section(
            LEARNED_SECTION,
            "Neural fictitious self-play",
            (LEARNED,),
            (*players, SEARCHER, *knowledge, RANDOM),
            means=((KNOWLEDGE, knowledge),),
        ),
    )


def drawn_points(seed: int, count: int = STRANGERS) -> tuple[str, ...]:
    """Return names of points of the plane, evenly drawn; bluffs, slow play and pressure, too."""
    rng = np.random.default_rng(seed)
    drawn: Sequence[Sequence[int]] = rng.integers(
        (5, 0, 0, 0, 0), (101, 101, 51, 51, 101), size=(count, 5)
    ).tolist()
    return tuple("-".join(["plane", *map(str, point)]) for point in drawn)


def drawn_sizes(seed: int, count: int = SIZES) -> tuple[str, ...]:
    """Return names of points of the plane that raise by any size, evenly by its logarithm."""
    rng = np.random.default_rng([seed, 2])
    found = []
    for point in drawn_points(seed + 2, count):
        size = round(10 ** rng.uniform(*SIZE_EXPONENTS))
        found.append(f"{point}-{size}")
    return tuple(found)


def drawn_mixtures(seed: int, count: int = MIXTURES) -> tuple[str, ...]:
    """Return names of mixtures: two or three, known ones or points, for 10 to 300 hands each."""
    rng = np.random.default_rng([seed, 1])
    points = drawn_points(seed + 1)
    found = []
    for _ in range(count):
        parts = rng.choice([*COUNTERED_OPPONENTS, *points], rng.integers(2, 4), replace=False)
        found.append(f"{'+'.join(parts)}@{rng.integers(10, 301)}")
    return tuple(found)
