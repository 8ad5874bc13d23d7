"""The table of the compliance test: each check, and what it looks at."""

from dealer.compliance.checks import CHECKS
from tests.documents.cells import table


def checks() -> list[str]:
    """Return every check, with the section of the page that says what it wants."""
    rows = [[f"`{check.name}`", f"{check.purpose} ([more](#{check.section}))"] for check in CHECKS]
    return table(["check", "a bot that passes"], rows)
