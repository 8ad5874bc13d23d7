"""What a folder of solved situations holds, and how well simple predictors do on it.

Errors are means of |predicted - solved| over hands, in pots, of two kinds: every hand that the
board leaves counts the same, or by its range and by what the opponent can hold beside it.

    zero     predicts that nothing is won
    equity   predicts that nobody bets any more
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from agents.deepstack.configuration import RIVER, SOURCES
from engine.console.text_table import aligned
from engine.equity.allin_matrix import allin_matrix
from engine.hands.cards import card_bits, live_combos
from engine.range_solver.terminal import fold_values, showdown_values

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from agents.deepstack.data import SolvedData

_SAMPLE_SIZE: Final = 4000
_STACK_BOUNDS_POTS: Final = (0.25, 1.0, 3.0, 10.0)
_FLUSH_CLASSES: Final = ("no flush", "flush with two", "flush with one", "flush on the board")


def describe_data(data: SolvedData) -> tuple[str, dict[str, Any]]:
    """Return tables as text, and the same numbers as plain values."""
    source, held_out = data.column("source"), data.column("held_out")
    counts = {
        "situations": len(data),
        "held_out": int(held_out.sum()),
        "source": {name: int((source == index).sum()) for index, name in enumerate(SOURCES)},
        "stack": _by_stack(data.column("stack") / data.column("pot")),
        "texture": _by_texture(data.column("board")),
    }
    solves = {
        "exploitability": float(data.column("exploitability").mean()),
        "most_exploitability": float(data.column("exploitability").max()),
        "iterations": float(data.column("iterations").mean()),
        "bytes": sum(path.stat().st_size for path in data.files) / len(data),
    }
    errors = predictor_errors(data)
    facts = {
        "configuration": data.configuration.facts(),
        "counts": counts,
        "solves": solves,
        "errors": errors,
    }
    return _text(facts), facts


def predictor_errors(data: SolvedData) -> dict[str, dict[str, dict[str, float]]]:
    """Return {source: {predictor: {kind of mean: pots}}}, from a sample; "all" is a source."""
    numbers = np.unique(
        np.linspace(0, len(data) - 1, min(_SAMPLE_SIZE, len(data))).astype(np.int64)
    )
    columns = [data.rows(name, numbers) for name in ("board", "ranges", "values", "source")]
    errors = np.array([_errors(*row) for row in zip(*columns[:3], strict=True)])
    sources = columns[3]
    chosen = {"all": np.ones(len(numbers), np.bool_)}
    chosen |= {name: sources == index for index, name in enumerate(SOURCES)}
    return {
        name: {
            predictor: {
                "by_hand": float(errors[rows, index, 0].mean()),
                "by_range": float(errors[rows, index, 1].mean()),
            }
            for index, predictor in enumerate(("zero", "equity"))
        }
        for name, rows in chosen.items()
        if rows.any()
    }


def equity_values(board: Sequence[int], ranges: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return (2, 1326) pots that hands win where nobody bets any more; 0 for blocked hands."""
    reach = np.asarray(ranges, np.float32)[::-1]
    met = fold_values(reach, board)
    is_over = len(board) == RIVER + 2
    won = showdown_values(reach, board) if is_over else reach @ allin_matrix(board).T
    values: NDArray[np.float64] = (won / np.where(met > 0, met, 1)).astype(np.float64) / 2
    return values


def _errors(
    board: NDArray[np.uint8], ranges: NDArray[np.float16], values: NDArray[np.float16]
) -> list[tuple[float, float]]:
    """Return for each predictor the mean error over hands, and that by range."""
    cards = tuple(board.tolist())
    live = live_combos(card_bits(cards))
    weights = ranges.astype(np.float64) * fold_values(ranges[::-1].astype(np.float32), cards)
    weights /= weights.sum(axis=1, keepdims=True)
    solved = values.astype(np.float64)
    away = [np.abs(solved), np.abs(solved - equity_values(cards, ranges))]
    return [(float(error[:, live].mean()), float((weights * error).sum() / 2)) for error in away]


def _by_stack(depths: NDArray[np.float64]) -> dict[str, int]:
    names = ["under 0.25", "0.25 to 1", "1 to 3", "3 to 10", "over 10"]
    classes = np.digitize(depths, _STACK_BOUNDS_POTS)
    return {name: int((classes == index).sum()) for index, name in enumerate(names)}


def _by_texture(boards: NDArray[np.uint8]) -> dict[str, int]:
    suits = np.stack([(boards % 4 == suit).sum(axis=1) for suit in range(4)]).max(axis=0)
    ranks = np.sort(boards // 4, axis=1)
    pairs = (np.diff(ranks, axis=1) == 0).sum(axis=1)
    counts = {}
    for suit_excess, suited in enumerate(_FLUSH_CLASSES):
        for paired, some in (("no pair", pairs == 0), ("a pair or more", pairs > 0)):
            chosen = some & (np.maximum(suits - 2, 0) == suit_excess)
            if chosen.any():
                counts[f"{suited}, {paired}"] = int(chosen.sum())
    return counts


def _text(facts: dict[str, Any]) -> str:
    counts, solves = facts["counts"], facts["solves"]
    total = counts["situations"]
    lines = [
        f"{total:,} situations, {counts['held_out']:,} of them on boards held out",
        f"solved to {100 * solves['exploitability']:.2f} % of the pot on average, at most "
        f"{100 * solves['most_exploitability']:.2f} %, in {solves['iterations']:.0f} iterations; "
        f"{solves['bytes']:,.0f} bytes each",
    ]
    for title, name in (("source", "source"), ("stack in pots", "stack"), ("board", "texture")):
        rows = [(title, "situations", "share")]
        rows += [(k, f"{n:,}", f"{100 * n / total:.1f} %") for k, n in counts[name].items()]
        lines += ["", *aligned(rows)]
    table = [("error in pots", "zero", "equity", "zero by range", "equity by range")]
    for name, errors in facts["errors"].items():
        zero, equity = errors["zero"], errors["equity"]
        cells = zero["by_hand"], equity["by_hand"], zero["by_range"], equity["by_range"]
        table.append((name, *(f"{cell:.4f}" for cell in cells)))
    return "\n".join([*lines, "", *aligned(table)]) + "\n"
