"""The published value of local best response against a bot that folds to every bet.

Sources as in `engine.evaluation.lbr_settings`: 250 mbb/h where LBR only calls and folds (half of
the hands the bot gives up its small blind), 750 where it bets.
"""

import pytest

from engine.evaluation.lbr import LocalBestResponse
from engine.evaluation.lbr_match import measure
from engine.evaluation.lbr_result import result_of
from engine.evaluation.lbr_settings import PUBLISHED_SETTINGS
from engine.evaluation.simple_policies import FoldPolicy
from protocol.gamedefs import load_builtin


@pytest.mark.parametrize(
    ("column", "mbb", "pairs"), [(0, 250, 210), (1, 750, 40), (2, 750, 40), (3, 750, 40)]
)
@pytest.mark.parametrize("game", ["hunl", "hulhe"])
def test_always_fold_loses_exactly_what_is_published(game, column, mbb, pairs):
    """Nothing is left to luck: the interval has no width either.  Limit hold'em is no different."""
    lbr = LocalBestResponse(FoldPolicy(), load_builtin(game), PUBLISHED_SETTINGS[column])
    result = result_of(measure(lbr, pairs, seed=1))
    assert result.rate.mbb_per_hand == pytest.approx(mbb, abs=1e-6)
    assert result.rate.sd < 1e-6
    assert result.streets[0].mbb_per_hand == pytest.approx(250)  # the small blind, given up


def test_bets_need_no_correction_for_luck():
    """Every hand wins a blind, at once or on the turn (or is shown down, as good as the nuts)."""
    lbr = LocalBestResponse(FoldPolicy(), load_builtin("hunl"), PUBLISHED_SETTINGS[1])
    plain = result_of(measure(lbr, 20, seed=1)).plain
    assert plain.mbb_per_hand == pytest.approx(750, abs=1e-6)
    assert plain.sd < 1e-6
