"""`python -m engine.commands.solve`, also known as `arena solve`."""

import sys

from engine.commands.solve.command import main

sys.exit(main())
