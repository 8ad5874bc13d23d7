"""Settings that change while the server runs: SIGHUP has its config read again.

What is being played is played on as it was begun.  A config with a fault changes nothing.
"""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any, Final

from dealer.hub.errors import ServerError
from dealer.hub.hub import Hub
from dealer.hub.server_config import ServerConfig, ServerLimits
from dealer.hub.store import CONFIG_FAULT, CONFIG_READ
from engine.console.output import tell

FIXED: Final = ("listen", "port", "hosts", "proxies")
"""Settings of a whole run of the server."""
FIXED_LIMITS: Final = ("processes", "connections", "address_connections", "address_rate")


def next_config(running: ServerConfig, wanted: ServerConfig) -> tuple[ServerConfig, list[str]]:
    """Return the settings from now on, and the names of those that wait for the next start."""
    kept: dict[str, Any] = {name: getattr(running, name) for name in FIXED}
    waiting = [name for name in FIXED if getattr(wanted, name) != kept[name]]
    if (running.acpc is None) != (wanted.acpc is None):
        waiting.append("acpc")
        kept["acpc"] = running.acpc
    elif running.acpc is not None and wanted.acpc is not None:
        listen, port = running.acpc.listen, running.acpc.port
        kept["acpc"] = replace(wanted.acpc, listen=listen, port=port)
        waiting += ["acpc"] * (kept["acpc"] != wanted.acpc)
    if (running.slumbot is None) != (wanted.slumbot is None):
        waiting.append("slumbot")
        kept["slumbot"] = running.slumbot
    if (running.tls is None) != (wanted.tls is None):
        waiting.append("tls")
        kept["tls"] = running.tls
    limits = {name: getattr(running.limits, name) for name in FIXED_LIMITS}
    waiting += [name for name in FIXED_LIMITS if getattr(wanted.limits, name) != limits[name]]
    return replace(wanted, **kept, limits=replace(wanted.limits, **limits)), waiting


def changed_settings(earlier: ServerConfig, later: ServerConfig) -> list[str]:
    """Return the names of the settings that differ; those of [limits] each by its own."""
    names = [
        part.name
        for part in fields(ServerConfig)
        if part.name != "limits" and getattr(earlier, part.name) != getattr(later, part.name)
    ]
    return names + [
        part.name
        for part in fields(ServerLimits)
        if getattr(earlier.limits, part.name) != getattr(later.limits, part.name)
    ]


class ConfigReloader:
    """Reads the config again whenever that is asked for."""

    def __init__(
        self,
        hub: Hub,
        read: Callable[[], ServerConfig],
        tls: Callable[[ServerConfig], Callable[[], None]],
        log: Callable[..., None],
        asked: asyncio.Event,
    ) -> None:
        """Note that the config was read.

        Args:
            read: returns the config as it is now; raises ServerError where it has a fault.
            tls: reads the files of TLS, and returns what takes them over; raises ServerError.
            log: takes an event, and what belongs to it by name.
            asked: is set by whoever wants the config to be read again.
        """
        self._hub = hub
        self._read = read
        self._tls = tls
        self._log = log
        self._asked = asked
        self._note(CONFIG_READ, "")

    async def run(self) -> None:
        """Read it whenever that is asked for, until this is cancelled."""
        while True:
            await self._asked.wait()
            self._asked.clear()
            try:
                await self._reload()
            except (ServerError, OSError) as error:
                self._log("config refused", detail=str(error))
                self._note(CONFIG_FAULT, str(error))
                tell(f"The config stays as it was: {error}")

    async def _reload(self) -> None:
        """Take over what can be.  Raises ServerError, OSError: nothing was."""
        running = self._hub.state.config
        config, waiting = next_config(running, await asyncio.to_thread(self._read))
        changed = changed_settings(running, config)
        renew = self._tls(config)
        self._hub.configure(config)
        renew()
        self._log("config read", changed=changed, at_the_next_start=waiting)
        self._note(CONFIG_READ, "")
        tell(f"The config was read; changed: {', '.join(changed) or 'nothing'}.")
        if waiting:
            tell(f"These settings change at the next start: {', '.join(waiting)}.")

    def _note(self, name: str, text: str) -> None:
        store = self._hub.state.store
        try:
            store.note(name, time.time(), text)
            if name == CONFIG_READ:
                store.forget_note(CONFIG_FAULT)
        except ServerError as error:
            self._hub.complain(error)


def hear_hangup(reload: Callable[[], None], stop: Callable[[], None]) -> None:
    """Have SIGHUP call `reload`; or `stop` where it says that the terminal has gone away.

    Under nohup, and without a terminal, as a service, nothing but `reload` is called.
    """
    watched = signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN and _has_terminal()

    def hear() -> None:
        if watched and not _has_terminal():
            stop()
        else:
            reload()

    asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, hear)


def _has_terminal() -> bool:
    try:
        os.close(os.open("/dev/tty", os.O_RDONLY | os.O_NOCTTY))
    except OSError:
        return False
    return True
