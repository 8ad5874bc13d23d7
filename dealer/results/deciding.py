"""`--decide K`: pairings play on where the first places hang, until these are decided.

What is played next follows from the ledger and the logs alone, and the ledger notes it first.  So a
tournament that was interrupted goes on as it would have, whatever the number of jobs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import combinations
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dealer.results.standing import block_results, hands_of_pairings, pair_shares
from dealer.series.schedule import MOST_RUNS, Pairing
from dealer.series.series import Series
from engine.estimates.deciding import TopDecision, decide_top, share_rounds
from engine.estimates.estimators import ALLIN
from engine.estimates.ranking_certainty import BlockResults

_FEWEST_ROUNDS: Final = 4
_ROUNDS_PER_NEW_ROUND: Final = 10
"""With a tenth of the rounds between two looks, seven looks double the rounds."""
_MOST_NAMED: Final = 8


class TopDecider:
    """Says which pairings play on; see `dealer.series.series.Longer`."""

    def __init__(self, top: int, most_hands: int | None, say: Callable[[str], None]) -> None:
        """Nothing is decided yet.

        Args:
            top: how many places.
            most_hands: that may be played beyond the rounds of all; None: as many as those.
            say: shows a line to the user.
        """
        self._top = top
        self._most_hands = most_hands
        self._say = say

    def __call__(self, series: Series) -> Mapping[Pairing, int]:
        """Return the pairings that play on, with their rounds; nobody once it is over."""
        if series.playing:
            return {}
        results, decision = self.look(series)
        hands = series.manifest.hands * series.manifest.players
        budget = self.budget(series) // hands - series.extra_rounds
        pairings = series.pairings()
        rounds = np.array([series.rounds(pairing) for pairing in pairings], np.int64)
        count = min(max(_FEWEST_ROUNDS, int(rounds.sum()) // _ROUNDS_PER_NEW_ROUND), budget)
        if not decision.open or count <= 0:
            return {}
        influence = _of_tables(pairings, results, decision)
        influence[[not _can_play_on(series, pairing) for pairing in pairings]] = 0.0
        wanted = np.minimum(rounds + share_rounds(influence, rounds, count), _most_rounds(series))
        chosen = {pairings[at]: int(wanted[at]) for at in np.flatnonzero(wanted > rounds).tolist()}
        if chosen:
            named = [series.manifest.pairing_name(pairing) for pairing in [*chosen][:_MOST_NAMED]]
            rest = f" and {len(chosen) - len(named)} more" if len(chosen) > len(named) else ""
            self._say(f"{self.text(series, decision)}; more deals for {', '.join(named)}{rest}")
        return chosen

    def look(self, series: Series) -> tuple[BlockResults, TopDecision]:
        """Return what has been played, and what that decides."""
        played = hands_of_pairings(series, lambda count: None)
        results = block_results(series, pair_shares(series, played, ALLIN))
        return results, decide_top(results, self._top)

    def budget(self, series: Series) -> int:
        """Return how many hands may be played beyond the rounds of all."""
        base = series.manifest.leg_count * series.manifest.hands
        return base if self._most_hands is None else self._most_hands

    def document(self, series: Series, decision: TopDecision) -> dict[str, Any]:
        """Return what is decided, for programs."""
        labels = series.manifest.labels
        return {
            "top": self._top,
            "decided": not decision.open,
            "first": [labels[bot] for bot in decision.first],
            "open": [labels[bot] for bot in decision.open],
            "hands": series.extra_hands,
            "most_hands": self.budget(series),
        }

    def text(self, series: Series, decision: TopDecision) -> str:
        """Return what is decided, one line."""
        labels = series.manifest.labels
        what = f"the first {self._top}" if self._top > 1 else "the first place"
        hands = f"after {series.extra_hands:,} of at most {self.budget(series):,} hands more"
        if not decision.open:
            return f"{what} decided {hands}: {', '.join(labels[bot] for bot in decision.first)}"
        ranges = [f"{labels[bot]} ({decision.places.text(bot)})" for bot in decision.open]
        rest = len(ranges) - _MOST_NAMED
        more = f" and {rest} more" if rest > 0 else ""
        return f"{what} open {hands}: {', '.join(ranges[:_MOST_NAMED])}{more}"


def _can_play_on(series: Series, pairing: Pairing) -> bool:
    """Return whether a pairing has deals left, and nobody who breaks off."""
    entries = series.entries(series.match(pairing))
    has_deals = series.rounds(pairing) < _most_rounds(series)
    return has_deals and not any(entry.forfeited for entry in entries)


def _most_rounds(series: Series) -> int:
    """Return how many rounds there are deals for."""
    deals = series.manifest.deals
    return MOST_RUNS if deals is None else min(MOST_RUNS, deals.count // series.manifest.hands)


def _of_tables(
    pairings: list[Pairing], results: BlockResults, decision: TopDecision
) -> NDArray[np.float64]:
    """Return the influence of each pairing: that of all pairs of bots at its table."""
    by_pair = dict(
        zip(map(tuple, results.pairs.tolist()), decision.influence.tolist(), strict=True)
    )
    return np.array(
        [
            sum(by_pair.get(pair, 0.0) for pair in combinations(pairing.bots, 2))
            for pairing in pairings
        ]
    )
