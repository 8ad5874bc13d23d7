"""A bot that calls, with one thing broken: what `arena check` is to find.

    python broken_bot.py FAULT HOST PORT

FAULT is "none" or one of the names in `main` and `Broken`.
"""

import contextlib
import os
import socket
import subprocess
import sys
import time

from engine.rules.view import PlayerView
from engine.rules.view_reader import view_from_match_state
from protocol.gamedefs import load_builtin
from protocol.matchstate import parse_match_state

GAME = load_builtin("hunl")


class Broken:
    """One connection of the bot."""

    def __init__(self, fault: str, dealer: socket.socket) -> None:
        self.fault = fault
        self.dealer = dealer
        self.hands: set[int] = set()

    def play(self) -> None:
        greeting = {"greets_late": b"", "old": b"VERSION:1.0.0\r\n", "hello": b"hello\r\n"}
        self.dealer.sendall(greeting.get(self.fault, b"VERSION:2.0.0\r\n"))
        for line in self.lines():
            self.take(line)

    def lines(self):
        """Yield lines without their ends."""
        rest = b""
        while data := self.dealer.recv(65536):
            if self.fault == "segments":  # takes all that comes for one line
                yield data.rstrip(b"\r\n")
                continue
            end = b"\r\n" if self.fault == "crlf_only" else b"\n"
            whole = (rest + data).split(end)
            rest = b"" if self.fault == "forgets_rest" else whole[-1]
            for line in whole[: None if self.fault == "forgets_rest" else -1]:
                if line:
                    yield line if self.fault == "keeps_cr" else line.rstrip(b"\r")

    def take(self, line: bytes) -> None:
        if line[:1] in b"#;" and self.fault != "no_comments":
            return
        if self.fault == "no_runs" and b"///" in line:
            raise ValueError(f"three slashes in {line!r}")
        if self.fault == "segments" and b"\n" in line:
            self.answer(line, b"c")
            return
        view = view_from_match_state(GAME, parse_match_state(line.rstrip(b"\r")))
        self.hands.add(view.hand_id)
        if self.fault == "counts_hands" and view.hand_id >= len(self.hands):
            raise ValueError(f"hand {view.hand_id} is out of order")
        if self.fault == "one_position" and view.position == 1:
            return
        if self.fault == "one_hole" and len([hole for hole in view.shown if hole]) > 1:
            raise ValueError("I have two hands of cards")
        if self.fault == "rash" or view.my_turn:
            self.act(line, view)

    def act(self, line: bytes, view: PlayerView) -> None:
        fault = self.fault
        if fault == "slow":
            time.sleep(0.15)
        if fault == "crash" and view.hand_id > 5:
            raise RuntimeError("out of ideas")
        if fault == "mute" and view.hand_id > 5:
            return
        action = b"c"
        if fault == "folds_free":
            action = b"f"
        elif fault == "raises_one":
            action = b"r1"
        elif fault == "raises_half" and view.can_raise:  # all-in where a full raise is more
            action = b"r%d" % (view.state.to_match + 100)
        elif fault == "garbage":
            action = b"?!"
        elif fault == "words":
            action = b"call"
        self.answer(line, action)
        if fault == "twice":
            self.answer(line, action)

    def answer(self, line: bytes, action: bytes) -> None:
        end = b"\n" if self.fault == "lf" else b"\r\n"
        if self.fault == "echo":
            line = line.replace(b"MATCHSTATE:", b"MATCHSTATE:0", 1)
            head, position, rest = line.split(b":", 2)
            line = b":".join((head, b"%d" % (1 - int(position)), rest))
        elif self.fault == "bare":
            self.dealer.sendall(action + end)
            return
        self.dealer.sendall(line + b":" + action + end)


def main() -> None:
    fault, host, port = sys.argv[1:]
    if fault == "never_connects":
        time.sleep(600)
    if fault == "dies":
        sys.exit("no model")
    try:
        dealer = socket.create_connection((host, int(port)), timeout=60)
    except OSError:
        if fault == "hangs_alone":
            time.sleep(600)
        raise
    dealer.settimeout(1.0 if fault == "impatient" else None)
    with dealer, contextlib.suppress(ConnectionError):  # a lost connection may be a reset one
        dealer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        Broken(fault, dealer).play()
    if fault == "stays":
        time.sleep(600)
    if fault == "child":
        subprocess.Popen(["sleep", "600"], start_new_session=True)
    if fault == "status":
        sys.exit(3)
    if fault == "abort":
        os.abort()


if __name__ == "__main__":
    main()
