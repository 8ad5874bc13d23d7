"""The version line, the first thing an agent sends.

    agent -> dealer   VERSION:<major>.<minor>.<revision>[ <token>]

The token is ours: an agent that was given one shows that a seat is its own.  Other dealers ignore
it.  Numbers are read as leniently as the original does (its scanf format): blanks and a sign before
each, 32-bit numbers that wrap, anything after the third one, with or without a line end.
"""

import re
from typing import Final, NamedTuple

from protocol.errors import MalformedLine, UnsupportedVersion


class Version(NamedTuple):
    """A protocol version."""

    major: int
    minor: int
    revision: int

    @property
    def text(self) -> str:
        """The version as people write it: "2.0.0"."""
        return f"{self.major}.{self.minor}.{self.revision}"


CURRENT: Final = Version(2, 0, 0)

_NUMBER: Final = rb"[ \t\n\v\f\r]*+([+-]?)([0-9]++)"
_VERSION_LINE: Final = re.compile(rb"VERSION:" + _NUMBER + rb"\." + _NUMBER + rb"\." + _NUMBER)
_MAX_UINT64: Final = 2**64 - 1
_MAX_UINT64_DIGITS: Final = 20


def parse_version(line: bytes) -> Version:
    """Parse a version line, with or without its terminator; text from a NUL byte on is not read.

    Raises:
        MalformedLine: not a version line.  A version we do not speak is no error here, see
            `check_version`.
    """
    match = _VERSION_LINE.match(line.partition(b"\0")[0])
    if match is None:
        raise MalformedLine(line, "not a version line")
    signs_and_digits = match.groups()
    return Version(
        _scan_uint32(*signs_and_digits[0:2]),
        _scan_uint32(*signs_and_digits[2:4]),
        _scan_uint32(*signs_and_digits[4:6]),
    )


def read_token(line: bytes) -> bytes:
    """Return the token in a version line, b"" where there is none; blanks around it do not count.

    It is what stands behind the third number, up to a NUL byte.
    """
    text = line.partition(b"\0")[0]
    match = _VERSION_LINE.match(text)
    return b"" if match is None else text[match.end() :].strip()


def format_version(version: Version = CURRENT, token: str = "") -> bytes:
    """Inverse of `parse_version` and `read_token`; no terminator."""
    return f"VERSION:{version.text} {token}".rstrip().encode("ascii")


def check_version(version: Version) -> None:
    """Accept every revision of `CURRENT` and of earlier minor versions.

    Raises:
        UnsupportedVersion: another major version, or a later minor version.
    """
    if version.major != CURRENT.major or version.minor > CURRENT.minor:
        raise UnsupportedVersion(f"version {version.text} offered, {CURRENT.text} is spoken here")


def _scan_uint32(sign: bytes, digits: bytes) -> int:
    """Read a number as C's scanf("%u") does where long has 64 bits: saturate there, then wrap."""
    digits = digits.lstrip(b"0") or b"0"
    value = int(digits) if len(digits) <= _MAX_UINT64_DIGITS else _MAX_UINT64 + 1
    if value > _MAX_UINT64:
        value = _MAX_UINT64
    elif sign == b"-":
        value = -value
    return value % 2**32
