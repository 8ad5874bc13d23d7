"""Matches between compiled policies, as many as wanted: some 100 000 hands a second on a core.

Deals, button, rules and values are those of `engine.play.simulate.play_hands` with players of the
same seed; only hold'em for two is played, limit or no-limit.  In duplicate a match is played twice
over the same deals, the second time with the players' positions exchanged; as between bots at a
dealer the two seatings know nothing of each other, each has memories of its own.

Results depend on nothing but the arguments: neither on the number of threads nor on what else is
played.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np

from engine.errors import InvalidGame
from engine.parallel.halting import Halt
from engine.play.compiled_policy import CompiledPolicy, compile_family, policy_types
from engine.play.draws import seating_seed
from engine.rules.dealing import MAX_SEED
from engine.rules.dealing_blocks import DealBlocks

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from engine.equity.equity_tables_kernels import EquityTables
    from engine.parallel.threads import Progress
    from engine.play.match_kernels import PlayerRows
    from protocol.gamedef import GameDef

HANDS_AT_ONCE: Final = 4096
"""Ctrl-C waits for no more hands."""

_CARDS: Final = 9
_KEPT_ACTIONS: Final = 16 * HANDS_AT_ONCE


@dataclass(frozen=True, slots=True, eq=False)
class HandRecords:
    """What was done in the H hands of a seating."""

    actions: NDArray[np.int64]
    """(A,) raise_to << 8 | kind, hand after hand; the kinds are those of `engine.rules`."""
    ends: NDArray[np.int64]
    """(H,) where the actions of each hand end."""

    def actions_of(self, hand: int) -> list[tuple[int, int]]:
        """Return (kind, raise_to) of each action of a hand."""
        begin = self.ends[hand - 1] if hand > 0 else 0
        return [
            (int(code) & 0xFF, int(code) >> 8) for code in self.actions[begin : self.ends[hand]]
        ]


@dataclass(frozen=True, slots=True, eq=False)
class CompiledMatchResult:
    """One match of H hands in S seatings: two in duplicate, else one."""

    seed: int
    """Of the deals."""
    won: NDArray[np.float64]
    """(S, H) chips won by the first player; the second won as much less."""
    memories: tuple[tuple[NDArray[np.float64], NDArray[np.float64]], ...]
    """(S, 2) what the players remember at the end."""
    records: tuple[HandRecords, ...] | None
    """(S,) if they were wanted."""


def play_matches(
    game: GameDef,
    pairs: Sequence[tuple[CompiledPolicy, CompiledPolicy]],
    hands: int,
    seeds: int | Sequence[int],
    *,
    duplicate: bool = False,
    record: bool = False,
    tables: EquityTables | None = None,
    cards: NDArray[np.uint8] | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    stop: Callable[[], bool] | None = None,
) -> list[CompiledMatchResult]:
    """Play a match of each pair of policies.

    Args:
        pairs: the first player has position 0 in the first hand; policies of any families.
        hands: H, in each seating.
        seeds: of the deals, 0 to 2**32 - 1: one for all matches, or one for each.
        duplicate: whether to play each match in both seatings.
        record: whether to keep what was done.
        tables: `equity_tables()`, made or loaded if not given.
        cards: (H, 9) hole cards by position, then the board: what all matches are dealt instead of
            the deals of their seeds.
        threads: how many matches to play at the same time; None for one per core.
        progress: told the share of seatings that are done.
        stop: asked now and then; once it says True, this ends as after Ctrl-C.

    Raises:
        InvalidGame: the game is something else.
        ValueError: there are less than 0 hands, the seeds are none or not one for each match, or
            the cards are not those of H hands.
        TypeError: the kernels of a family do not take or return what they should.
        KeyboardInterrupt: after Ctrl-C, as soon as the hands under way are played, see `Halt`.
    """
    from engine.equity.equity_tables import equity_tables
    from engine.parallel.threads import run_blocks

    check_bulk_game(game)
    every = [seeds] * len(pairs) if isinstance(seeds, int | np.integer) else list(seeds)
    if len(every) != len(pairs):
        raise ValueError(f"{len(every)} seeds for {len(pairs)} matches")
    if hands < 0:
        raise ValueError(f"{hands} hands cannot be played")
    if cards is not None and cards.shape != (hands, _CARDS):
        raise ValueError(f"cards of shape {cards.shape}: want {(hands, _CARDS)}")
    for seed in every:
        if not 0 <= seed <= MAX_SEED:
            raise ValueError(f"seed {seed} is outside 0..{MAX_SEED}")
    for family in {policy.family for pair in pairs for policy in pair}:
        compile_family(family)
    equities = equity_tables() if tables is None else tables
    table = _Table(game, equities, hands, record, _match_kernel(equities), cards)
    seatings = range(2 if duplicate else 1)
    jobs = list(product(range(len(pairs)), seatings))
    results: list[_Seating | None] = [None] * len(jobs)

    def work(first: int, end: int) -> None:
        for job in range(first, end):
            match, seating = jobs[job]
            results[job] = table.play(pairs[match], every[match], seating, halt)

    with Halt(stop) as halt:
        run_blocks(work, len(jobs), 1, threads=threads, progress=progress)
    if any(result is None for result in results):
        raise KeyboardInterrupt
    done = iter(cast("list[_Seating]", results))
    return [_result(int(seed), [next(done) for _ in seatings], record=record) for seed in every]


def check_bulk_game(game: GameDef) -> None:
    """Refuse what bulk matches do not play.

    Raises:
        InvalidGame: not hold'em for two with the whole deck.
    """
    if game.players != 2 or not game.is_holdem:
        raise InvalidGame("bulk matches are hold'em for two, with 52 cards and four streets")


@dataclass(frozen=True, slots=True, eq=False)
class _Seating:
    won: NDArray[np.float64]
    memories: tuple[NDArray[np.float64], NDArray[np.float64]]
    records: HandRecords


@dataclass(frozen=True, slots=True, eq=False)
class _Table:
    """What all matches of a call share."""

    game: GameDef
    tables: EquityTables
    hands: int
    record: bool
    play_hands: Any
    """The compiled match."""
    cards: NDArray[np.uint8] | None
    """(H, 9) of all hands, None where the seed deals them."""

    def play(
        self, pair: tuple[CompiledPolicy, CompiledPolicy], seed: int, seating: int, halt: Halt
    ) -> _Seating | None:
        """Play one seating, a block of hands after the other; return None if halted."""
        from engine.play.match_kernels import MatchRecord, match_scratch
        from engine.rules.packed_game import pack_game

        packed, scratch = pack_game(self.game), match_scratch()
        players = (_seat(pair[0], seating), _seat(pair[1], seating))
        kernels = (*pair[0].family.kernels, *pair[1].family.kernels)
        won, ends = np.zeros(self.hands), np.zeros(self.hands, np.int64)
        room = np.empty(_KEPT_ACTIONS if self.record else 0, np.int64)
        chunks = [np.empty(0, np.int64)]
        total = 0
        deals = DealBlocks(self.game, seed)
        for first in range(0, self.hands, HANDS_AT_ONCE):
            if halt():
                return None
            stop = min(first + HANDS_AT_ONCE, self.hands)
            cards = np.empty((stop - first, _CARDS), np.uint8)
            if self.cards is not None:
                cards[:] = self.cards[first:stop]
            else:
                deals.deal(cards)
            begin = first
            while begin < stop:
                played = begin + self.play_hands(
                    packed, self.tables, cards[begin - first :], begin, seating, *kernels, players,
                    scratch, MatchRecord(room, ends[begin:stop], won[begin:stop]),
                )  # fmt: skip
                if self.record:
                    chunks.append(room[: ends[played - 1]].copy())
                    ends[begin:played] += total
                    total += len(chunks[-1])
                begin = played
        memories = (players[0].memory, players[1].memory)
        return _Seating(won, memories, HandRecords(np.concatenate(chunks), ends))


def _seat(policy: CompiledPolicy, seating: int) -> PlayerRows:
    from engine.play.match_kernels import PlayerRows

    seed = np.uint64(seating_seed(policy.seed, seating))
    return PlayerRows(policy.params, np.zeros(policy.family.memory), cast("int", seed))


def _result(seed: int, seatings: list[_Seating], *, record: bool) -> CompiledMatchResult:
    return CompiledMatchResult(
        seed,
        np.stack([seating.won for seating in seatings]),
        tuple(seating.memories for seating in seatings),
        tuple(seating.records for seating in seatings) if record else None,
    )


def _match_kernel(tables: EquityTables) -> Any:
    """Return the kernel of a match, compiled for any families."""
    from engine.compiled.jit import compile_once
    from engine.play.match_kernels import (
        MatchRecord,
        PlayerRows,
        match_scratch,
        play_dealt_rows,
    )

    row = np.zeros(1)
    player = PlayerRows(row, row, cast("int", np.uint64(0)))
    whole, real = np.zeros(1, np.int64), np.zeros(1)
    cards = np.zeros((1, _CARDS), np.uint8)
    compile_once(
        play_dealt_rows, whole, tables, cards, 0, 0, *policy_types(), *policy_types(),
        (player, player), match_scratch(), MatchRecord(whole, whole, real),
    )  # fmt: skip
    return play_dealt_rows
