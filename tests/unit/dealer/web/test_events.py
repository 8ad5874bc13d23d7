"""Server-sent events."""

import pytest

from dealer.web.events import format_event, last_event
from dealer.web.http_requests import Request


def test_an_event_has_a_line_for_each_line():
    """The last line end is none of the data; without data it has one, else it is passed over."""
    assert format_event("restart", b"", 0) == b"id: 0\nevent: restart\ndata: \n\n"
    assert format_event("lines", b"a\r\nb\n", 7) == b"id: 7\nevent: lines\ndata: a\ndata: b\n\n"


@pytest.mark.parametrize(
    ("said", "number"),
    [("17", 17), ("0", 0), ("", None), ("-1", None), ("1e3", None), ("9" * 16, None), ("²", None)],
)
def test_who_comes_back_says_what_it_has_seen(said, number):
    """What is no number of ours counts as nothing."""
    request = Request("GET", "/", "", "", {"last-event-id": said}, b"", 1)
    assert last_event(request) == number
