"""What the knowledge bots remember of the other player, and what they make of it."""

from itertools import product

import numpy as np
import pytest

from agents.opponents import knowledge_opponent as opponent
from agents.opponents.knowledge_kernels import finish, observe
from engine.compiled.jit import kernel
from engine.equity.equity import exact_range_equity, matchups
from engine.hands.cards import COMBO_CARDS
from engine.rules.fast_state import CALL, FOLD, RAISE
from protocol.cards import parse_cards
from tests.helpers.views import FIRST

PUBLIC = FIRST._replace(
    street=1, pot=400, to_match=200, spent=200, to_call=0, low=300, raises_before=1, aggressor=0,
    p=-1.0, percentile=-1.0, hole=np.full(2, -1), board=np.array([0, 5, 10, -1, -1]),
)  # fmt: skip
FACING = PUBLIC._replace(pot=800, to_match=600, to_call=400, low=1000, raises=1)


@kernel
def _equity(p, street, width, impure):
    return opponent.equity_against(p, street, width, impure)


@kernel
def _often(memory, column, usual):
    return opponent.often(memory, column, usual)


@kernel
def _fold_chance(memory, street, raises, size):
    return opponent.fold_chance(memory, street, raises, size)


def watched(*actions, memory=None):
    """Return the memory after (spot, kind) of the other player."""
    memory = np.zeros(opponent.MEMORY) if memory is None else memory
    for spot, kind in actions:
        observe(spot, kind, 0, False, memory)
    return memory


def test_equity_by_hand():
    """Against all hands it is p; on the river exact; a bluff catcher beats the bluffs alone."""
    for street, p in product(range(4), (0.2, 0.5, 0.8)):
        assert _equity(p, street, 1.0, 0.0) == pytest.approx(p)
    assert _equity(0.8, 3, 0.5, 0.0) == pytest.approx(0.6)  # three fifths of the best half
    assert _equity(0.4, 3, 0.5, 0.0) == 0.0
    assert _equity(0.4, 3, 0.3, 0.25) == pytest.approx(0.25)


def test_equity_falls_with_a_narrower_range_and_rises_with_the_hand():
    """Monotone on every street."""
    strengths = np.linspace(0.15, 0.98, 12)
    for street, width in product(range(4), (0.05, 0.2, 0.5, 0.9)):
        values = [_equity(p, street, width, 0.1) for p in strengths]
        assert np.all(np.diff(values) >= -1e-12)
        wider = [_equity(p, street, min(width + 0.1, 1.0), 0.1) for p in strengths]
        assert np.all(np.array(wider) >= np.array(values) - 1e-12)


@pytest.mark.parametrize("board", ["Kh8s3d", "9h8h4c", "QsQd5c2h", "JhTs4c8h"])
@pytest.mark.parametrize("width", [0.2, 0.5])
def test_equity_is_near_the_exact_one_against_the_best_hands(board, width):
    """By full enumeration: 0.1 root mean square on a board, 0.22 for the worst hand.

    The fit is over random boards; on a single one, wet or dry, it is off by about 0.05.
    """
    shown = parse_cards(board)
    live = [i for i, cards in enumerate(COMBO_CARDS) if not {*cards.tolist()} & {*shown}]
    p = {}
    for combo in live[::7]:
        found = matchups(COMBO_CARDS[combo].tolist(), shown)
        win, tie, lose = found.win.sum(), found.tie.sum(), found.lose.sum()
        p[combo] = float((win + tie / 2) / (win + tie + lose))
    best = sorted(p, key=p.__getitem__)[-round(width * len(p)) :]
    weights = np.zeros(1326)
    weights[best] = 1.0
    errors = []
    for combo in list(p)[::9]:
        own = np.zeros(1326)
        own[combo] = 1.0
        exact = exact_range_equity(own, weights, shown)[0].equity
        errors.append(_equity(p[combo], len(shown) - 2, width, 0.0) - exact)
    assert np.abs(errors).max() < 0.22
    assert np.sqrt(np.mean(np.square(errors))) < 0.1


def test_one_sample_misleads_little_and_many_convince():
    """Nothing seen, nothing concluded; one fold moves it by under 0.05, 200 to the truth."""
    memory = np.zeros(opponent.MEMORY)
    assert _often(memory, opponent.BETS, 0.4) == pytest.approx(0.4)
    assert _fold_chance(memory, 1, 1, 1.0) == pytest.approx(0.5)  # a bluff breaks even
    once = watched((FACING, FOLD))
    assert 0.5 < _fold_chance(once, 1, 1, 1.0) < 0.55
    for hand in range(200):
        kind = FOLD if hand % 10 < 8 else CALL
        watched((FACING._replace(hand=hand), kind), memory=memory)
    assert _fold_chance(memory, 1, 1, 1.0) == pytest.approx(0.8, abs=0.05)


def test_streets_and_later_raises_are_apart():
    """The flop is no news of the river, nor of a second raise; own actions are none at all."""
    memory, fresh = watched(*[(FACING, FOLD)] * 40), np.zeros(opponent.MEMORY)
    for street, raises in ((3, 1), (1, 2)):
        told, untold = (_fold_chance(one, street, raises, 1.0) for one in (memory, fresh))
        assert told == untold
    observe(FACING, FOLD, 0, True, fresh)
    assert not fresh[: opponent.COUNTS].any()


def test_shown_bluffs_are_counted_once():
    """Only hands that bet the river and were shown tell."""
    river = PUBLIC._replace(street=3, board=np.array([0, 5, 10, 20, 30]))
    memory = watched((river, RAISE))
    for _ in range(2):
        finish(memory, 0.1, 100.0)
        assert memory[opponent.BLUFFS + 1] == 1.0
    watched((river._replace(hand=1), CALL), memory=memory)
    finish(memory, 0.1, 100.0)
    assert memory[opponent.BLUFFS + 1] == 1.0


def test_raises_and_calls_narrow_and_checks_widen():
    """A raise of a bet tells more than a bet, a bet more than a call; of a maniac nothing."""
    bet = watched((PUBLIC, RAISE))[opponent.WIDTH]
    raised = watched((FACING, RAISE))[opponent.WIDTH]
    called = watched((FACING, CALL))[opponent.WIDTH]
    assert raised < bet < 1.0
    assert raised < called < 1.0
    checked = watched((PUBLIC, RAISE), (PUBLIC, CALL))[opponent.WIDTH]
    assert bet < checked < 1.0
    memory = np.zeros(opponent.MEMORY)
    for hand in range(300):
        watched((FACING._replace(hand=hand), RAISE), memory=memory)
    assert memory[opponent.WIDTH] > 0.8


def test_a_new_hand_starts_with_all_hands():
    """The range is of one hand, the counts are of the match; a new street widens it a little."""
    memory = watched((FACING, RAISE))
    before, counts = memory[opponent.WIDTH], memory[: opponent.COUNTS].copy()
    observe(PUBLIC._replace(street=2), CALL, 0, True, memory)
    assert before < memory[opponent.WIDTH] < 1.0
    observe(PUBLIC._replace(hand=1), CALL, 0, True, memory)
    assert memory[opponent.WIDTH] == 1.0
    assert np.array_equal(memory[: opponent.COUNTS], counts)
