"""`python -m tests.studies`: the list of studies; with a name, that study."""

import sys

from tests.studies.frame import main

sys.exit(main())
