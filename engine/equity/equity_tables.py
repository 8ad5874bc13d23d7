"""p: the equity of two hole cards against two random ones, on any street, always the same number.

    level   uint16   round(65535 * equity), exact halves up: won deals and half the tied ones,
                     over all opponents and all boards to come
    p       float    level / 65535

One hand is computed exactly, without any table, in about 1 ms on the flop, 50 us on the turn and
microseconds on the river.  Bulk work looks levels up: 169 starting hands, 1 286 792 flop hands and
13 960 050 turn hands (names of suits and the order of the board do not matter).  The tables have
31 MB, are built in seconds and kept in the cache folder; river levels are counted.  Both ways, and
`percentile`, agree to the last bit.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

from engine.equity.percentiles import percentiles
from engine.equity.preflop import equities_against_random
from engine.errors import ArtifactMismatch
from engine.hands.cards import card_bits, combo_of
from engine.hands.starting_hands import COMBO_STARTING_HAND
from engine.storage.artifacts import Artifact, Kind, load_artifact, save_artifact
from engine.storage.cache import cache_folder

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from engine.equity.equity_tables_kernels import EquityTables

TOP_LEVEL: Final = 65535
KIND: Final = Kind("equity tables", 1, "delete it, it is made anew")

_FLOP: Final = (2, 3)
_TURN: Final = (2, 4)
_SIZES: Final = {"flop": 1_286_792, "turn": 13_960_050}
_BOARDS_AT_ONCE: Final = 32

StageProgress = Callable[[str, float], None]
"""Called with the name of the stage and the fraction of it that is done."""


def equity(hole: Sequence[int], board: Sequence[int]) -> float:
    """Return p, exactly and without a table: 0 to 1 in steps of 1 / 65535.

    Args:
        hole: two cards.
        board: none, or three to five cards.

    Raises:
        ValueError: another number of cards, an invalid card, or a card named twice.
    """
    return equity_level(hole, board) / TOP_LEVEL


def equity_level(hole: Sequence[int], board: Sequence[int]) -> int:
    """Return the level of p; arguments and errors as of `equity`."""
    if len(hole) != 2 or len(board) not in (0, 3, 4, 5):
        raise ValueError(f"{len(hole)} hole cards and a board of {len(board)}")
    card_bits((*hole, *board))
    if not board:
        return int(levels_of_starting_hands()[COMBO_STARTING_HAND[combo_of(*hole)]])
    from engine.equity.equity_tables_kernels import exact_level
    from engine.hands.cards import COMBOS

    cards = np.zeros(5, np.uint8)
    cards[: len(board)] = board
    ranks = np.empty(COMBOS, np.uint16)
    return int(exact_level(int(hole[0]), int(hole[1]), cards, len(board), ranks))


@cache
def levels_of_starting_hands() -> NDArray[np.uint16]:
    """Return (169,) uint16, read-only.

    Raises:
        ArtifactMismatch: the shipped counts of all matchups are missing or damaged.
    """
    levels = np.floor(equities_against_random() * TOP_LEVEL + 0.5).astype(np.uint16)
    levels.flags.writeable = False
    return levels


@cache
def equity_tables(progress: StageProgress | None = None) -> EquityTables:
    """Return the tables from the cache folder; where they are missing, build and keep them.

    Where the folder cannot be written, they are built in every process.
    """
    try:
        path = cache_folder() / "equity" / "tables.artifact"
    except RuntimeError:  # no home
        return build_equity_tables(progress=progress)
    with contextlib.suppress(ArtifactMismatch):
        return read_equity_tables(path)
    tables = build_equity_tables(progress=progress)
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_equity_tables(path, tables)
    return tables


def build_equity_tables(
    *, threads: int | None = None, progress: StageProgress | None = None
) -> EquityTables:
    """Build the tables from nothing; arguments as of `build_levels`."""
    return _tables(*build_levels(threads=threads, progress=progress))


def build_levels(
    *, threads: int | None = None, progress: StageProgress | None = None
) -> tuple[NDArray[np.uint16], NDArray[np.uint16]]:
    """Compute the levels of all hands; needs 0.5 GB for a few seconds.

    Args:
        threads: None for one per core.

    Returns:
        (1286792,) and (13960050,) uint16, by class of flop and turn hands.
    """
    from engine.equity.equity_tables_kernels import levels_of_board
    from engine.equity.river_rows import river_rows
    from engine.equity.river_rows_kernels import sum_runouts
    from engine.hands.cards import COMBOS
    from engine.hands.isomorphism import CanonicalIndex
    from engine.parallel.threads import run_blocks

    def stage(name: str) -> Callable[[float], None] | None:
        return None if progress is None else lambda done: progress(name, done)

    rivers = river_rows(threads=threads, progress=stage("river equities"))
    levels_of = {}
    for name, groups in (("flop", _FLOP), ("turn", _TURN)):
        index, on_board = CanonicalIndex(groups), CanonicalIndex(groups[1:])
        boards = on_board.cards(np.arange(on_board.size))
        levels = np.zeros(index.size, np.uint16)

        def work(
            first: int,
            end: int,
            boards: NDArray[np.uint8] = boards,
            index: CanonicalIndex = index,
            levels: NDArray[np.uint16] = levels,
        ) -> None:
            sums = np.empty(COMBOS, np.int64)
            for board in boards[first:end]:
                sum_runouts(board, rivers, sums)
                levels_of_board(board, index.tables, sums, levels)

        what = f"{name} equities"
        run_blocks(work, len(boards), _BOARDS_AT_ONCE, threads=threads, progress=stage(what))
        levels_of[name] = levels
    return levels_of["flop"], levels_of["turn"]


def write_equity_tables(path: Path, tables: EquityTables) -> None:
    """Write the levels on flop and turn as an artifact.

    Raises:
        OSError: the file cannot be written.
    """
    save_artifact(path, KIND, {}, {"flop": tables.flop, "turn": tables.turn})


def read_equity_tables(path: Path) -> EquityTables:
    """Return what `write_equity_tables` wrote.

    Raises:
        ArtifactMismatch: the file is missing, damaged or something else.
    """
    artifact = load_artifact(path, KIND)
    for name, size in _SIZES.items():
        _check(path, artifact, name, size)
    return _tables(artifact.arrays["flop"], artifact.arrays["turn"])


def _check(path: Path, artifact: Artifact, name: str, size: int) -> None:
    levels = artifact.arrays.get(name)
    if levels is None or levels.dtype != np.uint16 or levels.shape != (size,):
        raise ArtifactMismatch(f"{path}: no levels of the {name}; {KIND.remedy}")


def _tables(flop: NDArray[np.uint16], turn: NDArray[np.uint16]) -> EquityTables:
    from engine.equity.equity_tables_kernels import EquityTables
    from engine.hands.isomorphism import CanonicalIndex

    return EquityTables(
        preflop=levels_of_starting_hands()[COMBO_STARTING_HAND],
        flop_index=CanonicalIndex(_FLOP).tables,
        flop=flop,
        turn_index=CanonicalIndex(_TURN).tables,
        turn=turn,
        percentiles=percentiles().copy(),
    )
