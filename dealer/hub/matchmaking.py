"""What the queue is asked with: the server's requests, matches and results as its values."""

from __future__ import annotations

import json
import math
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from dealer.hub.documents import best_estimate, known_ci95
from dealer.hub.match_queue import (
    Capacity,
    DelayReason,
    HouseBot,
    Needs,
    NextMatch,
    OpenOpponent,
    PairKnowledge,
    QueueHistory,
    Quota,
    RequestDelay,
    RunningMatch,
    WaitingRequest,
    next_matches,
    tables_of,
)
from engine.estimates.winrate import Z95

if TYPE_CHECKING:
    from dealer.hub.hub_state import HubState
    from dealer.hub.store import MatchRequest, StoredMatch

ANY_GUEST: Final = "guest"
"""As an opponent: a waiting bot of somebody else."""
_RHO: Final = 0.08
_HOPELESS: Final = (
    DelayReason.LONG_MATCH,
    DelayReason.TOO_LARGE,
    DelayReason.NO_GAME,
    DelayReason.SIBLINGS,
    DelayReason.DECIDED,
)
_BOTS: Final = "bots of the ACPC door"
_QUOTAS: Final = ("matches_at_once", "hands_a_day", "hands_a_match")


def _reason(delay: RequestDelay, opponent: str | None) -> str:
    """Return why a request waits, for its owner."""
    if delay.reason is DelayReason.NO_OPPONENT and opponent not in (None, ANY_GUEST):
        return (
            f"{opponent} has not asked for such a match: against this bot or anyone, "
            "with the same game, hands, pairs and rating"
        )
    return delay.text


def _jobs(game: str) -> str:
    """Return the resource of matches of a game that the door allows at once."""
    return f"matches of {game}"


class MatchEvidence(NamedTuple):
    """What a rated match has shown of two versions."""

    won: float
    """By the one with the lower number, mbb per hand."""
    ci95: float
    """Half the 95 % interval of that."""
    samples: int


@dataclass(slots=True)
class PairSum:
    """What the rated matches of two versions have shown together, mbb per hand."""

    precision: float = 0.0
    """Sum of 1 / ci95**2."""
    weighted: float = 0.0
    """Sum of win rates, each by its precision."""
    samples: int = 0
    matches: dict[int, MatchEvidence] = field(default_factory=dict)
    """By number."""

    def learn(self, match: int, evidence: MatchEvidence) -> None:
        """Take in a match, in place of what was known of it."""
        self.matches[match] = evidence
        shown = self.matches.values()
        self.precision = sum(each.ci95**-2 for each in shown)
        self.weighted = sum(each.won * each.ci95**-2 for each in shown)
        self.samples = sum(each.samples for each in shown)

    @property
    def ci95(self) -> float:
        """Half the 95 % interval of the win rate."""
        return 1 / math.sqrt(self.precision)

    @property
    def decided(self) -> bool:
        """Whether it is clear who wins, however often one has looked.

        The win rate lies outside a 95 % confidence sequence: Waudby-Smith et al., "Time-uniform
        central limit theory and asymptotic confidence sequences", Annals of Statistics, 2024; it
        is narrowest at about a thousand samples.
        """
        spread = self.ci95 / Z95 * math.sqrt(self.samples)
        scale = self.samples * _RHO**2 + 1
        width = math.sqrt(
            2 * scale / (self.samples * _RHO) ** 2 * math.log(math.sqrt(scale) / 0.05)
        )
        return abs(self.weighted / self.precision) > spread * width


