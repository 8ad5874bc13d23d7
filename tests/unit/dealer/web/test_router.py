"""What all sites share: their tables, without a network, and how they are served."""

import asyncio

import pytest

from dealer.web.guard import Guard
from dealer.web.http_requests import Refusal, Request
from dealer.web.http_responses import Response
from dealer.web.router import READ, WRITE, Site, refusing, serve_site
from dealer.web.server import listen_at

GUARD = Guard("127.0.0.1", 80, "t")
PAGES = {"": Response(b"first"), "a.html": Response(b"page"), "b.html": Response(b"page")}


async def echo(_request, *groups):
    """What the groups of an address matched."""
    return Response(repr(groups).encode())


async def ask(path, method="GET"):
    """Ask a site with one address of each kind, one of which has a page's name."""
    routes = [(READ, "(x|y)/([0-9])", echo), (WRITE, "act", echo), (READ, "b.html", echo)]
    site = Site(GUARD, PAGES, routes)
    return await site(Request(method, f"/t/{path}", "", "127.0.0.1", {}, b"", 1))


@pytest.mark.parametrize(
    ("path", "method", "body"),
    [
        ("", "GET", b"first"),
        ("a.html", "HEAD", b"page"),
        ("b.html", "GET", b"()"),
        ("x/7", "HEAD", b"('x', '7')"),
        ("act", "POST", b"()"),
    ],
)
async def test_the_first_route_that_matches_answers(path, method, body):
    """Then the pages."""
    assert (await ask(path, method)).body == body


@pytest.mark.parametrize(
    ("path", "method", "allowed"),
    [("act", "GET", "POST"), ("x/7", "POST", "GET, HEAD"), ("a.html", "PUT", "GET, HEAD")],
)
async def test_another_method_is_told_those_there_are(path, method, allowed):
    """And does nothing."""
    response = await ask(path, method)
    assert (response.status, response.fields) == (405, {"Allow": allowed})


@pytest.mark.parametrize("path", ["z/7", "x/7/", "x/77", "acts", "../a.html"])
async def test_an_address_has_to_match_as_a_whole(path):
    """Or nothing is there, whatever the method."""
    for method in ("GET", "POST"):
        with pytest.raises(Refusal) as refusal:
            await ask(path, method)
        assert refusal.value.status == 404


def test_errors_of_a_kind_become_refusals():
    """In their own words; others stay what they are."""
    with pytest.raises(Refusal, match=r"^so$") as refusal, refusing(ValueError, 409):
        raise ValueError("so")
    assert refusal.value.status == 409
    with pytest.raises(KeyError), refusing(ValueError, 409):
        raise KeyError


async def test_a_site_is_finished_while_it_is_served_and_closed_after_it():
    """Whoever listens hears the last of it."""
    steps = []

    class Ending(Site):
        async def finish(self):
            _, writer = await asyncio.open_connection(*listening.getsockname())
            writer.close()
            steps.append("finished")

        async def close(self):
            steps.append("closed")

    stop = asyncio.Event()
    with listen_at("127.0.0.1", 0) as listening:
        serving = asyncio.create_task(serve_site(Ending(GUARD, {}, []), listening, stop, print))
        stop.set()
        await asyncio.wait_for(serving, 10)
    assert steps == ["finished", "closed"]
