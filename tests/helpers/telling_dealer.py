"""`arena dealer` with an observer of whole hands, which writes them to `hands.txt`."""

import sys
from pathlib import Path

from dealer.server import dealer_command
from dealer.server.match_run import MatchRun
from dealer.server.observers import MatchObserver
from protocol.handlog import HandRecord, format_hand


class HandsTold(MatchObserver):
    """Writes hands."""

    def __init__(self) -> None:
        self._file = Path("hands.txt").open("w", encoding="utf-8")  # noqa: SIM115 - to the end

    def hand_played(self, hand: HandRecord) -> None:
        """Write one."""
        self._file.write(format_hand(hand) + "\n")
        self._file.flush()


class TellingRun(MatchRun):
    """A match that also tells this observer."""

    def _open_observers(self) -> list[MatchObserver]:
        return [*super()._open_observers(), HandsTold()]


if __name__ == "__main__":
    dealer_command.MatchRun = TellingRun
    sys.exit(dealer_command.main())
