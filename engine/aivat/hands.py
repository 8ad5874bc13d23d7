"""The private hands of a game for two: how many there are, and how they meet.

    weights   (H,) float64  of the hands of one player, any numbers that are not negative
    met       (H,) float64  for each hand of the other player, the weight of those that it can meet
    shown     (H,) float64  the same sum, each weight times P(win) - P(loss) of the other player's
                            hand over all board cards that can still come

The mean of a later board's `shown` over the cards that may come is that of the board before.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from engine.compiled.splitmix import plain_word
from engine.equity.equity import matchups
from engine.equity.range_showdowns import RangeShowdowns
from engine.errors import InvalidGame
from engine.hands.cards import COMBO_CARDS, COMBOS, card_bits, combo_of, live_combos
from engine.hands.private_hands import private_hands
from engine.showdown.evaluator import strength

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from protocol.gamedef import GameDef

_BOARDS_KEPT: Final = 4


class Hands(Protocol):
    """What two players may hold."""

    @property
    def size(self) -> int:
        """H, how many hands there are."""

    def number(self, hole: Sequence[int]) -> int:
        """Return the number of a hand, 0 to H - 1."""

    def unblocked(self, board: Sequence[int]) -> NDArray[np.bool_]:
        """Return (H,) bool, the hands that share no card with the board."""

    def met(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return (H,) float64; see the module's text."""

    def shown(self, weights: NDArray[np.float64], board: Sequence[int]) -> NDArray[np.float64]:
        """Return (H,) float64; see the module's text."""

    def next_hand(self, number: int) -> None:
        """Draw what is drawn at random, if anything is, for a hand of this number, 0 or more."""


class HoldemHands:
    """The 1326 combos of hold'em; remembers the last boards.

    With a seed, run-outs of flops are drawn (`engine.equity.range_showdowns`), anew for each hand:
    ten times as fast, and right on the mean.
    """

    size: Final = COMBOS

    def __init__(self, seed: int | None = None) -> None:
        """Begin with no board known.  Without a seed all run-outs are counted."""
        self._seed = seed
        self._drawn = seed
        self._boards: dict[tuple[int, ...], RangeShowdowns] = {}

    def number(self, hole: Sequence[int]) -> int:
        """Return the number of a combo.  Raises ValueError for anything but two cards."""
        first, second = hole
        return combo_of(first, second)

    def unblocked(self, board: Sequence[int]) -> NDArray[np.bool_]:
        """Return (1326,) bool, the combos that share no card with the board."""
        return live_combos(card_bits(board))

    def met(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return (1326,) float64; see the module's text."""
        (combos,) = weights.nonzero()
        if len(combos) == 1:
            return np.where(live_combos(_bits_of(combos)), weights[combos[0]], 0.0)
        return self._showdowns(()).met(weights)

    def shown(self, weights: NDArray[np.float64], board: Sequence[int]) -> NDArray[np.float64]:
        """Return (1326,) float64; see the module's text."""
        (combos,) = weights.nonzero()
        if len(combos) == 1:
            matchup = matchups(COMBO_CARDS[combos[0]].tolist(), board)
            edges: NDArray[np.float64] = (matchup.lose - matchup.win) / matchup.boards
            return float(weights[combos[0]]) * edges
        return self._showdowns(tuple(board)).shown(weights)

    def next_hand(self, number: int) -> None:
        """Draw the run-outs of a hand, 0 or more."""
        if self._seed is not None:
            self._drawn = plain_word(self._seed, number + 1)
            self._boards = {board: runouts for board, runouts in self._boards.items() if not board}

    def _showdowns(self, board: tuple[int, ...]) -> RangeShowdowns:
        if board not in self._boards:
            if len(self._boards) >= _BOARDS_KEPT:
                del self._boards[next(iter(self._boards))]
            self._boards[board] = RangeShowdowns(board, self._drawn)
        return self._boards[board]


class SingleCardHands:
    """The single cards of a small game such as Kuhn or Leduc poker; all run-outs are counted."""

    def __init__(self, game: GameDef) -> None:
        """Begin with no board known.

        Raises:
            InvalidGame: as from `engine.hands.private_hands`, or hands are no single cards.
        """
        self._hands: Final = private_hands(game)
        if self._hands.hole_cards != 1:
            raise InvalidGame("want a game with one private card")
        self._board_cards: Final = game.board_total
        self._edges: Final[dict[tuple[int, ...], NDArray[np.float64]]] = {}

    @property
    def size(self) -> int:
        """Number of cards."""
        return self._hands.count

    def number(self, hole: Sequence[int]) -> int:
        """Return the number of a card.  Raises ValueError for anything but one card of the deck."""
        (card,) = hole
        return self._hands.deck.index(card)

    def unblocked(self, board: Sequence[int]) -> NDArray[np.bool_]:
        """Return (H,) bool, the cards that are not on the board."""
        return self._hands.live(board)

    def met(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return (H,) float64; see the module's text."""
        others: NDArray[np.float64] = weights.sum() - weights
        return others

    def shown(self, weights: NDArray[np.float64], board: Sequence[int]) -> NDArray[np.float64]:
        """Return (H,) float64; see the module's text."""
        against: NDArray[np.float64] = self._edges_on(tuple(sorted(map(int, board)))) @ weights
        return against

    def next_hand(self, number: int) -> None:
        """Nothing is drawn at random."""

    def _edges_on(self, board: tuple[int, ...]) -> NDArray[np.float64]:
        """Return (H, H) P(win) - P(loss) of a card against another; 0 for those that never meet."""
        edges = self._edges.get(board)
        if edges is None:
            edges = self._edges[board] = self._counted(board)
        return edges

    def _counted(self, board: tuple[int, ...]) -> NDArray[np.float64]:
        deck, live = self._hands.deck, self._hands.live(board)
        edges: NDArray[np.float64]
        if len(board) == self._board_cards:
            ranked = np.array(
                [strength((card, *board)) if on else 0 for card, on in zip(deck, live, strict=True)]
            )
            edges = np.sign(ranked[:, None] - ranked).astype(np.float64)
        else:
            below = [
                self._edges_on(tuple(sorted((*board, card)))) for card in deck if card not in board
            ]
            edges = np.sum(below, axis=0) / (len(below) - 2)
        edges[~live] = 0.0
        edges[:, ~live] = 0.0
        return edges


def hands_of(game: GameDef, seed: int | None = None) -> Hands:
    """Return what two players may hold.

    Args:
        seed: of run-outs of flops of hold'em that are drawn; None: all are counted.

    Raises:
        InvalidGame: the game is neither hold'em nor one of single private cards, or not for two.
    """
    if game.players == 2 and game.is_holdem:
        return HoldemHands(seed)
    if game.players != 2 or game.hole_cards != 1:
        raise InvalidGame("want hold'em for two, or a game for two with one private card")
    return SingleCardHands(game)


def _bits_of(combos: Iterable[int]) -> int:
    return card_bits(card for combo in combos for card in COMBO_CARDS[combo].tolist())
