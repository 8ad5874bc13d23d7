"""What a bot has left of its time."""

from math import inf

import pytest

from agents.time_limits import NO_LIMITS, AnswerLimits, TimeUsed


def test_without_limits_there_is_no_end_of_time():
    """However much was used."""
    used = TimeUsed(NO_LIMITS)
    used.new_hand()
    used.add(1e9)
    assert used.budget(1e9) == (inf, inf, inf)


@pytest.mark.parametrize(
    ("limits", "budget"),
    [
        (AnswerLimits(response=5), (4, inf, inf)),
        (AnswerLimits(hand=10), (6, 6, inf)),
        (AnswerLimits(per_hand=7), (9, inf, 9)),
        (AnswerLimits(5, 10, 7), (4, 6, 9)),
        (AnswerLimits(0.5, 2, 1), (0, 0, 0)),
    ],
)
def test_what_is_left_of_each_limit(limits, budget):
    """Second hand: 1 s used in the first and 3 s in this one, and the question 1 s old."""
    used = TimeUsed(limits)
    used.new_hand()
    used.add(1)
    used.new_hand()
    used.add(3)
    assert used.budget(waited=1) == budget


def test_time_saved_in_a_hand_may_be_used_later():
    """The average per hand leaves more to whoever was quick; the limit of a hand does not."""
    used = TimeUsed(AnswerLimits(hand=10, per_hand=2))
    for _ in range(4):
        used.new_hand()
        used.add(1)
    assert used.budget() == (4, 9, 4)


def test_an_answer_that_was_lost_is_taken_back():
    """Its question is open again, and counted from its beginning by whoever asks."""
    used = TimeUsed(AnswerLimits(hand=10, per_hand=20))
    used.new_hand()
    used.add(2)
    used.add(3)
    used.take_back()
    assert used.budget() == (8, 8, 18)
