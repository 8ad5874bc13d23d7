"""Obvious versions of engine.equity.equity and potential, with somebody else's evaluator."""

from itertools import combinations

from phevaluator import evaluate_cards


def compare(first, second, board):
    """Return 0 if the first of two hands is ahead, 1 if they tie, 2 if it is behind."""
    mine, other = evaluate_cards(*first, *board), evaluate_cards(*second, *board)  # 1 is best
    return 0 if mine < other else 1 if mine == other else 2


def runouts(board, size, known):
    """Yield every board of some size that holds the given cards and none of the known ones."""
    deck = [card for card in range(52) if card not in board and card not in known]
    for rest in combinations(deck, size - len(board)):
        yield *board, *rest


def hand_against_hand(first, second, board):
    """Return on how many boards the first hand wins, ties and loses."""
    counts = [0, 0, 0]
    for final in runouts(board, 5, (*first, *second)):
        counts[compare(first, second, final)] += 1
    return counts


def range_against_range(first, second, board):
    """Return the weight of the deals that the first range wins, ties and loses.

    Ranges are lists of (hole cards, weight).
    """
    totals = [0, 0, 0]
    for mine, weight in first:
        for other, other_weight in second:
            if len({*mine, *other, *board}) == 4 + len(board):
                for result, count in enumerate(hand_against_hand(mine, other, board)):
                    totals[result] += weight * other_weight * count
    return totals


def pot_shares(holes, board):
    """Return the mean share of the pot of each of some hands."""
    shares = [0.0] * len(holes)
    boards = list(runouts(board, 5, [card for hole in holes for card in hole]))
    for final in boards:
        ranks = [evaluate_cards(*hole, *final) for hole in holes]
        winners = [p for p, rank in enumerate(ranks) if rank == min(ranks)]
        for p in winners:
            shares[p] += 1 / len(winners)
    return [share / len(boards) for share in shares]


def transitions(hole, board, range_, cards_ahead):
    """Return Papp's 3 x 3 matrix: weight by who is ahead now and who is some cards later."""
    matrix = [[0, 0, 0] for _ in range(3)]
    for other, weight in range_:
        if len({*hole, *other, *board}) < 4 + len(board):
            continue
        now = compare(hole, other, board)
        for later in runouts(board, len(board) + cards_ahead, (*hole, *other)):
            matrix[now][compare(hole, other, later)] += weight
    return matrix
