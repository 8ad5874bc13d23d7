"""The player who waits for a better hand, for ever."""

from agents.bot import Bot
from engine.rules.view import PlayerView
from protocol.actions import Action


class AlwaysFold(Bot):
    """Folds every time; checks where there is nothing to fold to."""

    def act(self, view: PlayerView) -> Action:
        """Return a fold where it is legal, else a check."""
        return view.fold()
