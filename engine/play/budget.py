"""How long a player may take for an answer, and players that do not ask.

A player's `act` takes the view of the hand, and if it wants it the time it has.  The budget is its
second argument or the one called `budget`: `act(view)`, `act(view, budget)` and
`act(view, *, budget)` are all players everywhere.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from enum import Enum
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from engine.rules.view import PlayerView
    from protocol.actions import Action


_ANSWER_SHARE: Final = 0.5
_HAND_SHARE: Final = 0.25
"""There may be as many decisions to come."""


class TimeBudget(NamedTuple):
    """Seconds that a player may use, `inf` where no limit is known; never negative."""

    seconds: float = inf
    """For this answer: the least of what is known, the limit of one answer and the two below.

    Whoever uses all of it is late: a dealer also counts the way there and back, which the player's
    side cannot see, at every answer.  Keep some milliseconds in hand for this one and for those
    that are still to come in the hand and the match."""
    hand: float = inf
    """Left of this hand's time, this answer included."""
    match: float = inf
    """Left of the match's time as far as the match has got: what a player who uses the average per
    hand would have used by the end of this hand, less what was used."""

    @property
    def thinking(self) -> float:
        """Seconds that a search may take: half of the answer's, a quarter of the hand's."""
        return min(_ANSWER_SHARE * self.seconds, _HAND_SHARE * self.hand)


UNLIMITED: Final = TimeBudget()
_POSITIONAL: Final = (
    inspect.Parameter.POSITIONAL_ONLY,
    inspect.Parameter.POSITIONAL_OR_KEYWORD,
)
_BY_NAME: Final = (
    inspect.Parameter.POSITIONAL_OR_KEYWORD,
    inspect.Parameter.KEYWORD_ONLY,
)


class _Wish(Enum):
    """How a player's `act` wants the budget."""

    NOT = "not at all"
    SECOND = "as the second argument"
    NAMED = "as budget=..."


def with_budget(act: Callable[..., Action]) -> Callable[[PlayerView, TimeBudget], Action]:
    """Return `act` as a function of view and budget; an `act` that wants none is not told."""
    wish = _wish_of(act)
    if wish is _Wish.SECOND:
        return act
    if wish is _Wish.NAMED:
        return lambda view, budget: act(view, budget=budget)
    return lambda view, budget: act(view)


def wants_budget(act: Callable[..., Action]) -> bool:
    """Return whether `act` is to be told what time it has."""
    return _wish_of(act) is not _Wish.NOT


def without_budget(act: Callable[..., Action]) -> Callable[[PlayerView], Action]:
    """Return `act` as a function of the view; an `act` that wants a budget has all the time."""
    if _wish_of(act) is _Wish.NOT:
        return act
    actor = with_budget(act)
    return lambda view: actor(view, UNLIMITED)


def _wish_of(act: Callable[..., Action]) -> _Wish:
    """Return how `act` wants the budget.

    A parameter called `budget` says so, wherever it stands; any other that comes second does where
    it has no default value.  Variable arguments, as of a wrapper, say nothing.
    """
    try:
        parameters = inspect.signature(act).parameters
    except (TypeError, ValueError):  # no function, or one that does not tell
        return _Wish.NOT
    fixed = act.keywords if isinstance(act, partial) else {}
    positional = [parameter for parameter in parameters.values() if parameter.kind in _POSITIONAL]
    second = positional[1] if len(positional) > 1 else None
    if second is not None and (second.name == "budget" or second.default is second.empty):
        return _Wish.SECOND
    named = parameters.get("budget")
    if named is None or named.kind not in _BY_NAME or named in positional[:1] or "budget" in fixed:
        return _Wish.NOT
    return _Wish.NAMED
