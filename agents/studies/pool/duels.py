"""Matches of two agents of the roster in one process, in duplicate, kept in a file as they end.

Two compiled agents play a bulk match; where one is a bot that only plays at a table, both sit at
tables in this process.  Deals and, where the opponent changes, how it plays follow from the seed
and its name alone: a duel has the same result whenever and beside whatever it is played, and all
who meet an opponent meet it with the same deals.  A duel may consist of several matches, at each of
which both sit down anew; then a match is a sample, for what is won from somebody who learns in the
course of a match depends on all hands before.

The file has a line of JSON for each duel that is over.  Whoever wants some duels plays those that
are not in it; so measurements that were left are resumed, and studies share what they have in
common.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from agents.errors import AgentError
from agents.roster.bots import find_agent
from agents.studies.pool.crosstable import pool_seed, samples_of
from engine.estimates.winrate import WinRate, half_interval, win_rate
from engine.parallel.processes import in_order
from engine.play.compiled_match import play_matches
from engine.play.learners import play_tables, rotations
from engine.storage.atomic import check_writable, write_whole
from engine.storage.documents import json_document

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from protocol.gamedef import GameDef

BLOCK: Final = 250
"""Deals, each from both seats, whose mean is kept: 500 hands, as the article's curves have them."""


_BEGINNING: Final = '{"one": '
"""Of each line."""
_MOST_MBB: Final = 1e9
_MOST_HANDS: Final = 10**12
_DAMAGE: Final = (
    ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError,
)  # fmt: skip


class Duel(NamedTuple):
    """Who meets whom, and over how many deals."""

    one: str
    other: str
    deals: int
    """Each played from both seats."""
    seed: int
    match: int = 0
    """Deals of a match, after which both sit down anew; 0: all deals are one match."""


@dataclass(frozen=True, slots=True)
class DuelResult:
    """What the first of two agents won."""

    duel: Duel
    rate: WinRate
    blocks: tuple[float, ...]
    """Its mbb/h in each `BLOCK` of deals, in their order."""
    seconds: float

    def facts(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        return {
            **self.duel._asdict(),
            "mbb_per_hand": self.rate.mbb_per_hand,
            "ci95": self.rate.ci95,
            "sd": self.rate.sd,
            "samples": self.rate.samples,
            "hands": self.rate.hands,
            "blocks": [round(block, 2) for block in self.blocks],
            "seconds": round(self.seconds, 2),
        }


def paired_gain(one: DuelResult, other: DuelResult) -> tuple[float, float]:
    """Return what the first wins more than the second from one opponent, and its 95 % interval.

    In mbb/h, over the blocks of both, two at a time, so that whole periods of one who changes every
    500 hands are compared; infinite below two such pairs.

    Raises:
        ValueError: they met different opponents or deals.
    """
    if one.duel[1:] != other.duel[1:]:
        raise ValueError(f"{one.duel} and {other.duel} are not of the same deals")
    whole = len(one.blocks) // 2 * 2
    gains = np.subtract(one.blocks, other.blocks)[:whole].reshape(-1, 2).mean(axis=1)
    mean = one.rate.mbb_per_hand - other.rate.mbb_per_hand
    if len(gains) < 2:
        return mean, math.inf
    return mean, half_interval(float(gains.std(ddof=1)), len(gains))


class LedgerDamaged(AgentError):
    """A file of duels cannot be read as one."""

    exit_code = 2


class DuelLedger:
    """The file of duels of a game."""

    def __init__(self, path: Path, game: GameDef) -> None:
        """Take what is in the file; it is made at the first duel if it is not there.

        Raises:
            LedgerDamaged: it holds something else; a last line that was cut off is dropped.
            OSError: it cannot be read or written.
        """
        check_writable(path)
        self._path = path
        self._game = game
        self._known: dict[Duel, DuelResult] = {}
        if path.exists():
            self._read()

    def play(self, duels: Sequence[Duel], jobs: int = 1) -> Iterator[DuelResult]:
        """Yield the result of each duel, played or known, as soon as all before it are there.

        Raises:
            AgentError: an agent is none, or does not play the game.
            OSError: the file cannot be written.
        """
        todo = [duel for duel in dict.fromkeys(duels) if duel not in self._known]
        played = in_order(_DuelPlayer, (self._game,), todo, min(jobs, max(len(todo), 1)))
        for duel in duels:
            if duel not in self._known:
                self._keep(next(played))
            yield self._known[duel]

    def known(self) -> list[DuelResult]:
        """Return all that are in the file, in its order."""
        return list(self._known.values())

    def _keep(self, result: DuelResult) -> None:
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(result.facts()) + "\n")
        self._known[result.duel] = result

    def _read(self) -> None:
        text = self._path.read_text(encoding="utf-8", errors="replace")
        whole, _, rest = text.rpartition("\n")
        for number, line in enumerate(whole.split("\n") if whole else (), 1):
            try:
                result = _result(json_document(line))
            except _DAMAGE as error:
                raise LedgerDamaged(f"{self._path}, line {number}: no duel: {error}") from error
            self._known[result.duel] = result
        if rest:
            self._end(rest, whole)

    def _end(self, rest: str, whole: str) -> None:
        """Keep a last line that lacks its end alone, drop one that was cut off."""
        kept = whole + "\n" if whole else ""
        try:
            result = _result(json_document(rest))
        except _DAMAGE as error:
            if not rest.startswith(_BEGINNING[: len(rest)]):
                raise LedgerDamaged(f"{self._path}, last line: no duel") from error
        else:
            self._known[result.duel] = result
            kept += rest + "\n"
        write_whole(self._path, kept)


