"""The ensemble for bulk matches and for the table."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

from agents.astar.ensemble.likeness_kernels import FORMS
from agents.astar.ensemble.policy_kernels import (
    AHEAD,
    ALIKE,
    BASE,
    CARRY,
    CONFIDENCE,
    DOUBT,
    FORM,
    GENOME,
    HALF_LIFE,
    HEADER,
    KNOWN,
    LIBRARY,
    PATIENCE,
    PRIOR,
    RESETS,
    SCRATCH,
    SHARPNESS,
    decide,
)
from agents.astar.play.player_memory import memory_size, nets_size
from agents.astar.play.senses_kernels import finish, observe
from agents.lookahead.sizes import scratch_size
from agents.patterns.trees_kernels import WIDTH
from agents.recurrent.shape import SIZES, player_row, row_size
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
    patience: float = 0.0
    """Standard errors by which the counter-strategies may lose, on average, before the base
    strategy plays instead, until that is as good as forgotten; 0: without end."""
    prior: float = 0.0
    """Nats: by evidence, with doubt, a known opponent must explain all actions seen so much better
    than somebody at the distance of doubt; else the base strategy counts more."""
    alike: bool = False
    """Whether all counter-strategies always count the same."""

    def __post_init__(self) -> None:
        if self.form not in FORMS:
            raise ValueError(f"form {self.form!r}: want {' or '.join(FORMS)}")
        if not 0 < self.sharpness < math.inf:
            raise ValueError(f"sharpness {self.sharpness}: want more than 0, and finite")
        if self.confidence < 0:
            raise ValueError(f"confidence {self.confidence}: want 0 or more")
        if not 0 <= self.doubt < math.inf:
            raise ValueError(f"doubt {self.doubt}: want a distance, 0 or more")
        if not 0 <= self.patience < math.inf:
            raise ValueError(f"patience {self.patience}: want standard errors, 0 or more")
        if not 0 <= self.prior < math.inf:
            raise ValueError(f"prior {self.prior}: want nats, 0 or more")
        if self.carry < 0:
            raise ValueError(f"carry {self.carry}: want 0 or more decisions")
        if not 0 <= self.half_life < math.inf:
            raise ValueError(f"half-life {self.half_life}: want 0 or more hands")


BY_STREET: Final = Blending("exponential", 0.02, 10, half_life=0.0)
"""As in the article: by the likeness of the street alone, and all hands count alike."""


@dataclass(frozen=True, slots=True, eq=False)
class BaseStrategy:
    """The network that plays where nobody is recognised."""

    shape: NetShape
    genome: NDArray[np.float32]
    """(G,)"""
    resets: int
    """Which stacks begin each hand anew, see `agents.recurrent.shape`."""
    ahead: bool = False
    """Whether it looks ahead, see `agents.lookahead`."""


@cache
def family_of(shape: NetShape, opponents: int, nodes: int, base: NetShape, ahead: bool) -> Family:
    """Return the family of ensembles with networks of a shape and a library of a size.

    Args:
        shape: of the counter-strategies.
        opponents: in the library.
        nodes: of each of them.
        base: shape of the base strategy.
        ahead: whether that looks ahead.
    """
    params = HEADER + opponents * (_genome_size(shape) + nodes * WIDTH) + row_size(base)
    scratch = scratch_size(base) if ahead else nets_size(base)
    memory = memory_size(shape, opponents) + scratch + opponents + 2
    return Family("ensemble", decide, observe, finish, params, memory)


def _genome_size(shape: NetShape) -> int:
    """Return how many numbers of the row a genome takes."""
    return (shape.genome + 1) // 2


def ensemble_policy(
    shape: NetShape,
    genomes: NDArray[np.float32],
    base: BaseStrategy,
    library: Library,
    resets: int,
    blending: Blending,
    seed: int = 0,
) -> CompiledPolicy:
    """Return a player.

    Args:
        shape: of each counter-strategy.
        genomes: (L, G), the counter-strategies in the order of the library.
        base: of any shape.
        resets: which stacks of the counter-strategies begin each hand anew, see
            `agents.recurrent.shape`.

    Raises:
        ValueError: the genomes are of another number or length, or not finite.
    """
    trees = library.stacked()
    opponents, nodes, _ = trees.shape
    if genomes.shape != (opponents, shape.genome):
        raise ValueError(f"genomes of {genomes.shape}: want {(opponents, shape.genome)}")
    family = family_of(shape, opponents, nodes, base.shape, base.ahead)
    row = np.zeros(family.params)
    row[:SIZES] = shape.sizes.view(np.float64)
    size = _genome_size(shape)
    row[RESETS], row[KNOWN], row[GENOME], row[LIBRARY] = resets, opponents, size, nodes
    row[FORM], row[SHARPNESS] = FORMS[blending.form], blending.sharpness
    row[CONFIDENCE], row[ALIKE] = blending.confidence, blending.alike
    row[HALF_LIFE], row[CARRY] = blending.half_life, blending.carry
    row[DOUBT], row[PATIENCE], row[PRIOR] = blending.doubt, blending.patience, blending.prior
    end = HEADER + opponents * size
    row[HEADER:end].view(np.float32).reshape(opponents, -1)[:, : shape.genome] = genomes
    begin, end = end, end + opponents * nodes * WIDTH
    row[begin:end] = trees.ravel()
    row[BASE], row[AHEAD], row[SCRATCH] = end, base.ahead, memory_size(shape, opponents)
    row[end:] = player_row(base.shape, base.genome, base.resets)
    return CompiledPolicy(family, row, seed)
