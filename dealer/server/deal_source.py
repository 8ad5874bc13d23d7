"""Which cards the dealer deals: those of its seed or its secret, or those of a deals file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from dealer.plan.options import UsageError
from dealer.server.endings import Ending, error_ending
from engine.deals.deals_file import GivenDealStream, inspect_deals
from engine.errors import UnusableDeals
from engine.rules.dealing import Deal
from protocol.deals import DealsCommitment, DealsNote, DealsOrigin

if TYPE_CHECKING:
    from dealer.plan.match_plan import MatchPlan
    from protocol.gamedef import GameDef


def deals_note(plan: MatchPlan, game: GameDef) -> DealsNote | None:
    """Check the deals file; return what the log says about it, None without one.

    Raises:
        UsageError: it cannot be played, or has too few deals for all hands.
    """
    if plan.deals is None:
        if plan.first_deal:
            raise UsageError("ERROR: --first-deal goes with --deals")
        return None
    last = plan.first_deal + plan.hands
    try:
        facts = inspect_deals(
            Path(plan.deals), game, plan.game, checked=range(plan.first_deal, last)
        )
    except UnusableDeals as error:
        raise UsageError(f"ERROR: {error}") from error
    if facts.deals < last:
        behind = f" behind the first {plan.first_deal:,}" if plan.first_deal else ""
        raise UsageError(
            f"ERROR: {plan.deals} has {max(0, facts.deals - plan.first_deal):,} deals"
            f"{behind}, too few for {plan.hands:,} hands"
        )
    return DealsNote(plan.first_deal, facts.sha256, plan.deals)


def shown_origin(plan: MatchPlan, note: DealsNote | None) -> DealsOrigin | None:
    """Return what the log says about the deals, None where they are those of its seed.

    Args:
        note: what `deals_note` has returned.
    """
    return note if plan.secret is None else DealsCommitment(plan.secret.commitment)


def dealt_hands(plan: MatchPlan, game: GameDef) -> Iterator[Deal] | None:
    """Return the deals of the file, from that of hand 0 on and without end; None without a file.

    Raises, while it is iterated:
        MatchStopped: the deals file has changed since it was checked.
    """
    if plan.deals is None:
        return None
    first = plan.first_deal
    return _stopping(GivenDealStream(Path(plan.deals), game, plan.seed, first=first))


def _stopping(deals: Iterator[Deal]) -> Iterator[Deal]:
    try:
        yield from deals
    except UnusableDeals as error:
        raise error_ending(Ending.ERROR, str(error)) from error
