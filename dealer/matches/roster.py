"""Which bots are shipped.  The agents are programs to this package, so they are asked as one."""

from __future__ import annotations

import json
import subprocess
import sys

from dealer.matches.errors import MatchError
from dealer.matches.launcher import environment

_SECONDS = 60.0


def shipped_bots() -> tuple[str, ...]:
    """Return the names of the shipped bots.

    Raises:
        MatchError: the list cannot be had.
    """
    command = (sys.executable, "-P", "-m", "agents", "--list", "--json")
    try:
        answer = subprocess.run(
            command, env=environment(), capture_output=True, timeout=_SECONDS, check=True
        )
        return tuple(agent["name"] for agent in json.loads(answer.stdout)["agents"])
    except subprocess.CalledProcessError as exc:
        words = exc.stderr.decode("utf-8", "backslashreplace").strip().splitlines()
        raise MatchError(f"cannot list the shipped bots: {words[-1] if words else exc}") from exc
    except (OSError, subprocess.SubprocessError, ValueError, KeyError) as exc:
        raise MatchError(f"cannot list the shipped bots: {exc}") from exc
