"""A network with four hidden units, all its weights and the values of its nodes at one decision.

    arena train statistical ann --hidden 4 --logs LOG --game hunl
    make study NAME="network runs/statistical/ann.model"

The patent's picture of a network shows as much: inputs, hidden nodes and outputs, each with its
value, and the weight of each connection.  The decision is that of a player of whom nothing is
known, who checked on the flop and faces a bet of a pot.

    inputs   (F,)   values of the input nodes     hidden  (F + 1, H)  weights, the last row biases
    outputs  (3,)   chances to fold, call, raise  output  (H + 1, 3)  likewise
"""

from argparse import ArgumentParser, Namespace
from typing import Any, Final

import numpy as np

from agents.statistical.counting.counters import OpponentCounters
from agents.statistical.counting.habits import habits_of_cell
from agents.statistical.counting.situations import situation_of
from agents.statistical.predicting.ann import Network
from agents.statistical.predicting.contexts import FEATURES, context_of
from agents.statistical.predicting.model_files import ANN, load_predictor
from engine.rules.view import replay_betting
from protocol.cards import parse_cards
from protocol.gamedefs import load_builtin

BETTING: Final = "cr300c/cr900"
BOARD: Final = "Kh8h3c"
_DIGITS: Final = 4


def add_options(parser: ArgumentParser) -> None:
    """Add the network."""
    parser.add_argument(
        "predictor",
        metavar="FILE",
        nargs="?",
        default=ANN,
        help="the network (the one of 48 units)",
    )


def run(options: Namespace) -> dict[str, Any]:
    """Return weights and values.

    Raises:
        ValueError: the file holds no network.
    """
    network = load_predictor(options.predictor)
    if not isinstance(network, Network):
        raise ValueError(f"{options.predictor}: want a network")
    situation = situation_of(replay_betting(load_builtin("hunl"), BETTING), parse_cards(BOARD))
    habits = habits_of_cell(OpponentCounters().counts.sum(axis=0), situation.cell)
    context = context_of(situation, habits)
    units = np.tanh(context @ network.hidden[:-1] + network.hidden[-1])
    return {
        "betting": BETTING,
        "board": BOARD,
        "features": list(FEATURES),
        "inputs": _plain(context),
        "hidden": _plain(network.hidden),
        "units": _plain(units),
        "output": _plain(network.output),
        "outputs": _plain(network.probabilities(context[np.newaxis])[0]),
    }


def _plain(numbers: Any) -> Any:
    return np.round(numbers.astype(np.float64), _DIGITS).tolist()
