"""A small server that stays up, for relays: two requests that wait become a match, as it is asked.

It speaks the real server's API over `dealer.web`, and plays real matches, all in one loop.  What it
does wrong, and when, is up to the test.
"""

import asyncio
import contextlib
import json
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from pathlib import Path
from urllib.parse import parse_qs

from dealer.hub.match_host import EarlyBytes
from dealer.lane.loading import LaneLoader
from dealer.plan.match_plan import LaneMode, MatchLimits, MatchPlan, Records, SeatPlan
from dealer.server.endings import MatchStopped
from dealer.server.match_run import MatchRun
from dealer.server.seating import AcceptedConnections
from dealer.server.standard_streams import StandardStreams
from dealer.web.event_channel import News
from dealer.web.events import EVENT_STREAM
from dealer.web.guard import SECURITY_FIELDS, BearerGuard, bearer_token
from dealer.web.http_requests import Refusal
from dealer.web.http_responses import Response, json_response_to, switching
from dealer.web.router import READ, Site, json_response
from dealer.web.server import WebServer, listen_at
from protocol.deals import joined_phrase, phrase_digest
from protocol.gamedefs import load_builtin
from tests.helpers.ports import steady_port

TOKEN = "a-token-of-nobody-else"
GAME = "kuhn"


@dataclass
class Offered:
    """A seat."""

    bot: str
    document: dict
    source: AcceptedConnections
    run: MatchRun
    index: int
    transports: list = field(default_factory=list)


