"""Everything the rules look at, worked out once per decision.  Shares and chances are 0 to 1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from agents.rulebook.hand_classes import Draw, Made, best_draw, made_hand
from agents.rulebook.preflop_chart import OPEN_SHARE, top_fraction
from agents.rulebook.strength import hand_strength

if TYPE_CHECKING:
    import numpy as np

    from engine.rules.state import HandState
    from engine.rules.view import PlayerView

_DEFENCE_POWER: Final = 0.7
"""Below 1: defend more hands than would make a raise with any two cards break even."""
_DEFENCE_AFTER_RERAISE: Final = 0.6
_DEFENCE_AMONG: Final = -0.7
"""Power of the number of opponents dealt in: a raise among many shows a better hand."""
_LEAST_DEFENCE: Final = 0.08

_RESPECT_PER_POT: Final = 0.30
"""Share of hands that whoever bets the pot is taken not to hold; half for half the pot."""
_RESPECT_PER_RAISE: Final = 0.15
_MOST_RESPECT: Final = 0.45


@dataclass(frozen=True, slots=True)
class Situation:
    """What counts on every street."""

    roll: float
    """Uniform random number for rules that mix their play."""
    no_limit: bool
    can_raise: bool
    opponents: int
    """Other players still in the hand."""
    raises: int
    """Bets and raises on this street so far; blinds do not count."""
    facing: bool
    """Whether there is something to call."""
    price: float
    """Pot odds: chips to call over the pot after the call."""
    commitment: float
    """Chips to call over the chips this player has left."""


@dataclass(frozen=True, slots=True)
class Preflop:
    """A decision before the flop."""

    situation: Situation
    hand_share: float
    """Share of all hands that are at least as good."""
    open_share: float
    """Share of hands to raise with when nobody has."""
    defend_share: float
    """Share of hands to stay in with against the raises made."""


@dataclass(frozen=True, slots=True)
class Postflop:
    """A decision on flop, turn or river."""

    situation: Situation
    last_street: bool
    strength: float
    """Chance to beat one random hand at the showdown."""
    chance: float
    """Chance to beat all opponents, after what the bet we face says about one of them."""
    made: Made
    draw: Draw


def preflop_situation(view: PlayerView, roll: float) -> Preflop:
    """Return the situation before the flop."""
    behind = min(_players_behind(view.state), len(OPEN_SHARE) - 1)
    return Preflop(
        _situation(view, roll), top_fraction(view.hole), OPEN_SHARE[behind], _defend_share(view)
    )


def postflop_situation(view: PlayerView, roll: float, rng: np.random.Generator) -> Postflop:
    """Return the situation after the flop; samples the hand strength."""
    situation = _situation(view, roll)
    strength = hand_strength(view.hole, view.board, rng)
    respect = _respect(view, situation)
    against_bettor = max(0.0, (strength - respect) / (1.0 - respect))
    return Postflop(
        situation,
        view.street == view.game.streets - 1,
        strength,
        against_bettor * strength ** (situation.opponents - 1),
        made_hand(view.hole, view.board),
        best_draw(view.hole, view.board),
    )


def _situation(view: PlayerView, roll: float) -> Situation:
    state = view.state
    return Situation(
        roll=roll,
        no_limit=view.game.no_limit,
        can_raise=view.can_raise,
        opponents=state.folded.count(False) - 1,
        raises=state.raises,
        facing=view.to_call > 0,
        price=view.to_call / max(view.pot + view.to_call, 1),
        commitment=view.to_call / view.stack,
    )


def _players_behind(state: HandState) -> int:
    """Count the players who act after this one if everybody just calls."""
    return sum(
        not folded and spent < stack
        for folded, spent, stack in zip(state.folded, state.spent, state.game.stacks, strict=True)
    ) - (state.settled + 1)


def _defend_share(view: PlayerView) -> float:
    """Return the share of hands worth a call of the raises made.

    With P the pot and c the chips to call, (P - c) / P is the share that makes a bluff of that
    size break even; the power and the factors above turn it into a usable range.
    """
    state = view.state
    if not state.raises:
        return 1.0
    even = (view.pot - view.to_call) / view.pot
    share: float = max(even, 0.0) ** _DEFENCE_POWER
    share *= _DEFENCE_AFTER_RERAISE ** (state.raises - 1)
    share *= (view.game.players - 1) ** _DEFENCE_AMONG
    return max(share, _LEAST_DEFENCE)


def _respect(view: PlayerView, situation: Situation) -> float:
    """Return the share of hands that the player who bet last is taken not to hold."""
    if not situation.facing:
        return 0.0
    earlier_pot = max(view.pot - view.to_call, 1)
    bet = min(view.to_call / earlier_pot, 1.0)
    respect = _RESPECT_PER_POT * bet + _RESPECT_PER_RAISE * (situation.raises - 1)
    return min(respect, _MOST_RESPECT)
