"""Which waiting requests become matches now: a pure function of what waits, runs and is free.

Order.  Owners take turns: an owner who was given a match goes behind all others, so a flood of one
delays another by one match at most.  Between calls that is `WaitingRequest.last_match`, the last
match that the owner got for a request made before this one.  A match for a younger request, which
overtook, does not count, so the turn of a request never moves back, and nobody starves.  Requests
of one owner are tried in the order in which they were made.  Nothing is ordered by a clock.

Room.  A request that does not fit now is passed over, and blocks nobody.  Once it has waited for
`Capacity.patience` and it is its turn, what it lacks is reserved: until the moment at which that
is surely free, by the wall limits of running matches, others get what it leaves, or what they give
back by that moment.  Source: Lifka, "The ANL/IBM SP scheduling system", JSSPP 1995 (backfilling).

Opponents.  Two guests play if each is what the other asks for, and both ask for the same game,
hands, pairs, rating and seats.  Bots of one owner play each other unrated only.  Rated matches of
pairs that a sequential test has decided are over.  "Whoever helps most" is the opponent of whom
least is known: the widest interval between the two bots, then the fewest hands of the opponent.

N requests take O(N log N) and, for each match that is begun, at most `MOST_CANDIDATES` opponents;
besides one step for each decided pair that waits.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from heapq import heapify, heappop, heapreplace
from itertools import combinations, islice, pairwise
from typing import Final, NamedTuple, TypeAlias

MOST_CANDIDATES: Final = 32
"""Guests, in the order of their turns, from whom the most helpful one is chosen."""
_MATCHES: Final = "matches"
_UNITS: Final = "units"
Needs: TypeAlias = tuple[tuple[str, int], ...]
"""Resource and amount."""


def tables_of(house: str) -> str:
    """Return the resource of a house bot: the tables at which it sits."""
    return f":{house}"


class OpenOpponent(Enum):
    """An opponent that is not named."""

    GUEST = "a waiting bot of somebody else"
    HELPFUL = "whoever helps most"


class DelayReason(Enum):
    """Why a request waits, in a sentence about what `RequestDelay.about` names."""

    PROBATION = "the bot is on probation: {}"
    LONG_MATCH = "the account may play {} hands a match"
    DAY_OVER = "the account may play {} hands a day, and has played or begun too many today"
    ACCOUNT_FULL = "the account may play {} matches at once, and plays them"
    SERVER_FULL = "the server plays as many matches as it can at once"
    TOO_LARGE = "it needs more room than there is"
    NO_GAME = "{} does not play this game"
    HOUSE_ON_PROBATION = "{} is out of order"
    SIBLINGS = "{} is a bot of the same owner: want an unrated match"
    DECIDED = "the match-up with {} is decided: want an unrated match"
    NO_OPPONENT = "nobody undecided waits for a match of this game, hands, pairs and rating"
    NO_ROOM = "{} at once are as many as there may be"
    RESERVED = "{} is reserved for a larger request that has waited longer"

    def text(self, about: str) -> str:
        """Return the sentence."""
        return self.value.format(about)


@dataclass(frozen=True, slots=True)
class WaitingRequest:
    """A match that somebody wants."""

    request: int
    """Its number; numbers grow in the order in which requests are made."""
    owner: int
    """Account."""
    bot: str
    version: int
    """Number of the bot's version, which results belong to."""
    opponent: str | OpenOpponent
    """Name of a house bot or of a guest, or who will do."""
    game: str
    hands: int
    """Of a leg."""
    pairs: bool
    """Whether a second leg has the same deals with seats changed."""
    rated: bool
    queued: float
    """When it was made, seconds; for `Capacity.patience` alone."""
    last_match: int = 0
    """Number of the last match that its owner got for a request made before it; 0: none."""
    seats: int = 1
    """Tables at once: legs that are played together."""
    seating: tuple[int, ...] | None = None
    """Versions of who plays, where that is settled: no opponent is looked for."""
    needs: Needs = ()
    """What such a match takes besides: tables of house bots, and what `Capacity.more` has."""

    @property
    def match_hands(self) -> int:
        """Of all legs."""
        return self.hands * (1 + self.pairs)


