"""The version line."""

import pytest

from protocol.errors import MalformedLine, UnsupportedVersion
from protocol.handshake import (
    CURRENT,
    Version,
    check_version,
    format_version,
    parse_version,
    read_token,
)


def test_writes_and_reads_the_current_version():
    """What we send is what we expect."""
    assert format_version() == b"VERSION:2.0.0"
    assert parse_version(format_version()) == CURRENT


@pytest.mark.parametrize(
    ("line", "version"),
    [
        (b"VERSION:2.0.0\r\n", (2, 0, 0)),
        (b"VERSION:2.0.0\n", (2, 0, 0)),
        (b"VERSION: 2. 0.\t0", (2, 0, 0)),
        (b"VERSION:+2.0.0 and more", (2, 0, 0)),
        (b"VERSION:2.0.0.7", (2, 0, 0)),
        (b"VERSION:002.0.07x", (2, 0, 7)),
        (b"VERSION:4294967298.0.0", (2, 0, 0)),
        (b"VERSION:-1.0.0", (4294967295, 0, 0)),
        (b"VERSION:" + b"9" * 4000 + b".0.0", (4294967295, 0, 0)),
        (b"VERSION:" + b"0" * 4000 + b"2.0.0", (2, 0, 0)),
        (b"VERSION:2.0.0\0junk\n", (2, 0, 0)),
    ],
)
def test_reads_as_leniently_as_the_original(line, version):
    """Blanks, signs, wrapping numbers and text behind the third number pass."""
    assert parse_version(line) == Version(*version)


@pytest.mark.parametrize(
    "line",
    [
        b"", b"\r\n", b"version:2.0.0\r\n", b" VERSION:2.0.0\r\n", b"VERSION:2.0\r\n",
        b"VERSION:2 .0.0\r\n", b"VERSION:2.x.0\r\n", b"VERSION:2.0\0.0\r\n", b"VERSION:+-2.0.0",
        b"# VERSION:2.0.0\r\n", b"MATCHSTATE:0:0::|",
    ],
)  # fmt: skip
def test_refuses_other_lines(line):
    """Comments are not allowed here either."""
    with pytest.raises(MalformedLine):
        parse_version(line)


@pytest.mark.parametrize("version", [(2, 0, 0), (2, 0, 9)])
def test_the_revision_does_not_matter(version):
    """Only major and minor version must be spoken."""
    check_version(Version(*version))


@pytest.mark.parametrize("version", [(1, 0, 0), (3, 0, 0), (2, 1, 0)])
def test_other_versions_are_told_apart(version):
    """They parse, but are not ours."""
    with pytest.raises(UnsupportedVersion):
        check_version(Version(*version))


@pytest.mark.parametrize(
    ("line", "token"),
    [
        (b"VERSION:2.0.0\r\n", b""),
        (b"VERSION:2.0.0 abc\r\n", b"abc"),
        (b"VERSION:2.0.0\tabc \n", b"abc"),
        (b"VERSION:2.0.0 a b", b"a b"),
        (b"VERSION:2.0.0 abc\0def\r\n", b"abc"),
        (b"HELLO abc", b""),
    ],
)
def test_a_token_stands_behind_the_version(line, token):
    """Blanks around it do not count; without a version there is none."""
    assert read_token(line) == token


def test_a_token_is_read_back():
    """As an agent writes it."""
    assert read_token(format_version(token="x-1_Y")) == b"x-1_Y"
    assert format_version() == b"VERSION:2.0.0"
