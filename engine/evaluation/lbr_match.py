"""Local best response measured over a match: the same deals from both seats, on several processes.

Pair i deals hand i of the match with the given seed and plays it twice on the same board: LBR in
position 0 with its cards, then in position 1 with those of position 1.  Every
hand has its own generator, named by seed, pair and position: the result does not depend on the
number of processes, and a measurement may be cut into ranges of pairs that are joined later.

With `holes` above 1 LBR plays each board and position with so many hands, drawn evenly, and what is
kept is their mean.  All draw the opponent's actions with the same numbers, so many of them meet the
same public play, which a strategy that searches then solves once.

With `ALL_HOLES` it plays all of them at once, as in `lbr_range`.  Only boards and lines are drawn.

    won   (N, 2)            float64  chips that LBR won from each position; `lbr_hand.HandValue`
    luck  (N, 2, LUCK_WIDTH) float64 what of it was luck, 0 on the mean; see `lbr_hand`
    tally (N, 2, S, TALLY_WIDTH) float64  what happened on each street
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.evaluation.lbr import LocalBestResponse
from engine.evaluation.lbr_hand import (
    LUCK_WIDTH,
    TALLY_WIDTH,
    Draw,
    HandValue,
    LbrSeat,
    play_lbr_hand,
)
from engine.evaluation.lbr_range import play_lbr_range
from engine.evaluation.lbr_settings import LbrSettings
from engine.hands.cards import COMBOS
from engine.parallel.processes import in_order
from engine.rules.dealing import Deal, DealStream
from protocol.gamedef import GameDef

if TYPE_CHECKING:
    from engine.betting.policy import GamePolicy
    from engine.parallel.cluster import Cluster

POSITIONS: Final = 2
_PAIRS_AT_ONCE: Final = 16
"""Fewer are taken where many hands are played on each board."""
_STREAM: Final = 0x4C4252
"""Keeps LBR's generators apart from others that use the same seed."""
_HOLES_STREAM: Final = 1
MOST_HOLES: Final = 1081
ALL_HOLES: Final = COMBOS
"""Hands of LBR on each board and position: all of them, weighed by what may meet them."""
_MERGE_KEYS: Final = ("game", "settings", "seed", "holes")


@dataclass(frozen=True, slots=True)
class LbrSamples:
    """N consecutive pairs; see the module's table."""

    game: GameDef
    settings: LbrSettings
    seed: int
    first_pair: int
    won: NDArray[np.float64]
    luck: NDArray[np.float64]
    tally: NDArray[np.float64]
    holes: int = 1
    """Hands that each number is a mean of."""

    @property
    def pairs(self) -> int:
        """Number of pairs."""
        return len(self.won)


class MeasuringWorkers(NamedTuple):
    """Workers that measure a strategy, and how they get it: it may be too large to be sent."""

    cluster: Cluster
    open_policy: Callable[..., GamePolicy]
    """A function of a module."""
    arguments: tuple[Any, ...]
    """Of the function."""


class LbrProgress(NamedTuple):
    """How far a measurement is."""

    pairs: int
    """Done."""
    of_pairs: int
    mbb_per_hand: float
    """The plain mean up to now, luck included."""


def measure(
    lbr: LocalBestResponse,
    pairs: int,
    seed: int,
    *,
    first_pair: int = 0,
    workers: int = 1,
    holes: int = 1,
    progress: Callable[[LbrProgress], None] | None = None,
) -> LbrSamples:
    """Play pairs of hands, 2 * `pairs` in all.

    Args:
        pairs: N, how many.
        seed: of the deals and of the opponent's actions, 0 to 2**32 - 1.
        first_pair: hand of the match that the first pair deals.
        workers: processes; with one, all is played in this process.  With more, new interpreters
            are started (so a script must guard its main part), and each gets a pickle of `lbr`.
        holes: hands that LBR is dealt on each board and position, 1 to `MOST_HOLES`, or
            `ALL_HOLES`.
        progress: called now and then as pairs are done, in order.

    Raises:
        ValueError: a number is out of range, or the policy is none.
    """
    parts: list[LbrSamples] = []
    done, total = 0, 0.0
    for part in measured_parts(
        lbr, pairs, seed, first_pair=first_pair, workers=workers, holes=holes
    ):
        parts.append(part)
        done += part.pairs
        total += float(part.won.sum())
        if progress is not None:
            mean = 1000 * total / (POSITIONS * done * lbr.game.big_blind)
            progress(LbrProgress(done, pairs, mean))
    return join_samples(parts)


def measured_parts(
    lbr: LocalBestResponse,
    pairs: int,
    seed: int,
    *,
    first_pair: int = 0,
    workers: int = 1,
    holes: int = 1,
) -> Iterator[LbrSamples]:
    """Yield what `measure` plays part by part, each as soon as it and those before it are played.

    Args and errors as for `measure`.
    """
    if workers < 1:
        raise ValueError(f"{workers} workers")
    blocks = pair_blocks(range(first_pair, first_pair + pairs), holes)
    return measured_blocks(lbr, blocks, seed, workers=workers, holes=holes)


