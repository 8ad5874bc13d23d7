"""Tables and their seats."""

from engine.handlogs.verifying.streams import FIXED, GAPS, MAX_STREAMS, NEXT_ID, ROTATING, Streams


def test_seats_follow_from_any_hand():
    """In hand h position p is held by seat (p + h) mod n, unless seats are fixed."""
    streams = Streams(3)
    stream = streams.open(4, ("B", "C", "A"))
    assert [streams.field(stream, hand, ROTATING) for hand in (0, 1, 2, 3)] == [
        "A|B|C",
        "B|C|A",
        "C|A|B",
        "A|B|C",
    ]
    assert streams.field(stream, 9, FIXED) == "B|C|A"
    assert streams.match_names(stream, 4, ("B", "C", "A")) == ROTATING | FIXED
    assert streams.match_names(stream, 5, ("C", "A", "B")) == ROTATING
    assert streams.match_names(stream, 5, ("B", "C", "A")) == FIXED
    assert streams.match_names(stream, 5, ("A", "B", "C")) == 0
    assert streams.rows[stream, GAPS] == 4


def test_streams_are_found_by_players_in_any_order():
    """Growing keeps what is there; names may be any bytes."""
    streams = Streams(2)
    names = [(f"a\udcff{number}", f"b{number}") for number in range(40)]
    for number, pair in enumerate(names):
        stream = streams.open(number, pair)
        streams.advance(stream, number, FIXED, (1.5, -1.5))
    for number, pair in enumerate(names):
        stream = streams.find(pair[::-1])
        assert stream == number
        assert streams.rows[stream, NEXT_ID] == number + 1
        assert streams.field(stream, 0, FIXED) == "|".join(pair)
        assert streams.totals_by_seat(stream, FIXED) == [1.5, -1.5]
        assert streams.modes(stream) == [FIXED]


def test_restarting_changes_the_seats():
    """A stream that begins anew forgets its totals and may have other names in its seats."""
    streams = Streams(2)
    stream = streams.open(0, ("Ann", "Bob"))
    streams.advance(stream, 0, ROTATING, (5.0, -5.0))
    streams.seat(stream, 0, ("Bob", "Ann"))
    assert streams.field(stream, 1, ROTATING) == "Ann|Bob"
    assert streams.totals_by_seat(stream, ROTATING) == [0.0, 0.0]
    streams.seat(stream, 1, ("Christopher", "Ann"))
    assert streams.field(stream, 0, ROTATING) == "Ann|Christopher"


def test_the_number_of_streams_is_bounded():
    """A log with countless players makes old tables be forgotten, not memory run out."""
    streams = Streams(2)
    for number in range(MAX_STREAMS + 1):
        streams.open(0, (f"a{number}", "b"))
    assert streams.count == 1
