"""`python -m dealer.sequential`, also known as `arena sprt`."""

import sys

from dealer.sequential.command import main

sys.exit(main())
