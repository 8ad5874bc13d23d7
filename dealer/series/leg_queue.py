"""The queue of legs: which comes next, and what is written down of those that are over.

`run_queue` plays them, several at a time, until all are played or the user stops it.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, ExitStack, asynccontextmanager
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Final, TypeAlias

from dealer.bots.participants import BotKind, Participant
from dealer.bots.processes import ProcessLauncher
from dealer.bots.program_files import FileWatch
from dealer.errors import FolderInUse, MatchError
from dealer.series.folder import PAIRINGS_NAME, locked, prepare_folder, settle_folder
from dealer.series.given_deals import DEALS_NAME
from dealer.series.ledger import LegEntry, TournamentLedger, digest_of_log
from dealer.series.leg import play_leg
from dealer.series.leg_settings import LegSettings
from dealer.series.logs import MatchLogs
from dealer.series.manifest import MANIFEST_NAME, Manifest, differences, read_manifest
from dealer.series.outcome import (
    LegOutcome,
    finished_leg,
    hands_in,
    is_complete,
    read_summary,
    words_of,
)
from dealer.series.schedule import Leg, Pairing
from dealer.server.endings import Ending
from engine.console.stopping import STOP_SIGNALS
from engine.parallel.cores import CAN_PIN, core_count, usable_cores
from protocol.gamedef import GameDef


class LegQueue(ABC):
    """Legs that are to be played; what comes next may depend on how others ended."""

    def __init__(self) -> None:
        self.outcomes: dict[str, LegOutcome] = {}
        """How legs ended, by name."""
        self._next: Iterator[Leg] = iter(())
        self._given_back: list[Leg] = []
        self._files = FileWatch()

    @property
    def refused(self) -> LegOutcome | None:
        """The leg of a shipped bot that does not accept its options, if there is one."""
        return next((one for one in self.outcomes.values() if one.refused), None)

    @abstractmethod
    def _more(self) -> Iterator[Leg]:
        """Return legs that can be played, asked for when all were taken."""

    @abstractmethod
    def _begin(self, leg: Leg) -> LegSettings:
        """Return how to play a leg, which is about to begin."""

    def put(self, outcome: LegOutcome) -> None:
        """Take notice of how a leg ended."""
        self.outcomes[outcome.leg.name] = outcome

    def take(self) -> tuple[LegSettings, Leg] | None:
        """Return the next leg, None where none can be played before another one ends.

        Raises:
            MatchError: its folder cannot be used, or the file of a bot has changed.
        """
        leg = self._given_back.pop(0) if self._given_back else next(self._next, None)
        if leg is None:
            self._next = self._more()
            leg = next(self._next, None)
        if leg is None:
            return None
        settings = self._begin(leg)
        self._files.check(settings.manifest.bots, settings.manifest.working_directory)
        return settings, leg

    def give_back(self, leg: Leg) -> None:
        """Take a leg back that could not be played to an end; somebody else is to play it next."""
        self._given_back.append(leg)


class HostLost(Exception):
    """Another host that was to play a leg is gone; the leg is to be given back."""


PlayLeg: TypeAlias = Callable[[LegSettings, Leg, asyncio.Event], Awaitable[LegOutcome]]
"""Plays a leg to its end, or until the event is set.  Raises HostLost."""
Recruit: TypeAlias = Callable[[PlayLeg], None]
"""Lets somebody play one leg after the other, until there is none left or it raises HostLost."""
Recruiting: TypeAlias = Callable[[Recruit], AbstractAsyncContextManager[None]]
"""Within, other hosts come to play legs, and go."""


async def run_queue(
    queue: LegQueue,
    *,
    jobs: int,
    cores: Sequence[int] = (),
    recruiting: Recruiting | None = None,
    watch: Callable[[], bool | None] | None = None,
    watch_seconds: float = 1.0,
) -> None:
    """Play the legs of a queue, at most `jobs` at once.

    The first SIGINT, SIGTERM or SIGHUP stops the dealers in good order; legs whose turn had not
    come are left out.  So does a shipped bot that does not accept its options.  No process is left
    when this returns or raises.

    Args:
        cores: processor cores; the jobs share them out.  Empty: no pinning.
        recruiting: brings those who play legs beside the jobs.
        watch: called every `watch_seconds` while legs are being played, and once at the end; where
            it says True, all legs are stopped.
        watch_seconds: see `watch`.

    Raises:
        MatchError: of the queue, or of `watch`.
    """
    stop = asyncio.Event()
    changed = asyncio.Condition()
    playing = 0
    workers: set[asyncio.Task[None]] = set()

    async def work(play: PlayLeg) -> None:
        nonlocal playing
        while not stop.is_set():
            task = queue.take()
            if task is None:
                if not playing:
                    return
                async with changed:
                    await changed.wait()
                continue
            playing += 1
            lost = False
            try:
                outcome = await play(*task, stop)
                queue.put(outcome)
                if outcome.refused:
                    stop.set()
            except HostLost:
                queue.give_back(task[1])
                lost = True
            playing -= 1
            async with changed:
                changed.notify_all()
            if lost:
                return

    def on_core(core: int | None, launcher: ProcessLauncher) -> PlayLeg:
        return lambda settings, leg, stop: play_leg(settings, leg, launcher, stop, core)

    try:
        async with (
            stopped_by_signals(stop),
            ProcessLauncher() as launcher,
            contextlib.AsyncExitStack() as others,
            asyncio.TaskGroup() as group,
        ):

            def recruit(play: PlayLeg) -> None:
                workers.add(group.create_task(work(play)))

            for job in range(jobs):
                recruit(on_core(cores[job % len(cores)] if cores else None, launcher))
            if recruiting is not None:
                await others.enter_async_context(recruiting(recruit))
            while workers:
                done, _ = await asyncio.wait(workers, timeout=watch_seconds)
                workers -= done
                if watch is not None and watch():
                    stop.set()
    except BaseExceptionGroup as errors:
        raise next(_of_matches(errors), errors) from None


def _of_matches(error: BaseException) -> Iterator[MatchError]:
    """Yield what is meant for the user among errors that came together."""
    if isinstance(error, MatchError):
        yield error
    elif isinstance(error, BaseExceptionGroup):
        for one in error.exceptions:
            yield from _of_matches(one)


class LegsInTurn(LegQueue):
    """The legs of a match, one after the other."""

    def __init__(
        self,
        settings: LegSettings,
        legs: Sequence[Leg],
        longer: Callable[[], Sequence[Leg]] = lambda: (),
    ) -> None:
        """Begin with the legs that are left.

        Args:
            legs: all legs, also those that are over.
            longer: asked for more legs when all were taken, as long as none has failed; none: the
                match is over.
        """
        super().__init__()
        self._settings = settings
        self._longer = longer
        done = [finished_leg(settings.manifest, settings.folder, leg) for leg in legs]
        self.outcomes = {one.leg.name: one for one in done if one is not None}
        left = [leg for leg in legs if leg.name not in self.outcomes]
        self.left: Final = len(left)
        """How many legs were left at the start."""
        self._next = iter(left)

    def ended(self, leg: Leg) -> LegOutcome:
        """Return how a leg ended, also where its turn did not come."""
        if (outcome := self.outcomes.get(leg.name)) is not None:
            return outcome
        hands = hands_in(self._settings.folder / f"{leg.name}.log")
        detail = f"not resumed after {hands:,} hands" if hands else "not begun"
        return LegOutcome(leg, Ending.INTERRUPTED, detail)

    def _more(self) -> Iterator[Leg]:
        failed = any(one.ending is not Ending.FINISHED for one in self.outcomes.values())
        return iter(() if failed else self._longer())

    def _begin(self, leg: Leg) -> LegSettings:
        return self._settings


def shared_cores(
    bots: Sequence[Participant], *, at_once: int, wanted: bool | None
) -> tuple[int, ...]:
    """Return the cores that the jobs of a match are kept on, none where the system places them.

    A leg is a chain of short messages, and fastest on a core of its own.  But a match that leaves
    cores free must not crowd another one that was started beside it, and programs of others may
    think with many threads; so, unless the user decides, only shipped bots that take all cores are
    kept in their places.

    Args:
        wanted: what the user said, None for nothing.
    """
    if wanted is None:
        shipped = all(bot.kind is BotKind.SHIPPED for bot in bots)
        wanted = CAN_PIN and shipped and at_once >= core_count()
    return tuple(usable_cores()) if wanted else ()


@asynccontextmanager
async def stopped_by_signals(stop: asyncio.Event) -> AsyncIterator[None]:
    """Within, signals set `stop`; those that are ignored, as SIGHUP under nohup, stay so."""
    loop = asyncio.get_running_loop()
    heard = [number for number in STOP_SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]
    for number in heard:
        loop.add_signal_handler(number, stop.set)
    try:
        yield
    finally:
        for number in heard:
            loop.remove_signal_handler(number)


FORFEITS: Final = (
    Ending.TIMEOUT,
    Ending.DISCONNECT,
    Ending.MALFORMED,
    Ending.ILLEGAL,
    Ending.CRASH,
)


Longer: TypeAlias = Callable[["TournamentQueue"], Mapping[Pairing, int]]
"""Says which pairings are to play on, and how many rounds in all; none: it is over."""


class TournamentQueue(LegQueue):
    """Hands out legs, and enters those that are over into the ledger."""

    def __init__(
        self,
        tournament: Manifest,
        game: GameDef,
        folder: Path,
        ledger: TournamentLedger,
        settings: Callable[[Manifest, Path, int], LegSettings],
        *,
        retry: bool = False,
        longer: Longer | None = None,
    ) -> None:
        """Begin with what the ledger says.

        Args:
            settings: makes what all legs of a match share, of its folder and the lock of that.
            retry: play legs again that a bot forfeited.
            longer: asked whenever all legs are over; None: then the tournament is.
        """
        super().__init__()
        self.tournament = tournament
        self.ledger = ledger
        self.game = game
        self._folder = folder
        self._settings = settings
        self._retry = retry
        self._longer = longer
        self._matches: dict[Pairing, MatchLogs] = {}
        self._ready: dict[Pairing, tuple[LegSettings, ExitStack]] = {}
        """Pairings in play, with the locks of their folders."""
        self._begun: set[Pairing] = set()
        self._pairing_of: dict[str, Pairing] = {}
        """By name of a leg that was handed out."""
        self._forfeits: dict[str, LegOutcome] = {}
        """Legs forfeited since this queue was made, by name."""
        self._playing: set[str] = set()
        """Names of the legs in play."""

    def close(self) -> None:
        """Unlock the folders of pairings that are still in play, as after an error."""
        while self._ready:
            _, (_, lock) = self._ready.popitem()
            lock.close()

    def pairings(self) -> list[Pairing]:
        """Return all pairings known so far."""
        return self.tournament.pairings(self.winner)

    def match(self, pairing: Pairing) -> MatchLogs:
        """Return the match of a pairing."""
        if pairing not in self._matches:
            folder = self._folder / PAIRINGS_NAME / self.tournament.pairing_name(pairing)
            manifest = replace(self.tournament.match(pairing), runs=self.rounds(pairing))
            self._matches[pairing] = MatchLogs(manifest, self.game, folder)
        return self._matches[pairing]

    def rounds(self, pairing: Pairing) -> int:
        """Return how many rounds a pairing plays: those of all, or more that decide places."""
        longer = self.ledger.rounds.get(self.tournament.pairing_name(pairing), 0)
        return max(self.tournament.runs, longer)

    @property
    def extra_rounds(self) -> int:
        """Rounds that pairings play beyond those of all, together."""
        base = self.tournament.runs
        return sum(max(rounds - base, 0) for rounds in self.ledger.rounds.values())

    @property
    def extra_hands(self) -> int:
        """Hands of such rounds that are over."""
        first, entries = self.tournament.runs * self.tournament.players, self.ledger.entries
        legs = (leg for pairing in self.pairings() for leg in self.match(pairing).legs[first:])
        return sum(entries[leg.name].hands for leg in legs if leg.name in entries)

    @property
    def leg_count(self) -> int:
        """Legs that there will be."""
        return self.tournament.leg_count + self.extra_rounds * self.tournament.players

    @property
    def hands(self) -> int:
        """Hands read so far."""
        return sum(match.hands for match in self._matches.values())

    @property
    def hands_planned(self) -> int:
        """Hands that there will be."""
        return self.leg_count * self.tournament.hands

    def read_new(self) -> int:
        """Read what the dealers have added; return how many hands.

        Raises:
            MatchError: a log cannot be read.
        """
        return sum(self.match(pairing).read_new() for pairing in self._ready)

    def standing(self) -> str:
        """Return how many legs are over."""
        return f"{len(self.ledger.entries):,}/{self.leg_count:,} legs over"

    def entries(self, match: MatchLogs) -> list[LegEntry]:
        """Return what the ledger has of a pairing's legs, in their order."""
        known = self.ledger.entries
        return [known[leg.name] for leg in match.legs if leg.name in known]

    def cause(self, entry: LegEntry) -> tuple[str, tuple[str, ...]]:
        """Return why a leg was forfeited, and the last lines that its bot wrote to stderr.

        Of a leg of an earlier run there are only the dealer's words, "" where they are lost.
        """
        outcome = self._forfeits.get(entry.leg)
        if outcome is not None:
            return outcome.detail, outcome.stderr
        path = self._folder / PAIRINGS_NAME / entry.pairing / f"{entry.leg}.end.json"
        summary = read_summary(path)
        known = summary is not None and summary["ending"] == entry.ending.value
        return words_of(summary) if summary is not None and known else "", ()

    def winner(self, pairing: Pairing) -> int | None:
        """Return who won a pairing, None while it is not over.

        The bot that forfeited fewest legs; of equals the one that won most chips in the duplicate
        sets, then in all hands. If all that is equal, the one seeded highest wins.
        """
        match = self.match(pairing)
        entries = self.entries(match)
        if len(entries) < len(match.legs):
            return None
        match.read_new()

        def success(place: int) -> tuple[float, ...]:
            return (
                -sum(entry.bot == match.labels[place] for entry in entries),
                match.running_sets(place).mbb_per_hand,
                match.running_rate(place).mbb_per_hand,
            )

        return pairing.bots[max(range(len(pairing.bots)), key=success)]

    def put(self, outcome: LegOutcome) -> None:
        """Enter a leg that is over into the ledger; of others keep how they ended."""
        self._enter(self.match(self._pairing_of[outcome.leg.name]), outcome)
        self._rest(outcome.leg)

    def give_back(self, leg: Leg) -> None:
        """Take a leg back, to be played before all others."""
        super().give_back(leg)
        self._rest(leg)

    def _more(self) -> Iterator[Leg]:
        new = [one for one in self.pairings() if one not in self._begun]
        self._begun.update(new)
        legs = self._waiting(new)
        if (first := next(legs, None)) is not None:
            return chain([first], legs)
        return self._waiting(self._made_longer())

    def _made_longer(self) -> list[Pairing]:
        """Let pairings play more rounds once nothing else is left; return them."""
        if self._longer is None or self._playing or self.outcomes:
            return []
        rounds = self._longer(self)
        if rounds:
            names = self.tournament.pairing_name
            self.ledger.make_longer({names(one): count for one, count in rounds.items()})
        for pairing, count in rounds.items():
            match = self.match(pairing)
            match.extend(replace(match.manifest, runs=count))
        return [*rounds]

    def _begin(self, leg: Leg) -> LegSettings:
        """Make the folder of its pairing ready and lock it, as long as a leg of it is in play."""
        pairing = self._pairing_of[leg.name]
        if pairing not in self._ready:
            match, lock = self.match(pairing), ExitStack()
            settings = self._settings(match.manifest, match.folder, self._open(match, lock))
            self._ready[pairing] = settings, lock
        self._playing.add(leg.name)
        if leg.name in self.ledger.entries:
            self.ledger.play_again(leg.name)
        return self._ready[pairing][0]

    def _rest(self, leg: Leg) -> None:
        """Unlock the folder of a pairing of which no leg is in play."""
        self._playing.remove(leg.name)
        pairing = self._pairing_of[leg.name]
        if all(self._pairing_of[name] != pairing for name in self._playing):
            _, lock = self._ready.pop(pairing)
            lock.close()

    def _waiting(self, pairings: list[Pairing]) -> Iterator[Leg]:
        """Yield the legs that are left, deal by deal: the first run of all pairings comes first."""
        seatings = self.tournament.players
        for run in range(max(map(self.rounds, pairings), default=0)):
            for pairing in pairings:
                match = self.match(pairing)
                for leg in match.legs[seatings * run : seatings * (run + 1)]:
                    if self._is_left(match, leg):
                        self._pairing_of[leg.name] = pairing
                        yield leg

    def _is_left(self, match: MatchLogs, leg: Leg) -> bool:
        entry = self.ledger.entries.get(leg.name)
        if entry is not None:
            return entry.forfeited and self._retry
        done = finished_leg(match.manifest, match.folder, leg)
        if done is not None:  # killed before it could be written down
            self._enter(match, done)
        return done is None

    def _enter(self, match: MatchLogs, outcome: LegOutcome) -> None:
        leg = outcome.leg
        forfeited = outcome.bot is not None and outcome.ending in FORFEITS
        if outcome.refused or not (forfeited or outcome.ending is Ending.FINISHED):
            super().put(outcome)
            return
        self.outcomes.pop(leg.name, None)
        log = match.logs[match.legs.index(leg)]
        bot = outcome.bot if forfeited else None
        if forfeited:
            self._forfeits[leg.name] = outcome
        self.ledger.add(_entry(match, leg, outcome.ending, bot, digest_of_log(log.path)))

    def _open(self, match: MatchLogs, lock: ExitStack) -> int:
        folder, manifest = match.folder, match.manifest
        if not (folder / MANIFEST_NAME).exists():
            deals = self._folder / DEALS_NAME
            prepare_folder(folder, manifest, force=False, deals=deals, link=True)
        before = read_manifest(folder)
        if different := differences(before, manifest):
            raise FolderInUse(f"{folder} holds another match: {'; '.join(different)}")
        lock_fd = lock.enter_context(locked(folder))
        settle_folder(folder, before, manifest)
        return lock_fd


