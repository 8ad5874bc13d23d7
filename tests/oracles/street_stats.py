"""What players did street by street, counted the slow obvious way."""

from collections import defaultdict

from engine.rules.state import HandState
from protocol.betting import parse_betting


def count_streets(game, records):
    """Return {(player, street): {what: number}}, and the actions of each hand as tuples."""
    found = defaultdict(lambda: defaultdict(float))
    taken = []
    for record in records:
        state = HandState.start(game)
        actions = []
        for street in parse_betting(record.betting):
            for action in street:
                kind = {"r": "raises", "f": "folds"}.get(action.kind, "checks")
                if action.kind == "c" and state.to_match > state.spent[state.actor]:
                    kind = "calls"
                actions.append((state.actor, kind, state.street))
                state = state.apply(action)
        taken.append(actions)
        last = max((street for _, _, street in actions), default=0)
        for position, player in enumerate(record.names):
            own = [(kind, street) for actor, kind, street in actions if actor == position]
            for kind, street in own:
                found[player, street][kind] += 1
            gone = [street for kind, street in own if kind == "folds"]
            end, how = (gone[0], "folded") if gone else (last, "uncontested")
            if not gone and state.showdown:
                how = "shown_down"
            for street in range(end + 1):
                found[player, street]["reached"] += 1
            found[player, end][how] += 1
            found[player, end][f"{how} chips"] += float(record.values[position])
    return found, taken