def pair_blocks(pairs: range, holes: int = 1) -> list[tuple[int, int]]:
    """Return the first pair and the number of pairs of each part that is played at once.

    Raises:
        ValueError: a number is out of range.
    """
    if not pairs or pairs.start < 0 or not (1 <= holes <= MOST_HOLES or holes == ALL_HOLES):
        raise ValueError(
            f"{len(pairs)} pairs from pair {pairs.start} on with {holes} hands a board, of "
            f"{MOST_HOLES}"
        )
    at_once = max(1, _PAIRS_AT_ONCE // holes)
    return [
        (first, min(at_once, pairs.stop - first))
        for first in range(pairs.start, pairs.stop, at_once)
    ]


def measured_blocks(
    lbr: LocalBestResponse,
    blocks: Sequence[tuple[int, int]],
    seed: int,
    *,
    workers: int = 1,
    holes: int = 1,
    elsewhere: MeasuringWorkers | None = None,
) -> Iterator[LbrSamples]:
    """Yield some blocks of pairs, in their order; see `pair_blocks`.

    Args:
        elsewhere: who plays in place of processes of this machine.

    Raises:
        WorkersFailed: they do not.
    """
    if elsewhere is None:
        return in_order(_player, (lbr, seed, holes), blocks, workers)
    return in_order(
        _player_elsewhere,
        (elsewhere.open_policy, elsewhere.arguments, lbr.settings, seed, holes),
        blocks,
        workers,
        cluster=elsewhere.cluster,
        alike=_same_samples,
    )


def join_samples(parts: list[LbrSamples]) -> LbrSamples:
    """Return samples that go on from each other as one.

    Raises:
        ValueError: there are none, or they do not go on from each other.
    """
    if not parts:
        raise ValueError("no samples to join")
    first = parts[0]
    upto = first.first_pair
    for part in parts:
        same = all(getattr(part, name) == getattr(first, name) for name in _MERGE_KEYS)
        if not same or part.first_pair != upto:
            raise ValueError(f"samples from pair {part.first_pair} on do not follow pair {upto}")
        upto += part.pairs
    return LbrSamples(
        first.game,
        first.settings,
        first.seed,
        first.first_pair,
        np.concatenate([part.won for part in parts]),
        np.concatenate([part.luck for part in parts]),
        np.concatenate([part.tally for part in parts]),
        first.holes,
    )


def play_lbr_pairs(
    lbr: LocalBestResponse, seed: int, first: int, pairs: int, holes: int = 1
) -> LbrSamples:
    """Play some pairs in this process.

    Raises:
        ValueError: the seed is out of range, or the policy is none.
    """
    won = np.zeros((pairs, POSITIONS))
    luck = np.zeros((pairs, POSITIONS, LUCK_WIDTH))
    tally = np.zeros((pairs, POSITIONS, lbr.game.streets, TALLY_WIDTH))
    deals = DealStream(lbr.game, seed)
    deals.skip(first)
    for row, deal in enumerate(islice(deals, pairs)):
        for position in range(POSITIONS):
            name = (_STREAM, seed, first + row, position)
            hands = _hands(lbr, deal, position, holes, name)
            for hand in hands:
                won[row, position] += hand.won / len(hands)
                luck[row, position] += hand.luck / len(hands)
                tally[row, position] += hand.tally / len(hands)
    return LbrSamples(lbr.game, lbr.settings, seed, first, won, luck, tally, holes)


def _hands(
    lbr: LocalBestResponse, deal: Deal, position: int, holes: int, name: tuple[int, ...]
) -> list[HandValue]:
    """Return what is won on a board, from one position; all hands together are one value."""
    if holes == ALL_HOLES:
        draw = drawing(np.random.default_rng(name))
        return [play_lbr_range(lbr, position, deal.board, draw)]
    return [
        play_lbr_hand(
            lbr, LbrSeat(position, hole, deal.board), drawing(np.random.default_rng(name))
        )
        for hole in _holes(lbr.game, deal, position, holes, name)
    ]


def _holes(
    game: GameDef, deal: Deal, position: int, count: int, name: tuple[int, ...]
) -> list[Sequence[int]]:
    """Return the hand of a position, then others that the board leaves, drawn without repeats."""
    dealt = deal.holes[position]
    if count == 1:
        return [dealt]
    deck = [card for card in game.deck if card not in deal.board]
    others = [pair for pair in combinations(deck, 2) if set(pair) != set(dealt)]
    drawn = np.random.default_rng((*name, _HOLES_STREAM)).choice(
        len(others), count - 1, replace=False
    )
    return [dealt, *(others[number] for number in drawn)]


def drawing(generator: np.random.Generator) -> Draw:
    """Return a `Draw` by inverting the sums of the probabilities; one number a draw."""

    def draw(probabilities: NDArray[np.float64]) -> int:
        upto = np.cumsum(probabilities)
        drawn = int(np.searchsorted(upto, generator.random() * upto[-1], side="right"))
        return min(drawn, int(np.flatnonzero(probabilities)[-1]))

    return draw


def _player(
    lbr: LocalBestResponse, seed: int, holes: int
) -> Callable[[tuple[int, int]], LbrSamples]:
    return lambda block: play_lbr_pairs(lbr, seed, *block, holes)


def _player_elsewhere(
    open_policy: Callable[..., GamePolicy],
    arguments: tuple[Any, ...],
    settings: LbrSettings,
    seed: int,
    holes: int,
) -> Callable[[tuple[int, int]], LbrSamples]:
    policy = open_policy(*arguments)
    return _player(LocalBestResponse(policy, policy.game, settings), seed, holes)


def _same_samples(sent: LbrSamples, here: LbrSamples) -> bool:
    same = all(getattr(sent, name) == getattr(here, name) for name in (*_MERGE_KEYS, "first_pair"))
    arrays = ("won", "luck", "tally")
    return same and all(np.array_equal(getattr(sent, n), getattr(here, n)) for n in arrays)
