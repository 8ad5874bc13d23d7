"""The betting of a true hand, read in the abstract game."""

import numpy as np
import pytest

from agents.blueprint_model import reading
from agents.blueprint_model.model import tree_of
from agents.blueprint_model.reading import Reader
from engine.rules.state import HandState
from protocol.actions import CALL, FOLD, raise_to
from tests.helpers.blueprints import random_action, tiny_config


def steps(game, hands, seed):
    """Yield the state before, the action and the state after of every action of some hands."""
    rng = np.random.default_rng(seed)
    for _ in range(hands):
        state = HandState.start(game)
        while not state.over:
            state = state.apply(random_action(state, rng))
        yield from state.steps()


@pytest.mark.parametrize("name", ["hunl", "hulhe", "leduc"])
def test_what_is_kept_changes_no_answer(name):
    """Asked about states in any order and again, it says what somebody says who keeps nothing."""
    tree, rng = tree_of(tiny_config(name)), np.random.default_rng(1)
    kept, forgetful = Reader(tree, tree.game), Reader(tree, tree.game)
    found = list(steps(tree.game, 30, seed=2))
    for number in rng.integers(len(found), size=1000).tolist():
        before, action, after = found[number]
        node = int(rng.choice(tree.decisions))
        asked = bool(rng.integers(2))
        forgetful._offers.clear()
        forgetful._leads.clear()
        assert kept.offers(node, before) == forgetful.offers(node, before)
        told = [
            reader.leads(node, before, action, after, asked=asked) for reader in (kept, forgetful)
        ]
        assert told[0] == told[1]


@pytest.mark.parametrize("name", ["hunl", "hulhe", "leduc"])
def test_the_chances_of_an_action_add_to_one(name):
    """Whoever takes it; only of those who are asked about it matters what their hands do."""
    tree, rng = tree_of(tiny_config(name)), np.random.default_rng(3)
    reader = Reader(tree, tree.game)
    for before, action, after in steps(tree.game, 60, seed=4):
        node = int(rng.choice(tree.decisions))
        for asked in (False, True):
            leads = reader.leads(node, before, action, after, asked=asked)
            assert sum(lead.chance for lead in leads) == pytest.approx(1)
            for lead in leads:
                assert bool(lead.columns) == (asked and reader.offers(node, before) != ())


def test_out_of_step_one_calls():
    """The true street has begun, the abstract one has not."""
    tree = tree_of(tiny_config("leduc"))
    reader = Reader(tree, tree.game)
    state = HandState.start(tree.game)
    later = state.apply(CALL).apply(CALL)
    assert reader.offers(0, state)
    assert not reader.offers(0, later)
    assert reader.offered(0, later, CALL)
    assert not reader.offered(0, later, FOLD)


def test_little_is_kept_however_many_sizes_there_are(monkeypatch):
    """An opponent that never raises to the same size twice; answers stay what they are."""
    monkeypatch.setattr(reading, "_CACHED_ANSWERS", 50)
    tree = tree_of(tiny_config("hunl"))
    reader, forgetful = Reader(tree, tree.game), Reader(tree, tree.game)
    state = HandState.start(tree.game)
    for total in range(200, 600):
        action = raise_to(total)
        after = state.apply(action)
        leads = reader.leads(0, state, action, after, asked=False)
        forgetful._leads.clear()
        assert leads == forgetful.leads(0, state, action, after, asked=False)
        for lead in leads:
            reader.offers(lead.node, after)
        assert len(reader._leads) <= 50
        assert len(reader._offers) <= 50
