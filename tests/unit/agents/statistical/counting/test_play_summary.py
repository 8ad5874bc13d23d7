"""What the type of a player follows from."""

import numpy as np
import pytest

from agents.statistical.counting.play_summary import PlaySummary
from agents.statistical.counting.situations import CALL, FOLD, RAISE


def test_a_summary_worked_by_hand():
    """Ten actions, two raises of 0.5 and 3 (counted as 2) pots; winners and weak hands shown."""
    summary = PlaySummary(no_limit=True)
    summary.add_hand()
    for _ in range(3):
        summary.add(FOLD, 0, 1.0)
    for _ in range(5):
        summary.add(CALL, 0, 0.9)
    summary.add(RAISE, 0.5, 0.8)
    summary.add(RAISE, 3.0, 0.7)
    for strength, action in ((0.9, RAISE), (0.8, RAISE), (0.79, CALL), (0.85, CALL)):
        summary.add_shown(action, strength)
    for strength, action in ((0.4, RAISE), (0.41, RAISE), (0.1, CALL), (0.2, CALL)):
        summary.add_shown(action, strength)
    calls, raises = 2 * 5 / 7, 2 * 2 / 7
    bet, stack = (0.5 + 2) / 2 / 2, 9.0 / 10
    expected = [0.3, 0.5, 0.2, bet, stack, (1 + raises) / 5, (1 + calls) / 5, (2 + raises) / 5]
    assert summary.numbers() == pytest.approx(expected)
    assert summary.hands == 1


def test_a_summary_survives_being_made_plain():
    """With all that the features are made of."""
    summary = PlaySummary(no_limit=True)
    summary.add_hand()
    for action, raised in ((FOLD, 0.0), (CALL, 0.0), (RAISE, 0.7), (RAISE, 1.1)):
        summary.add(action, raised, 0.9)
    summary.add_shown(RAISE, 0.1)
    summary.add_shown(CALL, 0.9)
    again = PlaySummary.of_plain(summary.plain(), no_limit=True)
    assert again.plain() == summary.plain()
    assert again.numbers().tolist() == summary.numbers().tolist()
    assert (again.hands, again.no_limit) == (1, True)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("hands", 5),
        ("hands", -1),
        ("actions", [1, 1]),
        ("actions", [1, 1, 10**9 + 1]),
        ("winners", [0.5, 0, 0]),
        ("weak", [0, 0, -1]),
        ("bets", float("nan")),
        ("bets", -1.0),
        ("stacks", float("inf")),
        ("stacks", "many"),
        ("stacks", None),
    ],
)
def test_damaged_plain_summaries_are_refused(name, value):
    """What is missing, too."""
    summary = PlaySummary(no_limit=True)
    for action in (FOLD, CALL, RAISE):
        summary.add(action, 0.5, 0.9)
    plain = summary.plain()
    with pytest.raises((TypeError, ValueError)):
        PlaySummary.of_plain({**plain, name: value}, no_limit=True)
    with pytest.raises(KeyError, match=name):
        PlaySummary.of_plain(
            {key: held for key, held in plain.items() if key != name}, no_limit=True
        )


def test_summaries_of_little_are_finite():
    """Somebody who only ever folds; nobody at all is refused."""
    summary = PlaySummary(no_limit=False)
    with pytest.raises(ValueError, match="no action"):
        summary.numbers()
    summary.add(FOLD, 0, 1)
    found = summary.numbers()
    assert np.isfinite(found).all()
    assert found[:3].tolist() == [1, 0, 0]