class StubHub(Site):
    """The server."""

    def __init__(self, folder: Path, reconnect: float = 5.0, quiet: float = 15.0) -> None:
        super().__init__(
            BearerGuard({"127.0.0.1", "localhost"}),
            {},
            [
                (("POST",), "api/requests", self._ask),
                ((*READ, "DELETE"), "api/requests/([0-9]+)", self._request),
                (READ, "api/matches/([0-9]+)", self._match),
                (READ, "api/bots/([^/]+)/seats", self._stream),
                (("GET", "DELETE"), "api/seats/([^/]+)", self._seat),
            ],
        )
        self.folder = folder
        self.reconnect = reconnect
        self.quiet = quiet
        self.requests: dict[str, dict] = {}
        self.matches: dict[str, dict] = {}
        self.seats: dict[str, Offered] = {}
        self.streams = 0
        self.asked: list[tuple[str, str]] = []
        """Methods and paths."""
        self.given_up: list[str] = []
        self.culprits: list[str] = []
        self.refuse: list[Refusal] = []
        """What the next calls are refused with."""
        self.refuse_asking = False
        self.secret = b"s" * 32
        """Of all matches."""
        self.said: dict[str, str] = {}
        """Words for deals, by their SHA-256."""
        self.cheat: dict = {}
        """What the server shows of matches that are over in place of the truth."""
        self.late_answers = False
        """What is told of a running match comes when that is over, and behind the news of it."""
        self.news = News()
        self.tasks: set[asyncio.Task] = set()
        self.port = steady_port()
        self._ended = asyncio.Event()

    @contextlib.asynccontextmanager
    async def serving(self, front=None, port=0, **limits):
        """Serve; may be done again, as after a restart, at the same port."""
        stop = asyncio.Event()
        with listen_at("127.0.0.1", port or self.port) as listening:
            self.port = listening.getsockname()[1]
            server = WebServer(
                self, SECURITY_FIELDS, print, front=front, refuse=json_response_to, **limits
            )
            running = asyncio.create_task(server.serve(listening, stop))
            try:
                yield self
            finally:
                stop.set()
                await running

    async def end(self):
        """End all matches."""
        await asyncio.sleep(0)  # a task that has not begun would not close its connection
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        self.cut()
        await asyncio.sleep(0)

    async def __call__(self, request):
        """Answer."""
        self.asked.append((request.method, request.path))
        if bearer_token(request) != TOKEN:
            raise Refusal(401, "this token is not right", code="bad_token")
        if self.refuse:
            raise self.refuse.pop(0)
        return await super().__call__(request)

    def cut(self):
        """Cut all connections of seats."""
        for seat in self.seats.values():
            for transport in seat.transports:
                transport.abort()
            seat.transports.clear()

    async def _ask(self, request):
        if self.refuse_asking:
            raise Refusal(403, "on probation")
        document = json.loads(request.body)
        number = str(len(self.requests) + 1)
        self.requests[number] = {**document, "request": number, "state": "waiting", "reason": ""}
        waiting = {
            one["bot"]: one for one in reversed(self.requests.values()) if one["state"] == "waiting"
        }
        if len(waiting) == 2:
            self._begin(*waiting.values())
        else:
            self.requests[number]["reason"] = "nobody else is here"
        self.news.tell()
        return Response(json_response(self.requests[number]).body, status=201)

    async def _request(self, request, number):
        found = self._found(self.requests, number)
        if request.method == "DELETE":
            if found["state"] != "waiting":
                raise Refusal(409, "it does not wait any more", code="not_waiting")
            found["state"] = "withdrawn"
        return json_response(found)

    async def _match(self, _request, number):
        match = self._found(self.matches, number)
        answer = json_response(match)
        if self.late_answers and match["state"] == "running":
            while match["state"] == "running":
                await self.news._change.wait()
            await asyncio.sleep(0.5)
        return answer

    async def _stream(self, _request, bot):
        return Response(self.news.stream(self._events(bot), self.quiet), EVENT_STREAM)

    async def _events(self, bot):
        self.streams += 1
        offered = set()
        try:
            while True:
                for key, seat in list(self.seats.items()):
                    if seat.bot == bot and key not in offered:
                        offered.add(key)
                        yield f"event: seat\ndata: {json.dumps(seat.document)}\n\n".encode()
                yield b"event: news\ndata: {}\n\n"
                yield None
        finally:
            self.streams -= 1

    async def _seat(self, request, key):
        seat = self._found(self.seats, key)
        for words in parse_qs(request.query).get("words", ()):
            self.said[phrase_digest(words)] = words
        if request.method == "DELETE":
            self.given_up.append(json.loads(request.body)["reason"])
            self.culprits.append(seat.bot)
            seat.run.interrupt()
            return json_response({})
        return switching(request, "acpc", partial(self._give, seat))

    def _give(self, seat, connection, received):
        self._start(self._bring(seat, connection, received))

    async def _bring(self, seat, connection, received):
        with contextlib.ExitStack() as given:
            given.callback(connection.close)
            loop = asyncio.get_running_loop()
            transport, early = await loop.connect_accepted_socket(EarlyBytes, connection)
            given.pop_all()
        seat.transports.append(transport)
        seat.source.give(seat.index, transport, received + early.received)

    def _found(self, table, number):
        if number not in table:
            raise Refusal(404, "not found", code="nothing")
        return table[number]

    def _start(self, work):
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    def _begin(self, *requests):
        number = str(len(self.matches) + 1)
        for request in requests:
            request.update(state="matched", match=number)
        first, second = (request["bot"] for request in requests)
        self.matches[number] = {
            "match": number,
            "state": "running",
            "first": {"bot": first},
            "second": {"bot": second},
            "hands_played": 0,
        }
        self._start(self._play(number, requests[0], (first, second)))

    async def _play(self, number, wish, bots):
        match, legs = self.matches[number], 1 + wish["pairs"]
        names = [bots, bots[::-1]][:legs]
        try:
            async with asyncio.TaskGroup() as group:
                runs = [
                    group.create_task(self._leg(number, leg, wish["hands"], names[leg]))
                    for leg in range(legs)
                ]
            totals = [run.result() for run in runs]
            chips = sum(
                total[seats.index(bots[0])] for total, seats in zip(totals, names, strict=True)
            )
            hands = legs * wish["hands"]
            match["best"] = {
                "estimator": "raw",
                "mbb_per_hand": 1000.0 * chips / hands,
                "ci95_mbb_per_hand": 10.0,
            }
            match.update(state="finished", hands_played=hands)
        except* MatchStopped as stopped:
            end = stopped.exceptions[0].end
            culprit = next(iter(self.culprits), None if end.seat is None else bots[end.seat])
            match.update(state="forfeited", detail=end.detail, forfeited_by=culprit)
        words = [self.said.get(digest, "") for digest in self._digests(number)]
        match.update({"secret": self.secret.hex(), "words": joined_phrase(words), **self.cheat})
        self.news.tell()

    def _digests(self, number):
        """Of the words of those who asked for a match."""
        requests = [one for one in self.requests.values() if one.get("match") == number]
        return [request["words_sha256"] for request in requests]

    async def _leg(self, number, leg, hands, names):
        """Play a leg; return what each seat won.  Its cards do not follow from the secret."""
        plan = MatchPlan(
            f"m{number}",
            GAME,
            hands,
            int(number),
            tuple(map(SeatPlan, names)),
            Records(str(self.folder / f"{number}.{leg}.log"), transcript=False),
            MatchLimits(start_timeout=20_000, reconnect=self.reconnect),
            lane=LaneMode.OFF,
        )
        source = AcceptedConnections(2)
        run = MatchRun(plan, load_builtin(GAME), source, StandardStreams("m "), LaneLoader())
        run.open()
        keys = [f"{number}-{leg}-{index}" for index in range(2)]
        for index, key in enumerate(keys):
            document = {
                "seat": key,
                "match": int(number),
                "leg": leg,
                "game": GAME,
                "names": list(names),
                "position": index,
                "hands": hands,
                "limits": {"t_response": 10_000, "reconnect": self.reconnect},
                "deadline": 15,
                "commitment": sha256(self.secret).hexdigest(),
                "words_sha256": self._digests(number),
            }
            self.seats[key] = Offered(names[index], document, source, run, index)
        self.news.tell()
        try:
            await run.play()
            assert run._table is not None
            return list(run._table.totals)
        finally:
            for key in keys:
                del self.seats[key]
            await run.close()
