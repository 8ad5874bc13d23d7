"""What can be wrong with a match before or beside its play.

MatchError
    MatchUsageError   the command line asks for something that cannot be played
    FolderInUse       the match folder holds another match, or is being written to right now
"""


class MatchError(Exception):
    """The match cannot be played; the message is one line for the user."""


class MatchUsageError(MatchError):
    """The command line asks for something that cannot be played."""


class FolderInUse(MatchError):
    """The match folder holds another match, or another match runner works in it."""
