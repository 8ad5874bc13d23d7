"""What is found where, without a network."""

import asyncio
import json
import os
import threading
from contextlib import aclosing

import pytest

from dealer.web import log_site
from dealer.web.archive import Archive
from dealer.web.events import format_event
from dealer.web.guard import Guard
from dealer.web.http_requests import Refusal, Request
from dealer.web.log_feeds import LogFeed
from dealer.web.log_lines import LogLines
from dealer.web.log_site import LogSite
from dealer.web.log_streams import left_out, match_events
from dealer.web.router import read_pages
from dealer.web.spectating import SeenCards
from tests.helpers.fake_teller import FakeTeller

RESTART = format_event("restart", b"", 0)
LINES = b"# name/game/hands/seed m hunl 10 7\nSTATE:0:f:5d5c|9hQd:50|-50:A|B\n"


@pytest.fixture
def log(tmp_path):
    """A log with one hand."""
    path = tmp_path / "x.log"
    path.write_bytes(LINES)
    return path


def site_of(*logs, **options):
    """A site with the pages of the package."""
    archive = Archive([str(log) for log in logs])
    return LogSite(archive, Guard("127.0.0.1", 80, "t"), read_pages(), **options)


async def ask(site, path, method="GET", body=b"", **fields):
    """Ask for what is below the token."""
    target, _, query = path.partition("?")
    return await site(Request(method, f"/t/{target}", query, "127.0.0.1", fields, body, 1))


async def text_of(response):
    """All of a body that is made, after which it is closed."""
    pieces = [piece async for piece in response.body]
    response.close()
    return b"".join(pieces)


async def test_pages_are_the_files_of_the_package(tmp_path):
    """With their kind; what is of no known kind is no page."""
    for name in ("a.html", "b.js", "c.css", "d.svg", "e.py", "f.HTML"):
        (tmp_path / name).write_text(name)
    pages = read_pages(tmp_path)
    assert {name: page.content_type.partition(";")[0] for name, page in pages.items()} == {
        "a.html": "text/html",
        "b.js": "text/javascript",
        "c.css": "text/css",
        "d.svg": "image/svg+xml",
    }
    assert {"index.html", "replay.html"} <= read_pages().keys()


async def test_the_first_page_is_the_list_of_logs(tmp_path, log):
    """Or, of one log, what shows it."""
    assert (await ask(site_of(log), "")).fields == {"Location": "replay.html"}
    other = tmp_path / "y.log"
    other.write_bytes(LINES)
    site = site_of(log, other)
    assert (await ask(site, "")).body == (await ask(site, "index.html")).body
    listed = json.loads((await ask(site, "logs.json")).body)["logs"]
    assert [(one["id"], one["name"], one["bytes"]) for one in listed] == [
        (0, "x.log", len(LINES)),
        (1, "y.log", len(LINES)),
    ]


async def test_a_log_is_text(log):
    """Of whatever its names are made; from any line on; one that is gone is told."""
    site = site_of(log)
    response = await ask(site, "log/0")
    assert response.content_type == "text/plain; charset=utf-8"
    assert await text_of(response) == LINES
    response = await ask(site, "log/0?from=35")
    assert await text_of(response) == LINES[35:]
    site = site_of(log)
    log.unlink()
    with pytest.raises(Refusal, match="No such file") as refusal:
        await ask(site, "log/0")
    assert refusal.value.status == 404
    assert "No such file" in json.loads((await ask(site, "logs.json")).body)["logs"][0]["error"]


NOT_THERE = [
    *("x", "pages/index.html", "../routes.py", "..%2froutes.py", "index.html/", "log/1", "log/-1"),
    *("log/0/", "log/x.log", "log/²", "log/9999999999", "live/1", "live/../log/0", "logs.json/"),
]


@pytest.mark.parametrize("path", NOT_THERE)
async def test_nothing_else_is_there(log, path):
    """What is asked for never becomes a path."""
    with pytest.raises(Refusal) as refusal:
        await ask(site_of(log), path)
    assert refusal.value.status == 404


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("from=-1", 400),
        ("from=x", 400),
        ("x", 400),
        ("from=" + "9" * 16, 400),
        ("from=999", 416),
        ("from=3", 416),
    ],
)
async def test_a_place_that_is_none_is_refused(log, query, status):
    """No number, behind the end, or within a line."""
    with pytest.raises(Refusal) as refusal:
        await ask(site_of(log), f"log/0?{query}")
    assert refusal.value.status == status


@pytest.mark.parametrize("path", ["", "index.html", "logs.json", "results.json", "log/0", "live/0"])
async def test_nothing_can_be_changed(log, path):
    """All of it is only read."""
    for method in ("POST", "PUT", "DELETE", "OPTIONS"):
        response = await ask(site_of(log), path, method)
        assert (response.status, response.fields) == (405, {"Allow": "GET, HEAD"})


