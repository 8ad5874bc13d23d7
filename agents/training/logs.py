"""Match logs of hold'em, read hand by hand: real ones, and those of matches between bots."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from stat import S_ISFIFO, S_ISREG
from typing import TYPE_CHECKING, Any, BinaryIO, Final, NamedTuple

from agents.errors import TrainingError
from agents.seat.game_validator import describe
from engine.errors import EngineError, UnreadableText
from engine.histories.as_log import LineStream, bytes_as_log
from engine.histories.folders import files_of_hands
from engine.histories.formats import LOG, format_of
from engine.histories.unpacking import HEAD_BYTES, unpacked
from engine.rules.state import HandState
from protocol.betting import parse_betting
from protocol.errors import GameDefError, ProtocolError
from protocol.gamedef import format_gamedef, parse_gamedef
from protocol.gamedefs import load_builtin
from protocol.handlog import HandRecord, Header, Stakes, parse_log_line
from protocol.matchstate import parse_card_text
from protocol.spelled_games import spelled_game

if TYPE_CHECKING:
    from protocol.actions import Action
    from protocol.gamedef import GameDef
    from protocol.matchstate import CardsShown

Progress = Callable[[str, float], None]
"""Told a stage, and the share of it that is done."""

_LOGS_NAMED: Final = 16
_PLAYERS: Final = 2
LONGEST_LINE: Final = 1 << 20
"""It is the same as for `arena replay`."""


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
        TrainingError: a place is not there or is a device, or a folder has no log.
    """
    logs = []
    for entry in places:
        try:
            inside = files_of_hands(entry) if entry.is_dir() else [entry]
        except OSError as error:
            raise TrainingError(f"{entry}: {error.strerror or error}") from error
        except UnreadableText as error:
            raise TrainingError(str(error)) from error
        if not inside:
            raise TrainingError(f"{entry}: no log in this folder")
        logs += inside
    for log in logs:
        try:
            mode = log.stat().st_mode
        except OSError as error:
            raise TrainingError(f"{log}: {error.strerror}") from error
        if not (S_ISREG(mode) or S_ISFIFO(mode)):
            raise TrainingError(f"{log}: neither a file nor a pipe")
    return logs


def open_lines(log: Path) -> BinaryIO:
    """Open a log, compressed or not; hands in other formats, such as PHH, are read as one.

    Raises:
        TrainingError: it cannot be unpacked.
        OSError: it cannot be read.
    """
    try:
        file = unpacked(log, io.BufferedReader(log.open("rb", buffering=0), HEAD_BYTES))
    except UnreadableText as error:
        raise TrainingError(str(error)) from error
    form = format_of(file.peek(HEAD_BYTES), log.name)
    if form.name == LOG:
        return file
    return io.BufferedReader(LineStream(file, bytes_as_log(form, file, log.name)))


def source_of(logs: Iterable[Path], game: GameDef | None) -> dict[str, Any]:
    """Return of what decisions are made: SHA-256 of each log by file name, and the game.

    Of more than _LOGS_NAMED logs it is one of all names and digests together.

    Raises:
        TrainingError: a log cannot be read, is there twice, or is a pipe, which cannot be read
            again.
    """
    digests = []
    first: dict[str, Path] = {}
    for log in logs:
        if log.is_fifo():
            raise TrainingError(f"{log}: a pipe; want a file, which is read twice")
        try:
            digests.append([log.name, hashlib.sha256(log.read_bytes()).hexdigest()])
        except OSError as error:
            raise TrainingError(f"{log}: {error.strerror}") from error
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
    progress: Progress | None = None,
) -> Iterator[tuple[str, PlayedHand]]:
    """Yield the hands of some logs of hold'em, each with its place, FILE:LINE.

    Args:
        game: of all of them; None: each log's header names a built-in game.
        for_two: whether other games than those for two are refused.
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
            yield where, checked_hand(where, hand_game, record, for_two=for_two)
    if not where:
        raise TrainingError(f"no hands in {', '.join(map(str, logs))}")


def checked_hand(
    where: str, game: GameDef, record: HandRecord, *, for_two: bool = False
) -> PlayedHand:
    """Return a hand of a log of hold'em.

    Args:
        for_two: whether other games than those for two are refused.

    Raises:
        TrainingError: the game is no hold'em, or the hand breaks the rules; the message says where.
    """
    if not game.is_holdem or (for_two and game.players != _PLAYERS):
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
        game: of all hands; None: the header names a built-in game.

    Raises:
        TrainingError: the log cannot be read, its game is unknown, or its header names another
            built-in game than `game`; the message says where.
    """
    try:
        with io.TextIOWrapper(
            open_lines(log), encoding="utf-8", errors="surrogateescape", newline="\n"
        ) as file:
            yield from hands_of_lines(
                log, enumerate(iter(partial(file.readline, LONGEST_LINE), ""), 1), game
            )
    except OSError as error:
        raise TrainingError(f"{log}: {error.strerror or error}") from error


def hands_of_lines(
    log: Path, lines: Iterable[tuple[int, str]], game: GameDef | None
) -> Iterator[tuple[GameDef, HandRecord, int]]:
    """Yield the hands of lines of a log, numbered from 1, as `logged_hands` does."""
    current = game
    for line, text in lines:
        if len(text) == LONGEST_LINE:
            wrong = "too long a line" if is_text(text) else "not text, so no match log"
            raise TrainingError(f"{log}:{line}: {wrong}")
        try:
            record = parse_log_line(text)
            if isinstance(record, Header):
                current = game_of_log(record, game, log.parent)
        except GameDefError as error:
            raise TrainingError(f"{log}:{line}: {error}; pass --game FILE") from error
        except ProtocolError as error:
            wrong = str(error) if is_text(text) else "not text, so no match log"
            raise TrainingError(f"{log}:{line}: {wrong}") from error
        except ValueError as error:
            raise TrainingError(f"{log}:{line}: {error}") from error
        if isinstance(record, HandRecord):
            if current is None:
                raise TrainingError(f"{log}: no header names the game; pass --game NAME")
            yield current, record, line


def is_text(line: str) -> bool:
    """Return whether a line has no control characters, as those of binary files have."""
    return not any(char < " " and char != "\t" for char in line.rstrip("\r\n"))


def game_of_log(header: Header, game: GameDef | None, folder: Path | None = None) -> GameDef:
    """Return the game of a log.

    Args:
        game: what the caller says it is; None: the built-in game of that name.
        folder: of the log; a match folder has the file of its game.

    Raises:
        GameDefError: there is no such built-in game and no such file, and the caller says nothing.
        ValueError: there is, and the caller says another kind of game; other stacks or blinds
            under the name of a built-in game are believed.
    """
    base = header.game.replace("\\", "/").rsplit("/", 1)[-1]
    try:
        named = spelled_game(header.game) or load_builtin(base)
    except GameDefError:
        if game is not None:
            return game
        if folder is None or not (beside := folder / base).is_file():
            raise
        return parse_gamedef(beside.read_text(encoding="utf-8"))
    if game is None:
        return named
    if (game.no_limit, game.players) != (named.no_limit, named.players):
        raise ValueError(f"the header names {base}, --game another game: {describe(game)}")
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
