"""Obvious version of engine.equity.allin: settle the hand on every board, take the mean."""

from itertools import combinations

from tests.oracles.evaluator import strength
from tests.oracles.pots import payoffs


def allin_expectation(game, spent, folded, holes, board_known):
    """Return the mean payoff per position as exact fractions."""
    seen = {card for hole in holes for card in hole} | set(board_known)
    deck = [card for card in game.deck if card not in seen]
    totals = [0] * len(spent)
    boards = 0
    for rest in combinations(deck, sum(game.board_cards) - len(board_known)):
        ranked = [strength((*hole, *board_known, *rest)) for hole in holes]
        for position, value in enumerate(payoffs(spent, folded, ranked)):
            totals[position] += value
        boards += 1
    return [total / boards for total in totals]
