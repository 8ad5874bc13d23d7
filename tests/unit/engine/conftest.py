"""What tests in several folders share: card abstractions, built once, and a heard Ctrl-C."""

import signal

import numpy as np
import pytest

from engine.abstraction.buckets import CardAbstraction
from engine.abstraction.building import build_card_abstraction
from engine.equity.river_rows import river_rows
from tests.helpers.smoke_abstraction import SMOKE, build_made_up


@pytest.fixture(scope="session")
def rivers():
    """Equities of all combos on all complete boards."""
    return river_rows()


@pytest.fixture(scope="session")
def smoke_stages():
    """The stages that building the smoke abstraction reported, in order; filled by `smoke`."""
    return []


@pytest.fixture(scope="session")
def smoke(smoke_stages):
    """A whole abstraction of a few buckets: made-up histograms, OCHS on the river."""
    return build_made_up(lambda stage, done: smoke_stages.append((stage, done)))


@pytest.fixture(scope="session")
def built(rivers):
    """The same of real histograms, for slow tests."""
    return build_card_abstraction(SMOKE, rivers=rivers)


@pytest.fixture(scope="session")
def with_turns(smoke):
    """The same with a table for the turn; not the right one, which the slow tests build."""
    turns = np.random.default_rng(1).integers(0, 12, 13_960_050).astype(np.uint16)
    return CardAbstraction(**smoke.parts, turn_table=turns)


@pytest.fixture
def ctrl_c_is_heard():
    """As in a program that was started at a terminal; one in the background may ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
