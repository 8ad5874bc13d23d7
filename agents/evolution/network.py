"""A network that was evolved, in a file: its sizes, its weights, and how it came to be."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from agents.errors import AgentError
from agents.recurrent.shape import RESETS, NetShape, Stack
from engine.errors import ArtifactMismatch
from engine.networks.dense import check_weights
from engine.storage.artifacts import Kind, load_artifact, save_artifact

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from agents.evolution.family import EvolvedFamily
KIND: Final = Kind("evolved network", 1, "evolve it again with `arena train`")
SUFFIX: Final = ".network"


class NetworkDamaged(AgentError):
    """A file of a network cannot be read as one."""

    exit_code = 2


@dataclass(frozen=True, slots=True, eq=False)
class EvolvedNetwork:
    """A player without its opponents."""

    family: str
    """Name of its `EvolvedFamily`."""
    shape: NetShape
    resets: int
    """Which stacks begin each hand anew, see `agents.recurrent.shape`."""
    genome: NDArray[np.float32]
    """(G,)"""
    facts: dict[str, Any] = field(default_factory=dict)
    """How it was evolved, plain values."""

    def save(self, path: Path) -> None:
        """Write the file whole.

        Raises:
            OSError: it cannot be written.
        """
        facts = {
            "family": self.family,
            "shape": asdict(self.shape),
            "resets": self.resets,
            "made": self.facts,
        }
        save_artifact(path, KIND, facts, {"genome": self.genome})

    @classmethod
    def load(cls, path: Path, *families: EvolvedFamily) -> EvolvedNetwork:
        """Read a file with a network of one of some families.

        Raises:
            NetworkDamaged: it is missing, or holds something else; the message says what is wrong.
        """
        try:
            artifact = load_artifact(path, KIND)
            named = {family.name: family for family in families}
            family = named.get(artifact.facts["family"])
            if family is None:
                raise NetworkDamaged(
                    f"{path}: a network of {artifact.facts['family']}, not of {', '.join(named)}"
                )
            shape_facts = dict(artifact.facts["shape"])
            for stack in ("opponent", "game"):
                shape_facts[stack] = Stack(**shape_facts[stack])
            shape = NetShape(**{**shape_facts, "head": tuple(shape_facts["head"])})
            if not family.fits(shape):
                raise ValueError("a network of other inputs or outputs")
            genome = np.array(artifact.arrays["genome"])
            if genome.dtype != np.float32 or genome.shape != (shape.genome,):
                raise ValueError("weights of another number or kind")
            check_weights(genome)
            resets, made = artifact.facts["resets"], dict(artifact.facts["made"])
            if resets not in range(sum(RESETS.values()) + 1):
                raise ValueError(f"stacks {resets!r} that begin anew")
            return cls(family.name, shape, resets, genome, made)
        except ArtifactMismatch as error:
            raise NetworkDamaged(str(error)) from error
        except (ArithmeticError, LookupError, TypeError, ValueError) as error:
            raise NetworkDamaged(f"{path}: damaged: {error}; {KIND.remedy}") from error
