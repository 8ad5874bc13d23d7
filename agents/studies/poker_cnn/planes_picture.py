"""The planes of a decision as a figure: 16 grids, darker where a cell is nearer 1."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agents.poker_cnn.planes import NAMES, SIDE
from engine.console.drawing import COLOURS, new_figure

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

_OF_CARDS: Final = 8
"""The first planes show cards: 4 rows of suits, 13 columns of ranks."""
_SUITS: Final = "shdc"
_RANKS: Final = "23456789TJQKA"


def planes_figure(planes: NDArray[np.float32], title: str, lines: tuple[str, ...]) -> Figure:
    """Return the figure of (16, 17, 17) planes; `lines` tell of the hand."""
    figure, panels = new_figure(title, "\n".join(lines), len(planes), 4, (1.9, 2.1))
    for number, (axes, plane) in enumerate(zip(panels, planes, strict=True)):
        axes.set_title(f"{number + 1} {NAMES[number]}", loc="left", fontsize=9)
        axes.grid(visible=False)
        axes.imshow(
            plane, "Blues", vmin=0, vmax=1, extent=(0, SIDE, SIDE, 0), interpolation="nearest"
        )
        axes.set(xticks=[], yticks=[])
        axes.spines[:].set_visible(True)
        if number < _OF_CARDS:
            axes.plot([0, 13, 13], [4, 4, 0], "--", color=COLOURS[1], linewidth=1)
            axes.set_xticks([at + 0.5 for at in range(len(_RANKS))], _RANKS, fontsize=6)
            axes.set_yticks([at + 0.5 for at in range(len(_SUITS))], _SUITS, fontsize=7)
            axes.tick_params(length=0, pad=1)
    return figure
