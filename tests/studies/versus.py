"""What the modeller wins with its model and without, from each opponent, on the same deals.

    make study NAME="versus O1 O2 O3 O4 O5 O6 O7 O8 --game GAME --hands 1500 --matches 4"
    make study NAME="versus O_random --game GAME --hands 2000 --matches 8"

Both seatings of each deal are played; the gain is the paired difference of the two win rates.  By
its deals a third of the time of `departures`, on all cores.
"""

from argparse import ArgumentParser, Namespace
from typing import Any, Final

from tests.studies.trials import add_preset, add_trials, as_data, game_word, on_and_off, played

SMALL: Final = {"names": ["O2", "O_random"], "hands": 4, "matches": 2, "jobs": 1}


def add_options(parser: ArgumentParser) -> None:
    """Add opponents and how much is played."""
    add_trials(parser, matches=1)
    add_preset(parser)


def result_name(options: Namespace) -> str:
    """Return the file of the game; O_random, who is played longer, has one of its own."""
    word = "orandom" if list(options.names) == ["O_random"] else "versus"
    return f"{word}-{game_word(options.game)}.json"


def run(options: Namespace) -> dict[str, Any]:
    """Return both win rates and the gain for each opponent."""
    return {"report": "versus"} | as_data(played(options, on_and_off(options)))
