"""What a bot wins from another, with all hands of both along lines that are drawn.

Both tell their strategies.  Whole hands are played on each board that is drawn, twice: the one in
one position, then in the other.  Lines are drawn; the value of the cards to come if nobody bets any
more is taken out.  While both play alike, as `libratus` and `blueprint` do up to the turn, what one
would win from itself is the opposite in the other position, so it is out of the mean of both.

Some ten seconds of a core for a board of `libratus` or `deepstack`; the work folder has the boards
that were played.
"""

from math import comb

import numpy as np

from agents.roster.strategies import read_strategy, seat
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

SMALL = {"boards": 1, "bot": "libratus --iterations 1", "jobs": 1}
_STREAM = 0x474149


def add_options(parser):
    """Add who plays, and how much."""
    add = parser.add_argument
    add("--bot", default="libratus --iterations 60", help="(%(default)s)")
    add("--other", default="blueprint", help="(%(default)s)")
    add("--boards", type=int, default=100, help="(%(default)s)")
    add("--seed", type=int, default=1)
    jobs_option().add_to(parser)


def result_name(options):
    """Return the file of two bots, whatever their options are."""
    return f"gain-{options.bot.split()[0]}-{options.other.split()[0]}.json"


def run(options):
    """Return what is won, with its interval."""
    how = options.bot, options.other, options.seed
    keys = [f"{how} {board}" for board in range(options.boards)]

    def play(numbers):
        return in_order(_playing, how, numbers, options.jobs)

    values = []
    with LivingLine() as line:
        for value in resumed(options.work, keys, play):
            values.append(float(value.mean()))
            line.show(f"{len(values)} of {options.boards} boards")
    rate = win_rate(np.array(values), load_builtin("hunl").big_blind)
    words = f'--bot "{options.bot}" --other "{options.other}" --boards {options.boards}'
    return {
        "command": f"make study NAME='gain {words} --seed {options.seed}'",
        "bot": options.bot,
        "other": options.other,
        "boards": options.boards,
        "seed": options.seed,
        "mbb_per_hand": round(float(rate.mbb_per_hand), 1),
        "ci95": finite(float(rate.ci95), 1),
    }


def _playing(bot, other, seed):
    """Return what plays one board: chips a hand that the bot wins in each position."""
    game, players = seat([read_strategy(bot), read_strategy(other)], load_builtin("hunl"))
    one, two = (PolicyPlayer(player.policy) for player in players)
    start = range_start(HandState.start(game), (), np.ones((2, COMBOS)))
    assert start.joint() == COMBOS * comb(CARDS - 2, 2)

    def play(number):
        deals = DealStream(game, seed)
        deals.skip(number)
        board = next(iter(deals)).board
        won = np.zeros(2)
        for position in (0, 1):
            both = (one, two) if position == 0 else (two, one)
            draw = drawing(np.random.default_rng((_STREAM, seed, number)))
            value = play_ranges(both, position, board, draw, start)
            won[position] = value.won - value.luck.sum()
        return won

    return play
