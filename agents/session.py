"""One bot's side of a match: the dealer's bytes in, the bot's answers out.  No sockets.

The state of a hand is carried from message to message, so each one costs only its new actions.
"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Final

from agents.errors import BadDecision, GameMismatch, NotADealer
from agents.time_limits import NO_LIMITS, AnswerLimits, TimeUsed
from engine.play.budget import with_budget
from engine.rules.view import PlayerView, view_from_match_state
from protocol.agent_end import AgentEnd
from protocol.errors import ProtocolError
from protocol.events import StateReceived

if TYPE_CHECKING:
    from collections.abc import Callable

    from agents.bot import Bot
    from agents.log import Log
    from protocol.gamedef import GameDef

_QUOTED: Final = 120
"""Most characters of a message that an error quotes."""


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
    ) -> None:
        """Seat a bot.

        Args:
            bot: warmed up and started.
            game: the dealer's.
            log: gets the bot's answers and the ends of hands.
            limits: the dealer's, for bots whose `act` takes a budget.
            clock: seconds from any start.
        """
        self._bot = bot
        self._act = with_budget(bot.act)
        self._game = game
        self._log = log
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

    def connected(self) -> bytes:
        """Return the first bytes to send on a new connection.

        The dealer may have begun again: no state needs to follow on from the last one.  As far as
        time goes it is taken to be the one that was there before, whose clock ran on: what it asks
        first may have been asked since the last that was heard of it.
        """
        self._end = AgentEnd()
        self._back = self.started
        if not self._back:
            self._earliest = self._clock()
        return self._end.start()

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
            data: what came.
            waited: whether it had to be waited for.  If not, nobody knows how long it had lain
                there; the time is then counted from the earliest moment at which it may have
                come: when the bytes before it were taken, or the answer before it was given.

        Raises:
            GameMismatch: a state is none of the game the bot was started for.
            NotADealer: a line is not of this protocol.
            BadDecision: the bot returned an illegal action.
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
        message = event.state
        last = self._view
        try:
            view = view_from_match_state(self._game, message, last.state if last else None)
        except ProtocolError as error:
            raise GameMismatch(
                f"the dealer plays another game than {describe(self._game)}: it sent "
                f"{event.text[:_QUOTED].decode('ascii', 'replace')} ({_reason(error)}); "
                "--game must name the dealer's game"
            ) from error
        goes_on = last is not None and view.continues(last)
        repeated = goes_on and last is not None and len(view.history) == len(last.history)
        if not goes_on:
            self._time.new_hand()
        self._view = view
        if view.my_turn:
            return self._answer(event, view, again=repeated)
        if not repeated:
            self._follow(event, view)
        return b""

    def _follow(self, event: StateReceived, view: PlayerView) -> None:
        """Let the bot see what it need not answer."""
        if not view.state.over:
            self._bot.observe(view)
            return
        self.hands += 1
        self._bot.end_hand(view)
        if self._log is not None:
            self._log.info(
                "hand_over", hand=view.hand_id, state=event.text.decode(), **self._bot.notes()
            )

    def _answer(self, event: StateReceived, view: PlayerView, *, again: bool) -> bytes:
        if again:  # the answer was lost, and the dealer has been counting from its first question
            self._time.take_back()
        else:
            self._asked = self._arrived
        asked = self._clock()
        action = self._act(view, self._time.budget(asked - self._asked))
        answered = self._clock()
        if not view.state.is_legal(action):
            raise BadDecision(f"the bot answered {action.text} to {event.text.decode()}: illegal")
        self.replies += 1
        if self._log is not None:
            self._log.info(
                "replied",
                hand=view.hand_id,
                state=event.text.decode(),
                action=action.text,
                seconds=round(answered - asked, 6),
                **self._bot.notes(),
            )
        self._earliest = self._clock()
        self._time.add(self._earliest - self._asked)
        return self._end.reply(event.text, action)


def describe(game: GameDef) -> str:
    """Return the main facts of a game in one line."""
    kind = "no-limit" if game.no_limit else "limit"
    blinds = "/".join(map(str, game.blinds))
    board = "+".join(map(str, game.board_cards))
    facts = (
        f"{kind} for {game.players} players, {game.hole_cards} hole cards, board {board}, "
        f"blinds {blinds}"
    )
    if not game.no_limit:
        return facts
    stacks = game.stacks[:1] if len(set(game.stacks)) == 1 else game.stacks
    return f"{facts}, stacks {'/'.join(map(str, stacks))}"


def _reason(error: ProtocolError) -> str:
    """Return the first cause of `error` in words."""
    cause = error.__cause__ or error
    return str(cause)
