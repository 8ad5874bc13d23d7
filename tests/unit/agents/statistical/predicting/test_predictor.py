"""What predictors have in common, and the table of frequencies."""

import numpy as np
import pytest

from agents.statistical.counting.habits import Habits
from agents.statistical.predicting.contexts import FEATURES, MAY_FOLD, MAY_RAISE, HandReader
from agents.statistical.predicting.predictor import (
    FrequencyTable,
    among_legal,
    cells_of,
    legal_actions,
    load_frequencies,
)
from engine.errors import ArtifactMismatch
from protocol.actions import CALL, raise_to
from protocol.cards import parse_cards
from protocol.gamedefs import load_builtin
from tests.helpers.decisions import contexts_of


def test_cells_are_read_off_contexts():
    """The same as the reader of the hand says."""
    reader = HandReader(load_builtin("hunl"))
    contexts, cells = [], []
    for action in (
        raise_to(300),
        CALL,
        CALL,
        raise_to(600),
        raise_to(1200),
        CALL,
        CALL,
        CALL,
        CALL,
    ):
        contexts.append(reader.context(parse_cards("2c3d4hKsKc"), Habits()))
        cells.append(reader.cell)
        reader.take(action)
    assert cells_of(np.array(contexts)).tolist() == cells == [0, 1, 3, 3, 4, 5, 6, 6, 9]


def test_the_table_is_exact_on_tiny_data():
    """Cell 0 saw a fold, two calls and no raise: 2/6, 3/6, 1/6 with one of each beforehand."""
    table = FrequencyTable.of(np.array([0, 0, 0, 4]), np.array([0, 1, 1, 2]))
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
    found = load_frequencies(path)
    assert (found.counts == counts).all()
    assert (found.personal, found.provenance) == (True, {"seed": 1})
    first = path.read_bytes()
    found.save(path)
    assert path.read_bytes() == first
    path.write_bytes(first[:-3])
    with pytest.raises(ArtifactMismatch, match="arena train statistical"):
        load_frequencies(path)


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
