"""`python -m dealer.solving`, also known as `arena solve`."""

import sys

from dealer.solving.command import main

sys.exit(main())
