"""The decisions of records as batches of tensors, and what is known of each."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import torch

from agents.poker_cnn.encoding_kernels import ROWS_OF_SUITS
from agents.poker_cnn.features_kernels import FEATURES, features_of_states
from agents.poker_cnn.hand_kernels import (
    ALL_IN_RAISE,
    CODE_BITS,
    SMALLEST_RAISE,
    HandRows,
    StateRows,
    describe_states,
    encode_states,
    new_replay,
)
from agents.poker_cnn.planes import PLANES, SIDE
from agents.poker_cnn.shape import ACTIONS, ALL_IN, RAISE_POTS, SMALLEST
from engine.rules.packed_game import pack_game

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from agents.poker_cnn.cnn_records import CnnRecords

NO_SIZE: Final = -1
_ORDERS: Final = np.array(list(permutations(range(4))), np.int64)


class Batch(NamedTuple):
    """N decisions."""

    inputs: torch.Tensor
    """(N, 16, 17, 17) planes, or (N, FEATURES)."""
    barred: torch.Tensor
    """(N, 3) what is added to scores: 0, or -inf where an action is not legal."""
    taken: torch.Tensor
    """(N,) int64"""


class States:
    """The decisions of some records.

    Attributes:
        taken: (S,) codes of actions.
        actors: (S,) positions that decide.
        streets: (S,)
        sizes: (S,) class of the raise, NO_SIZE where there is none.
        worth: (S,) float32, 1 for a hand won by the actor, a half for a tie, else 0.
        gains: (S,) float32, what the hand won compared with folding now, in pots as they are after
            calling.
        left: (S,) own decisions to come in the hand.
    """

    def __init__(self, records: CnnRecords) -> None:
        self.records = records
        self._game = pack_game(records.game)
        self._played = HandRows(records.cards, records.actions, records.ends)
        self._replay = new_replay()
        count = len(records)
        self.streets, self.actors = np.zeros(count, np.int64), np.zeros(count, np.int64)
        pots, spent, raises = np.zeros(count, np.int64), np.zeros(count, np.int64), np.zeros(count)
        describe_states(
            self._game, self._played, self._rows(slice(None)), self._replay.hand,
            self.actors, self.streets, pots, spent, raises,
        )  # fmt: skip
        begins = np.concatenate(([0], records.ends[:-1]))
        places = begins[records.hands] + records.places
        self.taken = (records.actions[places] & ((1 << CODE_BITS) - 1)).astype(np.int64)
        self.sizes = _classes(raises)
        won = records.won[records.hands, self.actors]
        self.worth = (0.5 + 0.5 * np.sign(won)).astype(np.float32)
        self.gains = ((won + spent) / pots).astype(np.float32)
        self.left = _left(records.hands.astype(np.int64) * records.game.players + self.actors)

    def _rows(self, chosen: NDArray[np.int64] | slice) -> StateRows:
        records = self.records
        return StateRows(records.hands[chosen], records.places[chosen], records.levels[chosen])

    def __len__(self) -> int:
        return len(self.taken)

    def planes(self, chosen: NDArray[np.int64], rng: np.random.Generator | None = None) -> Batch:
        """Return some decisions as planes; where there is a `rng`, it exchanges suits."""
        count = len(chosen)
        suits = np.tile(np.array(ROWS_OF_SUITS, np.int64), (count, 1))
        if rng is not None:
            suits = _ORDERS[rng.integers(len(_ORDERS), size=count)]
        planes = np.empty((count, PLANES, SIDE, SIDE), np.float32)
        legal, taken = np.empty((count, ACTIONS), np.float32), np.empty(count, np.int64)
        encode_states(
            self._game, self._played, self._rows(chosen), suits, self._replay, planes, legal, taken,
        )  # fmt: skip
        return _batch(planes, legal, taken)

    def features(self, chosen: NDArray[np.int64], rng: np.random.Generator | None = None) -> Batch:
        """Return some decisions as rows of features; suits are not among them."""
        count = len(chosen)
        rows = np.empty((count, FEATURES), np.float32)
        legal, taken = np.empty((count, ACTIONS), np.float32), np.empty(count, np.int64)
        features_of_states(
            self._game, self._played, self._rows(chosen), self._replay, rows, legal, taken,
        )  # fmt: skip
        return _batch(rows, legal, taken)


def _batch(
    inputs: NDArray[np.float32], legal: NDArray[np.float32], taken: NDArray[np.int64]
) -> Batch:
    barred = np.where(legal > 0, np.float32(0), np.float32(-np.inf))
    return Batch(torch.from_numpy(inputs), torch.from_numpy(barred), torch.from_numpy(taken))


def _classes(raises: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return (S,) classes of raise sizes: the nearest of POTS by ratio, NO_SIZE for none."""
    logs = np.log(np.maximum(raises, 1e-3))[:, None]
    classes: NDArray[np.int64] = 1 + np.abs(logs - np.log(RAISE_POTS)).argmin(axis=1)
    classes[raises == SMALLEST_RAISE] = SMALLEST
    classes[raises == ALL_IN_RAISE] = ALL_IN
    classes[raises < 0] = NO_SIZE
    return classes


def _left(keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return (S,) how many later decisions have the same key: hand and player."""
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    ends = np.searchsorted(ordered, ordered, side="right")
    later = np.empty(len(keys), np.int64)
    later[order] = ends - 1 - np.arange(len(keys))
    return later
