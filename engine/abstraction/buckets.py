"""The card abstraction of hold'em: combo and board -> bucket, street by street.

    street     what is told apart                            how a bucket is found
    preflop    the 169 starting hands                        always the same
    flop       hand and flop, order and names of suits not   table of 1 286 792
    turn       hand and four cards, likewise                 table of 13 960 050, or computed: the
                                                             nearest centre of equity histograms
    river      hand and five cards, likewise                 computed: the nearest centre of OCHS
                                                             vectors, or a share of all hands by
                                                             equity; or a table of 123 156 254

The order in which board cards came, and earlier buckets of a hand, are forgotten (imperfect
recall).  A table holds exactly the buckets that computing yields, so either may be used.  For all
combos of a board a table takes 0.05 ms; computing takes 1 ms on the turn, 0.3 ms on the river by
OCHS and 0.02 ms by equity.  A single hand takes 0.1 ms on the turn, 0.03 ms on the river; a river
hand among many deals 0.15, 2 and 0.7 us.  The centre of bucket b has a higher mean equity than that
of b - 1; on the river, over the opponents' clusters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.abstraction.bucket_kernels import (
    first_bad_deal,
    look_up_board,
    look_up_deals,
    ochs_of_board,
    ochs_of_deals,
    preflop_of_deals,
    shares_of_board,
    shares_of_deals,
    tabulate_board,
    turn_of_board,
    turn_of_combo,
)
from engine.abstraction.clustering import check_points, make_centres, scale_of
from engine.abstraction.histograms import bins_of_halves, hand_index
from engine.abstraction.histograms_kernels import count_runouts
from engine.abstraction.ochs import cluster_tables, ochs_scratch
from engine.abstraction.ochs_kernels import CLUSTERS
from engine.equity.river_rows import computed_rows
from engine.equity.river_rows_kernels import HALVES, RiverRows, board_scratch
from engine.hands.cards import COMBOS, card_bits, combo_of
from engine.hands.isomorphism import CanonicalIndex
from engine.hands.isomorphism_kernels import SCRATCH
from engine.hands.starting_hands import COMBO_STARTING_HAND, STARTING_HANDS
from engine.parallel.threads import Progress, run_blocks

STREETS: Final = 4
MOST_BUCKETS: Final = 1 << 16
"""Tables hold uint16."""
PREFLOP, FLOP, TURN, RIVER = range(STREETS)

_BOARDS_AT_ONCE: Final = 16


class Abstraction(Protocol):
    """Buckets of hands, of hold'em or of a small game, as solvers use them."""

    @property
    def counts(self) -> tuple[int, ...]:
        """Number of buckets on each street."""

    def buckets_of_deals(self, deals: NDArray[np.uint8], players: int = 2) -> NDArray[np.int32]:
        """Return (N, players, streets) the buckets of deals, one row of cards each.

        A row holds the hole cards of player 0, of player 1, and so on, then the whole board.
        """


