"""The match of a session of Slumbot's clients: hands one by one, and what a client is told of them.

The dealer goes from hand to hand without a pause.  Here the next one is shown when the client asks
for it, which the time limits of such a match allow.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from dealer.hub.documents import secret_proof
from dealer.hub.hub_state import BASELINE
from dealer.hub.json_seat import NotAsked, SentAnswer
from engine.rules.keyed_dealing import deal_stream
from protocol.cards import format_cards
from protocol.deals import DealsProof
from protocol.errors import ProtocolError, WrongAnswer
from protocol.handlog import HandRecord, parse_log_line
from protocol.slumbot import chips_put_in, ended_betting, open_betting, read_increment

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dealer.hub.hub import Hub
    from dealer.hub.json_player import JsonPlayer
    from dealer.hub.store import StoredMatch
    from engine.rules.dealing import Deal
    from protocol.decision_json import AskedDecision, FinishedHand

_LEG: Final = 0
_FLOP_CARDS: Final = 3
_WAITS: Final = "The hand waits for its dealer: try again"
_LOOK_SECONDS: Final = 0.02
"""Between two looks at a log that another process writes."""


class SlumbotRefusal(Exception):
    """What a client asks for is not done; `str` of it is its error_msg."""

    def __init__(self, reason: str, status: int = 200, seconds: float | None = None) -> None:
        """Refuse, as the real server does with status 200 unless the request itself is wrong.

        Args:
            seconds: after which it may be asked again; None: that would not help.
        """
        super().__init__(reason)
        self.status: Final = status
        self.seconds: Final = seconds


class BaselineLog:
    """What the house bot has won with the client's cards: the log of it against itself."""

    def __init__(self, log: Path, name: str, is_played: Callable[[], bool]) -> None:
        """Know nothing yet.

        Args:
            name: of the player in the client's seat.
            is_played: whether more may come.
        """
        self._log = log
        self._name = name
        self._is_played = is_played
        self._bytes = 0
        self._won: dict[int, int] = {}

    async def won(self, hand: int, seconds: float) -> int:
        """Return the chips won in a hand; 0 where they are not known after so many seconds."""
        end = asyncio.get_running_loop().time() + seconds
        while True:
            going_on = self._is_played() and asyncio.get_running_loop().time() < end
            await asyncio.to_thread(self._read)
            if hand in self._won or not going_on:
                return self._won.pop(hand, 0)
            await asyncio.sleep(_LOOK_SECONDS)

    def _read(self) -> None:
        try:
            with self._log.open("rb") as file:
                file.seek(self._bytes)
                lines = file.read().splitlines(keepends=True)
        except OSError:  # it is not there yet
            return
        for line in lines:
            if not line.endswith(b"\n"):
                break
            self._bytes += len(line)
            try:
                record = parse_log_line(line[:-1].decode())
            except (ProtocolError, UnicodeDecodeError):
                continue
            if isinstance(record, HandRecord):
                self._won[record.hand_id] = int(record.values[record.names.index(self._name)])


