"""What a player wins who follows a rule up to the river and there plays a best response.

On the river nothing is left to chance: a best response to a known strategy, among some sizes, is
worked out exactly, hand by hand.  Before the river the player looks at no card, or only folds hands
whose equity against what the opponent may hold does not pay for a call.  Only boards are sampled.
What it wins is a lower bound of what a best response wins, as with local best response.  Where
the weaknesses are on the river the bound is higher: it sees further than one action.

An agent that searches is slow to ask.  With `one_line` each board and seat follows one line of the
opponent to the river, drawn by its probability, for which the reach is divided: the mean over
boards stays the same.  There the player raises only while enough of the opponent's hands are left,
so it may win less, and the bound still holds.

    reach   (1326,) float32   probability that the opponent acts as it did, by combo
    worth   (1326,) float64   chips won with each own combo, summed over the opponent's reach
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.betting.bet_menu import ALL_IN, BetMenu, StreetMenu
from engine.betting.policy import Policy, check_actions
from engine.equity.equity import exact_combo_equity
from engine.errors import InvalidGame
from engine.evaluation.board_matches import HOLDING_PAIRS
from engine.evaluation.lbr import matched
from engine.evaluation.trunk_policies import TrunkPolicy
from engine.hands.cards import COMBOS, card_bits, live_combos
from engine.range_solver.terminal import BOARD_CARDS, fold_values, showdown_values
from engine.rules.state import HandState
from protocol.actions import CALL, FOLD, RAISE, Action, raise_to
from protocol.gamedef import GameDef

RIVER_RAISE_POTS: Final = (0.5, 1.0, 2.5, ALL_IN)
LEAST_RAISING_SHARE: Final = 0.1
"""With fewer of the opponent's hands no raise is considered."""
_STREAM: Final = 0x525652
"""Keeps the drawing of lines apart from other draws."""


class RiverResponse:
    """The player that responds to one policy."""

    def __init__(
        self,
        game: GameDef,
        trunk: TrunkPolicy,
        policy: Policy,
        sizes: Sequence[float] = RIVER_RAISE_POTS,
        *,
        one_line: bool = False,
    ) -> None:
        """Set up both seatings.

        Args:
            game: hold'em for two with 52 cards.
            sizes: of raises on the river, in pots, ascending.
            one_line: see the module's text.

        Raises:
            InvalidGame: the game is another one.
            ValueError: sizes are no sizes.
        """
        if game.players != 2 or not game.is_holdem:
            raise InvalidGame("river responses are for hold'em for two with 52 cards")
        self.game: Final = game
        self._before: Final = trunk
        self._policy: Final = policy
        self._menu: Final = BetMenu((StreetMenu((tuple(sizes),)),))
        self._one_line: Final = one_line

    def value(self, board: Sequence[int]) -> float:
        """Return what is won on a board, chips per hand, mean of both seatings.

        Raises:
            ValueError: the board is none, or the policy gives no strategy.
        """
        total = sum(float(self.worth(board, seat).sum()) for seat in range(2))
        return total / (2 * HOLDING_PAIRS)

    def worth(self, board: Sequence[int], seat: int) -> NDArray[np.float64]:
        """Return (1326,) what is won from a seat with each combo, chips over all opposing combos.

        Raises:
            ValueError: as for `value`.
        """
        if len(board) != BOARD_CARDS:
            raise ValueError(f"want {BOARD_CARDS} board cards, not {len(board)}")
        cards = tuple(map(int, board))
        live = live_combos(card_bits(cards))
        lines = np.random.default_rng((_STREAM, seat, *cards)) if self._one_line else None
        ends = _HandEnds(cards, seat, lines)
        root = self._branch(HandState.start(self.game), ends, np.ones(COMBOS, np.float32))
        return np.where(live, _worth(root, ends.values()), 0.0)

    def _branch(
        self, state: HandState, ends: _HandEnds, reach: NDArray[np.float32]
    ) -> _ResponseNode:
        """Walk on from a state; nothing is valued before all ends are known."""
        if state.over:
            return _ResponseNode(end=ends.add(state, reach))
        visible = ends.board[: self.game.board_seen(state.street)]
        reach = reach * live_combos(card_bits(visible))  # cards to come are not known
        if not reach.any():
            return _ResponseNode()
        last_street = state.street + 1 == self.game.streets
        if last_street:
            ends.arrived = max(ends.arrived, float(reach.sum()))
        if state.actor == ends.seat:
            by_equity = self._goes_by_equity(state)
            actions = [CALL, FOLD] if by_equity else self._considered(state, ends, reach)
            return _ResponseNode(
                tuple(self._branch(state.apply(action), ends, reach) for action in actions),
                folds=_too_weak(state, visible, reach) if by_equity else None,
                chooses=True,
            )
        strategy = self._policy.strategy(state, visible)
        check_actions(strategy, state)
        taken = reach[:, None] * strategy.probabilities
        if ends.lines is not None and not last_street:
            taken = _one_of(taken, ends.lines)
        return _ResponseNode(
            tuple(
                self._branch(state.apply(action), ends, share)
                for action, share in zip(strategy.actions, taken.T, strict=True)
                if share.any()
            )
        )

    def _goes_by_equity(self, state: HandState) -> bool:
        before_the_river = state.street + 1 < self.game.streets
        return before_the_river and self._before.by_equity and state.can_fold

    def _considered(
        self, state: HandState, ends: _HandEnds, reach: NDArray[np.float32]
    ) -> list[Action]:
        if state.street + 1 < self.game.streets:
            return [self._before.script.action(state)]
        few = ends.lines is not None and reach.sum() < LEAST_RAISING_SHARE * ends.arrived
        raises = () if few else self._menu.raise_tos(state)
        no_limit = self.game.no_limit
        actions = [CALL, *(raise_to(total) if no_limit else RAISE for total in raises)]
        return [*actions, FOLD] if state.can_fold else actions


