"""A bot that we started at a seat of a leg, and the files that it writes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from dealer.matches.bots import BotKind, Participant
from dealer.matches.launcher import Child
from dealer.matches.output_file import OutputFile

_USAGE_STATUS: Final = 2
"""Exit status of a shipped bot that does not accept its options."""


@dataclass(slots=True)
class SeatedBot:
    """A bot that we started."""

    number: int
    """0-based seat."""
    bot: Participant
    command: list[str]
    child: Child
    output: OutputFile
    errors: OutputFile

    def refused(self, *, begun: bool) -> bool:
        """Return whether a shipped bot has ended because it does not accept its options.

        `begun` says whether an action was taken in this play of the leg.
        """
        ended = self.child.status == _USAGE_STATUS and not self.child.was_stopped
        return self.bot.kind is BotKind.SHIPPED and ended and not begun
