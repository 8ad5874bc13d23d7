"""Match logs -> decisions: real ones, and those of matches between bots.

A log may show all hole cards, those that were folded as well.  They go into strengths only, never
into contexts.  Players keep their counters from hand to hand and from log to log, by name.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from agents.errors import TrainingError
from agents.session import describe
from agents.statistical.counting.habits import RAISE, Habits
from agents.statistical.learning.dataset import Decisions, load_decisions, save_decisions
from agents.statistical.predicting.contexts import FEATURE_COUNT, KIND_CODES, HandReader
from agents.statistical.predicting.player_types import raised_share, stack_behind
from agents.statistical.ranges.known_strength import BOARD_CARDS, known_strengths
from engine.errors import EngineError
from engine.rules.state import HandState
from protocol.betting import parse_betting
from protocol.errors import GameDefError, ProtocolError
from protocol.gamedef import format_gamedef
from protocol.gamedefs import load_builtin
from protocol.handlog import HandRecord, Header, parse_log_line
from protocol.matchstate import parse_card_text

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from protocol.actions import Action
    from protocol.gamedef import GameDef
    from protocol.matchstate import CardsShown

Progress = Callable[[str, float], None]
"""Told a stage, and the share of it that is done."""

_HANDS_PER_REPORT: Final = 1000
_UNKNOWN: Final = -1
_LOGS_NAMED: Final = 16
_PLAYERS: Final = 2


class DecisionReader:
    """Collects the decisions of hands."""

    def __init__(self) -> None:
        """Start with nobody known."""
        self.hands = 0
        self._habits: dict[str, Habits] = {}
        self._contexts: list[NDArray[np.float32]] = []
        self._rows: list[_Row] = []

    def add(self, game: GameDef, record: HandRecord) -> None:
        """Read one hand.

        Raises:
            ValueError: the game is no hold'em.
            EngineError: the betting breaks the rules, or the hand is not over.
            ProtocolError: betting or cards are none.
        """
        actions = [action for street in parse_betting(record.betting) for action in street]
        cards = parse_card_text(record.cards, game)
        reader = HandReader(game)
        if len(record.names) != game.players:
            raise EngineError(f"{len(record.names)} names at a table of {game.players}")
        seen = [self._decision(reader, action, record.names, cards) for action in actions]
        state = reader.state
        if not state.over:
            raise EngineError("the hand is not over")
        for context, row in seen:
            shown = state.showdown and not state.folded[row.position]
            self._contexts.append(context)
            self._rows.append(row._replace(shown=shown, hand=self.hands))
        self.hands += 1

    def decisions(self, progress: Progress | None = None) -> Decisions:
        """Return all that was read, and find the strengths of the hands that are known."""
        rows = self._rows
        count = len(rows)
        numbers = {name: number for number, name in enumerate(self._habits)}
        contexts = np.zeros((count, FEATURE_COUNT), np.float32)
        if count:
            np.stack(self._contexts, out=contexts)
        return Decisions(
            contexts=contexts,
            actions=np.array([row.action for row in rows], np.int8),
            cells=np.array([row.cell for row in rows], np.int8),
            strengths=_strengths([row.cards for row in rows], progress),
            shown=np.array([row.shown for row in rows], np.bool_),
            raises=np.array([row.raised for row in rows], np.float32),
            stacks=np.array([row.stack for row in rows], np.float32),
            hands=np.array([row.hand for row in rows], np.int32),
            players=np.array([numbers[row.name] for row in rows], np.int32),
            names=tuple(numbers),
        )

    def _decision(
        self, reader: HandReader, action: Action, names: Sequence[str], cards: CardsShown
    ) -> tuple[NDArray[np.float32], _Row]:
        state = reader.state
        if state.over:
            raise EngineError(f"{action.text}: the hand is over")
        _check_size(state, action)
        position, game = state.actor, state.game
        name = names[position]
        habits = self._habits.setdefault(name, Habits())
        context = reader.context(cards.board, habits)
        cell, kind = reader.cell, KIND_CODES[action.kind]
        reader.take(action)
        habits.add(cell, kind)
        raised = raised_share(state, reader.state) if kind == RAISE else 0.0
        hole = cards.holes[position] or (_UNKNOWN, _UNKNOWN)
        board = cards.board[: game.board_seen(state.street)]
        to_come = (_UNKNOWN,) * (BOARD_CARDS - len(board))
        behind = stack_behind(state)
        row = _Row(name, position, kind, cell, raised, behind, (*hole, *board, *to_come))
        return context, row


class _Row(NamedTuple):
    """A decision but for its context."""

    name: str
    position: int
    action: int
    cell: int
    raised: float
    stack: float
    cards: tuple[int, ...]
    """Two of the hand, five of the board; -1 for those that are unknown."""
    shown: bool = False
    hand: int = 0


def _strengths(cards: list[tuple[int, ...]], progress: Progress | None) -> NDArray[np.float32]:
    known = np.array(cards, np.int64).reshape(len(cards), 2 + BOARD_CARDS)
    found = np.full(len(known), np.nan, np.float32)
    told = known[:, 0] >= 0

    def report(done: float) -> None:
        if progress is not None:
            progress("hand strengths", done)

    found[told] = known_strengths(known[told, :2], known[told, 2:], report)
    return found


def read_logs(
    logs: Sequence[Path], game: GameDef | None = None, progress: Progress | None = None
) -> Decisions:
    """Return the decisions of some logs.

    Args:
        logs: their files.
        game: of all of them; None: each log's header names a built-in game.
        progress: told how far it is.

    Raises:
        TrainingError: a log cannot be read, its game is unknown or no hold'em, or a hand breaks
            the rules; the message says where.
    """
    reader = DecisionReader()
    for number, log in enumerate(logs):
        if progress is not None:
            progress("logs", number / len(logs))
        for hand_game, record, line in logged_hands(log, game):
            if not hand_game.is_holdem:
                raise TrainingError(
                    f"{log}: only hold'em can be learned from, this log is of {describe(hand_game)}"
                )
            try:
                reader.add(hand_game, record)
            except (EngineError, ProtocolError, ValueError) as error:
                raise TrainingError(f"{log}:{line}: {error}") from error
            if progress is not None and reader.hands % _HANDS_PER_REPORT == 0:
                progress("logs", number / len(logs))
    if not reader.hands:
        raise TrainingError(f"no hands in {', '.join(map(str, logs))}")
    return reader.decisions(progress)


def cached_decisions(
    cache: Path,
    logs: Sequence[Path],
    game: GameDef | None = None,
    progress: Progress | None = None,
) -> Decisions:
    """Return the decisions of logs: from the file `cache` if it was made of them, else made anew.

    Raises:
        TrainingError: as for `read_logs`.
        ArtifactMismatch: the file is damaged.
        OSError: it cannot be written.
    """
    source = source_of(logs, game)
    if cache.exists():
        found = load_decisions(cache, source)
        if found is not None:
            return found
    made = read_logs(logs, game, progress)
    save_decisions(cache, made, source)
    return made


def source_of(logs: Iterable[Path], game: GameDef | None) -> dict[str, Any]:
    """Return of what decisions are made: SHA-256 of each log by file name, and the game.

    Of more than _LOGS_NAMED logs it is one of all names and digests together.

    Raises:
        TrainingError: a log cannot be read.
    """
    digests = []
    for log in logs:
        try:
            digests.append([log.name, hashlib.sha256(log.read_bytes()).hexdigest()])
        except OSError as error:
            raise TrainingError(f"{log}: {error.strerror}") from error
    if len(digests) > _LOGS_NAMED:
        every = hashlib.sha256(
            "".join(f"{name} {one}\n" for name, one in digests).encode("utf-8", "surrogateescape")
        )
        digests = [[f"{len(digests)} logs", every.hexdigest()]]
    return {"logs": digests, "game": None if game is None else format_gamedef(game)}


def logged_hands(log: Path, game: GameDef | None) -> Iterator[tuple[GameDef, HandRecord, int]]:
    """Yield the hands of a log with their games and lines.

    Args:
        log: its file.
        game: of all hands; None: the header names a built-in game.

    Raises:
        TrainingError: the log cannot be read, its game is unknown, or its header names another
            built-in game than `game`; the message says where.
    """
    found = game
    try:
        with log.open(encoding="utf-8", errors="surrogateescape", newline="\n") as file:
            for line, text in enumerate(file, 1):
                try:
                    record = parse_log_line(text)
                    if isinstance(record, Header):
                        found = _game_of(record, game)
                except GameDefError as error:
                    raise TrainingError(f"{log}:{line}: {error}; pass --game FILE") from error
                except ProtocolError as error:
                    wrong = str(error) if _is_text(text) else "not text, so no match log"
                    raise TrainingError(f"{log}:{line}: {wrong}") from error
                except ValueError as error:
                    raise TrainingError(f"{log}:{line}: {error}") from error
                if isinstance(record, HandRecord):
                    if found is None:
                        raise TrainingError(f"{log}: no header names the game; pass --game NAME")
                    yield found, record, line
    except OSError as error:
        raise TrainingError(f"{log}: {error.strerror}") from error


def _is_text(line: str) -> bool:
    """Return whether a line has no control characters, as those of binary files have."""
    return not any(char < " " and char != "\t" for char in line.rstrip("\r\n"))


def _game_of(header: Header, game: GameDef | None) -> GameDef:
    """Return the game of a log.

    Args:
        header: of the log.
        game: what the caller says it is; None: the built-in game of that name.

    Raises:
        GameDefError: there is no such built-in game, and the caller says nothing.
        ValueError: there is, and the caller says another kind of game; other stacks or blinds
            under the name of a built-in game are believed.
    """
    base = header.game.replace("\\", "/").rsplit("/", 1)[-1]
    try:
        named = load_builtin(base)
    except GameDefError:
        if game is None:
            raise
        return game
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
        logs: their files.
        game: of all of them; None: each log's header names a built-in game.
        all_shown: whether every hand has to show all hole cards.

    Raises:
        TrainingError: as for `logged_hands`, or there are no hands, they are of several games or
            of no hold'em for two, or one breaks the rules; the message says where.
    """
    hands: list[HandRecord] = []
    places: list[str] = []
    found = game
    for log in logs:
        for hand_game, record, line in logged_hands(log, game):
            if found not in (None, hand_game):
                raise TrainingError(f"{log}: of another game than the logs before")
            if hand_game.players != _PLAYERS or not hand_game.is_holdem:
                raise TrainingError(
                    f"{log}: only hold'em for two can be learned from, this log is of "
                    f"{describe(hand_game)}"
                )
            found = hand_game
            try:
                _check_hand(found, record, all_shown=all_shown)
            except (EngineError, ProtocolError, ValueError) as error:
                raise TrainingError(f"{log}:{line}: {error}") from error
            hands.append(record)
            places.append(f"{log}:{line}")
    if found is None or not hands:
        raise TrainingError(f"no hands in {', '.join(map(str, logs))}")
    return LoggedHands(found, hands, places)


