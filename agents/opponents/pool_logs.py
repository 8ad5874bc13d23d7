"""Match logs of the pool: every bot against every other, one ACPC log a pair, as a dealer has it.

A folder of logs gets a file ONE.OTHER.log for each pair: header, a STATE line a hand, SCORE line.
The same seed gives a pair the same log to the byte, whoever else takes part.  A log is written
under another name and then put in place, so that a command that was stopped goes on where it was: a
log that is there, of the same match and whole, is kept.  One that ends too early, as a crash of the
machine may leave it, is written anew; whatever else is in a file's place is left alone, and named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, cycle
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple
from zlib import crc32

import numpy as np

from agents.errors import AgentError
from engine.console.output import tell
from engine.console.shard_records import unfinished
from engine.parallel.shards import Shard
from engine.play.compiled_match import check_bulk_game, play_matches
from engine.play.record import state_lines
from engine.storage.atomic import replacing, write_whole
from protocol.errors import MalformedLogLine
from protocol.gamedef import format_gamedef
from protocol.gamedefs import builtin_names, load_builtin
from protocol.handlog import (
    HandRecord,
    Header,
    Score,
    format_chips,
    format_header,
    format_score,
    parse_log_line,
)

if TYPE_CHECKING:
    from agents.roster.spec import AgentSpec
    from engine.console.shard_records import StoredShard
    from engine.play.compiled_match import CompiledMatchResult
    from protocol.gamedef import GameDef

GAME_FILE: Final = "pool.game"
"""The game's definition is in the folder where the game is not a built-in one."""


class LogInTheWay(AgentError):
    """A file that is to be written holds something else."""

    exit_code = 2


class PairLog(NamedTuple):
    """The log of a pair."""

    path: Path
    was_there: bool
    """Whether it was there already."""


class _Pair(NamedTuple):
    first: AgentSpec
    second: AgentSpec
    header: str
    path: Path
    hands: int
    seed: int


def write_logs(
    folder: Path,
    bots: Sequence[AgentSpec],
    game: GameDef,
    hands: int,
    seed: int,
    say: Callable[[str], None] = tell,
    shard: Shard | None = None,
) -> Iterator[PairLog]:
    """Yield the log of every pair as soon as it is there.

    Args:
        folder: where they go; made if it is not there.
        bots: 2 or more, each of another name.
        game: hold'em for two.
        hands: of each match, 1 or more; the first player of a pair has position 0 in the first.
        seed: of all deals and draws, 0 or more.
        say: told of each log that ends too early and is written anew.
        shard: whose pairs are played; None: all.

    Raises:
        AgentError: a bot does not play this game.
        InvalidGame: the game is none for two.
        LogInTheWay: the folder holds a file of one of the names, which is of another match or
            holds what is not of a match.
        OSError: the folder cannot be written.
        ValueError: there are no hands, or the seed is negative.
    """
    if hands < 1 or seed < 0:
        raise ValueError(f"{hands} hands from seed {seed}: want 1 or more, and a seed from 0 on")
    check_bulk_game(game)
    pairs = [*(shard or Shard()).part(_pairs(folder, bots, game, hands, seed))]
    earlier = {pair.path for pair in pairs if _is_there(pair, say)}
    policies = {bot.name: bot.compiled_policy(game, pool_seed(seed, bot.name)) for bot in bots}
    _begin_folder(folder, game)
    for pair in pairs:
        if pair.path not in earlier:
            players = (policies[pair.first.name], policies[pair.second.name])
            (result,) = play_matches(game, [players], hands, pair.seed, record=True, threads=1)
            _write(pair, game, result)
        yield PairLog(pair.path, pair.path in earlier)


def join_logs(
    shards: Sequence[StoredShard],
    folder: Path,
    bots: Sequence[AgentSpec],
    game: GameDef,
    hands: int,
    seed: int,
) -> int:
    """Copy the logs of all shards into one folder; return how many there are.

    Args and errors as for `write_logs`, and:

    Args:
        shards: all, in their order.

    Raises:
        ShardError: a shard has not all of its logs.
    """
    pairs = [*_pairs(folder, bots, game, hands, seed)]
    sources = [
        (pair._replace(path=stored.folder / pair.path.name), stored.record.shard)
        for pair, stored in zip(pairs, cycle(shards), strict=False)
    ]
    for source, shard in sources:
        if not _is_there(source, lambda _: None):
            raise unfinished(shard, f"no whole {source.path}")
    _begin_folder(folder, game)
    for pair, (source, _) in zip(pairs, sources, strict=True):
        if not _is_there(pair, tell):
            write_whole(pair.path, source.path.read_bytes())
    return len(pairs)


