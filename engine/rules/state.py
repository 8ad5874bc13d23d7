"""One hand's betting as an immutable value: who acts, what is legal, when it is over.

A HandState knows chips and actions, never cards; `engine.rules.dealing` has the cards and
`engine.rules.view` decides who may see which.  `apply` returns the next state, so any state can
be kept and compared; each remembers the states and actions that led to it, so that nobody has to
play the betting text again, or to work out again what an earlier action answered.

The rules are those of the ACPC reference dealer: raises are totals over the whole hand, an all-in
below the smallest legal raise counts as a raise and reopens the betting.  Two of its defects are
not repeated: players who are all all-in by their blinds go straight to the showdown, and in limit
games a raise never lowers the bet.
"""

from __future__ import annotations

from functools import cached_property
from operator import sub
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from engine.errors import IllegalAction

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from protocol.actions import Action
    from protocol.gamedef import GameDef

MAX_ACTIONS_PER_STREET: Final = 64
"""The reference dealer's bound: within reach of it nobody may raise, so every street ends."""


NOBODY: Final = -1


class DecisionFacts(NamedTuple):
    """What somebody decides on, or decided on; chips count over the whole hand."""

    street: int
    actor: int
    pot: int
    to_call: int
    low: int
    """Smallest legal raise-to, 0 where no raise is legal."""
    high: int
    """Largest."""
    chips_left: tuple[int, ...]
    """Chips each position has left to put in."""
    raises_before: int
    """Raises on earlier streets."""
    raiser_before: int
    """Position that raised last on the street before, `NOBODY` if none did."""


