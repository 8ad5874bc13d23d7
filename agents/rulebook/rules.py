"""The rules: tables of (name, when, what), read from the top; the first that applies is played.

The last rule of each table always applies.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from agents.rulebook.hand_classes import Draw, Made
from agents.rulebook.situation import Postflop, Preflop

_S = TypeVar("_S")


@dataclass(frozen=True, slots=True)
class RuleAction:
    """What to do: "f" fold or check, "c" check or call, "r" bet or raise."""

    kind: str
    pot_fraction: float = 0.0
    """Size of a no-limit raise, in pots after the call."""


GIVE_UP: Final = RuleAction("f")
CALL: Final = RuleAction("c")


@dataclass(frozen=True, slots=True)
class Rule(Generic[_S]):
    """One rule of thumb."""

    name: str
    when: Callable[[_S], bool]
    play: RuleAction


def first_match(rules: Sequence[Rule[_S]], situation: _S) -> Rule[_S]:
    """Return the first rule that applies to `situation`."""
    return next(rule for rule in rules if rule.when(situation))


def _open(s: Preflop) -> bool:
    return s.situation.can_raise and not s.situation.raises and s.hand_share <= s.open_share


def _limp(s: Preflop) -> bool:
    """Complete the small blind, or call behind others, where the price is good."""
    worth_it = (1.3 - 1.6 * s.situation.price) / s.situation.opponents**0.5
    return not s.situation.raises and s.situation.price <= 0.3 and s.hand_share <= worth_it


def _reraise(s: Preflop) -> bool:
    if not s.situation.can_raise or not s.situation.raises:
        return False
    part = 0.30 if s.situation.no_limit else 0.45
    return s.hand_share <= part * s.defend_share and s.situation.roll < 0.9


def _reraise_best(s: Preflop) -> bool:
    return s.situation.can_raise and s.situation.raises > 2 and s.hand_share <= 0.015


def _defend(s: Preflop) -> bool:
    return s.situation.raises > 0 and s.hand_share <= s.defend_share


PREFLOP: Final[tuple[Rule[Preflop], ...]] = (
    Rule("open", _open, RuleAction("r", 0.75)),
    Rule("raise big with the best", _reraise_best, RuleAction("r", 3.0)),
    Rule("raise again", _reraise, RuleAction("r", 1.0)),
    Rule("defend", _defend, CALL),
    Rule("limp", _limp, CALL),
    Rule("give up", lambda s: True, GIVE_UP),
)


def _raise_for_value(s: Postflop) -> bool:
    if not s.situation.facing or not s.situation.can_raise:
        return False
    bar = (
        0.66 + 0.08 * (s.situation.raises - 1)
        if s.situation.no_limit
        else 0.55 + 0.08 * s.situation.raises
    )
    return s.chance >= bar and s.situation.roll < 0.85


def _semi_bluff_raise(s: Postflop) -> bool:
    good_draw = s.made is Made.NOTHING and s.draw >= Draw.OPEN_ENDED
    cheap = s.situation.raises == 1 and s.situation.commitment < 0.2
    return (
        s.situation.facing
        and s.situation.can_raise
        and good_draw
        and cheap
        and s.situation.roll > 0.85
    )


def _pot_odds(s: Postflop) -> bool:
    """Call where the chance covers the price, with something to spare while bets may follow."""
    to_come = not s.last_street and s.situation.commitment < 1.0
    return s.situation.facing and s.chance >= s.situation.price + (0.04 if to_come else 0.0)


def _draw_odds(s: Postflop) -> bool:
    """Call with a draw where one more card is about worth the price: 8 or 9 outs of 46."""
    return s.situation.facing and s.draw >= Draw.OPEN_ENDED and s.situation.price <= 0.22


def _bet_big(s: Postflop) -> bool:
    slow_play = s.made is Made.STRONG and s.situation.roll >= 0.85
    return _may_bet(s) and s.chance >= 0.82 and not slow_play


def _bet_for_value(s: Postflop) -> bool:
    return _may_bet(s) and 0.60 <= s.chance < 0.82


def _semi_bluff(s: Postflop) -> bool:
    good_draw = s.made is Made.NOTHING and s.draw >= Draw.OPEN_ENDED
    return _may_bet(s) and good_draw and s.situation.roll < 0.5


def _bluff(s: Postflop) -> bool:
    hopeless = s.made is Made.NOTHING and s.strength < 0.35
    return _may_bet(s) and hopeless and s.situation.opponents == 1 and s.situation.roll < 0.12


def _may_bet(s: Postflop) -> bool:
    return not s.situation.facing and s.situation.can_raise


POSTFLOP: Final[tuple[Rule[Postflop], ...]] = (
    Rule("raise for value", _raise_for_value, RuleAction("r", 0.9)),
    Rule("semi-bluff raise", _semi_bluff_raise, RuleAction("r", 0.9)),
    Rule("pot odds", _pot_odds, CALL),
    Rule("draw odds", _draw_odds, CALL),
    Rule("bet big", _bet_big, RuleAction("r", 1.0)),
    Rule("bet for value", _bet_for_value, RuleAction("r", 0.65)),
    Rule("semi-bluff", _semi_bluff, RuleAction("r", 0.65)),
    Rule("bluff", _bluff, RuleAction("r", 0.65)),
    Rule("give up", lambda s: True, GIVE_UP),
)
