"""What a check finds out about a bot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final

_NOTHING: Final[Mapping[str, Any]] = {}


class CheckVerdict(Enum):
    """How a check ends."""

    PASSED = "pass"
    FAILED = "FAIL"
    """The bot will lose hands, or a match, at a dealer by this."""
    WARNING = "warning"
    """The dealer puts up with it; others may not."""
    NOT_APPLICABLE = "not applicable"
    """There is nothing to check in this game, or with this bot."""
    NOT_RUN = "not run"
    """Another check failed that this one builds upon."""


@dataclass(frozen=True, slots=True)
class CheckFinding:
    """What a check says."""

    verdict: CheckVerdict
    said: str
    """What happened, one line."""
    hint: str = ""
    """What to change, where it is not what the check always says."""
    sent: Sequence[str] = ()
    """What the bot was sent, as far as it matters, line ends visible."""
    received: Sequence[str] = ()
    """What came back."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """Counts and times, for JSON."""


def passed(said: str, **facts: Any) -> CheckFinding:
    """Return the finding that all is well."""
    return CheckFinding(CheckVerdict.PASSED, said, facts=facts)


def failed(
    said: str,
    *,
    sent: Sequence[str] = (),
    received: Sequence[str] = (),
    hint: str = "",
    facts: Mapping[str, Any] = _NOTHING,
) -> CheckFinding:
    """Return the finding that the bot does not comply."""
    return CheckFinding(CheckVerdict.FAILED, said, hint, sent, received, facts)


def warned(said: str, received: str) -> CheckFinding:
    """Return the finding that the dealer puts up with what the bot does."""
    return CheckFinding(CheckVerdict.WARNING, said, received=[received])


def not_applicable(why: str) -> CheckFinding:
    """Return the finding that there is nothing to check."""
    return CheckFinding(CheckVerdict.NOT_APPLICABLE, why)


def not_run(why: str) -> CheckFinding:
    """Return the finding that a check had nothing to build upon."""
    return CheckFinding(CheckVerdict.NOT_RUN, why)
