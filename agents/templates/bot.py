"""A poker bot in one Python file, for any dealer that speaks the ACPC protocol 2.0.0.

    python3 bot.py [-g GAME_FILE] [-s SEED] HOST PORT

Standard library only.  Change `decide` to make it yours; everything else can stay.  As it stands
the bot plays at random: it folds 6 % of the time, calls 47 % and raises 47 % by any legal size.
Without -g it plays heads-up no-limit hold'em; with -g the game that the file defines.  Without -s
the seed is what arena match puts into the environment as ARENA_BOT_SEED, else a new one.
"""

import argparse
import os
import random
import re
import socket

GAME: dict[str, list[int]] = {
    "nolimit": [1],
    "numplayers": [2],
    "numrounds": [4],
    "stack": [20000, 20000],  # chips by position, like the blinds
    "blind": [100, 50],
    "raisesize": [],  # chips by street, in limit games
    "firstplayer": [2, 1, 1, 1],  # by street, positions counted from 1
    "maxraises": [],
}


class Hand:
    """What one message says: the cards we may see and the betting, replayed."""

    def __init__(self, game: dict[str, list[int]], line: str) -> None:
        _, position, number, betting, self.cards = line.split(":")
        self.number = int(number)
        self.position = int(position)  # our place relative to the button, from 0
        self.game = game
        self.stack = game["stack"]
        self.spent = list(game["blind"])  # chips put in over the whole hand, by position
        self.folded = [False] * len(self.spent)
        self.to_match = max(self.spent)  # chips it takes to stay in
        self.raise_range: tuple[int, int] | None = None  # legal totals for a raise
        self._smallest = 2 * self.to_match or 1
        self._start_street(0)
        for action in re.findall(r"[fc]|r\d*", betting):
            self._apply(action)
        self._find_raises()

    def _start_street(self, street: int) -> None:
        self.street = street
        self._raises = self._actions = self._settled = 0
        self.actor = self._next_to_act(self.game["firstplayer"][street] - 1)  # -1: hand over

    def _able(self, position: int) -> bool:
        return not self.folded[position] and self.spent[position] < self.stack[position]

    def _next_to_act(self, position: int) -> int:
        players = len(self.spent)
        order = [(position + step) % players for step in range(players)]
        return next((candidate for candidate in order if self._able(candidate)), -1)

    def _apply(self, action: str) -> None:
        actor = self.actor
        if action == "f":
            self.folded[actor] = True
        elif action == "c":
            self.spent[actor] = min(self.to_match, self.stack[actor])
            self._settled += self._able(actor)
        else:
            if self.game["nolimit"]:
                raised = int(action[1:])
                self._smallest = max(self._smallest, 2 * raised - self.to_match)
            else:
                raised = self.to_match + self.game["raisesize"][self.street]
            self.spent[actor] = self.to_match = min(raised, self.stack[actor])
            self._settled = int(self._able(actor))
            self._raises += 1
        self._actions += 1
        able = sum(map(self._able, range(len(self.spent))))
        if self.folded.count(False) == 1:
            self.actor = -1
        elif self._settled < able:
            self.actor = self._next_to_act(actor + 1)
        elif able > 1 and self.street + 1 < self.game["numrounds"][0]:
            self._smallest = self.to_match + max(*self.game["blind"], 1)
            self._start_street(self.street + 1)
        else:
            self.actor = -1

    def _find_raises(self) -> None:
        caps = self.game["maxraises"]
        players = len(self.spent)
        if self.actor < 0 or sum(map(self._able, range(players))) < 2:
            return
        if self.street < len(caps) and self._raises >= caps[self.street]:
            return
        if self.stack[self.actor] > self.to_match and self._actions + players <= 64:
            self.raise_range = min(self._smallest, self.stack[self.actor]), self.stack[self.actor]


def decide(hand: Hand) -> str:
    """Return "f", "c", "r" (limit) or "r<total chips>" (no-limit)."""
    fold = 0.06 if hand.to_match > hand.spent[hand.position] else 0.0
    raising = 0.47 if hand.raise_range else 0.0
    pick = random.choices("fcr", [fold, 0.47, raising])[0]
    if pick == "r" and hand.raise_range and hand.game["nolimit"]:
        return f"r{random.randint(*hand.raise_range)}"
    return pick


def read_game(path: str) -> dict[str, list[int]]:
    """Read a game file: lines of "key = number number ..."; unknown keys do not matter here."""
    game: dict[str, list[int]] = {key: [] for key in GAME}
    with open(path, encoding="ascii") as file:
        for line in file:
            for key in GAME:
                if line.lower().startswith(key):
                    game[key] = [int(number) for number in re.findall(r"\d+", line)] or [1]
    players, streets = game["numplayers"][0], game["numrounds"][0]
    game["blind"] = game["blind"][:players]
    game["stack"] = (game["stack"] or [2**31 - 1] * players)[:players]
    game["firstplayer"] += [1] * (streets - len(game["firstplayer"]))
    return game


def main() -> None:
    """Connect, say the version, answer until the dealer closes."""
    parser = argparse.ArgumentParser(description="Play poker at an ACPC dealer.")
    parser.add_argument("-g", metavar="GAME_FILE", dest="game", help="default: heads-up no-limit")
    parser.add_argument("-s", metavar="SEED", dest="seed", type=int, help="default: a new one")
    parser.add_argument("host")
    parser.add_argument("port", type=int)
    options = parser.parse_args()
    seed = os.environ.get("ARENA_BOT_SEED") if options.seed is None else options.seed
    game = read_game(options.game) if options.game else GAME
    with socket.create_connection((options.host, options.port)) as dealer:
        dealer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        dealer.sendall(b"VERSION:2.0.0\r\n")
        for raw in dealer.makefile("rb"):
            line = raw.decode("ascii").rstrip("\r\n")
            if line.startswith(("#", ";")):
                continue
            hand = Hand(game, line)
            if hand.actor == hand.position:
                if seed is not None:  # by hand and betting: started again it plays as it would have
                    random.seed(f"{seed} {hand.number} {len(line) - len(hand.cards)}")
                dealer.sendall(f"{line}:{decide(hand)}\r\n".encode("ascii"))


if __name__ == "__main__":
    main()
