"""AIVAT of matches against house bots that tell their strategy, after the match, one by one.

A match has its result as soon as it is over; this estimator comes later, since it takes hundredths
of a second a hand.  The program `arena aivat` computes it, at a low priority and with a limit on
its CPU time and memory.  What is not done when the server stops is done by the next one.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shlex
import signal
import tempfile
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from dealer.bots.participants import BotKind
from dealer.hub.errors import ServerError
from dealer.hub.stored_results import stored_result
from dealer.ratings.aivat_options import AIVAT_PROGRAM
from engine.parallel.own_programs import bare_environment

if TYPE_CHECKING:
    from dealer.hub.hub_state import HubState
    from dealer.hub.store import BotVersion, StoredMatch

PENDING: Final = {"state": "pending", "reason": ""}
"""Of a result that AIVAT is still to be added to."""
_LIMITED: Final = 'ulimit -v "$1" && ulimit -S -t "$2" && shift 2 && exec nice -n 10 "$@"'
_MEMORY_KB: Final = 4 << 20
_CHECK_SECONDS: Final = 120
_WALL_FACTOR: Final = 20
"""Where others want the cores, a program of low priority takes so much longer."""
_OUT_OF_TIME: Final = -signal.SIGXCPU


class NoAivat(Exception):
    """There are no estimates of a match; the text says why, to everybody."""


class AivatQueue:
    """The matches whose AIVAT is still to be computed."""

    def __init__(
        self,
        state: HubState,
        count: Callable[[StoredMatch, str], Awaitable[dict[str, Any]]],
        counted: Callable[[int], None],
        log: Callable[..., None],
    ) -> None:
        """Compute nothing yet.

        Args:
            count: returns the result of a match, with the estimates in a file of `arena aivat`.
            counted: takes the number of a match whose result is another one now.
            log: takes an event, and what belongs to it by name.
        """
        self._state = state
        self._count = count
        self._counted = counted
        self._log = log
        self._matches: deque[int] = deque()
        self._added = asyncio.Event()
        self._refusals: dict[str, str] = {}
        """Words of a bot -> why AIVAT cannot take its strategy, "" where it can."""

    def outlook(self, record: StoredMatch) -> dict[str, str] | None:
        """Return what a first result says of AIVAT, None for matches that it is not for."""
        computes = self._state.config.limits.aivat_seconds > 0
        if not computes or self._house(record) is None:
            return None
        return dict(PENDING) if self._state.game(record.game).is_holdem else None

    def add(self, number: int) -> None:
        """Compute AIVAT of a match whose stored result says that it is pending."""
        self._matches.append(number)
        self._added.set()

    async def run(self) -> None:
        """Compute what there is and what comes, until this is cancelled."""
        for number in self._state.store.aivat_pending():
            self.add(number)
        while True:
            await self._added.wait()
            self._added.clear()
            while self._matches:
                number = self._matches.popleft()
                try:
                    await self._add_to(self._state.store.match(number))
                except ServerError as error:  # it is pending still, and the next start tries again
                    self._log("not stored", match=number, detail=str(error))

    def _house(self, record: StoredMatch) -> BotVersion | None:
        """Return the house bot of a match of two."""
        if record.third is not None:
            return None
        versions = map(self._state.version, record.versions)
        return next((version for version in versions if version.account is None), None)

    async def _add_to(self, record: StoredMatch) -> None:
        try:
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "hands.csv"
                facts = await self._estimate(record, path)
                result = {**await self._count(record, str(path)), "aivat": facts}
        except Exception as error:  # the match has its other estimators
            self._log("no AIVAT", match=record.id, detail=str(error))
            result = stored_result(record) or {}
            ours = isinstance(error, NoAivat)
            result["aivat"] = _without(str(error) if ours else "its hands could not be estimated")
        self._state.store.set_result(record.id, result)
        self._counted(record.id)

    async def _estimate(self, record: StoredMatch, path: Path) -> dict[str, str]:
        """Write the estimates of a match into a file.  Raises NoAivat."""
        house = self._house(record)
        assert house is not None
        offered = self._state.offers.get(house.id)
        if offered is None:
            raise NoAivat(f"{house.name} is another bot by now")
        if offered.bot.kind is not BotKind.SHIPPED:
            raise NoAivat(f"{house.name} tells no strategy")
        bot = shlex.join(offered.bot.words)
        known = ("--known", f"{house.name}={bot}")
        folder = offered.bot.directory or str(self._state.folder)
        if bot not in self._refusals:
            code, line = await _run(["check", "--as-played", *known], folder, _CHECK_SECONDS)
            self._refusals[bot] = line if code else ""
        if refusal := self._refusals[bot]:
            self._log("no strategy", bot=house.name, detail=refusal)
            raise NoAivat(f"{house.name} tells no strategy by which it plays")
        logs = map(str, self._state.leg_logs(record))
        game = str(self._state.game_file(record.game))
        options = ("--unknown", *known, "--game", game, "--jobs", "1", "--out", str(path))
        seconds = self._state.config.limits.aivat_seconds
        code, line = await _run(["hands", *logs, *options], folder, seconds)
        if code == _OUT_OF_TIME:
            raise NoAivat(f"it took longer than {seconds:,} seconds")
        if code:
            self._log("no estimates", match=record.id, detail=line)
            raise NoAivat("its hands could not be estimated")
        return {"state": "counted", "known": house.name}


def _without(reason: str) -> dict[str, str]:
    return {"state": "none", "reason": reason}


async def _run(arguments: Sequence[str], folder: str, seconds: int) -> tuple[int, str]:
    """Run `arena aivat`; return its exit code and its last line.

    Args:
        seconds: of CPU time that it may take.
    """
    process = await asyncio.create_subprocess_exec(
        *("/bin/sh", "-c", _LIMITED, "sh", str(_MEMORY_KB), str(seconds)),
        *(*AIVAT_PROGRAM, *arguments),
        cwd=folder,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
        env=bare_environment(),
        start_new_session=True,
    )
    try:
        async with asyncio.timeout(seconds * _WALL_FACTOR):
            _, text = await process.communicate()
    except TimeoutError:
        return _OUT_OF_TIME, ""
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    assert process.returncode is not None
    lines = text.decode("utf-8", "backslashreplace").strip().splitlines()
    return process.returncode, lines[-1] if lines else ""
