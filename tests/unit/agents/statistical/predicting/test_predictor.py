"""What predictors have in common, and the table of frequencies."""

import numpy as np
import pytest

from agents.statistical.counting.habits import habits_of
from agents.statistical.counting.situations import actions_of
from agents.statistical.predicting.contexts import FEATURES, MAY_FOLD, MAY_RAISE, context_of
from agents.statistical.predicting.predictor import (
    FrequencyTable,
    among_legal,
    cells_of,
    legal_actions,
)
from engine.errors import ArtifactMismatch
from engine.rules.view import replay_betting
from protocol.cards import parse_cards
from protocol.gamedefs import load_builtin
from tests.helpers.decisions import contexts_of


def test_cells_are_read_off_contexts():
    """The same as those of the situations."""
    state = replay_betting(load_builtin("hunl"), "r300c/cr600r1200c/cc/c")
    board = parse_cards("2c3d4hKsKc")
    seen = [one.situation for one in actions_of(state, board)]
    stranger = habits_of(np.zeros((12, 3), np.int64), 0)
    contexts = np.array([context_of(situation, stranger) for situation in seen])
    assert cells_of(contexts).tolist() == [one.cell for one in seen] == [0, 1, 3, 3, 4, 5, 6, 6, 9]


def test_the_table_is_exact_on_tiny_data():
    """Cell 0 saw a fold, two calls and no raise: 2/6, 3/6, 1/6 with one of each beforehand."""
    table = FrequencyTable.counting(np.array([0, 0, 0, 4]), np.array([0, 1, 1, 2]))
    assert table.counts[0].tolist() == [1, 2, 0]
    contexts = contexts_of(np.random.default_rng(1), 400)
    found = table.probabilities(contexts)
    cells = cells_of(contexts)
    assert found[cells == 0] == pytest.approx(
        np.tile([2 / 6, 3 / 6, 1 / 6], ((cells == 0).sum(), 1))
    )
    assert found[cells == 4][0] == pytest.approx([1 / 4, 1 / 4, 2 / 4])
    assert found[cells == 7][0] == pytest.approx([1 / 3, 1 / 3, 1 / 3])


def test_illegal_actions_are_taken_out():
    """Their share goes to the others; where nothing is left, to the call."""
    contexts = contexts_of(np.random.default_rng(1), 3)
    contexts[0, MAY_FOLD] = 0
    contexts[1, (MAY_FOLD, MAY_RAISE)] = 0
    contexts[2, MAY_RAISE] = 0
    assert legal_actions(contexts).tolist() == [[0, 1, 1], [0, 1, 0], [1, 1, 0]]
    chances = np.array([[0.5, 0.3, 0.2], [0.6, 0.0, 0.4], [0.2, 0.2, 0.6]])
    assert among_legal(chances, contexts) == pytest.approx(
        np.array([[0, 0.6, 0.4], [0, 1, 0], [0.5, 0.5, 0]])
    )


def test_personal_tables_go_over_to_the_players_own_shares():
    """Weighed by how much is known in the cell."""
    table = FrequencyTable(np.full((12, 3), 9, np.int64), personal=True)
    contexts = contexts_of(np.random.default_rng(1), 1)
    names = [FEATURES.index(name) for name in ("folds here", "calls here", "raises here")]
    contexts[0, names] = 0.1, 0.2, 0.7
    contexts[0, FEATURES.index("known here")] = 0.75
    expected = [0.75 * own + 0.25 / 3 for own in (0.1, 0.2, 0.7)]
    assert table.probabilities(contexts)[0] == pytest.approx(expected)


def test_a_table_comes_back_from_its_file(tmp_path):
    """Counts, kind and provenance; the same table has the same bytes."""
    path = tmp_path / "frequencies.model"
    counts = np.arange(36).reshape(12, 3)
    FrequencyTable(counts, personal=True, provenance={"seed": 1}).save(path)
    found = FrequencyTable.load(path)
    assert (found.counts == counts).all()
    assert (found.personal, found.provenance) == (True, {"seed": 1})
    first = path.read_bytes()
    found.save(path)
    assert path.read_bytes() == first
    path.write_bytes(first[:-3])
    with pytest.raises(ArtifactMismatch, match="arena train statistical"):
        FrequencyTable.load(path)


def test_wrong_arrays_are_refused():
    """Counts of another shape, contexts of another width or dtype."""
    with pytest.raises(ValueError, match="counts"):
        FrequencyTable(np.zeros((4, 9), np.int64))
    with pytest.raises(ValueError, match="counts"):
        FrequencyTable(np.full((12, 3), -1, np.int64))
    table = FrequencyTable(np.zeros((12, 3), np.int64))
    for wrong in (
        np.zeros((2, 5), np.float32),
        np.zeros((2, len(FEATURES))),
        np.zeros(3, np.float32),
    ):
        with pytest.raises(ValueError, match="contexts: want"):
            table.probabilities(wrong)