def _result(told: dict[str, Any]) -> DuelResult:
    """Return what a line tells.

    Raises:
        ArithmeticError, AttributeError, LookupError, TypeError, ValueError: it tells no duel.
    """
    rate = WinRate(
        float(told["mbb_per_hand"]),
        float(told["ci95"]),
        float(told["sd"]),
        int(told["samples"]),
        int(told["hands"]),
    )
    duel = Duel(
        str(told["one"]),
        str(told["other"]),
        int(told["deals"]),
        int(told["seed"]),
        int(told.get("match", 0)),
    )
    blocks = tuple(map(float, told["blocks"]))
    numbers = (rate.mbb_per_hand, *blocks)
    counts = (rate.samples, rate.hands)
    if (
        not all(abs(number) < _MOST_MBB for number in numbers)
        or not all(0 <= count < _MOST_HANDS for count in counts)
        or math.isnan(rate.ci95)
    ):
        raise ValueError("a rate that nobody wins")
    if len(blocks) != duel.deals // BLOCK:
        raise ValueError(f"{len(blocks)} blocks of {duel.deals} deals")
    return DuelResult(duel, rate, blocks, float(told["seconds"]))


class _DuelPlayer:
    """Plays duels in one process."""

    def __init__(self, game: GameDef) -> None:
        self._game = game

    def __call__(self, duel: Duel) -> DuelResult:
        begun = perf_counter()
        won = play_duel(self._game, duel)
        big_blind = self._game.big_blind
        period = max(find_agent(name).period for name in (duel.one, duel.other))
        block = duel.match or min(period, duel.deals)
        rate = win_rate(samples_of(won, block), big_blind, hands_per_sample=2 * block)
        means = samples_of(won, BLOCK) if duel.deals >= BLOCK else np.zeros(0)
        blocks = tuple((1000 / big_blind * means).tolist())
        return DuelResult(duel, rate, blocks, perf_counter() - begun)


def play_duel(game: GameDef, duel: Duel) -> NDArray[np.float64]:
    """Return (2, H) chips that the first agent won in each hand of both seatings.

    Raises:
        AgentError: an agent is none, or does not play the game.
        ValueError: there are no deals, or the seed is negative.
    """
    if duel.deals < 1 or duel.seed < 0:
        raise ValueError(f"{duel.deals} deals from seed {duel.seed}: want 1 or more, 0 or more")
    length = duel.match or duel.deals
    if length < 0 or duel.deals % length:
        raise ValueError(f"{duel.deals} deals in matches of {length}: want whole matches")
    names = [f"{duel.other} {number}" for number in range(1, duel.deals // length)]
    begun = [pool_seed(duel.seed, name) >> 1 for name in (duel.other, *names)]
    one, other = find_agent(duel.one), find_agent(duel.other)
    if one.compiled is not None and other.compiled is not None:
        pairs = [
            (one.compiled_policy(game, seed), other.compiled_policy(game, seed + 1))
            for seed in begun
        ]
        results = play_matches(game, pairs, length, begun, duplicate=True)
        return np.concatenate([result.won for result in results], axis=1)
    tables = rotations([one.build, other.build])
    won = [play_tables(game, seed, length, tables)[:, :, 0].T for seed in begun]
    return np.concatenate(won, axis=1)