@dataclass(frozen=True, slots=True)
class RunningMatch:
    """A match that is being played."""

    match: int
    owners: tuple[int, ...]
    """Accounts of the guests, one or two."""
    versions: tuple[int, ...]
    game: str
    house: str | None
    """Name of the house bot in it."""
    seats: int
    units: int
    ends: float
    """When it is over at the latest, by the wall limit, seconds."""
    needs: Needs = ()
    """See `WaitingRequest.needs`."""


@dataclass(frozen=True, slots=True)
class HouseBot:
    """A bot that the host offers."""

    name: str
    version: int
    seats: int
    """Tables at which it sits at once."""
    units: int = 0
    """Of memory or cores that it takes at a table, besides the table's one."""
    games: frozenset[str] | None = None
    """None: all."""


@dataclass(frozen=True, slots=True)
class Quota:
    """What an account may do; None: no limit."""

    matches: int | None = None
    """At once."""
    hands_a_day: int | None = None
    hands_a_match: int | None = None
    """Of all its legs."""


@dataclass(frozen=True, slots=True)
class Capacity:
    """What the host can do at once, running matches included."""

    matches: int
    units: int
    """Of memory or cores; a table takes one and what the house bot at it takes."""
    houses: tuple[HouseBot, ...] = ()
    quota: Quota = Quota()
    """Of accounts that have none of theirs."""
    quotas: Mapping[int, Quota] = field(default_factory=dict)
    """By account."""
    patience: float = 300.0
    """Seconds after which room is reserved for a request that does not fit."""
    match_seconds: float = 600.0
    """Wall limit of a match, and for each hand so many more."""
    hand_seconds: float = 1.0
    more: Mapping[str, int] = field(default_factory=dict)
    """Resource that matches of settled seats may need -> how much of it there is."""

    def wall_limit(self, request: WaitingRequest) -> float:
        """Return how long a match may take, seconds."""
        return self.match_seconds + self.hand_seconds * request.match_hands


class PairKnowledge(NamedTuple):
    """What rated matches have shown of two versions in a game."""

    ci95: float
    """Half the 95 % interval of the win rate between them, mbb/h."""
    decided: bool
    """By a sequential test."""


@dataclass(frozen=True, slots=True)
class QueueHistory:
    """What has been played."""

    pairs: Mapping[tuple[int, int, str], PairKnowledge] = field(default_factory=dict)
    """By lower version, higher version and game; none of pairs that have not met."""
    hands: Mapping[tuple[int, str], int] = field(default_factory=dict)
    """By version and game."""
    hands_today: Mapping[int, int] = field(default_factory=dict)
    """By account, those of running matches included."""
    probation: Mapping[str, str] = field(default_factory=dict)
    """Name of a bot -> why it plays nothing."""


class NextMatch(NamedTuple):
    """A match to begin."""

    requests: tuple[int, ...]
    """Numbers: of one request, or of those of two guests."""
    owners: tuple[int, ...]
    versions: tuple[int, ...]
    game: str
    hands: int
    pairs: bool
    rated: bool
    house: str | None
    seats: int
    units: int
    ends: float
    """By the wall limit, if it is begun now, seconds."""
    needs: Needs = ()
    """See `WaitingRequest.needs`."""

    def running(self, match: int) -> RunningMatch:
        """Return it as it is played, as the match of a number."""
        return RunningMatch(
            match,
            self.owners,
            self.versions,
            self.game,
            self.house,
            self.seats,
            self.units,
            self.ends,
            self.needs,
        )


class RequestDelay(NamedTuple):
    """A request that waits on."""

    request: int
    reason: DelayReason
    about: str = ""

    @property
    def text(self) -> str:
        """A sentence for its owner."""
        return self.reason.text(self.about)


class QueueDecision(NamedTuple):
    """What becomes of the requests: each is in one start or in one delay."""

    starts: list[NextMatch]
    """In the order in which their matches are to be numbered."""
    delays: list[RequestDelay]
    """In no particular order."""


