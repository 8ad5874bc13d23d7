"""What is remembered of a seat for a lost connection, and what a server may offer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealer.relay.seats import OfferError, SeatMemory, read_offer
from tests.helpers.http_bytes import cuts

OFFER = {
    "seat": "KEY",
    "match": 12,
    "leg": 0,
    "game": "kuhn",
    "names": ["ann", "bob"],
    "position": 1,
    "hands": 100,
    "limits": {"t_response": 1000, "reconnect": 60, "else": 1},
    "deadline": 30,
}
STATES = [b"MATCHSTATE:0:%d::Q\r\n" % hand for hand in range(5)]


def test_an_offer_is_read():
    """Limits that are not known here are left out."""
    offer = read_offer(OFFER)
    assert (offer.key, offer.name, offer.names[offer.position]) == ("KEY", "12.0", "bob")
    assert (offer.limits.t_response, offer.limits.reconnect, offer.seconds) == (1000, 60, 30.0)


@pytest.mark.parametrize(
    "change",
    [
        {"match": "../../etc"},
        {"match": "a/b"},
        {"match": ""},
        {"leg": "x"},
        {"leg": None},
        {"names": None},
        {"limits": 3},
        {"hands": "many"},
        {"deadline": "soon"},
        {"match": "m\n"},
    ],
)
def test_an_offer_that_makes_no_sense_is_told(change):
    """No file is named after it, and nothing is started."""
    with pytest.raises(OfferError):
        read_offer({**OFFER, **change})
    for key in ("seat", "match", "leg", "game", "names", "position", "hands"):
        with pytest.raises(OfferError):
            read_offer({name: value for name, value in OFFER.items() if name != key})


@given(st.data())
def test_the_bot_is_sent_whole_lines(data):
    """All of them and nothing twice, however they arrive."""
    memory, sent = SeatMemory(), b""
    for piece in data.draw(cuts(b"".join(STATES))):
        lines, back = memory.from_server(piece)
        assert not lines or lines.endswith(b"\n")
        assert not back
        sent += lines
    assert sent == b"".join(STATES)


@pytest.mark.parametrize("lost", ["question", "half", "nothing", "answer"])
def test_a_lost_connection_is_not_noticed(lost):
    """Whichever message was on the way: the bot is asked once, and the server hears the answer."""
    memory = SeatMemory()
    assert memory.greet(b"VERSION:2.0.0\r\n") == b"VERSION:2.0.0\r\n"
    assert memory.from_server(STATES[0]) == (STATES[0], b"")
    answer = STATES[1].strip() + b":c\r\n"
    if lost == "half":
        assert memory.from_server(STATES[1][:9]) == (b"", b"")
    if lost in ("nothing", "answer"):
        assert memory.from_server(STATES[1]) == (STATES[1], b"")
    if lost == "answer":
        memory.from_bot(answer)
    assert memory.come_back() == b"VERSION:2.0.0\r\n"
    shown = memory.from_server(STATES[1])
    if lost in ("question", "half"):
        assert shown == (STATES[1], b"")
    else:
        assert shown == (b"", answer if lost == "answer" else b"")
    assert memory.from_server(STATES[2]) == (STATES[2], b"")


def test_an_answer_that_comes_while_the_connection_is_lost_is_sent():
    """And one that has arrived before is not sent again, as another state follows."""
    memory = SeatMemory()
    memory.from_server(STATES[0] + STATES[1])
    memory.from_bot(b"half of an ")
    memory.come_back()
    memory.from_bot(b"answer\r\n")
    assert memory.from_server(STATES[1]) == (b"", b"half of an answer\r\n")
    memory.come_back()
    assert memory.from_server(STATES[2] + STATES[3]) == (STATES[2] + STATES[3], b"")


def test_a_line_without_an_end_is_an_error():
    """It would fill the memory."""
    memory = SeatMemory()
    for _ in range(13):
        assert memory.from_server(bytes(5000)) == (b"", b"")
    with pytest.raises(ValueError, match="without an end"):
        memory.from_server(bytes(5000))
