"""Every exception this package raises.

ProtocolError              the peer (or a file) broke the format
    MalformedLine          a received line does not parse
    LineTooLong            no line end within the agreed limit
    UnsupportedVersion     the peer speaks another protocol version
    MalformedCard          card text that names no card, or too few or too many of them
    MalformedBetting       betting text outside the grammar
    GameDefError           a game definition that cannot be played
    MalformedLogLine       a line of a match log that belongs to no known dialect
    MalformedDeal          a line of a deals file that is no deal of its game
    WrongAnswer            an answer of a program that is none, or not legal
    MalformedCommands      a commands.json that does not say how a bot is started
WrongState                 our own bug: a method called at the wrong time (not a ProtocolError)

Texts quoted in messages are cut to 80 characters, whatever the peer sent.
"""

from typing import Final

_QUOTED: Final = 80


class ProtocolError(Exception):
    """The peer broke the ACPC protocol."""


class MalformedLine(ProtocolError):
    """A received line does not parse; `line` is the text as received, `reason` says why."""

    def __init__(self, line: bytes, reason: str = "not a match state") -> None:
        super().__init__(f"{reason}: {line[:_QUOTED]!r}")
        self.line = line
        self.reason = reason


class LineTooLong(ProtocolError):
    """The peer sent more bytes than one line may hold."""


class UnsupportedVersion(ProtocolError):
    """The peer offered a protocol version that is not spoken here."""


class MalformedCard(ProtocolError):
    """Text that should be cards is not; `text` is that text, `reason` says why."""

    def __init__(self, text: str, reason: str = "not a card") -> None:
        super().__init__(f"{reason}: {text[:_QUOTED]!r}")
        self.text = text
        self.reason = reason


class MalformedBetting(ProtocolError):
    """Text that should be betting is not; `text` is that text."""

    def __init__(self, text: str) -> None:
        super().__init__(f"not betting: {text[:_QUOTED]!r}")
        self.text = text


class GameDefError(ProtocolError):
    """A game definition cannot be used.

    `message` is the bare text, the original dealer's wording where it has one. `line_number`
    (1-based) is the line of the offending key, None if no single line is at fault.
    """

    def __init__(self, message: str, line_number: int | None = None) -> None:
        super().__init__(message if line_number is None else f"line {line_number}: {message}")
        self.message = message
        self.line_number = line_number


class MalformedLogLine(ProtocolError):
    """A log line belongs to no known dialect; `reason` says what is wrong with it.

    Without a line it is a hand of another format that could not be read.
    """

    def __init__(self, line: str, reason: str) -> None:
        super().__init__(f"{reason}: {line[:_QUOTED]!r}" if line else reason)
        self.line = line
        self.reason = reason


class MalformedDeal(ProtocolError):
    """A deals file has something that is no deal of the game.

    `reason` says what is wrong; `line_number` (1-based) is None where no line was counted.
    """

    def __init__(self, reason: str, line_number: int | None = None) -> None:
        super().__init__(reason if line_number is None else f"line {line_number}: {reason}")
        self.reason = reason
        self.line_number = line_number


class WrongAnswer(ProtocolError):
    """An answer of a program to a decision is none, or is not legal."""


class MalformedCommands(ProtocolError):
    """A `commands.json` does not say how a bot is started."""


class WrongState(RuntimeError):
    """A connection end was used out of turn: a mistake of the caller, never of the peer."""
