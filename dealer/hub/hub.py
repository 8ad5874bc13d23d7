"""The server's engine room: requests wait, become matches, are played on hosts, and end as results.

What is acknowledged is in the store first; the rest, such as who is connected, is known in memory
and comes again by itself after a start: relays connect, seats are offered anew, and matches that
were running are played on from their files.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from dealer.bots.participants import BotKind
from dealer.hub.aivat_results import PENDING, AivatQueue
from dealer.hub.board_ratings import rate_board
from dealer.hub.channel import Document
from dealer.hub.documents import deals_document, match_document, secret_proof
from dealer.hub.errors import OtherWords, ServerError
from dealer.hub.hosts import MatchHosts
from dealer.hub.hub_state import BASELINE, ActiveMatch, EarlyGuest, HubState
from dealer.hub.match_queue import NextMatch
from dealer.hub.match_results import CountingProcess, digest_of, rate_match
from dealer.hub.matchmaking import Matchmaker
from dealer.hub.room_to_write import writing_fault
from dealer.hub.server_config import ServerConfig
from dealer.hub.store import Account, BotVersion, LegRecord, MatchRequest, Store, StoredMatch
from dealer.hub.stored_results import stored_result
from dealer.plan.match_plan import MatchPlan, Records, SeatPlan, SecretDeals
from dealer.plan.plan_documents import plan_document
from dealer.server.endings import Ending
from engine.console.output import tell
from protocol.deals import DealsProof, joined_phrase, phrase_digest

_DAY_SECONDS: Final = 86_400.0
_KEY_BYTES: Final = 16
_SECRET_BYTES: Final = 32
_SETTLE_SECONDS: Final = 0.05
_RETRY_SECONDS: Final = 5.0
_RATING_SECONDS: Final = 10.0
_RATING_PAUSES: Final = 20.0
"""Of the time that rating takes, between two times."""
_LONGEST_PAUSE_SECONDS: Final = 300.0
"""Rating may also have waited until a long match was counted."""
_ATTEMPTS: Final = 3
"""To play a match on, in a row, without a hand between."""
_MOST_DETAIL: Final = 200


@dataclass(slots=True)
class OfferedSeat:
    """A guest's seat."""

    key: str
    leg: str
    seat: int
    """0-based."""
    version: BotVersion


