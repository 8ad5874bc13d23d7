"""`python -m agents.training`, also known as `arena train`: for torchrun."""

import sys

from agents.training.kinds import train

sys.exit(train())
