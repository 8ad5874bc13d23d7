"""Curves by all that a player did before."""

import numpy as np
import pytest

from agents.statistical.counting.situations import CALL, CELLS, RAISE, actions_of
from agents.statistical.predicting.action_curves import TENTHS, ActionCurves
from agents.statistical.predicting.sequence_curves import SequenceCurves
from engine.errors import ArtifactMismatch
from engine.rules.view import replay_betting
from protocol.cards import parse_cards
from protocol.gamedefs import load_builtin

HUNL = load_builtin("hunl")
ROWS = SequenceCurves.ROWS


def rows_of(betting, position):
    """Return the rows of a position's decisions: (street before, this street, cell)."""
    state = replay_betting(HUNL, betting)
    actions = actions_of(state, parse_cards("2c7d9hJsQd")[: HUNL.board_seen(state.street)])
    rows = [SequenceCurves.row_of(one.situation) for one in actions if one.actor == position]
    return [(row // (4 * CELLS), row // CELLS % 4, row % CELLS) for row in rows]


def test_rows_tell_what_was_done():
    """Worked by hand: a call before the flop, a check-raise, a bet."""
    betting = "r300c/cr600r1200c/r2400"
    state = replay_betting(HUNL, betting)
    checker = state.history[2].state.actor
    assert rows_of(betting, checker) == [(0, 0, 1), (1, 0, 3), (1, 1, 4), (2, 0, 6)]
    assert rows_of(betting, 1 - checker) == [(0, 0, 0), (2, 0, 3), (2, 2, 5)]


def test_rows_that_were_not_seen_have_the_curve_of_their_cell():
    """And those that were, a curve of their own; sums over actions are 1."""
    counts = np.zeros((ROWS, 3, TENTHS), np.int64)
    counts[CELLS + 4, RAISE] = 50  # checked before: raises
    counts[4, CALL] = 50
    curves = SequenceCurves(counts).curves
    assert curves.sum(axis=1) == pytest.approx(np.ones((ROWS, TENTHS)))
    assert curves[CELLS + 4, RAISE].min() > 0.85
    assert curves[4, CALL].min() > 0.85
    assert curves[2 * CELLS + 4, RAISE] == pytest.approx(np.full(TENTHS, 0.5), abs=0.05)


def test_without_differences_between_rows_it_is_the_curve_of_the_cell():
    """As the curves that know the street and raises alone have it, nearly."""
    cell = np.random.default_rng(1).integers(200, 900, (CELLS, 3, TENTHS))
    sequences = SequenceCurves(np.tile(cell, (ROWS // CELLS, 1, 1)))
    alone = ActionCurves(cell * (ROWS // CELLS))
    assert sequences.curves[:CELLS] == pytest.approx(alone.curves, abs=0.02)


def test_wrong_counts_and_files_are_refused(tmp_path):
    """Shapes, negative counts, and a file of the other curves."""
    for wrong in (np.zeros((12, 3, TENTHS), np.int64), np.full((ROWS, 3, TENTHS), -1)):
        with pytest.raises(ValueError, match="counts"):
            SequenceCurves(wrong)
    path = tmp_path / "sequences.model"
    ActionCurves(np.ones((CELLS, 3, TENTHS), np.int64)).save(path)
    with pytest.raises(ArtifactMismatch, match="holds 'curves of actions'"):
        SequenceCurves.load(path)
