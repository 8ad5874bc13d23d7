"""A client's end of the benchmark server's line protocol.  Pure: bytes in, events out.

The first line logs on: `user password`, and what follows is ignored, but for the requests below.

    HELP, GAMES, QSTAT             answered at once; a longer line that begins so is the same
    RUNMATCHES game runs tag seed player...
                                   not answered, but where it is wrong; players are bots or LOCAL
    anything else                  UNKNOWN

`bm_run_matches` says all in its first line.  What it is answered ends with `Matches finished`, or
with the connection:

    user password games
    user password run KIND script runs tag seed player...
    user password rerun KIND script index tag seed player...

KIND is 2pl, 2pn or 3pl: players, and limit or no-limit; it is the first such game.  The script is
the client's own business, and LOCAL may be written in any case.

Seeds.  One run has the seed that was asked for.  More have the outputs of a generator with that
seed (MT19937), and a re-run has one of these outputs, by its index from 0.  With seed 0 RUNMATCHES
has a generator that nobody knows; the one-line form, whose re-runs name the seed, knows no such 0.

Source: the published server and `bm_run_matches`, and recorded sessions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final, NamedTuple, TypeAlias

from dealer.hub.acpc_config import LOCAL, AcpcConfig, AcpcGame
from engine.rules.dealing import MAX_SEED, seed_outputs

MOST_LINE_BYTES: Final = 4096
"""With its end; as in the original."""
FINISHED: Final = b"Matches finished\n"
BAD_LOGON: Final = b"BAD LOGON\n"
_LOGON_OKAY: Final = b"LOGON OKAY - type help for commands\n"
_UNKNOWN: Final = b"UNKNOWN\n"
_BAD_RUNMATCHES: Final = b"BAD RUNMATCHES COMMAND\n"
_HELP: Final = b"""\
HELP - this message
GAMES - list available games and players
QSTAT - show the current queue
RUNMATCHES game #runs tag rngSeed player ... - submit match request
  - Player order decides match seating
  - "LOCAL" player runs the bm_widget agent (bot_command)
"""
_KINDS: Final = {"2pl": (2, False), "2pn": (2, True), "3pl": (3, False)}
"""Players, and whether there is no limit."""
_TAG: Final = re.compile(r"[!-.0-~]{1,100}")
"""No blank and no slash."""
_NUMBER: Final = re.compile(r"[0-9]{1,10}")
_MOST_INDEX: Final = 65535
"""Of a re-run."""
_SEATS_FROM: Final = 3
"""The number of words between a game or script and the players: runs, tag, seed."""


@dataclass(frozen=True, slots=True)
class MatchOrder:
    """Matches that a client wants, one after the other."""

    game: AcpcGame
    runs: int
    tag: str
    seed: int | None
    """None: of a generator that nobody knows."""
    players: tuple[str, ...]
    """In seat order: `LOCAL`, or a bot's name."""
    first: int | None = 0
    """Index of the first match's seed in the outputs of the generator; None: it is `seed`."""

    def seeds(self, fresh: int) -> Iterator[int]:
        """Yield the seeds of the matches, in order.

        Args:
            fresh: of the generator, where the client named none.
        """
        if self.first is None and self.seed is not None:
            yield self.seed
            return
        outputs = seed_outputs(fresh if self.seed is None else self.seed)
        first = self.first or 0
        yield from islice(outputs, first, first + self.runs)


class SessionReply(NamedTuple):
    """Something to send."""

    data: bytes


class LoggedOn(NamedTuple):
    """The client is a user."""

    user: str


class QueueAsked(NamedTuple):
    """The queue is to be sent."""


class MatchesAsked(NamedTuple):
    """Matches are to be played."""

    order: MatchOrder
    last: bool
    """Whether `FINISHED` is to be sent after them, and the connection closed."""


SessionEvent: TypeAlias = SessionReply | LoggedOn | QueueAsked | MatchesAsked


