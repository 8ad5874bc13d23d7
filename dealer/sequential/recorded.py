"""Samples that were recorded: duplicate sets of match logs, or numbers in a file of text.

numbers   one sample in each line, mbb/h; empty lines and those that begin with # are skipped
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dealer.logs.log_session import Counting, LogSession, without_copies
from engine.console.output import tell, tell_once
from engine.errors import LogError
from engine.estimates.duplicate_deals import find_sets
from engine.estimates.hand_results import lineups
from engine.handlogs.source.complaints import Complaints
from engine.handlogs.source.folders import logs_in
from engine.handlogs.source.log_games import game_from_argument
from engine.handlogs.source.opening import is_regular, open_log

if TYPE_CHECKING:
    from engine.estimates.hand_results import HandResults

_FIRST_BYTES: Final = 4096
MOST_MBB: Final = 1e12


class RecordedSamples(NamedTuple):
    """What a player won, sample by sample."""

    name: str
    """Of the files and folders."""
    samples: NDArray[np.float64]
    """(K,) mbb/h, in their order; two or more."""
    most: float
    """That can be won or lost in a sample, mbb/h."""
    hands_per_sample: int


def recorded(
    arguments: Sequence[str], *, player: str | None, game: str | None, most: float | None
) -> RecordedSamples:
    """Return the samples in files and folders.

    Sets of logs are in the order of deals, a seed after the other, and have all-in expectation.

    Args:
        arguments: logs, folders of logs such as those of matches, or one file of numbers.
        player: whose samples, of logs; None: the first one who is named in them.
        game: of logs, name or file; None: as they say.
        most: that can be won or lost in a sample, mbb/h; None: of logs, what a hand can cost, of
            numbers, the largest one.

    Raises:
        LogError: they cannot be used.
    """
    name = " ".join(arguments)
    if len(arguments) == 1 and _holds_numbers(path := Path(arguments[0])):
        samples = _numbers(path)
        stack, hands = float(np.abs(samples).max()), 1
    else:
        stack, samples, hands = _of_logs(arguments, player, game)
    bound = most or stack
    farthest = float(np.abs(samples).max()) if samples.size else 0.0
    if len(samples) < 2 or not farthest <= bound:
        raise LogError(
            f"{name}: {samples.size} samples up to {farthest:g} mbb/h: want two or more, up to "
            f"{bound:g}"
        )
    return RecordedSamples(name, samples, bound, hands)


def _holds_numbers(path: Path) -> bool:
    """Return whether the first line of a file that says anything is a number."""
    if not is_regular(path):
        return False
    with open_log(path, warn=tell_once) as source:
        lines = source.read(_FIRST_BYTES).decode("utf-8", "replace").splitlines()
    said = [line for line in lines if line.strip() and not line.startswith("#")]
    return bool(said) and _number(said[0]) is not None


def _numbers(path: Path) -> NDArray[np.float64]:
    numbers = []
    with open_log(path, warn=tell_once) as source:
        for number, line in enumerate(source.read().decode("utf-8", "replace").splitlines(), 1):
            if not line.strip() or line.startswith("#"):
                continue
            value = _number(line)
            if value is None:
                raise LogError(f"{path}:{number}: {line[:40]!r} is no number")
            if abs(value) > MOST_MBB:
                raise LogError(f"{path}:{number}: {value:g} mbb/h: want up to {MOST_MBB:g}")
            numbers.append(value)
    return np.array(numbers)


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _of_logs(
    arguments: Sequence[str], player: str | None, game: str | None
) -> tuple[float, NDArray[np.float64], int]:
    """Return the most that a hand can cost and a player's samples, mbb/h, and the hands of each."""
    complaints = Complaints(tell)
    what = Counting(game=None if game is None else game_from_argument(game))
    counted = LogSession(without_copies(logs_in(arguments), tell), what, complaints).count()
    complaints.finish()
    if len(counted.games) != 1:
        count = len(counted.games)
        raise LogError(f"{' '.join(arguments)}: want hands of one game, found {count} games")
    tally = counted.games[0].tally
    name = tally.players[0] if player is None else player
    if name not in tally.players:
        raise LogError(f"no {name} plays in these logs, but {', '.join(tally.players)}")
    chips, hands = _samples(tally.results(), tally.players.index(name))
    scale = 1000 / tally.game.big_blind
    return scale * tally.most_lost, chips * scale, hands


def _samples(results: HandResults, player: int) -> tuple[NDArray[np.float64], int]:
    """Return what a player won per hand in duplicate sets or hands, and the hands of each; chips.

    They are in the order of the logs, sets by the first of their hands; duplicate sets, unless less
    than half of the hands are in them.
    """
    seated = results.players == player
    chips = results.chips if results.expected is None else results.expected
    hands = np.where(seated, chips, 0.0).sum(axis=1)
    sets = find_sets(results, lineups(results.players))
    numbers, first = np.unique(sets.set, return_index=True)
    mine = (numbers >= 0) & seated.any(axis=1)[first]
    in_order = numbers[mine][np.argsort(first[mine])]
    size = results.players.shape[1]
    if 2 * size * len(in_order) >= seated.sum():
        return sets.means(hands)[in_order], size
    return hands[seated.any(axis=1)], 1
