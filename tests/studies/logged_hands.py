"""Hands of match logs, or of the pool against itself, as studies take them.

A study takes hands one by one; they are read in pieces, by several processes, and those of pieces
are added up in the order of the log, so that the result does not depend on the number of processes.
Cards that a log hides are left out; a showdown must show both hands.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from itertools import chain
from math import comb
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, Self, TypeVar

from agents.errors import TrainingError
from agents.opponents.pool_logs import write_logs
from agents.roster.contestants import find_contestants
from agents.seat.game_validator import describe
from agents.training.logs import LoggedHands, find_logs, hand_of_line, logged_hands, one_game
from engine.console.arguments import count, load_game
from engine.console.options import seed_option
from engine.console.progress import RateLimiter
from engine.equity.strength import StrengthReader
from engine.parallel.processes import in_order
from engine.showdown.evaluator import strength

if TYPE_CHECKING:
    from agents.training.logs import PlayedHand
    from protocol.gamedef import GameDef
    from protocol.handlog import HandRecord

PLAYERS: Final = 2
POOL_GAME: Final = "hunl"
SMALL_POOL: Final = {"pool": True, "bots": ["O2", "O8"], "hands": 20}
"""The smallest source."""
PIECE: Final = 500
"""Hands that are read at a time."""


class HandStudy(Protocol):
    """Counts something of hands."""

    deals: int

    def take(self, hand: StudiedHand, strengths: StrengthReader) -> None:
        """Count a hand."""

    def add(self, other: Self) -> None:
        """Count what another one has counted of the hands that follow."""


class StudiedHand(NamedTuple):
    """A hand of a log for two, and how it ended."""

    hand: PlayedHand
    shares: tuple[float, float]
    """Of the pot, 0, 1/2 or 1, by position."""
    mbb: tuple[float, float]
    """What each position won by the log, thousandths of a big blind."""


_Study = TypeVar("_Study", bound=HandStudy)


def add_source(parser: ArgumentParser, seed: str = "--pool: of deals") -> None:
    """Add what names the hands: logs or --pool, --game, --hands, --seed.

    Args:
        seed: what it is of.
    """
    add = parser.add_argument
    add(
        "logs",
        metavar="FILE|DIR",
        nargs="*",
        type=Path,
        help="match logs of two players, in order, and folders of which every *.log is one",
    )
    add("--pool", action="store_true", help="play the scripted bots instead of logs")
    add("--bots", metavar="BOT", nargs="+", default=[], help="--pool: those of them that play")
    add(
        "--game",
        metavar="NAME|FILE",
        type=load_game,
        help=f"of logs without a header (by default it names the game); of the pool ({POOL_GAME})",
    )
    add("--hands", metavar="N", type=count, default=200, help="--pool: deals a pair (%(default)s)")
    seed_option(seed).add_to(parser)


def source_hands(options: Namespace) -> LoggedHands:
    """Return the hands that the options of `add_source` name.

    Raises:
        TrainingError: the logs cannot be read, or hold other games than hold'em for two.
        AgentError: a bot of the pool does not play the game.
        EngineError: the game is none for two.
        ValueError: there are neither logs nor --pool, or both.
    """
    if options.pool == bool(options.logs):
        raise ValueError(f"name logs or --pool{', not both' if options.pool else ''}")
    if options.pool:
        return _pool_hands(options)
    return one_game(find_logs(options.logs), options.game)


def _pool_hands(options: Namespace) -> LoggedHands:
    """Play the pool; return the hands, those of all pairs in turn."""
    game = options.game or load_game(POOL_GAME)
    bots = find_contestants(options.bots)
    matches = []
    said = RateLimiter()
    with TemporaryDirectory() as folder:
        for pair in write_logs(Path(folder), bots, game, options.hands, options.seed):
            name = pair.path.stem
            matches.append(
                [(hand, f"{name}:{line}") for _, hand, line in logged_hands(pair.path, game)]
            )
            said(f"{len(matches)} of {comb(len(bots), 2)} matches of the pool")
    hands, places = zip(*chain.from_iterable(zip(*matches, strict=True)), strict=True)
    return LoggedHands(game, list(hands), list(places))


def counted(study: type[_Study], options: Namespace) -> tuple[dict[str, Any], _Study]:
    """Count the hands that the options name; return what there is to say of any study, and it."""
    logged = source_hands(options)
    counts, said = study(), RateLimiter()
    for piece in study_hands(study, logged, options.jobs):
        counts.add(piece)
        said(f"{counts.deals:,} of {len(logged.hands):,} hands")
    facts = {
        "game": describe(logged.game),
        "hands": counts.deals,
        "complete": True,
        "players": len({name for hand in logged.hands for name in hand.names}),
    }
    return facts, counts


def study_hands(study: type[_Study], logged: LoggedHands, jobs: int = 1) -> Iterator[_Study]:
    """Yield the study of each piece of the hands, in their order.

    Args:
        study: a new one for each piece.
        logged: hands of hold'em for two.

    Raises:
        TrainingError: a showdown hides a hand; the message says where.
    """
    pieces = [
        (logged.hands[first : first + PIECE], logged.places[first : first + PIECE])
        for first in range(0, len(logged.hands), PIECE)
    ]
    yield from in_order(_PieceReader, (study, logged.game), pieces, min(jobs, max(len(pieces), 1)))


class _PieceReader:
    """Reads pieces in one process."""

    def __init__(self, study: type[Any], game: GameDef) -> None:
        self._study = study
        self._game = game
        self._strengths = StrengthReader()

    def __call__(self, piece: tuple[list[HandRecord], list[str]]) -> Any:
        made = self._study()
        for record, place in zip(*piece, strict=True):
            made.take(studied(hand_of_line(self._game, record), place), self._strengths)
        return made


def studied(hand: PlayedHand, place: str = "") -> StudiedHand:
    """Return a hand with how it ended.

    Raises:
        TrainingError: a showdown hides a hand, or what was won is no number; the message begins
            with `place`.
    """
    state, (holes, board) = hand.state, (hand.cards.holes, hand.cards.board)
    one, other = (float(not folded) for folded in state.folded)
    if state.showdown:
        if not all(holes):
            raise TrainingError(f"{place}: a showdown hides a hand")
        first, second = (strength((*hole, *board)) for hole in holes)
        one = (float(first > second) + float(first >= second)) / 2
        other = 1 - one
    try:
        won = tuple(1000 * float(value) / state.game.big_blind for value in hand.record.values)
    except ValueError as error:
        raise TrainingError(f"{place}: {error}") from error
    return StudiedHand(hand, (one, other), (won[0], won[1]))
