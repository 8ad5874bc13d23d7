"""The workers that a command is given by --executor, measured in hands evaluated a second."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.parallel.cluster import Cluster


@contextmanager
def cluster_wanted(
    word: str | None, jobs: int, say: Callable[[str], None]
) -> Iterator[Cluster | None]:
    """Yield the workers that --executor names, None where it is not given.

    Args:
        jobs: processes of --executor processes.
        say: told in a line who comes, goes or is refused.

    Raises:
        WorkersFailed: they cannot be reached, or all are refused.
    """
    if word is None:
        yield None
        return
    from engine.parallel.cluster import cluster_called
    from engine.showdown.speed import evaluations_per_second

    with cluster_called(word, jobs, evaluations_per_second, say) as cluster:
        yield cluster
