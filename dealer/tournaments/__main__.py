"""`python -m dealer.tournaments`, also known as `arena tournament`."""

import sys

from dealer.tournaments.command import main

sys.exit(main())
