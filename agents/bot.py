"""What a bot is: a class with one method, `act`.

A bot decides; it never sees a socket, a clock or another player's cards.  `agents.run` seats it at
any ACPC dealer; `engine.play.learners` plays it against others without a network, with the same
calls from `start_match` to the last `end_hand`.

A bot that wants to know how long it may think gives `act` a second parameter, or one of this name,

    def act(self, view: PlayerView, budget: TimeBudget = UNLIMITED) -> Action:

and gets an `engine.play.budget.TimeBudget` with every question.  The limits are those of the
command line that started it (--t_response, --t_hand, --t_per_hand, as the dealer was given them),
else those that `arena match` put into the environment (ARENA_T_RESPONSE and so on); a limit that
nobody named, or a negative one, is infinite.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.rules.view import PlayerView
    from protocol.actions import Action
    from protocol.gamedef import GameDef


class Bot(ABC):
    """Decides the actions of one player.  Only `act` must be written."""

    @property
    def learns(self) -> bool:
        """Whether it plays by what happened earlier in the match; `learns = True` says so.

        Where it is started again in the middle of a match, it is then shown the hands that were
        played, see `agents.seat.played`.
        """
        return False

    def warm_up(self) -> None:  # noqa: B027 - optional
        """Do what takes long, such as compiling or loading; called before the bot connects."""

    def start_match(self, game: GameDef, seed: int) -> None:  # noqa: B027 - optional
        """Get ready for a match of `game`; all random choices of the match follow from `seed`."""

    @abstractmethod
    def act(self, view: PlayerView) -> Action:
        """Return the action to take; called only when it is this player's turn.

        `view.fold()`, `view.call()` and `view.raise_to(chips)` return actions that are legal;
        `view.history` has every action of the hand so far with the state it was taken in, and
        its `facts`: pot, chips to call, bounds of a raise and stacks before it.
        """

    def observe(self, view: PlayerView) -> None:  # noqa: B027 - optional
        """Look at the hand while somebody else is to act; called once for each such state.

        The match goes on meanwhile, and the time of this bot's next question may begin: if the
        question is there when this call (or `end_hand`) is done, all of the call is taken off its
        budget, for nobody knows when it came.  So a bot that minds the time is quick here.
        """

    def end_hand(self, view: PlayerView) -> None:  # noqa: B027 - optional
        """Look at a finished hand: `view.state` is over, `view.shown` holds what was shown."""

    def notes(self) -> Mapping[str, Any]:
        """Return what the log is to say about the last decision or hand beside the bare facts."""
        return {}
