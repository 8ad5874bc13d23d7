"""Command lines of agents: HOST PORT and options -> a bot seated at a dealer.

Who starts a bot before its dealer gives - as HOST, and as PORT the number of a connected socket:

    bot -> starter   compiling          where code has to be compiled first, once
                     ready              it can sit down at once
    starter -> bot   127.0.0.1 41233    where that is

Exit codes: 0 match over, 1 the match could not be played (to the end), 2 wrong arguments or wrong
game, 130 interrupted.
"""

from __future__ import annotations

import argparse
import logging
import os
import re
import sys
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from math import inf
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING, Final, NoReturn

from agents.client import DealerAddress, StarterLine, play_match
from agents.errors import AgentError, BotFailed
from agents.seat.faults import BotErrorContext, whole_traceback
from agents.seat.played import show_played_hands
from agents.session import Session
from agents.time_limits import AnswerLimits
from engine.console.arguments import DEFAULT_GAME, load_game, port, seconds, whole_number
from engine.console.command import Option, add_options
from engine.console.exit_codes import INTERRUPTED
from engine.console.output import tell
from engine.console.parser import OneLineParser
from engine.parallel.own_programs import ADDRESS_FOLLOWS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from agents.bot import Bot
    from agents.log import Log
    from protocol.gamedef import GameDef

match_seed: Final = whole_number(0, 2**64 - 1, "seed {}: want a number from 0 to 2**64 - 1")

_SLOW_SECONDS: Final = 2.0
_MILLISECONDS: Final = re.compile(r"-?[0-9]{1,20}")
_LIMIT_OF_OPTION: Final = {
    "--t_response": "longest single response",
    "--t_hand": "longest time in one hand",
    "--t_per_hand": "average time per hand",
}


def run(bot: Bot, argv: Sequence[str] | None = None) -> NoReturn:
    """Seat `bot` at the dealer that the command line names, play, and leave the process.

    The last line of a bot that is a program of its own; then `python mybot.py HOST PORT` plays.
    """
    parser = OneLineParser(description=f"Play {type(bot).__name__} at an ACPC dealer.")
    add_connection_arguments(parser)
    sys.exit(seat_and_play(bot, parser.parse_args(argv), prog=parser.prog))


def add_connection_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what every agent's command line has; `seat_and_play` reads the result."""
    add_options(parser, connection_options())


def connection_options() -> tuple[Option, ...]:
    """Return the same as options, with defaults of the environment as it is now."""
    return (
        Option("HOST", "where the dealer is; -: PORT is a socket that will tell"),
        Option("PORT", "of this seat, as the dealer says it", port),
        Option(
            "--game NAME|FILE",
            "built-in game or game file; the dealer's game (default: ARENA_GAME of the "
            f"environment, which arena match sets, else {DEFAULT_GAME})",
            load_game,
            os.environ.get("ARENA_GAME") or DEFAULT_GAME,
        ),
        Option(
            "--seed N",
            "of all random choices (default: ARENA_BOT_SEED of the environment, which arena match "
            "sets, else a new one)",
            match_seed,
            os.environ.get("ARENA_BOT_SEED") or None,
        ),
        Option(
            "--connect-timeout SECONDS",
            "how long to wait for a dealer that is not there yet (default: %(default)g)",
            seconds,
            30.0,
        ),
        Option(
            "--reconnect SECONDS",
            "how long to try to connect again after a loss in mid-match (default: not at all)",
            seconds,
            0.0,
        ),
        *_limits(),
        Option("--traceback", "show all of Python's words for a bot's exception"),
        Option("--log FILE", "append a line of JSON for each event", Path),
    )


def _limits() -> Iterator[Option]:
    for flag, limited in _LIMIT_OF_OPTION.items():
        variable = f"ARENA_{flag.removeprefix('--').upper()}"
        text = (
            f"{limited}, for bots that mind the time: as the dealer was told; negative: no limit "
            f"(default: {variable} of the environment, which arena match sets, else no limit)"
        )
        yield Option(f"{flag} MS", text, _milliseconds, os.environ.get(variable) or inf)


def seat_and_play(bot: Bot, options: argparse.Namespace, *, prog: str) -> int:
    """Warm `bot` up, seat it, play; return the exit code.  Errors go to stderr, one line each."""

    def notice(text: str) -> None:
        tell(f"{prog}: {text}")

    game: GameDef = options.game
    seed = int.from_bytes(os.urandom(4)) if options.seed is None else options.seed
    limits = AnswerLimits(options.t_response, options.t_hand, options.t_per_hand)
    address = DealerAddress(options.host, options.port, options.connect_timeout, options.reconnect)
    try:
        starter = StarterLine(options.port) if options.host == ADDRESS_FOLLOWS else None
        with _log(options.log, type(bot).__name__, notice) as log:
            if log is not None:
                log.info("started", seed=seed)
            with _told_if_slow(notice), _told_of_compiling(starter):
                with BotErrorContext(bot, "warm_up"):
                    bot.warm_up()
                with BotErrorContext(bot, "start_match"):
                    bot.start_match(game, seed)
            with BotErrorContext(bot, "act"):
                resumed = show_played_hands(bot, game)
            token = os.environ.get("ARENA_SEAT_TOKEN", "")
            session = Session(
                bot, game, log, limits=limits, notice=notice, token=token, resumed=resumed
            )
            if starter is not None:
                host, port = starter.address()
                address = replace(address, host=host, port=port)
            play_match(session, address, notice=notice, log=log)
    except AgentError as error:
        if options.traceback and isinstance(error, BotFailed):
            sys.stderr.write(whole_traceback(error))
        notice(str(error))
        return error.exit_code
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0


@contextmanager
def _told_if_slow(notice: Callable[[str], None]) -> Iterator[None]:
    """Tell people at a terminal that getting ready takes a while."""
    text = "getting ready; the first start on a machine compiles code, for up to a minute"
    timer = Timer(_SLOW_SECONDS, notice, (text,))
    timer.daemon = True
    if sys.stderr.isatty():
        timer.start()
    try:
        yield
    finally:
        timer.cancel()


class _CompilingHandler(logging.Handler):
    """Tells a starter of the first kernel that has to be compiled."""

    def __init__(self, starter: StarterLine) -> None:
        super().__init__()
        self._starter: StarterLine | None = starter

    def emit(self, record: logging.LogRecord) -> None:
        """Tell it."""
        if self._starter is not None:
            self._starter.compiling()
            self._starter = None


@contextmanager
def _told_of_compiling(starter: StarterLine | None) -> Iterator[None]:
    """Within, tell a starter if code has to be compiled."""
    if starter is None:
        yield
        return
    logger, handler = logging.getLogger("engine.compiled.compiling"), _CompilingHandler(starter)
    logger.setLevel(logging.INFO)
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(logging.NOTSET)


@contextmanager
def _log(path: Path | None, bot: str, notice: Callable[[str], None]) -> Iterator[Log | None]:
    """Give the log at `path`, or None for no path.  Raises AgentError."""
    if path is None:
        yield None
        return
    from agents.log import open_agent_log

    with ExitStack() as stack:
        try:
            log = stack.enter_context(open_agent_log(path, notice, bot=bot, pid=os.getpid()))
        except OSError as error:
            raise AgentError(f"cannot write {path}: {error.strerror}") from error
        yield log


def _milliseconds(text: str) -> float:
    """Return seconds, `inf` for a negative number: as the dealer means it."""
    if _MILLISECONDS.fullmatch(text) is None:
        raise argparse.ArgumentTypeError(f"{text[:40]}: want a whole number of milliseconds")
    number = int(text)
    return inf if number < 0 else number / 1000
