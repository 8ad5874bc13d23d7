"""Policies in compiled form: three kernels, and two rows of numbers.

    decide(spot, params, memory, draws) -> (kind, raise_to)
    observe(spot, kind, raise_to, mine, memory)
    finish(memory, shown_p, won)

spot      Spot             who acts, and what it sees (`engine.play.spot`)
params    (P,) float64     the character of the player; nobody changes it
memory    (M,) float64     what the player remembers over a match, zeros at its start
draws     (4,) float64     random numbers in [0, 1) for this decision (`engine.play.draws`)
kind      int64            FOLD, CALL or RAISE of `engine.rules.fast_state`
raise_to  int64            chips over the whole hand; told to `observe`, what a raise came to, in
                           limit games too, and 0 for a fold or call
mine      bool             whether the memory's player took the action
shown_p   float64          at a showdown the other's equity on the complete board, else -1
won       float64          chips won or lost in the hand

Any decision will do: chips are cut to a whole number and taken into the legal range.  A raise where
none is legal is a call; a fold where nothing is to be called is a check.

`observe` is called for both players after every action, with the spot of whoever took it; hole
cards, p and percentile are in it for the player itself only.  `finish` is called for both at the
end of a hand.

A family is the three kernels; its policies differ in their rows.  A bulk match takes kernels as
pointers, so it is compiled once for all families.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from engine.play.draws import DRAWS
from engine.play.spot import Spot

if TYPE_CHECKING:
    from numpy.typing import NDArray

_MOST_SEED = (1 << 64) - 1


class PolicyKernels(NamedTuple):
    """The kernels of a family, or their types."""

    decide: Any
    observe: Any
    finish: Any


@dataclass(frozen=True, slots=True)
class Family:
    """Policies that share their kernels."""

    name: str
    decide: Callable[..., Any] = field(repr=False)
    observe: Callable[..., Any] = field(repr=False)
    finish: Callable[..., Any] = field(repr=False)
    params: int
    """Numbers that make a character."""
    memory: int
    """Numbers that a player remembers."""

    def __post_init__(self) -> None:
        """Refuse sizes that are none."""
        if self.params < 0 or self.memory < 0:
            raise ValueError(f"{self.name}: {self.params} params, {self.memory} numbers of memory")

    @property
    def kernels(self) -> PolicyKernels:
        """All three."""
        return PolicyKernels(self.decide, self.observe, self.finish)


@dataclass(frozen=True, slots=True, eq=False)
class CompiledPolicy:
    """A player: a family, a character, and the seed of its random numbers."""

    family: Family
    params: NDArray[np.float64]
    """(P,) float64; a copy of what was given."""
    seed: int = 0
    """0 to 2**64 - 1."""

    def __post_init__(self) -> None:
        row = np.array(self.params, np.float64)
        if row.shape != (self.family.params,):
            raise ValueError(
                f"{self.family.name}: want ({self.family.params},) params, got {row.shape}"
            )
        if not np.isfinite(row).all():
            raise ValueError(f"{self.family.name}: params must be finite")
        if not 0 <= self.seed <= _MOST_SEED:
            raise ValueError(f"{self.family.name}: seed {self.seed} is outside 0..2**64 - 1")
        object.__setattr__(self, "params", row)


@cache
def policy_types() -> PolicyKernels:
    """Return the types as which a bulk match takes the kernels of any family."""
    from engine.compiled.jit import function_type

    row, cards = np.zeros(DRAWS), np.zeros(2, np.int64)
    spot = Spot(*[0] * 14, 0.0, 0.0, cards, cards)  # type: ignore[arg-type, call-arg]
    return PolicyKernels(
        decide=function_type((0, 0), spot, row, row, row),
        observe=function_type(None, spot, 0, 0, True, row),
        finish=function_type(None, row, 0.0, 0.0),
    )


@cache
def compile_family(family: Family) -> None:
    """Compile the kernels of a family, or load them from the cache.

    Raises:
        TypeError: one of them does not take or return what it should.
    """
    from engine.compiled.jit import compile_for

    for kernel, wanted in zip(family.kernels, policy_types(), strict=True):
        compile_for(kernel, wanted)
