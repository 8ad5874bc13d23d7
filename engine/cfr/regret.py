"""The scalar arithmetic of `engine.cfr.variants`, shared by all compiled solvers.

Each helper disappears into the loop that calls it; written with selections instead of branches, so
that loops over hands become vector instructions.  Factors are those of a `Step`, cast to the
precision of the table they act on.
"""

from __future__ import annotations

from engine._jit import inlined_kernel

# Kernels: arguments are trusted, nothing is allocated.


@inlined_kernel
def accumulated(
    regret: float, instant: float, positive: float, negative: float, floor: bool
) -> float:
    """Return the accumulated regret after adding the instantaneous one."""
    updated = regret * (positive if regret > 0 else negative) + instant
    return 0 * updated if floor and updated < 0 else updated


@inlined_kernel
def predicted(regret: float, instant: float, carry: float, prediction: float) -> float:
    """Return the regret to match when the next instantaneous regret is guessed from the last."""
    guess = regret * carry + prediction * instant
    return guess if guess > 0 else 0 * guess
