"""python -m dealer.replay."""

import sys

from dealer.replay.command import main

sys.exit(main())