def next_matches(
    waiting: Iterable[WaitingRequest],
    running: Collection[RunningMatch],
    capacity: Capacity,
    history: QueueHistory,
    now: float,
) -> QueueDecision:
    """Return the matches to begin now, and why the other requests wait.

    The order of `waiting` and `running` does not matter.

    Args:
        now: seconds, of the clock of `queued` and `ends`.

    Raises:
        ValueError: two requests have the same number.
    """
    requests = sorted(waiting, key=lambda request: request.request)
    for request, later in pairwise(requests):
        if request.request == later.request:
            raise ValueError(f"two requests have the number {later.request}")
    return _Round(requests, running, capacity, history, now).decision()


_Refusal: TypeAlias = tuple[DelayReason, str]
_NOBODY: Final[_Refusal] = (DelayReason.NO_OPPONENT, "")
_FULL: Final[_Refusal] = (DelayReason.SERVER_FULL, "")
_TOO_LARGE: Final[_Refusal] = (DelayReason.TOO_LARGE, "")
_Terms: TypeAlias = tuple[str, int, bool, bool, int]


def _terms(request: WaitingRequest) -> _Terms:
    """Return what two guests must agree on."""
    return (request.game, request.hands, request.pairs, request.rated, request.seats)


def _pair(version: int, opponent: int, game: str) -> tuple[int, int, str]:
    return (version, opponent, game) if version < opponent else (opponent, version, game)


def _pairs(versions: tuple[int, ...], game: str) -> Iterator[tuple[int, int, str]]:
    """Yield all pairs of those who play in a match."""
    for version, opponent in combinations(versions, 2):
        yield _pair(version, opponent, game)


class _Accounts:
    """What each account may still begin."""

    def __init__(
        self, running: Iterable[RunningMatch], capacity: Capacity, history: QueueHistory
    ) -> None:
        self._capacity = capacity
        self._matches = Counter(owner for match in running for owner in set(match.owners))
        self._hands = dict(history.hands_today)

    def refusal(self, request: WaitingRequest) -> _Refusal | None:
        """Return which quota keeps a request from being begun."""
        quota = self._capacity.quotas.get(request.owner, self._capacity.quota)
        hands = request.match_hands
        if quota.hands_a_match is not None and hands > quota.hands_a_match:
            return DelayReason.LONG_MATCH, f"{quota.hands_a_match:,}"
        if quota.matches is not None and self._matches[request.owner] >= quota.matches:
            return DelayReason.ACCOUNT_FULL, f"{quota.matches:,}"
        today = self._hands.get(request.owner, 0)
        if quota.hands_a_day is not None and today + hands > quota.hands_a_day:
            return DelayReason.DAY_OVER, f"{quota.hands_a_day:,}"
        return None

    def begin(self, owners: Iterable[int], hands: int) -> None:
        """Take note of a match."""
        for owner in set(owners):
            self._matches[owner] += 1
            self._hands[owner] = self._hands.get(owner, 0) + hands


class _Room:
    """What the host has free, and what of that is reserved."""

    def __init__(self, running: Iterable[RunningMatch], capacity: Capacity) -> None:
        self._total = {_MATCHES: capacity.matches, _UNITS: capacity.units}
        self._total |= {tables_of(house.name): house.seats for house in capacity.houses}
        self._total |= capacity.more
        self.free = dict(self._total)
        self._ends: list[tuple[float, Needs]] = []
        self._reserved: dict[str, tuple[float, int]] = {}
        for match in running:
            self.take(_needs(match.seats, match.units, match.house) + match.needs, match.ends)

    @property
    def full(self) -> bool:
        """Whether nothing at all fits."""
        return min(self.free[_MATCHES], self.free[_UNITS]) <= 0

    def refusal(self, needs: Needs, ends: float) -> _Refusal | None:
        """Return why a match does not fit."""
        if any(count > self._total.get(resource, 0) for resource, count in needs):
            return _TOO_LARGE
        reserved = None
        for resource, count in needs:
            if count > self.free[resource]:
                return DelayReason.NO_ROOM, self._text(resource)
            until, spare = self._reserved.get(resource, (math.inf, 0))
            if ends > until and count > spare:
                reserved = DelayReason.RESERVED, resource.removeprefix(":")
        return reserved

    def take(self, needs: Needs, ends: float) -> None:
        """Begin a match."""
        for resource, count in needs:
            self.free[resource] = self.free.get(resource, 0) - count
            if resource in self._reserved and ends > self._reserved[resource][0]:
                until, spare = self._reserved[resource]
                self._reserved[resource] = until, spare - count
        self._ends.append((ends, needs))

    def reserve(self, needs: Needs) -> None:
        """Reserve what a match lacks, where nobody before has."""
        for resource, count in needs:
            if count <= self.free[resource] or resource in self._reserved:
                continue
            free, until = self.free[resource], -math.inf
            for ends, taken in sorted(self._ends):
                if free >= count and ends > until:
                    break
                returned = dict(taken).get(resource, 0)
                if returned:
                    free, until = free + returned, ends
            self._reserved[resource] = until, free - count

    def _text(self, resource: str) -> str:
        kind = "tables of " if resource[0] == ":" else ""
        return f"{self._total[resource]:,} {kind}{resource.removeprefix(':')}"


