"""What can predict an opponent's actions, by name; no library is needed to read these."""

from typing import Final

PREDICTING: Final = ("frequencies", "ann", "tree")
"""Kinds of models that predict actions."""
COUNTERS: Final = "counters"
"""What takes the place of such a kind where there is no model."""
PREDICTORS: Final = (COUNTERS, *PREDICTING)
"""The opponent's own counters, or one of the models that come along."""
