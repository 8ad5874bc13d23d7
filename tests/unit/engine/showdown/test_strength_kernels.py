import numba
import numpy as np
import pytest

from engine.showdown import strength_kernels as kernels
from engine.showdown.evaluator import strength
from engine.showdown.strength_kernels import strengths
from protocol.cards import parse_cards

CARDS = parse_cards("9hQd8dAs8s4h6d")


def test_all_entrances_agree():
    """Cards, one mask and four masks are ways to say the same."""
    mask = sum(kernels.card_mask(card) for card in CARDS)
    lanes = [mask >> 16 * suit & 0x1FFF for suit in range(4)]
    want = strength(CARDS)
    assert kernels.strength_of_mask(mask) == want
    assert kernels.strength_of_masks(*lanes) == want
    assert kernels.strength_kernel(np.array(CARDS, np.uint8), len(CARDS)) == want


def test_only_the_first_cards_count():
    """A prefix of a longer array is a hand."""
    assert kernels.strength_kernel(np.array(CARDS, np.uint8), 2) == strength(CARDS[:2])


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")
def test_array_kernel_is_compiled_once():
    """Strided and read-only inputs are copied before they reach the kernel."""
    hands = np.array([CARDS, CARDS], np.uint8)
    strengths(hands)
    strengths(hands[:, ::2])
    hands.flags.writeable = False
    strengths(hands)
    assert len(kernels.strengths_of_rows.signatures) == 1
