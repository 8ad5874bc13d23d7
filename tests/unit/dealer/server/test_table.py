"""The poker side of a match."""

import pytest

from dealer.server.table import Table
from protocol.actions import CALL, FOLD, raise_to
from protocol.gamedefs import load_builtin
from protocol.handlog import format_hand


def hunl(**options) -> Table:
    return Table(load_builtin("hunl"), 42, ["Alice", "Bob"], **options)


def test_the_button_moves_one_seat_a_hand():
    """In hand 1 the first seat is position 1 and opens."""
    table = hunl()
    table.apply(FOLD)
    assert format_hand(table.result()) == "STATE:0:f:7d3d|2hAc:50|-50:Alice|Bob"
    assert table.finished_hands == 0
    table.settle()
    table.next_hand()
    assert table.messages() == ["MATCHSTATE:1:1::|3d3h", "MATCHSTATE:0:1::9h6s|"]
    assert table.acting_seat == 0
    table.apply(FOLD)
    assert format_hand(table.result()) == "STATE:1:f:9h6s|3d3h:50|-50:Bob|Alice"
    table.settle()
    assert table.score() == "SCORE:0|0:Alice|Bob"


@pytest.mark.parametrize("fixed", [False, True])
def test_a_hand_is_read_back_from_its_line(fixed):
    """Of this hand or one before; names may hold what the line divides them by."""
    names = ("A|B", "C:D # 12.5", "")
    table = Table(load_builtin("nolimit3"), 1, names, fixed_seats=fixed)
    lines = []
    for _ in range(4):
        while table.acting_seat >= 0:
            table.apply(FOLD)
        lines.append(format_hand(table.result()))
        table.next_hand()
    hands = [table.hand_in(line) for line in lines]
    assert [hand.hand_id for hand in hands] == [0, 1, 2, 3]
    assert [format_hand(hand) for hand in hands] == lines
    assert hands[1].names == (names if fixed else ("C:D # 12.5", "", "A|B"))
    assert hands[1].betting == "ff"
    assert sum(map(int, hands[1].values)) == 0


@pytest.mark.parametrize("fixed", [False, True])
def test_seats_and_positions_are_each_others_inverse(fixed):
    """In every hand, further than once around the table, each seat has one position."""
    table = Table(load_builtin("nolimit3"), 1, ["A", "B", "C"], fixed_seats=fixed)
    for hand in range(7):
        moved = 0 if fixed else hand
        for position in range(3):
            seat = (position + moved) % 3
            assert table.seat_of(position) == seat
            assert table.position_of(seat) == position
        assert [
            f"MATCHSTATE:{table.position_of(seat)}:{hand}:" in text
            for seat, text in enumerate(table.messages())
        ] == [True] * 3
        table.next_hand()


def test_a_showdown_is_settled_and_shown():
    """All-in before the flop: the whole board, both hands, 20000 chips."""
    table = hunl()
    table.apply(raise_to(20000))
    table.apply(CALL)
    cards = "7d3d|2hAc/5sKs7s/9s/6h"
    assert table.messages() == [f"MATCHSTATE:{p}:0:r20000c///:{cards}" for p in range(2)]
    assert format_hand(table.result()) == f"STATE:0:r20000c///:{cards}:20000|-20000:Alice|Bob"
    table.settle()
    assert table.totals == [20000.0, -20000.0]
    assert table.finished_hands == 1


@pytest.mark.parametrize("hand", [0, 40])
def test_a_table_goes_on_where_another_has_played_on_to(hand):
    """Hand, cards, betting and what comes after are those of a table that played all hands."""
    table, other = hunl(), hunl()
    for _ in range(hand):
        other.next_hand()
    other.apply(raise_to(300))
    table.play_on_to(hand, [raise_to(300)])
    assert table.messages() == other.messages()
    assert table.acting_seat == other.acting_seat
    for each in (table, other):
        each.next_hand()
    assert table.messages() == other.messages()
