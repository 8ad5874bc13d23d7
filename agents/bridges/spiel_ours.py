"""Our bots at OpenSpiel's tables: any of them as a `pyspiel.Bot`.

It plays `universal_poker`, and matches of it as `repeated_poker` in which stacks begin anew.  It
gets a `PlayerView` as from our dealer, so no card that it may not know; it is told of a hand's end
as far as OpenSpiel tells of it.  In an abstraction it takes the raise nearest to the one it wants.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from agents.bridges.libraries import library
from agents.bridges.spiel_games import (
    CALL_CODE,
    FOLD_CODE,
    FULL,
    POT_CODE,
    POTS_OF,
    card_moved_up,
    game_of,
)
from agents.roster.bots import find_agent
from engine.play.budget import without_budget
from engine.rules.dealing import Deal
from engine.rules.view import PlayerView, state_of_betting
from protocol.cards import parse_cards

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agents.bot import Bot
    from protocol.actions import Action
    from protocol.gamedef import GameDef

_pyspiel: Any = library("pyspiel")

_REPEATED: Final = "repeated_poker"
_NOW: Final = "current_universal_poker_json"
_BEFORE: Final = "prev_universal_poker_json"


class OurBot(_pyspiel.Bot):  # type: ignore[misc]
    """A bot of ours that OpenSpiel can ask."""

    def __init__(self, bot: Bot, game: Any, player_id: int, seed: int = 0) -> None:
        """Start the bot's match.

        Args:
            game: the `pyspiel.Game`, universal or repeated poker.
            player_id: OpenSpiel's number of the player.

        Raises:
            ValueError: the game is another one, or stacks go on from hand to hand.
        """
        super().__init__()
        name, parameters = game.get_type().short_name, game.get_parameters()
        self._repeated: Final = name == _REPEATED
        if self._repeated:
            if not parameters["reset_stacks"]:
                raise ValueError(f"our bots play {_REPEATED} with reset_stacks=True only")
            parameters = parameters["universal_poker_game_string"]
        elif name != "universal_poker":
            raise ValueError(f"our bots play universal_poker and {_REPEATED}, not {name}")
        self._game: Final = game_of(parameters)
        self._full: Final = parameters["bettingAbstraction"] == FULL
        self._player: Final = player_id
        self._bot: Final = bot
        self._act: Final = without_budget(bot.act)
        self._hands = -1
        bot.warm_up()
        bot.start_match(self._game, seed)

    def player_id(self) -> int:
        """Return OpenSpiel's number of the player."""
        return self._player

    def restart_at(self, state: Any) -> None:
        """Begin a hand of universal poker, or a match of repeated poker."""
        self._hands += 1

    def step(self, state: Any) -> int:
        """Return OpenSpiel's number of the bot's action."""
        view = self._view(_told(state))
        code = self._code(state, view, self._act(view))
        self.inform_action(state, self._player, code)
        return code

    def inform_action(self, state: Any, player_id: int, action: int) -> None:
        """Let the bot see what comes of an action, or of a card."""
        child = state.child(action)
        if self._repeated:
            facts = _told(child)
            if facts["hand_number"] != _told(state)["hand_number"]:
                self._bot.end_hand(self._view(facts, _BEFORE))
                return
        if child.is_terminal():
            self._bot.end_hand(self._view(_told(child)))
        elif not child.is_chance_node() and child.current_player() != self._player:
            self._bot.observe(self._view(_told(child)))

    def _view(self, facts: Mapping[str, Any], which: str = _NOW) -> PlayerView:
        """Return what the bot may know.

        In repeated poker OpenSpiel moves the blinds and leaves the players where they are.

        Args:
            facts: what `_told` gives of a state.
            which: hand of repeated poker.
        """
        number, moved = self._hands, 0
        if self._repeated:
            number = facts["hand_number"] - (which == _BEFORE)
            moved = number % self._game.players
            facts = json.loads(facts[which])
        betting, deal = read_acpc_state(self._game, facts["acpc_state"])
        if moved:
            deal = replace(deal, holes=deal.holes[moved:] + deal.holes[:moved])
        position = (self._player - moved) % self._game.players
        return PlayerView.of(state_of_betting(self._game, betting), deal, position, number)

    def _code(self, state: Any, view: PlayerView, action: Action) -> int:
        """Return OpenSpiel's number of an action, of a raise that it lacks that of the nearest."""
        legal = state.legal_actions()
        raises: list[int] = [code for code in legal if code > CALL_CODE]
        if action.kind == "f" and FOLD_CODE in legal:
            return FOLD_CODE
        if action.kind != "r" or not raises:
            return CALL_CODE
        if not self._game.no_limit:
            return POT_CODE
        if self._full:
            return action.raise_to
        sizes = dict.fromkeys(raises, view.max_raise_to)
        sizes.update((code, view.pot_fraction(POTS_OF[code])) for code in raises if code in POTS_OF)
        return min(raises, key=lambda code: abs(sizes[code] - action.raise_to))


def our_bot(name: str, game: Any, player_id: int, seed: int = 0) -> OurBot:
    """Return a bot of ours, named as for `arena agent`, that OpenSpiel can ask.

    Raises:
        UnknownAgent: nothing plays under the name.
        GameNotPlayed: it does not play the game.
        ValueError: it is no game of ours, see `OurBot`.
    """
    return OurBot(find_agent(name).build(), game, player_id, seed)


def read_acpc_state(game: GameDef, text: str) -> tuple[str, Deal]:
    """Return betting and all cards of OpenSpiel's "STATE:0:r300c/:As2s|4h7c/2c2d2h".

    Cards that are not dealt yet stand there as twos.
    """
    betting, cards = text.partition("\n")[0].split(":")[2:4]
    holes, *streets = cards.split("/")
    board = _cards(game, "".join(streets))
    return betting, Deal(tuple(_cards(game, hole) for hole in holes.split("|")), board)


def _told(state: Any) -> dict[str, Any]:
    facts: dict[str, Any] = json.loads(state.to_json())
    return facts


def _cards(game: GameDef, text: str) -> tuple[int, ...]:
    return tuple(card_moved_up(game, card) for card in parse_cards(text))
