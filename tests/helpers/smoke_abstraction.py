"""A card abstraction that is built in a second, of histograms that are made up."""

import numpy as np
import pytest

from engine.abstraction import building
from engine.abstraction.building import CardConfig, build_card_abstraction

SMOKE = CardConfig(
    flop=10, turn=12, river=14, flop_by="equity", turn_table=False, sample=2000, seed=3
)
_AT_ONCE = 20_000


def made_up_bins(classes, bins):
    """Return the bin that all run-outs of each class lie in."""
    return classes * 2_654_435_761 % 1009 * bins // 1009


def build_made_up(progress=None):
    """Build the abstraction; real histograms of all hands on all flops and turns take longer."""

    def visit_made_up(rivers, board_cards, wanted, visit, *, bins, threads=None, progress=None):
        classes = np.flatnonzero(wanted)
        wanted[:] = 0
        for some in np.split(classes, range(_AT_ONCE, len(classes), _AT_ONCE)):
            rows = np.zeros((len(some), bins), np.uint16)
            rows[np.arange(len(some)), made_up_bins(some, bins)] = 46 if board_cards == 4 else 1081
            visit(some, rows)
        progress(1.0)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(building, "visit_histograms", visit_made_up)
        return build_card_abstraction(SMOKE, rivers="unused", progress=progress)
