"""The line between two processes: documents in order, each with its file, and its end."""

import asyncio
import os
import resource
import socket

import pytest

from dealer.hub.channel import Channel


class Ends:
    """Two ends of a line, what comes to the second, and that the first one is gone."""

    def __init__(self):
        ours, theirs = socket.socketpair()
        self.heard = asyncio.Queue()
        self.closed = asyncio.Queue()
        self.first = Channel(ours, lambda *_: None, lambda: self.closed.put_nowait("first"))
        self.second = Channel(
            theirs,
            lambda *parts: self.heard.put_nowait(parts),
            lambda: self.closed.put_nowait("second"),
        )


async def test_documents_come_in_order_with_their_files():
    """Many documents, long ones among them, come whole; a file is that of its document."""
    ends = Ends()
    files = [os.pipe() for _ in range(5)]
    for number, (reading, writing) in enumerate(files):
        ends.first.send({"number": number, "text": "x" * 100_000})
        ends.first.send({"reads": number}, reading)
        os.write(writing, b"%d" % number)
        os.close(writing)
    for number in range(5):
        document, file = await ends.heard.get()
        assert (document["number"], len(document["text"]), file) == (number, 100_000, None)
        document, file = await ends.heard.get()
        assert document == {"reads": number}
        assert os.read(file, 9) == b"%d" % number
        os.close(file)
    ends.first.close()
    ends.second.close()


async def test_an_end_that_is_gone_is_told_once():
    """One end hears that the other is closed; what is sent then is dropped, and its file closed."""
    ends = Ends()
    ends.first.close()
    assert await ends.closed.get() == "second"
    reading, writing = os.pipe()
    ends.second.send({}, reading)
    ends.second.close()
    assert ends.closed.empty()
    os.close(writing)
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(reading)


async def test_a_file_for_which_there_is_no_descriptor_is_missing():
    """Its document comes without it; those behind it come whole, with theirs."""
    ends = Ends()
    files = [os.pipe() for _ in range(2)]
    ends.first.send({"number": 0}, files[0][0])
    ends.first.send({"number": 1, "text": "x" * 1000})
    limit, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    os.close(lowest := os.dup(files[0][1]))
    resource.setrlimit(resource.RLIMIT_NOFILE, (lowest, hard))
    try:
        document, file = await ends.heard.get()
        assert (document, file) == ({"number": 0}, None)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))
    document, file = await ends.heard.get()
    assert (document["number"], file) == (1, None)
    ends.first.send({"number": 2}, files[1][0])
    document, file = await ends.heard.get()
    assert document == {"number": 2}
    os.write(files[1][1], b"2")
    assert os.read(file, 9) == b"2"
    for number in (file, files[0][1], files[1][1]):
        os.close(number)
    ends.first.close()
    ends.second.close()
