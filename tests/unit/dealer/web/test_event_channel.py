"""What is told to many who listen at their own pace; `test_log_streams` has comments and ends."""

from contextlib import aclosing

from dealer.web.event_channel import EventChannel, LinesEvent, News
from dealer.web.events import KEEP_ALIVE, format_event
from tests.helpers.fake_match import in_loop


@in_loop
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


def lines_event(number):
    """An event with one line, its number."""
    return LinesEvent(number, format_event("lines", b"%d" % number, number + 1), number + 1)


@in_loop
async def test_what_is_kept_does_not_grow():
    """However many events and readers there are: the queue is one, and has its length."""
    channel = EventChannel(kept=4)
    for number in range(1000):
        channel.tell(lines_event(number))
    assert [channel.after(number) for number in (995, 996)] == [None, lines_event(996)]
    assert channel.oldest == 996
