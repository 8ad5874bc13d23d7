"""`arena connect URL -- COMMAND`: plays at a server that stays up, with a bot of this machine.

Exit codes: 0 all matches were played, 1 one was lost by the bot's own fault or refused, 2 wrong
arguments or a server that they do not fit, 3 the server could not be reached for too long, 4 the
deals of a match are not proven, 130 Ctrl-C.
"""

from __future__ import annotations

import argparse
import re
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from engine.console.arguments import count, positive
from engine.console.command import Command, Option, OptionGroup, WrongArguments
from engine.console.exit_codes import WRONG_ARGUMENTS
from engine.console.output import printable, say, tell
from engine.console.stopping import stop_on_signals

if TYPE_CHECKING:
    import asyncio

    from dealer.bots.participants import Participant
    from dealer.relay.relay import MatchWish, Relay
    from dealer.relay.server_calls import Server

PROG: Final = "arena connect"
_TOKEN: Final = re.compile(r"[!-~]{8,200}")
_NAME: Final = re.compile(r"[0-9A-Za-z_-]{1,40}")
_WORDS: Final = re.compile(".{0,160}")
_LOCAL_HOSTS: Final = ("127.0.0.1", "::1", "localhost")
_MOST_TOKEN_BYTES: Final = 1 << 12
_FOREVER: Final = "forever"
_ASSISTANT: Final = "mcp:"
"""In place of a bot: a language model plays."""


def _connect(options: argparse.Namespace) -> int:
    import asyncio

    from dealer.bots.program_files import program_digest
    from dealer.errors import MatchError, MatchUsageError
    from dealer.relay.relay import Relay, RelaySettings

    if options.command == [_ASSISTANT]:
        from dealer.relay.mcp_server import serve_assistant

        return serve_assistant(_server(options), _wish(options))
    try:
        bot = _participant(options.command, options.game)
        program_digest(bot, str(Path.cwd()), "")
    except MatchUsageError as error:
        raise WrongArguments(str(error)) from error
    except MatchError as error:
        _tell(str(error))
        return WRONG_ARGUMENTS
    server, wish = _server(options), _wish(options)
    folder = Path(options.folder or f"connect/{options.bot}")
    folder.mkdir(parents=True, exist_ok=True)
    settings = RelaySettings(options.matches, options.jobs, options.patience, folder)
    with asyncio.Runner() as runner:
        relay = Relay(server, wish, bot, settings, _say)
        return _run(runner, relay)


def _wish(options: argparse.Namespace) -> MatchWish:
    """Return what is asked for."""
    from dealer.relay.relay import MatchWish

    return MatchWish(
        options.bot,
        options.version,
        options.game,
        options.hands,
        None if options.against == "anyone" else options.against,
        options.pairs,
        options.rated,
        options.words,
    )


def _run(runner: asyncio.Runner, relay: Relay) -> int:
    """Run until all is played, or the second Ctrl-C; return the exit code."""
    import asyncio

    from dealer.relay.relay import RelayStopped

    loop, stop = runner.get_loop(), asyncio.Event()

    def end() -> None:
        tell(f"{PROG}: no more matches; Ctrl-C again leaves those that are being played")
        loop.call_soon_threadsafe(stop.set)

    with stop_on_signals(on_stop=end):  # before the runner takes Ctrl-C for itself
        try:
            return runner.run(relay.run(stop))
        except RelayStopped as stopped:
            _tell(printable(str(stopped)))
            return stopped.code


def _participant(command: list[str], game: str) -> Participant:
    """Return who plays.  Raises MatchUsageError, MatchError."""
    from dealer.bots.participants import (
        BotKind,
        check_game,
        parse_bots,
        possibly_shipped,
        shipped_bots,
    )
    from dealer.errors import MatchUsageError
    from protocol.gamedefs import builtin_aliases

    spec = command[0] if len(command) == 1 else shlex.join(command)
    names = possibly_shipped([spec])
    shipped = shipped_bots(names) if names else {}
    (bot,) = parse_bots([spec], shipped, Path.cwd())
    if bot.kind is BotKind.LISTEN:
        raise MatchUsageError("want a bot that can be started here")
    if game in builtin_aliases():
        check_game(bot, shipped, game, f"--game {game}")
    return bot


def _server(options: argparse.Namespace) -> Server:
    """Return the server.  Raises WrongArguments."""
    from dealer.relay.server_calls import Server, parse_url
    from dealer.web.tls import TlsFilesError, client_context

    try:
        address = parse_url(options.url)
    except ValueError as error:
        raise WrongArguments(f"URL: {error}") from error
    secure = address.scheme == "https"
    if not secure and (options.ca or options.cert or options.key):
        raise WrongArguments("--ca, --cert and --key are for https")
    if options.key and not options.cert:
        raise WrongArguments("--key goes with --cert")
    if not secure and address.host not in _LOCAL_HOSTS:
        _tell(f"http: whoever is on the way to {address.host} can read the token; https cannot be")
    try:
        context = client_context(options.ca, options.cert, options.key) if secure else None
    except TlsFilesError as error:
        raise WrongArguments(str(error)) from error
    return Server(address, _token(options.token_file), context)


