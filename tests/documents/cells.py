"""JSON of the repository, and numbers as the text of cells.

mbb/h have the digits of a file in which they were rounded already, else they are whole numbers.
"""

import functools
import json
import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[2]

Rows = Iterable[Sequence[str]]


@functools.cache
def read(path: str) -> Any:
    """Return the JSON of a file of the repository; of a .jsonl file a list, of all its lines."""
    text = (ROOT / path).read_text(encoding="utf-8")
    return (
        [json.loads(line) for line in text.splitlines()]
        if path.endswith(".jsonl")
        else json.loads(text)
    )


def data(name: str) -> Any:
    """Return a file of docs/data."""
    return read(f"docs/data/{name}.json")


def number(value: float) -> str:
    """Return whole numbers whole, others with one decimal; blanks from ten thousand on."""
    text = str(value) if isinstance(value, int) else f"{value:.1f}"
    return f"{value:,.0f}".replace(",", " ") if abs(value) >= 10_000 else text


def rounded(value: float, digits: int = 3) -> str:
    """Return a figure with so many significant digits: 2650, 0.27, 1 480 000."""
    places = digits - 1 - math.floor(math.log10(abs(value)))
    shown = round(value, places)
    return f"{shown:.{places}f}" if places > 0 else number(int(shown))


def rate(found: dict[str, Any]) -> str:
    """Return a win rate as it was written down: mean and 95 % interval, mbb/h."""
    return f"{number(found['mbb_per_hand'])} ± {number(found['ci95'])}"


def whole(found: dict[str, Any]) -> str:
    """Return a measured win rate in whole mbb/h; ? where so few samples have no interval."""
    half = "?" if found["ci95"] is None else number(round(found["ci95"]))
    return f"{number(round(found['mbb_per_hand']))} ± {half}"


def percent(share: float) -> str:
    """Return a share."""
    return f"{100 * share:.1f} %"


def table(head: Sequence[str], rows: Rows) -> list[str]:
    """Return the lines of a table."""
    return ["| " + " | ".join(cells) + " |" for cells in (head, ["---"] * len(head), *rows)]
