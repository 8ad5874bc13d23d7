"""Hands as JSON, an object a line, and the game of a log, for the page that shows hands."""

from __future__ import annotations

import json
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from engine.console.output import tell_once
from engine.handlogs.source.log_games import FoundGame, find_log_game
from engine.handlogs.source.log_hands import readable
from engine.handlogs.source.opening import lines_in, log_blocks
from engine.rules.positions import position_names
from engine.rules.pots import called
from engine.showdown.hand_check import check_hand
from protocol.cards import format_cards
from protocol.gamedef import UNLIMITED_STACK
from protocol.handlog import HandRecord, Header

if TYPE_CHECKING:
    from pathlib import Path

    from engine.handlogs.source.log_hands import LoggedHand
    from engine.rules.state import HandState
    from protocol.gamedef import GameDef


_FIRST_BYTES: Final = 1 << 16
_HEADER_SEARCH_LINES: Final = 1000


def first_game(log: Path) -> FoundGame:
    """Return the game of a log's first header, or of its first hand where that comes before.

    Raises:
        LogError: the log cannot be read, or neither is there, or the game is not found.
    """
    lines = lines_in(log_blocks(log, _FIRST_BYTES, again=True, warn=tell_once))
    for record in readable(islice(lines, _HEADER_SEARCH_LINES)):
        if isinstance(record, Header):
            return find_log_game(record, log)
        if isinstance(record, HandRecord):
            return find_log_game(None, log, record)
    return find_log_game(None, log)


def game_document(name: str, game: GameDef) -> dict[str, Any]:
    """Return a game as plain values: all that a reader of its STATE lines needs.

    Positions and streets are 0-based.  "stacks" is null where they have no end, "raiseSizes" where
    the game gives none; 255 of "maxRaises" is no limit.

    Args:
        name: of the game, for people.
    """
    limited = any(stack != UNLIMITED_STACK for stack in game.stacks)
    return {
        "name": name,
        "betting": "nolimit" if game.no_limit else "limit",
        "players": game.players,
        "rounds": game.streets,
        "stacks": list(game.stacks) if limited else None,
        "blinds": list(game.blinds),
        "raiseSizes": list(game.raise_sizes) or None,
        "firstPlayers": list(game.first_positions),
        "maxRaises": list(game.max_raises),
        "suits": game.suits,
        "ranks": game.ranks,
        "holeCards": game.hole_cards,
        "boardCards": list(game.board_cards),
    }


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
        player: dict[str, Any] = {"name": name, "won": float(won)}
        if position < game.players:
            player |= {
                "position": places[position],
                "stack": game.stacks[position],
                "blind": game.blinds[position],
            }
        if report.cards is not None:
            player["cards"] = format_cards(report.cards.holes[position])
        players.append(player)
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
            "street": state.street,
            "player": state.actor,
            "action": _WORDS[action.kind],
            "to": after.spent[state.actor],
            "pot": state.pot,
        }
        for state, action, after in end.steps()
    ]
