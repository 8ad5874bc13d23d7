"""Hands of one game, packed one behind the other while logs are read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from agents.poker_cnn.cnn_records import BOARD

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from agents.training.logs import PlayedHand
    from protocol.gamedef import GameDef

_FIRST_HANDS: Final = 1 << 16
_ACTIONS_A_HAND: Final = 8


class PackedHands:
    """Arrays as `CnnRecords` has them, with spare capacity behind the first `count` hands.

    Attributes:
        used: actions of these hands.
        names: (H, 2) where the names of a hand stand in the text that was read last.
        lines: (H,) number of its line, 0-based.
        revalued: hands whose printed values are not those of betting and cards.
    """

    def __init__(self, game: GameDef) -> None:
        from engine.handlogs.reading.hand_layout import new_scratch
        from engine.rules.packed_game import pack_game

        self.game: Final = game
        self.count = self.used = self.revalued = 0
        self.cards = np.zeros((0, 2 * game.players + BOARD), np.uint8)
        self.actions = np.zeros(0, np.uint32)
        self.ends = np.zeros(0, np.int64)
        self.won = np.zeros((0, game.players), np.float32)
        self.names = np.zeros((0, 2), np.int64)
        self.lines = np.zeros(0, np.int64)
        self._packed = pack_game(game)
        self._scratch = new_scratch()
        self._grow()

    def read(self, data: NDArray[np.uint8], at: int, line: int) -> tuple[int, int]:
        """Pack the hands of some lines; return the offset and line at which it stopped.

        That is at the end, or at a line that is not as a dealer writes it.

        Args:
            data: text that ends in a newline.
            at: where the first line begins.
        """
        from agents.poker_cnn import reading_kernels as r

        state = np.zeros(r.STATE_SIZE, np.int64)
        state[r.AT], state[r.LINES] = at, line
        why = r.FULL
        while why == r.FULL:
            state[r.HANDS], state[r.ACTIONS] = self.count, self.used
            why = r.read_log_lines(
                data, self._packed, self._scratch, state, self.cards, self.actions, self.ends,
                self.won, self.names, self.lines,
            )  # fmt: skip
            self.count, self.used = int(state[r.HANDS]), int(state[r.ACTIONS])
            if why == r.FULL:
                self._grow()
        self.revalued += int(state[r.REVALUED])
        return int(state[r.AT]), int(state[r.LINES])

    def add(self, hand: PlayedHand) -> None:
        """Pack a hand that was read by other means.

        Raises:
            ValueError: a printed value is no number, or the board is not that of the betting.
        """
        from agents.poker_cnn.hand_kernels import (
            CODE_BITS,
            CODE_CALL,
            CODE_FOLD,
            CODE_RAISE,
            UNKNOWN,
        )

        codes = {"f": CODE_FOLD, "c": CODE_CALL, "r": CODE_RAISE}
        taken = [
            (action.raise_to or 0) << CODE_BITS | codes[action.kind]
            for _, action, _ in hand.state.steps()
        ]
        won = [float(value) for value in hand.record.values]
        board, expected = len(hand.cards.board), self.game.board_seen(hand.state.street)
        if board != expected:
            raise ValueError(f"{board} board cards, the betting shows {expected}")
        if self.count == len(self.ends) or self.used + len(taken) > len(self.actions):
            self._grow()
        row = self.cards[self.count]
        row[:] = UNKNOWN
        for position, hole in enumerate(hand.cards.holes):
            row[2 * position : 2 * position + len(hole)] = hole
        row[2 * self.game.players :][: len(hand.cards.board)] = hand.cards.board
        self.won[self.count] = won
        self.actions[self.used : self.used + len(taken)] = taken
        self.used += len(taken)
        self.ends[self.count] = self.used
        self.count += 1

    def _grow(self) -> None:
        hands = max(_FIRST_HANDS, 2 * len(self.ends))
        for name in ("cards", "ends", "won", "names", "lines"):
            setattr(self, name, _longer(getattr(self, name), hands))
        wanted = max(2 * len(self.actions), _ACTIONS_A_HAND * hands)
        self.actions = _longer(self.actions, wanted + len(self._scratch[1]))


def _longer(array: NDArray[Any], length: int) -> NDArray[Any]:
    longer = np.zeros((length, *array.shape[1:]), array.dtype)
    longer[: len(array)] = array
    return longer
