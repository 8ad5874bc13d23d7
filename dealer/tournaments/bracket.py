"""The rounds of a knockout: who beat whom, and by what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.console.quantities import UNKNOWN, interval
from engine.estimates.estimators import RAW, name_in_sets

if TYPE_CHECKING:
    from dealer.tournaments.standing import PairingStanding, Standings

_TITLES: Final = ("round", "winner", "loser", "by")


def winner_line(found: Standings) -> str:
    """Return who won a knockout, in one line."""
    return "winner: not known yet" if found.winner is None else f"winner: {found.winner.label}"


def bracket_rows(found: Standings) -> list[list[str]]:
    """Return the pairings of a knockout round by round as rows of cells, the first one titles."""
    rounds = (len(found.bots) - 1).bit_length()
    rows = [list(_TITLES)]
    for stage in range(rounds):
        title = "final" if stage == rounds - 1 else str(stage + 1)
        pairings = [one for one in found.pairings if one.stage == stage]
        rows += [[title, *_told(found, pairing)] for pairing in pairings]
        if stage == 0:
            meet = {bot for one in pairings for bot in (one.one, *one.others)}
            waiting = [bot.label for at, bot in enumerate(found.bots) if at not in meet]
            rows += [[title, label, UNKNOWN, "waits a round"] for label in waiting]
    return rows


def _told(found: Standings, pairing: PairingStanding) -> list[str]:
    """Return winner, loser, and the criterion that decided."""
    one, other = found.bots[pairing.one].label, found.bots[pairing.others[0]].label
    if pairing.winner is None:
        return [f"{one} or {other}", UNKNOWN, "not over"]
    sign = 1 if pairing.winner == pairing.one else -1
    names = [one, other][::sign]
    forfeits = pairing.forfeits[::sign]
    if forfeits[0] != forfeits[1]:
        return [*names, f"forfeited legs, {forfeits[0]} to {forfeits[1]}"]
    rates = [each.rate for each in pairing.estimates if each.name == name_in_sets(RAW)]
    if not rates or not rates[0].mbb_per_hand:
        return [*names, "all hands, or the better seed: equal in the duplicate sets"]
    return [*names, f"{interval(sign * rates[0].mbb_per_hand, rates[0].ci95, 0)} mbb/h"]
