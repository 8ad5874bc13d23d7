"""The legs of a tournament: which comes next, and what is written down of those that are over."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Final, TypeAlias

from dealer.errors import FolderInUse, MatchError
from dealer.legs.differences import differences
from dealer.legs.folder import PAIRINGS_NAME, locked, prepare_folder, settle_folder
from dealer.legs.given_deals import DEALS_NAME
from dealer.legs.leg_settings import LegSettings
from dealer.legs.manifest import MANIFEST_NAME, Manifest, read_manifest
from dealer.legs.outcome import LegOutcome, finished_leg, is_complete, read_summary, words_of
from dealer.legs.pairings import Pairing
from dealer.legs.plan import Leg
from dealer.legs.runner import LegQueue
from dealer.results.results import MatchLogs
from dealer.server.endings import Ending
from dealer.tournaments.ledger import LegEntry, TournamentLedger, digest_of_log
from protocol.gamedef import GameDef

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
