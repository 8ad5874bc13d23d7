"""The report on a bot: a line for each check as it is done, what to mend, and all of it as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from dealer.compliance.result import CheckFinding, CheckVerdict
from dealer.plan.match_plan import CLOCKS

if TYPE_CHECKING:
    from dealer.compliance.bot_session import CheckSettings
    from dealer.compliance.checked_games import CheckedGame
    from dealer.compliance.checks import ComplianceCheck

PROG: Final = "arena check"
PAGE: Final = "docs/compliance.md"
_NAME_WIDTH: Final = 16
_ERROR_LINES: Final = 6
_ORDER: Final = tuple(CheckVerdict)
_WIDTH: Final = max(len(verdict.value) for verdict in CheckVerdict)
_IN_SUMMARY: Final = dict(
    zip(_ORDER, ("passed", "failed", "with warnings", "not applicable", "not run"), strict=True)
)


@dataclass(frozen=True, slots=True)
class CheckResult:
    """A check's finding, with what is known around it."""

    check: ComplianceCheck
    game: str
    """Name of the game that was played."""
    finding: CheckFinding
    seconds: float
    """How long the check took."""
    errors: Sequence[str] = ()
    """The last lines that the bot wrote to standard error."""

    @property
    def verdict(self) -> CheckVerdict:
        """How it ended."""
        return self.finding.verdict

    @property
    def explained(self) -> bool:
        """Whether the report says what was expected and what to change."""
        return self.verdict in (CheckVerdict.FAILED, CheckVerdict.WARNING)

    @property
    def hint(self) -> str:
        """What to change."""
        return self.finding.hint or self.check.hint


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
    shown = [result for result in results if result.explained]
    shown.sort(key=lambda result: _ORDER.index(result.verdict))
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
    parts = [f"{counts[verdict]} {_IN_SUMMARY[verdict]}" for verdict in _ORDER if counts[verdict]]
    stopped = f"stopped after {len(results)} of " if len(results) < planned else ""
    noun = "check" if planned == 1 else "checks"
    return f"{stopped}{planned} {noun}: {', '.join(parts) or 'none done'}\n"


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
