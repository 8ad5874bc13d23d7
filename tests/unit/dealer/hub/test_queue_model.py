"""The queue serves a model of a server: nobody starves, a flood is fair, nothing is lost.

`QueueModel` asserts at each tick that no request is lost or played twice, that no decided pair
plays, and that matches, units and tables are within what there is.
"""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealer.hub.match_queue import Capacity, HouseBot
from tests.helpers.queue_model import DAY, SERVER, Account, OwnerTurns, QueueModel, usual_accounts

RULE = (("rule", 1.0),)
SMALL = Capacity(20, 40, (HouseBot("rule", -1, 20),), match_seconds=900.0, hand_seconds=0.0)


def waits(notes, owners):
    """Return the seconds that requests of some owners waited."""
    return np.concatenate([notes.waits[owner] for owner in owners if notes.waits[owner]])


def test_a_flood_gets_its_share_and_no_more():
    """Fifty accounts that always have a request waiting, and one with three hundred."""
    accounts = [Account(owner, backlog=1, opponents=RULE) for owner in range(50)]
    accounts.append(Account(50, backlog=300, opponents=RULE))
    notes = QueueModel(accounts, SMALL, tick=60.0).run(DAY / 2)
    starts = [notes.starts[owner] for owner in range(51)]
    assert notes.busy > 0.9
    assert sum(starts) > 1000
    assert max(starts) - min(starts) <= 1


def test_a_flood_does_not_slow_others_down():
    """Accounts that ask now and then wait less than a match, with the flood as without it."""
    accounts = [Account(owner, 12.0, opponents=RULE) for owner in range(50)]
    flood = Account(50, backlog=300, opponents=RULE)
    with_flood = QueueModel([*accounts, flood], SMALL, tick=60.0).run(DAY / 2)
    assert with_flood.busy > 0.95
    assert with_flood.starts[50] > 500
    assert waits(with_flood, range(50)).mean() < 120
    assert waits(with_flood, range(50)).max() < 600


def test_a_large_request_gets_its_turn_within_a_wall_limit():
    """On a host that smaller ones keep full."""
    accounts = [Account(owner, backlog=1, opponents=RULE) for owner in range(50)]
    accounts.append(Account(50, 12.0, opponents=RULE, seats=15))
    host = replace(SMALL, matches=40)
    notes = QueueModel(accounts, host, tick=60.0).run(DAY / 2)
    assert notes.starts[50] >= 4
    longest = max(notes.waits[50])
    turns = 51 / (sum(notes.starts.values()) / (DAY / 2))
    assert host.patience < longest < host.patience + host.match_seconds + turns + 60


def test_slow_bots_hold_up_nobody_else():
    """Half of the accounts, who would fill the server, may play one match at once."""
    slow = [Account(owner, backlog=3, opponents=RULE, slowness=99.0) for owner in range(15)]
    others = [Account(owner, 24.0, opponents=RULE) for owner in range(15, 30)]
    quotas = {account.owner: replace(SMALL.quota, matches=1) for account in slow}
    notes = QueueModel([*slow, *others], replace(SMALL, quotas=quotas), tick=60.0).run(DAY / 4)
    assert waits(notes, range(15, 30)).max() <= 600


def check_waits(notes, accounts, seconds):
    """Nobody starves, relative to the load: in a turn each account could have had a match."""
    turn = len(accounts) * seconds / notes.matches
    usual = waits(notes, range(len(accounts) // 50, len(accounts)))
    assert np.mean(usual) < turn / 4
    assert max(usual) < 4 * turn
    large = waits(notes, range(len(accounts) // 100, len(accounts) // 50))
    limit = SERVER.match_seconds + 2000 * SERVER.hand_seconds
    assert max(large) < SERVER.patience + limit + 4 * turn
    assert notes.decided > len(accounts)


def test_a_day_of_a_thousand_accounts():
    """Half of it: requests of all kinds, a flood among them, on a server that is nearly full."""
    accounts = usual_accounts(1000, 40.0)
    flood = Account(1000, backlog=300, opponents=accounts[-1].opponents, rated=True)
    notes = QueueModel([*accounts, flood], SERVER, tick=300.0).run(DAY / 2)
    check_waits(notes, accounts, DAY / 2)
    assert notes.matches > 10_000
    assert notes.busy > 0.9


@pytest.mark.slow
def test_a_month_of_a_thousand_accounts():
    """A million requests."""
    accounts = usual_accounts(1000, 40.0)
    flood = Account(1000, backlog=300, opponents=accounts[-1].opponents, rated=True)
    notes = QueueModel([*accounts, flood], SERVER, tick=120.0).run(30 * DAY)
    check_waits(notes, accounts, 30 * DAY)
    assert notes.made > 1_000_000


def test_a_request_that_was_overtaken_keeps_its_turn():
    """What its owner got for later requests does not count; what he got for earlier ones does."""
    turns = OwnerTurns()
    turns.note(1, 10, 1)
    turns.note(1, 30, 2)
    assert [turns.last_match(1, number) for number in (5, 10, 20, 31)] == [0, 0, 1, 2]
    turns.note(1, 20, 3)
    assert [turns.last_match(1, number) for number in (15, 25, 31)] == [1, 3, 3]
    assert turns.last_match(2, 20) == 0


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(1, 9)), max_size=20), st.data())
def test_turns_are_those_of_all_matches(played, data):
    """However many there were."""
    turns = OwnerTurns()
    for match_number, (owner, number) in enumerate(played, 1):
        turns.note(owner, number, match_number)
    owner, number = data.draw(st.tuples(st.integers(0, 2), st.integers(1, 10)))
    older = [at for at, (who, which) in enumerate(played, 1) if who == owner and which < number]
    assert turns.last_match(owner, number) == max(older, default=0)
