"""A scripted dealer on a real socket: each connection it accepts is handled by one function."""

import socket
import struct
import threading
from collections.abc import Callable, Sequence
from types import TracebackType


class AgentSocket:
    """One accepted connection, as the dealer has it."""

    def __init__(self, sock: socket.socket) -> None:
        self._sock = sock
        self._sock.settimeout(10)
        self._sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._buffer = b""

    def send(self, *lines: str) -> None:
        """Send all `lines`, each with its line end, in one piece."""
        self.send_raw("".join(f"{line}\r\n" for line in lines).encode("ascii"))

    def send_raw(self, data: bytes) -> None:
        """Send exactly `data`."""
        self._sock.sendall(data)

    def line(self) -> bytes:
        """Return the next line with its end; b"" when the agent has closed."""
        while b"\n" not in self._buffer:
            try:
                data = self._sock.recv(65536)
            except ConnectionResetError:  # it closed with something of ours unread
                data = b""
            if not data:
                return b""
            self._buffer += data
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line + b"\n"

    def close(self) -> None:
        """Close in order."""
        self._sock.close()

    def reset(self) -> None:
        """Drop the connection with a RST."""
        self._sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._sock.close()


Script = Callable[[AgentSocket], None]


class MiniDealer:
    """Context manager: listens, handles one connection per script in order, then stops listening.

    An error in a script, a failed assertion included, is raised when the context ends.
    """

    def __init__(self, *scripts: Script, port: int = 0) -> None:
        self._scripts: Sequence[Script] = scripts
        self._listener = socket.create_server(("127.0.0.1", port))
        self._listener.settimeout(10)
        self.port: int = self._listener.getsockname()[1]
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self) -> "MiniDealer":
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._thread.join(20)
        self._listener.close()
        if error is None and self._error is not None:
            raise self._error

    def _serve(self) -> None:
        try:
            with self._listener:
                for script in self._scripts:
                    sock, _ = self._listener.accept()
                    with sock:
                        script(AgentSocket(sock))
        except BaseException as error:
            self._error = error


def free_port() -> int:
    """Return a port that nobody listens on right now."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])
