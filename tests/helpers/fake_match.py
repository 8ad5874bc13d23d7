"""A match without processes, sockets and seconds: fake agents, a fake clock, a fake door."""

import asyncio
import functools
import math
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager

from dealer.server.endings import Ending, MatchEnd, MatchStopped
from dealer.server.fast_lane import FastLane
from dealer.server.match import Match
from dealer.server.observers import MatchObserver, Observers
from dealer.server.reconnecting import Host
from dealer.server.table import Table
from dealer.server.time_limits import MatchSettings, TimeAccounts, TimeLimits
from engine.rules.dealing import Deal
from protocol.gamedef import GameDef
from protocol.gamedefs import load_builtin
from tests.helpers.fake_agent import FakeAgent
from tests.helpers.fake_clock import FakeClock, turns

FREE = TimeLimits(math.inf, math.inf, math.inf)
NAMES = ("Alice", "Bob", "Carol")
EVENTS = [name for name in vars(MatchObserver) if name[0] != "_" and name != "required"]


class Ear(MatchObserver):
    """Hears everything."""

    def __init__(self) -> None:
        self.heard: list[tuple] = []
        """(event, arguments...)"""

    def of(self, *events: str) -> list[tuple]:
        """Return what was heard of some events, without their names where it is one event."""
        found = [said for said in self.heard if said[0] in events]
        return [said[1:] for said in found] if len(events) == 1 else found


def _hearing(name: str) -> Callable[..., None]:
    def hear(self: Ear, *arguments: object) -> None:
        self.heard.append((name, *arguments))

    return hear


for _name in EVENTS:
    setattr(Ear, _name, _hearing(_name))


class FakeMatch:
    """A match in play; agents are in seat order."""

    def __init__(
        self,
        *observers: MatchObserver,
        hands: int = 2,
        limits: TimeLimits | tuple[TimeLimits, ...] = FREE,
        invalid: str = "fix",
        reconnect_s: float = 0.0,
        game: GameDef | None = None,
        deals: Iterator[Deal] | None = None,
    ) -> None:
        game = load_builtin("hunl") if game is None else game
        self.clock = FakeClock()
        self.ear = Ear()
        self.agents = [FakeAgent(index) for index in range(game.players)]
        self.table = Table(game, 42, NAMES[: game.players], deals=deals)
        each = limits if isinstance(limits, tuple) else (limits,) * game.players
        self.accounts = TimeAccounts(each)
        self.match = Match(
            self.table,
            [agent.seat for agent in self.agents],
            MatchSettings(hands, each, invalid, reconnect_s),
            self.accounts,
            Observers([*observers, self.ear]),
            self.clock,
        )
        self.doors: dict[int, Host] = {}
        self.lane: FastLane | None = None
        self._playing: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin to play."""
        self._playing = asyncio.create_task(self.match.play(self._welcome, self.lane))
        await turns()

    async def ending(self) -> MatchEnd:
        """Return how the match ended; it must be over."""
        await turns()
        assert self._playing.done(), "the match is not over"
        try:
            self._playing.result()
        except MatchStopped as stop:
            return stop.end
        return MatchEnd(Ending.FINISHED)

    @property
    def playing(self) -> bool:
        """True until the match is over."""
        return not self._playing.done()

    @property
    def actor(self) -> FakeAgent:
        """Who is to act."""
        return self.agents[self.table.acting_seat]

    def act(self, *actions: bytes) -> None:
        """Let whoever is to act answer, once for each action."""
        for action in actions:
            self.actor.answer(action)

    def come_back(self, index: int) -> tuple[FakeAgent, bool]:
        """Let a new connection take a seat; return it, and whether it may."""
        agent = FakeAgent(index)
        taken = self.doors[index].admit(agent.seat)
        if taken:
            self.agents[index] = agent
        return agent, taken

    def send_away(self, index: int, why: MatchStopped) -> None:
        """Let a newcomer be refused at a seat's door."""
        self.doors[index].refuse(index, why)

    async def stop(self) -> None:
        """Leave nothing running."""
        self._playing.cancel()
        await asyncio.gather(self._playing, return_exceptions=True)

    async def _welcome(self, index: int, host: Host) -> None:
        self.doors[index] = host
        await asyncio.Event().wait()


@asynccontextmanager
async def fake_match(*observers: MatchObserver, **settings: object) -> AsyncIterator[FakeMatch]:
    """Play a match while the block lasts."""
    match = FakeMatch(*observers, **settings)
    await match.start()
    try:
        yield match
    finally:
        await match.stop()


def in_loop(test: Callable[..., Coroutine[None, None, None]]) -> Callable[..., None]:
    """Run an async test function in an event loop of its own."""

    @functools.wraps(test)
    def run(**arguments: object) -> None:
        asyncio.run(test(**arguments))

    return run
