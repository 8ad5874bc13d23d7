"""`arena server [CONFIG]`: the server that stays up, until Ctrl-C or a polite kill.

Matches that are being played then are paused, and played on by the next server of the folder.
Exit codes: 0 stopped, 1 it cannot listen or its database is damaged, 2 wrong arguments or config,
or its folder is in use, 130 ended at once by a second Ctrl-C.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import re
import shlex
import socket
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from dealer.hub.errors import ServerError
from dealer.hub.tokens import NAME_PATTERN, new_token
from engine.console.arguments import listen_address, page_port, whole_number
from engine.console.command import Command, Option, WrongArguments
from engine.console.exit_codes import FAILED
from engine.console.output import say, tell

if TYPE_CHECKING:
    from dealer.hub.server_config import ServerConfig
    from dealer.hub.serving import ListeningSockets
    from dealer.hub.store import Account, Store

PROG: Final = "arena server"
OWNER: Final = "owner"
"""Name of the account that the first start makes."""
TOKEN_SUFFIX: Final = ".token"
_FOLDER: Final = "arena-server"
_HOST_NAME: Final = re.compile(r"[0-9A-Za-z_:][0-9A-Za-z_.:-]{0,250}")
_DAY_SECONDS: Final = 86_400.0
_NONE: Final = "none"
"""In place of a number: what an account has of its own is taken away."""
_QUOTAS: Final = ("matches_at_once", "hands_a_day", "hands_a_match")
_STOPPING_SECONDS: Final = 40.0
"""Matches of a server that was killed stop within this time."""
_FOLDER_OPTION: Final = Option(
    "--folder DIR", "where everything is kept (%(default)s)", Path, Path(_FOLDER)
)


def _serve(options: argparse.Namespace) -> int:
    from dealer.hub.server_config import SAMPLE_CONFIG, read_config
    from dealer.hub.serving import ListeningSockets, serve, tls_context
    from dealer.hub.store import Store

    if options.sample_config:
        say(SAMPLE_CONFIG.removesuffix("\n"))
        return 0
    # What tidies up behind a process that was ended at once is not to tell of it
    sys.warnoptions.append("ignore:resource_tracker:UserWarning")
    options.folder = options.folder.absolute()
    given = {"listen": options.listen, "port": options.port}
    given = {name: value for name, value in given.items() if value is not None}

    def read() -> ServerConfig:
        config = read_config(options.config, options.acpc, slumbot=options.slumbot)
        return replace(config, **given)

    config = read()
    if config.tls is not None:
        tls_context(config.tls)  # a fault is told before anything is made
    with contextlib.ExitStack() as undo:
        try:
            web = undo.enter_context(_listening(config.listen, config.port))
            acpc = None
            if config.acpc is not None:
                acpc = undo.enter_context(_listening(config.acpc.listen, config.acpc.port))
        except OSError as error:
            tell(f"{PROG}: {error}")
            return FAILED
        lock = undo.enter_context(_locked(options.folder))
        store = undo.enter_context(closing(Store(options.folder)))
        store.look_for_damage()
        token_file = _first_account(store, options.folder)
        sockets = ListeningSockets(web, acpc)
        _say_where(config, sockets, token_file)
        asyncio.run(serve(config, options.folder, store, sockets, lock, read, options.public))
    return 0


def _listening(address: str, port: int) -> socket.socket:
    """Return a listening socket.  Raises OSError, with a line that says all."""
    from dealer.web.server import listen_at

    try:
        return listen_at(address, port)
    except (OSError, UnicodeError) as error:  # UnicodeError: no name of a host
        number = getattr(error, "errno", None) or 0
        said = os.strerror(number) if number > 0 else getattr(error, "strerror", str(error))
        reason = said.partition(" (while ")[0]
        raise OSError(f"cannot listen on {address}:{port}: {reason}") from error


@contextmanager
def _locked(folder: Path) -> Iterator[int]:
    """Lock a folder; where a server has just left it, once its matches have stopped."""
    from engine.storage.locks import locked_folder

    try:
        with contextlib.suppress(BlockingIOError), locked_folder(folder) as lock:
            yield lock
            return
        tell(f"{PROG}: waiting for the matches of another server of {folder} to stop")
        with locked_folder(folder, _STOPPING_SECONDS) as lock:
            yield lock
    except BlockingIOError:
        raise ServerError(f"another server has the folder {folder}") from None


def _first_account(store: Store, folder: Path) -> Path:
    """Return the file of the owner's token; account and file are made at the first start."""
    path = folder / f"{OWNER}{TOKEN_SUFFIX}"
    if not store.accounts():
        token, kept = new_token(OWNER)
        write_token(path, token)
        store.add_account(OWNER, kept, time.time())
    return path


