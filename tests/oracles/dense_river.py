"""A river solved hand against hand, in matrices: shares no code with the engine.

CFR+ with linear averaging, players in turn.  Hands are ranked by phevaluator, betting and rounding
of bets are written anew, and all 1081 hands of a player meet all of the other's.
"""

import numpy as np
from phevaluator import evaluate_cards

HANDS = [(high, low) for high in range(52) for low in range(high)]
BLIND = 100


def card_name(card):
    """Return a card as phevaluator reads it."""
    return "23456789TJQKA"[card // 4] + "cdhs"[card % 4]


def matched(table):
    """Return the strategy in proportion to positive numbers; uniform where there are none."""
    positive = np.maximum(table, 0)
    total = positive.sum(axis=0)
    return np.where(total > 0, positive / np.where(total > 0, total, 1), 1 / len(table))


class DenseRiver:
    """Values of the average strategies, in pots over the whole hand."""

    def __init__(self, board, pot, stack, ranges, first, later, most_raises=3):
        """Sizes are pot fractions, or inf for all-in; `first` is for the first bet."""
        self.pot, self.total = pot, pot // 2 + stack
        self.sizes = [first] + [later] * (most_raises - 1)
        self.live = [i for i, hand in enumerate(HANDS) if not set(hand) & set(board)]
        cards = np.array([HANDS[i] for i in self.live])
        names = [[card_name(card) for card in (*HANDS[i], *board)] for i in self.live]
        ranks = np.array([-evaluate_cards(*seven) for seven in names])
        clash = (cards[:, None, :, None] == cards[None, :, None, :]).any(axis=(2, 3))
        self.free = (~clash).astype(float)
        self.wins = np.sign(ranks[:, None] - ranks[None]) * self.free
        weights = np.asarray(ranges, float)[:, self.live]
        self.ranges = weights / weights.sum(axis=1, keepdims=True)
        self.met = [self.free @ self.ranges[1], self.free @ self.ranges[0]]
        self.root = self.decision(0, (pot // 2, pot // 2), BLIND, 0, opened=False)

    def decision(self, actor, spent, least, raises, opened):
        """Return the node where somebody acts: its actor, what is below, and its tables."""
        to, below = max(spent), []
        if spent[actor] < to:
            below.append({"folds": actor, "chips": spent[actor]})
        if opened:
            below.append({"chips": to})
        else:
            below.append(self.decision(1 - actor, spent, least, raises, opened=True))
        if raises < len(self.sizes) and to < self.total:
            low = min(to + least, self.total)
            wanted = {
                self.total if size == np.inf else max(low, to + round(size * 2 * to))
                for size in self.sizes[raises]
            }
            for bet in sorted({min(bet, self.total) for bet in wanted}):
                put = (bet, spent[1]) if actor == 0 else (spent[0], bet)
                after = max(least, bet - to)
                below.append(self.decision(1 - actor, put, after, raises + 1, opened=True))
        zeros = np.zeros((len(below), len(self.live)))
        return {"actor": actor, "below": below, "regret": zeros, "sum": zeros.copy()}

    def iterate(self, iteration):
        """Run one iteration."""
        for player in (0, 1):
            self.walk(player, lambda node: matched(node["regret"]), iteration)

    def walk(self, player, strategy, iteration=0, best=False):
        """Return counterfactual values of the player's hands; learn where an iteration is named."""
        ends = []
        self.reach(
            self.root, player, strategy, self.ranges[1 - player], np.ones(1), ends, iteration
        )
        reached = np.stack([reach for _, reach in ends], axis=1)
        chips = np.array([end["chips"] for end, _ in ends], float)
        folds = np.array(["folds" in end for end, _ in ends])
        signs = np.array([-1.0 if end.get("folds") == player else 1.0 for end, _ in ends])
        worth = np.where(folds, self.free @ reached * signs, self.wins @ reached) * chips
        for number, (end, _) in enumerate(ends):
            end["worth"] = worth[:, number]
        return self.back(self.root, player, strategy, iteration, best)

    def reach(self, node, player, strategy, other, own, ends, iteration):
        """Collect the ends with the other player's reach; add to the player's average."""
        if "below" not in node:
            ends.append((node, other))
            return
        shares = strategy(node)
        mine = node["actor"] == player
        if mine and iteration:
            node["sum"] += iteration * own * shares
        for below, share in zip(node["below"], shares, strict=True):
            pair = (other, own * share) if mine else (other * share, own)
            self.reach(below, player, strategy, *pair, ends, iteration)

    def back(self, node, player, strategy, iteration, best):
        """Return the values of a node, and learn on the way."""
        if "below" not in node:
            return node["worth"]
        args = player, strategy, iteration, best
        values = np.stack([self.back(below, *args) for below in node["below"]])
        if node["actor"] != player:
            return values.sum(axis=0)
        if best:
            return values.max(axis=0)
        total = (strategy(node) * values).sum(axis=0)
        if iteration:
            node["regret"] = np.maximum(node["regret"] + values - total, 0)
        return total

    def values(self, best=False):
        """Return (2, 1326) pots of the average strategies, or of best responses to them."""
        found = np.zeros((2, len(HANDS)))
        for player in (0, 1):
            won = self.walk(player, lambda node: matched(node["sum"]), best=best)
            found[player, self.live] = won / self.met[player] / self.pot
        return found

    def weights(self):
        """Return (2, 1326) how likely each hand is, given that two hands are dealt."""
        found = np.zeros((2, len(HANDS)))
        found[:, self.live] = self.ranges * self.met
        return found / found.sum(axis=1, keepdims=True)

    def exploitability(self):
        """Return the mean of what both best responses win, pots."""
        return float((self.weights() * self.values(best=True)).sum() / 2)
