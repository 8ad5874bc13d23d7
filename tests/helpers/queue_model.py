"""A server in a model: accounts that ask for matches, a clock of ticks, matches that take a while.

It counts for itself what the queue must not break, and notes how long requests wait.
"""

import math
from bisect import bisect_left
from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace

import numpy as np

from dealer.hub.match_queue import (
    Capacity,
    DelayReason,
    HouseBot,
    OpenOpponent,
    PairKnowledge,
    QueueHistory,
    WaitingRequest,
    next_matches,
)

DAY = 86_400.0
MATCH_SECONDS = 600.0
"""On average, unless a bot is slow."""
SAMPLE_SD = 5000.0
"""Of a duplicate pair, mbb/h."""
DECIDED_AT = 4.0
"""Standard errors at which the sequential test of the model is decided."""


@dataclass
class Account:
    """One who asks, with one bot."""

    owner: int
    requests_a_day: float = 0.0
    """On average; at random times."""
    backlog: int = 0
    """Requests that always wait: a flood."""
    opponents: tuple = ()
    """(opponent, share of requests)."""
    seats: int = 1
    rated: bool = False
    slowness: float = 1.0
    strength: float = 0.0
    """mbb/h."""
    waiting: dict = field(default_factory=dict)
    """Number -> request."""


@dataclass
class Notes:
    """What happened."""

    made: int = 0
    withdrawn: int = 0
    starts: Counter = field(default_factory=Counter)
    """By owner."""
    matches: int = 0
    waits: dict = field(default_factory=lambda: defaultdict(list))
    """By owner: seconds from when a request was made, or the owner's last match began, to its start
    or the end of the model; of requests that do not wait for an opponent who is not there."""
    decided: int = 0
    """Pairs."""
    longest_queue: int = 0
    busy: float = 0.0
    """Mean share of `Capacity.matches`."""


class OwnerTurns:
    """The last match that each owner got for a request older than another: `last_match`."""

    def __init__(self):
        self._matches = {}
        """By owner, (request, match): both grow, since a later match outdoes younger requests."""

    def note(self, owner, request, match):
        """Take note of a match, those with lower numbers first."""
        matches = self._matches.setdefault(owner, [])
        del matches[bisect_left(matches, (request,)) :]
        matches.append((request, match))

    def last_match(self, owner, request):
        """Return the number of that match; 0: there was none."""
        matches = self._matches.get(owner, [])
        older = bisect_left(matches, (request,))
        return matches[older - 1][1] if older else 0


