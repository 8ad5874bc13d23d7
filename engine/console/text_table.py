"""Tables as text for a terminal."""

from collections.abc import Sequence


def aligned(rows: Sequence[Sequence[str]], texts: int = 1) -> list[str]:
    """Return rows of equally many cells as lines.

    Args:
        rows: what each line shows; the widest cell of a column decides its width.
        texts: how many columns, from the first on, are flush left; the others are flush right.
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if column < texts else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
