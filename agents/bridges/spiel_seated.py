"""Bots and policies of OpenSpiel at our tables: `arena agent openspiel:MODULE:BOT HOST PORT`.

A bot of OpenSpiel is shown states that hold everybody's cards.  Of those that it may not know it is
shown others, drawn from what is left of the deck: nothing that it could look at is true.

It hears of a hand what `open_spiel.python.algorithms.evaluate_bots` would tell it: `restart_at`
at the beginning, `inform_action` for each card and each action of others, `step` for its own.
Where a card comes that it was shown as somebody else's, the hand is told again from its beginning.
"""

from __future__ import annotations

import inspect
import math
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from agents.bot import Bot
from agents.bridges.libraries import library
from agents.bridges.spiel_games import (
    ALL_IN_CODE,
    CALL_CODE,
    FOLD_CODE,
    FULL,
    POT_CODE,
    POTS_OF,
    check_abstraction,
    load_universal_poker,
    spiel_card,
)
from agents.errors import UnknownAgent
from agents.roster.own_class import load_named

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from engine.rules.state import PastAction
    from engine.rules.view import PlayerView
    from protocol.actions import Action
    from protocol.gamedef import GameDef


class SpielSeat(Bot):
    """A bot or a policy of OpenSpiel as a bot of ours."""

    def __init__(self, make: Callable[[Any, int, Any], Any], betting: str = "") -> None:
        """Take a function from game, player and generator to the bot or policy.

        Args:
            betting: the abstraction that it plays, see `universal_poker`.
        """
        self._make = make
        self._betting = betting
        self._players: dict[int, Any] = {}
        self._game: Any = None
        self._rng = np.random.default_rng(0)
        self._hand = -1
        self._hidden: list[int] = []
        self._told: list[tuple[int, int]] = []
        self._full = False

    def start_match(self, game: GameDef, seed: int) -> None:
        """Load the game, and draw from `seed`.

        Raises:
            GameNotPlayed: OpenSpiel has no such game, or it has no such abstraction.
            MissingLibrary: OpenSpiel is not installed.
        """
        self._game = load_universal_poker(game, self._betting)
        self._full = self._game.get_parameters()["bettingAbstraction"] == FULL
        self._rng = np.random.default_rng(seed)
        self._players = {}
        self._hand = -1

    def act(self, view: PlayerView) -> Action:
        """Tell the bot what is new, and return its action."""
        player = self._player(view.position)
        state = self._follow(view, player)
        if state.is_terminal() or state.current_player() != view.position:
            return view.call()  # an abstraction's hand may end before the real one
        code = self._answer(player, state)
        self._told.append((view.position, code))
        return self._action(view, code)

    def _player(self, position: int) -> Any:
        """Return who plays a position: players of OpenSpiel keep theirs."""
        if position not in self._players:
            self._players[position] = self._make(self._game, position, self._rng)
        return self._players[position]

    def _follow(self, view: PlayerView, player: Any) -> Any:
        """Tell the bot what it has not heard of the hand; return OpenSpiel's state."""
        new_hand = view.hand_id != self._hand
        if new_hand:
            self._hand = view.hand_id
            self._hidden = [int(card) for card in self._rng.permutation(view.game.deck)]
        moves, state = self._moves(view)
        done = len(self._told)
        if new_hand or moves[:done] != self._told:
            done = 0
        is_bot = not hasattr(player, "action_probabilities")
        if is_bot and len(moves) > done:
            behind = self._game.new_initial_state()
            if done == 0:
                player.restart_at(behind)
            for number, (who, code) in enumerate(moves):
                if number >= done and who != view.position:
                    player.inform_action(behind, who, code)
                behind.apply_action(code)
        self._told = moves
        return state

    def _moves(self, view: PlayerView) -> tuple[list[tuple[int, int]], Any]:
        """Return cards and actions of the hand as (player, number), and the state behind them."""
        state = self._game.new_initial_state()
        chance = library("pyspiel").PlayerId.CHANCE
        cards = self._cards(view)
        moves: list[tuple[int, int]] = []
        past = iter(view.history)
        while not state.is_terminal():
            if state.is_chance_node():
                who, code = chance, spiel_card(view.game, next(cards))
            else:
                action = next(past, None)
                if action is None:
                    break
                who, code = state.current_player(), self._code(state, action)
            moves.append((int(who), code))
            state.apply_action(code)
        return moves, state

    def _cards(self, view: PlayerView) -> Iterator[int]:
        """Yield the cards as OpenSpiel deals them, drawn ones where the viewer knows none."""
        open_cards = {*chain(*view.shown), *view.board}
        drawn = (card for card in self._hidden if card not in open_cards)
        for hole in view.shown:
            yield from hole or islice(drawn, view.game.hole_cards)
        yield from view.board
        yield from drawn

    def _code(self, state: Any, past: PastAction) -> int:
        """Return the number of an action; in an abstraction the nearest by its share of the pot."""
        kind = past.action.kind
        if self._full:
            return {"f": FOLD_CODE, "c": CALL_CODE}.get(kind, past.raise_to)
        legal = state.legal_actions()
        if kind == "f" and FOLD_CODE in legal:
            return FOLD_CODE
        raises: list[int] = [code for code in legal if code > CALL_CODE]
        if kind != "r" or not raises:
            return CALL_CODE
        if not past.state.game.no_limit:
            return POT_CODE
        facts, to_match = past.facts, past.state.to_match
        after_call = facts.pot + facts.to_call
        if past.raise_to == facts.high and ALL_IN_CODE in raises:
            return ALL_IN_CODE
        all_in = (facts.high - to_match) / after_call
        wanted = (past.raise_to - to_match) / after_call
        pots = {code: POTS_OF.get(code, all_in) for code in raises}
        return min(pots, key=lambda code: abs(math.log(pots[code] / wanted)))

    def _answer(self, player: Any, state: Any) -> int:
        """Return the number of the action that the bot takes, or the policy draws.

        Raises:
            ValueError: it is not legal.
        """
        if hasattr(player, "action_probabilities"):
            chances = dict(player.action_probabilities(state))
            codes, odds = list(chances), np.array(list(chances.values()), float)
            code = int(codes[self._rng.choice(len(codes), p=odds / odds.sum())])
        else:
            code = int(player.step(state))
        if code not in state.legal_actions():
            raise ValueError(f"OpenSpiel's action {code} is not legal in {state}")
        return code

    def _action(self, view: PlayerView, code: int) -> Action:
        if code == FOLD_CODE:
            return view.fold()
        if code == CALL_CODE:
            return view.call()
        if self._full:
            return view.raise_to(code)
        if code == ALL_IN_CODE:
            return view.raise_to(view.max_raise_to)
        return view.raise_to(view.pot_fraction(POTS_OF[code]))


