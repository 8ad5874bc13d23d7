"""Hands that were played before a bot sat down: a match is resumed, or the bot was started again.

A bot that plays by what happened earlier in the match (`Bot.learns`) is shown them, each state in
which it was asked, watched or saw the end, by the calls of an ordinary match; its answers count for
nothing.  What it remembers is then what it would remember had nothing happened, as far as its
answers depend on nothing else.

`arena match` tells its own bots where to look when it starts them in the middle of a leg, in the
environment: ARENA_PLAYED_LOG is the leg's log, ARENA_LABEL the bot's name in it.  Of the hand under
way the log has nothing; its earlier states follow from the first message (`earlier_views`).
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from engine.errors import EngineError
from engine.play.budget import without_budget
from engine.rules.dealing import Deal
from engine.rules.view import PlayerView, state_of_betting
from protocol.errors import ProtocolError
from protocol.handlog import HandRecord, parse_log_line
from protocol.matchstate import parse_card_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from agents.bot import Bot
    from engine.rules.state import HandState
    from protocol.gamedef import GameDef


def show_played_hands(bot: Bot, game: GameDef, environment: Mapping[str, str] = os.environ) -> bool:
    """Show a bot that learns the hands it played; return whether it is in the middle of a match.

    Args:
        bot: started for the match.
    """
    log, label = environment.get("ARENA_PLAYED_LOG"), environment.get("ARENA_LABEL")
    if not bot.learns or not log or not label:
        return False
    for views in hands_seen(Path(log), label, game):
        show_states(bot, views)
    return True


def show_states(bot: Bot, views: Iterable[PlayerView]) -> None:
    """Show a bot states of one hand, in order."""
    act = without_budget(bot.act)
    for view in views:
        if view.state.over:
            bot.end_hand(view)
        elif view.my_turn:
            act(view)
        else:
            bot.observe(view)


def hands_seen(log: Path, label: str, game: GameDef) -> Iterator[list[PlayerView]]:
    """Yield what a player saw of each hand in a log, hand by hand: the states and the end.

    A log that is not there has no hands, and lines that cannot be read are none: the dealer, who
    resumes the same match, says what is wrong with them.
    """
    records: dict[int, HandRecord] = {}
    try:
        with log.open(encoding="utf-8", errors="replace") as file:
            for line in file:
                try:
                    record = parse_log_line(line.rstrip("\n"))
                except ProtocolError:
                    continue
                if isinstance(record, HandRecord) and label in record.names:
                    records[record.hand_id] = record
    except OSError:
        return
    for hand in sorted(records):
        record = records[hand]
        position = record.names.index(label)
        try:
            cards = parse_card_text(record.cards, game)
            state = state_of_betting(game, record.betting)
        except (ProtocolError, EngineError):
            continue
        deal = Deal(cards.holes, cards.board)
        states = [*(earlier for earlier, _ in state.history), state]
        yield [PlayerView.of(seen_state, deal, position, hand) for seen_state in states]


def earlier_views(view: PlayerView) -> list[PlayerView]:
    """Return the views of a hand before the one that is given, in order."""
    game = view.game

    def at(state: HandState) -> PlayerView:
        shown = tuple(view.hole if seat == view.position else () for seat in range(game.players))
        board = view.board[: game.board_seen(state.street)]
        return PlayerView(state, view.hand_id, view.position, shown, board)

    return [at(state) for state, _ in view.history]
