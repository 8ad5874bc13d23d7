"""The interpreter itself, for tests of processes as such: their numbers, children and limits."""

import os
import sys
from typing import Final

VARIABLE: Final = "TESTS_INTERPRETER"
"""Name, in the environment of workers, of what `sys.executable` was before the warm parent."""
INTERPRETER: Final = os.environ.get(VARIABLE, sys.executable)
"""What `sys.executable` is too, except under `tests.helpers.warm_start`."""
