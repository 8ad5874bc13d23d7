"""`python -m dealer.ratings`, also known as `arena rate`."""

import sys

from dealer.ratings.command import main

sys.exit(main())
