"""The result of a match as text for people, and as plain values for JSON."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from dealer.bots.program_files import files_document
from dealer.ratings.rating_documents import MARGIN_MBB, estimates_document, guard_document
from dealer.ratings.rating_table import warning_lines
from dealer.ratings.titles import TITLES, saved_text
from dealer.ratings.verdict import verdict_document, verdict_paragraph
from dealer.results.match_result import MatchResult, seat_document
from dealer.series.folder import RESULT_NAME
from dealer.series.given_deals import deals_document
from dealer.series.logs import MatchLogs
from dealer.series.manifest import Manifest
from dealer.series.outcome import LegOutcome
from dealer.server.endings import Ending
from engine.console.quantities import UNKNOWN, interval, rough_count
from engine.console.text_table import aligned
from engine.estimates.estimators import RAW, Estimate
from engine.estimates.significance import FEWEST_SAMPLES
from engine.estimates.winrate import WinRate
from engine.storage.documents import json_document

_LEGS_NAMED: Final = 3
_ANOTHER_STATE: Final = "ignored: another state"


def result_table(result: MatchResult) -> str:
    """Return the win rates in mbb/h with 95 % intervals, one row per bot, one column per
    estimator, and below them the samples behind each column and what is known of `_FACT_ROWS`.
    """
    if not result.hands:
        return "no hand is in the logs"
    columns = [*result.bots[0].rates]
    rows = [["mbb/h, 95 %", *(TITLES[name] for name in columns)]]
    rows += [[bot.label, *map(shown_rate, bot.rates.values())] for bot in result.bots]
    rows.append(["from", *(_samples(*column) for column in result.bots[0].rates.items())])
    rows += [[title, *cells] for title, cells, _ in _facts(result)]
    lines = aligned(rows)
    lines.insert(1, "-" * max(map(len, lines)))
    return "\n".join(lines)


def explanation_text(result: MatchResult) -> str:
    """Return below the table what its numbers mean, which to quote and what they say; "" where
    there are none.
    """
    if not result.hands:
        return ""
    return (
        "mbb/h: thousandths of a big blind won per hand; ±: 95 % interval\n"
        + "".join(f"{title}: {meaning}\n" for title, _, meaning in _facts(result))
        + f"{verdict_paragraph(result.players, fixed=result.fixed)}\n"
        + "".join(f"{line}\n" for line in warning_lines(result.comparisons))
        + "\n"
    )


def endings_text(outcomes: Sequence[LegOutcome]) -> str:
    """Return how the legs ended: a line when all is well, a paragraph for each way to fail."""
    finished = sum(outcome.ending is Ending.FINISHED for outcome in outcomes)
    lines = [f"{finished} of {len(outcomes)} legs finished"]
    for (ending, detail, bot, stderr), legs in groupby(outcomes, _cause):
        alike = list(legs)
        if ending is not Ending.FINISHED:
            names = ", ".join(outcome.leg.name for outcome in alike[:_LEGS_NAMED])
            more = f" and {len(alike) - _LEGS_NAMED} more" if len(alike) > _LEGS_NAMED else ""
            reason = f": {detail}" if detail != ending.value else ""
            lines.append(f"{names}{more}: {ending.value}{f' by {bot}' if bot else ''}{reason}")
            lines += [f"    | {line}" for line in stderr]
        for outcome in alike:
            lines += _what_happened(outcome)
    counted = {what for outcome in outcomes for _, counts in outcome.warnings for what, _ in counts}
    if _ANOTHER_STATE in counted:
        lines.append(f"({_ANOTHER_STATE}: usually the bot answered when it was not to act)")
    return "\n".join(lines)


def shown_rate(rate: WinRate) -> str:
    """Return a win rate as text, "-" where there is nothing to tell."""
    if rate.samples == 0:
        return "-"
    return interval(rate.mbb_per_hand, rate.ci95)


def _cause(outcome: LegOutcome) -> tuple[Ending, str, str | None, tuple[str, ...]]:
    return outcome.ending, outcome.detail, outcome.bot, outcome.stderr


def _what_happened(outcome: LegOutcome) -> Iterator[str]:
    name = outcome.leg.name
    if outcome.restarts:
        yield f"{name}: bots started again {outcome.restarts} times"
    for label, counts in outcome.warnings:
        count_texts = ", ".join(f"{times} {what}" for what, times in counts)
        yield f"{name}: replies of {label}: {count_texts}"
        yield from (f"    | {text}" for text in dict(outcome.examples).get(label, ()))
    for label, counts in outcome.connections:
        count_texts = ", ".join(f"{times} {what}" for what, times in counts)
        yield f"{name}: connections to the seat of {label} in mid-match: {count_texts}"


def _samples(estimator: str, rate: WinRate) -> str:
    unit = "set" if estimator.endswith("sets") else "hand"
    return f"{rate.samples:,} {unit}{'s' * (rate.samples != 1)}"


def _facts(result: MatchResult) -> Iterator[tuple[str, list[str], str]]:
    """Yield the rows of `_FACT_ROWS` in which anything is known: title, cells, meaning."""
    by_name = [*zip(*(bot.estimates for bot in result.bots), strict=True)]
    for title, cell, meaning in _FACT_ROWS:
        cells = [*map(cell, by_name)]
        if any(text != UNKNOWN for text in cells):
            yield title, cells, meaning


def _spread(estimates: Sequence[Estimate]) -> str:
    spreads = [estimate.sd_per_hand for estimate in estimates]
    all_spread = all(map(math.isfinite, spreads)) and max(spreads) > 0
    return f"{max(spreads):,.0f}" if all_spread else UNKNOWN


def _saved(estimates: Sequence[Estimate]) -> str:
    """Return what an estimator saves at least, of all bots; raw is what it is compared with."""
    if estimates[0].name == RAW:
        return UNKNOWN
    savings = [estimate.hands_saved for estimate in estimates if estimate.hands_saved is not None]
    return saved_text(min(savings)) if len(savings) == len(estimates) else UNKNOWN


def _needed(estimates: Sequence[Estimate]) -> str:
    rates = [estimate.rate for estimate in estimates]
    if min(rate.samples for rate in rates) < FEWEST_SAMPLES:
        return UNKNOWN  # their spread tells nothing yet
    needed = [rate.hands_needed(MARGIN_MBB) for rate in rates]
    hand_counts = [hands for hands in needed if hands is not None]
    return f"{rough_count(max(hand_counts))} hands" if len(hand_counts) == len(rates) else UNKNOWN


_FACT_ROWS: Final = (
    ("SD per hand", _spread, "in mbb, of single hands with the same interval"),
    (
        "hands saved",
        _saved,
        "without this estimator the same interval takes so many times as many hands",
    ),
    (
        f"for ± {MARGIN_MBB:g}",
        _needed,
        f"hands that such a match needs in all for an interval of ± {MARGIN_MBB:g} mbb/h",
    ),
)
"""Each row has a title, a function from the estimates of all bots to a cell, and a meaning."""


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
        looks = json_document((folder / RESULT_NAME).read_text(encoding="utf-8"))["looks"]
        return [hands for hands in looks if type(hands) is int]
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
