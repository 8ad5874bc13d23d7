"""How the outputs of a network are read; no library is needed for these names."""

from typing import Final

ACTION: Final = "action"
VALUE: Final = "value"
READINGS: Final = (ACTION, VALUE)
"""What the outputs are trained to be: chances of actions, or what the action taken is worth."""