def spiel_seat(name: str, betting: str | None = None) -> SpielSeat:
    """Return what "MODULE:BOT" or "FILE.py:BOT" names, seated.

    It may be a bot or a policy, or what makes one: a class or function of Python that is called
    with those of `game`, `player_id`, `rng` and `seed` that it has parameters for.

    Raises:
        UnknownAgent: there is nothing of the name.
        MissingLibrary: OpenSpiel is not installed.
        ValueError: there is no such abstraction.
    """
    library("pyspiel")
    check_abstraction(betting or "")
    bot = load_named(name)
    if not callable(bot):
        return SpielSeat(lambda game, player_id, rng: bot, betting or "")
    try:
        wanted = inspect.signature(bot).parameters
    except (TypeError, ValueError) as error:
        raise UnknownAgent(
            f"{name}: its parameters cannot be seen; wrap it in a function"
        ) from error
    missing = [
        parameter.name
        for parameter in wanted.values()
        if parameter.name not in _GIVEN
        and parameter.default is parameter.empty
        and parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
    ]
    if missing:
        raise UnknownAgent(
            f"{name} takes {', '.join(missing)}; a bot is made of {', '.join(_GIVEN)}"
        )

    def make(game: Any, player_id: int, rng: Any) -> Any:
        given = {"game": game, "player_id": player_id, "rng": rng}
        given["seed"] = int(rng.integers(2**31)) if "seed" in wanted else 0
        return bot(**{key: value for key, value in given.items() if key in wanted})

    return SpielSeat(make, betting or "")


_GIVEN: Final = ("game", "player_id", "rng", "seed")