def _needs(seats: int, units: int, house: str | None) -> Needs:
    needs = ((_MATCHES, 1), (_UNITS, units))
    return needs if house is None else (*needs, (tables_of(house), seats))


_Versions: TypeAlias = dict[int, list[WaitingRequest]]
"""By version, requests that differ in their numbers alone; those of the earlier turn first."""


class _Guests:
    """Requests that wait for guests, by what they ask for and in the order of their turns."""

    def __init__(self) -> None:
        self._owners: dict[tuple[_Terms, str], dict[int, _Versions]] = {}
        """By terms and the bot that is asked for, "" where others will do; then by owner."""
        self._bots: dict[tuple[_Terms, str, str], _Versions] = {}
        """By terms, the bot that is asked for, and the bot that asks."""
        self._groups: dict[int, list[dict[int, _Versions]]] = {}
        """By owner, those of the first kind in which it is."""

    def add(self, request: WaitingRequest) -> None:
        """Add a request behind all that are here."""
        asked = request.opponent if isinstance(request.opponent, str) else ""
        terms = _terms(request)
        group = self._owners.setdefault((terms, asked), {})
        if request.owner not in group:
            self._groups.setdefault(request.owner, []).append(group)
        similar = group.setdefault(request.owner, {}).setdefault(request.version, [])
        similar.append(request)
        self._bots.setdefault((terms, asked, request.bot), {})[request.version] = similar

    def move_back(self, owner: int) -> None:
        """Move the requests of an owner, who was given a match, behind all others."""
        for group in self._groups.get(owner, ()):
            group[owner] = group.pop(owner)

    def candidates(
        self, request: WaitingRequest, begun: Collection[int]
    ) -> Iterator[WaitingRequest]:
        """Yield of each version that a request asks for, and that asks for it, the first request.

        Who names the bot comes before those to whom others would do.  A version is none of itself.

        Args:
            begun: requests that wait no more.
        """
        for asked in (request.bot, ""):
            for versions in self._groups_for(request, asked):
                for similar in versions.values():
                    while similar and similar[0].request in begun:
                        del similar[0]
                    if similar and similar[0].version != request.version:
                        yield similar[0]

    def _groups_for(self, request: WaitingRequest, asked: str) -> Iterator[_Versions]:
        if isinstance(request.opponent, str):
            yield self._bots.get((_terms(request), asked, request.opponent), {})
            return
        for owner, versions in self._owners.get((_terms(request), asked), {}).items():
            if owner != request.owner:
                yield versions


_Turn: TypeAlias = tuple[int, int, int, WaitingRequest]
"""Of an owner: turn, last match and number of its first request that was not tried, and that."""


def _turn(request: WaitingRequest, turn: int) -> _Turn:
    return turn, request.last_match, request.request, request


