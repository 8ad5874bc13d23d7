"""Which bots are shipped and what they play.

The agents are programs to this package, so they are asked as one.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dealer.errors import MatchError, MatchUsageError
from engine.parallel.own_programs import environment, own_program

_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class ExploitabilityBound:
    """What the best attack on a bot that is on record wins: a lower bound on its exploitability."""

    mbb_per_hand: float
    ci95: float
    attack: str
    source: str


def exploitability_bounds(names: Sequence[str], game: str) -> dict[str, ExploitabilityBound]:
    """Return the bounds by name of a shipped bot; bots without an attack on record have none.

    Args:
        names: of shipped bots.
        game: short name of a built-in game.

    Raises:
        MatchError: the list cannot be had.
        MatchUsageError: a name is that of a class of the user's own that cannot be used.
    """
    agents = {agent["name"]: agent for agent in _listed(names)}
    bounds = {name: agents.get(name, {}).get("exploitability", {}).get(game) for name in names}
    return {name: ExploitabilityBound(**one) for name, one in bounds.items() if one is not None}


def shipped_bots(names: Sequence[str] = ()) -> dict[str, tuple[str, ...]]:
    """Return, by name of a shipped bot, the short names of the built-in games that it plays.

    Args:
        names: what somebody asked for; those that name a bot which is not listed, as points of the
            plane of strategies do, are there too.

    Raises:
        MatchError: the list cannot be had.
        MatchUsageError: a name is that of a class of the user's own that cannot be used.
    """
    return {agent["name"]: tuple(agent["games"]) for agent in _listed(names)}


def compiled_bots(names: Sequence[str] = ()) -> frozenset[str]:
    """Return the names of shipped bots that are compiled, so that they can do without a dealer.

    Raises:
        MatchError: the list cannot be had.
    """
    return frozenset(agent["name"] for agent in _listed(names) if agent["compiled"])


def _listed(names: Sequence[str]) -> list[dict[str, Any]]:
    command = (*own_program("agents"), "--list", "--json", "--", *names)
    try:
        answer = subprocess.run(
            command, env=environment(), capture_output=True, timeout=_SECONDS, check=True
        )
        agents: list[dict[str, Any]] = json.loads(answer.stdout)["agents"]
        for agent in agents:
            _ = agent["name"], agent["games"], agent["compiled"]
    except subprocess.CalledProcessError as exc:
        words = exc.stderr.decode("utf-8", "backslashreplace").strip().splitlines()
        raise MatchError(f"cannot list the shipped bots: {words[-1] if words else exc}") from exc
    except (OSError, subprocess.SubprocessError, ValueError, KeyError, TypeError) as exc:
        raise MatchError(f"cannot list the shipped bots: {exc}") from exc
    for agent in agents:
        if "wrong" in agent:
            raise MatchUsageError(agent["wrong"])
    return agents
