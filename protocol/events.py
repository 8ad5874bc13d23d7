"""What the two ends of a connection report, one value per line received.

`raw` is the line as received, terminator included.  "C string" means that the text ends at the
first NUL byte, as it does for the original dealer.
"""

from typing import NamedTuple, TypeAlias

from protocol.handshake import Version
from protocol.matchstate import MatchState


class VersionLine(NamedTuple):
    """Dealer's end: the first line.  Exactly one of `version` and `error` is None."""

    raw: bytes
    version: Version | None
    """As offered; whether it is spoken here is not judged."""
    error: str | None
    """Why the line is no version line."""


class CommentLine(NamedTuple):
    """Either end: a line that starts with "#" or ";"."""

    raw: bytes


class Reply(NamedTuple):
    """Dealer's end: the exact text that was sent, ":" and something after it."""

    raw: bytes
    action: bytes
    """What follows the colon, terminator included, as a C string; not parsed."""


class OtherLine(NamedTuple):
    """Dealer's end: any other line; it may still be a reply in another spelling."""

    raw: bytes
    text: bytes
    """The line as a C string."""


class StateReceived(NamedTuple):
    """Agent's end: a match state."""

    raw: bytes
    state: MatchState
    text: bytes
    """The line without terminator, to be sent back in front of the action."""


class EndOfStream(NamedTuple):
    """Either end: the peer sends nothing more."""

    raw: bytes = b""
    """Agent's end: the start of a line that was cut off, which must not be acted upon."""


Event: TypeAlias = VersionLine | CommentLine | Reply | OtherLine | StateReceived | EndOfStream
