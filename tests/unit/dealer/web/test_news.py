"""What is told to many who listen at their own pace; `test_log_streams` has comments and ends."""

from contextlib import aclosing

from dealer.web.events import KEEP_ALIVE
from dealer.web.news import News
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
