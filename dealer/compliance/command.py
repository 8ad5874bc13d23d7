"""`arena check`: the command line, and what becomes of errors.

What checks is imported when the arguments are read, so that help comes at once.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from dealer.compliance.command_line import PROG, read_arguments
from dealer.errors import MatchError, MatchUsageError
from engine.console.exit_codes import FAILED, WRONG_ARGUMENTS
from engine.console.output import quietly, tell


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    return quietly(lambda: _run(argv), PROG)


def _run(argv: Sequence[str] | None) -> int:
    try:
        given = read_arguments(argv)
        from dealer.compliance.checking import check

        return check(given)
    except MatchUsageError as error:
        tell(f"{PROG}: {error}")
        return WRONG_ARGUMENTS
    except MatchError as error:
        tell(f"{PROG}: {error}")
        return FAILED


if __name__ == "__main__":
    sys.exit(main())
