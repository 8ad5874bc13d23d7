"""The branch behind one new raise: who comes there with what, and what is had instead."""

import numpy as np
import pytest

from agents.blueprint_model.model import BlueprintModel, tree_of
from agents.improvement.branch import Branch
from agents.improvement.improved_model import improved_model
from engine.betting.betting_tree import FOLD
from engine.betting.info_sets import MAX_ACTIONS
from engine.mccfr.external_sampling import Mccfr
from tests.helpers.blueprints import tiny_cards, tiny_config
from tests.helpers.improving import tabulated_cards

KEYS = np.arange(4000, dtype=np.uint64)
FEW = 10


@pytest.fixture(scope="module")
def model():
    """Whoever acts first raises to 300 with the first ten buckets and folds the others; else all
    is called.
    """
    config = tiny_config()
    tree = tree_of(config)

    def average(node):
        rows = np.zeros((tiny_cards().counts[int(tree.street[node])], tree.child_count[node]))
        if node:
            rows[:, int(tree.action[tree.first_child[node]] == FOLD)] = 1
        else:
            rows[:FEW, tree.path("r300")[-1] - int(tree.first_child[0])] = 1
            rows[FEW:, 0] = 1
        return rows.astype(np.float32)

    return BlueprintModel.of_averages(config, tree, tiny_cards(), average, {})


def held(branch, worth=None):
    """Return (4000, 2) which buckets are dealt before the flop."""
    return branch.source(tabulated_cards(), worth).deal(KEYS).bucket[:, :, 0]


def test_players_come_with_the_hands_of_the_model(model):
    """Whoever raised first has few hands, whoever is about to raise anything."""
    branch = Branch(model, "r300r1000", safe=False)
    first = int(model.tree.kind[0])
    assert branch.player == 1 - first
    assert model.tree.betting(branch.place) == "r300"
    found = held(branch)
    assert (found[:, first] < FEW).mean() > 0.95
    assert len(np.unique(found[:, 1 - first])) > 100


def test_whoever_may_do_otherwise_comes_with_all_hands(model):
    """With siblings: the model's own raises before say nothing; alone they do."""
    extra = "r300r900r2400"
    with_others, alone = (Branch(model, extra, safe=safe) for safe in (True, False))
    first = int(model.tree.kind[0])
    assert with_others.player == alone.player == first
    worth = np.linspace(-300, 300, 169)
    assert (held(with_others, worth)[:, first] < FEW).mean() < 0.2
    assert (held(alone)[:, first] < FEW).mean() > 0.95
    deals = with_others.source(tabulated_cards(), worth).deal(KEYS)
    sign = 1 if first == 0 else -1
    assert deals.elsewhere == pytest.approx(sign * worth[deals.bucket[:, first, 0]], rel=1e-6)


def test_the_siblings_are_valued(model):
    """Folding at the root costs the small blind; limping and calling down comes to nothing."""
    branch = Branch(model, "r250", safe=True)
    *_, found = branch.value_others(tabulated_cards(), 20_000, 1)
    actions = [model.tree.action_text(child) for child in model.tree.children(0)]
    assert actions == ["f", "c", "r200", "r300"]
    dealt = found.deals > 0
    assert (found.mean[dealt, 0] == -50).all()
    mean = (found.won.sum(axis=0) / found.deals.sum())[1:]
    spread = 5 * np.sqrt(found.squares.sum(axis=0)[1:] / found.deals.sum() ** 2)
    assert (np.abs(mean) < spread).all()
    aces = model.cards.bucket([51, 50], [])
    assert found.mean[aces, 1] < found.mean[aces, 2] < found.mean[aces, 3]
    worth = branch.worth_of(found)  # the model raises to 300 with the first few, folds the others
    assert worth[:FEW] == pytest.approx(found.mean[:FEW, 3])
    assert worth[FEW:] == pytest.approx(found.mean[FEW:, 0])


@pytest.mark.slow
def test_a_second_raise_is_valued_against_the_sizes_that_the_model_makes(model):
    """Raises that it learned to answer before are no siblings, however many there are."""
    extras = ("r225", "r250", "r275", "r400", "r500")
    better = improved_model(model, {extra: even_branch(model, extra) for extra in extras}, {})
    assert len(better.tree.children(0)) > MAX_ACTIONS
    old, new = (
        list(Branch(one, "r325", safe=True).value_others(tabulated_cards(), 3000, 1))[-1]
        for one in (model, better)
    )
    assert (old.won == new.won).all()
    behind = Branch(better, "r250r700", safe=True)
    assert better.tree.betting(behind.place) == "r250"
    *_, found = behind.value_others(tabulated_cards(), 3000, 1)
    assert found.won.shape == (169, len(better.tree.children(behind.place)))


def even_branch(model, extra):
    """Return a strategy behind a raise that takes all actions alike."""
    tree = Branch(model, extra, safe=False).tree

    def average(node):
        shape = model.cards.counts[int(tree.street[node])], int(tree.child_count[node])
        return np.full(shape, 1 / shape[1], np.float32)

    return average


def test_rows_are_those_of_the_new_model(model):
    """The choice before the branch is not among them."""
    alone, safe = (Branch(model, "r250", safe=one) for one in (False, True))
    assert safe.rows == alone.rows == alone.info_sets.rows
    assert safe.info_sets.rows == alone.rows + 169
    solver = Mccfr(
        safe.info_sets,
        tabulated_cards(),
        np.random.default_rng(1),
        safe.settings(1),
        safe.source(tabulated_cards(), np.zeros(169)),
    )
    solver.run(2000)
    for node in alone.tree.decisions.tolist():
        assert safe.average(solver, node).shape == (
            model.cards.counts[int(alone.tree.street[node])],
            int(alone.tree.child_count[node]),
        )


def test_what_cannot_be_learned(model):
    """A raise that the model has, or that the rules do not allow."""
    for extra in ("r300", "r150", "r20001"):
        with pytest.raises(ValueError, match="beside the menu"):
            Branch(model, extra, safe=True)