class Matchmaker:
    """Asks the queue what to begin, and remembers what results have shown."""

    def __init__(self, state: HubState) -> None:
        """Learn from all results of the store."""
        self._state = state
        self._pairs: dict[tuple[int, int, str], PairSum] = {}
        self._hands: Counter[tuple[int, str]] = Counter()
        self._learned: set[int] = set()
        self.hopeless: list[int] = []
        for record in state.store.matches("finished"):
            self.learn(record)

    def learn(self, record: StoredMatch) -> None:
        """Take note of the result of a match, in place of an earlier one of it."""
        if record.id not in self._learned:
            self._learned.add(record.id)
            for version in (record.first, record.second):
                self._hands[version, record.game] += record.hands_played
        result = None if record.result is None else json.loads(record.result)
        best = best_estimate(result) if record.rated else None
        if best is not None:
            low, high = sorted((record.first, record.second))
            won = best["mbb_per_hand"] * (1 if low == record.first else -1)
            pair = self._pairs.setdefault((low, high, record.game), PairSum())
            pair.learn(record.id, MatchEvidence(won, known_ci95(best), best["samples"]))

    def starts(self) -> list[NextMatch]:
        """Return the matches to begin now; `hopeless` are requests that can become none."""
        now = time.time()
        requests = self._state.waiting()
        waiting = [self._waiting(request) for request in requests]
        running = [
            RunningMatch(
                match.record.id,
                match.owners,
                (match.record.first, match.record.second),
                match.record.game,
                None if match.record.seed is not None else match.house,
                1 + match.record.pairs,
                1 + match.record.pairs,
                match.record.started + self._state.config.limits.match_seconds,
                ()
                if match.record.seed is None
                else self._needs(match.record.game, (match.record.first, match.record.second)),
            )
            for match in self._state.running.values()
        ]
        decision = next_matches(waiting, running, self._capacity(), self._history(), now)
        asked = {request.id: request.opponent for request in requests}
        self._state.reasons = {
            delay.request: _reason(delay, asked[delay.request]) for delay in decision.delays
        }
        self.hopeless = [d.request for d in decision.delays if d.reason in _HOPELESS]
        return decision.starts

    def _waiting(self, request: MatchRequest) -> WaitingRequest:
        version = self._state.version(request.version)
        assert version.account is not None
        opponent: str | OpenOpponent = request.opponent or OpenOpponent.HELPFUL
        if request.opponent == ANY_GUEST:
            opponent = OpenOpponent.GUEST
        return WaitingRequest(
            request.id,
            version.account,
            version.name,
            version.id,
            opponent,
            request.game,
            request.hands,
            bool(request.pairs),
            bool(request.rated),
            request.queued,
            request.last_match,
            1 + request.pairs,
            request.seats,
            () if request.seats is None else self._needs(request.game, request.seats),
        )

    def _needs(self, game: str, versions: Sequence[int]) -> Needs:
        """Return what a match of settled seats takes: tables of house bots, room of its door."""
        names = {version.id: name for name, version in self._state.house.items()}
        needs = Counter(tables_of(names[number]) for number in versions if number in names)
        needs[_jobs(game)] = 1
        needs[_BOTS] = sum(number in self._state.bots.offered for number in versions)
        more = self._more()
        return tuple(
            (resource, count)
            for resource, count in needs.items()
            if resource[0] == ":" or resource in more
        )

    def _more(self) -> dict[str, int]:
        """Return what the door of the benchmark server's clients has room for."""
        acpc = self._state.config.acpc
        if acpc is None:
            return {}
        more = {_BOTS: acpc.most_bots} if acpc.most_bots else {}
        for name in {game.name for game in acpc.games}:
            jobs = [game.most_jobs for game in acpc.games if game.name == name]
            if all(jobs):
                more[_jobs(name)] = max(jobs)
        return more

    def _capacity(self) -> Capacity:
        state, limits = self._state, self._state.config.limits
        quotas = {
            account.id: Quota(*(state.quota(account, name) for name in _QUOTAS))
            for account in state.store.accounts()
        }
        houses = tuple(
            HouseBot(
                offered.bot.label,
                state.house[offered.bot.label].id,
                offered.at_once,
                games=offered.games,
            )
            for offered in state.config.house
        )
        return Capacity(
            limits.matches,
            limits.matches * 2,
            houses,
            quotas=quotas,
            match_seconds=limits.match_seconds,
            hand_seconds=0.0,
            more=self._more(),
        )

    def _history(self) -> QueueHistory:
        state = self._state
        return QueueHistory(
            {
                pair: PairKnowledge(known.ci95, decided=known.decided)
                for pair, known in self._pairs.items()
            },
            self._hands,
            {account.id: state.hands_today(account) for account in state.store.accounts()},
            {v.name: v.probation for v in state.store.versions() if v.probation is not None},
        )
