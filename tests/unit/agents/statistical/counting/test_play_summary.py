"""What the type of a player follows from."""

import numpy as np
import pytest

from agents.statistical.counting.play_summary import NUMBERS, PlaySummary
from agents.statistical.counting.situations import CALL, FOLD, RAISE


def test_a_summary_worked_by_hand():
    """Ten actions, two raises of 0.5 and 3 (counted as 2) pots; winners and weak hands shown."""
    summary = PlaySummary(no_limit=True)
    summary.add_hand()
    for _ in range(3):
        summary.add(FOLD, 0, 1.0, 1)
    for _ in range(5):
        summary.add(CALL, 0, 0.9, 0)
    summary.add(RAISE, 0.5, 0.8, 0)
    summary.add(RAISE, 3.0, 0.7, 3)
    for strength, action in ((0.9, RAISE), (0.8, RAISE), (0.79, CALL), (0.85, CALL)):
        summary.add_shown(action, strength, 10 if strength == 0.9 else 4)
    for strength, action in ((0.4, RAISE), (0.41, RAISE), (0.1, CALL), (0.2, CALL)):
        summary.add_shown(action, strength, 4)
    calls, raises = 2 * 5 / 7, 2 * 2 / 7
    bet, stack = (0.5 + 2) / 2 / 2, 9.0 / 10
    winners, weak = [(1 + calls) / 5, (2 + raises) / 5], (1 + raises) / 5
    waits = (1 + (1 + raises) / 3 - (1 + raises) / 4) / 2  # the flop's two, and one on the river
    expected = [0.3, 0.5, 0.2, bet, stack, 0.0, *winners, weak, waits]
    assert summary.numbers() == pytest.approx(expected)
    assert summary.hands == 1


def test_who_folds_nearly_all_has_folded_winners():
    """Of 40 decisions in one cell 39 are folds: at least 7 of the best 8; none in other cells."""
    summary = PlaySummary(no_limit=True)
    for number in range(60):
        cell = 1 if number < 40 else 3
        summary.add(FOLD if number < 39 else CALL, 0, 1.0, cell)
    folds = (39 + 4 * 0.2) / 44
    given_up = 40 * (folds - 0.8) / (0.2 * 60)
    found = dict(zip(NUMBERS, summary.numbers().tolist(), strict=True))
    assert found["winner folds"] == pytest.approx(given_up)
    assert found["winner calls"] == pytest.approx(1 - given_up)
    assert found["winner raises"] == 0


def test_a_few_folds_say_nothing_of_winners():
    """Twelve hands in a row may all be bad; summaries of little are finite, of nothing refused."""
    summary = PlaySummary(no_limit=False)
    with pytest.raises(ValueError, match="no action"):
        summary.numbers()
    for _ in range(12):
        summary.add(FOLD, 0, 1.0, 4)
        found = summary.numbers()
        assert np.isfinite(found).all()
        assert found[:3].tolist() == [1, 0, 0]
        assert found[NUMBERS.index("winner folds")] == 0


def test_the_bound_holds_for_known_hands():
    """Whoever folds the worst hands folds no fewer winners than that, whatever the threshold."""
    random = np.random.default_rng(1)
    for threshold in (0.5, 0.7, 0.85, 0.95):
        summary, folded, winners = PlaySummary(no_limit=True), 0, 0
        for strength in random.random(4000):
            fold = bool(strength < threshold)
            summary.add(FOLD if fold else CALL, 0, 1.0, 2)
            winners += strength >= 0.8
            folded += fold and strength >= 0.8
        found = summary.numbers()[NUMBERS.index("winner folds")]
        assert found == pytest.approx(folded / winners, abs=0.05)


def test_a_summary_survives_being_made_plain():
    """With all that the features are made of."""
    summary = PlaySummary(no_limit=True)
    summary.add_hand()
    for action, raised in ((FOLD, 0.0), (CALL, 0.0), (RAISE, 0.7), (RAISE, 1.1)):
        summary.add(action, raised, 0.9, 5)
    summary.add_shown(RAISE, 0.1, 10)
    summary.add_shown(CALL, 0.9, 10)
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
        ("late", [0, 1, 0]),
        ("bets", float("nan")),
        ("bets", -1.0),
        ("stacks", float("inf")),
        ("stacks", "many"),
        ("cells", [[0, 0, 0]]),
    ],
)
def test_damaged_plain_summaries_are_refused(name, value):
    """Each number is checked; what lacks one is told by its name, but that of earlier files."""
    summary = PlaySummary(no_limit=True)
    for action in (FOLD, CALL, RAISE):
        summary.add(action, 0.5, 0.9, 5)
    plain = summary.plain()
    with pytest.raises((TypeError, ValueError)):
        PlaySummary.of_plain({**plain, name: value}, no_limit=True)
    if name not in ("cells", "late"):
        with pytest.raises(KeyError, match=name):
            PlaySummary.of_plain({key: plain[key] for key in plain.keys() - {name}}, no_limit=True)


def test_summaries_of_versions_before():
    """Files of opponents hold such ones: nothing is known of folded winners or streets then."""
    summary = PlaySummary(no_limit=True)
    for _ in range(50):
        summary.add(FOLD, 0, 1.0, 1)
    plain = summary.plain()
    del plain["cells"], plain["late"]
    found = PlaySummary.of_plain(plain, no_limit=True)
    assert found.numbers()[NUMBERS.index("winner folds")] == 0
