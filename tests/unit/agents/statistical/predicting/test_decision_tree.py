"""A grown tree: what it predicts, and its file."""

import numpy as np
import pytest

from agents.statistical.predicting.contexts import MAY_FOLD
from agents.statistical.predicting.decision_tree import DecisionTree
from agents.statistical.predicting.strength_bins import strength_bins
from engine.errors import ArtifactMismatch
from tests.helpers.decisions import POT_ODDS, contexts_of

ACTIONS = np.array([[50, 30, 20], [45, 5, 0], [5, 25, 20]], np.int32)


def small_tree():
    """One split, by pot odds at a half; folds with bin 2, calls with 10, raises with 19."""
    counts = np.zeros((3, 3, 21), np.int32)
    for action, bin_ in enumerate((2, 10, 19)):
        counts[:, action, bin_] = ACTIONS[:, action]
    return DecisionTree(
        np.array([POT_ODDS, -1, -1], np.int32),
        np.array([0.5, 0, 0], np.float32),
        np.array([[1, 2], [0, 0], [0, 0]], np.int32),
        counts,
        provenance={"seed": 3},
    )


def test_bins_of_strengths():
    """Twenty equal ones; 1 is in the last, the unknown beyond it."""
    strengths = np.array([0.0, 0.049, 0.05, 0.5, 0.999, 1.0, np.nan])
    assert strength_bins(strengths).tolist() == [0, 0, 1, 10, 19, 19, 20]


def test_contexts_come_to_their_leaf():
    """At the threshold to the left."""
    contexts = contexts_of(np.random.default_rng(1), 3)
    contexts[:, POT_ODDS] = 0.2, 0.5, 0.51
    assert small_tree().leaves(contexts).tolist() == [1, 1, 2]


def test_shares_are_drawn_to_those_of_the_parent():
    """Worked by hand: the parent counts for 20 decisions, uniform for 20 at the root."""
    contexts = contexts_of(np.random.default_rng(1), 1)
    contexts[:, POT_ODDS] = 0.1
    root = (ACTIONS[0] + 20 / 3) / 120
    assert small_tree().probabilities(contexts)[0] == pytest.approx((ACTIONS[1] + 20 * root) / 70)
    contexts[:, MAY_FOLD] = 0
    left = (ACTIONS[1] + 20 * root)[1:]
    assert small_tree().probabilities(contexts)[0] == pytest.approx([0, *(left / left.sum())])


def test_strengths_depend_on_leaf_and_action():
    """A raise shows strength."""
    contexts = contexts_of(np.random.default_rng(1), 2)
    contexts[:, POT_ODDS] = 0.9
    given = small_tree().strength_shares(contexts, np.array([0, 2]))
    assert given.sum(axis=1) == pytest.approx([1, 1])
    assert given.argmax(axis=1).tolist() == [2, 19]
    root = (50 + 100 / 20) / 150
    assert given[0, 2] == pytest.approx((5 + 100 * root) / 105)


def test_actions_depend_on_the_strength():
    """As the patent has it: a triple of shares for a strength, by Bayes' rule."""
    contexts = contexts_of(np.random.default_rng(1), 3)
    contexts[:, POT_ODDS] = 0.9
    tree = small_tree()
    shares = tree.action_shares(contexts, np.array([0.12, 0.52, 0.98]))
    assert shares.sum(axis=1) == pytest.approx(np.ones(3))
    assert shares.argmax(axis=1).tolist() == [0, 1, 2]
    joint = tree.chances[2] * tree.given[2, :, 10]
    assert shares[1] == pytest.approx(joint / joint.sum())


def test_files_are_checked(tmp_path):
    """What was saved comes back; damage is told."""
    path = tmp_path / "tree.model"
    tree = small_tree()
    tree.save(path)
    loaded = DecisionTree.load(path)
    assert (loaded.counts == tree.counts).all()
    assert loaded.provenance == {"seed": 3}
    content = path.read_bytes()
    for damaged in (content[:-8], b"x" + content[1:], b""):
        path.write_bytes(damaged)
        with pytest.raises(ArtifactMismatch):
            DecisionTree.load(path)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("feature", np.array([99, -1, -1], np.int32)),
        ("feature", np.array([-2, -1, -1], np.int32)),
        ("feature", np.array([5, -1], np.int32)),
        ("feature", np.zeros(0, np.int32)),
        ("threshold", np.zeros(3)),
        ("threshold", np.full(3, np.nan, np.float32)),
        ("children", np.array([[0, 2], [0, 0], [0, 0]], np.int32)),
        ("children", np.array([[1, 3], [0, 0], [0, 0]], np.int32)),
        ("children", np.array([[1, 1], [0, 0], [0, 0]], np.int32)),
        ("counts", np.full((3, 3, 21), -1, np.int32)),
    ],
)
def test_what_is_no_tree_is_refused(name, value):
    """Loops, children that are not there, features that are none."""
    tree = small_tree()
    parts = {part: getattr(tree, part) for part in DecisionTree.ARRAYS}
    with pytest.raises(ValueError):
        DecisionTree(**parts | {name: value})
