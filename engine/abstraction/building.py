"""Build the card abstraction of hold'em from a few numbers.

    river      equities on all boards, of which the histograms of the other streets are made
    turn       k-means of equity histograms under earth mover's distance, then the nearest bucket
               of every hand
    flop       the same, or potential-aware over the turn buckets
    river      k-means of OCHS vectors, or shares of all hands by equity; a table if wanted

k-means uses a sample of each street's hands, weighted by the deals they stand for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from engine.abstraction.buckets import MOST_BUCKETS, RIVER, CardAbstraction
from engine.abstraction.clustering import KMeans, histogram_points, k_means, scale_of
from engine.abstraction.clustering_kernels import Centres, place_points, shares_of_rows
from engine.abstraction.histograms import (
    MOST_BINS,
    PUBLISHED_BINS,
    Visit,
    hand_index,
    visit_histograms,
)
from engine.abstraction.ochs import random_points
from engine.abstraction.potential_aware import (
    TURN_CARDS,
    assign_rows,
    ground_of,
    potential_k_means,
    visit_turn_buckets,
)
from engine.equity.river_rows import river_rows
from engine.equity.river_rows_kernels import BLOCKED, RiverRows, half_wins
from engine.hands.isomorphism import CanonicalIndex
from engine.parallel.threads import Progress

_RIVER_HANDS_PER_BOARD: Final = 100

StageProgress = Callable[[str, float], None]
"""Called with the name of the stage and the fraction of it that is done."""
_Visitor = Callable[[NDArray[np.uint8], Visit, Progress], None]


@dataclass(frozen=True, slots=True)
class CardConfig:
    """Which abstraction to build."""

    flop: int = 1000
    """Buckets; before the flop there are always 169."""
    turn: int = 1000
    river: int = 1000
    """With shares of equity there may be fewer, as many hands are equally strong."""
    flop_by: Literal["potential", "equity"] = "potential"
    """Distributions over turn buckets, or over final equities."""
    river_by: Literal["ochs", "equity"] = "ochs"
    """Equities against eight kinds of opponent, or against all of them."""
    bins: int = PUBLISHED_BINS
    """Bins of equity histograms."""
    turn_table: bool = True
    """Whether to keep the turn's table (28 MB), for look-ups of deals."""
    river_table: bool = False
    """Whether to keep the river's table (246 MB, some minutes).

    With it, deals take a fifth of the time that they take with OCHS.
    """
    sample: int = 200_000
    """Hands of each street that k-means uses."""
    k_means: KMeans = field(default_factory=KMeans)
    potential_rounds: int = 6
    """Rounds of potential-aware k-means, after ordinary ones."""
    seed: int = 0

    def __post_init__(self) -> None:
        numbers = (self.flop, self.turn, self.river, self.bins, self.sample, self.potential_rounds)
        if not all(isinstance(number, int) for number in (*numbers, self.seed)):
            raise ValueError(f"{self}: numbers of things and the seed must be whole")
        for buckets in (self.flop, self.turn, self.river):
            if not 1 <= buckets <= min(MOST_BUCKETS, self.sample):
                raise ValueError(
                    f"{buckets} buckets: want 1..{MOST_BUCKETS}, and as many hands in the sample"
                )
        if self.sample > hand_index(3).size or self.potential_rounds < 1 or self.seed < 0:
            raise ValueError(f"{self}: sample, rounds or seed out of range")
        if not 2 <= self.bins <= MOST_BINS:
            raise ValueError(f"{self.bins} bins: want 2..{MOST_BINS}")
        if self.flop_by not in ("potential", "equity") or self.river_by not in ("ochs", "equity"):
            raise ValueError(f"{self}: no such kind of buckets")


def build_card_abstraction(
    config: CardConfig,
    *,
    rivers: RiverRows | None = None,
    threads: int | None = None,
    progress: StageProgress | None = None,
) -> CardAbstraction:
    """Build an abstraction; the same one for the same config.

    Needs about 1 GB.  169/1000/1000/1000 takes about two minutes on two cores.

    Args:
        rivers: `river_rows()`, to build several abstractions with.
        threads: None for one per core.

    Raises:
        ValueError: a sample has fewer different hands than there are buckets.
    """
    build = _Build(config, threads, progress)
    rivers = rivers or river_rows(threads=threads, progress=build.stage("river equities"))
    turn_centres, place_turns = build.by_equity(rivers, 4, config.turn)
    parts: dict[str, Any] = {}
    if config.turn_table or config.flop_by == "potential":
        parts["turn_table"] = place_turns()
    if config.flop_by == "equity":
        _, place_flops = build.by_equity(rivers, 3, config.flop)
        parts["flop_table"] = place_flops()
    else:
        parts["flop_table"] = build.by_potential(turn_centres, parts["turn_table"])
    if not config.turn_table:
        parts.pop("turn_table", None)
    if config.river_by == "ochs":
        parts["river_centres"] = build.river_centres().points
    else:
        parts["river_shares"] = equity_shares(rivers, config.river)
    cards = CardAbstraction(
        turn_centres=turn_centres.points,
        **parts,
        provenance={"config": asdict(config), "found": build.found},
    )
    if config.river_table:
        cards = cards.tabulate(RIVER, threads=threads, progress=build.stage("river table"))
    return cards


