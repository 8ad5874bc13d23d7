"""ASHE in plain Python: eight inputs, the network in PyTorch, and chips worth putting in."""

import torch

from engine.equity.equity_tables import equity
from protocol.actions import Action
from tests.oracles.recurrent_net import TorchNet

INPUTS = 8


def inputs_of(state, hole, board):
    """Return what the network is told of a hand, from its rules."""
    game, me = state.game, state.actor
    stack, pot = game.stacks[me], sum(state.spent)
    missing = min(state.to_match, stack) - state.spent[me]
    return [
        *(float(state.street == street) for street in range(4)),
        4 * equity(hole, board[: game.board_seen(state.street)]) - 2,
        2 * state.spent[1 - me] / stack - 1,
        2 * state.spent[me] / stack - 1,
        4 * missing / (pot + missing) - 1,
    ]


def answer_to(state, ready):
    """Return the action of somebody who would add so many chips."""
    spent = state.spent[state.actor]
    missing = min(state.to_match, state.game.stacks[state.actor]) - spent
    legal = state.raise_range()
    if ready < missing:
        return Action("f")
    if legal is None or spent + ready < legal[0]:
        return Action("c")
    wanted = spent + round(ready / 100) * 100
    return Action("r", min(max(wanted, legal[0]), legal[1]))


class SlowAshe:
    """One player over one seating of a match."""

    def __init__(self, shape, genome, game_anew, opponent_anew):
        """Begin a match."""
        self.net = TorchNet(shape, genome, torch.float64)
        self.kept = shape.opponent.state
        self.state = torch.zeros(1, shape.state, dtype=torch.float64)
        self.anew = {"opponent": opponent_anew, "game": game_anew}
        self.seen = None

    def begin_hand(self):
        """Forget what the stacks forget."""
        if self.anew["opponent"]:
            self.state[:, : self.kept] = 0
        if self.anew["game"]:
            self.state[:, self.kept :] = 0

    def ready(self, state, hole, board):
        """Return how many chips the player would add."""
        self.seen = inputs_of(state, hole, board)
        told = torch.tensor([self.seen], dtype=torch.float64)
        score, self.state = self.net.forward(told, told, self.state)
        left = state.game.stacks[state.actor] - state.spent[state.actor]
        return float(torch.tanh(score)) * left / 2 + left / 2
