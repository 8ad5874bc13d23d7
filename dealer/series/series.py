"""A series: the matches of one manifest, which leg of them is next, and what is noted of each.

A match is a series of one pairing in the folder itself; the logs alone tell what is over.  In a
tournament each pairing has a match folder of its own, and the ledger notes legs that are over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Final, TypeAlias

from dealer.bots.program_files import FileWatch
from dealer.errors import FolderInUse, MatchError
from dealer.series.folder import PAIRINGS_NAME, locked, prepare_folder, settle_folder
from dealer.series.given_deals import DEALS_COPY_NAME
from dealer.series.ledger import LegEntry, TournamentLedger, digest_of_log
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
from engine.parallel.shards import Shard
from protocol.gamedef import parse_gamedef

FORFEITS: Final = (
    Ending.TIMEOUT,
    Ending.DISCONNECT,
    Ending.MALFORMED,
    Ending.ILLEGAL,
    Ending.CRASH,
)
Longer: TypeAlias = Callable[["Series"], Mapping[Pairing, int]]
"""Says which pairings are to play on, and how many rounds in all; none: it is over."""
MakeSettings: TypeAlias = Callable[[Manifest, Path, int], LegSettings]
"""Makes what all legs of a match share, of its folder and the lock of that."""


class Series:
    """Says which leg is next, and notes those that are over."""

    def __init__(
        self,
        manifest: Manifest,
        folder: Path,
        lock_fd: int,
        settings: MakeSettings,
        *,
        ledger: TournamentLedger | None = None,
        retry: bool = False,
        shard: Shard | None = None,
    ) -> None:
        """Begin with what the folder says.

        Args:
            lock_fd: the lock of the folder.
            ledger: of a tournament.
            retry: play legs again that a bot forfeited.
            shard: whose legs are played; None: all.
        """
        self.manifest = manifest
        self.game = parse_gamedef(manifest.game_text)
        self.outcomes: dict[str, LegOutcome] = {}
        """How legs ended that no ledger has, by name."""
        self.longer: Longer = lambda series: {}
        """Asked when all legs were taken, as long as none has failed."""
        self._ledger = ledger
        self.folder = folder
        """Of the match or tournament."""
        self._lock_fd = lock_fd
        self._settings = settings
        self._retry = retry
        self._shard = shard or Shard()
        self._files = FileWatch()
        self._next: Iterator[Leg] = iter(())
        self._matches: dict[Pairing, MatchLogs] = {}
        self._ready: dict[Pairing, tuple[LegSettings, ExitStack]] = {}
        """Pairings in play, with the locks of their folders."""
        self._begun: set[Pairing] = set()
        self._pairing_of: dict[str, Pairing] = {}
        """By name of a leg that is over, or was handed out."""
        self._forfeits: dict[str, LegOutcome] = {}
        """Legs forfeited since this series was opened, by name."""
        self.playing: set[str] = set()
        """Names of the legs in play."""

    @property
    def ledger(self) -> TournamentLedger:
        """The ledger of a tournament."""
        assert self._ledger is not None
        return self._ledger

    @property
    def refused(self) -> LegOutcome | None:
        """The leg of a shipped bot that does not accept its options, if there is one."""
        return next((outcome for outcome in self.outcomes.values() if outcome.refused), None)

    def anything_played(self) -> bool:
        """Return whether there is a result."""
        if self._ledger is not None:
            return bool(self._ledger.entries)
        self.read_new()
        return self.hands > 0

    def close(self) -> None:
        """Unlock the folders of pairings that are still in play, as after an error."""
        while self._ready:
            _, (_, lock) = self._ready.popitem()
            lock.close()

    def take(self) -> tuple[LegSettings, Leg] | None:
        """Return the next leg, None where none can be played before another one ends.

        Raises:
            MatchError: its folder cannot be used, or the file of a bot has changed.
        """
        leg = next(self._next, None)
        if leg is None:
            self._next = self._more()
            leg = next(self._next, None)
        if leg is None:
            return None
        settings = self._begin(leg)
        self._files.check(settings.manifest.bots, settings.manifest.working_directory)
        return settings, leg

    def put(self, outcome: LegOutcome) -> None:
        """Take notice of how a leg ended; one that is over is entered into the ledger."""
        self._enter(self.match(self._pairing_of[outcome.leg.name]), outcome)
        self._rest(outcome.leg)

    def count_left(self) -> int:
        """Return how many legs are left of those known so far, before any is taken."""
        legs = [*self._more()]
        self._next = iter(legs)
        return len(legs)

    def ended(self, leg: Leg) -> LegOutcome:
        """Return how a leg of a match ended, also where its turn did not come."""
        if (outcome := self.outcomes.get(leg.name)) is not None:
            return outcome
        hands = hands_in(self.folder / f"{leg.name}.log")
        detail = f"not resumed after {hands:,} hands" if hands else "not begun"
        return LegOutcome(leg, Ending.INTERRUPTED, detail)

    def pairings(self) -> list[Pairing]:
        """Return all pairings known so far."""
        return self.manifest.pairings(self.winner)

    def match(self, pairing: Pairing) -> MatchLogs:
        """Return the match of a pairing."""
        if pairing not in self._matches:
            folder = self.folder
            if self._ledger is not None:
                folder = folder / PAIRINGS_NAME / self.manifest.pairing_name(pairing)
            manifest = replace(self.manifest.match(pairing), runs=self.rounds(pairing))
            self._matches[pairing] = MatchLogs(manifest, self.game, folder)
        return self._matches[pairing]

    def legs_of(self, pairings: Sequence[Pairing]) -> Iterator[tuple[Pairing, Leg]]:
        """Yield legs of pairings, deal by deal: the first run of all pairings comes first.

        Of a shard, only its own.
        """
        return self._shard.part(self._all_legs_of(pairings))

    def _all_legs_of(self, pairings: Sequence[Pairing]) -> Iterator[tuple[Pairing, Leg]]:
        for run in range(max(map(self.rounds, pairings), default=0)):
            for pairing in pairings:
                match = self.match(pairing)
                for leg in match.legs[match.seatings * run : match.seatings * (run + 1)]:
                    yield pairing, leg

    def rounds(self, pairing: Pairing) -> int:
        """Return how many rounds a pairing plays: those of all, or more that decide places."""
        longer = {} if self._ledger is None else self._ledger.rounds
        return max(self.manifest.runs, longer.get(self.manifest.pairing_name(pairing), 0))

    @property
    def extra_rounds(self) -> int:
        """Rounds that pairings play beyond those of all, together."""
        base = self.manifest.runs
        return sum(max(rounds - base, 0) for rounds in self.ledger.rounds.values())

    @property
    def extra_hands(self) -> int:
        """Hands of such rounds that are over."""
        first, entries = self.manifest.runs * self.manifest.players, self.ledger.entries
        legs = (leg for pairing in self.pairings() for leg in self.match(pairing).legs[first:])
        return sum(entries[leg.name].hands for leg in legs if leg.name in entries)

    @property
    def leg_count(self) -> int:
        """Legs that there will be."""
        extra = 0 if self._ledger is None else self.extra_rounds
        return self._shard.count(self.manifest.leg_count + extra * self.manifest.players)

    @property
    def hands(self) -> int:
        """Hands read so far."""
        return sum(match.hands for match in self._matches.values())

    @property
    def hands_planned(self) -> int:
        """Hands that there will be."""
        return self.leg_count * self.manifest.hands

    def read_new(self) -> int:
        """Read what the dealers have added; return how many hands.

        Raises:
            MatchError: a log cannot be read.
        """
        pairings = self.pairings() if self._ledger is None else self._ready
        return sum(self.match(pairing).read_new() for pairing in pairings)

    def entries(self, match: MatchLogs) -> list[LegEntry]:
        """Return what the ledger has of a pairing's legs, in their order."""
        entries = self.ledger.entries
        return [entries[leg.name] for leg in match.legs if leg.name in entries]

    def cause(self, entry: LegEntry) -> tuple[str, tuple[str, ...]]:
        """Return why a leg was forfeited, and the last lines that its bot wrote to stderr.

        Of a leg of an earlier run there are only the dealer's words, "" where they are lost.
        """
        outcome = self._forfeits.get(entry.leg)
        if outcome is not None:
            return outcome.detail, outcome.stderr
        path = self.folder / PAIRINGS_NAME / entry.pairing / f"{entry.leg}.end.json"
        summary = read_summary(path)
        agrees = summary is not None and summary["ending"] == entry.ending.value
        return words_of(summary) if summary is not None and agrees else "", ()

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

        def success(seat: int) -> tuple[float, ...]:
            return (
                -sum(entry.bot == match.labels[seat] for entry in entries),
                match.running_sets(seat).mbb_per_hand,
                match.running_rate(seat).mbb_per_hand,
            )

        return pairing.bots[max(range(len(pairing.bots)), key=success)]

    def _more(self) -> Iterator[Leg]:
        new = [pairing for pairing in self.pairings() if pairing not in self._begun]
        self._begun.update(new)
        legs = self._waiting(new)
        if (first := next(legs, None)) is not None:
            return chain([first], legs)
        return self._waiting(self._made_longer())

    def _made_longer(self) -> list[Pairing]:
        """Let pairings play more rounds once all legs were taken; return them."""
        if any(outcome.ending is not Ending.FINISHED for outcome in self.outcomes.values()):
            return []
        rounds = self.longer(self)
        if self._ledger is None:
            for count in rounds.values():
                longer = replace(self.manifest, runs=count)
                settle_folder(self.folder, self.manifest, longer)
                self.manifest = longer
        elif rounds:
            names = self.manifest.pairing_name
            self._ledger.make_longer({names(outcome): count for outcome, count in rounds.items()})
        for pairing, count in rounds.items():
            match = self.match(pairing)
            match.extend(replace(match.manifest, runs=count))
        return [*rounds]

    def _begin(self, leg: Leg) -> LegSettings:
        """Make the folder of its pairing ready and lock it, as long as a leg of it is in play."""
        pairing = self._pairing_of[leg.name]
        if pairing not in self._ready:
            match, lock = self.match(pairing), ExitStack()
            lock_fd = self._lock_fd if self._ledger is None else self._open(match, lock)
            self._ready[pairing] = self._settings(match.manifest, match.folder, lock_fd), lock
        self.playing.add(leg.name)
        if self._ledger is not None and leg.name in self._ledger.entries:
            self._ledger.play_again(leg.name)
        return self._ready[pairing][0]

    def _rest(self, leg: Leg) -> None:
        """Unlock the folder of a pairing of which no leg is in play."""
        self.playing.remove(leg.name)
        pairing = self._pairing_of[leg.name]
        if all(self._pairing_of[name] != pairing for name in self.playing):
            _, lock = self._ready.pop(pairing)
            lock.close()

    def _waiting(self, pairings: list[Pairing]) -> Iterator[Leg]:
        """Yield the legs that are left."""
        for pairing, leg in self.legs_of(pairings):
            if leg.name not in self._pairing_of and self._is_left(
                self.match(pairing), pairing, leg
            ):
                yield leg

    def _is_left(self, match: MatchLogs, pairing: Pairing, leg: Leg) -> bool:
        entry = None if self._ledger is None else self._ledger.entries.get(leg.name)
        if entry is not None and not (entry.forfeited and self._retry):
            return False
        self._pairing_of[leg.name] = pairing
        if entry is not None:
            return True
        done = finished_leg(match.manifest, match.folder, leg)
        if done is not None:  # in a tournament: killed before it could be written down
            self._enter(match, done)
        return done is None

    def _enter(self, match: MatchLogs, outcome: LegOutcome) -> None:
        leg = outcome.leg
        forfeited = outcome.bot is not None and outcome.ending in FORFEITS
        over = forfeited or outcome.ending is Ending.FINISHED
        if self._ledger is None or outcome.refused or not over:
            self.outcomes[leg.name] = outcome
            return
        self.outcomes.pop(leg.name, None)
        log = match.logs[match.legs.index(leg)]
        bot = outcome.bot if forfeited else None
        if forfeited:
            self._forfeits[leg.name] = outcome
        self._ledger.add(_entry(match, leg, outcome.ending, bot, digest_of_log(log.path)))

    def _open(self, match: MatchLogs, lock: ExitStack) -> int:
        folder, manifest = match.folder, match.manifest
        if not (folder / MANIFEST_NAME).exists():
            deals = self.folder / DEALS_COPY_NAME
            prepare_folder(folder, manifest, force=False, deals=deals, link=True)
        stored = read_manifest(folder)
        if different := differences(stored, manifest):
            raise FolderInUse(f"{folder} holds another match: {'; '.join(different)}")
        lock_fd = lock.enter_context(locked(folder))
        settle_folder(folder, stored, manifest)
        return lock_fd


def check_ledger(series: Series) -> None:
    """Refuse a ledger that names unknown legs, or logs that are no longer those it was made from.

    Raises:
        MatchError: with the first of them.
    """
    rest = dict(series.ledger.entries)
    names = [*map(series.manifest.pairing_name, series.pairings())]
    if strange := next((name for name in series.ledger.rounds if name not in names), None):
        raise MatchError(f"{series.ledger.path}: {strange} is no pairing of this tournament")
    for pairing in series.pairings():
        match = series.match(pairing)
        for leg, log in zip(match.legs, match.logs, strict=True):
            entry = rest.pop(leg.name, None)
            if entry is None:
                continue
            if digest_of_log(log.path) != entry.sha256:
                raise MatchError(f"{log.path} is not the log that {series.ledger.path} tells of")
            played = _entry(match, leg, entry.ending, entry.bot, entry.sha256)
            if entry != played or not _has_ended_so(entry, match, leg, log.path):
                raise MatchError(
                    f"{series.ledger.path}: what it tells of {leg.name} did not happen in "
                    f"{log.path}"
                )
    if rest:
        raise MatchError(f"{series.ledger.path}: {next(iter(rest))} is no leg of this tournament")


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