def equity_shares(rivers: RiverRows, buckets: int) -> NDArray[np.uint16]:
    """Return the bucket of each number of halves, with about as many river hands in each bucket.

    Returns:
        (1981,) uint16, ascending by at most 1; fewer buckets where one number is too frequent.
    """
    index = CanonicalIndex((5,))
    every = np.zeros(BLOCKED + 1, np.int64)
    half_wins(rivers.halves, index.deals(np.arange(index.size)), every)
    counts = every[:BLOCKED]
    middle = (np.cumsum(counts) - counts / 2) / counts.sum()
    _, numbers = np.unique((middle * buckets).astype(np.int64), return_inverse=True)
    return numbers.astype(np.uint16)


class _Build:
    """State of one build that the streets share."""

    def __init__(
        self, config: CardConfig, threads: int | None, progress: StageProgress | None
    ) -> None:
        self.config = config
        self.threads = threads
        self.progress = progress
        self.rng = np.random.default_rng(config.seed)
        self.found: dict[str, dict[str, float]] = {}

    def stage(self, name: str) -> Progress:
        """Return the callback for the progress of one stage."""

        def report(done: float) -> None:
            if self.progress is not None:
                self.progress(name, done)

        return report

    def by_equity(
        self, rivers: RiverRows, board_cards: int, buckets: int
    ) -> tuple[Centres, Callable[[], NDArray[np.uint16]]]:
        """Return the centres of one street by equity histograms, and what makes its table."""
        name = "flop" if board_cards == 3 else "turn"
        bins = self.config.bins

        def visit_all(wanted: NDArray[np.uint8], visit: Visit, report: Progress) -> None:
            visit_histograms(
                rivers,
                board_cards,
                wanted,
                visit,
                bins=bins,
                threads=self.threads,
                progress=report,
            )

        rows, weights = self._sample(name, board_cards, bins, visit_all)
        clustering = k_means(
            histogram_points(rows),
            buckets,
            squared=False,
            rng=self.rng,
            weights=weights,
            settings=self._settings(),
            progress=self.stage(f"{name} k-means"),
        )
        self._note(name, clustering.inertia, clustering.rounds)
        centres = clustering.centres

        def place_all() -> NDArray[np.uint16]:
            table = np.zeros(hand_index(board_cards).size, np.uint16)
            scale = scale_of(bins - 1, squared=False)

            def place(classes: NDArray[np.int64], rows: NDArray[np.uint16]) -> None:
                points = np.empty((len(rows), bins - 1), np.float32)
                shares_of_rows(rows, scale, points)
                place_points(classes, points, centres, table)

            visit_all(np.ones(len(table), np.uint8), place, self.stage(f"{name} table"))
            return table

        return centres, place_all

    def by_potential(
        self, turn_centres: Centres, turn_table: NDArray[np.uint16]
    ) -> NDArray[np.uint16]:
        """Return the table of the flop by distributions over turn buckets."""
        ground = ground_of(turn_centres)

        def visit_all(wanted: NDArray[np.uint8], visit: Visit, report: Progress) -> None:
            visit_turn_buckets(turn_table, wanted, visit, threads=self.threads, progress=report)

        rows, weights = self._sample("flop", 3, TURN_CARDS, visit_all)
        clustering = potential_k_means(
            rows,
            ground,
            self.config.flop,
            rng=self.rng,
            weights=weights,
            settings=self._settings(),
            rounds=self.config.potential_rounds,
            progress=self.stage("flop k-means"),
        )
        self._note("flop", clustering.inertia, clustering.rounds)
        size = hand_index(3).size
        table = np.zeros(size, np.uint16)

        def place(classes: NDArray[np.int64], rows: NDArray[np.uint16]) -> None:
            flop_buckets, _ = assign_rows(rows, ground, clustering.centres, threads=1)
            table[classes] = flop_buckets

        visit_all(np.ones(size, np.uint8), place, self.stage("flop table"))
        return table

    def river_centres(self) -> Centres:
        """Return centres of OCHS vectors, from hands dealt at random."""
        boards = -(-self.config.sample // _RIVER_HANDS_PER_BOARD)
        points = random_points(boards, _RIVER_HANDS_PER_BOARD, self.rng, self.stage("river sample"))
        clustering = k_means(
            points,
            self.config.river,
            squared=True,
            rng=self.rng,
            settings=self._settings(),
            progress=self.stage("river k-means"),
        )
        self._note("river", clustering.inertia, clustering.rounds)
        return clustering.centres

    def _sample(
        self, name: str, board_cards: int, width: int, visit_all: _Visitor
    ) -> tuple[NDArray[np.uint16], NDArray[np.float64]]:
        """Return the rows of hands drawn at random, and how many deals each stands for."""
        index = hand_index(board_cards)
        classes = np.sort(self.rng.choice(index.size, self.config.sample, replace=False))
        wanted = np.zeros(index.size, np.uint8)
        wanted[classes] = 1
        rows = np.empty((len(classes), width), np.uint16)

        def keep(chunk: NDArray[np.int64], chunk_rows: NDArray[np.uint16]) -> None:
            rows[np.searchsorted(classes, chunk)] = chunk_rows

        visit_all(wanted, keep, self.stage(f"{name} sample"))
        return rows, index.deals(classes).astype(np.float64)

    def _settings(self) -> KMeans:
        k_means = self.config.k_means
        return KMeans(k_means.restarts, k_means.rounds, k_means.tolerance, self.threads)

    def _note(self, name: str, inertia: float, rounds: int) -> None:
        self.found[name] = {"inertia": inertia, "rounds": rounds}
