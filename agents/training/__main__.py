"""`python -m agents.training`, also known as `arena train`."""

import sys

from agents.training.command import main

sys.exit(main())
