"""A match that is played in the fast lane where it can be, and in the readable path elsewhere."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from dealer.lane.layout import ASKED, HAND_DONE, MESSAGE_CUT
from dealer.server.match import Match

if TYPE_CHECKING:
    from dealer.server.clock import Clock
    from dealer.server.fast_lane import FastLane
    from dealer.server.newcomers import Welcome
    from dealer.server.observers import Observers
    from dealer.server.seat import Seat
    from dealer.server.settings import MatchSettings
    from dealer.server.table import Table
    from dealer.server.time_limits import TimeAccounts


class LaneMatch(Match):
    """A match with a lane.  Whatever reaches it while the lane plays has the lane left first."""

    def __init__(
        self,
        table: Table,
        seats: list[Seat],
        settings: MatchSettings,
        accounts: TimeAccounts,
        observers: Observers,
        clock: Clock,
        lane: FastLane,
    ) -> None:
        """`lane` is of the same match."""
        super().__init__(table, seats, settings, accounts, observers, clock)
        self._lane = lane

    async def play(self, welcome: Welcome | None = None) -> None:
        """Play, see `Match.play`."""
        try:
            await super().play(welcome)
        finally:
            self._recall()

    def admit(self, seat: Seat) -> bool:
        """Seat a newcomer, see `Match.admit`."""
        self._recall()
        return super().admit(seat)

    def _fail(self, error: Exception) -> None:
        self._recall()
        super()._fail(error)

    def _begin_hand(self) -> None:
        if not self._lane.takes(self._seats):
            super()._begin_hand()
            return
        self._move("enter lane")
        self._acting = -1
        self.turn.end()
        self._lane.enter(self._seats, self._accounts, partial(self._guard, self._resume))

    def _recall(self) -> None:
        """Have the match out of the lane, without playing on."""
        if self._lane.playing:
            self._guard(self._leave_lane)

    def _resume(self) -> None:
        """Play on where the lane was left; called some time after the lane has ended by itself."""
        if self._lane.playing:
            self._leave_lane()
        self._pump()

    def _leave_lane(self) -> None:
        """Stand where the lane ends, and do the rest of what it could not finish."""
        table = self.table
        found = self._lane.bring_back(self._seats, self._accounts)
        self._acting = acting = table.acting_seat
        self._sent_stamp = found.asked_at_wall
        if found.why == HAND_DONE:
            self._move("end hand")
        elif found.why == ASKED:
            self._move("ask")
            self._seats[acting].end.ask(table.messages()[acting].encode())
            self.turn.begin(acting, at=found.asked_at)
        elif found.why == MESSAGE_CUT:
            self._move("ask" if acting >= 0 else "end hand")
            self._send_state(found.seat, found.done)
        else:
            self._move("ask")
            self._show_state()
