"""The patent's figures about weights and counters: how raises narrow a range, and real logs.

The patent is the one that `agents.statistical` names.
"""

import numpy as np
import pytest

from agents.statistical.counting.situations import ACTIONS, FOLD, RAISE
from agents.statistical.learning.range_quality import counted_model, generic_model, score_ranges
from agents.statistical.predicting.action_chances import GenericChances
from agents.statistical.ranges.interpretation import ActionInterpretation
from agents.statistical.ranges.opponent_range import OpponentRange
from agents.statistical.ranges.thresholds import band_of, sharp_ramps
from agents.statistical.variants import candidate_combos
from engine.equity.potential import hand_potentials
from engine.equity.strength import StrengthReader, combo_strengths
from engine.hands.cards import COMBOS
from engine.rules.view import PlayerView, replay_betting
from protocol.gamedefs import load_builtin
from protocol.handlog import find_hands
from tests.helpers.decisions import follow

HUNL = load_builtin("hunl")
ANY = np.ones(COMBOS)
PATENT_KEPT = (427 / 1081, 369 / 1035, 286 / 990)
"""Holdings of the highest weight after a raise on flop, turn and river, of those possible there,
frequencies 2:5:3.  Its boards are lost, so ours are drawn; the mean strength at last was 0.84."""


def optimistic(board):
    """(1326,) the patent's EHS' = HS + (1 - HS) PPot, all cards ahead."""
    if len(board) == 5:
        return combo_strengths(board)
    return hand_potentials(board, ANY, 5 - len(board)).ehs_optimistic


def narrowed(cards, measure):
    """Kept shares and their mean strengths along three raises, and the mean of all before.

    Weights of each street alone, and of the whole hand.
    """
    hole, board = cards[:2], cards[2:]
    raising = sharp_ramps(band_of(2, 5, 3)).raising
    whole = OpponentRange(hole, StrengthReader(), ActionInterpretation())
    assert whole.possible == 1225
    shares, means, over_hand = [], [], []
    for seen in (3, 4, 5):
        strengths = measure(board[:seen])
        street = OpponentRange((*hole, *board[:seen]), StrengthReader(), ActionInterpretation())
        street.multiply(raising.rising(strengths))
        kept = candidate_combos(street)
        shares.append(kept.sum() / street.possible)
        means.append(strengths[kept].mean())
        whole.remove(board[:3] if seen == 3 else board[seen - 1 : seen])
        whole.multiply(raising.rising(strengths))
        over_hand.append(whole.mean_strength(combo_strengths(board[:seen])))
    return shares, means, over_hand


@pytest.mark.slow
def test_three_raises_narrow_a_range_as_in_the_patent():
    """Over 40 drawn boards, with EHS': 39.5, 35.7 and 28.9 % lie near the mean and in the spread.

    With EHS, which also counts what may go wrong, a flop leaves only half as many.
    """
    rng = np.random.default_rng(5)
    found = [narrowed(rng.permutation(52)[:7].tolist(), optimistic) for _ in range(40)]
    shares = np.array([shares for shares, _, _ in found])
    means = np.array([means for _, means, _ in found])
    over_hand = np.array([over for _, _, over in found])
    for kept, patent in zip(shares.T, PATENT_KEPT, strict=True):
        assert kept.mean() == pytest.approx(patent, abs=0.03)
        assert kept.min() < patent < kept.max()
    assert (shares.mean(axis=0) > 0.28).all()
    assert (shares.mean(axis=0) < 0.42).all()
    assert means[:, 2].mean() == pytest.approx(0.84, abs=0.03)
    assert (np.diff(over_hand.mean(axis=0)) > 0).all()
    rising = (np.diff(over_hand, axis=1) > 0).all(axis=1)
    assert rising.mean() > 0.5


def test_ehs_leaves_fewer_on_the_flop():
    """The patent's 427 of 1081 cannot be hands of an EHS above 0.7: there are about a fifth."""
    rng = np.random.default_rng(5)
    found = [narrowed(rng.permutation(52)[:7].tolist(), combo_strengths) for _ in range(40)]
    shares = np.array([shares for shares, _, _ in found])
    assert shares[:, 0].max() < 0.36
    assert 0.15 < shares[:, 0].mean() < 0.25
    assert shares[:, 2].mean() == pytest.approx(0.3, abs=0.03)


def test_the_bot_narrows_a_range_with_every_raise():
    """As it reads actions itself, softer than the patent: hands it counts on, and their mean."""
    rng = np.random.default_rng(5)
    lines = ((3, "cc/"), (3, "cc/cr300"), (4, "cc/cr300c/cr900"), (5, "cc/cr300c/cr900c/cr2700"))
    sizes, means = np.empty((20, 4)), np.empty((20, 4))
    strengths = StrengthReader()
    for number in range(20):
        cards = rng.permutation(52)[:7].tolist()
        for step, (seen, betting) in enumerate(lines):
            board = tuple(cards[2 : 2 + seen])
            state = replay_betting(HUNL, betting)
            view = PlayerView(state, 0, 0, (tuple(cards[:2]), ()), board)
            held = OpponentRange(view.hole, strengths, ActionInterpretation())
            follow(held, view, GenericChances())
            belief = held.belief()
            belief = belief[belief > 0]
            sizes[number, step] = np.exp(-(belief @ np.log(belief)))
            means[number, step] = held.mean_strength(strengths.read(board))
    assert sizes.mean(axis=0) == pytest.approx([1054, 764, 486, 367], rel=0.1)
    assert means.mean(axis=0) == pytest.approx([0.51, 0.65, 0.77, 0.82], abs=0.02)
    assert (np.diff(sizes, axis=1) < 0).mean() > 0.9
    assert (np.diff(means, axis=1) > 0).mean() > 0.9


def deepstack(shared_data, first, end):
    """Some hands of the published log."""
    path = shared_data / "deepstack/hands.log"
    with path.open(encoding="utf-8", errors="surrogateescape") as file:
        lines = [line for number, line in enumerate(file) if first <= number < end]
    return list(find_hands(lines))


def test_the_36_counters_of_a_real_match(shared_data):
    """Every action of 1000 hands is counted once; what cannot happen never does."""
    path = shared_data / "dealer_logs/2p.nolimit.h1000.r0.log"
    hands = list(find_hands(path.read_text().splitlines()))[:150]
    found = score_ranges(HUNL, hands, [counted_model()], learn=len(hands)).opponents
    assert set(found) == {"p1", "p2"}
    actions = sum(hand.betting.count(kind) for hand in hands for kind in "fcr")
    assert sum(counters.counts.sum() for counters in found.values()) == actions
    for counters in found.values():
        assert counters.hands == len(hands)
        both = counters.counts.sum(axis=0)
        assert both.shape == (12, ACTIONS)
        assert both[3::3, FOLD].sum() == 0  # after the flop nothing is to be folded to
        assert both[0::3, RAISE].sum() > 50
    folds = sum(counters.counts[:, :, FOLD].sum() for counters in found.values())
    assert folds == sum("f" in hand.betting for hand in hands)


@pytest.mark.slow
def test_ranges_know_more_than_nothing_on_real_hands(shared_data):
    """On hands between DeepStack and professionals that nothing here was tuned on.

    The hand that is shown gets more probability than from a uniform range, and more by the
    player's own counters than by the generic 2:5:3.
    """
    hands = deepstack(shared_data, 20_000, 22_500)
    scores = score_ranges(HUNL, hands, [counted_model(), generic_model()], learn=500)
    assert scores.gains.shape[1] > 250
    for gain in (scores.gain(0), scores.gain(0, over=1)):
        assert gain.value > gain.half_width
