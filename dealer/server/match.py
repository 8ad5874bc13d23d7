"""One match being played: connects the table, the seats, the clocks and the records.

Everything happens in callbacks of the event loop, without a task switch per message: a seat's
bytes arrive, its line is judged, the action is applied, the next states go out.  `play` waits for
the end.  A seat's fault is a MatchStopped; any other exception is our bug and ends the match too.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import isinf
from time import monotonic
from time import time as wall_clock
from typing import Final

from dealer.server.deadline import Deadline
from dealer.server.endings import Ending, MatchEnd, MatchStopped, stopped
from dealer.server.event_log import EventLog
from dealer.server.judge import Fates, Line
from dealer.server.listener import Ports
from dealer.server.newcomers import welcome_newcomers
from dealer.server.recorder import Recorder
from dealer.server.seat import Seat, SeatWatcher
from dealer.server.table import Table
from dealer.server.time_limits import TimeAccounts, TimeLimits
from engine.rules.replies import Echo, Reading, read_action, split_reply, unreadable
from protocol.events import CommentLine, EndOfStream, Event, OtherLine, Reply

CLOSING_SECONDS: Final = 2.0
"""How long the last messages may take to leave when a match is over."""


@dataclass(frozen=True, slots=True)
class MatchSettings:
    """How one match is to be played."""

    hands: int
    limits: TimeLimits
    invalid: str = "fix"
    """What becomes of an unreadable or illegal action: fix, call, fold or forfeit."""
    reconnect_s: float = 0.0
    """Seconds a lost seat may stay away; 0: not at all."""


class Match(SeatWatcher):
    """Plays one match with seats that are connected and have said their version."""

    def __init__(
        self,
        table: Table,
        seats: list[Seat],
        settings: MatchSettings,
        accounts: TimeAccounts,
        recorder: Recorder,
        events: EventLog,
    ) -> None:
        self.table = table
        self._seats = seats
        self._settings = settings
        self._accounts = accounts
        self._recorder = recorder
        self._events = events
        self._fates = Fates(len(seats), settings.invalid, recorder, events)
        self._loop = asyncio.get_running_loop()
        self._done: asyncio.Future[None] = self._loop.create_future()
        self._acting = -1
        self._held = False
        self._actor_is_slow = False
        self._away: dict[int, asyncio.TimerHandle] = {}
        self._sent_at = 0.0
        self._sent_stamp = 0.0
        self._received_at = 0.0
        self._read_start = 0.0
        self._on_budget = False
        self._deadline = Deadline(lambda: self._guard(self._expire))

    @property
    def warnings(self) -> list[Counter[str]]:
        """Per seat: how many replies met which fate other than being accepted."""
        return self._fates.counts

    async def play(self, ports: Ports) -> None:
        """Play from the table's current state to the end of the match.

        `ports` are needed for seats that come back.

        Raises:
            MatchStopped: the match ended early.
        """
        readmitting = self._settings.reconnect_s > 0
        async with asyncio.TaskGroup() as group:
            tasks = [
                group.create_task(
                    welcome_newcomers(ports, index, self._admit, partial(self._refuse, index))
                )
                for index in range(len(self._seats))
                if readmitting
            ]
            for seat in self._seats:
                seat.watcher = self
            self._guard(self._start)
            await asyncio.wait([self._done])
            for task in tasks:
                task.cancel()
        self._deadline.cancel()
        for timer in self._away.values():
            timer.cancel()
        self._done.result()

    async def close(self) -> None:
        """Close all seats, giving what was sent a moment to leave."""
        async with asyncio.TaskGroup() as group:
            for seat in self._seats:
                group.create_task(seat.aclose(CLOSING_SECONDS))

    def interrupt(self, why: str) -> None:
        """Stop now: the user wants it."""
        if not self._done.done():
            end = MatchEnd(Ending.INTERRUPTED, why)
            self._done.set_exception(MatchStopped(end, f"ERROR: {why}"))

    # What the seats tell.

    def seat_readable(self, seat: Seat) -> None:
        """Go on if the match waits for this seat."""
        if seat.index == self._acting and seat is self._seats[seat.index]:
            try:
                self._pump()
            except Exception as error:
                self._fail(error)

    def seat_lost(self, seat: Seat) -> None:
        """Note a lost connection; without reconnecting it matters once the seat is needed."""
        if seat is not self._seats[seat.index] or self._done.done():
            return
        if self._settings.reconnect_s > 0 or self._held:
            self._guard(lambda: self._cannot_send(seat))
        if self._held or seat.index == self._acting:
            self._guard(self._pump)

    def seat_writable(self, seat: Seat) -> None:
        """Go on if a slow reader held the match up."""
        if self._held:
            self._guard(self._pump)

    # Playing.

    def _guard(self, step: Callable[[], None]) -> None:
        """Run one step; whatever it raises ends the match."""
        if self._done.done():
            return
        try:
            step()
        except Exception as error:
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        if not self._done.done():
            self._done.set_exception(error)

    def _start(self) -> None:
        if self.table.finished_hands >= self._settings.hands:
            self._finish()
            return
        self._show_state()
        self._pump()

    def _pump(self) -> None:
        """Use up what has arrived until the match has to wait."""
        while not self._done.done():
            if self._held and self._still_held():
                return
            if self._acting < 0:
                self._next_hand()
                if self._acting < 0:  # a hand without decisions: let the event loop look around
                    self._loop.call_soon(self._guard, self._pump)
                    return
                continue
            seat = self._seats[self._acting]
            event = seat.end.next_event()
            if isinstance(event, Reply):
                self._receive(seat, event.raw)
                self._act(seat, event.raw, read_action(self.table.state, event.action))
            elif event is not None:
                self._handle(seat, event)
            else:
                return
            if seat.paused:
                seat.resume()

    def _handle(self, seat: Seat, event: Event) -> None:
        """Deal with anything but an exact echo and an action."""
        if isinstance(event, OtherLine):
            self._judge(seat, event)
        elif isinstance(event, CommentLine):
            self._recorder.received(seat.index, wall_clock(), event.raw)
            self._wait_again(seat)
        elif isinstance(event, EndOfStream):
            if self._settings.reconnect_s > 0:
                self._wait_for_return(seat)
            else:
                raise self._no_action(Ending.DISCONNECT)

    def _receive(self, seat: Seat, raw: bytes) -> None:
        """Note a line and when it was complete."""
        self._received_at = monotonic()
        if self._recorder.verbose:
            self._recorder.received(seat.index, wall_clock(), raw)

    def _judge(self, seat: Seat, event: OtherLine) -> None:
        """Deal with a line that is no exact echo of the state."""
        table = self.table
        self._receive(seat, event.raw)
        echo, action = split_reply(
            event.text, table.state, table.hand_id, table.state.actor, table.deal
        )
        if echo is Echo.SAME:
            reading = unreadable() if action is None else read_action(table.state, action)
            self._act(seat, event.raw, reading)
            return
        if not self._accounts.allows(seat.index, self._received_at - self._sent_at):
            raise self._too_late(seat, event.raw)
        self._fates.ignore(self._line(seat, event.raw), echo)
        self._wait_again(seat)

    def _act(self, seat: Seat, raw: bytes, reading: Reading) -> None:
        """Apply the action that a reply stands for, and show everybody."""
        if not self._accounts.charge(seat.index, self._received_at - self._sent_at):
            raise self._too_late(seat, raw)
        table = self.table
        action = reading.action
        if reading.problem is not None:
            line = self._line(seat, raw)
            action = self._fates.correct(line, reading, reading.problem, table.state)
        elif self._fates.reports_all:
            self._fates.accept(self._line(seat, raw), action)
        if self._recorder.keeps_transactions:
            received = self._sent_stamp + (self._received_at - self._sent_at)
            self._recorder.transaction(action.text, table.hand_id, self._sent_stamp, received)
        seat.end.answered()
        table.apply(action)
        self._show_state()

    def _too_late(self, seat: Seat, raw: bytes) -> MatchStopped:
        self._fates.too_late(self._line(seat, raw))
        return self._out_of_time(seat.index)

    def _line(self, seat: Seat, raw: bytes) -> Line:
        name = self.table.names[seat.index]
        seconds = self._received_at - self._sent_at
        return Line(seat.index, name, self.table.hand_id, raw, seconds)

    def _show_state(self) -> None:
        """Log the hand if it is over, then send the state to all seats."""
        table = self.table
        recorder = self._recorder
        self._acting = acting = table.acting_seat
        if acting < 0:
            recorder.log(table.result())
            table.settle()
        for index, text in enumerate(table.messages()):
            seat = self._seats[index]
            message = text.encode()
            data = seat.end.ask(message) if index == acting else seat.end.tell(message)
            if not seat.send(data):
                self._cannot_send(seat)
            elif recorder.verbose:
                recorder.sent(index, wall_clock(), data)
            if seat.congested:
                self._held = True
        self._sent_at = now = monotonic()
        if recorder.keeps_transactions:
            self._sent_stamp = wall_clock()
        self._wait_until(now, now + self._settings.limits.response)

    def _next_hand(self) -> None:
        """After a finished hand: the next one, or the end of the match."""
        table = self.table
        if self._recorder.verbose and table.hand_id % 100 == 0:
            for seat, used in enumerate(self._accounts.match):
                self._recorder.verbose_line(
                    f"Seconds cumulatively spent in match for seat {seat}: {int(used)}"
                )
        if self._events.enabled:
            self._events.emit("hand_over", hand=table.hand_id, totals=list(table.totals))
        if table.finished_hands >= self._settings.hands:
            self._finish()
            return
        table.next_hand()
        self._accounts.new_hand()
        self._show_state()

    def _finish(self) -> None:
        self._recorder.verbose_line(f"FINISHED at {wall_clock():.6f}")
        self._done.set_result(None)

    # Waiting.

    def _wait_again(self, seat: Seat) -> None:
        """After a line that was no answer: a new wait, but no longer than the seat has time."""
        now = monotonic()
        response = now + self._settings.limits.response
        budget = self._sent_at + self._accounts.left(seat.index)
        self._wait_until(now, min(response, budget), on_budget=budget < response)

    def _still_held(self) -> bool:
        """Return whether a seat that does not read what it is sent holds the match up.

        The time that takes is charged to nobody else: their wait begins when it is over.
        """
        slow = [seat.index for seat in self._seats if seat.congested]
        self._actor_is_slow |= self._acting in slow
        if slow:
            return True
        if not self._actor_is_slow:
            self._sent_at = now = monotonic()
            self._wait_until(now, now + self._settings.limits.response)
        self._held = self._actor_is_slow = False
        return False

    def _wait_until(self, now: float, deadline: float, *, on_budget: bool = False) -> None:
        """Wait for the acting seat from `now` until `deadline`, both on the monotonic clock.

        `on_budget` says that it is the hand's or the match's time that ends then.
        """
        self._on_budget = on_budget
        self._read_start = now
        self._deadline.set(deadline)

    def _expire(self) -> None:
        for seat in self._seats:
            if seat.congested:
                words = f"could not send state to seat {seat.index + 1}"
                raise stopped(Ending.TIMEOUT, words, seat.index)
        if self._on_budget:
            raise self._out_of_time(self._acting)
        raise self._no_action(Ending.TIMEOUT)

    def _no_action(self, ending: Ending) -> MatchStopped:
        waited = monotonic() - self._read_start
        words = f"could not get action from seat {self._acting + 1}"
        limit = self._settings.limits.response
        times = f"{waited:.1f} seconds spent waiting; timeout {-0.0 if isinf(limit) else limit:.1f}"
        return MatchStopped(MatchEnd(ending, words, self._acting), f"ERROR: {words}", times)

    def _out_of_time(self, seat: int) -> MatchStopped:
        return stopped(Ending.TIMEOUT, f"seat {seat + 1} ran out of time", seat)

    # Seats that go and come back.

    def _cannot_send(self, seat: Seat) -> None:
        if self._settings.reconnect_s > 0:
            self._wait_for_return(seat)
            return
        words = f"could not send state to seat {seat.index + 1}"
        raise stopped(Ending.DISCONNECT, words, seat.index)

    def _wait_for_return(self, seat: Seat) -> None:
        """Start the time in which a lost seat must be back."""
        if seat.index in self._away:
            return
        self._events.emit("lost", seat=seat.index + 1, hand=self.table.hand_id)

        def give_up() -> None:
            words = f"seat {seat.index + 1} did not come back"
            raise stopped(Ending.DISCONNECT, words, seat.index)

        self._away[seat.index] = self._loop.call_later(
            self._settings.reconnect_s, self._guard, give_up
        )

    def _admit(self, seat: Seat) -> bool:
        self._guard(lambda: self._take_over(seat))
        return self._seats[seat.index] is seat

    def _refuse(self, index: int, why: MatchStopped) -> None:
        reason = why.end.detail
        self._guard(lambda: self._events.emit("refused", seat=index + 1, reason=reason))

    def _take_over(self, seat: Seat) -> None:
        """Put a returned agent in its seat and show it where the hand stands."""
        index = seat.index
        old = self._seats[index]
        self._seats[index] = seat
        seat.watcher = self
        old.abort()
        timer = self._away.pop(index, None)
        if timer is not None:
            timer.cancel()
        table = self.table
        self._recorder.log(f"# reconnect seat {index + 1} hand {table.hand_id}")
        self._events.emit("reconnected", seat=index + 1, hand=table.hand_id)
        message = table.messages()[index].encode("ascii")
        data = seat.end.ask(message) if index == self._acting else seat.end.tell(message)
        seat.send(data)
        self._recorder.sent(index, wall_clock(), data)
        self._held = any(other.congested for other in self._seats)
        self._pump()
