"""What trackers count, straight from the definitions in docs/tracker.md, hand by hand."""

from collections import Counter
from fractions import Fraction
from typing import NamedTuple

from engine.rules.state import HandState
from engine.showdown.evaluator import strength
from protocol.betting import parse_betting
from protocol.matchstate import parse_card_text

SIZES = ("0-25", "25-40", "40-60", "60-85", "85-115", "115-175", "175+")


class Decision(NamedTuple):
    """What one position did, and what it could have done."""

    street: int
    actor: int
    kind: str
    """fold, check, call or raise."""
    can_raise: bool
    still_able: frozenset
    """Positions that can act now or later."""
    percent: Fraction | None
    """Size of a bet or raise in hundredths of the pot after calling; None without a pot."""


class PlayedHand:
    """The decisions of one hand, and questions about them."""

    def __init__(self, game, record):
        self.state = HandState.start(game)
        self.antes_only = len(set(game.blinds)) == 1
        self.decisions = []
        for street in parse_betting(record.betting):
            for action in street:
                self._take(action)
        self.cards = parse_card_text(record.cards, game)

    def _take(self, action):
        state = self.state
        kind = {"f": "fold", "r": "raise", "c": "call" if state.to_call else "check"}[action.kind]
        if action.kind == "c" and state.to_match > state.spent[state.actor]:
            kind = "call"
        able = frozenset(
            p
            for p in range(state.game.players)
            if not state.folded[p] and state.spent[p] < state.game.stacks[p]
        )
        self.state = state.apply(action)
        percent = None
        pot = state.pot + state.to_call
        if kind == "raise" and pot:
            percent = Fraction(100 * (self.state.to_match - state.to_match), pot)
        self.decisions.append(
            Decision(state.street, state.actor, kind, state.can_raise, able, percent)
        )

    def on(self, street):
        """Decisions of a street."""
        return [one for one in self.decisions if one.street == street]

    def raisers(self, street):
        """Who bet and raised, in order."""
        return [one.actor for one in self.on(street) if one.kind == "raise"]

    def aggressor(self, street):
        """Who did so last."""
        return (self.raisers(street) or [None])[-1]

    def may_continue(self, street):
        """Who would make a continuation bet on a street."""
        last = self.aggressor(street - 1)
        return last if street == 1 or last == self.cbettor(street - 1) else None

    def cbettor(self, street):
        """Who made one."""
        if street < 1 or not self.raisers(street):
            return None
        first = self.raisers(street)[0]
        return first if first == self.may_continue(street) else None

    def spots(self, street):
        """Decisions of a street, each with those before it and the number of raises before it."""
        taken = self.on(street)
        for i, one in enumerate(taken):
            before = taken[:i]
            yield one, before, sum(each.kind == "raise" for each in before)


def before_the_flop(hand):
    """Yield (what, position, whether it was done) of raises before the flop."""
    for one, before, raises in hand.spots(0):
        bets = raises + (0 if hand.antes_only else 1)
        raised = one.kind == "raise"
        authors = [each.actor for each in before if each.kind == "raise"]
        if one.can_raise and bets == 2:
            yield "three_bet", one.actor, raised
            last = max(i for i, each in enumerate(before) if each.kind == "raise")
            if any(each.kind == "call" for each in before[last + 1 :]):
                yield "squeeze", one.actor, raised
        if one.can_raise and bets == 3:
            yield "four_bet", one.actor, raised
        if bets == 3 and one.actor == authors[-2]:
            yield "fold_to_three_bet", one.actor, one.kind == "fold"
        if bets == 4 and one.actor == authors[-2]:
            yield "fold_to_four_bet", one.actor, one.kind == "fold"


def from_the_flop_on(hand, street):
    """Yield (what, position, whether it was done) of a later street."""
    leader = hand.may_continue(street)
    last = hand.aggressor(street - 1)
    earlier = hand.cbettor(street - 1)
    for one, before, raises in hand.spots(street):
        raised = one.kind == "raise"
        gone = [each.actor for each in before]
        if raises == 0 and one.can_raise:
            if one.actor == leader:
                yield "cbet", one.actor, raised
            if last not in (None, one.actor, *gone) and last in one.still_able:
                yield "donk_bet", one.actor, raised
            called = [
                each.actor
                for each, _, so_far in hand.spots(street - 1)
                if each.kind == "call" and so_far == 1
            ]
            if earlier is not None and earlier == last and one.actor in called and earlier in gone:
                yield "float", one.actor, raised
        if raises == 1 and hand.cbettor(street) is not None:
            yield "fold_to_cbet", one.actor, one.kind == "fold"
        mine = [each for each in before if each.actor == one.actor]
        if mine and mine[-1].kind == "check" and one.can_raise:
            yield "check_raise", one.actor, raised


def pots_won(hand):
    """Return who takes part of a pot that somebody else paid into as well."""
    state = hand.state
    if not state.showdown:
        return {state.folded.index(False)}
    ranks = {p: strength((*hand.cards.holes[p], *hand.cards.board)) for p in staying(state)}
    winners = set()
    for level in set(state.spent):
        paid = [p for p, chips in enumerate(state.spent) if chips >= level > 0]
        if len(paid) > 1:
            best = max(ranks[p] for p in paid if p in ranks)
            winners |= {p for p in paid if ranks.get(p) == best}
    return winners


def staying(state):
    """Return who has not folded."""
    return [p for p, out in enumerate(state.folded) if not out]


def count_tracked(game, records):
    """Return {(player, position): Counter}; keys are (what, street) with " of" for occasions."""
    found = {}
    for record in records:
        hand = PlayedHand(game, record)
        lines = [
            found.setdefault((name, position), Counter())
            for position, name in enumerate(record.names)
        ]
        for what, position, done in before_the_flop(hand):
            lines[position][what, None] += done
            lines[position][f"{what} of", None] += 1
        for street in range(1, game.streets):
            for what, position, done in from_the_flop_on(hand, street):
                lines[position][what, street] += done
                lines[position][f"{what} of", street] += 1
        for one in hand.decisions:
            lines[one.actor][one.kind, one.street] += 1
            if one.kind == "raise":
                edges = (25, 40, 60, 85, 115, 175)
                size = 6 if one.percent is None else sum(one.percent >= edge for edge in edges)
                lines[one.actor][SIZES[size], one.street] += 1
        _count_ends(game, hand, lines)
    return found


def _count_ends(game, hand, lines):
    state = hand.state
    dealt_on = state.street
    played_to = hand.decisions[-1].street if hand.decisions else 0
    run_out = state.showdown and played_to < dealt_on
    gone_first = {one.actor for one in hand.on(0) if one.kind == "fold"}
    for position, line in enumerate(lines):
        if game.streets > 1 and (dealt_on == 0 or position in gone_first):
            continue
        line["second_street_won of", None] += 1
        line["second_street_won", None] += position in pots_won(hand)
        if not run_out:
            line["showdown_played of", None] += 1
            line["showdown_played", None] += state.showdown and not state.folded[position]
