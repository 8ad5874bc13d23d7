"""The deals file that a log says was played: found again, and known by its digest."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from dealer.logs.reading.errors import LogError
from dealer.logs.reading.files import is_regular
from engine.rules.dealing import MAX_SEED

if TYPE_CHECKING:
    from dealer.logs.reading.log_hands import LoggedHand
    from engine.deals.deal_window import DealWindow
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
            same = _digest(path) == note.sha256
            if same:
                return FoundDeals(path, same)
            changed = changed or FoundDeals(path, same)
    return changed


def deals_again(hand: LoggedHand) -> DealWindow | None:
    """Return what deals the cards of a hand's match again, None where its log does not tell.

    Raises:
        LogError: a deals file cannot be read.
    """
    from engine.deals.deal_window import DealWindow

    header, note = hand.header, hand.note
    if header is None or header.seed is None or header.seed > MAX_SEED:
        return None
    if note is None:
        return DealWindow(hand.game, header.seed)
    deals_file = find_deals(note, hand.log)
    if deals_file is None or not deals_file.same:
        return None
    return DealWindow(hand.game, header.seed, given=deals_file.path, first_given=note.first)


def _digest(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise LogError(f"{path}: {error.strerror or error}") from error
