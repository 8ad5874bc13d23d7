"""Deals files: the cards of hands that are to be played, one hand a line.

    line   = [content] ["#" comment]
    content = "game " NAME / deal
    deal   = [betting ":"] cards
    cards  = hole *("|" hole) *("/" street)
    hole   = "?" / a position's hole cards
    street = "?" / a street's new board cards

Cards are written as in a match log, so the card text of a STATE line is a deal: all hole cards, and
the board as far as it was shown.  "?" leaves cards to whoever deals, and so do streets left out at
the end.  Board cards of the first street, which few games have, stand behind the last hole cards.

A deal with betting is a spot: the hand begins where these actions lead.  Whether they are legal is
the engine's question; whether the cards are different and in the deck is answered here.

One line `game NAME`, before the first deal, may say for which game the deals are.  Lines end with
LF or CRLF; blanks around the content and empty lines mean nothing.

A match that plays such deals says so in its log, in a comment below the header:

    # deals first <number> sha256 <64 hexadecimal digits> <file>

`first` counts the deals of the file before that of hand 0.

A server deals from a secret, to which it has bound itself by the SHA-256 of it before players say
their words for the deals; and each of these has bound himself in the same way before.  Below the
header stands the SHA-256; behind the match, once it is over, the secret, and all words, with a
blank between (`engine.rules.keyed_dealing` has how cards follow from the key that both make):

    # deals of a secret with sha256 <64 hexadecimal digits>
    # deals of secret <hexadecimal digits> and words <text>

Where the header's seed is that of secret and words, as servers had it first, there is instead:

    # seed of secret <hexadecimal digits> and words <text>
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256
from hmac import digest as hmac_digest
from typing import TYPE_CHECKING, Final, TypeAlias

from protocol.betting import BETTING_PATTERN
from protocol.cards import CARD_TEXT, RANKS, format_cards, parse_cards
from protocol.errors import MalformedCard, MalformedDeal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from protocol.gamedef import GameDef

ANY_CARDS: Final = "?"
_COMMENT: Final = "#"
_GAME: Final = re.compile(r"game[ \t]+(.+)")
_BETTING: Final = re.compile(BETTING_PATTERN)
_DEAL_FIRST_LETTERS: Final = frozenset([ANY_CARDS, *RANKS, "f", "c", "r"])
_SECRET_AND_WORDS: Final = r"of secret ((?:[0-9a-f]{2}){1,128}) and words (.*)"
_SEED_PROOF: Final = re.compile(f"# seed {_SECRET_AND_WORDS}")
_DEALS_PROOF: Final = re.compile(f"# deals {_SECRET_AND_WORDS}")
_COMMITMENT: Final = re.compile(r"# deals of a secret with sha256 ([0-9a-f]{64})")
_NOTE: Final = re.compile(r"# deals first ([0-9]{1,10}) sha256 ([0-9a-f]{64}) (.+)")


@dataclass(frozen=True, slots=True)
class GivenDeal:
    """What a line of a deals file says about a hand."""

    holes: tuple[tuple[int, ...] | None, ...]
    """Hole cards per position; None where they are not given."""
    board: tuple[tuple[int, ...] | None, ...]
    """New board cards per street; None where they are not given."""
    betting: str = ""
    """Betting text that the hand begins with, "" for a hand from its beginning."""


@dataclass(frozen=True, slots=True)
class DealsNote:
    """What a match log says about the deals file that was played."""

    first: int
    """Deals of the file before that of hand 0."""
    sha256: str
    """Digest of the file, hexadecimal."""
    file: str
    """The file as the dealer was told."""


@dataclass(frozen=True, slots=True)
class DealsCommitment:
    """What a match log says about the secret that its deals are made of."""

    sha256: str
    """Of the secret, hexadecimal."""


DealsOrigin: TypeAlias = DealsNote | DealsCommitment
"""What a log says of deals that are not those of its header's seed."""


@dataclass(frozen=True, slots=True)
class SecretProof:
    """What deals come from that nobody plays with knows before they are over."""

    secret: bytes
    """Of the one who deals, who has published its SHA-256 before the match."""
    phrase: str
    """Of those who play, said before it."""

    @property
    def commitment(self) -> str:
        """SHA-256 of the secret, hexadecimal."""
        return sha256(self.secret).hexdigest()

    @property
    def phrase_bytes(self) -> bytes:
        """The phrase as it is digested."""
        return self.phrase.encode("utf-8", "surrogateescape")


