"""A look ahead in plain Python: rates from whole hands, stacks in PyTorch, values as written."""

import math

import torch

from engine.equity.equity_tables import equity
from protocol.actions import CALL, FOLD, raise_to
from tests.oracles.pattern_trees import Counts, move_of
from tests.oracles.recurrent_net import TorchNet

POTS = (0.06, 0.25, 0.5, 1, 1.6, 3, 6)


class SlowLookahead:
    """One decision after the other, from the Counts of all hands before."""

    def __init__(self, shape, genome):
        """Cut the genome."""
        self.shape = shape
        self.net = TorchNet(shape, genome, torch.float64)
        (hidden,) = shape.head
        inputs = shape.opponent.outputs + shape.game.outputs
        rest = torch.tensor(genome[-(inputs * hidden + hidden + hidden * 2 + 2) :]).double()
        self.first, rest = rest[: inputs * hidden].reshape(inputs, hidden), rest[inputs * hidden :]
        self.first_bias, rest = rest[:hidden], rest[hidden:]
        self.last, self.last_bias = rest[: 2 * hidden].reshape(hidden, 2), rest[2 * hidden :]

    def trusts(self, steps):
        """Return a of both estimators after some steps, of which each has ten inputs."""
        state = torch.zeros(1, self.shape.state, dtype=torch.float64)
        for wins, folds in steps:
            told = [torch.tensor([part], dtype=torch.float64) for part in (wins, folds)]
            _, state = self.net.forward(*told, state)
        kept, seen, given = (
            self.shape.opponent.state, self.shape.opponent.outputs, self.shape.game.outputs,
        )  # fmt: skip
        x = torch.zeros(2, seen + given, dtype=torch.float64)
        x[0, :seen] = state[0, kept - 2 * seen : kept - seen]
        x[1, seen:] = state[0, len(state[0]) - 2 * given : len(state[0]) - given]
        scores = torch.tanh(x @ self.first + self.first_bias) @ self.last + self.last_bias
        return [max((1 + math.tanh(scores[one, one])) / 2, 0.01) for one in range(2)]

    def values(self, nodes, button, streets, state, hole, board):
        """Return {action: value} after the flop, whose rules before it are the test's own.

        nodes: Counts by (button, street, moves).  streets: the moves on each so far.
        """
        pot, spent = state.pot, state.spent[state.actor]
        to_call, stack = state.to_call, state.game.stacks[0]
        seen = board[: state.game.board_seen(state.street)]
        strength = equity(hole, seen)
        steps, rates, raises = self.steps(nodes, button, streets)
        trust = self.trusts(steps)[0]
        found = {FOLD: -spent} if to_call else {}
        odds = to_call / (pot + to_call)
        wins = won(strength, trust, odds)
        value = (2 * wins - 1) * (pot + to_call) / 2
        if not streets[-1]:
            behind = nodes.get((button, state.street, (1,)), Counts())
            bets = [behind.actions[2 + one] for one in range(7)]
            chance = (10 / 3 + sum(bets)) / (10 + sum(behind.actions.values()))
            size = 10 / 4 + sum(pots * bet for pots, bet in zip(POTS, bets, strict=True))
            size /= 10 / 3 + sum(bets)
            called = (2 * wins - 1) * pot * (0.5 + size)
            bet = called if wins > size / (2 * size + 1) else -pot / 2
            value = (1 - chance) * (2 * wins - 1) * pot / 2 + chance * bet
        found[CALL] = value
        legal = state.raise_range()
        on_river = state.street == 3
        if legal is None or (not on_river and sum(move > 1 for move in streets[-1]) >= 4):
            return found
        sizes = [
            min(max(state.to_match + int(part * (pot + to_call)), legal[0]), legal[1])
            for part in (0.5, 1)
        ]
        if on_river or sizes[1] > stack / 2:
            sizes.append(legal[1])
        for chips in sizes:
            adds, asks = chips - spent, chips - state.to_match
            odds = asks / (pot + adds + asks)
            move = move_of(state, raise_to(chips))
            child = nodes.get((button, state.street, (*streets[-1], move)), Counts())
            last = self.step(child, settled(child, rates), 0, raises + 1)
            base = min(odds * (1 + len(seen) / 10), 0.95)
            decided = sum(child.actions.values())
            if decided:
                base += (child.actions[0] / decided - base) * min(decided / 10, 1)
            folds = base ** self.trusts([*steps, last])[1]
            wins = won(strength, trust, odds)
            value = folds * (pot + to_call) / 2 + (1 - folds) * (2 * wins - 1) * chips
            found.setdefault(raise_to(chips), value)
        return found

    def steps(self, nodes, button, streets):
        """Return what the stacks see, the rates of the last node, and the raises on its street."""
        walk = []
        for street, moves in enumerate(streets):
            own, rates = [], (1 / 3, 1 / 3, 0.5)
            upto = len(moves) + 1 if street == len(streets) - 1 else len(moves)
            for depth in range(upto):
                counts = nodes.get((button, street, moves[:depth]), Counts())
                rates = settled(counts, rates)
                own.append((counts, rates, sum(move > 1 for move in moves[:depth])))
            walk += own if street == len(streets) - 1 else own[-1:]
        steps = [
            self.step(counts, rates, len(walk) - 1 - at, raises)
            for at, (counts, rates, raises) in enumerate(walk)
        ]
        return steps, walk[-1][1], walk[-1][2]

    def step(self, counts, rates, behind, raises):
        """Return the ten inputs of a node."""
        folds, shown, strength = rates
        around = 10 / 12
        if counts.showdowns:
            around += max(counts.squares - counts.strength**2 / counts.showdowns, 0)
        spread = math.sqrt(around / (counts.showdowns + 10))
        wins = (shown, max(1 - folds - shown, 0), strength, spread / 0.5)
        wins += math.tanh(0.1 * counts.visits), math.tanh(0.2 * counts.showdowns)
        told = (folds, math.tanh(0.1 * counts.visits), 1 / (1 + behind), math.tanh(raises))
        return [2 * one - 1 for one in wins], [2 * one - 1 for one in told]


def settled(counts, rates):
    """Return fold rate, showdown rate and strength, drawn to those of the node above."""
    return (
        (counts.folds + 10 * rates[0]) / (counts.visits + 10),
        (counts.showdowns + 10 * rates[1]) / (counts.visits + 10),
        (counts.strength + 10 * rates[2]) / (counts.showdowns + 10),
    )


def won(strength, trust, odds):
    """Return the win rate."""
    if strength < math.sqrt(odds):
        return 0
    return (1 - (1 - strength) / (1 - odds)) ** (1 / trust)