def _one_of(taken: NDArray[np.float32], generator: np.random.Generator) -> NDArray[np.float32]:
    """Return (1326, A) the reach by action with one drawn, divided by its probability."""
    masses = taken.sum(axis=0, dtype=np.float64)
    shares = masses / masses.sum()
    drawn = generator.choice(len(shares), p=shares)
    drawn_reach = np.zeros_like(taken)
    drawn_reach[:, drawn] = taken[:, drawn] / shares[drawn]
    return drawn_reach


def _too_weak(
    state: HandState, board: tuple[int, ...], reach: NDArray[np.float32]
) -> NDArray[np.bool_]:
    """Return (1326,) the combos that lose chips by a call if all were checked from there on."""
    equity = exact_combo_equity(reach, board).equity
    stake = matched(state)
    mine, theirs = (min(state.spent[player], stake) for player in (state.actor, 1 - state.actor))
    price = (stake - mine) / (stake + theirs)
    return equity < price  # never where it is nan: nobody is left to be met


class _ResponseNode(NamedTuple):
    """A state of the betting and what follows it."""

    children: tuple[_ResponseNode, ...] = ()
    chooses: bool = False
    """Whether it is the responder who acts there."""
    folds: NDArray[np.bool_] | None = None
    """(1326,) combos that take the second of two actions, a fold; None: each takes the best one."""
    end: int = -1
    """Where the hand is over: its number."""


class _HandEnds:
    """Where hands end on one board, from one seat."""

    def __init__(
        self, board: tuple[int, ...], seat: int, lines: np.random.Generator | None
    ) -> None:
        self.board: Final = board
        self.seat: Final = seat
        self.lines: Final = lines
        """Draws the opponent's line to the river; None: all are followed."""
        self.arrived = 0.0
        """Reach with which the opponent came to the river; its largest if there are many lines."""
        self._reach: Final[list[NDArray[np.float32]]] = []
        self._stake: Final[list[float]] = []
        self._showdown: Final[list[bool]] = []

    def add(self, state: HandState, reach: NDArray[np.float32]) -> int:
        """Return the number of one more end."""
        stake = float(min(state.spent))
        self._reach.append(reach)
        self._stake.append(-stake if state.folded[self.seat] else stake)
        self._showdown.append(state.showdown)
        return len(self._reach) - 1

    def values(self) -> NDArray[np.float64]:
        """Return (E, 1326) what each end is worth with each combo, chips times reach."""
        reach, showdown = np.stack(self._reach), np.array(self._showdown)
        worths = np.empty(reach.shape)
        for kind, valued in ((True, showdown_values), (False, fold_values)):
            if (showdown == kind).any():
                worths[showdown == kind] = valued(reach[showdown == kind], self.board)
        worths *= np.array(self._stake)[:, None]
        return worths


def _worth(branch: _ResponseNode, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return (1326,) what a state is worth with each combo."""
    worths = [_worth(child, values) for child in branch.children]
    worth: NDArray[np.float64]
    if branch.end >= 0:
        worth = values[branch.end]
    elif branch.folds is not None:
        worth = np.where(branch.folds, worths[1], worths[0])
    elif branch.chooses:
        worth = np.max(worths, axis=0)
    else:
        worth = np.sum([np.zeros(COMBOS), *worths], axis=0)
    return worth
