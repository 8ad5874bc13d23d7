"""How long a player may take for an answer, and players that do not ask.

A player's `act` takes the view of the hand, and as a second argument, if it wants it, the time it
has: `act(view)` and `act(view, budget)` are both players everywhere.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from math import inf
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from engine.rules.view import PlayerView
    from protocol.actions import Action


class TimeBudget(NamedTuple):
    """Seconds that a player may use, `inf` where no limit is known; never negative."""

    seconds: float = inf
    """For this answer; whoever keeps to it loses nothing by time.  The least of all that is
    known: the limit of one answer and the two below."""
    hand: float = inf
    """Left of this hand's time, this answer included."""
    match: float = inf
    """Left of the match's time as far as the match has got: what a player who uses the average per
    hand would have used by the end of this hand, less what was used."""


UNLIMITED: Final = TimeBudget()
_POSITIONAL: Final = (
    inspect.Parameter.POSITIONAL_ONLY,
    inspect.Parameter.POSITIONAL_OR_KEYWORD,
)


def takes_budget(act: Callable[..., Action]) -> bool:
    """Return whether a player's `act` wants a second argument.

    One with a default value is the player's own affair, unless it is called `budget`.
    """
    try:
        parameters = list(inspect.signature(act).parameters.values())
    except (TypeError, ValueError):  # no function, or one that does not tell
        return False
    given = [one for one in parameters if one.kind in _POSITIONAL]
    if len(given) > 1:
        return given[1].default is inspect.Parameter.empty or given[1].name == "budget"
    return any(one.kind is inspect.Parameter.VAR_POSITIONAL for one in parameters)


def with_budget(act: Callable[..., Action]) -> Callable[[PlayerView, TimeBudget], Action]:
    """Return `act` as a function of view and budget; an `act` of one argument is not told."""
    if takes_budget(act):
        return act
    return lambda view, budget: act(view)


def without_budget(act: Callable[..., Action]) -> Callable[[PlayerView], Action]:
    """Return `act` as a function of the view; an `act` of two arguments has all the time."""
    if takes_budget(act):
        return lambda view: act(view, UNLIMITED)
    return act
