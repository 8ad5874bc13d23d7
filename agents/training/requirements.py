"""What training needs and playing does not: PyTorch."""

from __future__ import annotations

import importlib

from agents.errors import TorchMissing


def need_torch(what: str) -> None:
    """Import torch, or say how to get it; to be called before long work that ends in it.

    Args:
        what: needs it, as the message begins.

    Raises:
        TorchMissing: it is not installed.
    """
    try:
        importlib.import_module("torch")
    except ModuleNotFoundError as error:
        if error.name != "torch":  # it is there, and something that it needs is not
            raise
        raise TorchMissing(
            f"{what} needs PyTorch, which is not installed: make setup, or "
            "pip install -c constraints.txt -e '.[train]'"
        ) from error
