"""What players did with each tenth of their range: counts, likelihoods, files."""

import numpy as np
import pytest

from agents.statistical.counting.situations import ACTIONS, CALL, CELLS, FOLD, RAISE, cell_of
from agents.statistical.predicting.action_chances import GenericChances
from agents.statistical.predicting.action_curves import TENTHS, ActionCurves, tenth_of
from agents.statistical.predicting.model_files import load_shipped
from agents.statistical.ranges.interpretation import ActionInterpretation
from agents.statistical.ranges.opponent_range import OpponentRange
from engine.equity.strength import StrengthReader
from engine.errors import ArtifactMismatch
from engine.hands.cards import parse_combo
from engine.rules.view import PlayerView, replay_betting
from protocol.cards import parse_cards
from protocol.gamedefs import load_builtin
from tests.helpers.decisions import follow

PLACES = np.linspace(0, 1, 11)
ALL = (True, True, True)
CURVES = load_shipped("curves")


def test_curves_are_chances():
    """Each tenth does something; strong hands fold less than weak ones, and bluffs raise."""
    curves = CURVES.curves
    assert curves.shape == (CELLS, ACTIONS, TENTHS)
    np.testing.assert_allclose(curves.sum(axis=1), 1)
    for street in range(4):
        folds = curves[cell_of(street, 1), FOLD]
        assert folds[0] > 0.5 > 0.1 > folds[-1]
    river = curves[cell_of(3, 0), RAISE]
    assert river[0] > 2 * river[4]  # bluffs
    assert river[9] > river[0]


def test_nothing_counted_says_nothing():
    """All actions alike, whatever is held; the player's own shares come out."""
    curves = ActionCurves(np.zeros((CELLS, ACTIONS, TENTHS), np.int64))
    np.testing.assert_allclose(curves.curves, 1 / 3)
    likely = curves.likelihoods(5, (0.2, 0.5, 0.3), ALL, PLACES)
    np.testing.assert_allclose(likely.T, np.tile((0.2, 0.5, 0.3), (len(PLACES), 1)))


def test_a_tenth_counts_half_in_its_neighbours():
    """And not at all further away, where the whole cell speaks; the best hand is in the last."""
    counts = np.zeros((CELLS, ACTIONS, TENTHS), np.int64)
    counts[4, CALL] = counts[4, RAISE, 4] = 1000
    raises = ActionCurves(counts).curves[4, RAISE]
    usual = 1002 / 11006
    assert raises[4] > raises[3] == raises[5]
    assert raises[3] == pytest.approx((500 + 8 * usual) / 2508, rel=0.002)
    assert raises[2] == raises[6] == pytest.approx(8 * usual / 2008, abs=0.001)
    assert [tenth_of(place) for place in (0.0, 0.0999, 0.1, 0.95, 1.0)] == [0, 0, 1, 9, 9]


def test_likelihoods_sum_to_one():
    """Over what is legal; a call is certain where nothing else is, and dead combos have none."""
    for cell in range(CELLS):
        likely = CURVES.likelihoods(cell, (0.2, 0.5, 0.3), ALL, PLACES)
        np.testing.assert_allclose(likely.sum(axis=0), 1)
        barred = CURVES.likelihoods(cell, (0.0, 0.6, 0.4), (False, True, True), PLACES)
        np.testing.assert_array_equal(barred[FOLD], 0)
        np.testing.assert_allclose(barred.sum(axis=0), 1)
    certain = CURVES.likelihoods(0, (0.0, 1.0, 0.0), (False, True, False), PLACES)
    np.testing.assert_array_equal(certain[CALL], 1)
    dead = CURVES.likelihoods(3, (0.2, 0.5, 0.3), ALL, np.array([0.5, np.nan]))
    assert np.isnan(dead).all(axis=0).tolist() == [False, True]


def test_who_raises_more_raises_more_with_every_hand():
    """And whoever always does says nothing by it."""
    cell = cell_of(1, 0)
    often = CURVES.likelihoods(cell, (0.0, 0.3, 0.7), (False, True, True), PLACES)[RAISE]
    seldom = CURVES.likelihoods(cell, (0.0, 0.9, 0.1), (False, True, True), PLACES)[RAISE]
    always = CURVES.likelihoods(cell, (0.0, 0.0, 1.0), (False, True, True), PLACES)[RAISE]
    assert (often > seldom).all()
    assert always.min() > 0.99


def test_other_counts_are_refused():
    """Nine tenths; shares; less than nothing."""
    shape = (CELLS, ACTIONS, TENTHS)
    for counts in (np.zeros((*shape[:2], 9), np.int64), np.zeros(shape), np.full(shape, -1)):
        with pytest.raises(ValueError, match="none negative"):
            ActionCurves(counts)


def test_files_come_back(tmp_path):
    """With their provenance; damage is told, and so is another kind of model."""
    path = tmp_path / "curves.model"
    saved = ActionCurves(CURVES.counts, provenance={"seed": 3})
    saved.save(path)
    again = ActionCurves.load(path)
    np.testing.assert_array_equal(again.counts, CURVES.counts)
    assert again.provenance == {"seed": 3}
    path.write_bytes(path.read_bytes()[:-1] + b"!")
    with pytest.raises(ArtifactMismatch):
        ActionCurves.load(path)
    load_shipped("types").save(path)
    with pytest.raises(ArtifactMismatch):
        ActionCurves.load(path)


def test_a_range_by_curves():
    """A bet on the river is a strong hand or a bluff rather than a middling one."""
    game = load_builtin("hunl")
    position = 1 - game.first_positions[-1]
    shown = tuple(parse_cards("AdQc") if seat == position else () for seat in range(2))
    held, done = (
        OpponentRange(shown[position], StrengthReader(), ActionInterpretation(curves=CURVES)),
        0,
    )
    weights = []
    for betting in ("r250c/cc/cc/", "r250c/cc/cc/r500"):
        state = replay_betting(game, betting)
        view = PlayerView(state, 0, position, shown, parse_cards("3h4cJhKs9c"))
        follow(held, view, GenericChances(), since=done)
        done = len(view.history)
        weights.append(held.weights)
    factors = {
        text: weights[1][parse_combo(text)] / weights[0][parse_combo(text)]
        for text in ("JsJc", "4d5d", "5s6s")
    }
    assert factors["JsJc"] > 2 * factors["4d5d"]
    assert factors["5s6s"] > factors["4d5d"]
