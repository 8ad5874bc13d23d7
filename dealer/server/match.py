"""One match being played: connects the table, the seats, the clock and the observers.

Everything happens in callbacks of the event loop, without a task switch per message: a seat's bytes
arrive, its line is judged, the action is applied, the next states go out.  `play` waits for the
end.  A seat's fault is a MatchStopped; any other exception is our bug and ends the match too.

Hands may be played in the fast lane instead, until any event reaches the match.
"""

import asyncio
import math
from collections.abc import Callable, Sequence
from enum import Enum
from functools import partial
from typing import Final

from dealer.server.clock import Clock, LoopClock
from dealer.server.endings import (
    Ending,
    MatchStopped,
    did_not_come_back,
    error_ending,
    no_action,
    out_of_time,
    state_not_sent,
)
from dealer.server.fast_lane import FastLane
from dealer.server.judge import ReplyJudge
from dealer.server.observers import AppliedAction, HandClosed, HandOver, HandStart, Observers
from dealer.server.reconnecting import ReconnectTimers, Welcome
from dealer.server.seat import Seat, SeatWatcher
from dealer.server.table import Table
from dealer.server.time_limits import MatchSettings, TimeAccounts, Turn
from dealer.server.waits import Wait, WaitWatch, finite_time
from engine.rules.replies import ReplyVerdict, read_action
from protocol.actions import Action
from protocol.events import CommentLine, EndOfStream, Event, OtherLine, Reply
from protocol.handlog import format_hand

CLOSING_SECONDS: Final = 2.0
MOST_STRAY_LINES: Final = 16
"""Other connections have their turn after so many lines of a seat without an answer."""


class MatchPhase(Enum):
    """What a match waits for."""

    STARTING = "starting"
    """To be played."""
    ASKED = "asked"
    """The reply of the seat to act."""
    ASKED_HELD = "asked, held"
    """A seat that does not read what it is sent; then the reply."""
    HAND_OVER = "hand over"
    """Nothing: the next hand comes at once, or the end."""
    HAND_OVER_HELD = "hand over, held"
    """A seat that does not read what it is sent; then the next hand."""
    IN_LANE = "in the lane"
    """The end of a visit to it, see `dealer.server.fast_lane`."""
    OVER = "over"
    """Nothing any more."""


_STARTING: Final = MatchPhase.STARTING
_ASKED: Final = MatchPhase.ASKED
_ASKED_HELD: Final = MatchPhase.ASKED_HELD
_HAND_OVER: Final = MatchPhase.HAND_OVER
_HAND_OVER_HELD: Final = MatchPhase.HAND_OVER_HELD
_IN_LANE: Final = MatchPhase.IN_LANE
_OVER: Final = MatchPhase.OVER

TRANSITIONS: Final[dict[MatchPhase, dict[str, MatchPhase]]] = {
    _STARTING: {
        "ask": _ASKED,
        "end hand": _HAND_OVER,
        "enter lane": _IN_LANE,
        "finish": _OVER,
        "stop": _OVER,
    },
    _ASKED: {"end hand": _HAND_OVER, "hold": _ASKED_HELD, "stop": _OVER},
    _ASKED_HELD: {"release": _ASKED, "stop": _OVER},
    _HAND_OVER: {
        "ask": _ASKED,
        "end hand": _HAND_OVER,
        "hold": _HAND_OVER_HELD,
        "enter lane": _IN_LANE,
        "finish": _OVER,
        "stop": _OVER,
    },
    _HAND_OVER_HELD: {"release": _HAND_OVER, "stop": _OVER},
    _IN_LANE: {"ask": _ASKED, "end hand": _HAND_OVER, "stop": _OVER},
    _OVER: {},
}
"""What may happen in a phase, and the phase it leads to."""
_HELD: Final = (_ASKED_HELD, _HAND_OVER_HELD)


