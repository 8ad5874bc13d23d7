"""Strengths of many known hands."""

from itertools import combinations

import numpy as np
import pytest

from agents.statistical.ranges.known_strength import known_strengths
from engine.showdown.strength_kernels import strengths
from protocol.cards import parse_cards


def rows(*texts):
    """Holes and boards of hands such as "AdQc 3h4cJh"."""
    holes, boards = [], []
    for text in texts:
        hole, _, board = text.partition(" ")
        cards = parse_cards(board)
        holes.append(parse_cards(hole))
        boards.append((*cards, *(-1,) * (5 - len(cards))))
    return np.array(holes).reshape(-1, 2), np.array(boards).reshape(-1, 5)


def on_the_river(hole, board):
    """Equity against every other hand, one by one."""
    left = [card for card in range(52) if card not in {*hole, *board}]
    others = [(*other, *board) for other in combinations(left, 2)]
    mine, *theirs = strengths(np.array([(*hole, *board), *others], np.uint8)).tolist()
    return sum((mine > other) + (mine == other) / 2 for other in theirs) / len(theirs)


def test_published_and_counted_strengths():
    """The patent's hand on the flop (EHS of two cards ahead .5114), rivers one by one.

    Before the flop it is the share of weaker starting hands, and half of the equal ones.
    """
    river = ("AhKd 2c7d9sJhQh", "4c5c AdKdQh2s8s")
    found = known_strengths(*rows("AdQc 3h4cJh", "AsAc", *river))
    assert found.dtype == np.float32
    assert found[:2] == pytest.approx([0.5114, 1 - 3 / 1326], abs=5e-5)
    cards = [(parse_cards(text[:4]), parse_cards(text[5:])) for text in river]
    assert found[2:] == pytest.approx([on_the_river(*each) for each in cards], abs=1e-6)


def test_suits_and_the_order_of_the_board_do_not_matter():
    """Boards that are alike up to suits are counted once, and give the same."""
    alike = ("AdQc 3h4cJh", "AcQd 3s4dJs", "QcAd Jh3h4c", "AhQs JdJc2h8s", "AsQh 8hJcJd2s")
    found = known_strengths(*rows(*alike))
    assert found[0] == found[1] == found[2]
    assert found[3] == found[4]


def test_nothing_gives_nothing():
    """No hands, no strengths, no complaint."""
    assert known_strengths(*rows()).shape == (0,)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [("AdQc 3h4c", "one or two"), ("AdAd", "twice"), ("AdQc 3hAdJh", "twice")],
)
def test_wrong_cards_are_refused(text, complaint):
    """Boards that no street has, and cards that are named twice."""
    with pytest.raises(ValueError, match=complaint):
        known_strengths(*rows(text))


def test_wrong_shapes_are_refused():
    """As many boards as holes, and only cards."""
    holes, boards = rows("AdQc 3h4cJh", "AsAc")
    with pytest.raises(ValueError, match="want"):
        known_strengths(holes, boards[:1])
    with pytest.raises(ValueError, match="no card"):
        known_strengths(holes + 52, boards)
