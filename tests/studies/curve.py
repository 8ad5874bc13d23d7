"""How what modelling wins grows with the hands played: win rates of each block of deals.

    make study NAME="curve O3 O5 O7 --game hulhe --matches 2"

The modeller plays with its model and without, on the same deals in both seatings.  By its
deals an eighth of the time of `departures`, on all cores.
"""

from argparse import ArgumentParser, Namespace
from typing import Any, Final

from engine.console.arguments import count
from tests.studies.trials import add_preset, add_trials, as_data, on_and_off, played

SMALL: Final = {"names": ["O2"], "hands": 6, "matches": 1, "block": 3}


def add_options(parser: ArgumentParser) -> None:
    """Add opponents, how much is played, and the deals of a point."""
    add_trials(parser, matches=4)
    add_preset(parser)
    parser.add_argument("--block", metavar="N", type=count, default=500, help="deals of a point")


def run(options: Namespace) -> dict[str, Any]:
    """Return win rates and gains, of all deals and of each block."""
    if options.block > options.hands:
        raise ValueError(f"--block {options.block}: a match has only {options.hands} deals")
    return {"report": "curve"} | as_data(played(options, on_and_off(options)), options.block)
