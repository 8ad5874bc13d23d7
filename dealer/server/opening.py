"""The beginning of a hand, before anybody is shown it."""

from dealer.server.clock import Clock
from dealer.server.observers import AppliedAction, HandStart, Observers
from dealer.server.table import Table


def open_hand(table: Table, observers: Observers, clock: Clock) -> None:
    """Tell all of the hand on the table, and take the actions that it is given with, if any.

    The dealer takes these itself; nobody is asked or shown them one by one.  They are in the log
    and in the transaction file as if they had been played in no time.
    """
    if observers.hand_started:
        seats = tuple(map(table.seat_of, range(table.game.players)))
        hand = HandStart(table.hand_id, seats, table.deal, table.state)
        for tell_started in observers.hand_started:
            tell_started(hand)
    now = clock.wall()
    for action in table.opening():
        seat = table.acting_seat
        table.apply(action)
        applied = AppliedAction(seat, table.hand_id, action, table.state, now, now)
        for tell in observers.action_applied:
            tell(applied)
