"""Boards of matches that are exact on each."""

import numpy as np
import pytest

from engine.evaluation.blind_scripts import parse_script
from engine.evaluation.board_matches import sample_board, values_on_boards
from engine.evaluation.exact_match import ExactMatch
from engine.evaluation.simple_policies import CallPolicy, FoldPolicy
from protocol.gamedefs import load_builtin

HUNL = load_builtin("hunl")


def matches(*scripts):
    """What two policies win from each script, for `values_on_boards`."""
    return [
        ExactMatch(HUNL, one, parse_script(script))
        for one in (FoldPolicy(), CallPolicy())
        for script in scripts
    ]


def test_boards_repeat():
    """Five different cards that follow from seed and number."""
    boards = [sample_board(1, number) for number in range(50)]
    assert all(len(set(board.tolist())) == 5 for board in boards)
    assert all(set(board.tolist()) <= set(range(52)) for board in boards)
    assert np.array_equal(boards[7], sample_board(1, 7))
    assert len({tuple(board.tolist()) for board in [*boards, sample_board(2, 7)]}) == 51


@pytest.mark.slow
def test_values_are_those_of_the_boards_whatever_the_number_of_processes():
    """Board by board, in order, one number for each match."""
    alone = list(values_on_boards(matches, ("a", "300f"), range(2, 5), 3))
    for number, values in zip(range(2, 5), alone, strict=True):
        board = sample_board(3, number).tolist()
        assert values.tolist() == [match.value(board) for match in matches("a", "300f")]
    shared = list(values_on_boards(matches, ("a", "300f"), range(2, 5), 3, workers=2))
    assert np.array_equal(alone, shared)


def test_what_goes_wrong_comes_out():
    """Here or in another process."""
    with pytest.raises(ValueError, match="'x'"):
        list(values_on_boards(matches, ("x",), range(1), 1))
