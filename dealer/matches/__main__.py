"""`python -m dealer.matches`, also known as `arena match`."""

import sys

from dealer.matches.command import main

sys.exit(main())
