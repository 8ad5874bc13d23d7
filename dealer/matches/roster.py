"""Which bots are shipped and what they play.

The agents are programs to this package, so they are asked as one.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

from dealer.matches.errors import MatchError
from dealer.matches.launcher import environment

_SECONDS = 60.0


def shipped_bots(names: Sequence[str] = ()) -> dict[str, tuple[str, ...]]:
    """Return, by name of a shipped bot, the short names of the built-in games that it plays.

    Args:
        names: what somebody asked for; those that name a bot which is not listed, as points of the
            plane of strategies do, are there too.

    Raises:
        MatchError: the list cannot be had.
    """
    command = (sys.executable, "-P", "-m", "agents", "--list", "--json", "--", *names)
    try:
        answer = subprocess.run(
            command, env=environment(), capture_output=True, timeout=_SECONDS, check=True
        )
        agents: list[dict[str, Any]] = json.loads(answer.stdout)["agents"]
        return {agent["name"]: tuple(agent["games"]) for agent in agents}
    except subprocess.CalledProcessError as exc:
        words = exc.stderr.decode("utf-8", "backslashreplace").strip().splitlines()
        raise MatchError(f"cannot list the shipped bots: {words[-1] if words else exc}") from exc
    except (OSError, subprocess.SubprocessError, ValueError, KeyError, TypeError) as exc:
        raise MatchError(f"cannot list the shipped bots: {exc}") from exc
