"""The queue of a server: what it takes to say which of 5000 requests of 1000 accounts begin."""

import pytest

from dealer.hub.match_queue import QueueHistory, next_matches
from tests.helpers.queue_model import DAY, SERVER, QueueModel, usual_accounts

REQUESTS = 5000


@pytest.fixture(scope="module")
def model():
    """A server that is full, with matches and pairs of some hours behind it."""
    model = QueueModel(usual_accounts(1000, 400.0), SERVER, tick=300.0)
    while len(model_requests(model)) < REQUESTS:
        model.run(DAY / 24)
    return model


def model_requests(model):
    return [one for account in model.accounts.values() for one in account.waiting.values()]


def bench_match_queue(benchmark, model):
    """One call, with no place free but those that are asked for."""
    waiting, running = model_requests(model)[:REQUESTS], [*model.running.values()]
    history = QueueHistory(model.pairs, model.version_hands)
    decision = benchmark(next_matches, waiting, running, model.capacity, history, model.now)
    assert len(decision.delays) + len(decision.starts) <= len(waiting)
