"""Whom a match in play waits for."""

import math
from collections.abc import Sequence

from dealer.server.match import Match
from dealer.server.phases import MatchPhase
from dealer.server.seat import Seat
from dealer.server.waits import Wait, WaitWatch, finite_time


def match_wait(
    match: Match, seats: Sequence[Seat], watch: WaitWatch, reconnect_s: float
) -> Wait | None:
    """Return what a match waits for right now, None while it waits for nothing.

    Args:
        seats: the match's own list, in which it replaces seats that come back.
        reconnect_s: seconds a seat may stay away.
    """
    turn = match.turn
    phase = match.phase
    hand = match.table.hand_id
    if phase in (MatchPhase.ASKED_HELD, MatchPhase.HAND_OVER_HELD):
        slow = watch.who([seat.index for seat in seats if seat.congested])
        what = f"to read what it is sent in hand {hand}"
        return Wait(slow, what, turn.sent_at, finite_time(turn.until), "--t_response", True)
    if phase is not MatchPhase.ASKED:
        return None
    seat = match.table.acting_seat
    who = watch.who([seat])
    until, limit = turn.until, turn.limit(seat)
    lost = watch.away.get(seat, math.nan)
    if math.isnan(lost):
        return Wait(who, f"to act in hand {hand}", turn.sent_at, finite_time(until), limit, True)
    if lost + reconnect_s < until:
        until, limit = lost + reconnect_s, "--reconnect"
    return Wait(who, f"to come back in hand {hand}", lost, finite_time(until), limit, True)
