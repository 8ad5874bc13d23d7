"""Everything the engine can refuse.

EngineError
    IllegalAction   the rules do not allow this action now
    InvalidGame     a game this part of the engine cannot handle
    OutOfMemory     a task that would take more memory than it may
    ArtifactMismatch    a file that is damaged, of another version, or made for something else
    DamagedDocument JSON, TOML or msgpack that is none, or nested or huge as none of ours is
    LogError        a log, or the game it needs, that cannot be used
    UnreadableText  a text file, or a line of it, that cannot be read
    UnusableDeals   a deals file that is damaged, unreadable, or of another game
    UnusableHistory a hand of a history that cannot be read, or that a format cannot carry
    ShardError      a shard that there is not, or shards that do not belong together
    WorkersFailed   workers of a cluster cannot be reached, were refused, or one sent what is wrong
"""

from typing import ClassVar


class EngineError(ValueError):
    """A call that the rules of poker do not allow."""

    exit_code: ClassVar[int] = 1
    """Of a command that ends with it."""


class IllegalAction(EngineError):
    """The rules do not allow this action in this state."""


class InvalidGame(EngineError):
    """The game definition is outside what the called code can handle."""


class OutOfMemory(EngineError):
    """The task would take more memory than the caller allows."""


class ArtifactMismatch(EngineError):
    """A file is no artifact of the wanted kind: damaged, another version, for something else."""


class DamagedDocument(EngineError):
    """JSON, TOML or msgpack cannot be read; the message says why, but not which file it is."""


class LogError(EngineError):
    """A log, or the game it needs, cannot be used; the message is one line that names it."""

    exit_code = 2


class UnreadableText(EngineError):
    """A text file cannot be read; the message names it, and the line where it is one."""


class UnusableDeals(EngineError):
    """A deals file cannot be played; the message is one line that names it."""

    exit_code = 2


class UnusableHistory(EngineError):
    """A hand of a history cannot be read, or the format wanted cannot carry it."""


class ShardError(EngineError):
    """There is no such shard, or shards do not belong together; the message is one line."""

    exit_code = 2


class WorkersFailed(EngineError):
    """Workers of a cluster cannot be reached, were refused, or one sent what is not true."""
