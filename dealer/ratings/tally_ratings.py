"""What every estimator says of hands that were kept one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dealer.ratings.corrected_hands import CorrectedHands
    from engine.estimates.hand_estimates import Ratings
    from engine.estimates.hand_results import HandResults
    from engine.handlogs.counting.tally import Tally


def tally_ratings(
    tally: Tally,
    results: HandResults,
    *,
    by_session: bool = False,
    corrected: CorrectedHands | None = None,
) -> Ratings:
    """Return the ratings of one game; further estimators go into the table of values.

    Args:
        results: the hands of the tally, one by one.
        by_session: take sessions for samples.
        corrected: what AIVAT says of the same hands.
    """
    from engine.estimates.estimators import AIVAT, ALLIN, RAW
    from engine.estimates.hand_estimates import rate_hands

    values = {RAW: results.chips}
    if results.expected is not None:
        values[ALLIN] = results.expected
    if corrected is not None:
        values[AIVAT] = corrected.by_position(results.chips)
    return rate_hands(
        results,
        tally.players,
        tally.game.big_blind,
        values,
        by_session=by_session,
        bounds=(tally.most_lost, tally.most_lost * (tally.game.players - 1)),
    )