class Hub:
    """Accounts' requests, and what becomes of them."""

    def __init__(
        self,
        config: ServerConfig,
        folder: Path,
        store: Store,
        tell: Callable[..., None],
        house_digest: str,
    ) -> None:
        """Play nothing yet.

        Args:
            folder: of the server.
            tell: takes an event for the log, and what belongs to it by name.
            house_digest: of the programs of house bots.
        """
        self.state: Final = HubState(config, folder, store, house_digest)
        self._tell = tell
        self._offers: dict[str, OfferedSeat] = {}
        self._matchmaker = Matchmaker(self.state)
        self._poked = asyncio.Event()
        self._rated = asyncio.Event()
        self._rated.set()
        self._draining = False
        self._hosts: MatchHosts | None = None
        self._tasks: set[asyncio.Task[Any]] = set()
        self._counting: CountingProcess | None = None
        self._aivat = AivatQueue(self.state, self._result, self._have_result, tell)

    async def run(self, stop: asyncio.Event, hosts: MatchHosts, counting: CountingProcess) -> None:
        """Play until `stop` is set; running matches are then paused in good order.

        Args:
            hosts: not started yet; they tell `hear`.
            counting: counts results.
        """
        self._hosts, self._counting = hosts, counting
        async with hosts:
            for request in self.state.store.waiting_requests():
                if request.seating is not None:  # whoever asked has gone with the last server
                    self.withdraw(request)
            for record in reversed(self.state.store.matches("running")):
                self._play(record, resumed=True)
            self._refuse_hopeless()
            works = (self._match(), self._rate(), self._aivat.run())
            tasks = [asyncio.create_task(work) for work in works]
            self._start(self._count_again())
            await stop.wait()
            self._draining = True
            for task in tasks:
                task.cancel()
        for task in self._tasks:
            task.cancel()
        for match in self.state.running.values():
            match.send_away()

    # What clients ask for.

    def version_of(self, account: Account, bot: str, label: str, digest: str) -> BotVersion:
        """Return a version of an account's bot.  Raises ServerError: it is another's."""
        if bot.lower() in {name.lower() for name in self.state.house}:
            raise ServerError(f"{bot} is a bot of the house")
        version = self.state.store.version(account.id, bot, label, digest, time.time())
        self.state.keep(version)
        return version

    def request(self, version: BotVersion, wanted: MatchRequest) -> MatchRequest:
        """Queue a request."""
        request = self.state.store.add_request(wanted)
        self._tell("request", request=request.id, bot=version.name, opponent=request.opponent)
        self.poke()
        return request

    def withdraw(self, request: MatchRequest) -> bool:
        """Withdraw a request; return whether it waited."""
        return self.state.store.end_request(request.id, "withdrawn", "")

    def offer(self, key: str, account: Account) -> OfferedSeat | None:
        """Return the offer of a seat to a bot of an account, None where there is none."""
        offer = self.offer_of(key)
        return offer if offer is not None and offer.version.account == account.id else None

    def offer_of(self, key: str) -> OfferedSeat | None:
        """Return the offer of a seat, None where there is none."""
        return self._offers.get(key)

    def take_seat(self, offer: OfferedSeat, connection: Any, received: bytes) -> None:
        """Bring a connection to a seat, at the latest once the deals are made."""
        assert self._hosts is not None
        match = self._match_of(offer.leg)
        if match is None or match.record.dealt:
            self._hosts.seat(offer.leg, offer.seat, connection, received)
            return
        if (earlier := match.early.get(offer.key)) is not None:
            earlier.connection.close()
        match.early[offer.key] = EarlyGuest(offer.leg, offer.seat, connection, received)

    def take_phrase(self, number: int, version: BotVersion, phrase: str) -> None:
        """Take the words of a guest for the deals of a match, "" for none.

        The deals are made of the words of all guests; those that come later do not count.

        Raises:
            OtherWords: the guest has sent the SHA-256 of others.
            ServerError: they cannot be stored.
        """
        match = self.state.running.get(number)
        request = None if match is None else match.unsaid.get(version.id)
        if match is None or request is None:
            return
        if phrase:
            if phrase_digest(phrase) != request.words_sha256:
                raise OtherWords("these are not the words whose SHA-256 was sent with the request")
            self.state.store.set_phrase(request.id, phrase)
        del match.unsaid[version.id]
        if not match.unsaid:
            self._deal(match)

    def give_up(self, offer: OfferedSeat, reason: str) -> None:
        """Take note that a bot has left its seat for good: it forfeits the match."""
        match = self._match_of(offer.leg)
        if match is not None and not match.stopping:
            match.culprit = offer.version
            self._stop(match, reason)

    def conclude(self, number: int, reason: str) -> None:
        """End a match that is played; its hands that are over count."""
        match = self.state.running.get(number)
        if match is not None and not match.stopping:
            match.concluded = True
            self._stop(match, reason)

    def configure(self, config: ServerConfig) -> None:
        """Take over settings; matches that are played keep those they were begun with.

        Raises:
            ServerError, OSError: they cannot be taken over; all is as it was.
        """
        spectators = self.state.config.spectators
        self.state.configure(config)
        if config.spectators != spectators:
            for watched in self.state.watched.values():
                self._start(watched.finish(over=False))
            self.state.watched.clear()
        self._refuse_hopeless()
        self.poke()

    def poke(self) -> None:
        """Look for matches to begin, soon."""
        self._poked.set()

    def can_write(self) -> bool:
        """Return whether there is room for what matches write, and note where that changes."""
        fault = writing_fault(self.state.folder)
        if fault != self.state.paused:
            self.state.paused = fault
            self._tell("paused" if fault else "resumed", detail=fault)
            what = f"no matches are begun: {fault}" if fault else "matches are begun again"
            tell(f"arena server: {self.state.folder}: {what}")
        return not fault

    # From requests to matches.

    async def _match(self) -> None:
        while True:
            await self._poked.wait()
            await asyncio.sleep(_SETTLE_SECONDS)
            self._poked.clear()
            if not self.can_write():
                asyncio.get_running_loop().call_later(_RETRY_SECONDS, self.poke)
                continue
            try:
                for start in self._matchmaker.starts():
                    self._begin(start)
                for request in self._matchmaker.hopeless:
                    self._refuse(request)
            except Exception as error:  # whatever it is, others are to have their matches
                self._tell("not matched", detail=repr(error))
                asyncio.get_running_loop().call_later(_RETRY_SECONDS, self.poke)

    def _refuse_hopeless(self) -> None:
        """End the requests that no config of today lets be played."""
        for number, reason in self.state.hopeless().items():
            self.state.reasons[number] = reason
            self._refuse(number)

    def _refuse(self, number: int) -> None:
        """End a request that would wait for ever, and say why."""
        request = self.state.store.request(number)
        reason = self.state.reasons.get(number, "")
        if self.state.store.end_request(number, "refused", reason):
            channel = self.state.channels[request.version]
            channel.tell("request", {"request": number, "state": "refused", "reason": reason})

    def _begin(self, start: NextMatch) -> None:
        requests = [self.state.store.request(number) for number in sorted(start.requests)]
        seed, keyed = requests[0].seed, requests[0].keyed
        record = self.state.store.begin_match(
            StoredMatch(
                id=0,
                game=start.game,
                hands=start.hands,
                pairs=start.pairs,
                rated=start.rated,
                first=start.versions[0],
                second=start.versions[1],
                secret=secrets.token_bytes(_SECRET_BYTES),
                words=joined_phrase(request.words for request in requests),
                started=time.time(),
                ended=None,
                state="running",
                detail="",
                culprit=None,
                hands_played=0,
                result=None,
                seed=seed,
                keyed=keyed or seed is None,
                dealt=not any(request.words_sha256 for request in requests),
                third=start.versions[2] if len(start.versions) > 2 else None,
            ),
            start.requests,
        )
        if record is not None:
            self._tell("match", match=record.id, game=record.game, hands=record.hands)
            self._play(record)

    def _play(self, record: StoredMatch, *, resumed: bool = False) -> None:
        """Play a match, or what is left of it."""
        versions = tuple(map(self.state.version, record.versions))
        over = {leg.number for leg in self.state.store.legs(record.id)}
        legs = {f"{record.id}.{n}": n for n in range(1 + record.pairs) if n not in over}
        askers = tuple(map(self.state.version, self.state.store.askers(record.id)))
        match = ActiveMatch(record, versions, legs, {}, askers)
        match.open_ended = self.state.is_open_ended(record)
        self.state.running[record.id] = match
        gone = [
            v.name for v in versions if v.account is None and v.id not in self.state.bots.offered
        ]
        if gone:
            match.stopping = f"{gone[0]} is no bot of the house any more"
        elif resumed and record.seed is not None and any(v.account for v in versions):
            match.stopping = "the server stopped, and with it the client"
        if match.stopping:
            legs.clear()
        if not legs:
            self._settle(match)
            return
        match.bots = {v.id: self.state.bots.offered[v.id] for v in versions if v.account is None}
        if not match.open_ended:
            match.deadline = asyncio.get_running_loop().call_later(
                self.state.config.limits.match_seconds,
                partial(self._stop, match, "it took longer than a match may"),
            )
        for version in match.askers:
            self.state.channels[version.id].tell("started", self._news(match, version))
        for key, number in legs.items():
            self._offer_seats(match, key, number)
        if record.dealt:
            self._host_legs(match)
        else:
            self._hear_words(match)
        slumbot = self.state.config.slumbot
        if match.open_ended and resumed:  # its client's session has gone with the last server
            self.conclude(record.id, "the server stopped")
        elif match.open_ended and slumbot is not None and slumbot.baseline_seconds:
            self._play_baseline(match)

    def _hear_words(self, match: ActiveMatch) -> None:
        """Make the deals once all guests have said their words, or the time for that is over."""
        requests = self.state.store.requests_of(match.record.id)
        match.unsaid = {r.version: r for r in requests if r.words_sha256 and not r.words}
        match.dealing = asyncio.get_running_loop().call_later(
            self.state.config.limits.start_seconds if match.unsaid else 0.0,
            partial(self._deal_at_last, match),
        )

    def _deal_at_last(self, match: ActiveMatch) -> None:
        """Make the deals without words that do not come; who has not taken a seat forfeits."""
        seated = {self._offers[key].version.id for key in match.early if key in self._offers}
        late = [request.version for request in match.unsaid.values()]
        for version in map(self.state.version, late):
            if version.id not in seated:
                match.culprit = version
                self._stop(match, f"{version.name} did not take its seat in time")
                return
        self._deal(match)

    def _deal(self, match: ActiveMatch) -> None:
        """Make the deals of the words that were said, and have the legs played."""
        assert self._hosts is not None
        if match.record.dealt or match.stopping or self._draining:
            return
        number, store = match.record.id, self.state.store
        try:
            phrase = joined_phrase(request.words for request in store.requests_of(number))
            match.record = store.deal_match(number, phrase)
        except ServerError as error:
            self._retry(error, partial(self._deal, match))
            return
        match.unsaid.clear()
        self._host_legs(match)
        for guest in match.early.values():
            self._hosts.seat(*guest)
        match.early.clear()
        for version in match.askers:
            self.state.channels[version.id].tell("dealt", {"match": number})

    def _host_legs(self, match: ActiveMatch) -> None:
        for key, number in match.legs.items():
            self._host_numbered_leg(match, key, number)

    def _play_leg(self, match: ActiveMatch, key: str, number: int) -> None:
        """Play a leg anew, from what its files have."""
        self._offer_seats(match, key, number)
        self._host_numbered_leg(match, key, number)

    def _host_numbered_leg(self, match: ActiveMatch, key: str, number: int) -> None:
        names = self.state.labels(match.record)[:: 1 if number == 0 else -1]
        self._host_leg(match, key, match.seats(number), names)

    def _play_baseline(self, match: ActiveMatch) -> None:
        """Have the house bot play both seats of the same deals, ahead of the client."""
        match.baseline = f"{match.record.id}.{BASELINE}"
        house = match.versions[1]
        names = house.name, f"{house.name}-2"
        self._host_leg(match, match.baseline, (house, house), names)

    def _host_leg(
        self,
        match: ActiveMatch,
        key: str,
        seats: Sequence[BotVersion],
        names: Sequence[str],
    ) -> None:
        """Have a host play a leg, with its house bots.

        Args:
            key: number of the match, a point, and the leg.
            seats: who sits where, and `names` what they are called in the log.
        """
        assert self._hosts is not None
        folder = self.state.match_folder(match.record.id)
        folder.mkdir(parents=True, exist_ok=True)
        house: list[Document] = []
        plans = []
        for seat, (version, name) in enumerate(zip(seats, names, strict=True)):
            token = ""
            if version.account is None:
                bot = match.bots[version.id]
                if bot.bot.kind is BotKind.SHIPPED:  # nobody else's program knows of tokens
                    token = secrets.token_urlsafe(_KEY_BYTES)
                house.append(
                    {
                        "seat": seat,
                        "label": version.name,
                        "kind": bot.bot.kind.value,
                        "words": bot.bot.words,
                        "directory": bot.bot.directory,
                        "memory_mb": bot.memory_mb,
                        "arguments": [str(len(house))] if bot.numbered else [],
                    }
                )
            plans.append(SeatPlan(name, (), token))
        plan = self._plan(match.record, key.partition(".")[2], tuple(plans))
        game = str(self.state.game_file(match.record.game))
        self._hosts.play(key, {"plan": plan_document(plan), "house": house, "game": game})

    def _offer_seats(self, match: ActiveMatch, leg: str, number: int) -> None:
        """Offer the seats of guests in a leg."""
        for seat, version in enumerate(match.seats(number)):
            if version.account is not None:
                self._offer(match, leg, number, seat, version)

    def _offer(
        self, match: ActiveMatch, leg: str, number: int, seat: int, version: BotVersion
    ) -> None:
        key = secrets.token_urlsafe(_KEY_BYTES)
        self._offers[key] = OfferedSeat(key, leg, seat, version)
        limits = self.state.config.limits
        document = {
            "seat": key,
            "match": match.record.id,
            "leg": number,
            "game": match.record.game,
            "names": list(self.state.labels(match.record)[:: 1 if number == 0 else -1]),
            "position": seat,
            "hands": match.record.hands,
            "limits": {
                "t_response": limits.response_ms,
                "t_per_hand": limits.per_hand_ms,
                "reconnect": limits.reconnect_seconds,
            },
            "deadline": limits.start_seconds,
            **deals_document(self.state, match.record),
        }
        self.state.channels[version.id].offer(key, document)

    def _plan(self, record: StoredMatch, leg: str, seats: tuple[SeatPlan, ...]) -> MatchPlan:
        log = self.state.leg_log(record.id, leg)
        path = log.with_suffix("")
        seed, secret = _deals_of(record)
        return MatchPlan(
            name=self.state.match_name(record, leg),
            game=record.game,
            hands=record.hands,
            seed=seed,
            seats=seats,
            records=Records(
                str(log),
                f"{path}.tlog",
                append=True,
                summary=f"{path}.end.json",
                transcript=False,
            ),
            limits=self.state.limits(record),
            secret=secret,
        )

    # From the end of a leg to a result.

    def hear(self, news: Document) -> None:
        """Take news of the hosts, see `dealer.hub.match_host`.

        What cannot be stored, as on a full disk, is tried again after a while.
        """
        try:
            self._take_news(news)
        except ServerError as error:
            self._retry(error, partial(self.hear, news))

    def complain(self, error: ServerError) -> None:
        """Note in the log what could not be stored or read."""
        self._tell("not stored", detail=str(error))

    def _retry(self, error: ServerError, work: Callable[[], None]) -> None:
        self.complain(error)
        asyncio.get_running_loop().call_later(_RETRY_SECONDS, work)

    def _take_news(self, news: Document) -> None:
        kind = news["news"]
        if kind == "hands":
            for key, hands in news["legs"].items():
                match = self._match_of(key)
                if match is not None and key in match.legs and match.hands.get(key, 0) < hands:
                    match.hands[key] = hands
                    match.attempts = 0
        elif kind == "over":
            self._withdraw_seats(news["leg"])
        elif kind in ("end", "lost"):
            match = self._match_of(news["leg"])
            if match is None:
                return
            if news["leg"] == match.baseline:
                self._baseline_over(match, news)
            elif kind == "lost":
                self._play_again(match, news["leg"])
            else:
                self._leg_over(match, news)

    def _match_of(self, leg: str) -> ActiveMatch | None:
        return self.state.running.get(int(leg.partition(".")[0]))

    def _baseline_over(self, match: ActiveMatch, news: Document) -> None:
        """Note where a baseline was not played to its end; the match is played on without it."""
        ending = news.get("ending", Ending.ERROR.value)
        if ending != Ending.FINISHED.value and not match.stopping:
            match.baseline = ""
            detail, lines = news.get("detail", "its host was lost"), news.get("lines", [])
            self._tell("baseline over", leg=news["leg"], ending=ending, detail=detail, lines=lines)

    def _play_again(self, match: ActiveMatch, key: str) -> None:
        """Play a leg on whose host was lost."""
        self._withdraw_seats(key)
        match.attempts += 1
        self._tell("host lost", match=match.record.id, leg=key, attempts=match.attempts)
        if match.attempts > _ATTEMPTS or match.stopping:
            self._leg_over(match, _lost_leg(key))
        else:
            self._play_leg(match, key, match.legs[key])

    def _withdraw_seats(self, leg: str) -> None:
        for key, offer in list(self._offers.items()):
            if offer.leg == leg:
                del self._offers[key]
                self.state.channels[offer.version.id].withdraw(key)

    def _leg_over(self, match: ActiveMatch, news: Document) -> None:
        key = news["leg"]
        number = match.legs[key]
        ending = Ending(news["ending"])
        finished = ending is Ending.FINISHED
        hands = match.record.hands if finished else match.hands.get(key, 0)
        if finished or (match.concluded and hands):
            log = self.state.leg_log(match.record.id, str(number))
            leg = LegRecord(match.record.id, number, ending.value, "", hands, digest_of(log))
            self.state.store.add_leg(leg)
        self._withdraw_seats(key)
        self._tell(
            "leg over", leg=key, ending=ending.value, detail=news["detail"], lines=news["lines"]
        )
        if ending is Ending.ERROR and not match.stopping and self._may_heal(match):
            again = partial(self._play_leg_again, match, key)
            asyncio.get_running_loop().call_later(_RETRY_SECONDS, again)
            return
        del match.legs[key]
        if ending is Ending.FINISHED:
            pass
        elif self._draining and ending is Ending.INTERRUPTED and not match.stopping:
            self.state.running.pop(match.record.id, None)  # the next server plays it on
            return
        elif not match.stopping:
            seat = news["seat"]
            culprit = None if seat is None else match.seats(number)[seat]
            house = culprit is None or culprit.account is None
            match.culprit = None if house else culprit
            detail = "".join(filter(str.isprintable, news["detail"]))[:_MOST_DETAIL]
            if (
                ending is Ending.DISCONNECT
                and match.culprit is not None
                and match.record.seed is None
            ):
                detail = f"the relay of {match.culprit.name} was lost and did not come back in time"
            if ending is Ending.ERROR:
                detail = "an error of the server"
            self._stop(match, detail or ending.value)
        if not match.legs:
            self._settle(match)

    def _may_heal(self, match: ActiveMatch) -> bool:
        """Return whether a match is tried again after an error: a full disk is waited for."""
        if self.can_write():
            match.attempts += 1
        return match.attempts <= _ATTEMPTS

    def _play_leg_again(self, match: ActiveMatch, key: str) -> None:
        if match.stopping and key in match.legs:
            self._leg_over(match, _lost_leg(key))
        elif key in match.legs and not self._draining:
            self._play_leg(match, key, match.legs[key])

    def _stop(self, match: ActiveMatch, reason: str) -> None:
        """Stop what is left of a match: it is not finished."""
        assert self._hosts is not None
        match.stopping = reason
        for key in match.legs:
            self._hosts.stop(key)
        if match.baseline:
            self._hosts.stop(match.baseline)
        if not match.record.dealt:  # nothing of it is played
            for key in match.legs:
                self._withdraw_seats(key)
            match.send_away()
            match.legs.clear()
            self._settle(match)

    def _settle(self, match: ActiveMatch) -> None:
        """End a match whose legs are all over."""
        try:
            if match.stopping and not (match.concluded and any(match.hands.values())):
                self._break_off(match)
            else:
                self._start(self._finish(match))
        except ServerError as error:
            self._retry(error, partial(self._settle, match))

    def _break_off(self, match: ActiveMatch) -> None:
        record, culprit = match.record, match.culprit
        state = "void" if culprit is None else "forfeited"
        hands = sum(match.hands.values())
        self.state.store.end_match(
            record.id,
            state,
            time.time(),
            detail=match.stopping,
            culprit=None if culprit is None else culprit.id,
            hands=hands,
        )
        if culprit is not None:
            self._note_forfeit(culprit, match)
        self._over(match)

    def _note_forfeit(self, culprit: BotVersion, match: ActiveMatch) -> None:
        failures = self.state.version_now(culprit).failures + 1
        most = self.state.config.limits.forfeits
        probation = None
        if failures >= most:
            probation = f"{failures} matches in a row were forfeited, the last: {match.stopping}"
        self.state.store.set_failures(culprit.bot, failures, probation)
        assert culprit.account is not None
        text = f"match {match.record.id}: {culprit.name} forfeited: {match.stopping}"
        if probation is not None:
            text += f"; {culprit.name} plays nothing until `arena server user` lets it: {probation}"
        self.state.store.notify(culprit.account, time.time(), text)

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _result(self, record: StoredMatch, estimates: str | None = None) -> dict[str, Any]:
        """Count the logs of a match, see `rate_match`."""
        state = self.state
        logs = [str(log) for log in state.leg_logs(record)]
        game, first = str(state.game_file(record.game)), state.labels(record)[0]
        return await self.counted(partial(rate_match, logs, game, first, estimates))

    async def counted(self, count: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """Have something counted in the process for that; `count` can be pickled."""
        assert self._counting is not None
        return await asyncio.wrap_future(self._counting.submit(count))

    async def _first_result(self, record: StoredMatch) -> dict[str, Any]:
        """Count the logs of a match; AIVAT may be added later."""
        result = await self._result(record)
        outlook = self._aivat.outlook(record)
        return result if outlook is None else {**result, "aivat": outlook}

    def _have_result(self, number: int) -> None:
        """Take note of the result of a match, the first one or another."""
        record = self.state.store.match(number)
        self._matchmaker.learn(record)
        if (stored_result(record) or {}).get("aivat") == PENDING:
            self._aivat.add(number)
        self._rated.set()

    async def _count_again(self) -> None:
        """Count the matches that could not be counted when they ended."""
        for record in self.state.store.uncounted():
            try:
                self.state.store.set_result(record.id, await self._first_result(record))
            except Exception as error:
                self._tell("not counted", match=record.id, detail=str(error))
            else:
                self._have_result(record.id)

    async def _finish(self, match: ActiveMatch) -> None:
        """Count and store the result of a match."""
        record = match.record
        detail = match.stopping
        result: dict[str, Any] | None = None
        try:
            result = await self._first_result(record)
        except Exception as error:  # the match was played; its logs can be counted again
            detail = f"its logs could not be counted: {error}"
        hands = record.hands * (1 + record.pairs)
        if match.concluded:
            hands = sum(match.hands.values())
        try:
            self.state.store.end_match(
                record.id, "finished", time.time(), detail=detail, hands=hands, result=result
            )
            for version in match.versions:
                if version.account is not None and self.state.version_now(version).failures:
                    self.state.store.set_failures(version.bot, 0, None)
        except ServerError as error:
            self._retry(error, partial(self._settle, match))
            return
        self._have_result(record.id)
        self._over(match)

    async def _rate(self) -> None:
        """Rate all bots again after results, most of the time not."""
        while True:
            await self._rated.wait()
            self._rated.clear()
            rate, began = partial(rate_board, self.state.folder), time.monotonic()
            try:
                self.state.ratings = await self.counted(rate)
            except Exception as error:  # the next result has all rated again
                self._tell("not rated", detail=repr(error))
            pause = min(_LONGEST_PAUSE_SECONDS, _RATING_PAUSES * (time.monotonic() - began))
            await asyncio.sleep(max(_RATING_SECONDS, pause))

    def _over(self, match: ActiveMatch) -> None:
        for timer in (match.deadline, match.dealing):
            if timer is not None:
                timer.cancel()
        self.state.running.pop(match.record.id, None)
        watched = self.state.watched.pop(match.record.id, None)
        if watched is not None:
            self._start(watched.finish(over=True))
        match.record = self.state.store.match(match.record.id)
        for version in match.askers:
            self.state.channels[version.id].tell("ended", self._news(match, version))
        self._tell("match over", match=match.record.id, state=match.record.state)
        self.poke()

    def _news(self, match: ActiveMatch, version: BotVersion) -> dict[str, Any]:
        """Return what the relays of a bot hear of a match."""
        others = [player.name for player in match.versions if player.id != version.id]
        return {
            **match_document(self.state, match.record),
            "bot": version.name,
            "against": " and ".join(others or [version.name]),
        }


def _deals_of(record: StoredMatch) -> tuple[int, SecretDeals | None]:
    """Return the seed of a match, or its number and what its deals are made of in place of it."""
    proof = secret_proof(record)
    if isinstance(proof, DealsProof):
        return proof.number, SecretDeals(proof.key.hex(), proof.commitment)
    return proof.seed if record.seed is None else record.seed, None


def _lost_leg(key: str) -> Document:
    """Return the news of a leg that cannot be played on."""
    detail = "its host was lost again and again"
    return {"leg": key, "ending": Ending.ERROR.value, "detail": detail, "seat": None, "lines": []}
