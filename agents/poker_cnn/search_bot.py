"""Poker-CNN that looks one step ahead, in limit games for two."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from agents.bot import Bot
from agents.errors import GameNotPlayed
from agents.poker_cnn.hand_kernels import CODE_CALL, CODE_FOLD, CODE_RAISE
from agents.poker_cnn.shape import ACTIONS
from engine.hands.cards import COMBO_CARDS
from engine.hands.starting_hands import COMBO_STARTING_HAND
from engine.play.compiled_match import check_bulk_game

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from agents.poker_cnn.model import CnnModel
    from agents.poker_cnn.search_kernels import Holdings, Look
    from engine.rules.view import PlayerView
    from protocol.actions import Action
    from protocol.gamedef import GameDef

HANDS: Final = 128
"""Of the opponent after the flop."""
DEALS: Final = 16
"""Of cards to come, for each way in which a street ends."""
TREMBLE: Final = 0.05
LEAST_SHARE: Final = 0.05
"""Actions that the network takes more rarely, TREMBLE included, are not looked at."""
_CODES: Final = {"f": CODE_FOLD, "c": CODE_CALL, "r": CODE_RAISE}
_CLASSES: Final = int(COMBO_STARTING_HAND.max()) + 1
_SAMPLES: Final = np.array(
    [np.flatnonzero(number == COMBO_STARTING_HAND)[0] for number in range(_CLASSES)]
)
"""(169,) a combo of each starting hand."""


class SearchingCnn(Bot):
    """Takes the best action by the network and a look one step ahead, see `search_kernels`.

    An action is as good as the logarithm of how likely the network takes it, and `weight` for each
    pot that the look says it wins; the pot is what there is after calling.
    Of the opponent it knows what its actions say of its hand, were they the network's.  Before the
    flop these are all hands, after it HANDS drawn from them.
    """

    def __init__(self, network: Callable[[GameDef], CnnModel], weight: float) -> None:
        """Take a function from the game to the network, and nats for a pot."""
        self._network = network
        self._weight = weight
        self._look: Look | None = None
        self._seed = 0
        self._before_flop: dict[bytes, NDArray[np.float64]] = {}
        self._view: PlayerView | None = None
        self._holdings: Holdings
        self._dealt = 0
        """Cards of the board that have been looked at."""

    def start_match(self, game: GameDef, seed: int) -> None:
        """Load the network, and draw from `seed`.

        Raises:
            GameNotPlayed: it is no limit hold'em for two, or the network tells no values.
            AgentError: the network's file is missing or damaged.
        """
        from agents.poker_cnn.search_kernels import new_look
        from engine.equity.equity_tables import equity_tables
        from engine.rules.packed_game import pack_game

        if game.no_limit:
            raise GameNotPlayed("cnn --search plays limit games only")
        check_bulk_game(game)
        network = self._network(game)
        if not network.valued:
            raise GameNotPlayed("cnn --search needs a network trained with --values")
        self._look = new_look(pack_game(game), equity_tables(), network.weights, TREMBLE)
        self._seed, self._view = seed, None
        self._before_flop.clear()

    def warm_up(self) -> None:
        """Compile the look, or load it from the cache."""
        from engine.rules.view import PlayerView, replay_betting
        from protocol.gamedefs import load_builtin

        state = replay_betting(load_builtin("hulhe"), "cc/")
        shown = tuple((51, 46) if seat == state.actor else () for seat in range(2))
        self.start_match(state.game, 0)
        self.act(PlayerView(state, 0, state.actor, shown, (0, 5, 10)))
        self._view = None

    def act(self, view: PlayerView) -> Action:
        """Return the best action."""
        from agents.poker_cnn.search_kernels import DRAWS, level_on_board, look_ahead, shares_of

        look = self._started()
        self._lay(view, view.street)
        count, level = len(view.history), level_on_board(look, *view.hole)
        shares, won = np.empty(ACTIONS), np.empty(ACTIONS)
        shares_of(look, count, level, shares)
        wanted = shares > LEAST_SHARE
        scores = np.log(np.maximum(shares, LEAST_SHARE))
        if wanted.sum() > 1:
            holdings = self._watch(view)
            draws = self._generator(view, count).random((DEALS, DRAWS))
            look_ahead(look, count, level, holdings, draws, wanted, won)
            scores += self._weight * won / (view.pot + view.to_call)
        code = int(scores.argmax())
        if code == CODE_FOLD:
            return view.fold()
        return view.raise_to(view.min_raise_to) if code == CODE_RAISE else view.call()

    def _started(self) -> Look:
        if self._look is None:
            raise RuntimeError("start_match comes first")
        return self._look

    def _watch(self, view: PlayerView) -> Holdings:
        """Return what the opponent may hold, after all actions and cards since the last call."""
        done = 0
        if self._view is not None and view.continues(self._view):
            done = len(self._view.history)
        else:
            self._holdings, self._dealt = _all_hands(view.hole), 0
        for number, past in enumerate(view.history[done:], done):
            self._see_board(view, past.facts.street)
            if past.facts.actor != view.position:
                self._weigh(number, 1 - view.position, _CODES[past.action.kind])
        self._see_board(view, view.street)
        self._view = view
        return self._holdings

    def _lay(self, view: PlayerView, street: int) -> None:
        """Lay the betting, the hole cards, and the board of a street."""
        from agents.poker_cnn.search_kernels import read_board

        look = self._started()
        for number, past in enumerate(view.history):
            look.betting[number] = _CODES[past.action.kind]
        look.cards[2 * view.position : 2 * view.position + 2] = view.hole
        read_board(look, np.array(view.board[: view.game.board_seen(street)], np.uint8))

    def _see_board(self, view: PlayerView, street: int) -> None:
        """Look at the cards of a street; on the flop the opponent's hands are drawn."""
        from agents.poker_cnn.search_kernels import weigh_board

        look = self._started()
        self._lay(view, street)
        board = look.cards[4:][: view.game.board_seen(street)]
        if len(board) == self._dealt:
            return
        if not self._dealt:
            self._draw(view, self._holdings)
        weigh_board(look, self._holdings)
        if not self._holdings.weights.any():  # all those drawn hold the card that came
            self._draw(view, _all_hands(view.hole))
            weigh_board(look, self._holdings)
        self._dealt = len(board)

    def _weigh(self, count: int, position: int, code: int) -> None:
        """Weigh the opponent's hands by what it did behind `count` actions."""
        from agents.poker_cnn.search_kernels import weigh_action

        if self._dealt:
            weigh_action(self._started(), count, position, code, self._holdings)
        else:
            self._holdings.weights[:] *= self._shares_before_flop(count, position)[:, code]

    def _shares_before_flop(self, count: int, position: int) -> NDArray[np.float64]:
        """Return (1326, 3) how likely each hand takes each action, from memory after once."""
        from agents.poker_cnn.search_kernels import level_on_board, shares_of

        look = self._started()
        betting = look.betting[:count].tobytes()
        if betting not in self._before_flop:
            shares = np.empty((_CLASSES, ACTIONS))
            mine = look.cards[:4].copy()
            for row, combo in zip(shares, _SAMPLES, strict=True):
                look.cards[2 * position : 2 * position + 2] = COMBO_CARDS[combo]
                shares_of(look, count, level_on_board(look, *COMBO_CARDS[combo].tolist()), row)
            look.cards[:4] = mine
            self._before_flop[betting] = shares[COMBO_STARTING_HAND]
        return self._before_flop[betting]

    def _draw(self, view: PlayerView, holdings: Holdings) -> None:
        """Draw HANDS of some hands, by weight at equal distances; equal ones are one."""
        from agents.poker_cnn.search_kernels import Holdings

        board = self._started().cards[4:]
        weights = holdings.weights * ~np.isin(holdings.holes, board).any(axis=1)
        sums = np.cumsum(weights)
        at = (np.arange(HANDS) + self._generator(view).random()) / HANDS * sums[-1]
        drawn, counts = np.unique(np.searchsorted(sums, at, side="right"), return_counts=True)
        levels = np.zeros(len(drawn), np.int64)
        self._holdings = Holdings(holdings.holes[drawn], counts.astype(np.float64), levels)

    def _generator(self, view: PlayerView, decision: int = 0) -> np.random.Generator:
        """Return the same random numbers for a decision, whatever was asked before."""
        return np.random.default_rng((self._seed, view.hand_id, decision))


def _all_hands(hole: tuple[int, ...]) -> Holdings:
    """Return all hands without cards of one, all as likely, with their levels before the flop."""
    from agents.poker_cnn.search_kernels import Holdings
    from engine.equity.equity_tables import levels_of_starting_hands

    weights = np.where(np.isin(COMBO_CARDS, hole).any(axis=1), 0.0, 1.0)
    levels = levels_of_starting_hands()[COMBO_STARTING_HAND].astype(np.int64)
    return Holdings(COMBO_CARDS.astype(np.uint8), weights, levels)
