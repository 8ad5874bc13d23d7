"""A program with the dealer's command line and files that plays no poker: it does as it is told.

    python fake_dealer.py WHAT MATCH GAMEDEF HANDS SEED NAME... [options]

WHAT is one of
    finish            log all hands that the log lacks (1 chip to the first name each) and the
                      score, end well
    silent            say no ports and wait
    fail              complain and end with status 1 before saying ports
    vanish            say the ports, be killed by SIGKILL
    ENDING:SEAT       say the ports, wait a moment, report that ending by that seat (0: nobody)
    wait              say the ports, wait for SIGINT, report "interrupted"
    tell              the same; on its board, somebody is waited for
    stubborn          say the ports, ignore SIGINT
"""

import json
import os
import signal
import sys
import time


def main() -> int:
    what, match, game, hands, seed, *rest = sys.argv[1:]
    seed = os.environ[seed.removeprefix("env:")]
    names = rest[: next(i for i, word in enumerate(rest) if word.startswith("-"))]
    summary = rest[rest.index("--summary") + 1]
    if what in ("wait", "tell"):
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    signal.signal(signal.SIGINT, signal.SIG_IGN if what == "stubborn" else interrupted)
    if what == "fail":
        print("ERROR: could not open log file", file=sys.stderr)
        return 1
    if what == "silent":
        time.sleep(600)
    print(*range(1, len(names) + 1), flush=True)
    if what == "vanish":
        os.kill(os.getpid(), signal.SIGKILL)
    if what == "tell":
        wait = {"who": "B (seat 2, port 2)", "what": "to act in hand 3", "since": time.monotonic()}
        wait |= {"until": None, "limit": "--t_hand", "in_play": True}
        os.pwrite(int(rest[rest.index("--waits") + 1]), json.dumps(wait).encode(), 0)
    if what in ("wait", "tell"):
        signal.sigwait({signal.SIGINT})
        return report(summary, "interrupted", 0, names, 130)
    if what == "stubborn":
        time.sleep(600)
    if what == "finish":
        with open(f"{match}.log", "a+", encoding="ascii") as log:
            log.seek(0)
            played = log.read().count("STATE:")
            log.write(f"# name/game/hands/seed {match} {game} {hands} {seed}\n")
            for hand in range(played, int(hands)):
                by_position = names[hand % 2 :] + names[: hand % 2]
                values = "|".join("1" if name == names[0] else "-1" for name in by_position)
                log.write(f"STATE:{hand}:rf:3d2d|AcKc:{values}:{'|'.join(by_position)}\n")
            log.write(f"SCORE:{hands}|-{hands}:{'|'.join(names)}\n")
        return report(summary, "finished", 0, names, 0)
    ending, _, seat = what.partition(":")
    time.sleep(0.1)
    return report(summary, ending, int(seat), names, 1)


def interrupted(*_: object) -> None:
    raise KeyboardInterrupt


def report(path: str, ending: str, seat: int, names: list[str], status: int) -> int:
    document = {
        "ending": ending,
        "seat": seat or None,
        "detail": f"it was {ending}",
        "warnings": [{"ignored: stale": 2}, *({} for _ in names[1:])],
    }
    with open(path, "w", encoding="ascii") as file:
        json.dump(document, file)
    return status


if __name__ == "__main__":
    sys.exit(main())
