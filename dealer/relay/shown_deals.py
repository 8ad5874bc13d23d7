"""Whether a host can have chosen the cards of a match, by what it had shown before it knew words.

A relay says words for the deals of each match, of which half are random.  With its request it
sends their SHA-256; then the server shows the SHA-256 of a secret, its commitment, and those of the
words of all guests; only then the relay says its words.  Cards follow from secret and words, so
whoever has chosen the one without knowing the other cannot have chosen them.  When the match is
over the server shows both, and they must be those of which the SHA-256 was shown.
"""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final, NamedTuple

from protocol.deals import joined_phrase, phrase_digest

_RANDOM_BYTES: Final = 16


def fresh_phrase(text: str) -> str:
    """Return words for the deals of one match, which nobody can guess; a text stands before."""
    return joined_phrase((text, secrets.token_hex(_RANDOM_BYTES)))


@dataclass(frozen=True, slots=True)
class ShownDeals:
    """What a server has shown of the deals of a match before words were said."""

    match: str
    """Its number: words are said for the first match alone for which they are asked."""
    commitment: str
    """SHA-256 of its secret, hexadecimal; "": it has shown none."""
    words_sha256: tuple[str, ...]
    """Of the guests' words, in the order in which they go into the deals."""


class DealsVerdict(NamedTuple):
    """What is to be said of the deals of a match."""

    proven: bool
    """Whether nobody who plays in it, and no host, can have chosen them."""
    line: str
    """What is wrong, or remarkable; "" for nothing."""


def judge_deals(shown: ShownDeals | None, phrase: str, match: Mapping[str, Any]) -> DealsVerdict:
    """Compare what was shown before a match with what its server shows behind it.

    Args:
        shown: to whoever said the words; None: nothing was.
        phrase: words that were to be said for it, not empty.
        match: as the server has it, over; of one that does not count, and has no hand, there is
            nothing to prove.
    """
    if match.get("state") != "finished" and not match.get("hands_played"):
        return DealsVerdict(proven=True, line="")
    fault = _secret_fault(shown, match)
    if fault or shown is None:
        return DealsVerdict(proven=False, line=fault)
    said, digests = str(match.get("words")), shown.words_sha256
    others = [digest for digest in digests if digest != phrase_digest(phrase)]
    if said == phrase:
        line = "the opponent has not said the words for the deals that it was to say"
        return DealsVerdict(proven=True, line=line if others else "")
    first = digests[0] == phrase_digest(phrase)
    rest = said.removeprefix(f"{phrase} ") if first else said.removesuffix(f" {phrase}")
    if rest == said:
        return DealsVerdict(proven=False, line="the deals are not made of this relay's words")
    if not rest.isprintable() or [phrase_digest(rest)] != others:
        line = "the deals are made of other words than those whose SHA-256 it had shown"
        return DealsVerdict(proven=False, line=line)
    return DealsVerdict(proven=True, line="")


def _secret_fault(shown: ShownDeals | None, match: Mapping[str, Any]) -> str:
    """Return what is wrong with the secret of a match, "" where nothing is."""
    if shown is None or not shown.commitment:
        return "it has shown no commitment before it knew this relay's words"
    if shown.match != str(match.get("match")):
        return f"this relay's words were asked for in match {shown.match}"
    try:
        secret = bytes.fromhex(str(match.get("secret")))
    except ValueError:
        return "it does not show the secret of the deals"
    if sha256(secret).hexdigest() != shown.commitment:
        return "the secret of the deals is not the one that it had shown the SHA-256 of"
    return ""
