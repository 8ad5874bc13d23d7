"""Verification reports as text for people and as JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from engine.console.output import printable

if TYPE_CHECKING:
    from dealer.logs.showing.show import Palette
    from dealer.logs.verifying.findings import LogReport, Part


def report_lines(report: LogReport, palette: Palette) -> Iterator[str]:
    """Yield the faults of one log as "file:line: reason", then a summary."""
    path = printable(report.path)
    for fault in report.faults:
        where = f"{path}:{fault.line}:" if fault.line else f"{path}:"
        yield f"{palette.paint(where, 'bold')} {printable(fault.text)}"
    if report.fault_count > len(report.faults):
        yield f"{path}: ... and {report.fault_count - len(report.faults):,} more faults"
    if report.stopped_at is not None:
        count = _counted(report.fault_count, "fault")
        yield f"{path}: stopped after {count} at line {report.stopped_at}; the rest was not read"
    for part in report.parts:
        for text in part.diagnosis:
            yield f"{path}: {palette.paint('diagnosis:', 'bold')} {printable(text)}"
    for remark in report.remarks:
        where = f"{path}:{remark.line}" if remark.line else path
        yield palette.paint(f"{where}: note: {printable(remark.text)}", "dim")
    if report.all_is_well:
        verdict = palette.paint("ok", "green", "bold")
    else:
        count = _counted(report.fault_count, "fault")
        if report.stopped_at is not None:
            count = f"{count} up to line {report.stopped_at}"
        verdict = palette.paint(count, "red", "bold")
    if report.part_count == 1:
        yield f"{path}: {verdict}, {_part_text(report.parts[0])}"
        return
    matches = f" in {report.part_count:,} matches" if report.part_count else ""
    yield f"{path}: {verdict}, {_counted(report.hands, 'hand')}{matches}"
    for part in report.parts:
        yield f"  line {part.line}: {printable(part.name)}: {_part_text(part)}"
    if report.part_count > len(report.parts):
        yield f"  ... and {report.part_count - len(report.parts):,} more matches"


def total_line(reports: Sequence[LogReport]) -> str:
    """Return one line about all logs of a call."""
    hands = sum(report.hands for report in reports)
    dealt = sum(report.deals_checked for report in reports)
    faults = sum(report.fault_count for report in reports)
    unread = sum(report.error is not None for report in reports)
    stopped = sum(report.stopped_at is not None for report in reports)
    return (
        f"{len(reports)} logs: {_counted(hands, 'hand')}, {dealt:,} of them dealt again, "
        f"{_counted(faults, 'fault')}"
        + (f", {_counted(stopped, 'log')} not read to the end" if stopped else "")
        + (f", {_counted(unread, 'log')} not checked" if unread else "")
    )


def reports_as_json(reports: Sequence[LogReport]) -> str:
    """Return all reports as one JSON object."""
    summary = {
        "ok": all(report.all_is_well for report in reports),
        "hands": sum(report.hands for report in reports),
        "deals_checked": sum(report.deals_checked for report in reports),
        "faults": sum(report.fault_count for report in reports),
        "errors": sum(report.error is not None for report in reports),
        "logs": [{**asdict(report), "ok": report.all_is_well} for report in reports],
    }
    return json.dumps(summary, indent=2)


def _part_text(part: Part) -> str:
    hands = _counted(part.hands, "hand")
    if part.promised is not None and part.hands != part.promised and not part.restarts:
        hands = f"{part.hands:,} of {_counted(part.promised, 'hand')}"
    texts = [hands]
    if part.missing:
        texts.append(f"{_counted(part.missing, 'earlier hand')} not in this log")
    if part.restarts:
        texts.append(f"ids restart {_counted(part.restarts, 'time')}")
    checked = "deals" if part.deals_checked == part.hands else f"{part.deals_checked:,} deals"
    if part.commitment and part.deals_checked:
        texts.append(f"{checked} checked (secret of SHA-256 {part.commitment})")
    elif part.seed is None:
        texts.append(f"deals not checked ({part.seed_origin})")
    elif not part.deals_checked:
        texts.append(f"deals not checked (nothing to compare with seed {part.seed})")
    elif part.deals_file:
        texts.append(f"{checked} checked (given by {part.deals_file})")
    else:
        origin = "" if part.seed_origin == "header" else f", {part.seed_origin}"
        texts.append(f"{checked} checked (seed {part.seed}{origin})")
    if part.transactions:
        every = (
            "" if part.transactions == part.hands else f" of {_counted(part.transactions, 'hand')}"
        )
        texts.append(f"actions{every} compared with the .tlog")
    if part.score in ("right", "wrong"):
        texts.append(f"SCORE {part.score}")
    else:
        texts.append("no SCORE" if part.score == "none" else f"SCORE not checked ({part.score})")
    return ", ".join(texts)


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"
