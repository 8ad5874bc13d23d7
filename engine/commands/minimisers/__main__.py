"""`python -m engine.commands.minimisers`, also known as `arena minimisers`."""

import sys

from engine.commands.minimisers.command import main

sys.exit(main())
