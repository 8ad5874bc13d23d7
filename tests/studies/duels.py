"""Matches of two agents of the roster in one process, in duplicate, kept in a file as they end.

Two compiled agents play a bulk match; where one is a bot that only plays at a table, both sit at
tables in this process.  Deals and, where the opponent changes, how it plays follow from the seed
and its name alone: a duel has the same result whenever and beside whatever it is played, and all
who meet an opponent meet it with the same deals.  A duel may consist of several matches, at each of
which both sit down anew; then a match is a sample, for what is won from somebody who learns in the
course of a match depends on all hands before.

The ledger in the work folder has a line of JSON for each duel that is over; a study plays those
that are not in it.
"""

from __future__ import annotations

import json
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from agents.opponents.pool_logs import pool_seed
from agents.roster.words import chosen_bot
from engine.console.output import tell
from engine.estimates.winrate import win_rate
from engine.parallel.processes import in_order
from engine.play.compiled_match import play_matches
from engine.play.learners import play_tables, rotations
from protocol.gamedefs import load_builtin
from tests.studies.frame import finite
from tests.studies.pool import samples_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from protocol.gamedef import GameDef

GAME: Final = "hunl"
BLOCK: Final = 250
"""Deals, each from both seats, whose mean is kept: 500 hands, as the article's curves have them."""
MATCH: Final = 500
"""Deals of a match with somebody who learns, from both seats; after it all is forgotten.  Knowledge
bots may lead themselves astray in long matches, where big bets won several times as much from
them."""


class Duel(NamedTuple):
    """Who meets whom, and over how many deals."""

    one: str
    other: str
    deals: int
    """Each played from both seats."""
    seed: int
    match: int = 0
    """Deals of a match, after which both sit down anew; 0: all deals are one match."""
    game: str = GAME
    """A built-in one."""


def play_duels(duels: Iterable[Duel], work: Path, jobs: int) -> list[dict[str, Any]]:
    """Return what was won in each duel, see `_DuelPlayer`; those of the ledger are not played.

    Raises:
        AgentError: an agent is none, or does not play the game.
        OSError: the ledger cannot be read or written.
        ValueError: its lines tell no duels; one that was cut off is dropped.
    """
    work.mkdir(parents=True, exist_ok=True)
    ledger = work / "duels.jsonl"
    results = _ledger_duels(ledger)
    wanted = list(dict.fromkeys(duels))
    missing = [duel for duel in wanted if duel not in results]
    played = in_order(_DuelPlayer, (), missing, min(jobs, max(len(missing), 1)))
    for done, (duel, row) in enumerate(zip(missing, played, strict=True), 1):
        with ledger.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
        results[duel] = row
        won = f"{row['mbb_per_hand']:,.0f} mbb/h ({row['seconds']:.0f} s)"
        tell(f"{done} of {len(missing)}: {duel.one} - {duel.other} {won}")
    return [results[duel] for duel in wanted]


def _ledger_duels(ledger: Path) -> dict[Duel, dict[str, Any]]:
    """Return the duels of a ledger; a last line without its end is removed from the file."""
    if not ledger.exists():
        return {}
    text = ledger.read_text(encoding="utf-8")
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        ledger.write_text(whole, encoding="utf-8")
    try:
        rows = [json.loads(line) for line in whole.splitlines()]
        defaults = Duel._field_defaults
        return {
            Duel(*(row.get(name, defaults.get(name, 0)) for name in Duel._fields)): row
            for row in rows
        }
    except (AttributeError, ValueError) as error:
        raise ValueError(f"{ledger}: a line tells no duel: {error}") from error


class _DuelPlayer:
    """Plays duels in one process."""

    def __call__(self, duel: Duel) -> dict[str, Any]:
        """Return what the first of the two won, the mean of each BLOCK in `blocks`; in mbb/h."""
        begun = perf_counter()
        game = load_builtin(duel.game)
        won = play_duel(game, duel)
        big_blind = game.big_blind
        period = max(chosen_bot(name).period for name in (duel.one, duel.other))
        block = duel.match or min(period, duel.deals)
        rate = win_rate(samples_of(won, block), big_blind, hands_per_sample=2 * block)
        means = samples_of(won, BLOCK) if duel.deals >= BLOCK else np.zeros(0)
        blocks = (1000 / big_blind * means).tolist()
        return {
            **duel._asdict(),
            "mbb_per_hand": rate.mbb_per_hand,
            "ci95": finite(rate.ci95),
            "sd": finite(rate.sd),
            "samples": rate.samples,
            "hands": rate.hands,
            "blocks": [round(block, 2) for block in blocks],
            "seconds": round(perf_counter() - begun, 2),
        }


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
    one, other = chosen_bot(duel.one), chosen_bot(duel.other)
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