def write_token(path: Path, token: str) -> None:
    """Write a token into a new file that its owner alone can read.  Raises OSError."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with open(descriptor, "w", encoding="utf-8") as file:
        file.write(token + "\n")


def _say_where(config: ServerConfig, listening: ListeningSockets, token_file: Path) -> None:
    from dealer.hub.certificates import is_self_made

    host = _shown_host(config.listen)
    scheme = "http" if config.tls is None else "https"
    link = f"{scheme}://{f'[{host}]' if ':' in host else host}:{_port(listening.web)}/"
    say(f"The board: {link}")
    if token_file.exists():
        words = ["arena", "connect", link, "--token-file", str(token_file), "--bot", "my-bot"]
        if config.tls is not None and is_self_made(Path(config.tls.cert)):
            words += ["--ca", config.tls.cert]
        say(f"A bot:     {shlex.join(words)} -- ./my_bot")
    if config.acpc is not None and listening.acpc is not None:
        address = f"{_shown_host(config.acpc.listen)} {_port(listening.acpc)}"
        say(f"ACPC:      bm_widget {address} ./my_bot")
        for note in config.acpc.notes:
            tell(note)
    if config.slumbot is not None:
        say(f"Slumbot:   POST {link}api/new_hand plays {config.slumbot.bot}")
    say("Ctrl-C stops the server; matches that are being played go on at the next start.")
    sys.stdout.flush()


def _shown_host(address: str) -> str:
    return "127.0.0.1" if address in ("0.0.0.0", "::") else address


def _port(listening: socket.socket) -> int:
    port: int = listening.getsockname()[1]
    return port


# Accounts.


def _with_store(work: Callable[[argparse.Namespace, Store], int]) -> Callable[[Any], int]:
    """Return work on the store of a folder, which a server may have open meanwhile."""

    def with_store(options: argparse.Namespace) -> int:
        from dealer.hub.store import DATABASE_NAME, Store

        if not (options.folder / DATABASE_NAME).is_file():
            raise ServerError(f"{options.folder}: no server has begun here")
        with closing(Store(options.folder)) as store:
            return work(options, store)

    return with_store


def _user(options: argparse.Namespace, store: Store) -> int:
    name, now = options.name, time.time()
    if options.action == "list":
        for account in store.accounts() if name is None else [store.account(name)]:
            say(f"{account.name}  {', '.join(_facts(account, store, now))}")
        return 0
    if name is None:
        raise WrongArguments(f"{options.action}: whom?")
    if options.action == "add":
        if not NAME_PATTERN.fullmatch(name):
            raise WrongArguments("a name has up to 40 letters, digits, _ and -")
        token, kept = new_token(name)
        store.add_account(name, kept, now, **_quotas(options, now))
        _show_token(name, token)
    elif options.action == "token":
        token, kept = new_token(store.account(name).name)
        store.change_account(name, salt=kept.salt, hash=kept.hash, revoked=None)
        _show_token(name, token)
    elif options.action == "revoke":
        store.change_account(name, revoked=now)
        say(f"{name}: the token counts no more")
    else:
        changes = _quotas(options, now)
        if changes:
            store.change_account(name, **changes)
        account = store.account(name)
        for version in store.versions():
            if version.account == account.id and version.probation is not None:
                store.set_failures(version.bot, 0, None)
                say(f"{version.name} may play again")
        say(f"{account.name}: changed")
    return 0


def _facts(account: Account, store: Store, now: float) -> Iterator[str]:
    """Yield what there is to say of an account."""
    if account.revoked is not None:
        yield "revoked"
    elif account.expires is None:
        yield "open"
    else:
        day = time.strftime("%Y-%m-%d", time.gmtime(account.expires))
        yield f"open until {day}" if account.is_open(now) else f"expired on {day}"
    for name in _QUOTAS:
        if (quota := getattr(account, name)) is not None:
            yield f"{name.replace('_', ' ')}: {quota:,}"
    bots = {v.name: v.probation for v in store.versions() if v.account == account.id}
    for name, probation in sorted(bots.items()):
        yield f"{name} on probation" if probation is not None else name


def _quotas(options: argparse.Namespace, now: float) -> dict[str, Any]:
    """Return the columns that options change; None takes what an account had away."""
    given = {name: getattr(options, name) for name in _QUOTAS}
    if options.days is not None:
        given["expires"] = _NONE if options.days == _NONE else now + options.days * _DAY_SECONDS
    return {
        name: None if value == _NONE else value
        for name, value in given.items()
        if value is not None
    }


def _show_token(name: str, token: str) -> None:
    tell(f"The token of {name}; it is shown this once:")
    say(token)


def _back_up(options: argparse.Namespace, store: Store) -> int:
    if options.file.exists():
        raise WrongArguments(f"{options.file} exists")
    store.back_up(options.file)
    say(
        f"{options.file}: the database as it is now; match logs lie in {options.folder / 'matches'}"
    )
    return 0


def _check(options: argparse.Namespace, store: Store) -> int:
    from dealer.hub.checking import wrong_matches

    lines = store.check()
    if lines:  # what else it says is not to be relied on
        for line in lines:
            tell(line)
        return FAILED
    for line in wrong_matches(store, options.folder):
        lines.append(line)
        tell(line)
    matches = sum(store.match_counts().values())
    say(f"{matches:,} matches, {store.hands_played():,} hands: {len(lines)} faults")
    return FAILED if lines else 0


def _export(options: argparse.Namespace, store: Store) -> int:
    from dealer.hub.exporting import export_all

    store.look_for_damage()
    for path in export_all(store, options.folder, options.to):
        say(str(path))
    return 0


def _certify(options: argparse.Namespace) -> int:
    from dealer.hub.certificates import make_certificate

    if not _HOST_NAME.fullmatch(options.name):
        raise WrongArguments(f"{options.name}: want a host name or an IP address")
    certificate, key = make_certificate(options.name, options.to)
    say(f'[tls]\ncert = "{certificate}"\nkey = "{key}"')
    tell(f"Clients need {certificate.name}: arena connect --ca {certificate.name}")
    return 0


def _status(options: argparse.Namespace, store: Store) -> int:
    import json

    from dealer.hub.room_to_write import writing_fault
    from dealer.hub.store import CONFIG_FAULT, CONFIG_READ

    counts = store.match_counts()
    status = {
        "accounts": len(store.accounts()),
        "bots": len({version.bot for version in store.versions()}),
        "requests_waiting": len(store.waiting_requests()),
        "matches": counts,
        "hands": store.hands_played(),
    }
    paused = writing_fault(options.folder)
    notes = {name.replace(" ", "_"): store.noted(name) for name in (CONFIG_READ, CONFIG_FAULT)}
    if options.json:
        plain = {name: note and {"at": note[0], "text": note[1]} for name, note in notes.items()}
        say(json.dumps({**status, **plain, "paused": paused or None}, indent=2))
        return 0
    for name, value in status.items():
        shown = ", ".join(f"{count:,} {state}" for state, count in counts.items()) or "none"
        say(f"{name.replace('_', ' ')}: {shown if value is counts else f'{value:,}'}")
    for name, note in notes.items():
        if note is not None:
            when = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(note[0]))
            say(f"{name.replace('_', ' ')}: {', '.join(filter(None, (when, note[1])))}")
    if paused:
        say(f"no matches are begun, since nothing can be written: {paused}")
    return 0


def _up_to(most: int) -> Callable[[str], int | str]:
    """Return the type of whole numbers from 1 to `most`, and of the word that takes one away."""
    number = whole_number(1, most, f"{{}}: want a whole number from 1 to {most}, or {_NONE}")
    return lambda text: text if text == _NONE else number(text)


_DAYS: Final = _up_to(36_500)
_QUOTA: Final = _up_to(10**12 - 1)
_COMMAND: Final = Command(
    PROG,
    _serve,
    "Run a server that stays up: bots connect to it with `arena connect`, ask for matches against "
    "house bots and each other, and everybody sees the results on its board.",
    (
        Option(
            "[CONFIG]",
            "settings in TOML, see --sample-config; none are needed",
            Path,
            dest="config",
        ),
        _FOLDER_OPTION,
        Option("--port N", "TCP port (9380, or what CONFIG says); 0: any that is free", page_port),
        Option(
            "--listen ADDRESS",
            "whom others connect to (this machine alone, or what CONFIG says)",
            listen_address,
        ),
        Option(
            "--public DIR",
            "write the board as files, too, for any web server; renewed every half minute",
            Path,
        ),
        Option(
            "--acpc FILE",
            "also serve clients of the ACPC benchmark server, bm_widget and bm_run_matches; FILE "
            "is a config of that server's form: users, games, bots, port",
            Path,
        ),
        Option(
            "--slumbot",
            "also serve clients of slumbot.com, which play a house bot; see docs/slumbot.md",
        ),
        Option("--sample-config", "print a config with every setting, and end"),
    ),
    "Also: arena server user|status|cert|backup|check|export, each with --help.",
)
_USER: Final = Command(
    f"{PROG} user",
    _with_store(_user),
    "Look after accounts, also while the server runs: add NAME prints a token once, token NAME "
    "replaces it, revoke NAME ends it, set NAME changes quotas and takes its bots off probation, "
    "list shows all, or the one of NAME.",
    (
        Option(
            "ACTION",
            "add, token, revoke, set or list",
            dest="action",
            choices=("add", "token", "revoke", "set", "list"),
        ),
        Option("[NAME]", "of the account", dest="name"),
        Option("--days N", "from now on, after which its token counts no more; none: never", _DAYS),
        Option(
            "--matches-at-once N",
            "in place of the config's quota; none: the config's again",
            _QUOTA,
        ),
        Option("--hands-a-day N", "the same", _QUOTA),
        Option("--hands-a-match N", "the same, both legs of a pair together", _QUOTA),
        _FOLDER_OPTION,
    ),
)
_TABLE: Final = {
    "user": _USER,
    "status": Command(
        f"{PROG} status",
        _with_store(_status),
        "Say what the server of a folder has done and has to do.",
        (_FOLDER_OPTION, Option("--json", "as JSON")),
    ),
    "cert": Command(
        f"{PROG} cert",
        _certify,
        "Make a certificate for a server of one's own, by openssl, and print what a config needs.",
        (
            Option("NAME", "host name or IP address of the server"),
            Option("--to DIR", "where its files are made (here)", Path, Path()),
        ),
    ),
    "backup": Command(
        f"{PROG} backup",
        _with_store(_back_up),
        "Copy the database, of one moment, also while the server runs.",
        (Option("FILE", "to write", Path, dest="file"), _FOLDER_OPTION),
    ),
    "check": Command(
        f"{PROG} check",
        _with_store(_check),
        "Check the database, and that finished matches were counted and have the logs they had.",
        (_FOLDER_OPTION,),
    ),
    "export": Command(
        f"{PROG} export",
        _with_store(_export),
        "Write all accounts, bots and matches as CSV, and the logs of all matches that are over.",
        (Option("DIR", "a new folder", Path, dest="to"), _FOLDER_OPTION),
    ),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return the exit code."""
    arguments = sys.argv[1:] if argv is None else list(argv)
    if arguments and arguments[0] in _TABLE:
        return _TABLE[arguments[0]].main(arguments[1:])
    return _COMMAND.main(arguments)


if __name__ == "__main__":
    sys.exit(main())
