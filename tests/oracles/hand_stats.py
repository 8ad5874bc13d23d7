"""Statistics of logged hands, counted the slow obvious way."""

from collections import defaultdict

from engine.equity.allin import allin_expectation, closing_street, is_allin_before_last_street
from engine.rules.state import HandState
from engine.showdown.evaluator import strength
from protocol.betting import parse_betting
from protocol.matchstate import parse_card_text


def count_hands(game, records):
    """Return {(player, position): {what: number}}, money in big blinds."""
    found = defaultdict(lambda: defaultdict(float))
    for record in records:
        state = HandState.start(game)
        actions = []
        for street in parse_betting(record.betting):
            for action in street:
                kind = action.kind
                if kind == "c":
                    kind = "call" if state.to_match > state.spent[state.actor] else "check"
                actions.append((state.street, state.actor, kind))
                state = state.apply(action)
        cards = parse_card_text(record.cards, game)
        won = [float(value) for value in record.values]
        expected = won
        if is_allin_before_last_street(state):
            known = cards.board[: game.board_seen(closing_street(state))]
            expected = allin_expectation(game, state.spent, state.folded, cards.holes, known)
        for position, player in enumerate(record.names):
            line = found[player, position]
            mine = [(street, kind) for street, actor, kind in actions if actor == position]
            first = [kind for street, kind in mine if street == 0]
            later = [kind for street, kind in mine if street > 0 or game.streets == 1]
            line["hands"] += 1
            line["won"] += won[position] > 0
            line["decisions"] += bool(first)
            line["voluntary"] += "call" in first or "r" in first
            line["first raises"] += "r" in first
            line["raises"] += later.count("r")
            line["calls"] += later.count("call")
            line["checks"] += later.count("check")
            line["folds"] += later.count("f")
            line["second street"] += game.streets == 1 or (state.street > 0 and "f" not in first)
            shows = state.showdown and not state.folded[position]
            line["showdowns"] += shows
            line["showdowns won"] += shows and _takes_part_of_a_pot(state, cards, position)
            line["raw"] += won[position] / game.big_blind
            line["raw squares"] += (won[position] / game.big_blind) ** 2
            shown = won[position] / game.big_blind if shows else 0.0
            line["shown"] += shown
            line["shown squares"] += shown**2
            line["expected"] += expected[position] / game.big_blind
            line["expected squares"] += (expected[position] / game.big_blind) ** 2
    return found


def _takes_part_of_a_pot(state, cards, position):
    """Return whether the position is best among those who contest some level with it."""
    mine = strength((*cards.holes[position], *cards.board))
    for level in sorted(set(state.spent)):
        if level > state.spent[position]:
            break
        contributors = [p for p, chips in enumerate(state.spent) if chips >= level > 0]
        if len(contributors) < 2:
            continue
        contesting = [p for p in contributors if not state.folded[p]]
        best = max(strength((*cards.holes[p], *cards.board)) for p in contesting)
        if mine == best:
            return True
    return False
