"""The seed of a log that does not say it: found where it may be, and proven by the cards.

Sessions are sometimes split over files, `NN.log` with the header and `NNb.log` with the hands that
follow, and headers get lost.  A number found in such a place is only a candidate: it counts once
the first hands of the log hold exactly the cards that it deals.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from engine.deals.deal_window import DealWindow
from engine.handlogs.source.log_hands import first_header, readable
from engine.handlogs.source.opening import lines_in, log_blocks
from engine.rules.dealing import MAX_SEED
from protocol.errors import ProtocolError
from protocol.handlog import HandRecord
from protocol.matchstate import parse_card_text

if TYPE_CHECKING:
    from pathlib import Path

    from protocol.gamedef import GameDef

PROOF_HANDS: Final = 32
PROOF_BITS: Final = 20
"""A wrong seed passes with a probability below 2**-20."""
_NAME: Final = re.compile(r"(.*?([0-9]+))([A-Za-z]?)")


class Seed(NamedTuple):
    """A seed and where it comes from, for the report."""

    number: int
    origin: str


def candidate_seeds(log: Path, siblings: Sequence[Path]) -> list[Seed]:
    """Return the seeds that a log without one may have.

    Args:
        siblings: other logs of the same call; one beside `log` counts without being named.
    """
    match = _NAME.fullmatch(log.stem)
    if match is None:
        return []
    seeds = []
    whole, digits, letter = match.groups()
    if letter:
        name = whole + log.suffix
        beside = [log.with_name(name), *(path for path in siblings if path.name == name)]
        for path in beside:
            header = first_header(path)
            if header is not None and header.seed is not None:
                seeds.append(Seed(header.seed, f"of {path.name}, which this log continues"))
                break
    if len(digits) <= len(str(MAX_SEED)) and int(digits) <= MAX_SEED:
        seeds.append(Seed(int(digits), "the number in the file's name"))
    return seeds


def first_records(log: Path) -> list[HandRecord]:
    """Return the first hands of a log, unreadable lines left out."""
    lines = islice(lines_in(log_blocks(log)), 2 * PROOF_HANDS)
    records = [line for line in readable(lines) if isinstance(line, HandRecord)]
    return records[:PROOF_HANDS]


def proven(game: GameDef, seeds: Iterable[Seed], records: Sequence[HandRecord]) -> Seed | None:
    """Return the first of `seeds` that deals the cards of most of `records`, None if none does."""
    shown: list[tuple[int, list[int]]] = []
    for record in records:
        try:
            cards = parse_card_text(record.cards, game)
        except ProtocolError:
            continue
        shown.append((record.hand_id, [card for hole in cards.holes for card in hole]))
    for seed in seeds:
        deals = DealWindow(game, seed.number)
        matched = sum(
            deals.move_to(hand_id) and deals.hand(hand_id)[: len(holes)] == holes
            for hand_id, holes in shown
        )
        bits = matched * math.log2(_hole_deals(game))
        if bits >= PROOF_BITS and 2 * matched >= len(shown):
            return seed
    return None


def _hole_deals(game: GameDef) -> int:
    """Return in how many ways a hand's hole cards can be dealt."""
    if game.dealt_cards:
        return math.prod(math.perm(len(cards), game.hole_cards) for cards in game.dealt_cards)
    return math.perm(len(game.deck), game.players * game.hole_cards)
