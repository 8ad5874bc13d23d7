"""What hold'em formats of others have no place for, as fields that stand beside a hand.

The names are those of `engine.histories.phh_write`.  A reader gives them to `phh_hand` with what it
has read, so that a hand comes back as it was.
"""

from __future__ import annotations

from collections.abc import Collection
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from engine.errors import UnusableHistory
from engine.histories.holdem_games import holdem_game
from protocol.gamedef import format_gamedef

if TYPE_CHECKING:
    from engine.histories.hand import HandHistory
    from protocol.gamedef import GameDef

COINS_PER_UNIT: Final = 100
GAME_FIELDS: Final = frozenset(
    {
        "variant",
        "antes",
        "blinds_or_straddles",
        "min_bet",
        "small_bet",
        "big_bet",
        "starting_stacks",
        "actions",
        "players",
        "finishing_stacks",
        "winnings",
    }
)
"""A record says these fields already, in other words."""


def usual_game(game: GameDef, format_name: str) -> GameDef:
    """Return the game of hold'em that stacks, blinds and sizes of raises alone say.

    Raises:
        UnusableHistory: it is another game, or played in another order.
    """
    if not game.is_holdem:
        raise UnusableHistory(f"{format_name} has no words for this game, which is not hold'em")
    usual = holdem_game(game.stacks, game.blinds, () if game.no_limit else game.raise_sizes)
    if usual.first_positions != game.first_positions:
        raise UnusableHistory(
            f"{format_name} cannot say this order of play: the first player acts elsewhere"
        )
    sizes = game.raise_sizes
    if not game.no_limit and (sizes[0] != sizes[1] or sizes[2] != sizes[3]):
        raise UnusableHistory(f"{format_name} has two sizes of raises, this game has others")
    return usual


def fields_beside(
    hand: HandHistory, usual: GameDef, carried: Collection[str], *, exact: bool
) -> dict[str, Any]:
    """Return the fields that a format has no place for.

    Args:
        hand: the hand.
        usual: the game that a reader will take it for.
        carried: the fields that the format has a place for.
        exact: whether the format tells the payoffs as they are printed, to the last digit.
    """
    fields = {
        key: value
        for key, value in hand.fields.items()
        if key not in carried and key not in GAME_FIELDS
    }
    if usual != hand.game:
        fields["_game"] = format_gamedef(hand.game)
    values = hand.record.values
    if not exact:
        fields["_values"] = list(values)
    return fields


def as_utf8(text: str) -> str:
    """Return text that has bytes of another encoding as Latin-1, which every byte is."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogateescape").decode("latin-1")
    return text


def exact_values(values: list[Decimal], printed: object, most: Decimal) -> list[Decimal]:
    """Return payoffs to the last digit.

    Args:
        values: chips by position, as a format with coins tells them.
        printed: what was noted beside, if anything.
        most: chips by which they may differ.
    """
    if not isinstance(printed, list) or len(printed) != len(values):
        return values
    try:
        noted = [Decimal(text) for text in printed]
    except (ArithmeticError, TypeError, ValueError):
        return values
    if all(
        note.is_finite() and abs(note - value) < most
        for note, value in zip(noted, values, strict=True)
    ):
        return noted
    return values
