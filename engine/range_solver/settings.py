"""Settings of a vector solve."""

from __future__ import annotations

from dataclasses import dataclass

from engine.range_solver.tables import FLOAT32, INT16


@dataclass(frozen=True, slots=True)
class RangeSettings:
    """Settings of a solve that do not change the game."""

    alternating: bool = True
    """Whether player 1 is updated against player 0's new strategy."""
    threads: int = 1
    """Threads that share the boards of the second street; a river has none to share."""
    storage: str = FLOAT32
    """`FLOAT32`, or `INT16` for half the memory and a little noise."""
    isomorphism: bool = True
    """Whether boards that differ by an exchange of suits only are solved once.

    Only by one that changes neither ranges nor gadget; with leaves, see `DepthLimit.symmetric`.
    """
    portions: int = 1
    """Into how many the boards of the second street are cut; an iteration visits one, by turns.

    So many more iterations take the same time, and the first street learns more often.
    """
    memory_limit: int | None = None
    """Most bytes of tables and working memory; boards, about 0.3 GB on a flop, come first."""

    def __post_init__(self) -> None:
        if self.threads < 1:
            raise ValueError(f"{self.threads} threads")
        if self.portions < 1:
            raise ValueError(f"{self.portions} portions")
        if self.storage not in (FLOAT32, INT16):
            raise ValueError(f"storage {self.storage!r}: want {FLOAT32!r} or {INT16!r}")
