"""Records of some logs, as a shard of `arena data cnn` keeps them, and those of all logs joined.

Logs are read one by one, so what a log gives does not depend on those before it; only its hands and
matches are numbered on.  A shard's file is one of records whose `made` also tells where each of its
logs ends, and what was left out of it.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from agents.errors import TrainingError
from agents.poker_cnn.cnn_records import SUFFIX, CnnRecords
from agents.poker_cnn.reading import MOST_MESSAGES, Cleaning
from engine.console.shard_records import unfinished

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from engine.console.shard_records import StoredShard
    from engine.parallel.shards import Shard

_LOGS: Final = "shard"
_COUNTS: Final = ("learned", "others", "revalued", "dropped")


class _LogRecords(NamedTuple):
    """What one log gave; its matches and hands are numbered from 0."""

    records: CnnRecords
    messages: list[str]


def save_part(folder: Path, shard: Shard, records: CnnRecords, cleaning: Cleaning) -> None:
    """Write the records of a shard's logs.

    Raises:
        OSError: they cannot be written.
    """
    logs = {
        "ends": cleaning.log_ends,
        "messages": cleaning.messages,
        **{name: getattr(cleaning, name) for name in _COUNTS},
    }
    replace(records, made={**records.made, _LOGS: logs}).save(_file_of(folder, shard))


def join_parts(shards: Sequence[StoredShard]) -> tuple[CnnRecords, Cleaning]:
    """Return the records of all shards, log by log, and what was left out of them.

    Args:
        shards: all, in their order.

    Raises:
        ShardError: a shard is not over.
        TrainingError: its file is damaged.
    """
    cleaning = Cleaning()
    parts: list[list[_LogRecords]] = []
    made: dict[str, Any] = {}
    for stored in shards:
        path = _file_of(stored.folder, stored.record.shard)
        if not path.exists():
            raise unfinished(stored.record.shard, f"no {path}")
        records = CnnRecords.load(path)
        made = dict(records.made)
        try:
            logs = made.pop(_LOGS)
            parts.append([*_by_log(records, logs)])
            for name in _COUNTS:
                setattr(cleaning, name, getattr(cleaning, name) + int(logs[name]))
        except (LookupError, TypeError, ValueError) as error:
            raise TrainingError(f"{path}: damaged: {error}") from error
    in_order = [
        logs[turn] for turn in range(max(map(len, parts))) for logs in parts if turn < len(logs)
    ]
    messages = [message for log in in_order for message in log.messages]
    cleaning.messages = messages[:MOST_MESSAGES]
    return replace(_joined([log.records for log in in_order]), made=made), cleaning


def _file_of(folder: Path, shard: Shard) -> Path:
    return folder / f"{shard.name}{SUFFIX}"


def _by_log(records: CnnRecords, logs: dict[str, Any]) -> Iterator[_LogRecords]:
    """Yield the records of each log of a shard."""
    begins = np.concatenate(([0], records.ends))
    for (match, message), (match_end, message_end) in pairwise([(0, 0), *logs["ends"]]):
        first, end = np.searchsorted(np.maximum.accumulate(records.sessions), [match, match_end])
        state, state_end = np.searchsorted(records.hands, [first, end])
        yield _LogRecords(
            CnnRecords(
                game=records.game,
                cards=records.cards[first:end],
                actions=records.actions[begins[first] : begins[end]],
                ends=records.ends[first:end] - begins[first],
                won=records.won[first:end],
                sessions=records.sessions[first:end] - np.int32(match),
                hands=records.hands[state:state_end] - np.uint32(first),
                places=records.places[state:state_end],
                levels=records.levels[state:state_end],
                session_names=records.session_names[match:match_end],
            ),
            logs["messages"][message:message_end],
        )


def _joined(logs: Sequence[CnnRecords]) -> CnnRecords:
    """Return the records of logs one behind the other; matches and hands are numbered on."""
    for log in logs:
        if log.game != logs[0].game:
            raise TrainingError("the shards are of several games; all logs have to be of one")
    lengths = np.concatenate([np.diff(log.ends, prepend=0) for log in logs])
    matches = np.cumsum([0, *(len(log.session_names) for log in logs)])
    hands = np.cumsum([0, *(len(log.ends) for log in logs)])
    return CnnRecords(
        game=logs[0].game,
        cards=np.concatenate([log.cards for log in logs]),
        actions=np.concatenate([log.actions for log in logs]),
        ends=np.cumsum(lengths),
        won=np.concatenate([log.won for log in logs]),
        sessions=np.concatenate(
            [log.sessions + np.int32(at) for log, at in zip(logs, matches, strict=False)]
        ),
        hands=np.concatenate(
            [log.hands + np.uint32(at) for log, at in zip(logs, hands, strict=False)]
        ),
        places=np.concatenate([log.places for log in logs]),
        levels=np.concatenate([log.levels for log in logs]),
        session_names=tuple(name for log in logs for name in log.session_names),
    )
