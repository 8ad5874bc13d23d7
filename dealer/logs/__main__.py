"""python -m dealer.logs."""

import sys

from dealer.logs.command import main

sys.exit(main())