async def test_results_are_there(log):
    """Of all logs, as JSON; a log that is gone is left out."""
    site = site_of(log)
    response = await ask(site, "results.json")
    assert response.content_type == "application/json"
    assert json.loads(response.body)["games"][0]["hands"] == 1
    site = site_of(log)
    log.unlink()
    assert json.loads((await ask(site, "results.json")).body)["games"] == []


async def test_hidden_cards_are_in_no_answer(log):
    """The log's header, whose seed deals them, neither."""
    site = LogSite(Archive([str(log)]), Guard("127.0.0.1", 80, "t"), read_pages(), SeenCards.SHOWN)
    assert await text_of(await ask(site, "log/0")) == b"STATE:0:f:|:50|-50:A|B\n"
    response = await ask(site, "live/0")
    async with aclosing(response.body) as events:
        assert await anext(events) == format_event("lines", b"STATE:0:f:|:50|-50:A|B", 66)
    response.close()


async def test_a_delayed_log_is_behind(log):
    """What was written just now is not there yet; what is old is, less the seed of all hands."""
    site = LogSite(Archive([str(log)]), Guard("127.0.0.1", 80, "t"), read_pages(), delay=60.0)
    assert await text_of(await ask(site, "log/0")) == b""
    os.utime(log, (1.0, 1.0))
    site = LogSite(Archive([str(log)]), Guard("127.0.0.1", 80, "t"), read_pages(), delay=60.0)
    assert await text_of(await ask(site, "log/0")) == LINES[35:]
    with log.open("ab") as file:
        file.write(b"STATE:1:f:2c3c|9hQd:-50|50:B|A\n")
    assert await text_of(await ask(site, "log/0")) == LINES[35:]
    (told,) = json.loads((await ask(site, "logs.json")).body)["logs"]
    assert told["bytes"] == len(LINES)  # a larger log would tell that a hand is over


@pytest.mark.parametrize("options", [{"cards": SeenCards.SHOWN}, {"delay": 9.0}])
async def test_folders_are_not_told_to_whom_the_seed_is_not(tmp_path, options):
    """The usual name of a match folder has it."""
    logs = [tmp_path / f"a.b-{seed}" / "x.log" for seed in (31, 32)]
    for log in logs:
        log.parent.mkdir()
        log.write_bytes(LINES)
    site = LogSite(
        Archive(list(map(str, logs))), Guard("127.0.0.1", 80, "t"), read_pages(), **options
    )
    told = (await ask(site, "logs.json")).body.decode()
    with pytest.raises(Refusal) as behind:
        await ask(site, "log/0?from=9999")
    logs[1].unlink()
    with pytest.raises(Refusal) as gone:
        await ask(site, "log/1")
    told += f"{behind.value}{gone.value}{(await ask(site, 'logs.json')).body.decode()}"
    assert "x.log" in told
    assert "a.b-3" not in told


@pytest.mark.parametrize(
    ("query", "seen", "first"),
    [
        ("", None, format_event("lines", LINES, 66)),
        ("?from=35", None, format_event("lines", LINES[35:], 66)),
        ("?from=0", "35", format_event("lines", LINES[35:], 66)),
        ("?from=99", None, RESTART),
        ("?from=3", None, RESTART),
        ("?from=35", "99", RESTART),
        ("?from=35", "0", RESTART),
    ],
)
async def test_who_comes_back_gets_what_it_has_not_seen(log, query, seen, first):
    """From its last event on; from the beginning where that is not in the log any more."""
    fields = {} if seen is None else {"last-event-id": seen}
    response = await ask(site_of(log), f"live/0{query}", **fields)
    assert response.content_type == "text/event-stream"
    async with aclosing(response.body) as events:
        assert await anext(events) == first
        if first == RESTART:
            assert (await anext(events)).startswith(b"id: 66\nevent: lines\ndata: # name")
    response.close()


async def test_a_log_is_followed_as_long_as_somebody_watches(log, monkeypatch):
    """Once for all of them; who comes after that begins anew."""
    feeds = []

    def follow(*arguments):
        feeds.append(LogFeed(*arguments, look_seconds=0.001))
        return feeds[-1]

    async def ended(feed):
        channel = feed.channel
        events = match_events(channel, len(LINES), left_out(channel))
        async with asyncio.timeout(10):
            assert [event async for event in channel.news.stream(events)]

    monkeypatch.setattr(log_site, "LogFeed", follow)
    site = site_of(log)
    responses = [await ask(site, "live/0") for _ in range(3)]
    events = await asyncio.gather(*(anext(response.body) for response in responses))
    assert events == [format_event("lines", LINES, 66)] * 3
    for response in responses:
        assert [feed.channel.over for feed in feeds] == [False]
        await response.body.aclose()
        response.close()
    await ended(feeds[0])
    head = await ask(site, "live/0")
    head.close()
    assert len(feeds) == 2
    await ended(feeds[1])


