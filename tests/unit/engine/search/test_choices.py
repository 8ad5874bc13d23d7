"""Betting that ends with a choice of how to play on."""

import numpy as np
import pytest

from engine.betting.bet_menu import ALL_IN, BetMenu, street_menu
from engine.betting.betting_tree import DEAL, FOLDED, SHOWDOWN, build_betting_tree, subgame_root
from engine.range_solver.leaves import street_ends
from engine.search.choices import with_choices
from protocol.gamedefs import load_builtin

BETS = street_menu((0.5, ALL_IN), (ALL_IN,), max_raises=2)


@pytest.fixture(scope="module")
def tree():
    """The betting of a turn and a river."""
    root = subgame_root(load_builtin("hunl"), 2, 400, (900, 900))
    return build_betting_tree(root, BetMenu((BETS,) * 4))


def ends_of(tree):
    """Where the turn ends, and more may be bet."""
    return [node for node in street_ends(tree, 2) if tree.kind[node] == DEAL]


@pytest.mark.parametrize("chooser", [0, 1])
@pytest.mark.parametrize("count", [1, 4])
def test_each_end_of_a_street_becomes_a_choice(tree, chooser, count):
    """With as many leaves right below it, at the same chips; all before it is as it was."""
    cut, leaves = with_choices(tree, ends_of(tree), chooser, count)
    assert set(leaves) == set(ends_of(tree))
    for end, chosen in leaves.items():
        choice = int(cut.parent[chosen.start])
        assert cut.children(choice) == chosen
        assert len(chosen) == count
        assert cut.kind[choice] == chooser
        assert cut.betting(choice) == tree.betting(end)
        assert set(cut.kind[chosen.start : chosen.stop].tolist()) == {DEAL}
        assert (cut.spent[chosen.start : chosen.stop] == tree.spent[end]).all()
    kept = [node for node in range(tree.nodes) if tree.street[node] == 2]
    assert cut.nodes == len(kept) + count * len(leaves)
    assert [cut.betting(node) for node in range(len(kept))] == list(map(tree.betting, kept))


def test_nothing_lies_behind_the_leaves(tree):
    """Folds and all-ins of the turn are there, the river is not."""
    cut, _ = with_choices(tree, ends_of(tree), 0, 2)
    assert set(cut.street.tolist()) == {2}
    for kind in (FOLDED, SHOWDOWN):
        ends = np.flatnonzero((tree.kind == kind) & (tree.street == 2))
        assert np.count_nonzero(cut.kind == kind) == len(ends)


@pytest.mark.parametrize(
    ("node", "chooser", "count"), [(0, 0, 2), ("fold", 0, 2), ("end", 2, 2), ("end", 0, 0)]
)
def test_other_choices_are_refused(tree, node, chooser, count):
    """At a decision or a fold, by nobody, or among nothing."""
    known = {"fold": int(np.flatnonzero(tree.kind == FOLDED)[0]), "end": ends_of(tree)[0]}
    with pytest.raises(ValueError, match=r"choice|chooses"):
        with_choices(tree, [known.get(node, node)], chooser, count)
