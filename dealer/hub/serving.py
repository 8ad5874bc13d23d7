"""The server's parts put together on one loop: hub, hosts, site, TLS, files for others."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import ipaddress
import os
import signal
import socket
import ssl
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from dealer.hub.acpc_door import AcpcDoor
from dealer.hub.errors import ServerError
from dealer.hub.hosts import MatchHosts
from dealer.hub.http_door import HubSite
from dealer.hub.hub import Hub
from dealer.hub.match_results import CountingProcess
from dealer.hub.public_files import PublicFiles
from dealer.hub.reloading import ConfigReloader, hear_hangup
from dealer.hub.server_config import ServerConfig, TlsFiles
from dealer.hub.server_log import ServerLog
from dealer.hub.slumbot_door import SLUMBOT_HOSTS, SLUMBOT_PATHS
from dealer.hub.store import Store
from dealer.web.clients import ClientLimits
from dealer.web.guard import BearerGuard
from dealer.web.http_responses import Response, json_response_to
from dealer.web.router import read_pages, serve_site
from dealer.web.server import WebLimits
from dealer.web.tls import TlsFilesError, TlsFront, server_context
from engine.console.exit_codes import INTERRUPTED
from engine.console.output import tell
from engine.parallel.own_programs import PACKAGES_FOLDER

LOG_NAME: Final = "server.jsonl"
HOUSE_FOLDER: Final = "house"
_PACKAGES: Final = ("protocol", "engine", "dealer", "agents")
_COMPILED: Final = (".pyc", ".nbi", ".nbc")
_BURST_SECONDS: Final = 5
_PAGES: Final = ("board/", "shared/", "results/results.css", "replay.html", "replay/")


class ListeningSockets(NamedTuple):
    """Where clients connect."""

    web: socket.socket
    acpc: socket.socket | None = None
    """Of the door that `ServerConfig.acpc` is about."""


async def serve(
    config: ServerConfig,
    folder: Path,
    store: Store,
    listening: ListeningSockets,
    lock: int,
    read: Callable[[], ServerConfig],
    public: Path | None = None,
) -> None:
    """Serve until SIGINT or SIGTERM comes; the second one ends the process.

    Args:
        folder: of the server.
        lock: the folder, open and locked.
        read: returns the config as it is by then, at SIGHUP; may raise ServerError.
        public: where the board is written as files; None: nowhere.

    Raises:
        ServerError: the files of TLS cannot be used.
        OSError: a file cannot be written.
    """
    stop, reload = asyncio.Event(), asyncio.Event()
    hear_hangup(reload.set, stop.set)
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, _stop, stop, store)
    async with contextlib.AsyncExitStack() as undo:
        front = _tls_front(config)
        if front is not None:
            undo.push_async_callback(front.close)
        log = undo.enter_context(closing(ServerLog(folder / LOG_NAME)))
        processes = config.limits.processes or len(os.sched_getaffinity(0))
        log.tell("start", port=listening.web.getsockname()[1], processes=processes)
        hub = Hub(config, folder, store, log.tell, programs_digest())
        pages = _pages()
        if public is not None:
            keeping = asyncio.create_task(PublicFiles(hub.state, pages, public).keep(log.error))
            undo.callback(keeping.cancel)
        names = {"127.0.0.1", "localhost", "::1", config.listen, *config.hosts}
        everybody: tuple[str, ...] = ()
        if config.slumbot is not None:
            names.update(SLUMBOT_HOSTS)
            everybody = SLUMBOT_PATHS
        reloader = ConfigReloader(hub, read, partial(_next_tls, front), log.tell, reload)
        reloading = asyncio.create_task(reloader.run())
        undo.callback(reloading.cancel)
        counting = undo.enter_context(CountingProcess())
        hosts = MatchHosts(processes, folder / HOUSE_FOLDER, hub.hear, lock)
        doors = [
            serve_site(
                HubSite(hub, BearerGuard(names, everybody), pages),
                listening.web,
                stop,
                log.error,
                limits=_web_limits(config),
                front=front,
                refuse=json_response_to,
            )
        ]
        if listening.acpc is not None:
            doors.append(AcpcDoor(hub, log.tell).serve(listening.acpc, stop))
        await asyncio.gather(*doors, hub.run(stop, hosts, counting))
        log.tell("stop")


def _stop(stop: asyncio.Event, store: Store) -> None:
    """Say what stops; the second time end at once, since all that counts is on the disk."""
    if stop.is_set():
        os._exit(INTERRUPTED)
    stop.set()
    running = 0
    with contextlib.suppress(ServerError):
        running = len(store.matches("running"))
    noun = "match is" if running == 1 else "matches are"
    paused = f": {running} {noun} paused until the next start" if running else ""
    tell(f"Stopping{paused}; Ctrl-C again ends at once, and loses nothing either.")


def _tls_front(config: ServerConfig) -> TlsFront | None:
    return None if config.tls is None else TlsFront(tls_context(config.tls))


def tls_context(files: TlsFiles) -> ssl.SSLContext:
    """Return what TLS needs of files.  Raises ServerError: they cannot be used."""
    clients = Path(files.clients) if files.clients else None
    try:
        return server_context(Path(files.cert), Path(files.key), clients)
    except TlsFilesError as error:
        raise ServerError(str(error)) from error


def _next_tls(front: TlsFront | None, config: ServerConfig) -> Callable[[], None]:
    """Return what takes the files of TLS over as they are now.  Raises ServerError."""
    if front is None or config.tls is None:
        return lambda: None
    return partial(front.renew, tls_context(config.tls))


def _pages() -> dict[str, Response]:
    """Return the pages of the board; the one named "" is shown first."""
    pages = read_pages()
    shown = {name: page for name, page in pages.items() if name.startswith(_PAGES)}
    return {"": pages["board.html"], **shown}


def _web_limits(config: ServerConfig) -> WebLimits:
    limits = config.limits
    proxies = tuple(map(ipaddress.ip_network, config.proxies))
    rate = limits.address_rate
    client = ClientLimits(limits.address_connections, rate, rate * _BURST_SECONDS, proxies)
    patient = () if config.slumbot is None else tuple(f"/{path}" for path in SLUMBOT_PATHS)
    return WebLimits(limits.connections, client=client, patient=patient)


def programs_digest() -> str:
    """Return a digest of all that shipped bots consist of: programs and models."""
    digest = hashlib.sha256()
    for package in _PACKAGES:
        for path in sorted((PACKAGES_FOLDER / package).rglob("*")):
            if path.is_file() and path.suffix not in _COMPILED:
                name = path.relative_to(PACKAGES_FOLDER)
                digest.update(f"{name}\0".encode() + path.read_bytes())
    return digest.hexdigest()
