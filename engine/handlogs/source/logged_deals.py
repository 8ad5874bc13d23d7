"""The deals of a match again: of its seed, its secret, or a deals file known by its digest."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from engine.deals.deal_window import DealWindow
from engine.handlogs.source.opening import decode_line, file_sha256, is_regular, log_blocks
from engine.rules.dealing import MAX_SEED
from protocol.deals import DealsCommitment, DealsProof, parse_proof

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.handlogs.source.log_hands import LoggedHand
    from protocol.deals import DealsNote


_PROOF_START: Final = b"\n# deals of secret "


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


def proofs_in(log: Path) -> Mapping[str, DealsProof]:
    """Return the proofs of deals in a log, the first for each commitment; {} of a pipe.

    They stand behind the hands, which a pipe shows only once.

    Raises:
        LogError: it cannot be read.
    """
    proofs: dict[str, DealsProof] = {}
    for block in log_blocks(log, again=True) if is_regular(log) else ():
        text, end = b"\n" + block.data, 0
        while start := text.find(_PROOF_START, end) + 1:
            end = text.index(b"\n", start)
            proof = parse_proof(decode_line(text[start:end]))
            if isinstance(proof, DealsProof):
                proofs.setdefault(proof.commitment, proof)
    return proofs


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
    if isinstance(note, DealsCommitment):
        proof = proofs_in(hand.log).get(note.sha256)
        return None if proof is None else DealWindow(hand.game, proof.key)
    deals_file = find_deals(note, hand.log)
    if deals_file is None or not deals_file.same:
        return None
    return DealWindow(hand.game, header.seed, given=deals_file.path, first_given=note.first)
