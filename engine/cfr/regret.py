"""The scalar arithmetic of `engine.cfr.variants`, shared by all compiled solvers.

Each helper is inlined into the loop that calls it.  It selects instead of branching, so that loops
over hands become vector instructions.  Factors are those of a `Step`, cast to the precision of the
table they act on; zeros are computed from arguments to keep that precision.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.compiled.jit import inlined_kernel

_Number = float | np.floating[Any]

# Kernels: arguments are trusted, nothing is allocated.


@inlined_kernel
def accumulated(
    regret: _Number, instant: _Number, positive: _Number, negative: _Number, floor: bool
) -> _Number:
    """Return the accumulated regret after adding the instantaneous one."""
    updated = regret * (positive if regret > 0 else negative) + instant
    return updated - updated if floor and updated < 0 else updated


@inlined_kernel
def predicted(regret: _Number, instant: _Number, carry: _Number, prediction: _Number) -> _Number:
    """Return the regret to match when the next instantaneous regret is guessed from the last."""
    guess = regret * carry + prediction * instant
    return guess if guess > 0 else guess - guess
