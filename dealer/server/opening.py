"""The beginning of a hand that is given with betting: the dealer takes these actions itself."""

from dealer.server.clock import Clock
from dealer.server.observers import AppliedAction, Observers
from dealer.server.table import Table


def play_opening(table: Table, observers: Observers, clock: Clock) -> None:
    """Take the actions that a given hand begins with; nobody is asked or shown them one by one.

    They are in the log and in the transaction file as if they had been played in no time.
    """
    now = clock.wall()
    for action in table.opening():
        seat = table.acting_seat
        table.apply(action)
        applied = AppliedAction(seat, table.hand_id, action, table.state, now, now)
        for tell in observers.action_applied:
            tell(applied)
