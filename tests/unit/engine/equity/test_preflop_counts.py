import numpy as np
import pytest

from engine.equity.preflop import BOARDS_FOR_TWO_HANDS, matchup_keys, read_counts
from engine.hands.cards import COMBO_CARDS, COMBOS, parse_combo
from engine.showdown.evaluator import strength
from tests.studies.preflop_counts import _add_wins, _means, main


def test_wins_on_a_few_boards_are_counted_with_their_weight():
    """Each pair of combos compared, blocked ones left out; other boards add to that."""
    generator = np.random.default_rng(5)
    boards = np.stack([generator.permutation(52)[:5] for _ in range(3)]).astype(np.uint8)
    own, other = np.empty((2, 4, COMBOS), np.uint16)
    won = np.ones((COMBOS, COMBOS), np.int64)
    _add_wins(boards, 12, own, other, np.empty(COMBOS, np.uint16), won)
    want = np.ones((COMBOS, COMBOS), np.int64)
    for board in boards.tolist():
        ranked = [
            -1 if set(hole) & set(board) else strength((*hole, *board))
            for hole in COMBO_CARDS.tolist()
        ]
        mine = np.array(ranked)
        beaten = np.where(mine < 0, 1 << 30, mine)
        want += 12 * (mine[:, None] > beaten)
    assert (won == want).all()


def test_means_do_not_depend_on_which_suits_a_board_favours():
    """Wins that are shifted between renamed pairs come out as their mean."""
    counts = read_counts()
    first, second = (part.ravel() for part in np.indices((COMBOS, COMBOS)))
    keys, swapped = matchup_keys(first, second)
    rows = np.searchsorted(counts[0], keys).clip(max=counts.shape[1] - 1)
    lost = BOARDS_FOR_TWO_HANDS - counts[1] - counts[2]
    won = np.where(swapped, lost[rows], counts[1][rows]).astype(np.int64).reshape(COMBOS, COMBOS)
    won[parse_combo("AsAh"), parse_combo("2d2c")] += 500
    won[parse_combo("AdAc"), parse_combo("2s2h")] -= 500
    assert (_means(won) == counts).all()
    won[parse_combo("AdAc"), parse_combo("2s2h")] += 1
    with pytest.raises(AssertionError, match="left out"):
        _means(won)


@pytest.mark.parametrize("arguments", [[], ["a", "b"]])
def test_wants_one_argument(arguments, capsys):
    """The file to write."""
    assert main(arguments) == 2
    assert "usage: python -m tests.studies.preflop_counts OUT" in capsys.readouterr().err


def test_says_at_once_that_the_folder_is_missing(tmp_path, capsys):
    """And not after all the work."""
    assert main([str(tmp_path / "gone" / "counts.txt")]) == 1
    assert "gone is no folder" in capsys.readouterr().err


@pytest.mark.slow
def test_shipped_counts_can_be_made_anew(tmp_path, capsys):
    """All 47 008 matchups, bit by bit."""
    path = tmp_path / "counts.txt"
    assert main([str(path)]) == 0
    assert (read_counts(path) == read_counts()).all()
    assert "100% of the boards" in capsys.readouterr().err
