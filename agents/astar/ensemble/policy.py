"""The ensemble for bulk matches and for the table."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

from agents.astar.ensemble.likeness_kernels import FORMS
from agents.astar.ensemble.policy_kernels import (
    ALIKE,
    CARRY,
    CONFIDENCE,
    DOUBT,
    FORM,
    GENOME,
    HALF_LIFE,
    HEADER,
    KNOWN,
    LIBRARY,
    RESETS,
    SHARPNESS,
    decide,
)
from agents.astar.play.memory import memory_size
from agents.astar.play.senses_kernels import finish, observe
from agents.patterns.trees_kernels import WIDTH
from agents.recurrent.sizes import SIZES
from engine.play.compiled_policy import CompiledPolicy, Family

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from agents.astar.ensemble.library import Library
    from agents.recurrent.shape import NetShape


@dataclass(frozen=True, slots=True)
class Blending:
    """How counter-strategies are blended, and when the base strategy plays instead."""

    form: str = "evidence"
    """Of the likeness, one of `likeness_kernels.FORMS`."""
    sharpness: float = 0.005
    """A distance: the smaller it is, the more the likest opponent counts."""
    confidence: int = 10
    """Hands that a node must have been seen in, or by evidence actions that were seen at all; else
    the base strategy plays.  0: any."""
    half_life: float = 250.0
    """Hands after which what was seen of the opponent counts half; 0: all hands count alike."""
    carry: int = 0
    """Decisions over which a mean of the distances is kept, for where a street does not tell, or
    not surely; 0: the base strategy plays there."""
    doubt: float = 0.0
    """Distance at which the base strategy counts as if it countered somebody known; 0: nowhere."""
    alike: bool = False
    """Whether all counter-strategies always count the same."""

    def __post_init__(self) -> None:
        """Refuse what is no blending."""
        if self.form not in FORMS:
            raise ValueError(f"form {self.form!r}: want {' or '.join(FORMS)}")
        if not self.sharpness > 0:
            raise ValueError(f"sharpness {self.sharpness}: want more than 0")
        if self.confidence < 0:
            raise ValueError(f"confidence {self.confidence}: want 0 or more")
        if not 0 <= self.doubt < math.inf:
            raise ValueError(f"doubt {self.doubt}: want a distance, 0 or more")
        if self.carry < 0:
            raise ValueError(f"carry {self.carry}: want 0 or more decisions")
        if not 0 <= self.half_life < math.inf:
            raise ValueError(f"half-life {self.half_life}: want 0 or more hands")


BY_STREET: Final = Blending("exponential", 0.02, 10, half_life=0.0)
"""As in the article: by the likeness of the street alone, and all hands count alike."""


@cache
def family_of(shape: NetShape, known: int, nodes: int) -> Family:
    """Return the family of ensembles with networks of a shape and a library of a size."""
    nets = known + 1
    params = HEADER + nets * ((shape.genome + 1) // 2) + known * nodes * WIDTH
    memory = memory_size(shape, nets) + known + 2
    return Family("ensemble", decide, observe, finish, params, memory)


def ensemble_policy(
    shape: NetShape,
    genomes: NDArray[np.float32],
    library: Library,
    resets: int,
    blending: Blending,
    seed: int = 0,
) -> CompiledPolicy:
    """Return a player.

    Args:
        shape: of each network.
        genomes: (L + 1, G), the counter-strategies in the order of the library, then the base.
        library: of L opponents.
        resets: which stacks begin each hand anew, see `agents.recurrent.sizes`.
        blending: how they play together.
        seed: of its draws.

    Raises:
        ValueError: the genomes are of another number or length, or not finite.
    """
    trees = library.stacked()
    known, nodes, _ = trees.shape
    if genomes.shape != (known + 1, shape.genome):
        raise ValueError(f"genomes of {genomes.shape}: want {(known + 1, shape.genome)}")
    family = family_of(shape, known, nodes)
    row = np.zeros(family.params)
    row[:SIZES] = shape.sizes.view(np.float64)
    size = (shape.genome + 1) // 2
    row[RESETS], row[KNOWN], row[GENOME], row[LIBRARY] = resets, known, size, nodes
    row[FORM], row[SHARPNESS] = FORMS[blending.form], blending.sharpness
    row[CONFIDENCE], row[ALIKE] = blending.confidence, blending.alike
    row[HALF_LIFE], row[CARRY] = blending.half_life, blending.carry
    row[DOUBT] = blending.doubt
    end = HEADER + (known + 1) * size
    row[HEADER:end].view(np.float32).reshape(known + 1, -1)[:, : shape.genome] = genomes
    row[end:] = trees.ravel()
    return CompiledPolicy(family, row, seed)
