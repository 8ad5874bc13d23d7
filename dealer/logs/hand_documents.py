"""Hands as JSON, an object a line, for programs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from engine.handlogs.hand_check import check_hand
from engine.handlogs.positions import position_names
from engine.rules.pots import called
from protocol.cards import format_cards

if TYPE_CHECKING:
    from dealer.logs.log_hands import LoggedHand
    from engine.rules.state import HandState

_WORDS: Final = {"f": "fold", "c": "call", "r": "raise"}


def hand_as_json(hand: LoggedHand) -> str:
    """Return a hand as one line of JSON.

    Chips are numbers, players stand by position and are pointed to by it; "to" is the total that a
    player has put in over the hand after a call or raise.  What breaks the rules has its "faults",
    and no actions where the betting is not legal.
    """
    game, record = hand.game, hand.record
    report = check_hand(game, record, hidden=True)
    places = position_names(game)
    players: list[dict[str, Any]] = []
    for position, (name, won) in enumerate(zip(record.names, record.values, strict=True)):
        one: dict[str, Any] = {"name": name, "won": float(won)}
        if position < game.players:
            one |= {
                "position": places[position],
                "stack": game.stacks[position],
                "blind": game.blinds[position],
            }
        if report.cards is not None:
            one["cards"] = format_cards(report.cards.holes[position])
        players.append(one)
    document: dict[str, Any] = {
        "log": str(hand.log),
        "line": hand.line,
        "hand": record.hand_id,
        "players": players,
        "betting": record.betting,
        "cards": record.cards,
    }
    if report.cards is not None:
        document["board"] = format_cards(report.cards.board)
    if report.state is not None:
        document |= {
            "actions": _actions(report.state),
            "street": report.state.street,
            "pot": called(report.state.spent),
            "showdown": report.state.showdown,
        }
    if report.faults:
        document["faults"] = list(report.faults)
    return json.dumps(document)


def _actions(end: HandState) -> list[dict[str, Any]]:
    return [
        {
            "street": before.street,
            "player": before.actor,
            "action": _WORDS[action.kind],
            "to": after.spent[before.actor],
            "pot": before.pot,
        }
        for before, action, after in end.steps()
    ]
