"""What AIVAT says of hands: from a file of `arena aivat hands`, or asked of it as a program.

The strategies that AIVAT corrects with are those of agents, which are programs to this package.
"""

from __future__ import annotations

import csv
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dealer.ratings.aivat_options import AIVAT_PROGRAM
from engine.errors import LogError, UnreadableText
from engine.parallel.own_programs import environment
from engine.storage.plain_text import plain_lines

_NOTE: Final = "# "
_VALUES: Final = "values "
_IS: Final = " is "
_MOST_CHIPS: Final = 1e12
RESULT_TOLERANCE_CHIPS: Final = 0.005


@dataclass(frozen=True, slots=True)
class CorrectedHands:
    """N hands in the order of their logs, in chips of position 0."""

    won: NDArray[np.float64]
    """(N,) as the logs say."""
    value: NDArray[np.float64]
    """(N,) as AIVAT says."""
    facts: dict[str, Any]
    """Which value function, and whose strategies were known."""

    def by_position(self, chips: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return (N, 2) AIVAT's chips by position.

        Args:
            chips: (N, 2) what the hands were worth in the logs, to be sure that they are the same.

        Raises:
            LogError: they are other hands.
        """
        if chips.shape != (len(self.won), 2):
            raise LogError(
                f"AIVAT's {len(self.won):,} hands are not the {len(chips):,} of the logs"
            )
        if len(chips) and np.abs(chips[:, 0] - self.won).max() > RESULT_TOLERANCE_CHIPS:
            number = int(np.abs(chips[:, 0] - self.won).argmax())
            raise LogError(f"AIVAT's hands are others than those of the logs, from {number + 1} on")
        return np.stack((self.value, -self.value), axis=1)


def read_corrected(path: Path) -> CorrectedHands:
    """Return the estimates of a file.

    Raises:
        LogError: it cannot be read, or is no file of `arena aivat hands`.
    """
    try:
        rows, facts = read_estimates(path, plain_lines(path), ("won", "aivat"))
    except UnreadableText as error:
        raise LogError(str(error)) from error
    won, value = rows.T
    return CorrectedHands(won, value, facts)


def read_estimates(
    path: Path, lines: Iterable[tuple[int, str]], names: Sequence[str]
) -> tuple[NDArray[np.float64], dict[str, Any]]:
    """Return (N, C) named columns of a file of estimates, and what they depend on.

    Args:
        path: for messages.
        lines: of the file, with their numbers.

    Raises:
        LogError: it is no file of `arena aivat hands`.
    """
    notes: list[str] = []
    columns: list[int] = []
    rows: list[list[float]] = []
    try:
        for number, line in lines:
            if line.startswith(_NOTE):
                notes.append(line)
                continue
            fields = next(csv.reader([line]))
            if not columns:
                facts = read_facts(notes)
                columns = [fields.index(name) for name in names]
                continue
            try:
                chips = [float(fields[column]) for column in columns]
                if not all(abs(amount) <= _MOST_CHIPS for amount in chips):
                    raise ValueError(f"more than {_MOST_CHIPS:g} chips")
                rows.append(chips)
            except (LookupError, ValueError) as error:
                raise LogError(f"{path}:{number}: no estimate ({error})") from error
    except (LogError, UnreadableText):
        raise
    except (LookupError, StopIteration, ValueError) as error:
        raise LogError(f"{path}: no estimates of arena aivat hands ({error})") from error
    if not columns:
        raise LogError(f"{path}: no estimates of arena aivat hands (no line of names)")
    return np.array(rows).reshape(-1, len(columns)), facts


def read_facts(lines: Sequence[str]) -> dict[str, Any]:
    """Return what estimates depend on, of the lines that begin with "# ".

    Raises:
        ValueError: they name no value function.
    """
    notes = [line.removeprefix(_NOTE) for line in lines]
    if not notes or not notes[0].startswith(_VALUES):
        raise ValueError("it names no value function")
    known_bots = dict(note.split(_IS, 1) for note in notes[1:] if _IS in note)
    return {"values": notes[0].removeprefix(_VALUES), "known": known_bots}


def computed(logs: Sequence[Path], options: Sequence[str]) -> CorrectedHands:
    """Return the estimates of logs, which takes a while; progress goes to stderr.

    Args:
        options: of `arena aivat hands`.

    Raises:
        LogError: they cannot be had; why was said on stderr.
    """
    with TemporaryDirectory() as folder:
        out = Path(folder) / "hands.csv"
        command = [*AIVAT_PROGRAM, "hands", *map(str, logs), *options, "--out", str(out)]
        try:
            subprocess.run(command, env=environment(), check=True)
        except subprocess.CalledProcessError as error:
            raise LogError("AIVAT has no estimates of these logs; see above") from error
        return read_corrected(out)
