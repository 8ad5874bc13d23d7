"""How a network is trained."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any, Final

from agents.poker_cnn.shape import ACTION, READINGS

EVEN: Final = "even"
WON: Final = "won"
CHIPS: Final = "chips"
WEIGHTINGS: Final = (EVEN, WON, CHIPS)


@dataclass(frozen=True, slots=True)
class CnnPlan:
    """Settings of a training.

    Decision t of a player who takes n in a hand has this target. With reading "value", the output
    of the action taken is to be gamma^(n - t) times 1 for a hand won, a half for a tie and 0 for a
    hand lost (squared error). With "action", the probabilities are to be those of the action taken
    (cross-entropy). All decisions then weigh alike ("even"), as their value ("won"), or by what
    they gained ("chips"), see `advantages`.
    """

    reading: str = ACTION
    weighting: str = EVEN
    """One of WEIGHTINGS; of no effect on values."""
    epochs: int = 12
    batch: int = 16
    """Hands between two updates."""
    backwards: bool = False
    """Whether a batch takes an update for all last decisions, then one for those before, and so on;
    else one for all."""
    rate: float = 0.01
    rate_last: float = 0.0002
    """Of learning, in the first and in the last epoch; by a cosine between them."""
    gamma: float = 0.95
    gamma_last: float = 0.95
    """In the first and in the last epoch, linear between them."""
    turned: bool = True
    """Whether suits are exchanged at random in each epoch."""
    sizes: float = 0.3
    """Weight of the loss of raise sizes."""
    values: float = 0.0
    """Weight of the squared error of what hands are worth; 0: it is not learned."""
    patience: int = 6
    """Epochs without a smaller loss on the hands aside after which training ends."""
    seed: int = 1

    def __post_init__(self) -> None:
        if self.reading not in READINGS or self.weighting not in WEIGHTINGS:
            raise ValueError(f"reading {self.reading!r}, weighting {self.weighting!r}")
        if min(self.epochs, self.batch, self.patience) < 1 or self.seed < 0:
            raise ValueError("want 1 or more epochs, hands and patience, and a seed from 0 on")
        for name in ("rate", "rate_last"):
            if not 0 < getattr(self, name) <= 1:
                raise ValueError(f"{name} {getattr(self, name)}: want more than 0, 1 at most")
        for name in ("gamma", "gamma_last"):
            if not 0 < getattr(self, name) <= 1:
                raise ValueError(f"{name} {getattr(self, name)}: want more than 0, 1 at most")
        for name in ("sizes", "values"):
            if not 0 <= getattr(self, name) < math.inf:
                raise ValueError(f"{name} {getattr(self, name)}: want 0 or more")

    def rate_in(self, epoch: int) -> float:
        """Return the rate of an epoch, 0-based."""
        share = 0.5 * (1 + math.cos(math.pi * epoch / max(self.epochs - 1, 1)))
        return self.rate_last + (self.rate - self.rate_last) * share

    def gamma_in(self, epoch: int) -> float:
        """Return gamma in an epoch, 0-based."""
        share = epoch / max(self.epochs - 1, 1)
        return self.gamma + (self.gamma_last - self.gamma) * share

    def facts(self) -> dict[str, Any]:
        """Return it as plain values."""
        return asdict(self)
