"""Match logs of hold'em, read hand by hand: real ones, and those of matches between bots.

What is not learned from them, as AIVAT, takes games with one private card, too.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from agents.errors import TrainingError
from agents.seat.game_validator import describe
from engine.errors import EngineError, LogError
from engine.handlogs.source.folders import logs_in
from engine.handlogs.source.log_games import find_log_game, game_from_header
from engine.handlogs.source.opening import (
    MAX_LINE_BYTES,
    check_kind,
    file_sha256,
    lines_in,
    log_blocks,
)
from engine.rules.state import HandState
from protocol.betting import parse_betting
from protocol.errors import ProtocolError
from protocol.gamedef import format_gamedef
from protocol.handlog import HandRecord, Header, Stakes, parse_log_line
from protocol.matchstate import parse_card_text

if TYPE_CHECKING:
    from protocol.actions import Action
    from protocol.gamedef import GameDef
    from protocol.matchstate import CardsShown

Progress = Callable[[str, float], None]
"""Told a stage, and the share of it that is done."""

_LOGS_NAMED: Final = 16
_PLAYERS: Final = 2
NO_TEXT: Final = "not text, so no match log"


class PlayedHand(NamedTuple):
    """A hand of a log."""

    record: HandRecord
    state: HandState
    """The end, or as far as it was played."""
    cards: CardsShown


def hand_of_line(game: GameDef, record: HandRecord, *, over: bool = True) -> PlayedHand:
    """Return a hand of a log of hold'em.

    Args:
        over: whether one that is not over is refused.

    Raises:
        EngineError: the betting breaks the rules, the hand is not over, names are missing, or its
            stacks and blinds are not those of the game.
        ProtocolError: betting or cards are none.
        ValueError: a card is dealt twice.
    """
    cards = parse_card_text(record.cards, game)
    if record.stakes not in (None, Stakes(game.stacks, game.blinds)):
        raise EngineError("its stacks and blinds are not those of the game")
    if len(record.names) != game.players:
        raise EngineError(f"{len(record.names)} names at a table of {game.players}")
    state = HandState.start(game)
    for action in chain.from_iterable(parse_betting(record.betting)):
        if state.over:
            raise EngineError(f"{action.text}: the hand is over")
        _check_size(state, action)
        state = state.apply(action)
    if over and not state.over:
        raise EngineError("the hand is not over")
    dealt = [*chain.from_iterable(cards.holes), *cards.board]
    if len(set(dealt)) < len(dealt):
        raise ValueError("a card is dealt twice")
    return PlayedHand(record, state, cards)


def _check_size(state: HandState, action: Action) -> None:
    """Raise EngineError where a raise of a limit game has a size that is not that of the game."""
    if state.game.no_limit or not action.raise_to:
        return
    legal = state.raise_range()
    if legal is not None and action.raise_to != legal[0]:
        raise EngineError(f"{action.text}: a raise of this limit game is to {legal[0]} chips")


def find_logs(places: Iterable[Path]) -> list[Path]:
    """Return the logs among files and folders, those of a folder as `files_of_hands` has them.

    Raises:
        LogError: a place is not there or is a device, or a folder has no log.
    """
    logs = logs_in(places)
    for log in logs:
        check_kind(log)
    return logs


def source_of(logs: Iterable[Path], game: GameDef | None) -> dict[str, Any]:
    """Return of what decisions are made: SHA-256 of each log by file name, and the game.

    Of more than _LOGS_NAMED logs it is one of all names and digests together.

    Raises:
        LogError: a log cannot be read.
        TrainingError: it is there twice, or is a pipe, which cannot be read again.
    """
    digests = []
    first: dict[str, Path] = {}
    for log in logs:
        if log.is_fifo():
            raise TrainingError(f"{log}: a pipe; want a file, which is read twice")
        digests.append([log.name, file_sha256(log)])
        same = first.setdefault(digests[-1][1], log)
        if same is not log:
            raise TrainingError(f"{same} and {log} are the same log; give it once")
    if len(digests) > _LOGS_NAMED:
        every = hashlib.sha256(
            "".join(f"{name} {digest}\n" for name, digest in digests).encode(
                "utf-8", "surrogateescape"
            )
        )
        digests = [[f"{len(digests)} logs", every.hexdigest()]]
    return {"logs": digests, "game": None if game is None else format_gamedef(game)}


def read_hands(
    logs: Sequence[Path],
    game: GameDef | None = None,
    *,
    for_two: bool = False,
    small: bool = False,
    progress: Progress | None = None,
) -> Iterator[tuple[str, PlayedHand]]:
    """Yield the hands of some logs of hold'em, each with its place, FILE:LINE.

    Args:
        game: of all of them; None: each log's header names a built-in game.
        for_two, small: as for `checked_hand`.
        progress: told how far it is.

    Raises:
        TrainingError: as for `logged_hands`, or there are no hands, a game is no hold'em, or a hand
            breaks the rules; the message says where.
    """
    where = ""
    for number, log in enumerate(logs):
        if progress is not None:
            progress("logs", number / len(logs))
        for hand_game, record, line in logged_hands(log, game):
            where = f"{log}:{line}"
            yield where, checked_hand(where, hand_game, record, for_two=for_two, small=small)
    if not where:
        raise TrainingError(f"no hands in {', '.join(map(str, logs))}")


def checked_hand(
    where: str,
    game: GameDef,
    record: HandRecord,
    *,
    for_two: bool = False,
    small: bool = False,
) -> PlayedHand:
    """Return a hand of a log of hold'em.

    Args:
        for_two: whether other games than those for two are refused.
        small: whether games with one private card are taken, too.

    Raises:
        TrainingError: the game is no hold'em, or the hand breaks the rules; the message says where.
    """
    taken = game.is_holdem or (small and game.hole_cards == 1)
    if not taken or (for_two and game.players != _PLAYERS):
        kind = "hold'em for two" if for_two else "hold'em"
        log = where.rpartition(":")[0]
        raise TrainingError(
            f"{log}: only {kind} can be learned from, this log is of {describe(game)}"
        )
    try:
        return hand_of_line(game, record)
    except (EngineError, ProtocolError, ValueError) as error:
        raise TrainingError(f"{where}: {error}") from error


def logged_hands(log: Path, game: GameDef | None) -> Iterator[tuple[GameDef, HandRecord, int]]:
    """Yield the hands of a log with their games and lines.

    Args:
        game: of all hands; None: as `engine.handlogs.source.log_games` finds it.

    Raises:
        LogError: the log cannot be read, or its game is unknown.
        TrainingError: a line cannot be read, or its header names another kind of game than `game`;
            the message says where.
    """
    return hands_of_lines(log, lines_in(log_blocks(log)), game)


def hands_of_lines(
    log: Path, lines: Iterable[tuple[int, str]], game: GameDef | None
) -> Iterator[tuple[GameDef, HandRecord, int]]:
    """Yield the hands of lines of a log, numbered from 1, as `logged_hands` does."""
    current = game
    for line, text in lines:
        where = f"{log}:{line}"
        if len(text) >= MAX_LINE_BYTES:
            raise TrainingError(f"{where}: {'too long a line' if is_text(text) else NO_TEXT}")
        try:
            record = parse_log_line(text)
        except ProtocolError as error:
            raise TrainingError(f"{where}: {error if is_text(text) else NO_TEXT}") from error
        if isinstance(record, Header):
            current = game_of_log(record, log, line, game)
        elif isinstance(record, HandRecord):
            if current is None:
                current = find_log_game(None, log, record).game
            yield current, record, line


def is_text(line: str) -> bool:
    """Return whether a line has no control characters, as those of binary files have."""
    return not any(char < " " and char != "\t" for char in line.rstrip("\r\n"))


def game_of_log(header: Header, log: Path, line: int, game: GameDef | None) -> GameDef:
    """Return the game of what follows a header.

    Args:
        line: of the header.
        game: what the caller says it is; None: the one that the header names.

    Raises:
        LogError: there is no such game, and the caller says nothing.
        TrainingError: there is, and the caller says another kind of game; other stacks or blinds
            are believed.
    """
    if game is None:
        return game_from_header(header, log).game
    try:
        named = game_from_header(header, log).game
    except LogError:
        return game
    if (game.no_limit, game.players) != (named.no_limit, named.players):
        name = header.game.replace("\\", "/").rsplit("/", 1)[-1]
        raise TrainingError(
            f"{log}:{line}: the header names {name}, --game another game: {describe(game)}"
        )
    return game


class LoggedHands(NamedTuple):
    """The hands of logs of one game."""

    game: GameDef
    hands: list[HandRecord]
    places: list[str]
    """FILE:LINE of each hand."""


def one_game(
    logs: Sequence[Path], game: GameDef | None = None, *, all_shown: bool = False
) -> LoggedHands:
    """Return the hands of some logs of hold'em for two, in their order.

    Args:
        game: of all of them; None: each log's header names a built-in game.
        all_shown: whether every hand has to show all hole cards.

    Raises:
        TrainingError: as for `read_hands`, or the hands are of several games, or one hides cards.
    """
    hands: list[HandRecord] = []
    places: list[str] = []
    common = game
    for where, hand in read_hands(logs, game, for_two=True):
        if common not in (None, hand.state.game):
            raise TrainingError(f"{where}: of another game than the hands before")
        if all_shown and not all(hand.cards.holes):
            raise TrainingError(f"{where}: hides cards: want logs that show all hands")
        common = hand.state.game
        hands.append(hand.record)
        places.append(where)
    assert common is not None  # there are hands, so there is a game
    return LoggedHands(common, hands, places)
