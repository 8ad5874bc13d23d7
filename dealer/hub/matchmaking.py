"""What the queue is asked with: the server's requests, matches and results as its values."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from dealer.hub.aivat_results import PENDING
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
from dealer.hub.store import MatchRequest, StoredMatch
from dealer.hub.stored_results import stored_result
from dealer.hub.tokens import ANY_GUEST
from engine.estimates.betting import WEALTH_SHARES, BettingWealths
from engine.estimates.significance import SIGNIFICANCE_LEVEL

if TYPE_CHECKING:
    from dealer.hub.hub_state import HubState

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
    """What a rated match has shown of two versions, from the view of that of the lower number."""

    won: float
    """mbb per hand."""
    ci95: float
    """Half the 95 % interval of that."""
    ahead: Sequence[float]
    """See `engine.estimates.betting.BettingWealths`; empty where there are none."""
    behind: Sequence[float]

    @classmethod
    def of(cls, result: dict[str, Any], *, swapped: bool) -> MatchEvidence | None:
        """Return that of the result of a match, None where it shows nothing.

        Args:
            swapped: whether its first version has the higher number.
        """
        best = best_estimate(result)
        if best is None:
            return None
        betting = result.get("betting", {"ahead": (), "behind": ()})
        sides = betting["ahead"], betting["behind"]
        won = best["mbb_per_hand"] * (-1 if swapped else 1)
        return cls(won, known_ci95(best), *(sides[::-1] if swapped else sides))


class PairEvidence:
    """What the rated matches of two versions have shown together."""

    def __init__(self) -> None:
        self._open: dict[int, MatchEvidence] = {}
        """Of matches that another result may come of."""
        self._precision = 0.0
        self._weighted = 0.0
        self._wealths = np.zeros((2, len(WEALTH_SHARES)))
        self._decided: bool | None = None
        """None: not computed since the last match."""

    def learn(self, match: int, evidence: MatchEvidence, *, final: bool = False) -> None:
        """Take in a match, in place of an earlier result of it; after a final one comes none."""
        if (earlier := self._open.pop(match, None)) is not None:
            self._add(earlier, -1.0)
        if not final:
            self._open[match] = evidence
        self._add(evidence, 1.0)
        self._decided = None

    def _add(self, evidence: MatchEvidence, sign: float) -> None:
        precision = sign * evidence.ci95**-2
        self._precision += precision
        self._weighted += evidence.won * precision
        if evidence.ahead:
            self._wealths += sign * np.array((evidence.ahead, evidence.behind))

    @property
    def mbb_per_hand(self) -> float:
        """That the version of the lower number won; matches weigh by their precision."""
        return self._weighted / self._precision

    @property
    def ci95(self) -> float:
        """Half the 95 % interval of that."""
        return 1 / math.sqrt(self._precision)

    @property
    def decided(self) -> bool:
        """Whether it is clear who wins, however often one has looked: by a betting test."""
        if self._decided is None:
            wealths = BettingWealths(*(tuple(side) for side in self._wealths.tolist()))
            self._decided = wealths.p_value < SIGNIFICANCE_LEVEL
        return self._decided


class Matchmaker:
    """Asks the queue what to begin, and remembers what results have shown."""

    def __init__(self, state: HubState) -> None:
        """Learn from all results of the store."""
        self._state = state
        self._pairs: dict[tuple[int, int, str], PairEvidence] = {}
        self._hands: Counter[tuple[int, str]] = Counter()
        self._learned: set[int] = set()
        self.hopeless: list[int] = []
        for record in state.store.each_match("finished"):
            self.learn(record)

    def learn(self, record: StoredMatch) -> None:
        """Take note of the result of a match, in place of an earlier one of it."""
        if record.id not in self._learned:
            self._learned.add(record.id)
            for version in record.versions:
                self._hands[version, record.game] += record.hands_played
        if record.result is None or not record.rated:
            return
        low, high = sorted((record.first, record.second))
        result = stored_result(record) or {}
        evidence = MatchEvidence.of(result, swapped=low != record.first)
        if evidence is not None:
            final = result.get("aivat") != PENDING
            self._pairs.setdefault((low, high, record.game), PairEvidence()).learn(
                record.id, evidence, final=final
            )

    def starts(self) -> list[NextMatch]:
        """Return the matches to begin now; `hopeless` are requests that can become none."""
        now = time.time()
        requests = self._state.waiting()
        waiting = [self._waiting(request) for request in requests]
        running = [
            RunningMatch(
                match.record.id,
                match.owners,
                match.record.versions,
                match.record.game,
                None if match.record.seed is not None else match.house,
                1 + match.record.pairs,
                1 + match.record.pairs,
                match.record.started + self._state.config.limits.match_seconds,
                () if match.record.seed is None else self._needs(match.record),
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
            () if request.seats is None else self._needs(request),
        )

    def _needs(self, asked: MatchRequest | StoredMatch) -> Needs:
        """Return what a match of settled seats takes: tables of house bots, and where a client of
        the benchmark server asked for it, room of that door.
        """
        versions = asked.seats or () if isinstance(asked, MatchRequest) else asked.versions
        names = {version.id: name for name, version in self._state.house.items()}
        needs = Counter(tables_of(names[number]) for number in versions if number in names)
        more = {} if asked.seed is None else self._more()
        needs[_jobs(asked.game)] = 1
        needs[_BOTS] = sum(number in self._state.bots.offered for number in versions)
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
