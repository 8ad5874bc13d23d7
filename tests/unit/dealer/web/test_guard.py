"""Who may ask."""

import pytest

from dealer.web.guard import BearerGuard, Guard, bearer_token
from dealer.web.http_requests import Refusal, Request


def asking(host="127.0.0.1:8000", path="/secret/page", **fields):
    """A request."""
    return Request("GET", path, "", host, fields, b"", 1)


@pytest.mark.parametrize(
    ("address", "port", "link"),
    [
        ("127.0.0.1", 8000, "http://127.0.0.1:8000/secret/"),
        ("::1", 80, "http://[::1]:80/secret/"),
        ("0.0.0.0", 8000, "http://127.0.0.1:8000/secret/"),
        ("box.example", 8000, "http://box.example:8000/secret/"),
    ],
)
def test_the_link_leads_to_the_server(address, port, link):
    """An address that means all of them is none to go to; at port 80 a host needs no number."""
    assert Guard("127.0.0.1", 80, "secret").admit(asking("localhost")) == "page"
    guard = Guard(address, port, "secret")
    assert guard.link == link
    host, _, path = link.removeprefix("http://").partition("/")
    assert guard.admit(asking(host, f"/{path}page")) == "page"


@pytest.mark.parametrize(
    ("address", "host", "taken"),
    [
        ("127.0.0.1", "127.0.0.1:8000", True),
        ("127.0.0.1", "LocalHost:8000", True),
        ("127.0.0.1", "[::1]:8000", True),
        ("127.0.0.1", "127.0.0.1", False),
        ("127.0.0.1", "127.0.0.1:8001", False),
        ("127.0.0.1", "127.0.0.1:" + "9" * 5000, False),
        ("127.0.0.1", "evil.example:8000", False),
        ("127.0.0.1", "192.168.1.7:8000", False),
        ("127.0.0.1", "", False),
        ("192.168.1.7", "192.168.1.7:8000", True),
        ("Box", "box:8000", True),
        ("0.0.0.0", "192.168.1.7:8000", True),
        ("::", "[fe80::1]:8000", True),
        ("0.0.0.0", "evil.example:8000", False),
    ],
)
def test_a_name_of_another_is_refused(address, host, taken):
    """Else a page elsewhere could have the browser take its name for this machine's address."""
    guard = Guard(address, 8000, "secret")
    if taken:
        assert guard.admit(asking(host)) == "page"
    else:
        with pytest.raises(Refusal) as refusal:
            guard.admit(asking(host))
        assert refusal.value.status == 403


@pytest.mark.parametrize(
    "origin", ["null", "", "http://evil.example", "https://127.0.0.1:8000", "http://localhost:8000"]
)
def test_a_page_from_elsewhere_is_refused(origin):
    """Also one of this machine under another name: links are relative, so none of ours has it."""
    guard = Guard("127.0.0.1", 8000, "secret")
    assert guard.admit(asking(origin="http://127.0.0.1:8000")) == "page"
    with pytest.raises(Refusal) as refusal:
        guard.admit(asking(origin=origin))
    assert refusal.value.status == 403


@pytest.mark.parametrize(
    "path", ["/", "//", "/secret", "/Secret/page", "/secre/page", "/secrets/", "//secret/page"]
)
def test_without_the_token_there_is_nothing(path):
    """All of it looks the same."""
    with pytest.raises(Refusal, match=r"^not found$") as refusal:
        Guard("127.0.0.1", 8000, "secret").admit(asking(path=path))
    assert refusal.value.status == 404


def sent(method="GET", host="arena.example:8443", **fields):
    """A request to a server for many."""
    return Request(method, "/api/board", "", host, fields, b"", 1)


BEARER = BearerGuard({"arena.example", "::1"})


@pytest.mark.parametrize(
    "request_",
    [
        sent(),
        sent("HEAD", "ARENA.example"),
        sent(host="[::1]:8000"),
        sent(origin="https://arena.example:8443"),
        sent("POST", authorization="Bearer abc"),
        sent("DELETE", authorization="bearer  a-b_c~d+e/f=="),
    ],
)
def test_guests_read_and_others_bring_a_token(request_):
    """Under every name that the server is allowed to have."""
    assert BEARER.admit(request_) == "api/board"


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (sent(host="evil.example"), 403),
        (sent(host="arena.example.evil.example"), 403),
        (sent(host=""), 403),
        (sent(origin="https://evil.example"), 403),
        (sent(origin="https://arena.example"), 403),
        (sent("POST", origin="https://evil.example", authorization="Bearer abc"), 403),
        (sent("POST"), 401),
        (sent("DELETE", authorization=""), 401),
        (sent("POST", authorization="Bearer "), 401),
        (sent("POST", authorization="Basic abc"), 401),
        (sent("POST", authorization="Bearer abc def"), 401),
        (sent("POST", authorization="Bearer abc, Bearer def"), 401),
        (sent("POST", authorization="Bearer " + "x" * 999), 401),
        (sent("POST", authorization="Bearer caf\xe9"), 401),
    ],
)
def test_others_are_refused(request_, status):
    """In words that say what is wanted, and nothing of what was sent."""
    with pytest.raises(Refusal) as refusal:
        BEARER.admit(request_)
    assert refusal.value.status == status
    assert "abc" not in str(refusal.value)
    assert ("WWW-Authenticate" in refusal.value.fields) is (status == 401)


@pytest.mark.parametrize("everywhere", ["0.0.0.0", "::"])
def test_who_listens_everywhere_is_asked_under_any_address(everywhere):
    """A container knows no address of its machine; a name may be somebody's who means harm."""
    guard = BearerGuard({everywhere, "arena.example"})
    for host in ("10.1.2.3:9380", "[fd00::1]:9380", "arena.example"):
        assert guard.admit(sent(host=host)) == "api/board"
    for host in ("evil.example", "10.1.2.3.evil.example", "10.1.2"):
        with pytest.raises(Refusal):
            guard.admit(sent(host=host))
    with pytest.raises(Refusal):
        BEARER.admit(sent(host="10.1.2.3"))


def test_the_token_is_read():
    """As it was sent."""
    assert bearer_token(sent(authorization="Bearer aB.c=")) == "aB.c="
