"""Which cards the dealer deals: those of its seed, or those of a deals file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from dealer.server.endings import Ending, error_ending
from dealer.server.option_values import UsageError
from engine.deals.deals_file import GivenDealStream, inspect_deals
from engine.errors import UnusableDeals
from engine.rules.dealing import Deal
from protocol.deals import DealsNote

if TYPE_CHECKING:
    from dealer.server.options import Options
    from protocol.gamedef import GameDef


def deals_note(options: Options, game: GameDef) -> DealsNote | None:
    """Check the deals file; return what the log says about it, None without one.

    Raises:
        UsageError: it cannot be played, or has too few deals for all hands.
    """
    if options.deals is None:
        if options.first_deal:
            raise UsageError("ERROR: --first-deal goes with --deals")
        return None
    last = options.first_deal + options.hands
    try:
        facts = inspect_deals(
            Path(options.deals), game, options.gamedef, checked=range(options.first_deal, last)
        )
    except UnusableDeals as error:
        raise UsageError(f"ERROR: {error}") from error
    if facts.deals < last:
        behind = f" behind the first {options.first_deal:,}" if options.first_deal else ""
        raise UsageError(
            f"ERROR: {options.deals} has {max(0, facts.deals - options.first_deal):,} deals"
            f"{behind}, too few for {options.hands:,} hands"
        )
    return DealsNote(options.first_deal, facts.sha256, options.deals)


def dealt_hands(options: Options, game: GameDef) -> Iterator[Deal] | None:
    """Return the deals of the file, from that of hand 0 on and without end; None without a file.

    Raises, while it is iterated:
        MatchStopped: the deals file has changed since it was checked.
    """
    if options.deals is None:
        return None
    first = options.first_deal
    return _stopping(GivenDealStream(Path(options.deals), game, options.seed, first=first))


def _stopping(deals: Iterator[Deal]) -> Iterator[Deal]:
    try:
        yield from deals
    except UnusableDeals as error:
        raise error_ending(Ending.ERROR, str(error)) from error
