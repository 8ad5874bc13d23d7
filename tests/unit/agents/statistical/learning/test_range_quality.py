"""How well weights predict the hands of a log."""

import numpy as np
import pytest

from agents.statistical.counting.situations import CALL, RAISE, cell_of
from agents.statistical.learning.range_quality import (
    RangeModel,
    RangeScores,
    counted_model,
    generic_model,
    playing_model,
    score_ranges,
)
from agents.statistical.predicting.action_chances import GenericChances
from agents.statistical.predicting.model_files import load_shipped
from agents.statistical.ranges.interpretation import ActionInterpretation
from agents.statistical.ranges.interpretation_choice import (
    INTERPRETATION_KEYS,
    InterpretationChoice,
    best_key,
)
from agents.statistical.ranges.opponent_range import OpponentRange
from engine.equity.strength import StrengthReader
from engine.hands.cards import combo_of
from engine.rules.view import PlayerView, replay_betting
from protocol.cards import parse_cards
from protocol.gamedefs import load_builtin
from tests.helpers.decisions import follow, hand_record

HUNL = load_builtin("hunl")
SHOWN = "r300c/cr600c/cc/cr1800c:AdQc|KhKd/3h4cJh/Ks/9c"
FOLDED = "r300f:7c2d|AhAd"


def test_only_showdowns_are_scored_and_all_hands_counted():
    """Both hands of a showdown; decisions of hands that were folded count too."""
    hands = [hand_record(FOLDED), hand_record(SHOWN, 1), hand_record(FOLDED, 2)]
    scores = score_ranges(HUNL, hands, [counted_model(), generic_model()])
    assert scores.gains.shape == (2, 1, 2)
    assert np.isfinite(scores.gains).all()
    assert {name: one.hands for name, one in scores.opponents.items()} == {"one": 3, "two": 3}
    assert scores.opponents["two"].counts[1, cell_of(0, 0), RAISE] == 3
    assert scores.opponents["one"].counts[0, cell_of(2, 0), CALL] == 1


def test_a_score_is_the_belief_times_the_possible_hands():
    """The same as following the hand by itself."""
    scores = score_ranges(HUNL, [hand_record(SHOWN)], [generic_model()])
    state = replay_betting(HUNL, SHOWN.split(":")[0])
    holes = (tuple(parse_cards("AdQc")), tuple(parse_cards("KhKd")))
    for position in range(2):
        view = PlayerView(state, 0, 1 - position, holes, parse_cards("3h4cJhKs9c"))
        held = OpponentRange(view.hole, StrengthReader(), ActionInterpretation())
        follow(held, view, GenericChances())
        belief = held.belief()[combo_of(*holes[position])]
        assert scores.gains[0, 0, position] == pytest.approx(np.log(belief * 990))


def test_a_hand_is_scored_before_it_is_learnt():
    """The first score of a stranger is that of the generic model, later ones are not."""
    models = [counted_model(), generic_model()]
    hands = [hand_record(SHOWN, number) for number in range(3)]
    gains = score_ranges(HUNL, hands, models).gains
    np.testing.assert_allclose(gains[0, 0], gains[1, 0])
    assert (gains[0, 2] != gains[1, 2]).all()
    np.testing.assert_array_equal(score_ranges(HUNL, hands, models, learn=2).gains, gains[:, 2:])


def test_the_playing_model_learns_from_hands_that_are_shown():
    """As the default until they say otherwise, then as they say; folded hands teach nothing."""
    choice = InterpretationChoice(load_shipped("curves"))
    models = [
        playing_model(choice),
        counted_model(),
        counted_model(ActionInterpretation(curves=choice.curves)),
    ]
    hands = [hand_record(SHOWN, number) for number in range(8)]
    found = score_ranges(HUNL, [*hands, hand_record(FOLDED, 8)], models, choice=choice)
    np.testing.assert_array_equal(found.gains[0, 0], found.gains[1, 0])
    told = found.opponents["two"]
    assert (told.showdowns, told.scored) == (8, 8)
    assert told.shown[cell_of(0, 0), RAISE].sum() == 8
    assert best_key(told) != INTERPRETATION_KEYS[0]
    assert found.gains[0, 7, 1] > found.gains[1, 7, 1]


def test_a_model_that_reads_nothing_is_uniform():
    """Certain calls and raises say nothing: 0 nats."""

    class Certain:
        def shares(self, situation):
            return 0.0, 0.0, 1.0

    model = RangeModel(lambda counters: ActionInterpretation(mirrored=False), Certain())
    scores = score_ranges(HUNL, [hand_record("r300r900c/cc/cc/cc:AdQc|KhKd/3h4cJh/Ks/9c")], [model])
    assert scores.gains[0, 0, 0] == pytest.approx(0, abs=0.3)


def test_two_scores_of_a_showdown_are_one_sample():
    """Means 1 and 3 of two showdowns: 2 +- 12.7, by Student's t of one degree of freedom."""
    scores = RangeScores(np.array([[[0.0, 2.0], [3.0, 3.0]], [[0.0, 0.0], [1.0, 1.0]]]), {})
    assert scores.gain(0) == pytest.approx((2, 12.7062), abs=1e-4)
    assert scores.gain(0, over=1) == pytest.approx((1.5, 6.3531), abs=1e-4)
    assert str(scores.gain(0)) == "+2.0000 ± 12.7062"
    with pytest.raises(ValueError, match="1 showdowns"):
        score_ranges(HUNL, [hand_record(SHOWN)], [generic_model()]).gain(0)
