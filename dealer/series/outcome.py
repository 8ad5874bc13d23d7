"""How a leg ended, as told by the traces it left: log, dealer's summary, error output."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, TypeAlias

from dealer.bots.programs import last_bytes
from dealer.series.manifest import Manifest
from dealer.series.schedule import Leg
from dealer.server.endings import Ending
from engine.console.output import printable
from engine.storage.documents import json_document

_CHUNK_BYTES: Final = 1 << 20
_HAND: Final = b"\nSTATE:"
REPLY_COUNTS_SUFFIX: Final = ".replies.json"

CountsByLabel: TypeAlias = tuple[tuple[str, tuple[tuple[str, int], ...]], ...]
"""(label, ((what, times), ...)) of the bots of which there is anything to count."""
ExamplesByLabel: TypeAlias = tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class LegOutcome:
    """How one leg ended."""

    leg: Leg
    ending: Ending
    detail: str = ""
    """One line in words; empty for a finished leg."""
    bot: str | None = None
    """Label of the bot that caused the ending, None when none did."""
    stderr: tuple[str, ...] = ()
    """The last lines that this bot, or else the dealer, wrote to its error output."""
    warnings: CountsByLabel = ()
    """Replies that the dealer, or the seat of a program, corrected or ignored."""
    examples: ExamplesByLabel = ()
    """One of each kind, in a line, as far as they were noted."""
    restarts: int = 0
    """How often a bot was started again."""
    refused: bool = False
    """True when a shipped bot did not accept its options: it will play in no leg."""
    connections: CountsByLabel = ()
    """Who came in mid-match: how often a bot was reconnected, newcomers at its seat refused."""


def finished_leg(manifest: Manifest, folder: Path, leg: Leg) -> LegOutcome | None:
    """Return the outcome of a leg that was played to its end before, None for any other."""
    if not is_complete(folder / f"{leg.name}.log", manifest.hands):
        return None
    summary = read_summary(folder / f"{leg.name}.end.json")
    return with_counts(LegOutcome(leg, Ending.FINISHED), manifest, summary, folder)


def is_complete(log: Path, hands: int) -> bool:
    """Return whether a leg of so many hands was played to its end: its log has them and the SCORE.

    The log of a leg that was made longer has a SCORE line too, but too few hands.
    """
    tail = last_bytes(log, 0)
    scored = tail.endswith(b"\n") and tail[:-1].rpartition(b"\n")[2].startswith(b"SCORE:")
    return scored and hands_in(log) == hands


def hands_in(log: Path) -> int:
    """Return how many hands a log holds, 0 where there is none."""
    count = 0
    end = b"\n"
    try:
        with log.open("rb") as file:
            while chunk := file.read(_CHUNK_BYTES):
                count += (end + chunk).count(_HAND)
                end = (end + chunk)[1 - len(_HAND) :]
    except FileNotFoundError:
        return 0
    return count


def with_counts(
    outcome: LegOutcome, manifest: Manifest, summary: dict[str, Any] | None, folder: Path
) -> LegOutcome:
    """Return an outcome with what the dealer's summary and the seats count, by label."""
    seats = range(len(outcome.leg.seats))
    labels = [manifest.labels[bot] for bot in outcome.leg.seats]
    noted = [_read_replies(replies_file(folder, outcome.leg, seat)) for seat in seats]
    warnings = [*(summary or {}).get("warnings", ())] or [{} for _ in seats]

    def by_label(counts_by_seat: Sequence[Mapping[str, int]]) -> CountsByLabel:
        return tuple(
            (label, tuple(sorted(counts.items())))
            for label, counts in zip(labels, counts_by_seat, strict=False)
            if counts
        )

    return replace(
        outcome,
        warnings=by_label(
            [{**warning, **counts} for warning, (counts, _) in zip(warnings, noted, strict=False)]
        ),
        examples=tuple(
            (label, examples)
            for label, (_, examples) in zip(labels, noted, strict=True)
            if examples
        ),
        connections=by_label((summary or {}).get("connections", ())),
    )


def replies_file(folder: Path, leg: Leg, seat: int) -> Path:
    """Return the file in which a seat counts what it did not take of its program's words."""
    return folder / f"{leg.name}.player{seat}{REPLY_COUNTS_SUFFIX}"


def _read_replies(path: Path) -> tuple[dict[str, int], tuple[str, ...]]:
    """Return counts by what became of replies, and examples; nothing where there is no file."""
    try:
        document = json_document(path.read_text(encoding="utf-8")) if path.is_file() else None
        if document is not None and _are_counts([document["counts"]]):
            examples = dict.fromkeys(printable(str(text)) for text in document["examples"].values())
            return document["counts"], tuple(examples)
    except (OSError, ValueError, LookupError, AttributeError, TypeError, RecursionError):
        pass
    return {}, ()


def read_summary(path: Path) -> dict[str, Any] | None:
    """Return what a dealer wrote about the end of its match, None where that cannot be read.

    It has at least "ending" (of `Ending`), "detail" (text), "seat" (None, or 1 and more) and
    "warnings" (a list of counts by text); "connections", too, unless an earlier version wrote it.
    """
    if not path.is_file():  # none, or a pipe that nobody writes to
        return None
    try:
        summary = json_document(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return summary if isinstance(summary, dict) and _is_complete(summary) else None


def words_of(summary: dict[str, Any]) -> str:
    """Return a summary's detail without the seat's number, so that legs that ended alike agree."""
    seat = f"seat {summary['seat']}"
    return re.sub(rf"^{seat} | (?:from|to) {seat}$", "", str(summary["detail"]))


def _is_complete(summary: dict[str, Any]) -> bool:
    """Return whether a dealer's summary has what is read of it; a disk may have lost some."""
    seat = summary.get("seat")
    return (
        summary.get("ending") in [ending.value for ending in Ending]
        and isinstance(summary.get("detail"), str)
        and (seat is None or (type(seat) is int and seat > 0))
        and _are_counts(summary.get("warnings"))
        and _are_counts(summary.get("connections", []))
    )


def _are_counts(by_seat: object) -> bool:
    return (
        isinstance(by_seat, list)
        and all(isinstance(counts, dict) for counts in by_seat)
        and all(type(count) is int for counts in by_seat for count in counts.values())
    )
