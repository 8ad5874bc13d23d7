"""Clients that send all their answers at once and read whatever comes."""

import contextlib
import socket
import threading
from collections.abc import Sequence


def play_pipelined(ports: Sequence[int], streams: Sequence[bytes]) -> list[bytes]:
    """Connect to each port in order, send its stream, read to the end; return what came."""
    received = [b""] * len(ports)

    def exchange(index: int) -> None:
        with socket.create_connection(("127.0.0.1", ports[index]), timeout=60) as sock:
            sender = threading.Thread(target=send, args=(sock, streams[index]))
            sender.start()
            chunks = []
            with contextlib.suppress(ConnectionResetError):
                while chunk := sock.recv(1 << 16):
                    chunks.append(chunk)
            sender.join()
            received[index] = b"".join(chunks)

    def send(sock: socket.socket, stream: bytes) -> None:
        with contextlib.suppress(OSError):
            sock.sendall(stream)
            sock.shutdown(socket.SHUT_WR)

    threads = [threading.Thread(target=exchange, args=(index,)) for index in range(len(ports))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return received
