"""Deals files on disk, read as streams: looked through once, then dealt from hand by hand.

The text format is `protocol.deals`; cards that a line leaves open are those that the seed draws
(`engine.rules.dealing`).  Memory does not depend on the length of a file.
"""

from __future__ import annotations

import hashlib
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

from engine.errors import EngineError, UnusableDeals
from engine.rules.dealing import Deal, DealStream
from engine.rules.view import replay_betting
from protocol.deals import DealsReader
from protocol.errors import GameDefError, MalformedDeal, ProtocolError
from protocol.gamedefs import load_builtin

if TYPE_CHECKING:
    from protocol.deals import GivenDeal
    from protocol.gamedef import GameDef

_MOST_LINE_BYTES: Final = 1 << 16
"""No line of ten players comes near it."""
_LINES_PER_PROGRESS_CALL: Final = 1 << 14


@dataclass(frozen=True, slots=True)
class DealsFacts:
    """What there is to know of a deals file without its cards."""

    deals: int
    """How many it has."""
    sha256: str
    """Of its bytes, hexadecimal."""


def inspect_deals(
    path: Path,
    game: GameDef,
    game_name: str,
    *,
    checked: range | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> DealsFacts:
    """Look a deals file through, to its end.

    Args:
        path: a regular file.
        game: that the deals are for.
        game_name: its file or built-in name, compared with the one in the file.
        checked: which deals are looked at card by card, from 0 on; None for all.
        progress: told the bytes read and the deals found, now and then.

    Raises:
        UnusableDeals: it cannot be read, names another game, or has a line that is none of this
            game.
    """
    reader = DealsReader(game)
    digest = hashlib.sha256()
    read = 0
    with _opened(path) as file, _told(path):
        for raw in _lines(file):
            digest.update(raw)
            read += len(raw)
            line = raw.decode("utf-8", "replace")
            if checked is None or reader.deals in checked:
                deal = reader.read(line)
                if deal is not None and deal.betting:
                    _check_betting(game, deal.betting, reader.line_number)
            else:
                reader.pass_over(line)
            if progress is not None and not reader.line_number % _LINES_PER_PROGRESS_CALL:
                progress(read, reader.deals)
    if not reader.deals:
        raise UnusableDeals(f"{path}: no deal in this file")
    if reader.game_name is not None and not _is_name_of(reader.game_name, game, game_name):
        raise UnusableDeals(
            f"{path}: its deals are for {reader.game_name}, not {game_name}; without that line "
            "they are dealt in any game that has such cards"
        )
    return DealsFacts(reader.deals, digest.hexdigest())


class GivenDealStream:
    """Iterator over the deals of a file, completed from a seed.  It never ends.

    Behind the last deal everything is drawn: a table deals one hand more than are played.
    """

    __slots__ = ("_deals", "_drawn", "_first", "_game", "_path", "_skipped")

    def __init__(self, path: Path, game: GameDef, seed: int, *, first: int = 0) -> None:
        """Start at hand 0; the file is opened when the first deal is wanted.

        Args:
            seed: of the cards that are not given.
            first: deals of the file before that of hand 0.

        Raises:
            ValueError: the seed is outside 0..2**32 - 1.
        """
        self._path = path
        self._game = game
        self._drawn = DealStream(game, seed)
        self._first = first
        self._skipped = 0
        self._deals: Iterator[GivenDeal] | None = None

    def __iter__(self) -> GivenDealStream:
        return self

    def __next__(self) -> Deal:
        """Return the next deal.

        Raises:
            UnusableDeals: the file cannot be read any more, or the line is no deal of the game.
        """
        if self._deals is None:
            self._deals = _deals(self._path, self._game, self._first + self._skipped)
        elif self._skipped:
            for _ in zip(range(self._skipped), self._deals, strict=False):
                pass
        self._skipped = 0
        given = next(self._deals, None)
        return next(self._drawn) if given is None else self._drawn.deal_around(given)

    def skip(self, hands: int) -> None:
        """Leave out the next `hands` hands, as if they had been dealt and not looked at.

        Raises:
            ValueError: `hands` is negative.
        """
        self._drawn.skip(hands)
        self._skipped += hands


def _deals(path: Path, game: GameDef, first: int) -> Iterator[GivenDeal]:
    """Yield the deals of a file from number `first` on."""
    reader = DealsReader(game)
    with _opened(path) as file, _told(path):
        for raw in _lines(file):
            line = raw.decode("utf-8", "replace")
            if reader.deals < first:
                reader.pass_over(line)
                continue
            deal = reader.read(line)
            if deal is not None:
                yield deal


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    """Open a file.

    Raises:
        UnusableDeals: it is no file, or cannot be opened.
    """
    try:
        regular = stat.S_ISREG(path.stat().st_mode)
        file = path.open("rb") if regular else None
    except OSError as error:
        raise UnusableDeals(f"{path}: {error.strerror or error}") from error
    except ValueError as error:  # a NUL in its name
        raise UnusableDeals(f"{path}: {error}") from error
    if file is None:  # of a pipe there would be nothing left to play
        raise UnusableDeals(f"{path}: not a file")
    with file:
        yield file


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Turn bad content and read errors into `UnusableDeals` that names the file."""
    try:
        yield
    except MalformedDeal as error:
        raise UnusableDeals(f"{path}: {error}") from error
    except OSError as error:
        raise UnusableDeals(f"{path}: {error.strerror or error}") from error


def _lines(file: BinaryIO) -> Iterator[bytes]:
    number = 0
    while raw := file.readline(_MOST_LINE_BYTES):
        number += 1
        if len(raw) == _MOST_LINE_BYTES:
            raise MalformedDeal("too long for a deal", number)
        yield raw


def _check_betting(game: GameDef, betting: str, line_number: int) -> None:
    reason = _not_a_beginning(game, betting)
    if reason:
        raise MalformedDeal(reason, line_number)


@lru_cache(maxsize=4096)
def _not_a_beginning(game: GameDef, betting: str) -> str:
    """Return why no hand of a game can begin with a betting, "" where one can."""
    try:
        state = replay_betting(game, betting)
    except (EngineError, ProtocolError) as error:
        return f"betting {betting[:40]}: {error}"
    return f"betting {betting[:40]}: the hand is over" if state.over else ""


def _is_name_of(named: str, game: GameDef, game_name: str) -> bool:
    """Return whether a game may be called so: the name of a built-in one, or that of its file."""
    if _stem(named) == _stem(game_name):
        return True
    try:
        return load_builtin(_stem(named)) == game
    except GameDefError:
        return False


def _stem(name: str) -> str:
    return name.replace("\\", "/").rsplit("/", 1)[-1].removesuffix(".game")