class SessionMatch:
    """One match, in whose first seat the client sits."""

    def __init__(self, hub: Hub, player: JsonPlayer, record: StoredMatch) -> None:
        """Show no hand yet.

        Args:
            player: has taken the client's seat.
        """
        proof = secret_proof(record)
        assert isinstance(proof, DealsProof)
        state = hub.state
        self.number: Final = record.id
        self.hand = -1
        """The one that is shown, 0-based."""
        self.hand_over = True
        self.acted = False
        """Whether the client has acted in it."""
        self.began: Final = asyncio.get_running_loop().time()
        self._hub = hub
        self._player = player
        self._hands = record.hands
        self._seat = player.seats(record.id)[_LEG]
        self._deals = deal_stream(state.game(record.game), proof.key)
        self._deal: Deal = next(self._deals)
        self._seconds = state.config.limits.response_ms / 1000
        house = state.version(record.second).name
        log = state.leg_log(record.id, BASELINE)
        self._baseline = BaselineLog(log, house, lambda: bool(self._running(baseline=True)))

    def _running(self, *, baseline: bool = False) -> bool:
        match = self._hub.state.running.get(self.number)
        if match is None or match.stopping:
            return False
        return bool(match.baseline) if baseline else True

    @property
    def is_played(self) -> bool:
        """Whether the hub plays it still."""
        return self._running()

    @property
    def has_next(self) -> bool:
        """Whether there is another hand."""
        return self.is_played and self.hand + 1 < self._hands

    def deal_next(self) -> None:
        """Show the next hand."""
        if self.hand >= 0:
            self._deal = next(self._deals)
        self.hand += 1
        self.hand_over, self.acted = False, False

    @property
    def betting(self) -> str:
        """The text of the hand that is shown, as far as the client has been told; "" before."""
        asked = self._asked()
        return "" if asked is None else open_betting(asked[1].betting, asked[1].street)

    def act(self, text: str) -> None:
        """Do the one action that a client sends.  Raises SlumbotRefusal: it is not done."""
        question = self._asked()
        if self.hand_over or not self.is_played:
            raise SlumbotRefusal("The hand is over, or there is none: ask for a new one")
        if question is None:
            raise SlumbotRefusal(_WAITS, 503, 1.0)
        number, asked = question
        try:
            action = read_increment(text, asked)
            payload: dict[str, Any] = {"action": action.word}
            if action.to is not None:
                payload["to"] = action.to
            answer = SentAnswer(number, str(number), payload, text.encode())
            self._player.answer(self.number, answer)
        except WrongAnswer as error:
            raise SlumbotRefusal(str(error)) from error
        except NotAsked as error:
            raise SlumbotRefusal(_WAITS, 503, 1.0) from error
        self.acted = True

    async def fold(self) -> dict[str, Any]:
        """End the hand that is shown at the least cost; return it as `state` does.

        Raises:
            SlumbotRefusal: it could not be ended.
        """
        while True:
            state = await self.state()
            if self.hand_over:
                return state
            question = self._asked()
            assert question is not None
            self.act("f" if question[1].can_fold else "k")

    async def state(self) -> dict[str, Any]:
        """Return the hand, once the client is to act or it is over.

        Raises:
            SlumbotRefusal: the match has ended in it, or the house bot does not act.
        """
        try:
            async with asyncio.timeout(self._seconds):
                while True:
                    if (hand := self._ended()) is not None:
                        self.hand_over = True
                        return self._ended_state(hand)
                    if (question := self._asked()) is not None:
                        return self._open_state(question[1])
                    if not self.is_played:
                        detail = self._hub.state.store.match(self.number).detail
                        raise SlumbotRefusal(f"The match has ended: {detail or 'it was stopped'}")
                    await self._player.channel.news.wait()
        except TimeoutError:
            raise SlumbotRefusal("The house bot does not answer", 503, 1.0) from None

    async def baseline(self, seconds: float) -> int:
        """Return what the house bot has won with the client's cards, see `BaselineLog.won`."""
        return await self._baseline.won(self.hand, seconds)

    def conclude(self, reason: str) -> None:
        """End the match; hands that are over count."""
        self._hub.conclude(self.number, reason)

    def _ended(self) -> FinishedHand | None:
        return next((hand for _, hand in self._seat.finished if hand.hand_id == self.hand), None)

    def _asked(self) -> tuple[int, AskedDecision] | None:
        question = self._seat.question
        return None if question is None or question[1].hand_id != self.hand else question

    def _open_state(self, asked: AskedDecision) -> dict[str, Any]:
        betting = open_betting(asked.betting, asked.street)
        return _state(betting, asked.position, asked.hole, asked.board)

    def _ended_state(self, hand: FinishedHand) -> dict[str, Any]:
        position, winnings = hand.position, int(hand.won[hand.position])
        pot = chips_put_in(hand.betting)
        return {
            **_state(ended_betting(hand.betting), position, hand.holes[position], hand.board),
            "bot_hole_cards": _cards(self._deal.holes[1 - position]),
            "winnings": winnings,
            "won_pot": pot if winnings > 0 else -pot if winnings < 0 else 0,
        }


def _state(
    betting: str, position: int, hole: Sequence[int], board: Sequence[int]
) -> dict[str, Any]:
    return {
        "action": betting,
        "client_pos": position,
        "hole_cards": _cards(hole),
        "board": _cards(board[:_FLOP_CARDS]) + _texts(board[_FLOP_CARDS:]),
    }


def _cards(cards: Sequence[int]) -> list[str]:
    """Return cards as texts, the highest first."""
    return _texts(sorted(cards, reverse=True))


def _texts(cards: Sequence[int]) -> list[str]:
    return [format_cards((card,)) for card in cards]
