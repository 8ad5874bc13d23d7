"""Hands of hold'em as states of PokerKit, and back: the same players, cards, actions and chips.

Positions keep their numbers: in both, position 0 is the first to act after the flop.  Our raises
count chips over the whole hand, PokerKit's over the street.  Shares of a pot are not rounded, as at
our dealer.  What PokerKit rules otherwise: whoever has acted may not raise again over an all-in
that is no full raise, where the ACPC's rules let him; a hand with such a raise is refused.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from agents.bridges.libraries import library
from engine.errors import IllegalAction, InvalidGame
from engine.rules.state import HandState
from protocol.actions import CALL, FOLD, RAISE, raise_to
from protocol.cards import format_cards, parse_card
from protocol.gamedef import UNLIMITED_RAISES, GameDef

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from protocol.actions import Action

_UNKNOWN: Final = "??"
_BOARD: Final = (0, 3, 1, 1)


class KnownHand(NamedTuple):
    """A hand as far as it was played, with the cards that are known."""

    state: HandState
    holes: tuple[tuple[int, ...], ...]
    """Per position; () where they are not known."""
    board: tuple[int, ...]


def to_pokerkit(state: HandState, holes: Sequence[Sequence[int]], board: Sequence[int]) -> Any:
    """Return the `pokerkit.State` of a hand; one that is over is paid out.

    Args:
        holes: hole cards per position, () where they are not known, as `PlayerView.shown` has them.
        board: at least as many cards as the hand shows.

    Raises:
        IllegalAction: PokerKit does not allow an action.
        InvalidGame: the game is not hold'em with blinds where PokerKit has them.
        MissingLibrary: PokerKit is not installed.
    """
    pokerkit_state = _created(state.game)
    for hole in holes:
        pokerkit_state.deal_hole(format_cards(hole) if hole else _UNKNOWN * state.game.hole_cards)
    cards = iter(board)
    started = HandState.start(state.game)
    _deal_board(pokerkit_state, cards, started)
    for earlier, action, after in state.steps():
        try:
            if pokerkit_state.actor_index is not None:  # else a check, as all others are all-in
                _act(pokerkit_state, earlier, action)
        except ValueError as error:
            where = f"{earlier.betting or 'the first action'}: {action.text}"
            raise IllegalAction(f"{where}: not in PokerKit: {error}") from error
        _deal_board(pokerkit_state, cards, after)
    return pokerkit_state


def from_pokerkit(pokerkit_state: Any) -> KnownHand:
    """Return the hand of a `pokerkit.State` of hold'em, by the actions and cards it was told.

    Raises:
        IllegalAction: our rules do not allow an action.
        InvalidGame: it is another game, has antes or several boards, or parts of chips.
    """
    state = HandState.start(_game_of(pokerkit_state))
    holes: list[list[int]] = [[] for _ in range(state.game.players)]
    board: list[int] = []
    street = base = dealt = 0
    for operation in pokerkit_state.operations:
        name = type(operation).__name__
        if state.street != street:
            street, base = state.street, state.to_match
        if name == "HoleDealing":
            holes[operation.player_index] += _known(operation.cards)
        elif name == "BoardDealing":
            while not state.over and dealt >= state.game.board_seen(state.street):
                state = state.apply(CALL)
            board += _known(operation.cards)
            dealt += len(operation.cards)
        elif name == "Folding":
            state = state.apply(FOLD)
        elif name == "CheckingOrCalling":
            state = state.apply(CALL)
        elif name == "CompletionBettingOrRaisingTo":
            raised = raise_to(base + _whole(operation.amount))
            state = state.apply(raised if state.game.no_limit else RAISE)
    return KnownHand(state, tuple(map(tuple, holes)), tuple(board))


def _created(game: GameDef) -> Any:
    """Return PokerKit's state before any card."""
    if not game.is_holdem or game.first_positions != _first_positions(game.blinds):
        raise InvalidGame("PokerKit's hands are of hold'em, the player after the blinds first")
    if any(stack == 0 for stack in game.stacks):
        raise InvalidGame("PokerKit seats nobody without chips")
    pokerkit = library("pokerkit")
    sizes = (game.big_blind,) * game.streets if game.no_limit else game.raise_sizes
    streets = tuple(
        pokerkit.Street(
            card_burning_status=number > 0,
            hole_dealing_statuses=(False,) * game.hole_cards if number == 0 else (),
            board_dealing_count=cards,
            draw_status=False,
            opening=pokerkit.Opening.POSITION,
            min_completion_betting_or_raising_amount=size,
            max_completion_betting_or_raising_count=None if most == UNLIMITED_RAISES else most,
        )
        for number, (cards, size, most) in enumerate(
            zip(game.board_cards, sizes, game.max_raises, strict=True)
        )
    )
    kinds = pokerkit.BettingStructure
    by_hand = {"HOLE_DEALING", "BOARD_DEALING", "CARD_BURNING", "RUNOUT_COUNT_SELECTION"}
    return pokerkit.State(
        tuple(automation for automation in pokerkit.Automation if automation.name not in by_hand),
        pokerkit.Deck.STANDARD,
        (pokerkit.StandardHighHand,),
        streets,
        kinds.NO_LIMIT if game.no_limit else kinds.FIXED_LIMIT,
        True,
        0,
        game.blinds[::-1] if game.players == 2 else game.blinds,
        0,
        game.stacks,
        game.players,
        divmod=_even_shares,
    )


