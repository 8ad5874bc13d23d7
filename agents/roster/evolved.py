"""The evolved players of the roster: `ashe`, `ashe-2`, `astar` and its parts.  Data only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agents.options import BotOption
from agents.roster.spec import AgentSpec, GameKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

NO_LIMIT_FOR_TWO: Final = GameKind(
    "no-limit hold'em for two",
    lambda game: game.is_holdem and game.no_limit and game.players == 2,
)

PARTS: Final = {
    "astar-sure": ("sure", "never falls back to its base strategy"),
    "astar-eight": ("eight", "knows O1 to O8 alone, not the points of the plane"),
    "astar-similar": (
        "similar",
        "as astar-street, but sure of itself wherever the opponent has acted",
    ),
    "astar-street": (
        "street",
        "knows O1 to O8, by the likeness of the street: as the article has it",
    ),
    "astar-average": ("average", "plays all counter-strategies alike"),
    "astar-base": ("base", "plays the base strategy of the article alone"),
    "astar-refuge": ("refuge", "plays the base strategy of astar alone"),
}
"""Agent -> (variant of astar, summary)."""
_WHOLE: Final = (
    AgentSpec(
        name="ashe",
        summary="asks an evolved network how many chips the hand is worth; the ancestor of astar",
        factory="agents.ashe.bot:ashe_bot",
        games=NO_LIMIT_FOR_TWO,
        options=(
            BotOption("--model", "model", None, "file of the network, not the shipped one", str),
        ),
        compiled="agents.ashe.bot:policy_for",
        group="evolved",
        quadrant="evolved",
    ),
    AgentSpec(
        name="ashe-2",
        summary="looks at what each action wins, by evolved estimators of wins and folds",
        factory="agents.ashe.bot:ashe_bot",
        games=NO_LIMIT_FOR_TWO,
        options=(
            BotOption("--model", "model", None, "file of the network, not the shipped one", str),
        ),
        fixed={"version": "ashe-2"},
        compiled="agents.ashe.bot:policy_for",
        group="evolved",
        quadrant="evolved",
    ),
    AgentSpec(
        name="astar",
        summary="knows whom the opponent plays like, and blends evolved counter-strategies",
        factory="agents.astar.bot:astar_bot",
        games=NO_LIMIT_FOR_TWO,
        options=(
            BotOption(
                "--form",
                "form",
                None,
                "of likeness: evidence, exponential or inverse (evidence)",
                str,
                "NAME",
            ),
            BotOption(
                "--sharpness",
                "sharpness",
                None,
                "scale of the distance; small: the likeliest counts (0.005)",
            ),
            BotOption(
                "--confidence",
                "confidence",
                None,
                "actions seen, or by the street hands of a node, to be sure (10)",
                metavar="N",
            ),
            BotOption(
                "--half-life",
                "half_life",
                None,
                "hands after which observations count half; 0: all count alike (250)",
                metavar="HANDS",
            ),
            BotOption(
                "--carry",
                "carry",
                None,
                "decisions whose mean distance is used where the street says nothing; 0: none (0)",
                metavar="N",
            ),
            BotOption(
                "--doubt",
                "doubt",
                None,
                "distance at which the base counts as another counter; 0: nowhere (0.05)",
            ),
            BotOption(
                "--patience",
                "patience",
                None,
                "standard errors by which counters may lose before the base plays; 0: any (1)",
            ),
            BotOption(
                "--prior",
                "prior",
                None,
                "nats by which a known opponent must beat doubt over all actions seen (4)",
                metavar="NATS",
            ),
            BotOption(
                "--models", "models", None, "networks and library, not those shipped", str, "DIR"
            ),
            BotOption(
                "--library",
                "library",
                None,
                "known, wide, or one of --models (wide, or the only one)",
                str,
                "NAME",
            ),
        ),
        compiled="agents.astar.bot:variant_policy",
        group="evolved",
        quadrant="evolved",
    ),
)


def evolved_agents(countered: Iterable[str]) -> Iterator[AgentSpec]:
    """Yield all of them; a counter-strategy for each opponent that is countered."""
    yield from _WHOLE
    counters = {
        f"counter-{name}": (name, f"plays the counter-strategy to {name} alone")
        for name in countered
    }
    for name, (variant, summary) in (PARTS | counters).items():
        yield AgentSpec(
            name=name,
            summary=summary,
            factory="agents.astar.bot:astar_bot",
            games=NO_LIMIT_FOR_TWO,
            fixed={"variant": variant},
            compiled="agents.astar.bot:variant_policy",
            group="evolved",
            quadrant="evolved",
        )
