"""The calling station."""

from agents.bot import Bot
from engine.rules.view import PlayerView
from protocol.actions import CALL, Action


class AlwaysCall(Bot):
    """Checks or calls every time."""

    def act(self, view: PlayerView) -> Action:
        """Return a call."""
        return CALL
