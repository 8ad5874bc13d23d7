"""`python -m engine.commands.experiment`, also known as `arena experiment`."""

import sys

from engine.commands.experiment.command import main

sys.exit(main())
