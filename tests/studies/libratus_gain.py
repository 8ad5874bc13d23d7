"""What libratus wins from the blueprint that it begins with, from turns that its play leads to.

Up to the turn both play the blueprint.  From each turn that is drawn the rest is played twice, with
all hands of both: libratus in one position, then in the other, the blueprint against it.  What the
blueprint would win from itself there is the opposite in the other position, so it is out of the
mean of both, whatever it is; so is all that came before.  Lines below are drawn; the value of the
cards to come if nobody bets any more is taken out.

Some ten seconds of a core for a turn; the work folder has the turns that were played.
"""

from math import comb

import numpy as np

from agents.blueprint_model.policy import policy_for as blueprint_for
from agents.libratus.options import DEFAULT_ALGORITHM
from agents.libratus.policy import policy_for
from engine.console.options import jobs_option
from engine.console.progress import LivingLine
from engine.estimates.winrate import win_rate
from engine.evaluation.lbr_match import drawing
from engine.evaluation.range_play import PolicyPlayer, play_ranges, range_start
from engine.hands.cards import CARDS, COMBOS
from engine.parallel.processes import in_order
from engine.rules.dealing import DealStream
from engine.rules.state import HandState
from protocol.gamedefs import load_builtin
from tests.studies.frame import finite, resumed

GAIN = 60
"""mbb per hand, what the article's bot won from another."""
SMALL = {"turns": 1, "iterations": 1, "jobs": 1}
_STREAM = 0x474149


def add_options(parser):
    """Add how much is measured."""
    add = parser.add_argument
    add("--turns", type=int, default=100, help="(%(default)s)")
    add("--iterations", type=int, default=60, help="of a decision (%(default)s)")
    add("--algorithm", default=DEFAULT_ALGORITHM, help="(%(default)s)")
    add("--seed", type=int, default=1)
    jobs_option().add_to(parser)


def run(options):
    """Return what is won, and how many turns would show the article's gain."""
    how = options.iterations, options.algorithm, options.seed
    keys = [f"{how} {turn}" for turn in range(options.turns)]

    def play(numbers):
        return in_order(_playing, how, numbers, options.jobs)

    values = []
    with LivingLine() as line:
        for value in resumed(options.work, keys, play):
            values.append(float(value.mean()))
            line.show(f"{len(values)} of {options.turns} turns")
    rate = win_rate(np.array(values), load_builtin("hunl").big_blind)
    ci95 = finite(float(rate.ci95), 1)
    words = f"--turns {options.turns} --algorithm {options.algorithm}"
    return {
        "command": f'make study NAME="libratus-gain {words}"',
        "bot": f"libratus --iterations {options.iterations} --algorithm {options.algorithm}",
        "turns": options.turns,
        "seed": options.seed,
        "mbb_per_hand": round(float(rate.mbb_per_hand), 1),
        "ci95": ci95,
        "gain": GAIN,
        "turns_wanted": None if ci95 is None else round(options.turns * (ci95 / GAIN) ** 2),
    }


def _playing(iterations, algorithm, seed):
    """Return what plays one turn: chips a hand that libratus wins in each position."""
    game = load_builtin("hunl")
    blueprint = PolicyPlayer(blueprint_for(game))
    libratus = PolicyPlayer(policy_for(game, iterations=iterations, algorithm=algorithm))
    start = range_start(HandState.start(game), (), np.ones((2, COMBOS)))
    assert start.joint() == COMBOS * comb(CARDS - 2, 2)

    def play(number):
        deals = DealStream(game, seed)
        deals.skip(number)
        board = next(iter(deals)).board
        won = np.zeros(2)
        for position in (0, 1):
            both = (libratus, blueprint) if position == 0 else (blueprint, libratus)
            draw = drawing(np.random.default_rng((_STREAM, seed, number)))
            value = play_ranges(both, position, board, draw, start)
            won[position] = value.won - value.luck.sum()
        return won

    return play
