"""What a strategy does in a hand: asked of a program of its own, since the server knows no bot.

The program is `agents.analysis.strategy_program`; its answer goes to the page as it is.  It is
told the game and the line of a hand, without names, and knows no more than that.  So it cannot tell
what the asker does not know.
"""

from __future__ import annotations

import asyncio
import re
import subprocess
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from dealer.web.http_requests import Refusal
from engine.console.exit_codes import WRONG_ARGUMENTS
from engine.parallel.own_programs import environment, own_program
from protocol.errors import ProtocolError
from protocol.gamedef import format_gamedef
from protocol.handlog import HandRecord, format_hand, parse_log_line

if TYPE_CHECKING:
    from asyncio.subprocess import Process
    from collections.abc import Callable, Iterator

    from protocol.gamedef import GameDef

TOLD_PLAYERS: Final = 2
"""Of games whose strategies can be told."""
ASKED: Final = {"strategy": "", "values": "values "}
"""What a page may ask -> what stands before the line then."""
_PROGRAM: Final = own_program("strategy")
USUAL: Final = "blueprint"
"""The strategy that is always there."""
_CHECK: Final = "--check"
_SCRIPT: Final = "script:"
_OPEN: Final = re.compile(r"(STATE:[0-9]+(?::[0-9|]+:[0-9|]+)?:[a-z0-9/]*:[^:]*):(:.*)", re.DOTALL)
"""The line of a hand without values."""
_SECONDS: Final = 60.0
"""For an answer, and for opening the strategy."""
_LONGEST_ANSWER: Final = 1 << 24


@contextmanager
def checking(bot: str) -> Iterator[Callable[[], str]]:
    """Ask the program whether there is such a strategy, while other work goes on.

    Yields:
        What waits for the answer and returns what is wrong, "" where nothing is.

    Raises:
        OSError: the program cannot be started.
    """
    if bot in ("", USUAL):  # the usual start waits for nothing
        yield lambda: ""
        return
    words = (*_PROGRAM, _CHECK, bot)
    with subprocess.Popen(
        words, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment()
    ) as process:

        def problem() -> str:
            told = process.communicate()[1].decode("utf-8", "replace").splitlines()
            # Whatever else may be wrong is told with the first hand.
            return f"--strategy: {told[-1]}" if process.returncode == WRONG_ARGUMENTS else ""

        yield problem


def shown_name(bot: str) -> str:
    """Return what a page calls a bot: without the folders of a file, and without options."""
    return bot if bot.startswith(_SCRIPT) else PurePath(bot.partition(" --")[0]).name


class StrategyTeller:
    """Keeps the program: starts it when it is needed first, and again where it has died."""

    def __init__(self, bot: str, seconds: float = _SECONDS) -> None:
        """Start nothing yet.

        Args:
            bot: as `arena versus` reads it.
            seconds: that an answer may take.
        """
        self.name: Final = shown_name(bot)
        """As pages are told it."""
        self._bot: Final = bot
        self._seconds = seconds
        self._game: GameDef | None = None
        self._process: Process | None = None
        self._asking = asyncio.Lock()

    async def tell(
        self, game: GameDef, line: str, gone: Callable[[], bool] = lambda: False
    ) -> bytes:
        """Return the program's answer, JSON.  One is asked for at a time; others wait.

        Args:
            line: as `asked_line` returns it.
            gone: tells whether nobody waits for the answer any more; then it is not asked for.

        Raises:
            Refusal: the program does not answer, or not in time.
        """
        async with self._asking:
            if gone():
                raise Refusal(408, "nobody waits for the answer")
            answer = b""
            try:
                async with asyncio.timeout(self._seconds):
                    answer = await self._answer(game, line)
            except TimeoutError:
                raise Refusal(504, f"{self.name} takes more than {self._seconds:g} s") from None
            except (OSError, ValueError):
                pass
            finally:
                if not answer.endswith(b"\n"):
                    await self._end()
        if not answer.endswith(b"\n"):
            raise Refusal(502, f"the program that tells the strategy of {self.name} has ended")
        return answer

    async def close(self) -> None:
        """End the program."""
        async with self._asking:
            await self._end()

    async def _answer(self, game: GameDef, line: str) -> bytes:
        """Return what the program answers.  Raises OSError, ValueError."""
        alive = self._process is not None and self._process.returncode is None
        if not alive or self._game != game:
            await self._end()
            self._game = game
            self._process = await asyncio.create_subprocess_exec(
                *_PROGRAM,
                format_gamedef(game),
                self._bot,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                limit=_LONGEST_ANSWER,
                env=environment(),
                start_new_session=True,  # a terminal's Ctrl-C is for the server
            )
        assert self._process is not None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{line}\n".encode("ascii"))
        await self._process.stdin.drain()
        return await self._process.stdout.readline()

    async def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


def asked_line(game: GameDef, line: str, *, over: bool, asked: str = "strategy") -> str:
    """Return the line of a hand as the program is asked it: without names and time.

    Args:
        asked: of `ASKED`.
        over: whether hands that are still being played, which have no values, are refused.

    Raises:
        Refusal: it is no line of a hand of this game, or of one that is not over.
    """
    found = None if over else _OPEN.fullmatch(line)
    whole = line if found is None else f"{found[1]}:{'|'.join('0' * game.players)}{found[2]}"
    try:
        record = parse_log_line(whole)
    except ProtocolError:
        record = None
    if not isinstance(record, HandRecord) or len(record.values) != game.players:
        raise Refusal(400, "want the line of a hand" + " that is over" * over)
    seats = tuple(map(str, range(game.players)))
    return ASKED[asked] + format_hand(replace(record, names=seats, stamp=None))
