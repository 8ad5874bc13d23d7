"""Hand strength after the flop: the chance to beat one unknown hand at the showdown.

S samples deal one opponent and the rest of the board at random; a split counts half.  With
S = 1000 the result has a standard error of at most 0.016 and costs 40 microseconds compiled.
For several opponents the chances are multiplied, HS_n = HS ** n (Billings, Davidson, Schaeffer,
Szafron, "The challenge of poker", Artificial Intelligence 134, 2002), which ignores that their
hands are not independent.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import kernel
from engine.showdown.strength_kernels import card_mask, strength_of_mask

SAMPLES: Final = 1000
_BOARD: Final = 5


def hand_strength(
    hole: tuple[int, ...],
    board: tuple[int, ...],
    rng: np.random.Generator,
    samples: int = SAMPLES,
) -> float:
    """Return the chance, 0 to 1, that `hole` beats one random hand once the board is complete.

    Args:
        hole: two cards.
        board: three, four or five cards.
        samples: S, how many to take.

    Raises:
        ValueError: the numbers of cards differ from the above.
    """
    if len(hole) != 2 or not 3 <= len(board) <= _BOARD:
        raise ValueError(f"{len(hole)} hole and {len(board)} board cards")
    known = np.array((*hole, *board), np.uint8)
    missing = 2 + _BOARD - len(board)
    draws = rng.integers(0, 2**32, size=(samples, missing), dtype=np.uint32)
    return _half_wins(known, draws) / (2 * samples)


def warm_up() -> None:
    """Compile the kernel, or load it from the cache."""
    hand_strength((51, 50), (0, 5, 10), np.random.default_rng(0), samples=1)


# Kernel: arguments are trusted.


@kernel
def _half_wins(known: NDArray[np.uint8], draws: NDArray[np.uint32]) -> int:
    """Return the half wins (2 a win, 1 a split) over all samples.

    Args:
        known: (2 + B,) uint8, hole cards first, then the B board cards dealt.
        draws: (S, 2 + 5 - B) uint32 random numbers, one per card to deal: two for the opponent,
            then the rest of the board.
    """
    live = np.empty(52, np.int64)
    left = 0
    for card in range(52):
        held = False
        for other in known:
            held = held or other == card
        if not held:
            live[left] = card
            left += 1
    board = 0
    for index in range(2, known.size):
        board |= card_mask(int(known[index]))
    hole = card_mask(int(known[0])) | card_mask(int(known[1]))

    samples, missing = draws.shape
    total = ours = theirs = 0
    for sample in range(samples):
        opponent = 0
        rest = 0
        for index in range(missing):  # the last live cards are those taken in this sample
            last = left - 1 - index
            pick = np.int64(draws[sample, index]) % (last + 1)
            card = live[pick]
            live[pick] = live[last]
            live[last] = card
            if index < 2:
                opponent |= card_mask(card)
            else:
                rest |= card_mask(card)
        # On a board that is complete we are as strong as in the first sample.
        first = 1 if missing == 2 and sample > 0 else 0
        for side in range(first, 2):  # one copy of the evaluator halves the compile time
            strength = strength_of_mask(board | rest | (hole if side == 0 else opponent))
            if side == 0:
                ours = strength
            else:
                theirs = strength
        total += 2 * (ours > theirs) + (ours == theirs)
    return total