class Match(SeatWatcher):
    """Plays one match with seats that are connected and have said their version."""

    def __init__(
        self,
        table: Table,
        seats: list[Seat],
        settings: MatchSettings,
        accounts: TimeAccounts,
        observers: Observers,
        clock: Clock | None = None,
    ) -> None:
        """`clock` is that of the running event loop unless given."""
        self.table = table
        self._seats = seats
        self._settings = settings
        self._accounts = accounts
        self._observers = observers
        self._clock = clock = LoopClock() if clock is None else clock
        self._judge = ReplyJudge(settings.invalid, table, accounts, observers)
        self._loop = asyncio.get_running_loop()
        self._done: asyncio.Future[None] = self._loop.create_future()
        self._phase = MatchPhase.STARTING
        self._pump_later: asyncio.Handle | None = None
        self._acting = -1
        self._actor_is_slow = False
        self.turn = Turn(clock, settings.limits, accounts, partial(self._guard, self._expire))
        self._sent_stamp = 0.0
        self._lane: FastLane | None = None
        self._reconnect_timers = ReconnectTimers(
            clock, settings.reconnect_s, lambda seat: self._fail(did_not_come_back(seat))
        )

    @property
    def phase(self) -> MatchPhase:
        """What the match waits for."""
        return self._phase

    async def play(self, welcome: Welcome | None = None, lane: FastLane | None = None) -> None:
        """Play from the table's current state to the end.  Raises MatchStopped: it ended early.

        `welcome` brings agents that come back, where the settings let them; `lane` is for
        this match.
        """
        self._lane = lane
        try:
            async with asyncio.TaskGroup() as group:
                tasks = []
                if welcome is not None and self._settings.reconnect_s > 0:
                    tasks = [group.create_task(welcome(seat.index, self)) for seat in self._seats]
                for seat in self._seats:
                    seat.watcher = self
                self._guard(self._start)
                await asyncio.wait([self._done])
                for task in tasks:
                    task.cancel()
        finally:
            self._leave_lane()
        self.turn.end()
        self._reconnect_timers.forget()
        self._done.result()

    async def close(self) -> None:
        """Close all seats, giving what was sent a moment to leave."""
        async with asyncio.TaskGroup() as group:
            for seat in self._seats:
                group.create_task(seat.aclose(self._clock, CLOSING_SECONDS))

    def interrupt(self, why: str) -> None:
        """Stop now, for the user, or for an observer from within its call."""
        self._fail(error_ending(Ending.INTERRUPTED, why))

    # What the seats tell.

    def seat_readable(self, seat: Seat) -> None:
        """Play on if the match waits for this seat."""
        if seat.index == self._acting and seat is self._seats[seat.index]:
            self._guard(self._pump)

    def seat_lost(self, seat: Seat) -> None:
        """Note a lost connection; without reconnecting it matters once the seat is needed."""
        if seat is not self._seats[seat.index] or self._phase is _OVER:
            return
        is_waiting = self._phase in _HELD
        if self._settings.reconnect_s > 0 or is_waiting:
            self._guard(partial(self._cannot_send, seat))
        if is_waiting or seat.index == self._acting:
            self._guard(self._pump)

    def seat_writable(self, seat: Seat) -> None:
        """Play on if a slow reader held the match up."""
        if self._phase in _HELD:
            self._guard(self._pump)

    # Playing.

    def _guard(self, step: Callable[[], None]) -> None:
        """Run one step; whatever it raises ends the match."""
        if self._phase is _OVER:
            return
        try:
            step()
        except Exception as error:
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        self._leave_lane()
        if self._phase is not _OVER:
            self._move("stop")
            self._done.set_exception(error)

    def _move(self, what: str) -> None:
        self._phase = TRANSITIONS[self._phase][what]

    def _start(self) -> None:
        if self.table.finished_hands >= self._settings.hands:
            self._finish()
            return
        self._begin_hand()
        self._pump()

    def _pump(self) -> None:
        """Use up what has arrived until the match has to wait, or others in the event loop do."""
        if self._pump_later is not None:
            self._pump_later.cancel()
            self._pump_later = None
        unanswered = 0
        while unanswered < MOST_STRAY_LINES:
            phase = self._phase
            if phase is _ASKED:
                seat = self._seats[self._acting]
                event = seat.end.next_event()
                if isinstance(event, Reply):
                    self._receive(seat, event.raw)
                    self._act(seat, event.raw, read_action(self.table.state, event.action))
                elif event is not None:
                    self._handle(seat, event)
                    unanswered += 1
                else:
                    return
                if seat.paused:
                    seat.resume()
            elif phase is _HAND_OVER:
                self._next_hand()
                if self._acting < 0:  # a hand without decisions
                    break
            elif phase not in _HELD or self._still_held():
                return
        self._pump_later = self._loop.call_soon(self._guard, self._pump)

    def _handle(self, seat: Seat, event: Event) -> None:
        """Handle anything but an exact echo and an action."""
        if isinstance(event, OtherLine):
            self._receive(seat, event.raw)
            verdict = self._judge.read_other(seat.index, event, self.turn.seconds)
            if verdict is None:
                self.turn.wait_again(seat.index)
            else:
                self._act(seat, event.raw, verdict)
        elif isinstance(event, CommentLine):
            self._observers.tell_received(seat.index, event.raw, self._clock)
            self.turn.wait_again(seat.index)
        elif isinstance(event, EndOfStream):
            if self._settings.reconnect_s > 0:
                self._wait_for_return(seat)
            else:
                raise no_action(Ending.DISCONNECT, seat.index, self.turn.waited())

    def _receive(self, seat: Seat, raw: bytes) -> None:
        """Record a line and the time at which it was complete."""
        self.turn.received_at = self._clock.monotonic()
        self._observers.tell_received(seat.index, raw, self._clock)

    def _act(self, seat: Seat, raw: bytes, verdict: ReplyVerdict) -> None:
        action = self._judge.take(seat.index, raw, verdict, self.turn.seconds)
        if self._phase is _OVER:  # an observer has stopped the match, here and below
            return
        seat.end.answered()
        sent = self._sent_stamp
        _apply_action(self.table, action, self._observers, sent, sent + self.turn.seconds)
        self._show_state()

    def _begin_hand(self) -> None:
        """Show the hand on the table as it stands, usually just dealt, or have it played."""
        if self._lane is not None and self._lane.takes(self._seats):
            self._move("enter lane")
            self._acting = -1
            self.turn.end()
            self._lane.enter(self._seats, self._accounts, self._go_on)
            return
        _open_hand(self.table, self._observers, self._clock)
        self._show_state()

    def _show_state(self) -> None:
        """Settle the hand if it is over, then send the state to all seats."""
        if self._phase is _OVER:
            return
        table = self.table
        self._acting = acting = table.acting_seat
        if acting < 0:
            self._move("end hand")
            _end_hand(table, self._observers)
        elif self._phase is not _ASKED:
            self._move("ask")
        self._send_state()

    def _send_state(self, first: int = 0, done: int = 0, at: float | None = None) -> None:
        """Send the state to the seats from `first` on, which has `done` bytes of it already.

        All have had it since `at`, seconds of the monotonic clock, unless that is None.
        """
        observers, acting = self._observers, self._acting
        slow = []
        for index, text in enumerate(self.table.messages()):
            seat = self._seats[index]
            message = text.encode()
            data = seat.end.ask(message) if index == acting else seat.end.tell(message)
            if index < first:
                continue
            if not seat.send(data[done:] if index == first else data):
                self._cannot_send(seat)
            elif observers.state_sent:
                observers.tell_sent(index, data, self._clock)
            if seat.congested:
                slow.append(index)
        if self._phase is _OVER:
            return
        if slow:
            self._move("hold")
        self.turn.begin(acting, slow, at)
        if at is None and observers.action_applied:
            self._sent_stamp = self._clock.wall()

    def _next_hand(self) -> None:
        """After a finished hand: the next one, or the end of the match."""
        table = self.table
        _close_hand(table, self._observers, self._accounts.match)
        if self._phase is _OVER:
            return
        if table.finished_hands >= self._settings.hands:
            self._finish()
            return
        table.next_hand()
        self._accounts.new_hand()
        self._begin_hand()

    def _finish(self) -> None:
        self._observers.tell_finished(self._clock)
        if self._phase is not _OVER:
            self._move("finish")
            self._done.set_result(None)

    # The lane.

    def _go_on(self) -> None:
        """Play on where the lane has ended, now or some time before."""
        self._leave_lane()
        self._guard(self._pump)

    def _leave_lane(self) -> None:
        """Take the match back from the lane, if it is there, without playing on."""
        if self._lane is not None and self._lane.playing:
            self._guard(partial(self._return_from, self._lane))

    def _return_from(self, lane: FastLane) -> None:
        """Continue from the lane's end, and do the rest of what it could not finish."""
        end = lane.bring_back(self._seats, self._accounts)
        if self._phase is _OVER:  # an observer has stopped the match
            return
        self._acting = acting = self.table.acting_seat
        self._sent_stamp = end.asked_at_wall
        self._move("ask" if acting >= 0 or end.sent < 0 else "end hand")
        if end.sent < 0:
            self._show_state()
        else:
            self._send_state(end.sent, end.done, end.asked_at)

    # Waiting.

    def current_wait(self, watch: WaitWatch) -> Wait | None:
        """Return what the match waits for right now, None while it waits for nothing."""
        turn, hand = self.turn, self.table.hand_id
        if self._phase in _HELD:
            slow = watch.who([seat.index for seat in self._seats if seat.congested])
            what = f"to read what it is sent in hand {hand}"
            return Wait(slow, what, turn.sent_at, finite_time(turn.until), "--t_response", True)
        if self._phase is not _ASKED:
            return None
        seat = self.table.acting_seat
        who, until, limit = watch.who([seat]), turn.until, turn.limit(seat)
        lost = watch.away.get(seat, math.nan)
        if math.isnan(lost):
            what = f"to act in hand {hand}"
            return Wait(who, what, turn.sent_at, finite_time(until), limit, True)
        if (back := lost + self._settings.reconnect_s) < until:
            until, limit = back, "--reconnect"
        return Wait(who, f"to come back in hand {hand}", lost, finite_time(until), limit, True)

    def _still_held(self) -> bool:
        """Return whether the match waits for a seat that does not read what it is sent.

        That time is charged to nobody else: their wait begins when it is over.
        """
        slow = [seat.index for seat in self._seats if seat.congested]
        self._actor_is_slow |= self._acting in slow
        if slow:
            return True
        if not self._actor_is_slow:
            self.turn.begin(self._acting)
        self._actor_is_slow = False
        self._move("release")
        return False

    def _expire(self) -> None:
        if slow := [seat.index for seat in self._seats if seat.congested]:
            raise state_not_sent(Ending.TIMEOUT, slow[0])
        if self.turn.on_budget:
            raise out_of_time(self._acting)
        raise no_action(Ending.TIMEOUT, self._acting, self.turn.waited())

    # Seats that go and come back.

    def _cannot_send(self, seat: Seat) -> None:
        if self._settings.reconnect_s > 0:
            self._wait_for_return(seat)
            return
        raise state_not_sent(Ending.DISCONNECT, seat.index)

    def _wait_for_return(self, seat: Seat) -> None:
        """Start the time in which a lost seat must be back."""
        if self._reconnect_timers.begin(seat.index):
            for tell in self._observers.seat_lost:
                tell(seat.index, self.table.hand_id)

    def owner(self, index: int) -> Seat:
        """Return whose seat it is."""
        return self._seats[index]

    def admit(self, seat: Seat) -> bool:
        """Seat a newcomer; return False when the match is over."""
        self._leave_lane()
        self._guard(partial(self._take_over, seat))
        return self._seats[seat.index] is seat

    def refuse(self, index: int, why: MatchStopped) -> None:
        """Tell the observers of a newcomer that was sent away."""
        for tell in self._observers.newcomer_refused:
            self._guard(partial(tell, index, why.end.detail))

    def _take_over(self, seat: Seat) -> None:
        """Put a returned agent in its seat and show it where the hand stands.

        If the seat is to act its time continues: the question is the one it was asked before.
        """
        index = seat.index
        old, self._seats[index] = self._seats[index], seat
        seat.watcher = self
        old.abort()
        self._reconnect_timers.end(index)
        table = self.table
        for tell in self._observers.seat_reconnected:
            tell(index, table.hand_id)
        message = table.messages()[index].encode("ascii")
        data = seat.end.ask(message) if index == self._acting else seat.end.tell(message)
        seat.send(data)
        self._observers.tell_sent(index, data, self._clock)
        if seat.congested and self._phase not in (*_HELD, _OVER):
            self._move("hold")
        self._pump()  # releases the match if the old connection held it


