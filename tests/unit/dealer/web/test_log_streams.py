"""A log as events for many who watch it, at their own pace."""

import asyncio
from contextlib import AsyncExitStack, aclosing, asynccontextmanager, closing
from functools import partial

import numpy as np
import pytest

from dealer.web import log_feeds, log_lines
from dealer.web.event_channel import EventChannel
from dealer.web.events import FORGET, KEEP_ALIVE, format_event
from dealer.web.log_feeds import LogFeed
from dealer.web.log_lines import LogLines
from dealer.web.log_streams import in_the_log, match_events

QUIET = 0.03
RESTART = format_event("restart", b"", 0)


class Watched:
    """A feed that looks often, and those who watch it."""

    def __init__(self, log, look_seconds=0.001):
        self.log = log
        self.hand = None
        self.closed = False
        self.shown = []
        self.feed = LogFeed(partial(LogLines, log), self.show, self, look_seconds)

    def show(self, lines):
        """Capitals."""
        self.shown.append(lines)
        return lines.upper()

    def look(self):
        """What the test says."""
        if isinstance(self.hand, Exception):
            raise self.hand
        return self.hand

    def close(self):
        """The open hand is looked at no more."""
        self.closed = True

    @asynccontextmanager
    async def events(self, start=0, restart=False):
        """The stream of one who watches."""
        self.feed.join()
        try:
            with closing(LogLines(self.log, start)) as lines:
                channel = self.feed.channel
                missed = in_the_log(channel, lines, self.show)
                made = match_events(channel, start, missed, restart=restart)
                async with aclosing(channel.news.stream(made, QUIET)) as events:
                    yield events
        finally:
            self.feed.leave()

    def write(self, text):
        """More of the log."""
        with self.log.open("a") as file:
            file.write(text)


@pytest.fixture
def log(tmp_path):
    """Six bytes of whole lines, and a part of one."""
    path = tmp_path / "x.log"
    path.write_text("a\nbcd\nef")
    return path


async def next_event(events):
    """The next one that is no comment."""
    while (event := await asyncio.wait_for(anext(events), 10)) == KEEP_ALIVE:
        pass
    return event


async def rest_of(events):
    """All that is still to come, less comments."""
    async with asyncio.timeout(10):
        return [event async for event in events if event != KEEP_ALIVE]


async def test_new_lines_come_as_events(log):
    """Whole ones, with the byte behind them; with the log the stream ends, and that byte."""
    watched = Watched(log)
    async with watched.events() as events:
        assert await next_event(events) == format_event("lines", b"A\nBCD", 6)
        assert await next_event(events) == format_event("hand", b"", 6)
        watched.write("g\nh\n")
        assert await next_event(events) == format_event("lines", b"EFG\nH", 12)
        log.unlink()
        assert await rest_of(events) == [FORGET]


async def test_of_a_damaged_log_what_is_before_is_given(log, monkeypatch):
    """Then the stream ends, and nobody has the open hand's files open any more."""
    monkeypatch.setattr(log_lines, "PIECE_BYTES", 300)
    monkeypatch.setattr(log_lines, "MAX_LINE_BYTES", 1000)
    watched = Watched(log)
    watched.write("x" * 5000)
    async with watched.events() as events:
        assert (await rest_of(events))[0] == format_event("lines", b"A\nBCD", 6)
    assert watched.closed


async def test_another_file_in_the_place_of_a_log_is_told_to_all(log):
    """Then their streams end: who comes back begins anew."""
    watched = Watched(log)
    async with watched.events(6) as one, watched.events(2) as another:
        assert await next_event(one) == format_event("hand", b"", 6)
        assert await next_event(another) == format_event("lines", b"BCD", 6)
        log.write_text("short\n")
        assert await rest_of(one) == [RESTART]
        assert (await rest_of(another))[-1] == RESTART


async def test_the_open_hand_is_told_when_it_changes(log):
    """After the lines that there are, and once; who comes later hears of it too."""
    watched = Watched(log)
    async with watched.events(2, restart=True) as events:
        assert await next_event(events) == RESTART
        assert await next_event(events) == format_event("lines", b"BCD", 6)
        assert await next_event(events) == format_event("hand", b"", 6)
        for hand in ("one", "two", None):
            watched.hand = hand
            assert await next_event(events) == format_event("hand", (hand or "").encode(), 6)
        watched.hand = "three"
        assert await next_event(events) == format_event("hand", b"three", 6)
        async with watched.events(6) as late:
            assert await next_event(late) == format_event("hand", b"three", 6)
        watched.write("g\n")
        assert await next_event(events) == format_event("lines", b"EFG", 10)
        assert await anext(events) == KEEP_ALIVE  # that hand is open still