class DealsProof(SecretProof):
    """The deals are those of a key."""

    __slots__ = ()

    @property
    def key(self) -> bytes:
        """HMAC-SHA-256 of the phrase; no phrase makes it follow from the commitment."""
        return hmac_digest(self.secret, b"deals " + self.phrase_bytes, "sha256")

    @property
    def number(self) -> int:
        """The first four bytes of the commitment, which stand in a header in place of a seed."""
        return int(self.commitment[:8], 16)


class SeedProof(SecretProof):
    """The deals are those of a seed."""

    __slots__ = ()

    @property
    def seed(self) -> int:
        """The first four bytes of the SHA-256 of secret and phrase, the highest one first."""
        return int.from_bytes(sha256(self.secret + self.phrase_bytes).digest()[:4], "big")


def phrase_digest(phrase: str) -> str:
    """Return the SHA-256 by which a player is bound to what he says, hexadecimal."""
    return sha256(phrase.encode("utf-8", "surrogateescape")).hexdigest()


def joined_phrase(phrases: Iterable[str]) -> str:
    """Return the phrase of a match from those of its players, "" of who said none."""
    return " ".join(filter(None, phrases))


class DealGrammar:
    """The deals of one game as text."""

    __slots__ = ("_deck", "_each", "_lists", "_players", "_streets", "game")

    def __init__(self, game: GameDef) -> None:
        self.game = game
        self._players = game.players
        self._each = game.hole_cards
        self._streets = game.board_cards
        self._deck = frozenset(game.deck)
        self._lists = [frozenset(cards) for cards in game.dealt_cards]

    def parse(self, text: str) -> GivenDeal:
        """Read one deal, blanks and comment already removed.

        Raises:
            MalformedDeal: it is none of this game.
        """
        betting, _, cards = text.rpartition(":")
        if betting and _BETTING.fullmatch(betting) is None:
            raise MalformedDeal(f"{betting[:40]!r} is no betting")
        *fields, last = cards.split("|")
        if len(fields) != self._players - 1:
            number = len(fields) + 1
            raise MalformedDeal(f"cards of {number} position{'s' * (number > 1)}, "
                                f"the game has {self._players}")  # fmt: skip
        last, *later = last.split("/")
        at = len(ANY_CARDS) if last.startswith(ANY_CARDS) else 2 * self._each
        holes = tuple([self._hole(field) for field in (*fields, last[:at])])
        streets = [last[at:] or ANY_CARDS, *later]
        if len(streets) > len(self._streets):
            raise MalformedDeal(
                f"board cards of {len(streets)} streets, the game has {len(self._streets)}"
            )
        board = [self._street(*pair) for pair in zip(streets, self._streets, strict=False)]
        board += [None if count else () for count in self._streets[len(streets) :]]
        deal = GivenDeal(holes, tuple(board), betting)
        self.check(deal)
        return deal

    def format(self, deal: GivenDeal) -> str:
        """Inverse of `parse`; streets at the end that are not given are left out."""
        first, *later = deal.board
        text = "|".join([ANY_CARDS if hole is None else format_cards(hole) for hole in deal.holes])
        text += "" if first is None else format_cards(first)
        while later and not later[-1]:
            later.pop()
        text += "".join([f"/{ANY_CARDS if new is None else format_cards(new)}" for new in later])
        return f"{deal.betting}:{text}" if deal.betting else text

    def _hole(self, text: str) -> tuple[int, ...] | None:
        if text == ANY_CARDS:
            return None
        cards = _cards(text)
        if len(cards) != self._each:
            raise MalformedDeal(f"{text[:40]!r}: want {self._each} hole cards, or {ANY_CARDS}")
        return cards

    def _street(self, text: str, count: int) -> tuple[int, ...] | None:
        if text == ANY_CARDS:
            return None if count else ()
        cards = _cards(text)
        if len(cards) != count:
            raise MalformedDeal(f"{text[:40]!r}: want {count} board cards, or {ANY_CARDS}")
        return cards

    def check(self, deal: GivenDeal) -> None:
        """Refuse cards that no deal of the game has.  Raises MalformedDeal."""
        every = [card for part in (*deal.holes, *deal.board) if part for card in part]
        dealt = set(every)
        if len(dealt) != len(every):
            twice = next(card for at, card in enumerate(every) if card in every[:at])
            raise MalformedDeal(f"card {CARD_TEXT[twice]} is there twice")
        if not dealt <= self._deck:
            strange = CARD_TEXT[min(dealt - self._deck)]
            raise MalformedDeal(f"card {strange} is not in the deck of this game")
        for position, (supply, hole) in enumerate(zip(self._lists, deal.holes, strict=False)):
            if hole is not None and not supply.issuperset(hole):
                raise MalformedDeal(f"the game deals position {position} no {format_cards(hole)}")
            if hole is None and len(supply - dealt) < self._each:
                raise MalformedDeal(f"too few cards are left for position {position}")


