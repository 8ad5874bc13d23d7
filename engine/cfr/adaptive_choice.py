"""An adaptive choice as one record, and a solve by it that can be saved and resumed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.cfr.adaptive import PoolSolve, Reward, UcbChooser, UcbRule
from engine.cfr.solver import Solver, StrategyKind
from engine.cfr.variants import Variant


@dataclass(frozen=True, slots=True)
class AdaptiveChoice:
    """The pool, the rule of choice and the reward."""

    pool: tuple[Variant, ...]
    rule: UcbRule
    which: StrategyKind = StrategyKind.CURRENT
    """The strategy whose exploitability is to fall."""
    every: int = 1
    """Iterations between two choices; exploitability is computed as often."""

    def facts(self) -> dict[str, Any]:
        """Return all settings as plain values."""
        return {
            "pool": [variant.name for variant in self.pool],
            "update": self.rule.update.value,
            "bonus": self.rule.bonus.value,
            "exploration": self.rule.exploration,
            "alpha": self.rule.alpha,
            "reward": self.which.value,
            "every": self.every,
        }

    def text(self) -> str:
        """Return all settings as text, equal for equal choices only."""
        facts = self.facts()
        pool = ",".join(facts.pop("pool"))
        return f"adaptive of {pool}; " + ", ".join(f"{key} {facts[key]}" for key in facts)


class AdaptiveSolve(PoolSolve):
    """A solver run by an adaptive choice, with a state to save and restore."""

    def __init__(self, solver: Solver, choice: AdaptiveChoice, big_blind: float) -> None:
        """Continue `solver`; `big_blind` is in chips."""
        self._ucb = UcbChooser(len(choice.pool), choice.rule)
        reward = Reward(choice.which, choice.every, big_blind)
        super().__init__(solver, choice.pool, self._ucb, reward)

    def state(self) -> dict[str, Any]:
        """Return what `restore` takes, for JSON; the solver's tables are not in it."""
        return {
            "uses": list(self.uses),
            "counts": list(self._ucb.counts),
            "quality": list(self._ucb.quality),
            "member": self._member,
            "left": self._left,
            "before": self._before,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Set the state of another solve of the same choice, within a round or between two.

        Raises:
            KeyError: something is missing.
            TypeError: something is not a number.
            ValueError: no solve can have this state.
        """
        members = len(self.pool)
        uses = [int(number) for number in state["uses"]]
        member, remaining, baseline = int(state["member"]), int(state["left"]), state["before"]
        if len(uses) != members or min(uses) < 0 or not 0 <= member < members:
            raise ValueError(f"uses {uses} and member {member} of {members}")
        if remaining < 0 or (remaining > 0 and baseline is None):
            raise ValueError(f"{remaining} iterations left of a round that did not begin")
        if baseline is not None and not math.isfinite(baseline):
            raise ValueError(f"an exploitability of {baseline}")
        self._ucb.restore([int(n) for n in state["counts"]], [float(q) for q in state["quality"]])
        self.uses, self._member, self._left = uses, member, remaining
        self._before = None if baseline is None else float(baseline)
