"""What is told to many who listen at their own pace; `test_log_streams` has comments and ends."""

import asyncio
import os
import sys
from contextlib import aclosing

import pytest

from dealer.server.observers import MatchResumed, MatchStart
from dealer.web.event_channel import EventChannel, LinesEvent, News
from dealer.web.events import KEEP_ALIVE, format_event
from dealer.web.log_streams import left_out, match_events
from dealer.web.spectating import MatchWatcher, SeenCards
from protocol.gamedefs import load_builtin
from tests.helpers.fake_clock import turns
from tests.helpers.fake_match import FREE, NAMES, FakeMatch

GAME = load_builtin("hunl")


async def test_news_while_an_event_is_sent_is_looked_at():
    """Nobody waits for what was told in the meantime."""
    news = News()
    values = [0]

    async def changes():
        while True:
            yield b"%d" % values[-1]
            yield None

    async with aclosing(news.stream(changes(), quiet_seconds=0.01)) as events:
        assert await anext(events) == b"0"
        values.append(1)
        news.tell()
        assert await anext(events) == b"1"
        assert await anext(events) == KEEP_ALIVE
        values.append(2)
        news.tell()
        assert await anext(events) == b"2"


def stream_of(channel, offset=0):
    """The events of a channel for one who reads no file."""
    return aclosing(channel.news.stream(match_events(channel, offset, left_out(channel))))


def lines_event(number):
    """An event with one line, its number."""
    return LinesEvent(number, format_event("lines", b"%d" % number, number + 1), number + 1)


async def test_a_slow_reader_is_told_what_it_has_missed():
    """Of more events than the few that are kept those between; whoever tells waits for nobody."""
    channel = EventChannel(capacity=4)
    channel.begin(0)
    async with stream_of(channel) as slow, stream_of(channel) as quick:
        for number in range(100):
            channel.tell(lines_event(number))
            assert await anext(quick) == lines_event(number).text
            if not number:
                assert await anext(slow) == lines_event(0).text
        assert [channel.after(number) for number in (95, 96)] == [None, lines_event(96)]
        assert channel.oldest == 96
        channel.show("the open hand")
        channel.end()
        told = [event async for event in slow]
        assert told[0] == format_event("missed", b"95", 96)
        assert told[1:5] == [lines_event(number).text for number in range(96, 100)]
        assert told[5:] == [
            format_event("hand", b"the open hand", 100),
            format_event("end", b"", 100),
        ]


def told_by(events):
    """Kind and data of each event."""
    parts = [event.decode().splitlines() for event in events]
    return [(lines[1][7:], "\n".join(line[6:] for line in lines[2:] if line)) for lines in parts]


async def play(watcher, hands):
    """Play hands in which the button raises and the other folds."""
    match = FakeMatch(watcher, hands=hands, game=GAME)
    watcher.match_started(MatchStart("m", GAME, NAMES[:2], hands, (FREE, FREE), 0.0))
    await match.start()
    for action in (b"r300", b"f") * hands:
        match.act(action)
        await turns()
    end = await match.ending()
    watcher.match_scored("SCORE:50|-50:Alice|Bob")
    watcher.match_over(end)


@pytest.mark.parametrize(("cards", "hidden"), [(SeenCards.ALL, False), (SeenCards.SHOWN, True)])
async def test_a_match_of_this_process_is_told_action_by_action(cards, hidden):
    """Its lines and its open hands, with the cards that may be seen; no header, which has none."""
    channel = EventChannel()
    told = []

    async def watch():
        async with stream_of(channel) as events:
            told.extend([event async for event in events])

    async with asyncio.timeout(30), asyncio.TaskGroup() as group:
        group.create_task(watch())
        await play(MatchWatcher(channel, cards), hands=2)
    first, *rest = told_by(told)
    hands = [(kind, text.split(":")[1:]) for kind, text in rest]
    assert [(kind, *part[:2]) for kind, part in hands[:6]] == [
        ("hand", "0", ""),
        ("hand", "0", "r300"),
        ("lines", "0", "r300f"),
        ("hand", "1", ""),
        ("hand", "1", "r300"),
        ("lines", "1", "r300f"),
    ]
    assert [part[2] == "|" for _, part in hands[:6]] == [hidden] * 6
    assert [part[4] for _, part in hands[:4]] == ["Alice|Bob"] * 3 + ["Bob|Alice"]
    assert [first, *rest[6:]] == [
        ("hand", ""),
        ("lines", "SCORE:50|-50:Alice|Bob"),
        ("hand", ""),
        ("end", ""),
    ]


async def test_a_match_that_is_resumed_begins_behind_its_hands():
    """A reader who has seen those before misses nothing."""
    channel = EventChannel()
    MatchWatcher(channel, SeenCards.ALL).match_resumed(MatchResumed(70, (0.0, 0.0), (0.0, 0.0)))
    channel.end()
    async with stream_of(channel, 70) as events:
        assert told_by([event async for event in events]) == [("hand", ""), ("end", "")]


async def test_two_hundred_matches_are_watched_without_a_file(monkeypatch):
    """Nothing is opened and nothing looked up, whoever reads or does not read."""
    touched = []
    watching = [False]
    sys.addaudithook(lambda event, _: event == "open" and watching[0] and touched.append(event))
    stat = os.stat
    monkeypatch.setattr(os, "stat", lambda *path, **_: touched.append(path) or stat(*path))
    channels = [EventChannel() for _ in range(200)]
    lines = []

    async def watch(channel):
        async with stream_of(channel) as events:
            told = told_by([event async for event in events])
            lines.append(sum(kind == "lines" for kind, _ in told))

    async with asyncio.timeout(60), asyncio.TaskGroup() as group:
        for channel in channels:
            group.create_task(watch(channel))
        await turns()
        watching[0] = True
        await asyncio.gather(*(play(MatchWatcher(it, SeenCards.SHOWN), 2) for it in channels))
        watching[0] = False
    assert (lines, touched) == ([3] * 200, [])
