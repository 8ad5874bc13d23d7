"""Which evolutions are compared: each pilot changes one thing of the same small plan.

The small plan is curriculum S4 scaled down: 40 individuals, 60 generations, 200 deals.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final, NamedTuple

from agents.astar.family import ASTAR
from agents.evolution.evolution import EvolutionPlan, Stage
from agents.evolution.selection import LinearSchedule, ReproductionConfig
from agents.recurrent.shape import GAME_ANEW, OPPONENT_ANEW, NetShape, Stack
from agents.roster.bots import COUNTERED

SIMPLE: Final = COUNTERED[:4]
COMPLEX: Final = COUNTERED[4:]
WIDTHS: Final = (50, 100, 200, 300, 400)
"""Of both hidden layers of the head."""
SURVIVALS: Final = (0.1, 0.25, 0.4, 0.6)
_DEALS: Final = 200
_PART: Final = 20
"""Generations of a third of a curriculum."""
_BREEDING: Final = ReproductionConfig(
    rate=LinearSchedule(0.25, 0.05), strength=LinearSchedule(1.0, 0.2)
)


class PilotVariant(NamedTuple):
    """One of the evolutions of a pilot."""

    name: str
    plan: EvolutionPlan
    resets: int = GAME_ANEW
    """Which stacks begin each hand anew, see `agents.recurrent.shape`."""


class Pilot(NamedTuple):
    """Evolutions that differ in one thing."""

    name: str
    title: str
    variants: tuple[PilotVariant, ...]


def curriculum(name: str, part: int = _PART, deals: int = _DEALS) -> tuple[Stage, ...]:
    """Return the stages of S1, S2, S3 or S4, of three parts.

    Source: Zhang et al., named in `agents.astar`, whose parts have 100 generations.
    """
    simple, complex_, everybody = (
        Stage(part, opponents, deals) for opponents in (SIMPLE, COMPLEX, COUNTERED)
    )
    if name == "S1":
        return (everybody._replace(generations=3 * part),)
    if name == "S2":
        return (simple, complex_._replace(generations=2 * part))
    if name == "S3":
        return (simple, everybody._replace(generations=2 * part))
    if name == "S4":
        return (simple, complex_, everybody)
    raise ValueError(f"curriculum {name!r}: want S1, S2, S3 or S4")


def network_shape(
    head: tuple[int, ...] = (50, 50),
    opponent: tuple[int, int, int] = (1, 1, 10),
    game: tuple[int, int, int] = (1, 10, 5),
) -> NetShape:
    """Return the shape of a network: widths; layers, blocks and cells of both stacks."""
    return NetShape(
        Stack(*opponent),
        Stack(*game),
        head,
        ASTAR.opponent_inputs,
        ASTAR.game_inputs,
        ASTAR.outputs,
        ASTAR.activation,
    )


SMALL: Final = EvolutionPlan(
    shape=network_shape(),
    stages=curriculum("S4"),
    population=40,
    founders=200,
    breeding=_BREEDING,
)


def pilots() -> tuple[Pilot, ...]:
    """Return all of them."""
    return (
        Pilot(
            "stacks",
            "Sizes of the stacks, and which of them begin each hand anew",
            (
                PilotVariant("as shipped", SMALL),
                PilotVariant("both anew", SMALL, GAME_ANEW | OPPONENT_ANEW),
                PilotVariant("none anew", SMALL, 0),
                PilotVariant("opponent anew", SMALL, OPPONENT_ANEW),
                PilotVariant("game 1 x 10", replace(SMALL, shape=network_shape(game=(1, 1, 10)))),
                PilotVariant("game 2 layers", replace(SMALL, shape=network_shape(game=(2, 10, 5)))),
                PilotVariant(
                    "opponent 10 x 5", replace(SMALL, shape=network_shape(opponent=(1, 10, 5)))
                ),
            ),
        ),
        Pilot(
            "curricula",
            "Whom a population meets when",
            tuple(
                PilotVariant(name, replace(SMALL, stages=curriculum(name)))
                for name in ("S1", "S2", "S3", "S4")
            ),
        ),
        Pilot(
            "widths",
            "Widths of the head's two layers",
            tuple(
                PilotVariant(str(width), replace(SMALL, shape=network_shape((width, width))))
                for width in WIDTHS
            ),
        ),
        Pilot(
            "survival",
            "Share of a generation that survives",
            tuple(
                PilotVariant(
                    f"{share:g}", replace(SMALL, breeding=replace(_BREEDING, survival=share))
                )
                for share in SURVIVALS
            ),
        ),
        Pilot(
            "budgets",
            "How much is played",
            tuple(
                PilotVariant(
                    f"{float(times * times):g} x",
                    replace(
                        SMALL,
                        stages=curriculum("S4", int(times * _PART), int(times * _DEALS)),
                    ),
                )
                for times in (0.25, 0.5, 1, 2)
            ),
        ),
    )
