"""`arena play BOT...`: a person sits down with bots, in the browser.

It is a match, in which one of the bots is a program that shows a page (`dealer.web.seat_program`).
Exit codes are those of `arena match`.
"""

from __future__ import annotations

import argparse
import os
import secrets
import shlex
import socket
import sys
import threading
import time
from collections.abc import Sequence
from typing import Final

from dealer.bots.participants import PAGE_VARIABLE
from dealer.commands.match import read_arguments, take_any_character
from dealer.errors import MatchUsageError
from dealer.web.browser import NO_BROWSER, open_browser
from dealer.web.guard import Guard
from dealer.web.seat_program import HOST, NAME
from dealer.web.server import listen_at
from dealer.web.strategy_teller import USUAL, checking
from engine.console.arguments import page_port
from engine.console.command import Command, Option
from engine.console.exit_codes import FAILED, WRONG_ARGUMENTS
from engine.console.output import tell
from engine.console.parser import OneLineParser
from engine.parallel.own_programs import own_program

PROG: Final = "arena play"
_DEFAULT: Final = ("blueprint",)
_HANDS: Final = 100
_UNTIMED: Final = (NAME, -1)
_TOKEN_BYTES: Final = 16
_LOOK_SECONDS: Final = 0.1


def _sit_down(options: argparse.Namespace) -> int:
    take_any_character()
    with checking(options.strategy) as problem:
        given = _with_person(read_arguments(options.of_match, PROG))
        try:
            with listen_at(HOST, options.port) as found:
                port = found.getsockname()[1]
        except OSError as error:
            tell(f"{PROG}: cannot listen on port {options.port}: {error.strerror or error}")
            return FAILED
        if wrong := problem():
            tell(f"{PROG}: {wrong}")
            return WRONG_ARGUMENTS
    token = secrets.token_urlsafe(_TOKEN_BYTES)
    os.environ[PAGE_VARIABLE] = f"{port}/{token}/{options.strategy}"
    told = (port, Guard(HOST, port, token).link, not options.no_browser)
    threading.Thread(target=_tell_when_there, args=told, daemon=True).start()
    from dealer.commands.match_report import play_match_request

    return play_match_request(given, options.argv, PROG)


def _with_person(given: argparse.Namespace) -> argparse.Namespace:
    """Return the options of a match with the person in it, who has no time limits."""
    if given.shard is not None:
        raise MatchUsageError("--shard is for matches between bots")
    if given.bots or given.resume is None:
        seat = shlex.join([*own_program("person's seat"), "{game}"])
        given.bots = [f"{NAME}={seat}", *(given.bots or _DEFAULT)]
    if given.resume is None and given.deals is None:
        given.hands = given.hands or _HANDS
    for limit in ("t_response", "t_hand", "t_per_hand"):
        setattr(given, limit, [*(getattr(given, limit) or ()), _UNTIMED])
    given.no_duplicate = given.quiet = True
    given.jobs = 1  # there is one page
    return given


def _tell_when_there(port: int, link: str, opened: bool) -> None:
    """Say where the page is once it can be visited, and open it."""
    while True:
        try:
            socket.create_connection((HOST, port)).close()
        except OSError:
            time.sleep(_LOOK_SECONDS)
        else:
            break
    tell(f"sit down at {link}")
    if opened:
        open_browser(link)


def _parse(parser: OneLineParser, words: Sequence[str]) -> argparse.Namespace:
    options = argparse.Namespace()
    _, options.of_match = parser.parse_known_args(words, options)
    return options


COMMAND: Final = Command(
    PROG,
    _sit_down,
    "Sit down with BOTs, in the browser; without one, with blueprint.  A page that is closed or "
    "reloaded comes back to the same hand.  The match ends after its hands, or with Ctrl-C; its "
    "log is in its folder, as of every match.",
    (
        Option("--port N", "of the page (one that is free)", page_port, 0),
        Option(
            "--strategy BOT",
            "what a hand's decisions are compared with once it is over: a bot that tells its "
            "strategy, of hold'em for two (%(default)s; '': none)",
            default=USUAL,
        ),
        NO_BROWSER,
    ),
    f"Other options are those of arena match: --game, --hands ({_HANDS}), --seed, --out, --resume "
    "and so on.",
    usage="%(prog)s [BOT...] [options]\n       %(prog)s --resume DIR [options]",
    prints=False,
    allow_abbrev=False,
    parse=_parse,
)
main = COMMAND.main

if __name__ == "__main__":
    sys.exit(main())
