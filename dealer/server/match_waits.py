"""Whom a match in play waits for."""

import math
from collections.abc import Sequence

from dealer.server.match import Match
from dealer.server.phases import MatchPhase
from dealer.server.seat import Seat
from dealer.server.waits import Wait, WaitWatch, finite


class MatchWaits:
    """Looks at a match from outside; it is told nothing and slows nothing down."""

    def __init__(
        self, match: Match, seats: Sequence[Seat], watch: WaitWatch, reconnect_s: float
    ) -> None:
        """Look at a match.

        Args:
            match: any.
            seats: its own list, in which it replaces seats that come back.
            watch: knows the seats' names, and which of them are away.
            reconnect_s: seconds a seat may stay away.
        """
        self._match = match
        self._seats = seats
        self._watch = watch
        self._reconnect_s = reconnect_s

    def look(self) -> Wait | None:
        """Return what the match waits for right now, None while it waits for nothing."""
        match = self._match
        turn = match.turn
        phase = match.phase
        hand = match.table.hand_id
        if phase in (MatchPhase.ASKED_HELD, MatchPhase.HAND_OVER_HELD):
            slow = self._watch.who([seat.index for seat in self._seats if seat.congested])
            what = f"to read what it is sent in hand {hand}"
            return Wait(slow, what, turn.sent_at, finite(turn.until), "--t_response", True)
        if phase is not MatchPhase.ASKED:
            return None
        seat = match.table.acting_seat
        who = self._watch.who([seat])
        until, limit = turn.until, turn.limit(seat)
        lost = self._watch.away.get(seat, math.nan)
        if math.isnan(lost):
            return Wait(who, f"to act in hand {hand}", turn.sent_at, finite(until), limit, True)
        if lost + self._reconnect_s < until:
            until, limit = lost + self._reconnect_s, "--reconnect"
        return Wait(who, f"to come back in hand {hand}", lost, finite(until), limit, True)
