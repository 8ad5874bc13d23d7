"""Which of several processes this is, as torchrun tells, and the store at which they meet.

The store is all that is used of PyTorch, which is imported only once somebody joins.  There is no
process group: that would end for all hosts with the first one that dies.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from dealer.errors import MatchError, MatchUsageError

if TYPE_CHECKING:
    from dealer.hosts.line import KeyValueStore

_JOIN_LIMIT: Final = timedelta(minutes=10)
_ANSWER_LIMIT: Final = timedelta(seconds=60)
_AGENT_STORE: Final = "TORCHELASTIC_USE_AGENT_STORE"
_ATTEMPT: Final = "TORCHELASTIC_RESTART_COUNT"
_FROM_TORCHRUN: Final = (
    *("RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE", "GROUP_RANK", "GROUP_WORLD_SIZE"),
    *("ROLE_RANK", "ROLE_WORLD_SIZE", "ROLE_NAME", "MASTER_ADDR", "MASTER_PORT"),
)
_ELASTIC: Final = "TORCHELASTIC_"
_WORDS_OF_TORCH: Final = "TORCH_CPP_LOG_LEVEL"


@dataclass(frozen=True, slots=True)
class RankInfo:
    """One process among all."""

    rank: int
    """Its number; 0 has the folder and hands out the legs."""
    size: int
    """How many there are, two or more."""
    rank_here: int
    """Its number on this machine."""
    size_here: int
    """How many of them share this machine."""
    address: str
    """Of the store."""
    port: int
    serves: bool
    """Whether the store is in this process, and not in that of torchrun."""
    attempt: str
    """How often torchrun has started all of them again; what was said before is void."""

    @property
    def others(self) -> tuple[int, ...]:
        """With whom this process speaks: the first with all, all with the first."""
        return (0,) if self.rank else tuple(range(1, self.size))

    def share_of(self, cores: tuple[int, ...]) -> tuple[int, ...]:
        """Return those of a machine's cores that are this process's own."""
        return cores[self.rank_here :: self.size_here] or cores


def place_from(environment: Mapping[str, str]) -> RankInfo | None:
    """Return what torchrun says, None without it or where it has started but one process.

    Raises:
        MatchUsageError: something is missing or no number.
    """
    try:
        size = int(environment.get("WORLD_SIZE", "1"))
        if size < 2:
            return None
        rank = int(environment["RANK"])
        return RankInfo(
            rank=rank,
            size=size,
            rank_here=int(environment.get("LOCAL_RANK", "0")),
            size_here=int(environment.get("LOCAL_WORLD_SIZE", "1")),
            address=environment["MASTER_ADDR"],
            port=int(environment["MASTER_PORT"]),
            serves=rank == 0 and environment.get(_AGENT_STORE) != "True",
            attempt=environment.get(_ATTEMPT, "0"),
        )
    except (KeyError, ValueError) as exc:
        raise MatchUsageError(
            f"WORLD_SIZE is set, but what else torchrun says is not there: {exc}"
        ) from exc


def forget_torchrun(environment: MutableMapping[str, str]) -> None:
    """Take what torchrun says out of an environment: bots shall not believe that it means them."""
    for name in list(environment):
        if name in _FROM_TORCHRUN or name.startswith(_ELASTIC):
            del environment[name]


def join(host: RankInfo) -> KeyValueStore:
    """Return the store at which all meet.

    Raises:
        MatchError: PyTorch is not installed, or the first host cannot be reached.
    """
    quiet = os.environ.get(_WORDS_OF_TORCH)
    os.environ[_WORDS_OF_TORCH] = quiet or "FATAL"  # a lost connection is told in one line
    try:
        from torch.distributed import PrefixStore, TCPStore  # type: ignore[attr-defined]

        store = TCPStore(
            host.address,
            host.port,
            is_master=host.serves,
            wait_for_workers=False,
            timeout=_JOIN_LIMIT,
            multi_tenant=True,
        )
        store.set_timeout(_ANSWER_LIMIT)
        return PrefixStore(f"arena/{host.attempt}", store)
    except ModuleNotFoundError as exc:
        if (exc.name or "").partition(".")[
            0
        ] != "torch":  # it is there, and something that it needs is not
            raise
        raise MatchError(
            "a tournament on several hosts needs PyTorch, which is not installed: make setup, or "
            "pip install -c constraints.txt -e '.[train]'"
        ) from exc
    except RuntimeError as exc:
        reason = str(exc).partition("\n")[0]
        raise MatchError(
            f"the first host cannot be reached at {host.address} port {host.port} ({reason})"
        ) from exc
    finally:
        if quiet is None:
            del os.environ[_WORDS_OF_TORCH]