def _pairs(
    folder: Path, bots: Sequence[AgentSpec], game: GameDef, hands: int, seed: int
) -> Iterator[_Pair]:
    for first, second in combinations(bots, 2):
        deals = pool_seed(seed, first.name, second.name)
        name = f"{first.name}.{second.name}"
        header = format_header(Header(name, _name_of(game) or GAME_FILE, hands, deals))
        yield _Pair(first, second, header, folder / f"{name}.log", hands, deals)


def _begin_folder(folder: Path, game: GameDef) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    if _name_of(game) is None:
        _write_game(folder / GAME_FILE, game)


def pool_seed(seed: int, *names: str) -> int:
    """Return a seed, below 2**32, of one bot or one pair."""
    sequence = np.random.SeedSequence([seed, *(crc32(name.encode()) for name in names)])
    return int(sequence.generate_state(1)[0])


def _write(pair: _Pair, game: GameDef, result: CompiledMatchResult) -> None:
    names = (pair.first.name, pair.second.name)
    total = float(result.won[0].sum())
    score = Score((format_chips(total), format_chips(-total)), names)
    with replacing(pair.path) as file:
        file.write(f"{pair.header}\n".encode())
        file.writelines(f"{line}\n".encode() for line in state_lines(game, result, names))
        file.write(f"{format_score(score)}\n".encode())


def _is_there(pair: _Pair, say: Callable[[str], None]) -> bool:
    """Return whether the whole log of a pair is there.

    Raises:
        LogInTheWay: what is there is not of this match.
        OSError: it cannot be read.
    """
    try:
        with pair.path.open(encoding="utf-8", errors="surrogateescape", newline="\n") as file:
            missing = _missing(pair, file)
    except FileNotFoundError:
        return False
    if missing is not None:
        say(f"{pair.path} {missing}: it is written anew")
    return missing is None


def _missing(pair: _Pair, lines: Iterator[str]) -> str | None:
    """Return where the log of a pair ends too early, in words; None for a whole one.

    Raises:
        LogInTheWay: a line is none of this match.
    """
    header = next(lines, "")
    if not header:
        return "is empty"
    if header != f"{pair.header}\n":
        if not f"{pair.header}\n".startswith(header):
            raise LogInTheWay(f"{pair.path} is there already, and not of this match: {pair.header}")
        return "ends within its header"
    hands = 0
    whole = False
    for number, line in enumerate(lines, 2):
        if not line.endswith("\n") and _may_begin(line) and not whole:
            break
        record = _record(line)
        if isinstance(record, HandRecord) and record.hand_id == hands < pair.hands and not whole:
            hands += 1
        elif isinstance(record, Score) and hands == pair.hands and not whole:
            whole = True
        else:
            raise LogInTheWay(
                f"{pair.path} is damaged: line {number} is none of this match; remove it, and it "
                "is written anew"
            )
    return None if whole else f"ends after {hands:,} of {pair.hands:,} hands"


def _may_begin(piece: str) -> bool:
    """Return whether a line that a crash cut short may have begun like this."""
    written = piece.rstrip("\0")
    return any(written[: len(word)] == word[: len(written)] for word in ("STATE:", "SCORE:"))


def _record(line: str) -> HandRecord | Score | None:
    """Return what a line of a log says of its hands; None for any other line."""
    try:
        record = parse_log_line(line)
    except MalformedLogLine:
        return None
    return record if isinstance(record, HandRecord | Score) else None


def _write_game(path: Path, game: GameDef) -> None:
    text = format_gamedef(game)
    try:
        if path.read_text(encoding="utf-8", errors="replace") != text:
            raise LogInTheWay(f"{path} is there already, and holds another game")
    except FileNotFoundError:
        write_whole(path, text)


def _name_of(game: GameDef) -> str | None:
    """Return the file name of a built-in game; None where it is none."""
    return next((f"{name}.game" for name in builtin_names() if load_builtin(name) == game), None)
