"""The games that a bot is checked in: as named, for other numbers of players, with odd stacks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from dealer.errors import MatchUsageError
from protocol.gamedef import UNLIMITED_STACK, GameDef, format_gamedef, parse_gamedef

_LONGEST_ODD_STACK_BLINDS: Final = 41
_ODD_STEP: Final = 16
_ODD_CHIPS: Final = 13
"""It makes odd stacks no multiple of any blind."""


@dataclass(frozen=True, slots=True)
class CheckedGame:
    """A game, as a bot is told of it."""

    name: str
    """For the user, and of its file."""
    text: str
    """Of its game file."""

    @property
    def game(self) -> GameDef:
        """The game that the text defines."""
        return parse_gamedef(self.text)

    @property
    def has_stacks(self) -> bool:
        """Whether somebody can be all-in."""
        return all(stack < UNLIMITED_STACK for stack in self.game.stacks)


def with_players(base: CheckedGame, players: int) -> CheckedGame:
    """Return hold'em with the blinds, stacks and bets of another one for so many players.

    Raises:
        MatchUsageError: it is not hold'em with two blinds and equal stacks, or the cards are too
            few.
    """
    game = base.game
    if players == game.players:
        return base
    blinds = sorted(blind for blind in game.blinds if blind)
    if not game.is_holdem or len(blinds) != 2 or len(set(game.stacks)) != 1:
        raise MatchUsageError(
            f"--players: {base.name} is not hold'em with two blinds and equal stacks; "
            "name a game file for each number of players with --game"
        )
    small, big = blinds
    others = replace(
        game,
        players=players,
        stacks=game.stacks[:1] * players,
        blinds=(big, small) if players == 2 else (small, big, *(0,) * (players - 2)),
        first_positions=(1 if players == 2 else 2, *(0,) * (game.streets - 1)),
    )
    stem = base.name.removesuffix(".game")
    return CheckedGame(f"{stem}.{players}-players.game", format_gamedef(others))


def with_odd_stacks(base: CheckedGame) -> CheckedGame | None:
    """Return a no-limit game with stacks that differ and are no round numbers, None for others.

    The shortest has about 41 big blinds, or as many as 41 of 200 in a game that is less deep; no
    stack is longer than the game's own.
    """
    game = base.game
    if not game.no_limit or not base.has_stacks:
        return None
    stacks = []
    for position, stack in enumerate(game.stacks):
        blinds = _LONGEST_ODD_STACK_BLINDS + _ODD_STEP * position
        wanted = min(blinds * game.big_blind, stack * blinds // 200) + _ODD_CHIPS + 4 * position
        stacks.append(max(min(wanted, stack), game.blinds[position] + 1))
    if tuple(stacks) == game.stacks:
        return None
    stem = base.name.removesuffix(".game")
    return CheckedGame(
        f"{stem}.odd-stacks.game", format_gamedef(replace(game, stacks=tuple(stacks)))
    )
