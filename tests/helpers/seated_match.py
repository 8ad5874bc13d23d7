"""A whole match in processes: the real dealer, and a command for each seat."""

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from protocol.gamedefs import builtin_path
from tests.helpers.dealer_process import DealerProcess


@dataclass(frozen=True)
class MatchResult:
    """What a match left behind."""

    score: str
    """SCORE line; "" where there is none."""
    warnings: list[str]
    """Complaints of the dealer."""
    exit_codes: list[int]
    """Of the bots, in seat order; the dealer's is checked."""
    errors: list[str]
    """What each bot wrote to stderr."""
    hands: list[str]
    """STATE lines of the log."""


def play_seated(
    folder: Path,
    game: str | Path,
    hands: int,
    commands: Sequence[Sequence[str]],
    *,
    seconds: float = 60,
) -> MatchResult:
    """Play `hands` hands of a game, built in or a file, between `commands` with host and port."""
    file = game if isinstance(game, Path) else builtin_path(game)
    arguments = (str(hands), str(file), "-q")
    with DealerProcess(folder, *arguments, seats=len(commands)) as dealer:
        bots = [
            subprocess.Popen(
                [*command, "localhost", str(port)],
                cwd=folder,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
            )
            for command, port in zip(commands, dealer.ports, strict=True)
        ]
        try:
            code, out, err = dealer.finish(seconds)
            errors = [bot.communicate(timeout=20)[1] for bot in bots]
        finally:
            for bot in bots:
                if bot.poll() is None:
                    bot.kill()
                bot.communicate()
        assert code == 0, err
        return MatchResult(
            out.strip(),
            [line for line in err.splitlines() if line.startswith(("WARNING", "ERROR"))],
            [bot.returncode for bot in bots],
            errors,
            [line for line in dealer.log if line.startswith("STATE:")],
        )
