"""Ports for servers that tests end and start again."""

import secrets
import socket

FROM, TO = 15_000, 30_000
"""Linux gives out those from 32768 on, other systems those from 49152 on."""


def steady_port():
    """A free port that the system gives to nobody by itself: it is free after a restart, too."""
    while True:
        port = FROM + secrets.randbelow(TO - FROM)
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        return port