class HandState(NamedTuple):
    """The betting of one hand up to now; positions and streets are 0-based, chips are ints."""

    game: GameDef
    street: int
    actor: int
    """Position to act, -1 when the hand is over."""
    spent: tuple[int, ...]
    """Chips each position has put in over the hand, blinds included."""
    folded: tuple[bool, ...]
    to_match: int
    """Total chips a position must have put in to stay in the hand."""
    min_raise_to: int
    """Smallest full raise in no-limit; a shorter stack may still raise all-in."""
    betting: str
    """The betting as on the wire; complete with all slashes when the hand is over."""
    raises: int
    """Raises made on this street."""
    actions: int
    """Actions taken on this street."""
    settled: int
    """Positions not all-in that have matched since the last raise, the raiser included."""
    history: tuple[PastAction, ...] = ()
    """Every action up to now with the state it was taken in, in order.  It follows from the game
    and `betting`, so it is neither compared nor hashed nor shown."""

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, HandState) and self[:-1] == other[:-1])

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self[:-1])

    def __reduce__(self) -> tuple[Callable[..., HandState], tuple[object, ...]]:
        """Pickle the first state and the actions; the states between follow from them."""
        first = self.history[0][0] if self.history else self
        return _played_on, (first[:-1], tuple([action for _, action in self.history]))

    def __repr__(self) -> str:
        shown = zip(self._fields[:-1], self, strict=False)
        return f"HandState({', '.join(f'{name}={value!r}' for name, value in shown)})"

    @classmethod
    def start(cls, game: GameDef) -> HandState:
        """Return the state right after the blinds are posted."""
        largest = max(game.blinds)
        state = cls(
            game=game,
            street=0,
            actor=-1,
            spent=game.blinds,
            folded=(False,) * game.players,
            to_match=largest,
            min_raise_to=2 * largest if largest else 1,
            betting="",
            raises=0,
            actions=0,
            settled=0,
        )
        first = state._next_able(game.first_positions[0])
        if first < 0:  # all in by blinds: nobody can ever act
            slashes = "/" * (game.streets - 1)
            return state._replace(street=game.streets - 1, betting=slashes)
        return state._replace(actor=first)

    @property
    def over(self) -> bool:
        """True when no action is left."""
        return self.actor < 0

    @property
    def showdown(self) -> bool:
        """True when the hand is over with at least two positions not folded."""
        return self.actor < 0 and self.folded.count(False) > 1

    @property
    def pot(self) -> int:
        """Chips put in by everybody over the hand."""
        return sum(self.spent)

    @property
    def to_call(self) -> int:
        """Chips the actor must add to continue; its whole stack when that is less.  0 when over."""
        if self.actor < 0:
            return 0
        return min(self.to_match, self.game.stacks[self.actor]) - self.spent[self.actor]

    @property
    def can_fold(self) -> bool:
        """True when the actor faces chips to call; folding for nothing is illegal."""
        return self.actor >= 0 and self.spent[self.actor] != self.to_match

    @property
    def can_raise(self) -> bool:
        """True when the actor may raise by some amount."""
        return self.raise_range() is not None

    @property
    def street_is_full(self) -> bool:
        """True when raising is refused because the street has too many actions."""
        return self.actions + self.game.players > MAX_ACTIONS_PER_STREET

    def facts(self) -> DecisionFacts:
        """Return what the actor decides on; `PastAction.facts` keeps it for earlier actions."""
        low, high = self.raise_range() or (0, 0)
        raises_before, raiser_before = self._raises_before()
        return DecisionFacts(
            self.street,
            self.actor,
            self.pot,
            self.to_call,
            low,
            high,
            tuple(map(sub, self.game.stacks, self.spent)),
            raises_before,
            raiser_before,
        )

    def raise_range(self) -> tuple[int, int] | None:
        """Return the smallest and largest legal raise-to in chips, None where no raise is legal.

        In limit games both are the one total that a raise leads to.
        """
        (game, street, actor, spent, folded, to_match, min_raise_to, _, raises, actions,
         _, _) = self  # fmt: skip
        if actor < 0 or raises >= game.max_raises[street]:
            return None
        if actions + game.players > MAX_ACTIONS_PER_STREET:
            return None
        stacks = game.stacks
        stack = stacks[actor]
        if stack <= to_match or not _able_besides(actor, spent, stacks, folded):
            return None
        if game.no_limit:
            return (min_raise_to if min_raise_to < stack else stack), stack
        raised = min(to_match + game.raise_sizes[street], stack)
        return raised, raised

    def is_legal(self, action: Action) -> bool:
        """Return whether the actor may take `action`; the size of a limit raise is ignored."""
        kind = action.kind
        if self.actor < 0 or kind == "c":
            return self.actor >= 0
        if kind == "f":
            return self.can_fold
        legal = self.raise_range()
        if kind != "r" or legal is None:
            return False
        return not self.game.no_limit or legal[0] <= action.raise_to <= legal[1]

    def apply(self, action: Action) -> HandState:
        """Return the state after the actor's `action`.

        Raises:
            IllegalAction: the rules do not allow it; the message says why.
        """
        # One unpacking: reading twelve fields one by one takes as long as the rest of a call.
        (game, street, actor, spent, folded, to_match, min_raise_to, betting, raises, actions,
         settled, history) = self  # fmt: skip
        kind = action.kind
        if actor < 0 or (kind != "c" and not self.is_legal(action)):
            raise IllegalAction(self._why_not(action))
        stacks = game.stacks
        if kind == "f":
            folded = (*folded[:actor], True, *folded[actor + 1 :])
            betting += "f"
        else:
            stack = stacks[actor]
            if kind == "c":
                paid = to_match if to_match < stack else stack
                settled += paid < stack
                betting += "c"
            else:
                if game.no_limit:
                    paid = action.raise_to
                    min_raise_to = max(min_raise_to, 2 * paid - to_match)
                    betting += f"r{paid}"
                else:
                    paid = min(to_match + game.raise_sizes[street], stack)
                    betting += "r"
                to_match = paid
                raises += 1
                settled = int(paid < stack)
            spent = (*spent[:actor], paid, *spent[actor + 1 :])

        actions += 1
        able = 0
        for chips, most, out in zip(spent, stacks, folded, strict=True):
            if chips < most and not out:
                able += 1
        if kind == "f" and folded.count(False) == 1:
            actor = -1
        elif settled < able:
            actor = _next_able(game, spent, folded, actor + 1)
        elif able > 1 and street + 1 < game.streets:
            street += 1
            betting += "/"
            min_raise_to = to_match + game.big_blind
            raises = actions = settled = 0
            actor = _next_able(game, spent, folded, game.first_positions[street])
        else:
            betting += "/" * (game.streets - 1 - street)
            street = game.streets - 1
            actor = -1
        # Not by HandState(...): a named tuple's own constructor is a function in Python.
        return _new(HandState, (
            game, street, actor, spent, folded, to_match, min_raise_to, betting, raises, actions,
            settled, (*history, _new(PastAction, (self, action))),
        ))  # fmt: skip

    def steps(self, since: int = 0) -> Iterator[tuple[HandState, Action, HandState]]:
        """Yield the state before, the action and the state after of each action of the hand.

        Args:
            since: how many of the first actions to leave out.
        """
        history = self.history
        for number in range(since, len(history)):
            spot, action = history[number]
            last = number + 1 == len(history)
            yield spot, action, self if last else history[number + 1][0]

    def _raises_before(self) -> tuple[int, int]:
        """Return the raises on earlier streets, and who raised last on the one before."""
        history, first = self.history, len(self.history) - self.actions
        if not first:
            return 0, NOBODY
        if self.actions:
            facts = history[first].facts
            return facts.raises_before, facts.raiser_before
        last, action = history[-1]
        raiser = NOBODY
        for state, done in history[first - last.actions - 1 :]:
            if done.kind == "r":
                raiser = state.actor
        return history[-1].facts.raises_before + last.raises + (action.kind == "r"), raiser

    def _next_able(self, position: int) -> int:
        return _next_able(self.game, self.spent, self.folded, position)

    def _why_not(self, action: Action) -> str:
        if self.actor < 0:
            return f"{action.text}: the hand is over"
        if action.kind == "f":
            return "f: nothing to call, so nothing to fold to"
        if action.kind != "r":
            return f"{action.kind!r} is no action"
        legal = self.raise_range()
        if legal is None:
            return f"{action.text}: no raise is possible here"
        return f"{action.text}: a raise must be to {legal[0]}..{legal[1]} chips"


