"""The moving window of deals."""

from itertools import islice

import pytest

from engine.deals.deal_window import MOST_SKIPPED_HANDS, DealWindow
from engine.rules.dealing import DealStream
from protocol.gamedefs import load_builtin

GAME = load_builtin("nolimit3")


@pytest.mark.parametrize("compiled", [False, True])
def test_hands_in_any_order_are_those_of_the_stream(compiled):
    """Forwards, far forwards and back again."""
    expected = [
        [card for hole in deal.holes for card in hole] + list(deal.board)
        for deal in islice(DealStream(GAME, 3), 9000)
    ]
    window = DealWindow(GAME, 3, compiled=compiled)
    for hand_id in (0, 1, 63, 64, 65, 8191, 8192, 8999, 2, 500, 499):
        assert window.move_to(hand_id)
        assert window.hand(hand_id) == expected[hand_id]


def test_hands_beyond_reach_are_refused():
    """The window stays where it was."""
    window = DealWindow(GAME, 3)
    assert window.move_to(5)
    assert not window.move_to(MOST_SKIPPED_HANDS + 1000)
    assert window.move_to(5)


def test_seeds_have_32_bits():
    """Other numbers are refused at once."""
    with pytest.raises(ValueError, match="seed"):
        DealWindow(GAME, 2**32)
