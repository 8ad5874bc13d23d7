"""How states are cut and joined."""

import asyncio

import pytest

from dealer.compliance.wire import (
    BetweenComments,
    ByteByByte,
    Delivery,
    JoinedStates,
    LineFeeds,
    OddCuts,
    WireTranscript,
    shown,
)


class Segments(list):
    """Takes what is sent."""

    async def send(self, data):
        self.append(data)


def delivered(way):
    """The segments in which a way delivers two states, the second of which is asked about."""
    segments = Segments()

    async def deliver():
        delivery = way(segments)
        await delivery.tell(b"first")
        await delivery.ask(b"second")
        await delivery.tell(b"last")
        await delivery.flush()

    asyncio.run(deliver())
    return segments


@pytest.mark.parametrize(
    ("way", "segments"),
    [
        (Delivery, [b"first\r\n", b"second\r\n", b"last\r\n"]),
        (LineFeeds, [b"first\n", b"second\n", b"last\n"]),
        (JoinedStates, [b"first\r\nsecond\r\n", b"last\r\n"]),
        (OddCuts, [b"first\r\nseco", b"nd\r\n", b"las", b"t\r\n"]),
        (ByteByByte, [bytes((byte,)) for byte in b"first\r\nsecond\r\nlast\r\n"]),
    ],
)
def test_each_way_has_its_segments(way, segments):
    """The bytes are the same, but for line ends."""
    assert delivered(way) == segments


def test_comments_stand_between_states():
    """A reader that passes over them sees the states alone."""
    lines = [line for line in delivered(BetweenComments) if line[:1] not in b"#;"]
    assert lines == [b"first\r\n", b"second\r\n", b"last\r\n"]
    assert len(delivered(BetweenComments)) > 6


def test_a_transcript_shows_what_was_sent_since():
    """Pieces are joined to lines; the answers are those that came after the first line shown."""
    transcript = WireTranscript()
    for data, sent in ((b"a\r\n", True), (b"x\n", False), (b"b", True), (b"c\r\nd\r\n", True)):
        transcript.note(data, sent=sent)
    transcript.note(b"y\r\n", sent=False)
    assert transcript.recent(2) == ((r"bc\r\n", r"d\r\n"), (r"y\r\n",))
    assert [line.split(" ", 1)[1] for line in map(str.strip, transcript.text().splitlines())] == [
        r"-> a\r\n", r"<- x\n", r"-> bc\r\n", r"-> d\r\n", r"<- y\r\n",
    ]  # fmt: skip
    assert shown(b"\xff\0") == r"\xff\x00"