class _Option(NamedTuple):
    """A match that a request can become."""

    opponent: WaitingRequest | HouseBot | None
    """None: its seats are settled."""
    needs: Needs

    def versions(self, request: WaitingRequest) -> tuple[int, ...]:
        """Return who plays in the match that a request becomes."""
        if self.opponent is None:
            assert request.seating is not None
            return request.seating
        return request.version, self.opponent.version


class _Round:
    """One look at all requests."""

    def __init__(
        self,
        requests: list[WaitingRequest],
        running: Collection[RunningMatch],
        capacity: Capacity,
        history: QueueHistory,
        now: float,
    ) -> None:
        self._requests, self._capacity, self._history = requests, capacity, history
        self._now = now
        self._accounts = _Accounts(running, capacity, history)
        self._room = _Room(running, capacity)
        self._houses = {
            house.name: house for house in sorted(capacity.houses, key=lambda house: house.name)
        }
        self._playing = {pair for match in running for pair in _pairs(match.versions, match.game)}
        self._starts: list[NextMatch] = []
        self._begun: set[int] = set()
        self._turns: dict[int, int] = {}
        """Owner -> how many matches had been given out when it got its last one."""
        self._alone: set[tuple[_Terms, str | OpenOpponent, int]] = set()
        """Terms, opponent and version for which there is no guest."""
        self._guests = _Guests()
        if not self._room.full:
            for request in sorted(requests, key=lambda each: (each.last_match, each.request)):
                if request.seating is not None or request.opponent in self._houses:
                    continue
                if not self._account_refusal(request):
                    self._guests.add(request)

    def decision(self) -> QueueDecision:
        """Return what becomes of the requests."""
        by_owner: dict[int, list[WaitingRequest]] = {}
        for request in self._requests:
            by_owner.setdefault(request.owner, []).append(request)
        queues = {owner: iter(mine) for owner, mine in by_owner.items()}
        delays: dict[int, RequestDelay] = {}
        heap = [_turn(next(queue), 0) for queue in queues.values()]
        heapify(heap)
        while heap and not self._room.full:
            turn, _, number, request = heap[0]
            if number not in self._begun:
                latest = self._turns.get(request.owner, 0)
                if turn != latest:
                    heapreplace(heap, _turn(request, latest))
                    continue
                refusal = self._begin(request)
                if refusal is not None:
                    delays[number] = RequestDelay(number, *refusal)
            later = next(queues[request.owner], None)
            if later is None:
                heappop(heap)
            else:
                heapreplace(heap, _turn(later, self._turns.get(later.owner, 0)))
        for request in self._requests:
            if request.request not in self._begun and request.request not in delays:
                refusal = self._account_refusal(request) or _FULL
                delays[request.request] = RequestDelay(request.request, *refusal)
        return QueueDecision(self._starts, list(delays.values()))

    def _account_refusal(self, request: WaitingRequest) -> _Refusal | None:
        if request.bot in self._history.probation:
            return DelayReason.PROBATION, self._history.probation[request.bot]
        return self._accounts.refusal(request)

    def _begin(self, request: WaitingRequest) -> _Refusal | None:
        """Begin the match that a request is for; return why not, where it waits on."""
        refusal = self._account_refusal(request)
        if refusal is not None:
            return refusal
        options = self._options(request)
        if not options:
            return self._no_option(request)
        ends = self._ends(request)
        best: tuple[_Refusal, _Option] | None = None
        for option in options:
            refusal = self._room.refusal(option.needs, ends)
            if refusal is None:
                self._start(request, option, ends)
                return None
            if best is None and refusal != _TOO_LARGE:
                best = refusal, option
        if best is None:
            return _TOO_LARGE
        if self._now - request.queued >= self._capacity.patience:
            self._room.reserve(best[1].needs)
        return best[0]

    def _ends(self, request: WaitingRequest) -> float:
        return self._now + self._capacity.wall_limit(request)

    def _options(self, request: WaitingRequest) -> list[_Option]:
        """Return the matches that a request can become, the best first, whether they fit or not."""
        if request.seating is not None:
            return [_Option(None, _needs(request.seats, request.seats, None) + request.needs)]
        asked = request.opponent
        houses: Iterable[HouseBot] = ()
        guests: list[_Option] = []
        if asked in self._houses:
            houses = (self._houses[str(asked)],)
        else:
            guests = self._guest_options(request)
        if asked is OpenOpponent.HELPFUL:
            houses = self._houses.values()
        options = guests + [
            _Option(house, _needs(request.seats, request.seats * (1 + house.units), house.name))
            for house in houses
            if self._house_refusal(request, house) is None
        ]
        return sorted(options, key=lambda option: self._doubt(request, option))

    def _guest_options(self, request: WaitingRequest) -> list[_Option]:
        key = (_terms(request), request.opponent, request.version)
        if key in self._alone:
            return []
        needs = _needs(request.seats, request.seats, None)
        fits = self._room.refusal(needs, self._ends(request)) is None
        most = MOST_CANDIDATES if fits and request.opponent is OpenOpponent.HELPFUL else 1
        everyone = self._guests.candidates(request, self._begun)
        suitable = (guest for guest in everyone if self._may_meet(request, guest))
        options = [_Option(guest, needs) for guest in islice(suitable, most)]
        if not options:
            self._alone.add(key)
        return options

    def _may_meet(self, request: WaitingRequest, guest: WaitingRequest) -> bool:
        """Return whether two requests that agree can become a match of two guests."""
        if request.owner == guest.owner and (
            request.rated or isinstance(guest.opponent, OpenOpponent)
        ):
            return False
        if self._is_decided(request, guest.version):
            return False
        return self._accounts.refusal(guest) is None

    def _is_decided(self, request: WaitingRequest, version: int) -> bool:
        """Return whether a request is for a rated match that would change nothing."""
        if not request.rated:
            return False
        knowledge = self._history.pairs.get(_pair(request.version, version, request.game))
        return knowledge is not None and knowledge.decided

    def _doubt(self, request: WaitingRequest, option: _Option) -> tuple[bool, float, int]:
        """Return the less, the less is known of the pair and of the opponent."""
        _, version = option.versions(request)
        pair = _pair(request.version, version, request.game)
        knowledge = self._history.pairs.get(pair)
        width = math.inf if knowledge is None else knowledge.ci95
        hands = self._history.hands.get((version, request.game), 0)
        return pair in self._playing, -width, hands

    def _house_refusal(self, request: WaitingRequest, house: HouseBot) -> _Refusal | None:
        """Return why a house bot is no opponent."""
        if house.games is not None and request.game not in house.games:
            return DelayReason.NO_GAME, house.name
        if house.name in self._history.probation:
            return DelayReason.HOUSE_ON_PROBATION, house.name
        if self._is_decided(request, house.version):
            return DelayReason.DECIDED, house.name
        return None

    def _no_option(self, request: WaitingRequest) -> _Refusal:
        """Return why there is no opponent."""
        asked = request.opponent
        if asked in self._houses:
            return self._house_refusal(request, self._houses[str(asked)]) or _NOBODY
        if isinstance(asked, str) and request.rated:
            for guest in self._guests.candidates(request, self._begun):
                if guest.owner == request.owner:
                    return DelayReason.SIBLINGS, asked
        return _NOBODY

    def _start(self, request: WaitingRequest, option: _Option, ends: float) -> None:
        """Begin a match."""
        opponent = option.opponent
        requests = [request, opponent] if isinstance(opponent, WaitingRequest) else [request]
        owners = tuple(each.owner for each in requests)
        versions = option.versions(request)
        self._starts.append(
            NextMatch(
                tuple(each.request for each in requests),
                owners,
                versions,
                request.game,
                request.hands,
                request.pairs,
                request.rated,
                opponent.name if isinstance(opponent, HouseBot) else None,
                request.seats,
                dict(option.needs)[_UNITS],
                ends,
                request.needs if opponent is None else (),
            )
        )
        self._begun.update(each.request for each in requests)
        self._room.take(option.needs, ends)
        self._accounts.begin(owners, request.match_hands)
        self._playing.update(_pairs(versions, request.game))
        for number, owner in enumerate(owners, 2 * len(self._starts)):
            self._turns[owner] = number
            self._guests.move_back(owner)
