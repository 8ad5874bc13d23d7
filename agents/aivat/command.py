"""AIVAT: `arena aivat hands LOG...` estimates hands into one file, `arena aivat beside LOG...` into
one for each log, `arena aivat fit LOG...` makes values.

`arena rate` puts the estimates beside the others.  Exit codes: 0 done, 1 a file cannot be read or
written, 2 wrong arguments, 130 Ctrl-C (what there is, is written).
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from agents.aivat.command_line import PROG, parser_of_tasks
from agents.errors import AgentError
from engine.console.exit_codes import FAILED, INTERRUPTED
from engine.console.output import tell
from engine.errors import EngineError

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line `argv`; return the exit code."""
    options = parser_of_tasks().parse_args(argv)
    try:
        from agents.aivat.work import TASKS

        return TASKS[options.task](options)
    except AgentError as error:
        tell(f"{PROG}: {error}")
        return error.exit_code
    except EngineError as error:
        tell(f"{PROG}: {error}")
        return FAILED
    except OSError as error:
        tell(f"{PROG}: {error.filename}: {error.strerror}")
        return FAILED
    except KeyboardInterrupt:
        tell(f"{PROG}: stopped; nothing is written")
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