class CardAbstraction:
    """Buckets of hold'em hands on all four streets.

    Attributes:
        counts: buckets on each street.
        parts: the arrays it consists of, by the constructor's names for them.
        provenance: how it was made, as plain values; kept in its file.
    """

    def __init__(
        self,
        *,
        flop_table: NDArray[np.uint16],
        turn_centres: NDArray[np.float32],
        river_centres: NDArray[np.float32] | None = None,
        river_shares: NDArray[np.uint16] | None = None,
        turn_table: NDArray[np.uint16] | None = None,
        river_table: NDArray[np.uint16] | None = None,
        runouts: RiverRows | None = None,
        provenance: Mapping[str, Any] | None = None,
        verify: bool = True,
    ) -> None:
        """Put the parts together.

        Args:
            flop_table: (1286792,) uint16 bucket of each class of (2, 3).
            turn_centres: (K, B - 1) float32 points of equity histograms, as `clustering` has them,
                in ascending order of their sums.
            river_centres: (K, 8) float32 points of OCHS vectors, likewise; either these or
                `river_shares`.
            river_shares: (1981,) uint16 bucket of each number of halves, ascending.
            turn_table: (13960050,) uint16 bucket of each class of (2, 4); None: computed.
            river_table: (123156254,) uint16 bucket of each class of (2, 5); None: computed.
            runouts: `river_rows()`, with which turns are computed several times as fast; not kept
                in a file.
            verify: whether to compare every bucket in the tables of turn and river with the
                counts, for which all of them are read: 28 MB and 246 MB.  Without it, the caller
                has to check buckets before they index anything.

        Raises:
            ValueError: a part has another shape or dtype, centres are not points, sums or shares do
                not ascend, a table has a bucket beyond the counts, or the river's buckets are
                defined twice or not at all.
        """
        if (river_centres is None) == (river_shares is None):
            raise ValueError("the river: want either centres or shares")
        named: dict[str, NDArray[Any] | None] = {
            "flop_table": flop_table,
            "turn_table": turn_table,
            "river_table": river_table,
            "turn_centres": turn_centres,
            "river_centres": river_centres,
            "river_shares": river_shares,
        }
        self.parts: Final = {name: part for name, part in named.items() if part is not None}
        self.provenance: Final = dict(provenance or {})
        _check_parts(self.parts)
        self._tables: Final = {
            street: table
            for street, table in ((FLOP, flop_table), (TURN, turn_table), (RIVER, river_table))
            if table is not None
        }
        _check_order(self.parts)
        self._turn: Final = make_centres(turn_centres, squared=False)
        self._river: Final = make_centres(
            np.empty((0, CLUSTERS), np.float32) if river_centres is None else river_centres,
            squared=True,
        )
        self._bin_of: Final = bins_of_halves(turn_centres.shape[1] + 1)
        self._columns: Final = np.ascontiguousarray(self._river.points.T)
        self._clusters: Final = cluster_tables()
        self._runouts: Final = runouts or computed_rows()
        river = len(self._river.points) if river_shares is None else int(river_shares.max()) + 1
        flop = int(flop_table.max()) + 1
        self.counts: tuple[int, ...] = (STARTING_HANDS, flop, len(turn_centres), river)
        if verify:
            for street, table in self._tables.items():
                if int(table.max()) >= self.counts[street]:
                    raise ValueError(
                        f"the table of street {street} names bucket {table.max()} of "
                        f"{self.counts[street]}"
                    )

    def buckets(self, board: Sequence[int]) -> NDArray[np.int32]:
        """Return the bucket of every combo on a board.

        Args:
            board: no card, or three to five in any order.

        Returns:
            (1326,) int32, -1 where the board blocks the combo.

        Raises:
            ValueError: another number of cards, or a card is invalid or named twice.
        """
        card_bits(board)
        if not len(board):
            return COMBO_STARTING_HAND.astype(np.int32)
        if not 3 <= len(board) <= 5:
            raise ValueError(f"a board of {len(board)} cards: want 0, 3, 4 or 5")
        cards = np.array(board, np.uint8)
        table = self._tables.get(len(board) - 2)
        if table is None:
            return self._computed(cards)
        combo_buckets = np.full(COMBOS, -1, np.int32)
        hand = np.empty(2 + len(board), np.uint8)
        index = hand_index(len(board)).tables
        look_up_board(cards, index, table, np.empty(SCRATCH, np.int64), hand, combo_buckets)
        return combo_buckets

    def bucket(self, hole: Sequence[int], board: Sequence[int]) -> int:
        """Return the bucket of one hand.

        Raises:
            ValueError: as `buckets`, or the hole cards are not two that the board leaves.
        """
        if len(hole) != 2 or set(hole) & set(board) or len(board) not in (0, 3, 4, 5):
            raise ValueError(f"hole cards {list(hole)} on board {list(board)}")
        card_bits([*hole, *board])
        combo, street = combo_of(int(hole[0]), int(hole[1])), max(len(board) - 2, 0)
        if street == PREFLOP:
            return int(COMBO_STARTING_HAND[combo])
        cards = np.array([*hole, *board], np.uint8)
        table = self._tables.get(street)
        if table is not None:
            return int(table[hand_index(len(board)).index(cards[None])[0]])
        if street == RIVER:
            cell = np.empty((1, 1), np.int32)
            self._compute_rivers(cards[None], cell)
            return int(cell[0, 0])
        return self._turn_of_combo(combo, cards[2:])

    def buckets_of_deals(self, deals: NDArray[np.uint8], players: int = 2) -> NDArray[np.int32]:
        """Return the buckets of all players on all streets.

        Args:
            deals: (N, 2 * players + 5) uint8: the hole cards of player 0, of player 1, and so on,
                then the board as it was dealt, the flop in any order.

        Returns:
            (N, players, 4) int32.

        Raises:
            ValueError: the shape or dtype differs, a row has a repeated or invalid card, or the
                turn has no table.
        """
        width = 2 * players + 5
        if players < 1 or deals.dtype != np.uint8 or deals.ndim != 2 or deals.shape[1] != width:
            raise ValueError(f"deals: want (N, {width}) uint8, got {deals.shape} {deals.dtype}")
        if TURN not in self._tables:
            raise ValueError("deals want a table of the turn: call tabulate(TURN) first")
        rows = np.require(deals, requirements=["C", "W"])
        bad = first_bad_deal(rows)
        if bad >= 0:
            raise ValueError(f"deals: row {bad} names a card twice, or what is no card")
        deal_buckets = np.empty((STREETS, len(rows), players), np.int32)
        preflop_of_deals(rows, COMBO_STARTING_HAND.copy(), deal_buckets[PREFLOP])
        suits = np.empty(SCRATCH, np.int64)
        for street, table in self._tables.items():
            cards = board_cards_on(street)
            hand = np.empty(2 + cards, np.uint8)
            look_up_deals(rows, hand_index(cards).tables, table, suits, hand, deal_buckets[street])
        if RIVER not in self._tables:
            self._compute_rivers(rows, deal_buckets[RIVER])
        return np.ascontiguousarray(deal_buckets.transpose(1, 2, 0))

    def tabulate(
        self, street: int, *, threads: int | None = None, progress: Progress | None = None
    ) -> CardAbstraction:
        """Return the same abstraction with a table for the turn (28 MB) or the river (246 MB).

        Args:
            street: TURN or RIVER.

        Raises:
            ValueError: another street.
        """
        if street not in (TURN, RIVER):
            raise ValueError(f"street {street}: want {TURN} or {RIVER}")
        dealt = board_cards_on(street)
        index = hand_index(dealt)
        table = np.zeros(index.size, np.uint16)
        on_board = CanonicalIndex((dealt,))
        boards = on_board.cards(np.arange(on_board.size))

        def work(first: int, end: int) -> None:
            suits, hand = np.empty(SCRATCH, np.int64), np.empty(2 + dealt, np.uint8)
            for board in boards[first:end]:
                tabulate_board(board, index.tables, self._computed(board), suits, hand, table)

        run_blocks(work, len(boards), _BOARDS_AT_ONCE, threads=threads, progress=progress)
        parts: dict[str, Any] = dict(self.parts)
        parts["turn_table" if street == TURN else "river_table"] = table
        return type(self)(**parts, runouts=self._runouts, provenance=self.provenance)

    def _computed(self, board: NDArray[np.uint8]) -> NDArray[np.int32]:
        """Return the buckets of all combos on the turn or river without a table."""
        combo_buckets = np.full(COMBOS, -1, np.int32)
        shares = self.parts.get("river_shares")
        if len(board) == board_cards_on(TURN):
            width = self._turn.points.shape[1]
            counts = np.empty((COMBOS, width + 2), np.uint16)
            scale = scale_of(width, squared=False)
            count_runouts(board, self._runouts, board_scratch(), self._bin_of, counts)
            turn_of_board(
                board, counts, self._turn, scale, np.empty(width, np.float32), combo_buckets
            )
        elif shares is not None:
            shares_of_board(board, board_scratch(), shares, combo_buckets)
        else:
            won, met = np.empty((2, COMBOS, CLUSTERS), np.int16)
            ochs_of_board(
                board,
                self._clusters,
                ochs_scratch(),
                self._columns,
                self._river.keys,
                np.empty(len(self._river.keys), np.int32),
                won,
                met,
                combo_buckets,
            )
        return combo_buckets

    def _turn_of_combo(self, combo: int, board: NDArray[np.uint8]) -> int:
        width = self._turn.points.shape[1]
        bucket: int = turn_of_combo(
            combo,
            board,
            self._clusters.holding,
            np.empty(COMBOS, np.uint16),
            self._bin_of,
            np.empty(width + 2, np.uint16),
            self._turn,
            scale_of(width, squared=False),
            np.empty(width, np.float32),
        )
        return bucket

    def _compute_rivers(self, deals: NDArray[np.uint8], column: NDArray[np.int32]) -> None:
        """Write the players' river buckets (N, P) without a table."""
        shares = self.parts.get("river_shares")
        if shares is not None:
            strengths = np.empty(COMBOS, np.uint16)
            shares_of_deals(deals, self._clusters.holding, strengths, shares, column)
        else:
            keys = self._river.keys
            distances = np.empty(len(keys), np.int32)
            ochs_of_deals(
                deals, self._clusters, ochs_scratch(), self._columns, keys, distances, column
            )