# What the observers are told of a hand, from its beginning to its end.


def _open_hand(table: Table, observers: Observers, clock: Clock) -> None:
    """Tell the observers of the hand on the table, and take the actions that it is given with, if
    any.

    The dealer takes these itself; nobody is asked or shown them one by one.  The log and the
    transaction file have them as if played in no time.
    """
    if observers.hand_started:
        seats = tuple(map(table.seat_of, range(table.game.players)))
        hand = HandStart(table.hand_id, seats, table.deal, table.state)
        for tell_started in observers.hand_started:
            tell_started(hand)
    now = clock.wall()
    for action in table.opening():
        _apply_action(table, action, observers, now, now)


def _apply_action(
    table: Table, action: Action, observers: Observers, sent: float, received: float
) -> None:
    """Apply the acting seat's action, and tell observers; times are those of `AppliedAction`."""
    seat = table.acting_seat
    table.apply(action)
    if observers.action_applied:
        applied = AppliedAction(seat, table.hand_id, action, table.state, sent, received)
        for tell in observers.action_applied:
            tell(applied)


def _end_hand(table: Table, observers: Observers) -> None:
    """Settle the finished hand on the table, and tell the observers its result."""
    record = table.result()
    hand = HandOver(table.hand_id, format_hand(record), table.values)
    for tell in observers.hand_over:
        tell(hand)
    table.settle()
    observers.tell_played(record)


def _close_hand(table: Table, observers: Observers, seconds: Sequence[float]) -> None:
    """Tell all that every seat was sent the end of the hand; `seconds` were used per seat."""
    if observers.hand_closed:
        hand = HandClosed(table.hand_id, tuple(table.totals), tuple(seconds))
        for tell in observers.hand_closed:
            tell(hand)
