"""Memories of learners: rows of numbers of one structured type, bounded in number and bytes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

TRANSITION: Final = np.dtype(
    [("info_set", "i4"), ("following", "i4"), ("won", "f4"), ("action", "i1")]
)
"""A decision, and what came of it: the player's next information set, -1 where there is none, and
what the hand brought; the action is a column of the network's."""
CHOICE: Final = np.dtype([("info_set", "i4"), ("action", "i1")])
"""What was done at an information set."""


def advantage_row(actions: int) -> np.dtype[Any]:
    """Return the type of rows that say by how much so many actions are worth more than the policy.

    And how much that counts.
    """
    return np.dtype([("info_set", "i4"), ("weight", "f4"), ("advantages", "f4", (actions,))])


class LearnerMemory(ABC):
    """Rows up to a capacity.

    Attributes:
        met: rows ever added.
    """

    def __init__(self, capacity: int, row: np.dtype[Any]) -> None:
        """Reserve it; memory is taken as rows come."""
        self._rows: Final = np.zeros(capacity, row)
        self.met = 0

    @property
    def capacity(self) -> int:
        """Rows at most."""
        return len(self._rows)

    @property
    def rows(self) -> NDArray[Any]:
        """All that is remembered."""
        return self._rows[: len(self)]

    def __len__(self) -> int:
        return min(self.met, self.capacity)

    @abstractmethod
    def add(self, rows: NDArray[Any], rng: np.random.Generator) -> None:
        """Remember rows, or as many of them as the memory takes."""

    def sample(self, size: int, rng: np.random.Generator) -> NDArray[Any]:
        """Return rows drawn with replacement; there must be any."""
        return self._rows[rng.integers(len(self), size=size)]

    def empty(self, size: int) -> NDArray[Any]:
        """Return rows of zeros."""
        return np.zeros(size, self._rows.dtype)

    def arrays(self, name: str) -> dict[str, NDArray[Any]]:
        """Return the state as plain arrays whose names begin so."""
        rows = self.rows
        columns = {f"{name}.{field}": rows[field] for field in rows.dtype.names or ()}
        return {f"{name}.met": np.array(self.met, np.int64), **columns}

    def restore(self, name: str, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Take the state that `arrays` returned.

        Raises:
            KeyError: an array is missing.
            ValueError: one is of another size.
        """
        met = int(arrays[f"{name}.met"])
        if met < 0:
            raise ValueError(f"{met} rows in {name}")
        self.met = met
        for field in self._rows.dtype.names or ():
            column = arrays[f"{name}.{field}"]
            if column.shape != self._rows[field][: len(self)].shape:
                raise ValueError(f"{name}.{field} is {column.shape}")
            self._rows[field][: len(self)] = column


class RingMemory(LearnerMemory):
    """The latest rows."""

    def add(self, rows: NDArray[Any], rng: np.random.Generator) -> None:
        """Remember rows in the stead of the oldest."""
        latest = rows[-self.capacity :]
        first = self.met + len(rows) - len(latest)
        self._rows[(first + np.arange(len(latest))) % self.capacity] = latest
        self.met += len(rows)


class ReservoirMemory(LearnerMemory):
    """An even sample of all rows that ever came.

    Source: Vitter, "Random sampling with a reservoir", ACM Transactions on Mathematical Software
    11, 1985: algorithm R.
    """

    def add(self, rows: NDArray[Any], rng: np.random.Generator) -> None:
        """Remember each row with the chance that any row has by now."""
        numbers = self.met + np.arange(len(rows))
        drawn = (rng.random(len(rows)) * (numbers + 1)).astype(np.int64)
        at = np.where(numbers < self.capacity, numbers, drawn)
        stays = at < self.capacity
        self._rows[at[stays]] = rows[stays]
        self.met += len(rows)
