"""Judging what an agent answered: is it about the state that was sent, and which action is it.

Agents answer with the state they got plus ":" and an action.  `protocol.replies` reads that text
as leniently as the reference dealer does; this module holds it against the rules and copies the
reference dealer's repairs of actions they do not allow, so that old agents keep working.

Differences on purpose: numbers never wrap, so a hand or position that would fit only after
wrapping belongs to another state, and a huge raise goes to the nearest legal size; own cards
left out make another state.
"""

from enum import Enum
from typing import Final, NamedTuple

from engine.errors import IllegalAction
from engine.rules.dealing import Deal
from engine.rules.state import HandState
from engine.rules.view import visible_board
from protocol.actions import CALL, FOLD, RAISE, Action, raise_to
from protocol.replies import action_kind, parse_answer_cards, parse_answer_head, raise_size


class Problem(Enum):
    """Why a reply could not be taken as it stood."""

    MALFORMED = "malformed"
    """The action text cannot be read."""
    ILLEGAL = "illegal"
    """The rules do not allow the action."""
    SIZE = "size"
    """A raise was possible, but not of this size."""


class ReplyVerdict(NamedTuple):
    """The action that a reply stands for."""

    action: Action
    """Legal in the state that was asked about."""
    problem: Problem | None = None
    """None when the reply was taken as it stood."""
    warnings: tuple[str, ...] = ()
    """The reference dealer's words for what was changed, without "WARNING: "."""


class Echo(Enum):
    """What the state part of a reply turned out to be."""

    SAME = "same state"
    OTHER = "another state"
    MALFORMED = "no state"


def read_action(state: HandState, text: bytes) -> ReplyVerdict:
    """Return the legal action that `text`, everything after the state's colon, stands for."""
    if text in _PLAIN_CALLS:
        return _CALLED
    kind = action_kind(text)
    if kind == "c":
        return _CALLED
    if kind == "f":
        return _FOLDED if state.can_fold else _NOT_POSSIBLE
    if kind != "r":
        return _NO_ACTION
    if not state.game.no_limit:
        return _RAISED if state.can_raise else _refused_raise(state)
    chips = raise_size(text)
    if chips is None:
        return _UNREADABLE
    legal = state.raise_range()
    if legal is None:
        return _refused_raise(state)
    smallest, largest = legal
    if chips < smallest:
        note = f"raise of {chips} increased to {smallest}"
        return ReplyVerdict(raise_to(smallest), Problem.SIZE, (note,))
    if chips > largest:
        note = f"raise of {chips} decreased to {largest}"
        return ReplyVerdict(raise_to(largest), Problem.SIZE, (note,))
    return ReplyVerdict(raise_to(chips))


def split_reply(
    text: bytes, state: HandState, hand_id: int, position: int, deal: Deal
) -> tuple[Echo, bytes | None]:
    """Compare the state part of a reply with the state that was asked about.

    Args:
        text: the line up to its first NUL, terminator included.
        state: what the agent in `position` was asked about.
        hand_id: the hand's number.
        position: the agent's position in this hand.
        deal: the hand's cards.

    Returns:
        What the state part is and, where it is the same state, what follows its colon; None
        in place of that where no colon follows the state.
    """
    game = state.game
    head = parse_answer_head(text, no_limit=game.no_limit)
    if head is None or game.players <= head.viewer <= 255:
        return Echo.MALFORMED, None
    said = HandState.start(game)
    try:
        for action in head.betting:
            said = said.apply(action)
    except IllegalAction:
        return Echo.MALFORMED, None
    cards = parse_answer_cards(text, head.end, game, said.street)
    if cards is None:
        return Echo.MALFORMED, None
    same = (
        head.viewer == position
        and head.hand_id == hand_id
        and said.betting == state.betting
        and cards.board == visible_board(state, deal)
        and cards.holes[position] == deal.holes[position]
    )
    if not same:
        return Echo.OTHER, None
    return Echo.SAME, text[cards.end + 1 :] if text[cards.end : cards.end + 1] == b":" else None


def unreadable() -> ReplyVerdict:
    """Return the verdict on a reply in which no action follows the state: a call."""
    return _UNREADABLE


_CALLED: Final = ReplyVerdict(CALL)
_FOLDED: Final = ReplyVerdict(FOLD)
_RAISED: Final = ReplyVerdict(RAISE)
_PLAIN_CALLS: Final = frozenset((b"c\r\n", b"c\n"))
_CHANGED: Final = "invalid action, changed to call"
_NOT_POSSIBLE: Final = ReplyVerdict(CALL, Problem.ILLEGAL, (_CHANGED,))
_NO_ACTION: Final = ReplyVerdict(CALL, Problem.MALFORMED, (_CHANGED,))
_UNREADABLE: Final = ReplyVerdict(
    CALL, Problem.MALFORMED, ("bad action format in response, changed to call",)
)
_STREET_FULL: Final = ReplyVerdict(
    CALL,
    Problem.ILLEGAL,
    ("#actions in round is too close to MAX_NUM_ACTIONS, forcing call/fold", _CHANGED),
)


def _refused_raise(state: HandState) -> ReplyVerdict:
    capped = state.raises >= state.game.max_raises[state.street]
    return _STREET_FULL if state.street_is_full and not capped else _NOT_POSSIBLE
