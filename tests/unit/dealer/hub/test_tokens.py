"""Tokens: right ones, wrong ones, and what is remembered of them."""

import pytest

from dealer.hub import tokens
from dealer.hub.tokens import TokenChecker, account_name, new_token


def test_a_token_names_its_account_and_is_right():
    """A new token says whose it is, and fits what is stored of it, the second time as well."""
    token, stored = new_token("ann")
    checker = TokenChecker()
    assert account_name(token) == "ann"
    assert checker.is_right(token, stored)
    assert checker.is_right(token, stored)


@pytest.mark.parametrize("wrong", ["ann.", "ann", "", "ann.x", "bob.{}", "ann.{}x", "\udcff.\0"])
def test_wrong_tokens_are_wrong(wrong):
    """Another secret is not right, whatever it looks like; that of another name is another's."""
    token, stored = new_token("ann")
    wrong = wrong.format(token.partition(".")[2])
    known = stored if account_name(wrong) == "ann" else None
    assert not TokenChecker().is_right(wrong, known)


def test_what_was_right_is_remembered():
    """Only with the hash that it had, and only after it was looked at."""
    token, stored = new_token("ann")
    checker = TokenChecker()
    assert not checker.remembers(token, stored)
    assert checker.is_right(token, stored)
    assert checker.remembers(token, stored)
    assert not checker.remembers(token, None)
    assert not checker.remembers(f"{token}x", stored)


def test_a_token_that_was_replaced_counts_no_more():
    """What was right is wrong once another hash is stored, although it is remembered."""
    token, stored = new_token("ann")
    checker = TokenChecker()
    assert checker.is_right(token, stored)
    assert not checker.is_right(token, new_token("ann")[1])


def test_nothing_of_a_secret_is_stored():
    """Hash and salt hold no part of the secret, and two hashes of one secret differ."""
    token, stored = new_token("ann")
    secret = token.partition(".")[2].encode()
    assert secret not in stored.salt + stored.hash
    assert stored.hash != new_token("ann")[1].hash


def test_wrong_tokens_of_nobody_cost_the_same_work(monkeypatch):
    """A token of no account is hashed as often as one of an account."""
    calls = []
    real = tokens._hash
    monkeypatch.setattr(tokens, "_hash", lambda *parts: calls.append(parts) or real(*parts))
    _, stored = new_token("ann")
    calls.clear()
    TokenChecker().is_right("ann.x", stored)
    with_account = len(calls)
    TokenChecker().is_right("bob.x", None)
    assert len(calls) == 2 * with_account == 2