async def test_the_end_is_told_to_all_who_watch(log, monkeypatch):
    """With what is new until then; who does not listen is not waited for long."""
    monkeypatch.setattr(log_site, "_FINISH_SECONDS", 0.05)
    site = site_of(log)
    one, another = [await ask(site, "live/0") for _ in range(2)]
    await anext(one.body)
    with log.open("ab") as file:
        file.write(b"SCORE:50|-50:A|B\n")
    told, _ = await asyncio.gather(text_of(one), site.finish())
    assert told.endswith(
        format_event("lines", b"SCORE:50|-50:A|B", 83) + format_event("end", b"", 83)
    )
    another.close()


async def test_a_log_that_is_slow_to_open_holds_up_no_other(tmp_path, log, monkeypatch):
    """Such as a large one that is compressed."""
    other = tmp_path / "y.log"
    other.write_bytes(LINES)
    opening = threading.Event()

    class SlowLines(LogLines):
        def __init__(self, path, *arguments, **options):
            if path == log:
                opening.wait(10)
            super().__init__(path, *arguments, **options)

    monkeypatch.setattr(log_site, "LogLines", SlowLines)
    site = site_of(log, other)
    slow = asyncio.create_task(ask(site, "live/0"))
    await asyncio.sleep(0)
    async with asyncio.timeout(5):
        response = await ask(site, "live/1")
        assert await anext(response.body) == format_event("lines", LINES, 66)
    assert not slow.done()
    opening.set()
    assert await anext((await slow).body) == format_event("lines", LINES, 66)
    for one in (response, slow.result()):
        await one.body.aclose()
        one.close()


OVER = "STATE:0:f:5d5c|9hQd:50|-50:A|B"
OPEN = "STATE:0::5d5c|9hQd::A|B"


async def told(site, document):
    """What a strategy is asked to tell, or the status of the refusal."""
    try:
        return (await ask(site, "strategy", "POST", json.dumps(document).encode())).body
    except Refusal as refusal:
        return refusal.status


async def test_a_strategy_is_told_where_there_is_one(log):
    """Of the hands of a log's game; without one there is no such address."""
    assert await told(site_of(log), {"log": "0", "line": OVER}) == 404
    assert "strategy" not in json.loads((await ask(site_of(log), "logs.json")).body)
    strategy = FakeTeller()
    site = site_of(log, strategy=strategy)
    assert json.loads((await ask(site, "logs.json")).body)["strategy"] == "bob"
    assert (await ask(site, "strategy")).status == 405
    assert await told(site, {"log": "0", "line": OVER}) == b"told"
    assert await told(site, {"log": "0", "line": OPEN}) == b"told"
    assert strategy.asked == ["STATE:0:f:5d5c|9hQd:50|-50:0|1", "STATE:0::5d5c|9hQd:0|0:0|1"]
    for number in ("1", "-1", "x", "0" * 10):
        assert await told(site, {"log": number, "line": OVER}) == 404
    for wrong in ({"line": OVER}, {"log": 0, "line": OVER}, {"log": "0", "line": "x"}, []):
        assert await told(site, wrong) == 400
    await site.close()
    assert (len(strategy.asked), strategy.closed) == (2, True)


@pytest.mark.parametrize("options", [{"cards": SeenCards.SHOWN}, {"delay": 1.0}])
async def test_of_the_hand_that_is_played_nothing_is_told_where_it_is_hidden(log, options):
    """Only hands that are over."""
    site = site_of(log, strategy=FakeTeller(), **options)
    assert await told(site, {"log": "0", "line": OPEN}) == 400
    assert await told(site, {"log": "0", "line": OVER}) == b"told"


async def test_a_match_that_is_played_is_shown_from_its_first_hand(tmp_path):
    """Its address is there before its folder; then it is that of the table that is played."""
    folder = tmp_path / "match"
    archive = Archive([str(folder)], playing=True)
    site = LogSite(archive, Guard("127.0.0.1", 80, "t"), read_pages())
    first = await ask(site, "")
    assert (first.status, first.body) == (200, read_pages()["index.html"].body)
    assert first.fields == {"Refresh": "1"}  # a browser looks again
    assert json.loads((await ask(site, "logs.json")).body)["logs"] == []
    results = json.loads((await ask(site, "results.json")).body)
    assert (results["logs"], results["over"]) == (0, False)
    folder.mkdir()
    for name, time in (("b.log", 5.0), ("a.log", 9.0), ("c.log", 7.0)):
        (folder / name).write_bytes(LINES)
        os.utime(folder / name, (time, time))
    (folder / "d.log").touch()  # has nothing to show yet
    assert (await ask(site, "")).fields == {"Location": "replay.html#log=0"}
    os.utime(folder / "c.log", (10.0, 10.0))
    assert (await ask(site, "")).fields == {"Location": "replay.html#log=2"}
    assert (await ask(site, "index.html")).status == 200
