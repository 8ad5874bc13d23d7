"""Whose a local connection is."""

import os
import socket
import sys

import pytest

from dealer.relay.local_peers import is_strange, user_of

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="the tables are Linux'")
PEER, PORT = ("127.0.0.1", 0xA0B2), 0x1F90
REST = "00000000:00000000 00:00000000 00000000"
MAPPED = "0000000000000000FFFF0000"


def line(ours="0100007F:A0B2", theirs="0100007F:1F90", user=1000, inode=54321):
    """One of a table, of a machine with little-endian numbers."""
    return f"  0: {ours} {theirs} 01 {REST} {user} 0 {inode} 1 0000000000000000 20 4 30 10 -1"


@pytest.mark.skipif(sys.byteorder != "little", reason="the tables are written as numbers")
@pytest.mark.parametrize(
    ("lines", "user"),
    [
        ([line()], 1000),
        ([line(theirs="0100007F:1F91", user=7), line(ours="0100007F:A0B3", user=8), line()], 1000),
        ([line(f"{MAPPED}0100007F:A0B2", f"{MAPPED}0100007F:1F90", 7)], 7),
        ([line("0100007F:1F90", "0100007F:A0B2", 8)], None),
        ([line(user=0, inode=0)], None),
        ([], None),
    ],
)
def test_the_line_of_the_other_end_says_it(lines, user):
    """Not that of this end, nor one that is closed already."""
    assert user_of(lines, PEER, PORT) == user


@LINUX
@pytest.mark.parametrize("family", [socket.AF_INET, socket.AF_INET6])
def test_our_own_connections_are_not_strange(family):
    """Whether they come by IPv4, or by IPv6 to an IPv4 address; closed ones are."""
    host = "127.0.0.1" if family == socket.AF_INET else "::ffff:127.0.0.1"
    with socket.create_server(("127.0.0.1", 0)) as door, socket.socket(family) as bot:
        port = door.getsockname()[1]
        bot.connect((host, port))
        connection, peer = door.accept()
        with connection:
            assert not is_strange(peer, port)
            bot.close()
            assert is_strange(peer, port)


@LINUX
@pytest.mark.skipif(os.getuid() != 0, reason="root alone can be somebody else")
def test_connections_of_others_are_strange(monkeypatch):
    """Unless they are root's, who can do anything anyway."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        port = door.getsockname()[1]
        os.seteuid(65534)
        try:
            stranger = socket.socket()
        finally:
            os.seteuid(0)
        with stranger, socket.create_connection(("127.0.0.1", port)):
            stranger.connect(("127.0.0.1", port))
            connections = [door.accept() for _ in range(2)]
            assert [is_strange(peer, port) for _, peer in connections] == [False, True]
            monkeypatch.setattr(os, "getuid", lambda: 65534)
            assert [is_strange(peer, port) for _, peer in connections] == [False, False]
            for connection, _ in connections:
                connection.close()
