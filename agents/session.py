"""One bot's side of a match: the dealer's bytes in, the bot's answers out.  No sockets.

Betting that was seen before is not played again, see `engine.rules.view_reader`.
"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from agents.errors import NotADealer
from agents.seat.faults import BotErrorContext, check_decision
from agents.seat.game_validator import GameValidator
from agents.seat.played import earlier_views, show_states
from agents.time_limits import NO_LIMITS, AnswerLimits, TimeUsed
from engine.play.budget import UNLIMITED, wants_budget, with_budget
from protocol.agent_end import AgentEnd
from protocol.errors import ProtocolError
from protocol.events import StateReceived

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from agents.bot import Bot
    from agents.log import Log
    from engine.rules.view import PlayerView
    from protocol.gamedef import GameDef


class Session:
    """A match as one bot sees it, over one connection or, after losses, several."""

    def __init__(
        self,
        bot: Bot,
        game: GameDef,
        log: Log | None = None,
        *,
        limits: AnswerLimits = NO_LIMITS,
        clock: Callable[[], float] = perf_counter,
        notice: Callable[[str], None] | None = None,
        token: str = "",
        resumed: bool = False,
    ) -> None:
        """Seat a bot.

        Args:
            log: gets the bot's answers and the ends of hands.
            limits: the dealer's, for bots whose `act` takes a budget.
            clock: seconds from any start.
            notice: gets a line of text for the user when the dealer seems to play another game.
            token: shows the dealer that the seat is this bot's; "" where none is asked for.
            resumed: whether the bot is to be shown what was done before in the first hand that it
                meets: it learns, and was started again in the middle of a match.
        """
        self._bot = bot
        self._act = with_budget(bot.act)
        self.wants_time: Final = wants_budget(bot.act)
        """Whether it matters when bytes have come."""
        self._in_act = BotErrorContext(bot, "act")
        self._in_observe = BotErrorContext(bot, "observe")
        self._in_end_hand = BotErrorContext(bot, "end_hand")
        self._in_notes = BotErrorContext(bot, "notes")
        self._validator = GameValidator(game, notice)
        self._log = log
        self._token = token
        self._resumed = resumed
        self._clock = clock
        self._time = TimeUsed(limits)
        self._arrived = 0.0
        """When the bytes at hand came, at the earliest."""
        self._earliest = 0.0
        """Before this the next bytes cannot have come."""
        self._back = False
        """Whether the connection is a new one of a match under way, and nothing came on it yet."""
        self._asked = 0.0
        """When the question at hand came, at the earliest and for the first time."""
        self._end = AgentEnd()
        self._view: PlayerView | None = None
        self.hands = 0
        """Hands played to their end."""
        self.replies = 0

    @property
    def started(self) -> bool:
        """Whether the dealer has sent any state."""
        return self._view is not None

    @property
    def in_hand(self) -> bool:
        """Whether a hand is under way: the connection must not end now."""
        return self._view is not None and not self._view.state.over

    @property
    def hand_id(self) -> int:
        """Number of the current or last hand, -1 before the first."""
        return -1 if self._view is None else self._view.hand_id

    @property
    def last_answer_seconds(self) -> float:
        """What the last answer took, 0 before the first."""
        return self._time.last

    def connected(self) -> bytes:
        """Return the first bytes to send on a new connection.

        The dealer may have begun again: no state needs to follow on from the last one.  As far as
        time goes it is taken to be the one that was there before, whose clock ran on: what it asks
        first may have been asked since the last that was heard of it.
        """
        self._end = AgentEnd()
        self._validator.connected()
        self._back = self.started
        if not self._back:
            self._earliest = self._clock()
        return self._end.start(token=self._token)

    def closed(self) -> bool:
        """Note that the dealer closed the connection; return whether that can be the match's end.

        Raises:
            NotADealer: the last line was not of this protocol.
        """
        try:
            (end_of_stream,) = self._end.eof()
        except ProtocolError as error:
            raise NotADealer(f"this is no ACPC dealer: {error}") from error
        return not self.in_hand and not end_of_stream.raw

    def receive(self, data: bytes, *, waited: bool = True) -> bytes:
        """Take bytes from the dealer; return the bytes to send, which may be none.

        Args:
            waited: whether it had to be waited for.  If not, nobody knows how long it had lain
                there; the time is then counted from the earliest moment at which it may have
                come: when the bytes before it were taken, or the answer before it was given.

        Raises:
            GameMismatch: a state is none of the game the bot was started for.
            NotADealer: a line is not of this protocol.
            BadDecision: the bot returned an illegal action, or none.
            BotFailed: the bot raised an exception.
        """
        now = self._clock()
        self._arrived = now if waited and not self._back else self._earliest
        self._earliest = now
        self._back = False
        try:
            events = self._end.receive(data)
        except ProtocolError as error:
            raise NotADealer(f"this is no ACPC dealer: {error}") from error
        replies = b""
        for event in events:
            if isinstance(event, StateReceived):
                replies += self._take(event)
        return replies

    def _take(self, event: StateReceived) -> bytes:
        """Follow one state, return the answer to it if the bot is to act."""
        last = self._view
        view = self._validator.read(event)
        goes_on = last is not None and view.continues(last)
        repeated = goes_on and last is not None and view.state.betting == last.state.betting
        if not goes_on:
            self._time.new_hand()
        if self._resumed:
            self._resumed = False
            with self._in_act:
                show_states(self._bot, earlier_views(view))
        self._view = view
        if view.my_turn:
            return self._answer(event, view, again=repeated)
        if not repeated:
            self._follow(event, view)
        return b""

    def _follow(self, event: StateReceived, view: PlayerView) -> None:
        """Let the bot see what it need not answer."""
        if not view.state.over:
            with self._in_observe:
                self._bot.observe(view)
            return
        self.hands += 1
        with self._in_end_hand:
            self._bot.end_hand(view)
        if self._log is not None:
            self._log.info(
                "hand_over", hand=view.hand_id, state=event.text.decode(), **self._notes()
            )

    def _answer(self, event: StateReceived, view: PlayerView, *, again: bool) -> bytes:
        if again:  # the answer was lost, and the dealer has been counting from its first question
            self._time.take_back()
        else:
            self._asked = self._arrived
        asked = self._clock()
        with self._in_act:
            wants_time = self.wants_time
            budget = self._time.budget(asked - self._asked) if wants_time else UNLIMITED
            action = self._act(view, budget)
        answered = self._clock()
        check_decision(self._bot, view, action, event.text)
        self._validator.answered(event.state, action)
        self.replies += 1
        if self._log is not None:
            self._log.info(
                "replied",
                hand=view.hand_id,
                state=event.text.decode(),
                action=action.text,
                seconds=round(answered - asked, 6),
                **self._notes(),
            )
        self._earliest = self._clock()
        self._time.add(self._earliest - self._asked)
        return self._end.reply(event.text, action)

    def _notes(self) -> Mapping[str, Any]:
        with self._in_notes:
            return self._bot.notes()