def _first_positions(blinds: Sequence[int]) -> tuple[int, ...]:
    """Return who opens each street at PokerKit's table: behind the blinds, then position 0."""
    last = (
        0
        if len(blinds) == 2
        else max(range(len(blinds)), key=lambda position: (blinds[position], position))
    )
    return ((last + 1) % len(blinds), 0, 0, 0)


def _act(pokerkit_state: Any, state: HandState, action: Action) -> None:
    if action.kind == "f":
        pokerkit_state.fold()
    elif action.kind == "c":
        pokerkit_state.check_or_call()
    else:
        chips = action.raise_to if state.game.no_limit else (state.raise_range() or (0, 0))[0]
        pokerkit_state.complete_bet_or_raise_to(
            chips - state.spent[state.actor] + pokerkit_state.bets[state.actor]
        )


def _deal_board(pokerkit_state: Any, cards: Iterable[int], state: HandState) -> None:
    """Deal what is seen of the board by now; after an all-in, all of it."""
    while len(pokerkit_state.board_cards) < state.game.board_seen(state.street):
        if not pokerkit_state.can_burn_card(_UNKNOWN):
            return
        pokerkit_state.burn_card(_UNKNOWN)
        count = pokerkit_state.street.board_dealing_count
        pokerkit_state.deal_board(
            format_cards([card for _, card in zip(range(count), cards, strict=False)])
        )


def _even_shares(chips: Any, players: int) -> tuple[Any, int]:
    """Return everybody's share of a pot, whole where it can be; nothing is left over."""
    share = Fraction(chips, players)
    return (share.numerator if share.denominator == 1 else share), 0


def _game_of(pokerkit_state: Any) -> GameDef:
    pokerkit = library("pokerkit")
    streets = pokerkit_state.streets
    boards = tuple(street.board_dealing_count for street in streets)
    holes = [len(street.hole_dealing_statuses) for street in streets]
    if (pokerkit_state.hand_types, boards, holes) != (
        (pokerkit.StandardHighHand,),
        _BOARD,
        [2, 0, 0, 0],
    ):
        raise InvalidGame("this hand of PokerKit is not of hold'em")
    if (
        any(pokerkit_state.antes)
        or pokerkit_state.bring_in
        or pokerkit_state.starting_board_count != 1
    ):
        raise InvalidGame("antes, bring-ins and several boards are not for our dealer")
    if pokerkit_state.betting_structure == pokerkit.BettingStructure.POT_LIMIT:
        raise InvalidGame("pot-limit betting is not for our dealer")
    no_limit = pokerkit_state.betting_structure == pokerkit.BettingStructure.NO_LIMIT
    blinds = tuple(
        _whole(pokerkit_state.get_effective_blind_or_straddle(player))
        for player in pokerkit_state.player_indices
    )
    sizes = tuple(_whole(street.min_completion_betting_or_raising_amount) for street in streets)
    if no_limit and set(sizes) != {max(blinds)}:
        raise InvalidGame("the smallest bet is not the big blind, as it is at our dealer")
    counts = [street.max_completion_betting_or_raising_count for street in streets]
    return GameDef(
        no_limit=no_limit,
        players=pokerkit_state.player_count,
        streets=len(streets),
        stacks=tuple(map(_whole, pokerkit_state.starting_stacks)),
        blinds=blinds,
        raise_sizes=() if no_limit else sizes,
        first_positions=_first_positions(blinds),
        max_raises=tuple(UNLIMITED_RAISES if most is None else most for most in counts),
        suits=4,
        ranks=13,
        hole_cards=2,
        board_cards=_BOARD,
    )


def _whole(chips: Any) -> int:
    if chips % 1:
        raise InvalidGame(f"{chips} chips: at our dealer they are whole; count in cents, say")
    return int(chips)


def _known(cards: Iterable[Any]) -> list[int]:
    texts = [repr(card) for card in cards]
    return [] if _UNKNOWN in texts else [parse_card(text) for text in texts]
