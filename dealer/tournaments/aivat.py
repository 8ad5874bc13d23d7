"""AIVAT of a tournament: the hands of all pairings that have no estimate yet are estimated.

One program does it after the play, into files beside the logs of each pairing.  Estimates are kept
for the next time, for a longer tournament, and for tools for matches.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from dealer.legs.pairings import Pairing
from dealer.results.aivat_files import MatchEstimates
from dealer.results.aivat_program import estimate_beside
from dealer.tournaments.leg_queue import PairingMatch, TournamentQueue

_AT_ONCE: Final = 500
"""Match folders that one call of the program is told; command lines are of limited length."""

PairingEstimates: TypeAlias = Mapping[Pairing, MatchEstimates]
"""Of every pairing that is known so far, so that all are rated alike."""


def estimate_pairings(
    queue: TournamentQueue, words: Sequence[str], jobs: int, *, shown: bool
) -> PairingEstimates | None:
    """Estimate what is left, which takes a while, and return the estimates of all pairings.

    None where nothing was played.

    Raises:
        KeyboardInterrupt: it was stopped; what it has estimated stays.
        MatchError: a hand of some pairing has no estimate; the message says why.
    """
    matches = [queue.match(pairing) for pairing in queue.pairings()]
    played = [match for match in matches if match.logs.hands]
    if not played:
        return None
    game = played[0].folder / played[0].manifest.game_name
    for first in range(0, len(played), _AT_ONCE):
        folders = [match.folder for match in played[first : first + _AT_ONCE]]
        estimate_beside(folders, game, words, jobs, shown=shown)
    return {match.pairing: _estimates_of(match) for match in matches}


def _estimates_of(match: PairingMatch) -> MatchEstimates:
    estimates = MatchEstimates(match.logs.logs)
    estimates.read_all()
    return estimates
