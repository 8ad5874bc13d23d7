"""A bot for pokerbots competitions: the engine starts it with the port where it waits.

    arena match pokerbots:pokerbots_bot rule --game pokerbots        (Python 3.9 or later)

Change decide() to make it yours.  As it stands it bets the pot with a pair or an ace, and calls
small bets with the rest.  docs/courses.md explains the lines.
"""

import socket
import sys
from typing import Any

STACK, SMALL_BLIND, BIG_BLIND = 400, 1, 2


def decide(hand: dict[str, Any]) -> str:
    """Return F, C, K, or R and the chips that this street's bet is raised to."""
    mine, opponents = hand["street"]
    cost, pot = opponents - mine, hand["pot"] + mine + opponents
    most = STACK - hand["pot"] // 2
    ranks = {card[0] for card in hand["hole"]}
    if ("A" in ranks or len(ranks) == 1) and opponents < most:
        return f"R{min(opponents + max(cost, BIG_BLIND, pot + cost), most)}"
    if cost == 0:
        return "K"
    return "C" if 2 * cost <= pot else "F"


def main() -> None:
    lines = socket.create_connection(("localhost", int(sys.argv[-1]))).makefile("rw")
    hand: dict[str, Any] = {}
    for line in lines:
        for clause in line.split():
            kind, text = clause[0], clause[1:]
            if kind == "P":  # a hand begins; index 0 has the small blind and acts first
                index = int(text)
                blinds = [BIG_BLIND, SMALL_BLIND] if index else [SMALL_BLIND, BIG_BLIND]
                hand = {"pot": 0, "street": blinds, "actor": index, "board": [], "over": False}
            elif kind == "H":
                hand["hole"] = text.split(",")
            elif kind in "FCKR":  # actor: 0 for me, 1 for the opponent
                actor = hand["actor"]
                if kind in "CR":
                    hand["street"][actor] = int(text) if text else hand["street"][1 - actor]
                hand["actor"] = 1 - actor
            elif kind == "B":  # a street begins; index 1 acts first
                hand["pot"] += sum(hand["street"])
                hand.update(street=[0, 0], actor=1 - index, board=text.split(","))
            elif kind == "D":  # chips won
                hand["over"] = True
            elif kind == "Q":
                return
        lines.write(("K" if hand["over"] else decide(hand)) + "\n")
        lines.flush()


if __name__ == "__main__":
    main()
