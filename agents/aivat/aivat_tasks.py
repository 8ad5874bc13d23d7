"""What `arena aivat` does once its arguments are read."""

from __future__ import annotations

import argparse
import sys
import threading
import time
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import numpy as np

from agents.aivat.beside import estimate_beside, hands_left
from agents.aivat.estimating import EstimateConfig, estimated_hands, value_function
from agents.aivat.fitting import visited_nodes
from agents.aivat.known import (
    SIT_IN,
    BotOfName,
    check_named,
    check_played,
    known_of_matches,
    players_of,
)
from agents.aivat.rows import head_text, row_text
from agents.aivat.strategy_reports import ToldFile
from agents.errors import AgentError
from agents.training.logs import find_logs, read_hands, source_of
from engine.aivat.equity_values import save_values, shipped_values
from engine.aivat.fitting import fit_lines
from engine.console.exit_codes import INTERRUPTED
from engine.console.output import tell
from engine.console.progress import LivingLine, RateLimiter
from engine.console.quantities import duration
from engine.handlogs.source.folders import files_of_hands
from engine.handlogs.source.opening import open_log
from engine.parallel.own_programs import yield_to_others
from engine.storage.atomic import replacing

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

PROG: Final = "arena aivat"
CHECKED_DOWN: Final = "checked-down"
"""The value function that needs no file."""
_FIRST_LOOK_SECONDS: Final = 0.2
_HAND: Final = b"\nSTATE:"


def _hands(options: argparse.Namespace) -> int:
    logs = find_logs(options.logs)
    check_named({**dict(options.known), **dict(options.told)}, logs)
    how, head_of = _how(options, logs)
    estimates = estimated_hands(logs, options.game, how, options.jobs)
    code = 0
    with replacing(options.out) as binary:
        binary.write(head_of(None).encode())
        count = 0
        progress = _Progress()
        try:
            for hand in estimates:
                binary.write(row_text(hand).encode())
                count += 1
                progress(f"{count:,} hands")
        except KeyboardInterrupt:
            tell(f"{PROG}: stopped after {count:,} hands")
            code = INTERRUPTED
        finally:
            progress.clear()
    tell(f"{options.out}: {count:,} hands")
    return code


def _beside(options: argparse.Namespace) -> int:
    def logs() -> list[Path]:
        return _without_sit_in(find_logs(options.logs), options.logs)

    closed = threading.Event()
    if options.follow:
        yield_to_others()
        threading.Thread(target=_wait_for_end, args=(closed,), daemon=True).start()
        while not (begun := _begun(options.logs)):
            if closed.wait(_FIRST_LOOK_SECONDS):
                return 0
    else:
        begun = logs()
    drawn = "all run-outs" if options.all_runouts else f"run-outs of seed {options.seed}"
    how, head_of = _how(options, begun, drawn)

    def head_beside(log: Path) -> str:
        return head_of(players_of(log))

    count = 0
    total = 0
    if not options.follow:
        total = sum(hands_left(log, head_beside(log), options.most) for log in begun)
    progress = _Progress()
    start = time.monotonic()
    try:
        for more in estimate_beside(
            logs,
            options.game,
            how,
            head_beside,
            options.jobs,
            ended=closed.is_set if options.follow else None,
            most=options.most,
        ):
            count += more
            if not options.follow:
                progress(_how_far(count, max(count, total), time.monotonic() - start))
    except KeyboardInterrupt:
        progress.clear()
        tell(f"{PROG}: stopped; {count:,} more hands are estimated")
        return INTERRUPTED
    finally:
        progress.clear()
    return 0


def _how_far(count: int, total: int, seconds: float) -> str:
    remaining = (total - count) * seconds / count if count else None
    return f"{count:,}/{total:,} hands  {duration(remaining)} left"


def _wait_for_end(closed: threading.Event) -> None:
    while sys.stdin.buffer.read(1):
        pass
    closed.set()