class _StateAndAction(NamedTuple):
    state: HandState
    """Before the action."""
    action: Action


class PastAction(_StateAndAction):
    """An action that was taken, with the state it was taken in.

    All later states of a hand share it, so its facts are worked out once, when first asked for.
    """

    @cached_property
    def facts(self) -> DecisionFacts:
        """What was decided on."""
        return self.state.facts()

    @property
    def raise_to(self) -> int:
        """Total of a raise over the hand, in limit games too; 0 for other actions."""
        if self.action.kind != "r":
            return 0
        return self.action.raise_to if self.state.game.no_limit else self.facts.low


_new: Final = tuple.__new__


def _played_on(first: tuple[Any, ...], actions: tuple[Action, ...]) -> HandState:
    state = HandState(*first)
    for action in actions:
        state = state.apply(action)
    return state


def _able_besides(
    actor: int, spent: tuple[int, ...], stacks: tuple[int, ...], folded: tuple[bool, ...]
) -> bool:
    """Return whether a position besides the actor is neither folded nor all-in."""
    for position, chips in enumerate(spent):
        if chips < stacks[position] and not folded[position] and position != actor:
            return True
    return False


def _next_able(
    game: GameDef, spent: tuple[int, ...], folded: tuple[bool, ...], position: int
) -> int:
    """Return the first position from `position` on that can act, -1 where none can."""
    players = game.players
    stacks = game.stacks
    for candidate in range(position, position + players):
        if candidate >= players:
            candidate -= players
        if not folded[candidate] and spent[candidate] < stacks[candidate]:
            return candidate
    return -1
