"""What a check is, and what comes of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dealer.compliance.games import CheckedGame
from dealer.compliance.result import CheckFinding, CheckVerdict

if TYPE_CHECKING:
    from dealer.bots.participants import Participant
    from dealer.compliance.bench import CheckBench


def _always(_game: CheckedGame, _bot: Participant) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class ComplianceCheck:
    """One thing that a bot is asked to do right."""

    name: str
    purpose: str
    """What the bot does that passes, as "answers in every position"."""
    expected: str
    """What the protocol wants, one sentence."""
    hint: str
    """What to change in a bot that fails."""
    section: str
    """Of docs/compliance.md."""
    run: Callable[[CheckBench], Awaitable[CheckFinding]]
    """May raise BotTrouble, which is a failure."""
    why_not: Callable[[CheckedGame, Participant], str] = _always
    """Returns why there is nothing to check, "" where there is."""
    needed: bool = False
    """Whether nothing else can be checked where this fails."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """A check's finding, with what is known around it."""

    check: ComplianceCheck
    game: str
    """Name of the game that was played."""
    finding: CheckFinding
    seconds: float
    """How long the check took."""
    errors: tuple[str, ...] = ()
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