async def test_lines_are_made_into_events_once(log):
    """For all who have seen what was before."""
    watched = Watched(log)
    async with AsyncExitStack() as stack:
        streams = [await stack.enter_async_context(watched.events(6)) for _ in range(20)]
        hands = await asyncio.gather(*map(next_event, streams))
        assert set(hands) == {format_event("hand", b"", 6)}
        watched.write("g\n")
        events = await asyncio.gather(*map(next_event, streams))
    assert set(events) == {format_event("lines", b"EFG", 10)}
    assert watched.shown == [b"efg\n"]


async def test_what_is_written_during_a_look_waits_for_the_next(log):
    """A quick match does not get an event for each hand: between two events there is a look."""

    class Quick(Watched):
        def show(self, lines):
            self.write("more\n")
            return lines

        def look(self):
            looks.append(self.feed.channel.offset)

    looks = []
    watched = Quick(log)
    async with watched.events(6) as events:
        await next_event(events)
        watched.write("g\n")
        for _ in range(9):
            await next_event(events)
    assert len(set(looks)) >= 8


async def test_who_has_seen_more_than_the_feed_waits_for_it(log):
    """A page that has loaded the log a moment ago, say: no line comes twice."""
    watched = Watched(log)
    watched.write("g\nh\n")
    async with watched.events(10) as events:
        assert await next_event(events) == format_event("lines", b"H", 12)


def data_of(event):
    """The lines of an event."""
    lines = event.splitlines()
    assert lines[1] == b"event: lines"
    return b"\n".join(line.removeprefix(b"data: ") for line in lines[2:] if line)


async def watch(watched, start, size, generator):
    """Read at an uneven pace, and now and then leave and come back, until a size is seen."""
    got, at = b"", start
    while at < size:
        async with watched.events(at) as events:
            for _ in range(generator.integers(1, 6)):
                event = await next_event(events)
                at = int(event.split(b"\n", 1)[0].removeprefix(b"id: "))
                if b"\nevent: lines\n" in event:
                    got += data_of(event) + b"\n"
                if at >= size:
                    break
                await asyncio.sleep(generator.choice((0, 0, 0.001, 0.02)))
    return got


@pytest.mark.parametrize("seed", range(2))
async def test_everybody_gets_every_line_once(log, seed, monkeypatch):
    """Whatever the pace: of the log, of the feed and of who watches."""
    monkeypatch.setattr(log_feeds, "EventChannel", partial(EventChannel, 2))
    generator = np.random.default_rng(seed)
    text = "".join(f"{'x' * generator.integers(9)}{number}\n" for number in range(400))
    log.write_text("")
    watched = Watched(log)

    async def write():
        at = 0
        while at < len(text):
            size = generator.integers(40)
            watched.write(text[at : at + size])
            at += size
            await asyncio.sleep(generator.choice((0, 0.001, 0.004)))

    async with watched.events(), asyncio.timeout(30):
        reading = [watch(watched, 0, len(text), np.random.default_rng([seed, n])) for n in range(7)]
        _, *got = await asyncio.gather(write(), *reading)
    assert set(got) == {text.upper().encode()}


async def test_a_feed_that_is_finished_tells_the_last_lines(log):
    """At once and however seldom it looks; the streams end by saying so."""
    watched = Watched(log, look_seconds=1000)
    async with watched.events(6) as one, watched.events(2) as another:
        assert await next_event(one) == format_event("hand", b"", 6)
        watched.write("g\n")
        async with asyncio.TaskGroup() as group:
            finishing = group.create_task(watched.feed.finish())
            end = format_event("end", b"", 10)
            assert await rest_of(one) == [format_event("lines", b"EFG", 10), end]
            assert (await rest_of(another))[-2:] == [format_event("hand", b"", 10), end]
            assert not finishing.done()
            watched.feed.leave()
            watched.feed.leave()
        watched.feed.join()
        watched.feed.join()


async def test_an_error_of_ours_ends_all_streams(log):
    """It is raised there, and the server tells it."""
    watched = Watched(log)
    watched.hand = ValueError("ours")
    async with watched.events(6) as one, watched.events(6) as another:
        for events in (one, another):
            with pytest.raises(ValueError, match="ours"):
                await rest_of(events)
