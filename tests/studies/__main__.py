"""`python -m tests.studies`: the list of studies; with a name, that study."""

import sys

from engine.parallel.own_programs import share_cores

share_cores()  # before NumPy is loaded

from tests.studies.frame import main  # noqa: E402

sys.exit(main())