def board_cards_on(street: int) -> int:
    """Return how many cards the board has: 0 before the flop, then 3, 4, 5."""
    return street + 2 if street else 0


def _check_order(parts: dict[str, NDArray[Any]]) -> None:
    """Raise ValueError unless buckets are numbered in ascending order and centres are points."""
    for name in ("turn_centres", "river_centres"):
        if name in parts:
            check_points(parts[name], squared=name == "river_centres", name=name)
            if (np.diff(parts[name].sum(axis=1, dtype=np.float64)) < 0).any():
                raise ValueError(f"{name}: the sums do not ascend")
    shares = parts.get("river_shares")
    if shares is not None and (shares[1:] < shares[:-1]).any():
        raise ValueError("river_shares: the buckets do not ascend")


def _check_parts(parts: dict[str, NDArray[Any]]) -> None:
    """Check shapes and dtypes.  Raises ValueError."""
    lengths = {
        "flop_table": hand_index(3).size,
        "turn_table": hand_index(4).size,
        "river_table": hand_index(5).size,
        "river_shares": HALVES + 1,
    }
    for name, part in parts.items():
        if name in lengths:
            right = part.shape == (lengths[name],) and part.dtype == np.uint16
            want = f"({lengths[name]},) uint16"
        else:
            wide = (
                part.ndim == 2 and len(part) > 0 and (name != "river_centres" or part.shape[1] == 8)
            )
            right = wide and part.dtype == np.float32
            want = f"(K, {8 if name == 'river_centres' else 'D'}) float32"
        if not right or not part.flags.c_contiguous:
            raise ValueError(f"{name}: want {want}, got {part.shape} {part.dtype}")