def _check_hand(game: GameDef, record: HandRecord, *, all_shown: bool) -> None:
    """Check betting and cards of a hand.

    Raises:
        EngineError: the betting breaks the rules, or the hand is not over.
        ProtocolError: betting or cards are none.
        ValueError: a card is dealt twice, or hidden where all have to be shown.
    """
    state = HandState.start(game)
    for action in (action for street in parse_betting(record.betting) for action in street):
        if state.over:
            raise EngineError(f"{action.text}: the hand is over")
        _check_size(state, action)
        state = state.apply(action)
    if not state.over:
        raise EngineError("the hand is not over")
    cards = parse_card_text(record.cards, game)
    dealt = [card for group in (*cards.holes, cards.board) for card in group]
    if len(set(dealt)) < len(dealt):
        raise ValueError("a card is dealt twice")
    if all_shown and not all(cards.holes):
        raise ValueError("hides cards: want logs that show all hands")


def _check_size(state: HandState, action: Action) -> None:
    """Raise EngineError where a raise of a limit game has a size that is not that of the game."""
    if state.game.no_limit or not action.raise_to:
        return
    legal = state.raise_range()
    if legal is not None and action.raise_to != legal[0]:
        raise EngineError(f"{action.text}: a raise of this limit game is to {legal[0]} chips")


def find_logs(places: Iterable[Path]) -> list[Path]:
    """Return the logs among files and folders; those of a folder in the order of their names.

    Raises:
        TrainingError: a place is not there, or a folder has no *.log.
    """
    logs = []
    for place in places:
        inside = sorted(place.glob("*.log")) if place.is_dir() else [place]
        if not inside:
            raise TrainingError(f"{place}: no *.log in this folder")
        logs += inside
    for log in logs:
        try:
            log.stat()
        except OSError as error:
            raise TrainingError(f"{log}: {error.strerror}") from error
    return logs
