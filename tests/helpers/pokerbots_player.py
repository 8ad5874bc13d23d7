"""A bot of pokerbots competitions that holds what it is sent against their rules, clause by clause.

As the skeletons' it follows the round from the clauses alone, and ends with an error where a clause
or a question does not fit.  It plays at random, and prints its bankroll and rounds at the end.
"""

import socket
import sys

from tests.oracles.pokerbots import BOARD_CARDS, STACK, Round


class Player:
    """Follows the rounds of a game."""

    def __init__(self, seed):
        self.draws = seed
        self.bankroll = self.rounds = self.run_outs = 0
        self.index = None
        self.round = None
        self.over = True
        self.shown = False
        self.clock = float("inf")

    def take(self, clause):
        """Follow one clause but Q."""
        kind, text = clause[0], clause[1:]
        if kind == "T":
            assert float(text) <= self.clock
            self.clock = float(text)
        elif kind == "P":
            assert self.over
            assert self.index in (None, 1 - int(text))  # seats are swapped
            self.index = int(text)
        elif kind == "H":
            assert len(text.split(",")) == 2
            self.round, self.over, self.shown, self.board = Round(), False, False, 0
        elif kind in "FCK":
            assert kind in self.round.legal()
            self.round.act(kind)
        elif kind == "R":
            least, most = self.round.bounds()
            assert "R" in self.round.legal()
            assert least <= int(text) <= most
            self.round.act(kind, int(text))
        elif kind == "B":
            self.board = len(text.split(","))
            assert self.board == self.round.cards in BOARD_CARDS.values()
        elif kind == "O":
            assert self.round.over
            self.shown = True
        else:
            assert kind == "D"
            self.take_delta(int(text))

    def take_delta(self, delta):
        """Follow the end of a round."""
        self.over = True
        self.rounds += 1
        self.bankroll += delta
        assert self.round.over
        assert self.shown == (self.round.folded is None)
        assert abs(delta) in (0, STACK - max(self.round.stacks))

    def answer(self):
        """Return the answer to a question, a legal one."""
        if self.over:
            return "K"
        assert self.round.actor == self.index
        assert self.board == self.round.cards
        if not any(self.round.stacks):
            self.run_outs += 1
        legal = self.round.legal()
        letter = legal[self.below(len(legal))]
        if letter == "F" and self.below(5):
            letter = "C"
        if letter != "R":
            return letter
        least, most = self.round.bounds()
        return f"R{(least, least, most, least + self.below(most - least + 1))[self.below(4)]}"

    def below(self, limit):
        """Return a random number, 0 or more."""
        self.draws = (self.draws * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.draws >> 33) % limit


def main():
    """Play until the game is over."""
    player = Player(1)
    lines = socket.create_connection(("localhost", int(sys.argv[-1]))).makefile("rw")
    for line in lines:
        if line == "Q\n":
            break
        clauses = line.removesuffix("\n").split(" ")
        assert clauses[0][0] == "T"
        for clause in clauses:
            player.take(clause)
        lines.write(player.answer() + "\n")
        lines.flush()
    print("END", player.bankroll, player.rounds, player.run_outs)


if __name__ == "__main__":
    main()