class DealsReader:
    """Reads a deals file line by line, and counts as it goes."""

    __slots__ = ("deals", "game_name", "grammar", "line_number")

    def __init__(self, game: GameDef) -> None:
        self.grammar = DealGrammar(game)
        self.line_number = 0
        """Lines read."""
        self.deals = 0
        """Deals read or passed over."""
        self.game_name: str | None = None
        """The game that the file names, None where it names none."""

    def read(self, line: str) -> GivenDeal | None:
        """Read a line with or without its end; return its deal, None where it has none.

        Raises:
            MalformedDeal: the line is none of a deals file of this game; it has the number.
        """
        text = self._content(line)
        if not text or self._is_game(text):
            return None
        try:
            deal = self.grammar.parse(text)
        except MalformedDeal as error:
            raise MalformedDeal(error.reason, self.line_number) from error
        self.deals += 1
        return deal

    def pass_over(self, line: str) -> None:
        """Read a line as `read` does, without checking the cards of a deal.

        Raises:
            MalformedDeal: a game is named twice, or too late.
        """
        if line[:1] in _DEAL_FIRST_LETTERS:
            self.line_number += 1
            self.deals += 1
            return
        text = self._content(line)
        if text and not self._is_game(text):
            self.deals += 1

    def _content(self, line: str) -> str:
        self.line_number += 1
        return line.partition(_COMMENT)[0].strip()

    def _is_game(self, text: str) -> bool:
        """Take the name of a line that names the game; return whether it is one."""
        match = _GAME.fullmatch(text)
        if match is None:
            return False
        if self.game_name is not None or self.deals:
            raise MalformedDeal("the game is named once, before all deals", self.line_number)
        self.game_name = match[1]
        return True


def read_deals(lines: Iterable[str], game: GameDef) -> Iterator[GivenDeal]:
    """Yield the deals of a file.  Raises MalformedDeal, which names the line."""
    reader = DealsReader(game)
    for line in lines:
        deal = reader.read(line)
        if deal is not None:
            yield deal


def format_game_line(name: str) -> str:
    """Return the line that names the game; no terminator."""
    return f"game {name}"


def format_deals_note(note: DealsOrigin) -> str:
    """Return the comment of a match log about the deals that it plays; no terminator."""
    if isinstance(note, DealsCommitment):
        return f"# deals of a secret with sha256 {note.sha256}"
    return f"# deals first {note.first} sha256 {note.sha256} {note.file}"


def parse_deals_note(comment: str) -> DealsOrigin | None:
    """Inverse of `format_deals_note`; None for any other comment."""
    if match := _COMMITMENT.fullmatch(comment):
        return DealsCommitment(match[1])
    match = _NOTE.fullmatch(comment)
    return None if match is None else DealsNote(int(match[1]), match[2], match[3])


def format_proof(proof: DealsProof | SeedProof) -> str:
    """Return the comment behind a match that shows its secret; no terminator."""
    what = "seed" if isinstance(proof, SeedProof) else "deals"
    return f"# {what} of secret {proof.secret.hex()} and words {proof.phrase}"


def parse_proof(comment: str) -> DealsProof | SeedProof | None:
    """Inverse of `format_proof`; None for any other comment."""
    if match := _DEALS_PROOF.fullmatch(comment):
        return DealsProof(bytes.fromhex(match[1]), match[2])
    if match := _SEED_PROOF.fullmatch(comment):
        return SeedProof(bytes.fromhex(match[1]), match[2])
    return None


def _cards(text: str) -> tuple[int, ...]:
    try:
        return parse_cards(text)
    except MalformedCard as error:
        raise MalformedDeal(f"{text[:40]!r}: not cards") from error