def _token(path: Path) -> str:
    """Return the token in a file.  Raises WrongArguments."""
    try:
        with path.open("rb") as file:
            token = file.read(_MOST_TOKEN_BYTES).decode("ascii", "replace").strip()
    except OSError as error:
        raise WrongArguments(f"--token-file {path}: {error.strerror}") from error
    if not _TOKEN.fullmatch(token):
        raise WrongArguments(f"--token-file {path}: want the token alone in it")
    return token


def _say(line: str) -> None:
    say(printable(line))
    sys.stdout.flush()


def _tell(line: str) -> None:
    tell(f"{PROG}: {line}")


def _matches(text: str) -> int | None:
    return None if text == _FOREVER else count(text)


def _word(pattern: re.Pattern[str], wanted: str) -> Callable[[str], str]:
    """Return the type of texts that match a pattern."""

    def checked(text: str) -> str:
        if not (pattern.fullmatch(text) and text.isprintable()):
            raise argparse.ArgumentTypeError(f"want {wanted}")
        return text

    return checked


_SWITCH: Final[dict[str, Any]] = {"action": argparse.BooleanOptionalAction, "default": True}
COMMAND: Final = Command(
    PROG,
    _connect,
    "Play at a server that stays up, with a bot of this machine: ask for matches, take the seats "
    "that the server offers, and join each with a bot that is started here.",
    (
        Option("URL", "of the server: http://HOST:PORT or https://HOST"),
        Option(
            "COMMAND...",
            "the bot, behind --: any program to which HOST PORT are appended, stdio:PROGRAM, "
            "pokerbots:FOLDER, or a bot of arena agent --list with its options; or mcp: for a "
            "language model, to which tools of the Model Context Protocol are offered on standard "
            "input and output (docs/json.md)",
        ),
        OptionGroup(
            "who plays",
            (
                Option("--token-file FILE", "holds the account's token", Path, required=True),
                Option(
                    "--bot NAME",
                    "its name there",
                    _word(_NAME, "up to 40 letters, digits, _ and -"),
                    required=True,
                ),
                Option(
                    "--version V",
                    "a word for the state of the bot; results of different ones are never added up "
                    "(%(default)s)",
                    _word(re.compile(r"[!-~]{1,40}"), "up to 40 letters without blanks"),
                    "1",
                ),
            ),
        ),
        OptionGroup(
            "what is asked for",
            (
                Option("--game NAME", "(%(default)s)", default="hunl"),
                Option("--hands N", "of each leg (%(default)s)", count, 1000),
                Option(
                    "--against NAME",
                    "a bot; guest: a waiting bot of somebody else; anyone: whoever helps most to "
                    "rank this one (%(default)s)",
                    default="anyone",
                ),
                Option("--pairs", "play each deal from both seats, in two legs", **_SWITCH),
                Option("--rated", "count the match in the ranking", **_SWITCH),
                Option(
                    "--words TEXT",
                    "go into the deals, with random ones that are always added",
                    _word(_WORDS, "up to 160 printable characters"),
                    "",
                ),
                Option(
                    "--matches N", "one after the other; forever: until Ctrl-C (1)", _matches, 1
                ),
                Option("--jobs N", "matches at a time (%(default)s)", count, 1),
            ),
        ),
        OptionGroup(
            "the connection",
            (
                Option(
                    "--ca FILE", "certificates by which the server is known (the system's)", Path
                ),
                Option("--cert FILE", "the bot's own, where the server wants to see one", Path),
                Option("--key FILE", "of --cert (in the same file)", Path),
                Option(
                    "--patience S",
                    "seconds without the server after which it has gone (%(default)s)",
                    positive,
                    3600.0,
                ),
                Option("--folder DIR", "for what bots write (connect/NAME)"),
            ),
        ),
    ),
    "The connection may be lost at any time: it is made again, and matches go on.  Exit code: 0 "
    "all matches were played; 1 one was lost by the bot's own fault, or refused; 2 wrong "
    "arguments, or a server that they do not fit, as by its certificate; 3 the server could not be "
    "reached for too long; 4 the host may have chosen the cards of a match; 130 Ctrl-C.",
    usage="%(prog)s URL --token-file FILE --bot NAME [options] -- COMMAND [ARG...]",
)
main = COMMAND.main

if __name__ == "__main__":
    sys.exit(main())
