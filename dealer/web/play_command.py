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

from dealer.matches.command import main as play_match
from dealer.web.browser import add_no_browser, open_browser
from dealer.web.guard import Guard
from dealer.web.seat_program import HOST, NAME, TOKEN_NAME
from dealer.web.server import listen_at
from engine.console.arguments import page_port, whole_number
from engine.console.exit_codes import FAILED
from engine.console.output import tell
from engine.console.parser import OneLineParser
from engine.parallel.own_programs import own_program

PROG: Final = "arena play"
DEFAULT: Final = ("blueprint",)
STRATEGY: Final = "blueprint"
_UNTIMED: Final = ("t_response", "t_hand", "t_per_hand")
_TOKEN_BYTES: Final = 16
_LOOK_SECONDS: Final = 0.1


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    options, others = _parser().parse_known_args(argv)
    try:
        with listen_at(HOST, options.port) as found:
            number = found.getsockname()[1]
    except OSError as error:
        tell(f"{PROG}: cannot listen on port {options.port}: {error.strerror or error}")
        return FAILED
    token = secrets.token_urlsafe(_TOKEN_BYTES)
    os.environ[TOKEN_NAME] = token
    words = (*own_program("dealer.web.seat_program"), "{game}", str(number), options.strategy)
    seat = shlex.join(words)
    link = Guard(HOST, number, token).link
    told = (number, link, not options.no_browser)
    threading.Thread(target=_tell_when_there, args=told, daemon=True).start()
    return play_match(
        [
            *(f"{NAME}={seat}", *(options.bots or DEFAULT), *others),
            *("--hands", str(options.hands), "--no-duplicate", "--quiet"),
            *(word for limit in _UNTIMED for word in (f"--{limit}", f"{NAME}=-1")),
        ]
    )


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


def _parser() -> argparse.ArgumentParser:
    parser = OneLineParser(
        prog=PROG,
        usage="%(prog)s BOT... [options]",
        description="Sit down with bots, in the browser.  A page that is closed or reloaded comes "
        "back to the same hand.  The match ends after its hands, or with Ctrl-C; its log is in "
        "its folder, as of every match.",
        epilog="Other options are those of arena match: --game, --seed, --out, --resume and so on.",
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("bots", metavar="BOT", nargs="*", help="the others, as for arena match (blueprint)")
    add(
        "--hands",
        metavar="N",
        type=whole_number(1, 10**9),
        default=100,
        help="of the match (%(default)s)",
    )
    add("--port", metavar="N", type=page_port, default=0, help="of the page (one that is free)")
    add(
        "--strategy",
        metavar="BOT",
        default=STRATEGY,
        help="what a hand's decisions are compared with once it is over: a bot that tells its "
        "strategy, of hold'em for two (%(default)s; '': none)",
    )
    add_no_browser(parser)
    return parser


if __name__ == "__main__":
    sys.exit(main())
