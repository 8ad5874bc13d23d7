"""Where networks are trained, and so that it repeats."""

from __future__ import annotations

import os

import torch

from agents.errors import TrainingError


def prepare(threads: int, name: str | None = None) -> torch.device:
    """Set PyTorch up for training that repeats to the bit; return the device.

    Args:
        name: of the device, as PyTorch has it; None: a GPU if there is one, else the CPU.

    Raises:
        TrainingError: there is no such device.
    """
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")  # else a GPU refuses to repeat
    torch.set_num_threads(threads)
    torch.use_deterministic_algorithms(mode=True)
    wanted = name or ("cuda" if torch.cuda.is_available() else "cpu")
    try:
        return torch.zeros(1, device=wanted).device
    except (RuntimeError, AssertionError) as error:
        why = str(error).splitlines()[0]
        raise TrainingError(f"device {wanted}: {why}") from error
