"""Draws the figures of docs that show what studies measured.

    python -m tests.documents.figures [FILE ...]

Each is made from docs/data alone, by matplotlib in the style of `tests.documents.drawing`: a figure
of a family stands beside the tables of that family.
"""

import sys
from collections.abc import Callable
from functools import partial
from typing import Final

from matplotlib.figure import Figure

from tests.documents import (
    cnn_figures,
    evolved_figures,
    learners,
    libratus,
    minimisers,
    modeller_figures,
    predictor_figures,
    responses,
    subgames,
)
from tests.documents.cells import ROOT
from tests.documents.drawing import figure_svg
from tests.documents.modeller_figures import STUDIES as STRENGTHS

FIGURES: Final[dict[str, Callable[[], Figure]]] = {
    "libratus-variants.svg": libratus.variants_figure,
    "minimisers-patent.svg": partial(minimisers.falling, "minimisers-patent"),
    "subgames-small.svg": partial(subgames.techniques_figure, "subgames-small"),
    "pool.svg": modeller_figures.plane,
    "curve.svg": modeller_figures.curves,
    "tree.svg": predictor_figures.tree,
    "network.svg": predictor_figures.network,
    "types.svg": modeller_figures.types,
    **{f"{name}.svg": partial(modeller_figures.strengths, name) for name in STRENGTHS},
    "learners-leduc.svg": learners.falling,
    "adaptation.svg": evolved_figures.adaptation,
    "budget.svg": evolved_figures.budget,
    **{f"{name}.svg": partial(evolved_figures.pilot, name) for name in evolved_figures.PILOTS},
    "cnn-planes.svg": cnn_figures.planes,
    "data/cnn/winnings.svg": cnn_figures.winnings,
    "data/cnn/winnings-limit.svg": cnn_figures.mean_winnings,
    "restrained.svg": responses.trade,
    "data/cnn/calibration-deepstack.svg": partial(cnn_figures.calibration, "accuracy-deepstack"),
    "data/cnn/calibration-blueprint.svg": partial(cnn_figures.calibration, "curve-blueprint"),
}
"""File in docs -> what draws it."""


def main(files: list[str]) -> None:
    """Draw some figures, or all, and name those that have changed."""
    for name in files or FIGURES:
        file, text = ROOT / "docs" / name, figure_svg(FIGURES[name]())
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")
            print(file.relative_to(ROOT))


if __name__ == "__main__":
    main(sys.argv[1:])
