"""Whose a connection on this machine is, by the tables of sockets that Linux shows.

    sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
    0: 0100007F:A0B2 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1000        0 54321

Source: proc_pid_net(5); a socket that its process has closed already has inode 0.
"""

import os
import socket
import struct
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

_TABLES: Final = (Path("/proc/self/net/tcp"), Path("/proc/self/net/tcp6"))
_MAPPED: Final = "0000000000000000{:08X}".format(*struct.unpack("=I", b"\0\0\xff\xff"))
"""Before an IPv4 address among those of IPv6."""
_ROOT: Final = 0


def is_strange(peer: tuple[str, int], port: int) -> bool:
    """Return whether a connection to a port of 127.0.0.1 is another user's.

    Root's are not, and where the system does not tell, nobody's are.

    Args:
        peer: IPv4 address and port of the other end.
        port: of this end.
    """
    lines = list(_lines())
    return bool(lines) and user_of(lines, peer, port) not in (os.getuid(), _ROOT)


def user_of(lines: Iterable[str], peer: tuple[str, int], port: int) -> int | None:
    """Return the number of the user who has the other end of a connection; None: it is closed.

    Args:
        lines: of the tables, without their titles.
        peer: see `is_strange`.
        port: of the end at 127.0.0.1.
    """
    wanted = [_words(*peer), _words("127.0.0.1", port)]
    for line in lines:
        fields = line.split()
        if [address.removeprefix(_MAPPED) for address in fields[1:3]] == wanted:
            return None if fields[9] == "0" else int(fields[7])
    return None


def _words(host: str, port: int) -> str:
    (number,) = struct.unpack("=I", socket.inet_aton(host))
    return f"{number:08X}:{port:04X}"


def _lines() -> Iterator[str]:
    for table in _TABLES:
        try:
            yield from table.read_text().splitlines()[1:]
        except OSError:
            continue
