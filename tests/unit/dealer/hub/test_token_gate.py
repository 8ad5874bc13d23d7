"""How many wrong tokens of a client are looked at."""

import asyncio

import pytest

from dealer.hub import token_gate
from dealer.hub.token_gate import TokenGate
from dealer.hub.tokens import new_token
from dealer.web.http_requests import Refusal
from tests.helpers.fake_server import CONFIG


@pytest.fixture
def gate(monkeypatch):
    """One that looks at three wrong tokens of a client, and at hardly any more."""
    monkeypatch.setattr(token_gate, "_RATE", 1e-6)
    monkeypatch.setattr(token_gate, "_MOST", 3)
    return TokenGate(CONFIG)


async def test_wrong_tokens_are_not_tried_for_long(gate):
    """Other clients are asked as before, and so is the same one with a token that was right."""
    token, stored = new_token("ann")
    for _ in range(5):
        assert await gate.is_right(token, stored, "a")
    for account in (stored, None, stored):
        assert not await gate.is_right("ann.wrong", account, "a")
    with pytest.raises(Refusal, match="wrong tokens") as caught:
        await gate.is_right("ann.wrong", stored, "a")
    assert caught.value.status == 429
    assert caught.value.seconds > 0
    assert not await gate.is_right("ann.wrong", stored, "b")
    assert await gate.is_right(token, stored, "a")


async def test_right_tokens_cost_nothing_in_the_end(gate):
    """Clients of one address come one after the other with tokens that are new to the server."""
    for number in range(5):
        token, stored = new_token(f"ann{number}")
        assert await gate.is_right(token, stored, "a")


async def test_many_wrong_tokens_at_once_are_no_way_around(gate):
    """Each counts before it is looked at."""
    _, stored = new_token("ann")
    tries = [gate.is_right(f"ann.{number}", stored, "a") for number in range(10)]
    ends = await asyncio.gather(*tries, return_exceptions=True)
    assert ends[:3] == [False] * 3
    assert all(isinstance(end, Refusal) for end in ends[3:])
