"""Processes, on one machine or several, that train one thing together: torch.distributed, gloo.

Started by torchrun, which gives each process its number and tells them where to meet.  Arrays go in
pieces, so that little memory is needed beside them.  torch is imported only once somebody joins.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from agents.errors import PeerLost
from agents.training.requirements import need_torch

ELEMENTS_PER_EXCHANGE: Final = 1 << 22

SETUP_TIMEOUT: Final = timedelta(days=1)
"""Some processes have to build something first."""
SILENCE_TIMEOUT: Final = timedelta(minutes=30)
"""A process that has ended is noticed at once."""


class Peers:
    """This process among all.  Every method is to be called by all of them, in the same order.

    Each raises `PeerLost` where another process has ended, or is silent for too long.

    Attributes:
        rank: the number of this process.
        size: how many there are.
    """

    def __init__(self, group: Any = None) -> None:
        """Talk through a group of torch.distributed, the one of all processes if None."""
        import torch
        from torch import distributed

        self._torch: Final = torch
        self._distributed: Final = distributed
        self._group: Final = group
        self.rank: Final[int] = distributed.get_rank(group)
        self.size: Final[int] = distributed.get_world_size(group)

    @property
    def first(self) -> bool:
        """Whether this process speaks for all."""
        return self.rank == 0

    def broadcast_json(self, value: Any = None) -> Any:
        """Return the value of the first process, plain as in JSON; those of others are ignored."""
        text = json.dumps(value).encode() if self.first else b""
        (size,) = self.sum([len(text)])
        data = np.zeros(int(size), np.uint8)
        if self.first:
            data[:] = np.frombuffer(text, np.uint8)
        self.broadcast(data)
        return json.loads(data.tobytes())

    def broadcast(self, array: NDArray[Any]) -> None:
        """Overwrite everybody's array with that of the first process, of equal shape and dtype."""
        flat = array.reshape(-1).view(np.uint8)
        piece = np.empty(min(ELEMENTS_PER_EXCHANGE, len(flat)), np.uint8)
        with _noticing():
            for begin in range(0, len(flat), ELEMENTS_PER_EXCHANGE):
                part = flat[begin : begin + ELEMENTS_PER_EXCHANGE]
                if self.first:  # a file's array may be read-only, which tensors are not
                    piece[: len(part)] = part
                tensor = self._torch.from_numpy(piece[: len(part)])
                self._distributed.broadcast(tensor, src=0, group=self._group)
                if not self.first:
                    part[:] = piece[: len(part)]

    def average(self, array: NDArray[np.float32]) -> None:
        """Replace each number of an array (N,) by its mean over all processes.

        They all end with the same bits.
        """
        with _noticing():
            for begin in range(0, len(array), ELEMENTS_PER_EXCHANGE):
                part = array[begin : begin + ELEMENTS_PER_EXCHANGE]
                self._distributed.all_reduce(self._torch.from_numpy(part), group=self._group)
                part /= np.float32(self.size)

    def sum(self, numbers: Sequence[float]) -> list[float]:
        """Return the sums of a few numbers over all processes, in float64."""
        sums = self._torch.tensor(list(numbers), dtype=self._torch.float64)
        with _noticing():
            self._distributed.all_reduce(sums, group=self._group)
        totals: list[float] = sums.tolist()
        return totals

    def with_timeout(self) -> Peers:
        """Return the same group with the usual limit of 30 minutes, for after the set-up."""
        with _noticing():
            return Peers(self._distributed.new_group(timeout=SILENCE_TIMEOUT))


@contextmanager
def with_peers() -> Iterator[Peers]:
    """Meet the others; at the end, wait for all.

    Raises:
        PeerLost: not all have come.
        TorchMissing: PyTorch is not installed.
    """
    need_torch("a run of several processes")
    from torch import distributed

    with _noticing():
        distributed.init_process_group("gloo", timeout=SETUP_TIMEOUT)
    try:
        peers = Peers()
        yield peers
        peers.sum([0])
    finally:
        distributed.destroy_process_group()


@contextmanager
def _noticing() -> Iterator[None]:
    """Turn what gloo says when a connection breaks into one line."""
    try:
        yield
    except RuntimeError as error:
        reason = str(error).strip().splitlines()[0] if str(error).strip() else "no reason given"
        raise PeerLost(f"another process of this run is gone ({reason})") from error
