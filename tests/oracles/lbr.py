"""Obvious versions of engine.evaluation.lbr and lbr_hand: hand by hand, board by board, no formula.

An opponent is a function from a state, the board seen and a combo to {action: probability}.
Chips are net over the whole hand, so an action's U is its value less that of giving up the chips
already put in.
"""

from functools import cache
from itertools import combinations

from engine.hands.cards import COMBO_CARDS
from protocol.actions import FOLD
from tests.oracles.evaluator import strength
from tests.oracles.pots import payoffs


def cards_of(combo):
    """Return the two cards of a combo."""
    return tuple(int(card) for card in COMBO_CARDS[combo])


@cache
def rank(cards):
    """Return the strength of some cards."""
    return strength(cards)


def showdown(spent, player, hole, other, known):
    """Return a player's mean net chips over all full boards that start with `known`."""
    dead = {*hole, *other, *known}
    deck = [card for card in range(52) if card not in dead]
    hands = [hole, other] if player == 0 else [other, hole]
    total, boards = 0, 0
    for rest in combinations(deck, 5 - len(known)):
        ranked = [rank(tuple(sorted((*hand, *known, *rest)))) for hand in hands]
        total += payoffs(spent, (False, False), ranked)[player]
        boards += 1
    return float(total / boards)


def value_of(state, action, board, hole, weights, opponent):
    """Return U of one of LBR's actions: the opponent folds or calls it, then both check."""
    player = state.actor
    if action == FOLD:
        return 0.0
    after = state.apply(action)
    called = [min(after.to_match, stack) for stack in after.game.stacks]
    mean, total = 0.0, 0.0
    for combo, weight in weights.items():
        folds = opponent(after, board, combo).get(FOLD, 0.0) if action.kind == "r" else 0.0
        won = folds * state.spent[1 - player]
        if folds < 1:
            won += (1 - folds) * showdown(called, player, hole, cards_of(combo), board)
        mean += weight * won
        total += weight
    return mean / total + state.spent[player]


def expected(state, player, board, hole, weights, opponent, act):
    """Return the player's net chips, summed over the opponent's combos times their weights.

    Args:
        state: where the hand stands.
        player: LBR, or whoever it is.
        board: the cards seen; the next street's are dealt one by one.
        hole: the player's cards.
        weights: {combo: weight}, none of them blocked.
        opponent: see above.
        act: from a state, the board, {combo: weight} and a function from an action to its value,
            what the player makes of them: the value of the action it takes.
    """

    def go_on(action, kept):
        return expected(state.apply(action), player, board, hole, kept, opponent, act)

    if state.over:
        return sum(
            weight * settled(state, player, board, hole, cards_of(combo))
            for combo, weight in weights.items()
        )
    if state.game.board_seen(state.street) > len(board):
        total = 0.0
        for card in set(range(52)) - {*hole, *board}:
            kept = {
                combo: weight / (48 - len(board))
                for combo, weight in weights.items()
                if card not in cards_of(combo)
            }
            if kept:
                total += expected(state, player, (*board, card), hole, kept, opponent, act)
        return total
    if state.actor == player:
        return act(state, board, weights, lambda action: go_on(action, weights))
    shares = {combo: opponent(state, board, combo) for combo in weights}
    total = 0.0
    for action in {action for share in shares.values() for action in share}:
        kept = {c: w * shares[c].get(action, 0.0) for c, w in weights.items()}
        kept = {combo: weight for combo, weight in kept.items() if weight > 0}
        if kept:
            total += go_on(action, kept)
    return total


def settled(state, player, board, hole, other):
    """Return a player's net chips in a finished hand, on the mean over what may still come."""
    if state.showdown:
        return showdown(state.spent, player, hole, other, board)
    return float(payoffs(state.spent, state.folded, None)[player])