def check_ledger(queue: TournamentQueue) -> None:
    """Refuse a ledger that names unknown legs, or logs that are no longer those it was made from.

    Raises:
        MatchError: with the first of them.
    """
    known = dict(queue.ledger.entries)
    names = [*map(queue.tournament.pairing_name, queue.pairings())]
    if strange := next((name for name in queue.ledger.rounds if name not in names), None):
        raise MatchError(f"{queue.ledger.path}: {strange} is no pairing of this tournament")
    for pairing in queue.pairings():
        match = queue.match(pairing)
        for leg, log in zip(match.legs, match.logs, strict=True):
            entry = known.pop(leg.name, None)
            if entry is None:
                continue
            if digest_of_log(log.path) != entry.sha256:
                raise MatchError(f"{log.path} is not the log that {queue.ledger.path} tells of")
            played = _entry(match, leg, entry.ending, entry.bot, entry.sha256)
            if entry != played or not _has_ended_so(entry, match, leg, log.path):
                raise MatchError(
                    f"{queue.ledger.path}: what it tells of {leg.name} did not happen in {log.path}"
                )
    if known:
        raise MatchError(f"{queue.ledger.path}: {next(iter(known))} is no leg of this tournament")


def _has_ended_so(entry: LegEntry, match: MatchLogs, leg: Leg, log: Path) -> bool:
    """Return whether a leg's log and the dealer's summary agree with how the ledger says it ended.

    The summary may be missing, as where the dealer was killed.
    """
    manifest = match.manifest
    if entry.bot not in (None, *match.labels):
        return False
    if entry.forfeited == is_complete(log, manifest.hands):
        return False
    summary = read_summary(log.with_suffix(".end.json"))
    if not entry.forfeited or summary is None or Ending(summary["ending"]) not in FORFEITS:
        return True
    seat = summary["seat"]
    return seat is None or [manifest.labels[bot] for bot in leg.seats][seat - 1 : seat] == [
        entry.bot
    ]


def _entry(match: MatchLogs, leg: Leg, ending: Ending, bot: str | None, sha256: str) -> LegEntry:
    """Return what is entered of a leg, counted in its log."""
    log = match.logs[match.legs.index(leg)]
    log.read_new()
    chips = dict(zip(match.labels, map(float, log.total), strict=True))
    return LegEntry(match.folder.name, leg.name, log.hands, ending, bot, chips, sha256)
