"""What can be wrong with a match before or beside its play.

MatchError
    MatchUsageError   the command line asks for something that cannot be played
    FolderInUse       the match folder holds another match, or is being written to right now
    LegNotSent        workers elsewhere did not play a leg, or not truly
"""

from typing import ClassVar


class MatchError(Exception):
    """The match cannot be played; the message is one line for the user."""

    exit_code: ClassVar[int] = 1
    """Of a command that ends with it."""


class MatchUsageError(MatchError):
    """The command line asks for something that cannot be played."""

    exit_code = 2


class FolderInUse(MatchError):
    """The match folder holds another match, or another match runner works in it."""


class LegNotSent(MatchError):
    """The workers of a cluster did not play a leg, or one of them lies."""
