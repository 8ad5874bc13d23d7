"""Tables as text for a terminal."""

from collections.abc import Sequence


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows of equally many cells as lines: the first column flush left, the others right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join([first.ljust(widths[0]), *map(str.rjust, cells, widths[1:])]).rstrip()
        for first, *cells in rows
    ]
