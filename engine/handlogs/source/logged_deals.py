"""The deals file that a log says was played: found again, and known by its digest."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from engine.deals.deal_window import DealWindow
from engine.handlogs.source.opening import file_sha256, is_regular
from engine.rules.dealing import MAX_SEED

if TYPE_CHECKING:
    from engine.handlogs.source.log_hands import LoggedHand
    from protocol.deals import DealsNote


class FoundDeals(NamedTuple):
    """A deals file that may be the one a log speaks of."""

    path: Path
    same: bool
    """Whether its bytes are those that were played."""


def find_deals(note: DealsNote, log: Path) -> FoundDeals | None:
    """Return the deals file of a log: as the dealer was told, or beside the log; None for none.

    Raises:
        LogError: a file of that name cannot be read.
    """
    name = note.file.replace("\\", "/").rsplit("/", 1)[-1]
    places = (Path(note.file), log.parent / note.file, log.parent / name)
    changed = None
    for path in dict.fromkeys(places):
        if is_regular(path):
            same = file_sha256(path) == note.sha256
            if same:
                return FoundDeals(path, same)
            changed = changed or FoundDeals(path, same)
    return changed


def deals_again(hand: LoggedHand) -> DealWindow | None:
    """Return what deals the cards of a hand's match again, None where its log does not tell.

    Raises:
        LogError: a deals file cannot be read.
    """
    header, note = hand.header, hand.note
    if header is None or header.seed is None or header.seed > MAX_SEED:
        return None
    if note is None:
        return DealWindow(hand.game, header.seed)
    deals_file = find_deals(note, hand.log)
    if deals_file is None or not deals_file.same:
        return None
    return DealWindow(hand.game, header.seed, given=deals_file.path, first_given=note.first)
