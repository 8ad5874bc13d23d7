import numpy as np
import pytest

from engine.betting.policy import Strategy, check_strategy
from engine.hands.cards import COMBOS, combo_of
from engine.rules.view import replay_betting
from protocol.actions import CALL, FOLD, raise_to
from protocol.gamedefs import load_builtin

HUNL = load_builtin("hunl")
FLOP = (0, 17, 50)


def even(*actions):
    """A strategy that does all of some actions equally often."""
    return Strategy(actions, np.full((COMBOS, len(actions)), 1 / len(actions), np.float32))


def test_a_strategy_is_checked_row_by_row():
    """Combos on the board may have any row, the others may not."""
    state = replay_betting(HUNL, "cc/")
    strategy = even(CALL, raise_to(200), raise_to(20000))
    check_strategy(strategy, state, FLOP)
    strategy.probabilities[combo_of(17, 3)] = 7
    check_strategy(strategy, state, FLOP)
    strategy.probabilities[combo_of(1, 3), 0] += 0.01
    with pytest.raises(ValueError, match="do not sum to 1"):
        check_strategy(strategy, state, FLOP)


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        ((FOLD, CALL), "f, c: illegal"),
        ((CALL, CALL), "named twice"),
        ((CALL, raise_to(199)), "r199"),
    ],
)
def test_actions_must_be_legal_and_different(actions, message):
    """The message shows what the policy said, and where."""
    with pytest.raises(ValueError, match=message) as error:
        check_strategy(even(*actions), replay_betting(HUNL, "cc/"), FLOP)
    assert "'cc/'" in str(error.value)


@pytest.mark.parametrize(
    "table",
    [
        np.ones((COMBOS, 2), np.float32) / 2,
        np.ones((COMBOS, 1)),
        np.full((COMBOS, 1), np.nan, np.float32),
        np.full((COMBOS, 1), -1, np.float32),
    ],
)
def test_probabilities_must_fit(table):
    """Shape, type and values of the table."""
    with pytest.raises(ValueError, match="policy at 'cc/'"):
        check_strategy(Strategy((CALL,), table), replay_betting(HUNL, "cc/"), FLOP)