class QueueModel:
    """The server; `run` plays for a while and checks at each tick."""

    def __init__(self, accounts, capacity, *, seed=1, tick=60.0, hands=1000, patience=DAY):
        self.accounts = {account.owner: account for account in accounts}
        self.capacity, self.tick, self.hands, self.patience = capacity, tick, hands, patience
        self.rng = np.random.default_rng(seed)
        self.now = 0.0
        self.running, self.ending = {}, defaultdict(list)
        self.samples, self.pairs, self.version_hands = Counter(), {}, Counter()
        self.turns, self.last_start, self.over = OwnerTurns(), {}, set()
        self.notes, self.reasons = Notes(), {}
        self.houses = {house.name: house for house in capacity.houses}
        self.strengths = {account.owner: account.strength for account in accounts}
        self.strengths |= {house.version: 100.0 * house.version + 200 for house in capacity.houses}

    def run(self, seconds):
        """Play; return the notes."""
        ticks = round(seconds / self.tick)
        for _ in range(ticks):
            self.end_matches()
            self.make_requests()
            self.begin_matches()
            self.notes.busy += len(self.running) / self.capacity.matches / ticks
            self.now += self.tick
        for account in self.accounts.values():
            for request in account.waiting.values():
                if self.reasons[request.request] is not DelayReason.NO_OPPONENT:
                    self.note_wait(request)
        return self.notes

    def note_wait(self, request):
        since = max(request.queued, self.last_start.get(request.owner, 0.0))
        if not str(request.opponent).startswith("bot"):
            self.notes.waits[request.owner].append(self.now - since)

    def make_requests(self):
        for account in self.accounts.values():
            count = account.backlog - len(account.waiting)
            if not account.backlog:
                count = self.rng.poisson(account.requests_a_day * self.tick / DAY)
            for _ in range(count):
                self.add(account)
        for account in self.accounts.values():
            for request in [*account.waiting.values()]:
                if self.now - request.queued > self.patience:
                    self.withdraw(request)

    def withdraw(self, request):
        del self.accounts[request.owner].waiting[request.request]
        self.over.add(request.request)
        self.notes.withdrawn += 1

    def add(self, account):
        wanted = [opponent for opponent, _ in account.opponents]
        shares = np.cumsum([share for _, share in account.opponents])
        opponent = wanted[int(np.searchsorted(shares, self.rng.random() * shares[-1], "right"))]
        self.notes.made += 1
        if opponent == "somebody":
            opponent = f"bot{int(self.rng.choice([*self.accounts]))}"
        owner, number = account.owner, self.notes.made
        house = self.houses.get(opponent)
        pair = house and self.pairs.get((house.version, owner, "holdem"))
        account.waiting[number] = WaitingRequest(
            number,
            owner,
            f"bot{owner}",
            owner,
            opponent,
            "holdem",
            self.hands,
            True,
            account.rated and not (pair and pair.decided),
            self.now,
            self.turns.last_match(owner, number),
            account.seats,
        )

    def begin_matches(self):
        waiting = {
            number: request
            for account in self.accounts.values()
            for number, request in account.waiting.items()
        }
        self.notes.longest_queue = max(self.notes.longest_queue, len(waiting))
        history = QueueHistory(self.pairs, self.version_hands)
        decision = next_matches(
            waiting.values(), [*self.running.values()], self.capacity, history, self.now
        )
        numbers = [number for start in decision.starts for number in start.requests]
        assert len(numbers) == len(set(numbers)), "a request was played twice"
        assert not self.over & {*numbers}, "a request that is over was played"
        delayed = {delay.request for delay in decision.delays}
        assert {*numbers} | delayed == waiting.keys(), "a request was lost"
        self.reasons = {delay.request: delay.reason for delay in decision.delays}
        for number, reason in self.reasons.items():
            if reason is DelayReason.DECIDED:
                self.withdraw(waiting[number])
        for start in decision.starts:
            self.begin(start, [waiting[number] for number in start.requests])
        for owner in {owner for start in decision.starts for owner in start.owners}:
            mine = self.accounts[owner].waiting
            for number, request in mine.items():
                last = self.turns.last_match(owner, number)
                if last != request.last_match:
                    mine[number] = replace(request, last_match=last)
        self.check_room()

    def begin(self, start, requests):
        self.notes.matches += 1
        match = self.notes.matches
        pair = (*sorted(start.versions), start.game)
        is_over = start.rated and pair in self.pairs and self.pairs[pair].decided
        assert not is_over, "a decided pair plays"
        self.running[match] = start.running(match)
        for request in requests:
            owner = request.owner
            del self.accounts[owner].waiting[request.request]
            self.over.add(request.request)
            self.note_wait(request)
            self.notes.starts[owner] += 1
            self.last_start[owner] = self.now
            self.turns.note(owner, request.request, match)
        slowness = max(self.accounts[owner].slowness for owner in start.owners)
        seconds = MATCH_SECONDS * slowness * self.rng.uniform(0.5, 1.5)
        seconds = min(seconds, start.ends - self.now)
        end = math.ceil((self.now + seconds) / self.tick)
        self.ending[end].append((match, pair if start.rated else None))

    def end_matches(self):
        """End the matches whose time has come, and note what they showed of a pair."""
        for match, pair in self.ending.pop(round(self.now / self.tick), ()):
            del self.running[match]
            if pair is None:
                continue
            samples = self.samples[pair] = self.samples[pair] + self.hands
            error = SAMPLE_SD / math.sqrt(samples)
            gap = self.strengths[pair[0]] - self.strengths[pair[1]]
            decided = abs(gap + error * self.rng.standard_normal()) > DECIDED_AT * error
            self.notes.decided += decided
            self.pairs[pair] = PairKnowledge(2 * error, bool(decided))
            for version in pair[:2]:
                self.version_hands[version, pair[2]] += 2 * self.hands

    def check_room(self):
        """Count what is in use, without the queue's help."""
        assert len(self.running) <= self.capacity.matches
        assert sum(match.units for match in self.running.values()) <= self.capacity.units
        tables = Counter()
        for match in self.running.values():
            tables[match.house] += match.seats
        for house in self.capacity.houses:
            assert tables[house.name] <= house.seats


HOUSES = (
    HouseBot("rule", -1, 80),
    HouseBot("solid", -2, 60, 1),
    HouseBot("strong", -3, 12, 4),
)
SERVER = Capacity(
    matches=240, units=360, houses=HOUSES, patience=900.0, match_seconds=300.0, hand_seconds=1.8
)
USUAL = (
    (OpenOpponent.HELPFUL, 0.4),
    (OpenOpponent.GUEST, 0.2),
    ("rule", 0.17),
    ("solid", 0.17),
    ("strong", 0.03),
    ("somebody", 0.03),
)


def usual_accounts(count, requests_a_day, seed=2):
    """Return accounts that ask for this and that; a few of them slow, or for large matches.

    Args:
        requests_a_day: of each, on average.
    """
    rng = np.random.default_rng(seed)
    accounts = [
        Account(
            owner,
            requests_a_day,
            opponents=USUAL,
            rated=True,
            strength=float(rng.normal(0, 300)),
        )
        for owner in range(count)
    ]
    for account in accounts[: count // 100]:
        account.slowness = 20.0
    for account in accounts[count // 100 : count // 50]:
        account.opponents, account.seats = (("strong", 1.0),), 4
        account.requests_a_day /= 8
    return accounts
