"""A value function of pot and equity, one line for each kind of place.

    value of a pair of hands, chips of position 0 = pot * (base + slope * edge)

edge = P(win) - P(loss) of position 0's hand against the other over all run-outs, pot the chips of
both.  Base and slope are those of the place's kind: street, who acts, what it has to call, pot,
raises, who raised last before this street.  The edge before a card is the mean of the edges
after it.  So the mean over the board cards to come is the line of the next street at the present
edge, and the boards need not be enumerated.

`CHECKED_DOWN` is the simplest: what the hands win if nobody bets any more.  Others are fitted to
match logs (`engine.aivat.fitting`) and kept in a file.
"""

from __future__ import annotations

import hashlib
from math import log2
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from engine.errors import ArtifactMismatch
from engine.storage.artifacts import Kind, load_artifact, save_artifact

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from engine.aivat.value_function import Opposition
    from engine.rules.state import HandState

KIND: Final = Kind("AIVAT values", 1, "`arena aivat fit` makes new ones")
MOST_PLAUSIBLE_POTS: Final = 100.0
"""The shipped numbers reach 2.9 pots."""
_TABLE: Final = "lines"

# What a kind of place is, from the slowest to the fastest index.
STREETS: Final = 4
_ACTORS: Final = 2
_CALL_EDGES_POTS: Final = (0.0, 0.35, 0.7, 1.2)
"""Classes of what is to call: none, up to each edge, and more."""
_POT_CLASSES: Final = 8
"""Each doubles the pot, from two big blinds on; the last takes all larger ones."""
_RAISE_CLASSES: Final = 3
"""The last takes all larger numbers of raises on this street."""
_AGGRESSOR_CLASSES: Final = 3
"""Nobody, position 0 or position 1 raised last on an earlier street."""
SHAPE: Final = (
    STREETS,
    _ACTORS,
    len(_CALL_EDGES_POTS) + 1,
    _POT_CLASSES,
    _RAISE_CLASSES,
    _AGGRESSOR_CLASSES,
)
KINDS: Final = int(np.prod(SHAPE))


def kind_of_place(state: HandState) -> int:
    """Return the number of a place's kind, 0 to `KINDS` - 1.

    Raises:
        ValueError: the hand is over.
    """
    if state.over:
        raise ValueError("a hand that is over has no value to guess")
    to_call = state.to_call / (state.pot - state.to_call) if state.to_call else 0.0
    call = 0 if to_call <= 0 else 1 + sum(to_call > size for size in _CALL_EDGES_POTS[1:])
    pots = state.pot / (2 * state.game.big_blind)
    return int(
        np.ravel_multi_index(
            (
                min(state.street, STREETS - 1),
                state.actor,
                call,
                min(max(0, int(log2(pots) + 1)), _POT_CLASSES - 1) if pots > 0 else 0,
                min(state.raises, _RAISE_CLASSES - 1),
                _aggressor(state),
            ),
            SHAPE,
        )
    )


def _aggressor(state: HandState) -> int:
    """Return who raised last before this street: 0 nobody, else 1 + position."""
    aggressor = 0
    for spot, action, _ in state.steps():
        if spot.street == state.street:
            break
        if action.kind == "r":
            aggressor = 1 + spot.actor
    return aggressor


class EquityValues:
    """Lines of base and slope by kind of place."""

    def __init__(self, lines: NDArray[np.float32], digest: str) -> None:
        """Take the lines.

        Args:
            lines: (`KINDS`, 2) float32, base and slope in pots.
            digest: names them.

        Raises:
            ValueError: the lines have another shape, or are not plausible.
        """
        if lines.shape != (KINDS, 2) or not (np.abs(lines) <= MOST_PLAUSIBLE_POTS).all():
            raise ValueError(
                f"lines: want ({KINDS}, 2) numbers up to {MOST_PLAUSIBLE_POTS:g}, got "
                f"{lines.shape}, up to "
                f"{np.abs(lines).max(initial=0):g}"
            )
        self.lines: Final = lines
        self.digest: Final = digest

    def worth(self, state: HandState, met: Opposition) -> NDArray[np.float64]:
        """Return (H,) float64, see `ValueFunction`."""
        base, slope = map(float, self.lines[kind_of_place(state)])
        if met.position:
            base = -base
        return state.pot * (base * met.met + slope * met.shown)

    def worth_before_cards(self, state: HandState, met: Opposition) -> NDArray[np.float64]:
        """Return (H,) float64, see `ValueFunction`."""
        return self.worth(state, met)


class _CheckedDown:
    """What the hands win if nobody bets any more, all bets called."""

    digest: Final = "checked-down"

    def worth(self, state: HandState, met: Opposition) -> NDArray[np.float64]:
        """Return (H,) float64, see `ValueFunction`."""
        return min(max(state.spent), *state.game.stacks) * met.shown

    def worth_before_cards(self, state: HandState, met: Opposition) -> NDArray[np.float64]:
        """Return (H,) float64, see `ValueFunction`."""
        return self.worth(state, met)


CHECKED_DOWN: Final = _CheckedDown()


def save_values(path: Path, lines: NDArray[np.float32], facts: Mapping[str, object]) -> None:
    """Write lines to a file.

    Raises:
        OSError: the file cannot be written.
    """
    save_artifact(path, KIND, facts, {_TABLE: lines.astype(np.float32)})


def load_values(path: Path) -> EquityValues:
    """Return the values of a file; their digest is the SHA-256 of the file.

    Raises:
        ArtifactMismatch: the file is missing, damaged or none of these.
    """
    artifact = load_artifact(path, KIND)
    try:
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        return EquityValues(np.array(artifact.arrays[_TABLE], np.float32), digest)
    except (OSError, KeyError, ValueError) as error:
        raise ArtifactMismatch(f"{path}: damaged: {error}; {KIND.remedy}") from error


def shipped_values(*, no_limit: bool) -> Path:
    """Return the path of the values shipped with the program, for no-limit or limit hold'em."""
    return Path(__file__).parent / "models" / ("nolimit.values" if no_limit else "limit.values")
