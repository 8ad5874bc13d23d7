"""Who takes part when the pool is measured: every agent that is also a compiled policy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents.errors import UnknownAgent
from agents.roster.bots import MEASURED, POINTS, find_agent
from agents.roster.spec import AgentSpec

if TYPE_CHECKING:
    from collections.abc import Sequence


def all_contestants() -> tuple[AgentSpec, ...]:
    """Return the agents that are compiled, each once."""
    return tuple(map(find_agent, MEASURED))


def find_contestants(names: Sequence[str]) -> tuple[AgentSpec, ...]:
    """Return the agents of these names, in the order of the roster; all of them if none is named.

    Points of the plane come last, in the order they are named in.

    Raises:
        UnknownAgent: there is none of a name; the message lists those there are.
    """
    every = all_contestants()
    names_and_aliases = {name for spec in every for name in (spec.name, spec.also) if name}
    points: dict[str, AgentSpec] = {}
    for name in names:
        if name not in names_and_aliases:
            points[name] = _point(name)
    chosen = tuple(spec for spec in every if not names or {spec.name, spec.also} & set(names))
    return chosen + tuple(points.values())


def _point(name: str) -> AgentSpec:
    try:
        spec = find_agent(name)
    except UnknownAgent:
        spec = None
    if spec is None or spec.compiled is None:
        listed = ", ".join(MEASURED)
        raise UnknownAgent(
            f"no bot to measure is called {name!r}; there are: {listed}, and {POINTS}"
        )
    return spec
