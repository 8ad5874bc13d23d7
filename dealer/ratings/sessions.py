"""Hands of logs kept one by one, session by session, and what every estimator says of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from dealer.ratings.corrected_hands import CorrectedHands
    from engine.estimates.hand_estimates import Ratings
    from engine.estimates.hand_results import HandResults
    from engine.handlogs.counting.tally import Tally
    from protocol.handlog import Header

_SMALL_DECK_DEALS: Final = 100_000
"""Among fewer deals equal ones are often chance: only logs of one seed then have the same deals."""


class Sessions:
    """Keeps all hands one by one, session by session."""

    def __init__(self) -> None:
        self._of_tally: dict[int, list[list[NDArray[np.int64]]]] = {}
        self._count = 0

    def begin(self, tally: Tally, header: Header | None) -> None:
        """Keep the hands to come as those of another session."""
        self._count += 1
        rows: list[NDArray[np.int64]] = []
        self._of_tally.setdefault(id(tally), []).append(rows)
        deals_of = 0
        if _hole_deals(tally) < _SMALL_DECK_DEALS:
            seed = None if header is None else header.seed
            deals_of = -self._count if seed is None else seed + 1
        tally.keep_results(rows, deals_of)

    def of(self, tally: Tally) -> list[list[NDArray[np.int64]]]:
        """Return the rows of each session with hands of a game."""
        return [rows for rows in self._of_tally.get(id(tally), []) if rows]


def _hole_deals(tally: Tally) -> int:
    """Return in how many ways all hole cards can be dealt."""
    from math import comb

    game = tally.game
    ways, deck = 1, len(game.deck)
    for _ in range(game.players):
        ways *= comb(deck, game.hole_cards)
        deck -= game.hole_cards
    return ways


def session_ratings(
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
