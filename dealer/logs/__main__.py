"""python -m dealer.logs."""

import sys

from dealer.logs.replay import main

sys.exit(main())