def _begun(places: Sequence[Path]) -> list[Path]:
    """Return logs that have a hand by now."""
    inside = [files_of_hands(entry) if entry.is_dir() else [entry] for entry in places]
    logs = _without_sit_in(chain.from_iterable(inside), places)
    return [log for log in logs if log.exists() and _has_hand(log)]


def _without_sit_in(logs: Iterable[Path], named: Collection[Path]) -> list[Path]:
    return [log for log in logs if log.name != SIT_IN or log in named]


def _has_hand(log: Path) -> bool:
    with open_log(log) as file:
        return _HAND in file.read()


def _how(
    options: argparse.Namespace, logs: Sequence[Path], *more: str
) -> tuple[EstimateConfig, Callable[[Collection[str] | None], str]]:
    """Return how hands are estimated, and what makes the head of a file that says so; print it,
    too.

    A head names the known among the players that it is given, or all that are known: the rows do
    not depend on players elsewhere.
    """
    bots = _known(options, logs)
    values = _values(options, logs)
    digest = value_function(values).digest
    files = dict(options.told)
    sources = bots | {
        name: f"told by {path.name} {ToldFile(path).digest}" for name, path in files.items()
    }
    if both := bots.keys() & files.keys():
        raise AgentError(f"{', '.join(sorted(both))}: --known and --told; want one of them")
    names = ", ".join(f"{name} ({bot})" for name, bot in sources.items())
    tell(f"{PROG}: strategies known: {names or 'none'}; values {digest[:12]}")
    how = EstimateConfig(bots, values, files, None if options.all_runouts else options.seed)

    def head(players: Collection[str] | None) -> str:
        here = {name: bot for name, bot in sources.items() if players is None or name in players}
        return head_text(digest, here, *more)

    return how, head


def _known(options: argparse.Namespace, logs: Sequence[Path]) -> BotOfName:
    files = dict(options.told)
    bots = {} if options.unknown else known_of_matches(logs)
    bots = {name: bot for name, bot in bots.items() if name not in files}
    return bots | dict(options.known)


def _values(options: argparse.Namespace, logs: Sequence[Path]) -> Path | None:
    if options.values is not None:
        return None if options.values == CHECKED_DOWN else Path(options.values)
    _, hand = next(read_hands(logs, options.game, for_two=True, small=True))
    game = hand.state.game
    return shipped_values(no_limit=game.no_limit) if game.is_holdem else None


def _check(options: argparse.Namespace) -> int:
    if options.as_played:
        check_played(bot for _, bot in options.known)
    if options.values not in (None, CHECKED_DOWN):
        value_function(Path(options.values))
    return 0


def _fit(options: argparse.Namespace) -> int:
    logs = find_logs(options.logs)
    progress = _Progress()
    parts = []
    hands = 0
    try:
        for part in visited_nodes(logs, options.game, options.jobs):
            parts.append(part)
            hands += part.hands
            progress(f"{hands:,} hands")
    finally:
        progress.clear()
    kinds, edges, won, weights = (
        np.concatenate([part[column] for part in parts]) for column in range(1, 5)
    )
    facts = {"hands": hands, "places": len(kinds), **source_of(logs, options.game)}
    save_values(options.out, fit_lines(kinds, edges, won, weights), facts)
    tell(f"{options.out}: fitted to {len(kinds):,} places of {hands:,} hands")
    return 0


class _Progress:
    """One living line, or a line now and then."""

    def __init__(self) -> None:
        self._line = LivingLine()
        self._said = RateLimiter(longest_seconds=300.0)

    def __call__(self, text: str) -> None:
        if self._line.living:
            self._line.show_often(lambda: text)
        else:
            self._said(text)

    def clear(self) -> None:
        self._line.clear()


TASKS: Final[Mapping[str, Callable[[argparse.Namespace], int]]] = MappingProxyType(
    {"hands": _hands, "beside": _beside, "check": _check, "fit": _fit}
)
