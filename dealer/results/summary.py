"""The summary of a match for programs: plain values for JSON, every key with its unit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from dealer.bots.program_files import files_document
from dealer.legs.folder import RESULT_NAME
from dealer.legs.given_deals import deals_document
from dealer.legs.manifest import Manifest
from dealer.legs.outcome import LegOutcome
from dealer.ratings.documents import estimates_document, guard_document
from dealer.ratings.verdict import verdict_document
from dealer.results.results import MatchLogs, MatchResult
from dealer.results.seat_result import seat_document
from engine.storage.documents import json_document


def summary_document(
    folder: Path,
    logs: MatchLogs,
    result: MatchResult,
    outcomes: Sequence[LegOutcome],
    *,
    sequential: Mapping[str, Any] | None = None,
    aivat: Mapping[str, Any] | None = None,
    caveats: Sequence[str] = (),
) -> dict[str, Any]:
    """Return the summary as plain values; numbers that are not known are None.

    `sequential` is what the sequential test of the match says, if it has one, `aivat` which value
    function and which known strategies its estimates are of, `caveats` what else the text has.
    """
    manifest = logs.manifest
    return {
        "game": {"file": manifest.game_name, "sha256": manifest.game_sha256},
        "big_blind_chips": result.big_blind,
        "duplicate": manifest.duplicate,
        "seed": manifest.seed,
        **({} if manifest.deals is None else {"deals": deals_document(manifest.deals)}),
        "runs": manifest.runs,
        "hands_per_leg": manifest.hands,
        "hands_played": result.hands,
        "hands_planned": result.hands_planned,
        "duplicate_sets": result.sets,
        "run_out_hands": result.run_outs,
        **({} if result.sit_in is None else {"sit_in": seat_document(result.sit_in)}),
        "verdict": verdict_document(result.players, fixed=result.fixed, caveats=caveats)
        if result.hands
        else None,
        "guard": guard_document(result.comparisons),
        **({} if sequential is None else {"sequential_test": sequential}),
        **({} if aivat is None else {"aivat": aivat}),
        "bots": [
            {
                "label": bot.label,
                "kind": bot.kind.value,
                "words": list(bot.words),
                "files": files_document(bot),
                "chips": won.chips,
                "win_rates": estimates_document(won.estimates),
            }
            for bot, won in zip(manifest.bots, result.bots, strict=True)
        ],
        "legs": [
            _leg(manifest, folder, outcome, log.hands)
            for outcome, log in zip(outcomes, logs.logs, strict=True)
        ],
    }


def read_looks(folder: Path) -> list[int]:
    """Return the hands of a match each time that its result was shown, as known to its folder."""
    try:
        told = json_document((folder / RESULT_NAME).read_text(encoding="utf-8"))["looks"]
        return [hands for hands in told if type(hands) is int]
    except (OSError, ValueError, LookupError, TypeError):
        return []


def _leg(manifest: Manifest, folder: Path, outcome: LegOutcome, hands: int) -> dict[str, Any]:
    leg = outcome.leg
    return {
        "run": leg.run,
        "seating": leg.seating,
        "seed": leg.seed,
        "seats": [manifest.labels[bot] for bot in leg.seats],
        "hands": hands,
        "ending": outcome.ending.value,
        "detail": outcome.detail,
        "bot": outcome.bot,
        "stderr": list(outcome.stderr),
        "restarts": outcome.restarts,
        "corrected_or_ignored_replies": {label: dict(counts) for label, counts in outcome.warnings},
        "examples_of_these": {label: list(texts) for label, texts in outcome.examples},
        "connections": {label: dict(counts) for label, counts in outcome.connections},
        "log": str(folder / f"{leg.name}.log"),
    }
