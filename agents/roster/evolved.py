"""The evolved players of the roster: `ashe`, `ashe-2`, `astar`, counters.  Data only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agents.roster.spec import AgentSpec, GameKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

NO_LIMIT_FOR_TWO: Final = GameKind(
    "no-limit hold'em for two",
    lambda game: game.is_holdem and game.no_limit and game.players == 2,
)

_WHOLE: Final = (
    AgentSpec(
        name="ashe",
        summary="asks an evolved network how many chips the hand is worth; the ancestor of astar",
        factory="agents.ashe.bot:ashe_bot",
        games=NO_LIMIT_FOR_TWO,
        record="agents.options:ModelOptions",
        compiled="agents.ashe.bot:policy_for",
        group="evolved",
        quadrant="evolved",
    ),
    AgentSpec(
        name="ashe-2",
        summary="looks at what each action wins, by evolved estimators of wins and folds",
        factory="agents.ashe.bot:ashe_bot",
        games=NO_LIMIT_FOR_TWO,
        record="agents.options:ModelOptions",
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
        record="agents.astar.options:AstarOptions",
        compiled="agents.astar.bot:astar_policy",
        group="evolved",
        quadrant="evolved",
    ),
)


def evolved_agents(countered: Iterable[str]) -> Iterator[AgentSpec]:
    """Yield all of them; a counter-strategy for each opponent that is countered."""
    yield from _WHOLE
    for opponent in countered:
        yield AgentSpec(
            name=f"counter-{opponent}",
            summary=f"plays the counter-strategy to {opponent} alone",
            factory="agents.astar.bot:counter_bot",
            games=NO_LIMIT_FOR_TWO,
            fixed={"opponent": opponent},
            compiled="agents.astar.bot:counter_policy",
            group="evolved",
            quadrant="evolved",
        )
