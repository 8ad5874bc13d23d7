"""How a match can end: one taxonomy for exit codes, summaries and reports."""

from dataclasses import dataclass
from enum import Enum
from typing import Final


class Ending(Enum):
    """Why a match stopped."""

    FINISHED = "finished"
    """All hands were played."""
    TIMEOUT = "timeout"
    """A seat used up its time, or never connected."""
    DISCONNECT = "disconnect"
    """A seat's connection was lost."""
    MALFORMED = "malformed"
    """A seat sent something that cannot be read, where that ends a match."""
    ILLEGAL = "illegal"
    """A seat chose an action the rules do not allow, where that ends a match."""
    CRASH = "crash"
    """A bot's process ended by itself with an error or by a signal."""
    INTERRUPTED = "interrupted"
    """The user stopped the match."""
    ERROR = "error"
    """The dealer could not continue: bad arguments, a full disk, an unusable transaction file."""

    @property
    def exit_code(self) -> int:
        """Exit code that names this ending."""
        return _EXIT_CODES[self]


_EXIT_CODES: Final = {
    Ending.FINISHED: 0,
    Ending.ERROR: 1,
    Ending.TIMEOUT: 3,
    Ending.DISCONNECT: 4,
    Ending.MALFORMED: 5,
    Ending.ILLEGAL: 6,
    Ending.CRASH: 7,
    Ending.INTERRUPTED: 130,
}


@dataclass(frozen=True, slots=True)
class MatchEnd:
    """The end of one match."""

    ending: Ending
    detail: str = ""
    """The dealer's words for it, one line."""
    seat: int | None = None
    """Seat index that caused it, 0-based; None when no seat did."""


class MatchStopped(Exception):
    """Ends a match early; carries the ending and the lines that belong on stderr."""

    def __init__(self, end: MatchEnd, *lines: str) -> None:
        super().__init__(end.detail)
        self.end = end
        self.lines = lines or (f"ERROR: {end.detail}",)


def error_ending(ending: Ending, detail: str, seat: int | None = None) -> MatchStopped:
    """Return the exception for an ending that stderr reports as "ERROR: <detail>"."""
    return MatchStopped(MatchEnd(ending, detail, seat))


def out_of_time(seat: int) -> MatchStopped:
    """Return the exception for a seat, 0-based, that has used up its time."""
    return error_ending(Ending.TIMEOUT, f"seat {seat + 1} ran out of time", seat)


def no_action(ending: Ending, seat: int, waited: str) -> MatchStopped:
    """Return the exception for an answer that did not come; `waited` says how long we waited.

    The lines are those of the original dealer; the match ends as for a seat that is out of time.
    """
    message = f"could not get action from seat {seat + 1}"
    end = out_of_time(seat).end if ending is Ending.TIMEOUT else MatchEnd(ending, message, seat)
    return MatchStopped(end, f"ERROR: {message}", waited)


def state_not_sent(ending: Ending, seat: int) -> MatchStopped:
    """Return the exception for a seat that does not take what it is sent."""
    return error_ending(ending, f"could not send state to seat {seat + 1}", seat)


def did_not_come_back(seat: int) -> MatchStopped:
    """Return the exception for a lost seat that was away for too long."""
    return error_ending(Ending.DISCONNECT, f"seat {seat + 1} did not come back", seat)
