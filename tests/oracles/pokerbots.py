"""The rules of the pokerbots competitions, and an engine that asks two players in their lines.

Written from the description in `protocol.pokerbots` and of the public engines, without our rules.
"""

STACK, BLINDS = 400, (1, 2)
BOARD_CARDS = {0: 3, 3: 4, 4: 5}
"""Cards on the board -> on the next street."""


class Round:
    """The betting of one round; index 0 has the button."""

    def __init__(self):
        self.cards = 0
        self.turn = 0
        self.bets = list(BLINDS)
        self.stacks = [STACK - blind for blind in BLINDS]
        self.folded = None
        self.over = False

    @property
    def actor(self):
        """Who is to act."""
        return self.turn % 2

    def legal(self):
        """Return the letters of the legal actions."""
        cost = self.bets[1 - self.actor] - self.bets[self.actor]
        if cost == 0:
            return "KR" if all(self.stacks) else "K"
        raises = cost < self.stacks[self.actor] and self.stacks[1 - self.actor] > 0
        return "FCR" if raises else "FC"

    def bounds(self):
        """Return the least and the most that a bet of this street may be raised to."""
        mine, other = self.actor, 1 - self.actor
        cost = self.bets[other] - self.bets[mine]
        most = min(self.stacks[mine], self.stacks[other] + cost)
        least = min(most, cost + max(cost, BLINDS[1]))
        return self.bets[mine] + least, self.bets[mine] + most

    def act(self, letter, amount=0):
        """Take a legal action."""
        mine = self.actor
        if letter == "F":
            self.folded, self.over = mine, True
            return
        target = {"C": self.bets[1 - mine], "R": amount}.get(letter, self.bets[mine])
        self.stacks[mine] -= target - self.bets[mine]
        self.bets[mine] = target
        first_call = self.cards == 0 and self.turn == 0
        closes = (letter == "C" and not first_call) or (
            letter == "K" and (self.turn > 1 or (self.cards == 0 and self.turn > 0))
        )
        self.turn += 1
        if closes and self.cards == 5:
            self.over = True
        elif closes:
            self.cards, self.turn, self.bets = BOARD_CARDS[self.cards], 1, [0, 0]

    def delta(self, strengths):
        """Return the chips that index 0 wins, by the strengths of both hands."""
        if self.folded is None:
            if strengths[0] == strengths[1]:
                return (self.stacks[0] - self.stacks[1]) // 2
            loser = 0 if strengths[0] < strengths[1] else 1
        else:
            loser = self.folded
        paid = STACK - self.stacks[loser]
        return paid if loser else -paid


def play_round(holes, board, strengths, answer):
    """Play a round; return the queries of each index, without clocks.

    Args:
        holes: texts of each index's cards.
        board: texts of five cards.
        answer: takes the round, returns letter and amount of who is to act, which may be illegal.
    """
    state = Round()
    pending = [[f"P{index}", "H" + ",".join(holes[index])] for index in range(2)]
    queries = [[], []]
    while not state.over:
        actor = state.actor
        queries[actor].append(pending[actor])
        pending[actor] = []
        letter, amount = answer(state)
        least, most = state.bounds()
        if letter not in state.legal() or (letter == "R" and not least <= amount <= most):
            letter = "K" if "K" in state.legal() else "F"
        cards = state.cards
        state.act(letter, amount)
        clauses = [f"R{amount}" if letter == "R" else letter]
        if state.cards != cards:
            clauses.append("B" + ",".join(board[: state.cards]))
        for index in range(2):
            pending[index] += clauses
    delta = state.delta(strengths)
    for index in range(2):
        if state.folded is None:
            pending[index].append("O" + ",".join(holes[1 - index]))
        pending[index].append(f"D{-delta if index else delta}")
        queries[index].append(pending[index])
    return queries
