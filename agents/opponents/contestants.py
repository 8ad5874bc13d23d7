"""Who takes part when the pool is measured: every bot that is also a compiled policy.

A family of bots takes part by a function that returns its `Contestant`s; `all_contestants` puts
them together.  A family is not imported before.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from agents.errors import UnknownAgent
from agents.opponents.laws import PERIOD
from agents.opponents.policy import pool_policy
from agents.opponents.table import POOL, Character, plane_character

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine.play.compiled_policy import Policy
    from protocol.gamedef import GameDef

POOL_GROUP: Final = "pool"
KNOWLEDGE_GROUP: Final = "knowledge"
POINTS: Final = "points of the plane as plane-PLAYED-RAISED-BLUFF-SLOW in percent"
"""What can be named besides, in the message about an unknown name."""


@dataclass(frozen=True, slots=True)
class Contestant:
    """One bot of the table and of the picture."""

    name: str
    group: str
    """Bots of one group are drawn alike."""
    quadrant: str
    """In the plane of tightness and aggression, or another word for how it plays."""
    policy: Callable[[GameDef, int], Policy]
    """From the game and the seed of a match."""
    also: str = ""
    """Another name under which the same bot plays."""
    block: int = 1
    """Hands in a row whose results hang together: they count as one sample."""


def pool_contestants() -> tuple[Contestant, ...]:
    """Return the bots of the pool, each once."""
    also = {one.same_as: one.name for one in POOL}
    return tuple(_of_pool(one, also.get(one.name, "")) for one in POOL if one.same_as is None)


def knowledge_contestants() -> tuple[Contestant, ...]:
    """Return the knowledge bots."""
    from agents.opponents.knowledge_characters import CHARACTERS
    from agents.opponents.knowledge_policy import knowledge_policy

    def policy_of(name: str) -> Callable[[GameDef, int], Policy]:
        return lambda game, seed: knowledge_policy(name, game, seed)

    return tuple(
        Contestant(name, KNOWLEDGE_GROUP, KNOWLEDGE_GROUP, policy_of(name)) for name in CHARACTERS
    )


def all_contestants() -> tuple[Contestant, ...]:
    """Return the bots of all families."""
    return pool_contestants() + knowledge_contestants()


def find_contestants(names: Sequence[str]) -> tuple[Contestant, ...]:
    """Return the bots of these names, in the order of the table; all of them if none is named.

    Points of the plane, see `agents.opponents.table`, come last, in the order they are named in.

    Raises:
        UnknownAgent: there is none of a name; the message lists those there are.
    """
    every = all_contestants()
    points = {name: point for name in names if (point := plane_character(name)) is not None}
    known = {name for one in every for name in (one.name, one.also) if name}
    for name in names:
        if name not in known and name not in points:
            listed = ", ".join(one.name for one in every)
            raise UnknownAgent(
                f"no bot to measure is called {name!r}; there are: {listed}, and {POINTS}"
            )
    chosen = tuple(one for one in every if not names or {one.name, one.also} & set(names))
    return chosen + tuple(map(_of_pool, points.values()))


def _of_pool(character: Character, also: str = "") -> Contestant:
    block = PERIOD if character.law == "wanderer" else 1
    return Contestant(
        character.name,
        POOL_GROUP,
        character.quadrant,
        lambda game, seed: pool_policy(character, game, seed),
        also,
        block,
    )
