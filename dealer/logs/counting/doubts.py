"""Hands whose payoffs contradict the betting are counted as printed, and told.

Where one cause explains these hands, or those that cannot be counted at all, it is told, too.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from dealer.logs.reading.errors import LogError
from dealer.logs.reading.files import is_regular
from engine.console.command import Option

if TYPE_CHECKING:
    from dealer.logs.counting.log_counter import DoubtfulLog
    from dealer.logs.reading.log_games import FoundGame

_SHOWN: Final = 20


STRICT: Final = Option(
    "--strict", "exit with 1 where payoffs contradict the betting; without it they are only told"
)


def tell_doubts(
    logs: list[DoubtfulLog], game: FoundGame | None, tell: Callable[[str], None]
) -> None:
    """Tell of each log how many hands are doubtful, and what explains them all if anything does.

    Args:
        logs: with such hands.
        game: the game, where the user names it.
        tell: gets lines.
    """
    for log in logs[:_SHOWN]:
        if log.doubts.contradicted:
            tell(_contradictions(log))
        for text in _diagnoses(log.path, game):
            tell(f"{log.path}: diagnosis: {text}")
    if (rest := len(logs) - _SHOWN) > 0:
        tell(f"... and {rest:,} more logs with such hands")


def _contradictions(log: DoubtfulLog) -> str:
    doubts = log.doubts
    more = f", {doubts.impossible:,} more than a stack" if doubts.impossible else ""
    more += f", {doubts.uneven:,} with a sum that is not 0" if doubts.uneven else ""
    return (
        f"{log.path}: {doubts.contradicted:,} of {log.hands:,} hands have payoffs that contradict "
        f"betting and cards{more}; they are counted as printed, see arena replay --verify"
    )


def _diagnoses(log: Path, game: FoundGame | None) -> list[str]:
    """Return what explains all faults of a log."""
    from dealer.logs.verifying.verify import VerifySettings, verify_log

    if not is_regular(log):
        return []
    try:
        report = verify_log(log, VerifySettings(game=game, max_faults=0, compiled=True))
    except LogError:
        return []
    return list(dict.fromkeys(text for part in report.parts for text in part.diagnosis))
