"""The checks of the compliance test, in the order in which they are run."""

from typing import Final

from dealer.compliance.check import ComplianceCheck
from dealer.compliance.checks.endings import ENDINGS
from dealer.compliance.checks.lines import LINES
from dealer.compliance.checks.match import MATCH
from dealer.compliance.checks.sitting_down import POSITIONS, SITTING_DOWN, WAITING
from dealer.compliance.checks.states import STATES

CHECKS: Final[tuple[ComplianceCheck, ...]] = (
    *SITTING_DOWN,
    POSITIONS,
    *MATCH,
    *STATES,
    *LINES,
    *WAITING,
    *ENDINGS,
)
"""What others build upon first."""