class AcpcSession:
    """Reads what one client sends; once it is `over`, the connection is to be closed."""

    def __init__(
        self,
        config: AcpcConfig,
        house: Mapping[str, Sequence[str]],
        is_user: Callable[[str, str], bool],
    ) -> None:
        """Know no user yet.

        Args:
            config: games, and their bots.
            house: names of the other bots that play a game, by its file.
            is_user: whether a name and a password belong together.
        """
        self._config = config
        self._house = house
        self._is_user = is_user
        self._received = b""
        self._user: str | None = None
        self.over = False
        """Whether nothing more is read."""

    def receive(self, data: bytes) -> list[SessionEvent]:
        """Return what comes of bytes that a client has sent."""
        events: list[SessionEvent] = []
        if self.over:
            return events
        *lines, self._received = (self._received + data).split(b"\n")
        for line in lines:
            events += self._line(line)
            if self.over:
                break
        if not self.over and len(self._received) >= MOST_LINE_BYTES:
            events += self._end(_UNKNOWN if self._user is not None else BAD_LOGON)
        return events

    def _line(self, line: bytes) -> Iterator[SessionEvent]:
        if len(line) >= MOST_LINE_BYTES:
            yield from self._end(_UNKNOWN if self._user is not None else BAD_LOGON)
        elif self._user is None:
            yield from self._log_on(_words(line))
        else:
            yield from self._command(line)

    def _end(self, answer: bytes) -> Iterator[SessionEvent]:
        self.over = True
        yield SessionReply(answer)

    def _log_on(self, words: list[str]) -> Iterator[SessionEvent]:
        if len(words) < 2 or not self._is_user(words[0], words[1]):
            yield from self._end(BAD_LOGON)
            return
        self._user = words[0]
        yield LoggedOn(self._user)
        request = words[2] if len(words) > 2 else ""
        if request == "games":
            yield from self._end(self._games())
        elif request in ("run", "rerun"):
            order = self._order_of_kind(words[3:], again=request == "rerun")
            if order is None:
                yield from self._end(_BAD_RUNMATCHES)
            else:
                self.over = True
                yield MatchesAsked(order, last=True)
        else:
            yield SessionReply(_LOGON_OKAY)

    def _command(self, line: bytes) -> Iterator[SessionEvent]:
        upper = line.upper()
        if upper.startswith(b"HELP"):
            yield SessionReply(_HELP)
        elif upper.startswith(b"GAMES"):
            yield SessionReply(self._games())
        elif upper.startswith(b"QSTAT"):
            yield QueueAsked()
        elif upper.startswith(b"RUNMATCHES"):
            order = self._order(_words(line[len("RUNMATCHES") :]))
            yield (
                SessionReply(_BAD_RUNMATCHES) if order is None else MatchesAsked(order, last=False)
            )
        else:
            yield SessionReply(_UNKNOWN)

    def _games(self) -> bytes:
        lines: list[str] = []
        for game in reversed(self._config.games):
            lines += ["", game.file, *(f" {name}" for name in self._players(game))]
        return "".join(f"{line}\n" for line in lines).encode()

    def _players(self, game: AcpcGame) -> list[str]:
        """Return the names of the bots of a game; those of the config first, the last one first."""
        programs = [program.name for program in reversed(game.programs)]
        return [*programs, *self._house.get(game.file, ())]

    def _order(self, words: list[str]) -> MatchOrder | None:
        """Return what RUNMATCHES asks for; None: it makes no sense."""
        games = {game.file: game for game in self._config.games}
        game = games.get(words[0]) if words else None
        if game is None or len(words) < 1 + _SEATS_FROM + game.definition.players:
            return None
        runs, tag, seed, *players = words[1 : 1 + _SEATS_FROM + game.definition.players]
        order = self._checked(game, runs, tag, seed, players)
        if order is None:
            return None
        return replace(order, seed=None, first=0) if order.seed == 0 else order

    def _order_of_kind(self, words: list[str], *, again: bool) -> MatchOrder | None:
        """Return what `run` or `rerun` asks for; None: it makes no sense."""
        game = self._game_of_kind(words[0]) if words else None
        if game is None:
            return None
        players = game.definition.players
        if len(words) < 2 + _SEATS_FROM + players:
            return None
        number, tag, seed, *names = words[-_SEATS_FROM - players :]
        names = [LOCAL if name.upper() == LOCAL else name for name in names]
        if not again:
            return self._checked(game, number, tag, seed, names)
        order = self._checked(game, "1", tag, seed, names)
        index = _number(number, _MOST_INDEX)
        return None if order is None or index is None else replace(order, first=index)

    def _game_of_kind(self, kind: str) -> AcpcGame | None:
        wanted = _KINDS.get(kind)
        for game in self._config.games:
            if (game.definition.players, game.definition.no_limit) == wanted:
                return game
        return None

    def _checked(
        self, game: AcpcGame, runs: str, tag: str, seed: str, players: list[str]
    ) -> MatchOrder | None:
        count, number = _number(runs, game.most_runs), _number(seed, MAX_SEED)
        names = {LOCAL, *self._players(game)}
        if (
            count is None
            or number is None
            or not _TAG.fullmatch(tag)
            or not names.issuperset(players)
        ):
            return None
        return MatchOrder(game, count, tag, number, tuple(players), None if count == 1 else 0)


def _words(line: bytes) -> list[str]:
    """Return the words of a line, which blanks of ASCII part."""
    return [word.decode("utf-8", "replace") for word in line.split()]


def _number(text: str, most: int) -> int | None:
    """Return a number, None where it is none or too large."""
    if not _NUMBER.fullmatch(text) or int(text) > most:
        return None
    return int(text)
