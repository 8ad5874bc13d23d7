"""Obvious version of dealer.hub.match_queue: everything is worked out anew at each step."""

import math

from dealer.hub.match_queue import (
    MOST_CANDIDATES,
    DelayReason,
    HouseBot,
    NextMatch,
    OpenOpponent,
    QueueDecision,
    Quota,
    RequestDelay,
)


def next_matches_slowly(waiting, running, capacity, history, now):
    """Return the same as `next_matches`."""
    return _Steps(list(waiting), list(running), capacity, history, now).all()


def terms(request):
    """What two guests must agree on."""
    return request.game, request.hands, request.pairs, request.rated, request.seats


def is_like(request, other):
    """Whether the second of two requests is no other opponent than the first."""
    wants = [None if isinstance(r.opponent, OpenOpponent) else r.opponent for r in (request, other)]
    return request.version == other.version and wants[0] == wants[1]


class _Steps:
    def __init__(self, waiting, running, capacity, history, now):
        self.waiting, self.running, self.capacity = waiting, running, capacity
        self.history, self.now = history, now
        self.starts, self.delays, self.reservations = [], [], []
        self.eligible = [r for r in waiting if self.account_refusal(r) is None]

    def all(self):
        while untried := self.untried():
            firsts = {}
            for request in sorted(untried, key=lambda r: -r.request):
                firsts[request.owner] = request
            request = min(
                firsts.values(), key=lambda r: (self.turn(r.owner), r.last_match, r.request)
            )
            refusal = self.attempt(request)
            if refusal is not None:
                self.delays.append(RequestDelay(request.request, *refusal))
        return QueueDecision(self.starts, self.delays)

    def untried(self):
        over = {number for start in self.starts for number in start.requests}
        over |= {delay.request for delay in self.delays}
        return [request for request in self.waiting if request.request not in over]

    def turn(self, owner):
        """0, or the place of the last match that an owner was given."""
        numbers = [owner_ for start in self.starts for owner_ in (*start.owners, None)[:2]]
        return max((at + 1 for at, other in enumerate(numbers) if other == owner), default=0)

    def account_refusal(self, request):
        if request.bot in self.history.probation:
            return DelayReason.PROBATION, self.history.probation[request.bot]
        quota = self.capacity.quotas.get(request.owner, self.capacity.quota)
        quota = Quota(*(math.inf if limit is None else limit for limit in limits(quota)))
        matches = sum(request.owner in match.owners for match in [*self.running, *self.starts])
        hands = self.history.hands_today.get(request.owner, 0) + sum(
            start.hands * (2 if start.pairs else 1)
            for start in self.starts
            if request.owner in start.owners
        )
        if request.match_hands > quota.hands_a_match:
            return DelayReason.LONG_MATCH, f"{quota.hands_a_match:,}"
        if matches >= quota.matches:
            return DelayReason.ACCOUNT_FULL, f"{quota.matches:,}"
        if hands + request.match_hands > quota.hands_a_day:
            return DelayReason.DAY_OVER, f"{quota.hands_a_day:,}"
        return None

    def attempt(self, request):
        refusal = self.account_refusal(request)
        if refusal is not None:
            return refusal
        if self.free("matches") <= 0 or self.free("units") <= 0:
            return DelayReason.SERVER_FULL, ""
        options = self.options(request)
        if not options:
            return self.why_nobody(request)
        ends = self.now + self.capacity.wall_limit(request)
        refusals = [self.room_refusal(self.needs(request, other), ends) for other in options]
        for other, refusal in zip(options, refusals, strict=True):
            if refusal is None:
                self.start(request, other, ends)
                return None
        for other, refusal in zip(options, refusals, strict=True):
            if refusal[0] is not DelayReason.TOO_LARGE:
                if self.now - request.queued >= self.capacity.patience:
                    self.reserve(self.needs(request, other))
                return refusal
        return refusals[0]

    def options(self, request):
        houses = {house.name: house for house in self.capacity.houses}
        if request.opponent in houses:
            house = houses[request.opponent]
            return [house] if self.house_refusal(request, house) is None else []
        guests = sorted(
            (other for other in self.untried_or_delayed() if self.suits(request, other)),
            key=lambda other: self.rank(request, other),
        )
        firsts = []
        for other in guests:
            if not any(is_like(other, first) for first in firsts):
                firsts.append(other)
        if request.opponent is not OpenOpponent.HELPFUL:
            return firsts[:1]
        guest_needs = {"matches": 1, "units": request.seats}
        if self.room_refusal(guest_needs, self.now + self.capacity.wall_limit(request)):
            firsts = firsts[:1]
        fine = [h for _, h in sorted(houses.items()) if self.house_refusal(request, h) is None]
        return sorted(firsts[:MOST_CANDIDATES] + fine, key=lambda other: self.doubt(request, other))

    def untried_or_delayed(self):
        begun = {number for start in self.starts for number in start.requests}
        return [request for request in self.eligible if request.request not in begun]

    def suits(self, request, other):
        return (
            terms(request) == terms(other)
            and request.version != other.version
            and self.is_asked_for(request, other)
            and self.is_asked_for(other, request)
            and not (request.owner == other.owner and request.rated)
            and not self.decided(request, other.version)
            and self.account_refusal(other) is None
        )

    def is_asked_for(self, request, other):
        if isinstance(request.opponent, OpenOpponent):
            return request.owner != other.owner
        return request.opponent == other.bot

    def rank(self, request, other):
        """Who names the bot first, then by turns; of an owner, by who came first."""
        alike = [
            each
            for each in self.eligible
            if terms(each) == terms(other)
            and each.owner == other.owner
            and (each.opponent == other.opponent or not isinstance(each.opponent, str))
            and isinstance(each.opponent, str) == isinstance(other.opponent, str)
        ]
        version = [each for each in alike if each.version == other.version]
        return (
            other.opponent != request.bot,
            self.turn(other.owner),
            min((each.last_match, each.request) for each in alike),
            min((each.last_match, each.request) for each in version),
            (other.last_match, other.request),
        )

    def doubt(self, request, other):
        pair = (*sorted((request.version, other.version)), request.game)
        playing = {(*sorted(match.versions), match.game) for match in [*self.running, *self.starts]}
        width = self.history.pairs[pair].ci95 if pair in self.history.pairs else math.inf
        hands = self.history.hands.get((other.version, request.game), 0)
        return pair in playing, -width, hands

    def decided(self, request, version):
        pair = (*sorted((request.version, version)), request.game)
        return request.rated and pair in self.history.pairs and self.history.pairs[pair].decided

    def house_refusal(self, request, house):
        if house.games is not None and request.game not in house.games:
            return DelayReason.NO_GAME, house.name
        if house.name in self.history.probation:
            return DelayReason.HOUSE_ON_PROBATION, house.name
        if self.decided(request, house.version):
            return DelayReason.DECIDED, house.name
        return None

    def why_nobody(self, request):
        for house in self.capacity.houses:
            if house.name == request.opponent:
                return self.house_refusal(request, house)
        siblings = [
            other
            for other in self.untried_or_delayed()
            if terms(other) == terms(request)
            and other.bot == request.opponent
            and other.version != request.version
            and other.owner == request.owner
            and other.opponent in (request.bot, *OpenOpponent)
        ]
        if siblings and request.rated:
            return DelayReason.SIBLINGS, request.opponent
        return DelayReason.NO_OPPONENT, ""

    def needs(self, request, other):
        if not isinstance(other, HouseBot):
            return {"matches": 1, "units": request.seats}
        units = request.seats * (1 + other.units)
        return {"matches": 1, "units": units, f":{other.name}": request.seats}

    def total(self, resource):
        seats = {f":{house.name}": house.seats for house in self.capacity.houses}
        return {"matches": self.capacity.matches, "units": self.capacity.units, **seats}[resource]

    def taken(self, match, resource):
        if resource[0] == ":":
            return match.seats if resource == f":{match.house}" else 0
        return {"matches": 1, "units": match.units}[resource]

    def free(self, resource):
        return self.total(resource) - sum(
            self.taken(match, resource) for match in [*self.running, *self.starts]
        )

    def room_refusal(self, needs, ends):
        if any(count > self.total(resource) for resource, count in needs.items()):
            return DelayReason.TOO_LARGE, ""
        refusal = None
        for resource, count in needs.items():
            if count > self.free(resource):
                kind = "tables of " if resource[0] == ":" else ""
                text = f"{self.total(resource):,} {kind}{resource.removeprefix(':')}"
                return DelayReason.NO_ROOM, text
            for reserved, until, spare, since in self.reservations:
                if reserved == resource:
                    spare -= sum(
                        self.taken(start, resource)
                        for start in self.starts[since:]
                        if start.ends > until
                    )
                    if ends > until and count > spare:
                        refusal = DelayReason.RESERVED, resource.removeprefix(":")
        return refusal

    def reserve(self, needs):
        for resource, count in needs.items():
            if count <= self.free(resource) or resource in [each[0] for each in self.reservations]:
                continue
            matches = [m for m in [*self.running, *self.starts] if self.taken(m, resource)]
            for until in sorted(match.ends for match in matches):
                returned = sum(self.taken(m, resource) for m in matches if m.ends <= until)
                spare = self.free(resource) + returned - count
                if spare >= 0:
                    self.reservations.append((resource, until, spare, len(self.starts)))
                    break

    def start(self, request, other, ends):
        guests = [request] if isinstance(other, HouseBot) else [request, other]
        self.starts.append(
            NextMatch(
                tuple(each.request for each in guests),
                tuple(each.owner for each in guests),
                (request.version, other.version),
                request.game,
                request.hands,
                request.pairs,
                request.rated,
                other.name if isinstance(other, HouseBot) else None,
                request.seats,
                self.needs(request, other)["units"],
                ends,
            )
        )


def limits(quota):
    """The numbers of a quota."""
    return quota.matches, quota.hands_a_day, quota.hands_a_match
