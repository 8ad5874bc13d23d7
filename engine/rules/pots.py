"""What a finished hand is worth to each position: side pots and their division.

Source: the reference dealer's values, which its log prints with six decimals.  Every level of the
pot is settled by itself, lowest first; a share is a whole number of chips divided once in double
precision, so that hand values and their sums show the reference dealer's digits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from protocol.gamedef import GameDef


def payoffs(
    spent: Sequence[int], folded: Sequence[bool], strengths: Sequence[int] | None
) -> tuple[float, ...]:
    """Return the chips won (or, negative, lost) per position; they sum to zero.

    Args:
        spent: (P,) chips put in over the hand, per position.
        folded: (P,) whether the position has folded.
        strengths: (P,) hand strengths, higher is better, equal splits; entries of folded
            positions are not looked at.  None when all but one folded: nobody shows.

    A level is the part of the pot between two successive contributions.  Among the k positions
    that reach a level of width w, the j best hands win w * (k - j) / j each, the others lose w.
    There is no odd-chip rule: fractions of a chip are paid.

    The sum is zero as long as nobody folds after putting in more than everyone who stays, and
    the rules never let that happen.

    Raises:
        ValueError: the arguments differ in length, everybody folded, or several positions are
            left and no strengths were given.
    """
    players = len(spent)
    if len(folded) != players:
        raise ValueError(f"{players} contributions but {len(folded)} entries in folded")
    values = [float(-chips) for chips in spent]
    contenders = [position for position in range(players) if not folded[position]]
    if not contenders:
        raise ValueError("everybody folded")
    if len(contenders) == 1:
        winner = contenders[0]
        values[winner] = float(sum(spent) - spent[winner])
        return tuple(values)
    if strengths is None or len(strengths) != players:
        raise ValueError(f"{len(contenders)} hands at showdown need one strength per position")
    for position in contenders:
        values[position] = 0.0
    below = 0
    for level in sorted(set(spent)):
        rivals = [position for position in contenders if spent[position] >= level]
        if not rivals:
            break
        reached = sum(chips >= level for chips in spent)
        best = max(strengths[position] for position in rivals)
        winners = sum(strengths[position] == best for position in rivals)
        width = level - below
        won = width * (reached - winners) / winners
        for position in rivals:
            values[position] += won if strengths[position] == best else -width
        below = level
    return tuple(values)


def called(spent: Sequence[int]) -> int:
    """Return the chips of a pot without what of the largest bet nobody called.

    Args:
        spent: (P,) chips put in over the hand, per position.
    """
    second, most = sorted(spent)[-2:]
    return sum(spent) - (most - second)


def hand_bounds(game: GameDef) -> tuple[float, float]:
    """Return the most chips that a hand can cost a player, and the most that it can bring."""
    most = float(most_chips(game))
    return most, most * (game.players - 1)


def most_chips(game: GameDef) -> int:
    """Return what a hand can cost a player: the largest stack, or less where betting is limited."""
    deepest = max(game.stacks)
    if game.no_limit:
        return deepest
    raises = zip(game.max_raises, game.raise_sizes, strict=True)
    return min(deepest, max(game.blinds) + sum(most * size for most, size in raises))
