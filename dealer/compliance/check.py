"""What a check is."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dealer.compliance.games import CheckedGame
from dealer.compliance.result import CheckFinding

if TYPE_CHECKING:
    from dealer.compliance.bench import CheckBench
    from dealer.matches.bots import Participant


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
