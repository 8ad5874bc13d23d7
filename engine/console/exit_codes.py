"""Exit codes of a command that failed or was interrupted; 0 is fine."""

from typing import Final

FAILED: Final = 1
"""It could not be done, or its result could not be written."""
WRONG_ARGUMENTS: Final = 2
"""Nothing was begun: the command line, or what it names, is wrong."""
INTERRUPTED: Final = 130
"""Ctrl-C gives 128 and the number of SIGINT, as in shells."""
