"""The report on a bot: a line for each check as it is done, what to mend, and all of it as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from dealer.compliance.bot_session import CheckSettings
from dealer.compliance.check import CheckResult, ComplianceCheck
from dealer.compliance.games import CheckedGame
from dealer.compliance.result import CheckVerdict
from dealer.plan.match_plan import CLOCKS

PAGE: Final = "docs/compliance.md"
_WIDTH: Final = max(len(verdict.value) for verdict in CheckVerdict)
_NAME_WIDTH: Final = 16
_ERROR_LINES: Final = 6
_ORDER: Final = tuple(CheckVerdict)
_IN_SUMMARY: Final = {
    CheckVerdict.PASSED: "passed",
    CheckVerdict.FAILED: "failed",
    CheckVerdict.WARNING: "with warnings",
    CheckVerdict.NOT_APPLICABLE: "not applicable",
    CheckVerdict.NOT_RUN: "not run",
}


def list_text(checks: Sequence[ComplianceCheck]) -> str:
    """Return the checks, a line each: name and purpose."""
    return "".join(f"{check.name:{_NAME_WIDTH}}  {check.purpose}\n" for check in checks)


def title_text(settings: CheckSettings, game: CheckedGame) -> str:
    """Return what stands above the checks in a game."""
    players = game.game.players
    return f"{settings.bot.label}, {game.name}, {players} players, seed {settings.seed}\n"


def line_text(result: CheckResult) -> str:
    """Return the line of a check that is done."""
    verdict, said = result.verdict.value, result.finding.said
    return f"  {verdict:{_WIDTH}}  {result.check.name:{_NAME_WIDTH}}  {said}\n"


def details_text(results: Sequence[CheckResult]) -> str:
    """Return what a bot's author can act on: each failure and warning, failures first."""
    shown = sorted(
        (one for one in results if one.explained), key=lambda one: _ORDER.index(one.verdict)
    )
    return "".join(map(_details, shown))


def _details(result: CheckResult) -> str:
    check, finding = result.check, result.finding
    rows: list[tuple[str, Sequence[str]]] = [
        ("", [finding.said]),
        ("sent", finding.sent),
        ("received", finding.received or (["(nothing)"] if finding.sent else [])),
        ("expected", [f"{check.expected} ({PAGE}#{check.section})"]),
        ("hint", [result.hint]),
        ("stderr", result.errors[-_ERROR_LINES:]),
        ("again", [f"the same command with --only {check.name}"]),
    ]
    lines = [f"\n{result.verdict.value} {check.name}"]
    for head, texts in rows:
        for number, text in enumerate(texts):
            lines.append(f"  {'' if number else head:8}  {text}" if head else f"  {text}")
    return "\n".join(lines) + "\n"


def summary_line(results: Sequence[CheckResult], planned: int) -> str:
    """Return how many checks ended how, one line."""
    counts = Counter(result.verdict for result in results)
    words = [f"{counts[verdict]} {_IN_SUMMARY[verdict]}" for verdict in _ORDER if counts[verdict]]
    stopped = f"stopped after {len(results)} of " if len(results) < planned else ""
    noun = "check" if planned == 1 else "checks"
    return f"{stopped}{planned} {noun}: {', '.join(words) or 'none done'}\n"


def report_document(
    settings: CheckSettings,
    games: Sequence[CheckedGame],
    results: Sequence[CheckResult],
    exit_code: int,
    versions: dict[str, str],
) -> dict[str, Any]:
    """Return the report as JSON has it."""
    bot = settings.bot
    return {
        "bot": {"label": bot.label, "kind": bot.kind.value, "words": list(bot.words)},
        "seed": settings.seed,
        "hands": settings.hands,
        "dealer_options": {name: str(getattr(settings.limits, name)) for name in CLOCKS},
        "versions": versions,
        "exit_code": exit_code,
        "games": [
            {
                "game": game.name,
                "players": game.game.players,
                "checks": [_facts(result) for result in results if result.game == game.name],
            }
            for game in games
        ],
    }


def _facts(result: CheckResult) -> dict[str, Any]:
    check, finding = result.check, result.finding
    facts = {
        "name": check.name,
        "verdict": result.verdict.name.lower(),
        "said": finding.said,
        "seconds": round(result.seconds, 3),
        "facts": dict(finding.facts),
    }
    if result.explained:
        facts |= {
            "expected": check.expected,
            "section": f"{PAGE}#{check.section}",
            "hint": result.hint,
            "sent": list(finding.sent),
            "received": list(finding.received),
            "stderr": list(result.errors),
        }
    return facts
