"""`arena web LOG...`: shows match logs in the browser, from a server on this machine; with --solve
a page that solves spots.

Exit codes: 1 it cannot listen there, 2 wrong arguments or nothing to show, 130 Ctrl-C, which is how
it ends.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final, TypeAlias

from dealer.logs.hand_filter import logs_options
from dealer.web.browser import NO_BROWSER, open_browser
from engine.console.arguments import listen_address, page_port, real_number
from engine.console.command import Command, Option, WrongArguments
from engine.console.exit_codes import FAILED, INTERRUPTED, WRONG_ARGUMENTS
from engine.console.output import say, tell
from engine.console.stopping import stop_on_signals
from engine.errors import EngineError
from engine.handlogs.source.log_games import game_from_argument
from engine.parallel.own_programs import yield_to_others

if TYPE_CHECKING:
    import asyncio
    import socket
    from collections.abc import Iterator

    from dealer.web.guard import Guard
    from dealer.web.router import Site

    SiteMaker: TypeAlias = Callable[[Guard], Site]

PROG: Final = "arena web"
_TOKEN_BYTES: Final = 16
_READ_BYTES: Final = 1 << 12


def _show(options: argparse.Namespace) -> int:
    if bool(options.logs) == (options.solve is not None):
        raise WrongArguments("want either LOG|FOLDER or --solve")
    if options.solve is not None and options.strategy is not None:
        raise WrongArguments("--strategy goes with logs")
    try:
        with _maker(options) as make_site:
            return _listen(options, make_site)
    except EngineError as error:
        _tell(str(error))
        return WRONG_ARGUMENTS


@contextmanager
def _maker(options: argparse.Namespace) -> Iterator[SiteMaker]:
    """Yield what makes the site that the options ask for.

    Raises:
        LogError, EngineError: there is nothing to show.
    """
    from dealer.web.router import read_pages

    if options.solve is None:
        from dealer.web.archive import Archive
        from dealer.web.log_site import LogSite
        from dealer.web.spectating import SeenCards
        from dealer.web.strategy_teller import StrategyTeller, checking

        with checking(options.strategy or "") as problem:
            game = game_from_argument(options.game) if options.game is not None else None
            archive = Archive(options.logs, game, playing=options.until_input_ends)
            cards = SeenCards(options.cards)
            if wrong := problem():
                raise EngineError(wrong)
        strategy = StrategyTeller(options.strategy) if options.strategy else None
        yield lambda guard: LogSite(archive, guard, read_pages(), cards, options.delay, strategy)
        return
    from dealer.web.solve_site import SolveSite
    from engine.range_solver.strategy import RangeStrategy

    path = Path(options.solve)
    saved = RangeStrategy.load(path) if options.solve else None

    def solving(guard: Guard) -> SolveSite:
        site = SolveSite(guard, read_pages(), Path(folder))
        if saved is not None:
            site.runner.show(saved, path, options.solve)
        return site

    with TemporaryDirectory(prefix="arena-solve-") as folder:
        yield solving


def _listen(options: argparse.Namespace, make_site: SiteMaker) -> int:
    """Serve a site until Ctrl-C; return the exit code."""
    import asyncio

    from dealer.web.server import listen_at

    try:
        listening = listen_at(options.listen, options.port)
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        _tell(f"cannot listen on {options.listen}:{options.port}: {reason}; try another --port")
        return FAILED
    with listening, asyncio.Runner() as runner:
        loop, stop = runner.get_loop(), asyncio.Event()

        def end() -> None:
            loop.call_soon_threadsafe(stop.set)

        with stop_on_signals(on_stop=end):  # before the runner takes Ctrl-C for itself
            runner.run(_serve(options, make_site, listening, stop))
    return INTERRUPTED


async def _serve(
    options: argparse.Namespace, make_site: SiteMaker, listening: socket.socket, stop: asyncio.Event
) -> None:
    """Serve until `stop` is set."""
    import asyncio
    import secrets

    from dealer.web.guard import Guard
    from dealer.web.router import serve_site

    token = secrets.token_urlsafe(_TOKEN_BYTES)
    guard = Guard(options.listen, listening.getsockname()[1], token)
    site = make_site(guard)
    say(guard.link)
    sys.stdout.flush()
    loop = asyncio.get_running_loop()
    if options.until_input_ends:  # a match has started this
        yield_to_others()
        loop.add_reader(sys.stdin.fileno(), _stop_with_input, stop)
    if not options.no_browser:
        loop.run_in_executor(None, open_browser, guard.link)
    await serve_site(site, listening, stop, _tell)


def _stop_with_input(stop: asyncio.Event) -> None:
    if not os.read(sys.stdin.fileno(), _READ_BYTES):
        stop.set()


def _tell(line: str) -> None:
    tell(f"{PROG}: {line}")


COMMAND: Final = Command(
    PROG,
    _show,
    "Show match logs in the browser: hand by hand, also those that are still being written.  "
    "Prints the link; whoever has it can read these logs, and nothing else.  Ctrl-C ends it.",
    (
        *logs_options(needed=False),
        Option(
            "--solve [FILE]",
            "instead of logs, a page on which ranges are drawn and spots solved, as arena solve "
            "does; FILE is a solution that it saved",
            const="",
        ),
        Option("--port N", "TCP port (one that is free)", page_port, 0),
        Option(
            "--listen ADDRESS",
            "whom others connect to: this machine alone (%(default)s), or one of its addresses; "
            "what goes over a network is not encrypted",
            listen_address,
            "127.0.0.1",
        ),
        Option(
            "--cards",
            "whose are seen: everybody's, of hands that are being played too, or those that "
            "everybody at the table was shown (%(default)s)",
            default="all",
            choices=("all", "shown"),
        ),
        Option(
            "--delay S",
            "show hands of a match that is being played so many seconds after their end (0: at "
            "once, action by action)",
            real_number(lambda seconds: 0 <= seconds <= 86400, "{}: want 0 to 86400 seconds"),
            0.0,
        ),
        Option(
            "--strategy BOT",
            "show what a bot that tells its strategy does at each decision, with the cards and "
            "with its range: blueprint, 'blueprint --model FILE'; hold'em for two only",
        ),
        NO_BROWSER,
        Option("--until-input-ends", argparse.SUPPRESS),
    ),
)
main = COMMAND.main

if __name__ == "__main__":
    sys.exit(main())
