"""A bot in a thread whose answers follow from the state alone: its matches come out alike."""

import contextlib
import socket
import threading
import zlib

from agents.bot import Bot
from agents.session import Session
from engine.rules.view import PlayerView
from protocol.actions import Action
from protocol.gamedef import GameDef


class StateBot(Bot):
    """Folds, calls or raises by a checksum of what it sees; the same again for the same hand."""

    def act(self, view: PlayerView) -> Action:
        """Return an action that depends on nothing but `view`."""
        seen = f"{view.hand_id}/{view.position}/{view.state.betting}/{view.hole}/{view.board}"
        number = zlib.crc32(seen.encode())
        if number % 8 == 0 and view.can_fold:
            return view.fold()
        if number % 8 < 4 and view.can_raise:
            return view.raise_to(view.min_raise_to + number // 8 % 400)
        return view.call()


class SeatedStateBot:
    """Plays one seat of a dealer on this machine until the connection ends, however it does."""

    def __init__(self, game: GameDef, port: int) -> None:
        self.session = Session(StateBot(), game)
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._thread = threading.Thread(target=self._play, daemon=True)
        self._thread.start()

    @property
    def finished_hands(self) -> int:
        """Number of the last hand that was shown to its end, plus one."""
        return self.session.hand_id + (0 if self.session.in_hand else 1)

    def join(self) -> None:
        """Wait until the connection has ended."""
        self._thread.join(60)
        assert not self._thread.is_alive()

    def _play(self) -> None:
        with self._socket, contextlib.suppress(OSError):
            self._socket.sendall(self.session.connected())
            while data := self._socket.recv(65536):
                if replies := self.session.receive(data):
                    self._socket.sendall(replies)
