"""PyTorch on one thread: on cores that are busy, those of small products wait for each other."""

from contextlib import contextmanager

import pytest


@contextmanager
def one_torch_thread():
    """Skip the test where there is no PyTorch; within, give it one thread."""
    torch = pytest.importorskip("torch")
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield torch
    finally:
        torch.set_num_threads(threads)
