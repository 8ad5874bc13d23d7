"""What a check works with: it seats the bot, deals, plays hands, and remembers what they showed."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Any

from dealer.bots.participants import BotKind
from dealer.bots.processes import ProcessLauncher
from dealer.compliance.bot_session import BotSession, CheckSettings
from dealer.compliance.checked_games import CheckedGame
from dealer.compliance.hands import CheckedHand, HandPlayer
from dealer.compliance.wire import BotLink, Delivery
from engine.rules.dealing import Deal, DealStream

if TYPE_CHECKING:
    from dealer.compliance.hands import Opponents


def seed_for(seed: int, *what: str) -> int:
    """Return a seed of 32 bits for one purpose, whatever else is checked before or after."""
    text = "/".join((str(seed), *what))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big")


@dataclass(slots=True)
class SeatedPlay:
    """A bot that is connected and has greeted, and the hands that it has played since."""

    session: BotSession
    player: HandPlayer
    deals: Iterator[Deal]
    positions: range
    """Of the game."""
    hands: list[CheckedHand] = field(default_factory=list)
    numbers: Iterator[int] = field(default_factory=count)
    """Of the hands to come."""

    @property
    def link(self) -> BotLink:
        """The connection to the bot."""
        assert self.session.link is not None
        return self.session.link

    async def play(
        self,
        position: int,
        opponents: Opponents,
        delivery: Delivery | None = None,
        *,
        deal: Deal | None = None,
    ) -> CheckedHand:
        """Play the next hand to its end; raises as `HandPlayer.play` does."""
        hand = self.next_hand(position)
        deal = deal or next(self.deals)
        return await self.player.play(hand, deal, opponents, delivery or Delivery(self.link))

    async def play_round(self, opponents: Opponents, delivery: Delivery | None = None) -> None:
        """Play a hand in every position."""
        for position in self.positions:
            await self.play(position, opponents, delivery)

    def next_hand(self, position: int) -> CheckedHand:
        """Return the next hand, of which nothing has been played yet."""
        hand = CheckedHand(next(self.numbers), position)
        self.hands.append(hand)
        return hand

    async def quiet(self) -> None:
        """Wait for lines that nobody asked for after the last hand."""
        await self.player.quiet(self.link, self.hands[-1])

    def strong_deal(self, position: int, of: int = 40) -> Deal:
        """Return the one of the next `of` deals that gives a position the highest cards.

        Pairs count more than anything else: hold'em bots call with those.
        """

        def strength(deal: Deal) -> tuple[bool, int]:
            ranks = [card // 4 for card in deal.holes[position]]
            return len(set(ranks)) < len(ranks), sum(ranks)

        return max((next(self.deals) for _ in range(of)), key=strength)


@dataclass(slots=True)
class CheckBench:
    """One bot and one game."""

    settings: CheckSettings
    game: CheckedGame
    launcher: ProcessLauncher
    announce: Callable[[str], None]
    """Tells the user something that cannot wait."""
    progress: Callable[[str], None]
    """Takes how far a check is."""
    name: str = ""
    """Of the check that is run."""
    last: BotSession | None = None
    """The last start of the bot."""
    shared: Any = None
    """What several checks judge: the long match, or why there is none."""
    listen_port: int = 0
    """Where a bot that somebody else starts always finds us."""

    def session(
        self, *, game: CheckedGame | None = None, reconnect_seconds: float = 0.0, name: str = ""
    ) -> BotSession:
        """Return a start of the bot that is to come; nobody listens yet.

        Args:
            game: another than that of the bench.
            reconnect_seconds: for how long a shipped bot is told that it may come back.
            name: of what several checks share, instead of the check's.
        """
        name = name or self.name
        self.last = BotSession(
            self.settings,
            self.launcher,
            self.announce,
            name=name,
            game=game or self.game,
            bot_seed=seed_for(self.settings.seed, self.game.name, name, "bot") >> 1,
            port=self.listen_port or self.settings.bot.port,
            reconnect_seconds=reconnect_seconds,
        )
        return self.last

    @asynccontextmanager
    async def seated(
        self, *, game: CheckedGame | None = None, reconnect_seconds: float = 0.0, name: str = ""
    ) -> AsyncIterator[SeatedPlay]:
        """Start the bot, and wait until it has connected and greeted; arguments as of `session`.

        Raises:
            BotTrouble: it does neither.
            MatchError: it cannot be started at all.
        """
        session = self.session(game=game, reconnect_seconds=reconnect_seconds, name=name)
        async with session:
            await self.connect(session)
            await session.greeting()
            yield self.play_at(session)

    async def connect(self, session: BotSession) -> float:
        """Start the bot; return how many seconds later it has connected.  Raises as `seated`."""
        session.listen()
        if self.settings.bot.kind is BotKind.LISTEN:
            self.listen_port = session.port
        await session.start()
        return await session.accept()

    def play_at(self, session: BotSession) -> SeatedPlay:
        """Return the play with a bot that has greeted; its deals depend on the check's name."""
        game = session.game.game
        seed = seed_for(self.settings.seed, session.game.name, session.name)
        player = HandPlayer(game, self.settings.response_seconds)
        return SeatedPlay(session, player, DealStream(game, seed), range(game.players))
