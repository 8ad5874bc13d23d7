"""What the observers are told of a hand, from its beginning to its end."""

from collections.abc import Sequence

from dealer.server.clock import Clock
from dealer.server.observers import AppliedAction, HandClosed, HandOver, HandStart, Observers
from dealer.server.table import Table
from protocol.actions import Action


def open_hand(table: Table, observers: Observers, clock: Clock) -> None:
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
        apply_action(table, action, observers, now, now)


def apply_action(
    table: Table, action: Action, observers: Observers, sent: float, received: float
) -> None:
    """Apply the acting seat's action, and tell observers; times are those of `AppliedAction`."""
    seat = table.acting_seat
    table.apply(action)
    if observers.action_applied:
        applied = AppliedAction(seat, table.hand_id, action, table.state, sent, received)
        for tell in observers.action_applied:
            tell(applied)


def end_hand(table: Table, observers: Observers) -> None:
    """Settle the finished hand on the table, and tell the observers its result."""
    line = table.result()
    hand = HandOver(table.hand_id, line, table.values)
    for tell in observers.hand_over:
        tell(hand)
    table.settle()
    tell_played(line, table, observers)


def tell_played(line: str, table: Table, observers: Observers) -> None:
    """Tell those who hear of whole hands of one, given by its line for the match log."""
    if observers.hand_played:
        hand = table.hand_in(line)
        for tell in observers.hand_played:
            tell(hand)


def close_hand(table: Table, observers: Observers, seconds: Sequence[float]) -> None:
    """Tell all that every seat was sent the end of the hand; `seconds` were used per seat."""
    if observers.hand_closed:
        hand = HandClosed(table.hand_id, tuple(table.totals), tuple(seconds))
        for tell in observers.hand_closed:
            tell(hand)
