"""A bot that calls, and goes wrong where it is told to.  Standard library only: starts at once.

    python scripted_bot.py [--after N] [--then WHAT] HOST PORT

After N of its own answers it does WHAT instead of answering:
    exit[:STATUS]  end with a message on stderr     close   close the connection, linger a moment
    kill           be killed by SIGKILL             silent  never answer again
    garbage        an action nobody can read        noisy   call, with a line on stderr each time
"orphan" leaves a helper process behind and writes its id.
"""

import os
import signal
import socket
import subprocess
import sys
import time


def main() -> None:
    *words, host, port = sys.argv[1:]
    options = dict(zip(words[::2], words[1::2], strict=True))
    after = int(options.get("--after", "0"))
    then, _, argument = options.get("--then", "call").partition(":")
    if then == "orphan":
        helper = subprocess.Popen(["sleep", "600"])
        with open(argument, "a", encoding="ascii") as file:
            file.write(f"{helper.pid}\n")
    if then == "exit" and not after:
        stop(argument)
    with socket.create_connection((host, int(port)), timeout=60) as dealer:
        dealer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        dealer.sendall(b"VERSION:2.0.0\r\n")
        play(dealer, after, then, argument)


def play(dealer: socket.socket, after: int, then: str, argument: str) -> None:
    answers = 0
    with dealer.makefile("rb") as lines:
        for raw in lines:
            line = raw.rstrip(b"\r\n")
            if not my_turn(line):
                continue
            action = b"c"
            if answers >= after:
                if then == "exit":
                    stop(argument)
                elif then == "kill":
                    os.kill(os.getpid(), signal.SIGKILL)
                elif then == "close":
                    dealer.shutdown(socket.SHUT_RDWR)
                    time.sleep(0.2)
                    return
                elif then == "silent":
                    continue
                elif then == "garbage":
                    action = b"?"
                elif then == "noisy":
                    print("thinking", file=sys.stderr)
            answers += 1
            dealer.sendall(line + b":" + action + b"\r\n")


def stop(status: str) -> None:
    print("out of ideas", file=sys.stderr)
    raise SystemExit(int(status or "0"))


def my_turn(line: bytes) -> bool:
    """Whether this bot is asked, in heads-up reverse-blinds hold'em where everybody calls."""
    _, position, _, betting, cards = line.split(b":", 4)
    if all(cards.partition(b"/")[0].split(b"|")):
        return False  # showdown
    streets = betting.split(b"/")
    first = 1 if len(streets) == 1 else 0
    return (first + len(streets[-1])) % 2 == int(position)


if __name__ == "__main__":
    main()
