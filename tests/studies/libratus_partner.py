"""What parts of libratus win from a strong opponent of another abstraction: the article's table 3.

The opponent is a blueprint with other bets, buckets and seed than the shipped one.  The study
trains it first, by the command that its result names, some five minutes of a core; it stays in the
work folder.  All rows play the shipped blueprint before the turn:

    blueprint         also from the turn on
    post-processed    without actions that are less likely than `THRESHOLD` from the turn on
    purified          only the likeliest action from the turn on
    nested, on-tree   searches whose bets are those of the opponent's abstraction
    nested            searches with the bets that libratus has

All strategies are known, so cards in the hands need not be dealt: a sample is a board with lines of
the betting in both seatings, along which both players act with all hands at once
(`engine.evaluation.range_play`).  All rows come to the same turns.  A board takes five seconds of a
core; those that are there already are kept.

Source: Brown, Sandholm, "Superhuman AI for heads-up no-limit poker: Libratus beats top
professionals", Science 359, 2018, table 3.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np

from agents.blueprint_model.config import load_config
from agents.blueprint_model.policy import BlueprintPolicy, open_policy, policy_for
from agents.libratus.options import DEFAULT_ALGORITHM, LibratusOptions
from agents.libratus.policy import TURN, BlueprintOwner, LibratusPolicy, session_settings
from dealer.arena import main as arena
from engine.betting.bet_menu import ALL_IN, BetMenu, street_menu
from engine.cfr.variants import VARIANTS
from engine.console.exit_codes import INTERRUPTED
from engine.console.options import jobs_option
from engine.console.progress import LivingLine
from engine.estimates.winrate import win_rate
from engine.evaluation.board_matches import sample_board
from engine.evaluation.range_play import PolicyPlayer, play_ranges, range_start
from engine.hands.cards import COMBOS
from engine.parallel.processes import in_order
from engine.rules.state import HandState
from engine.search.menus import StreetMenus
from engine.search.session import ReSolvingSession
from protocol.gamedefs import load_builtin
from tests.studies.frame import finite, resumed

CONFIG = Path(__file__).with_suffix(".toml")
TRAINED = 12_500_000
"""Iterations of the opponent."""
THRESHOLD = 0.1
BLUEPRINT, POST_PROCESSED, PURIFIED = "blueprint", "post-processed", "purified"
ON_TREE, NESTED = "nested, on-tree", "nested"
ROWS = (BLUEPRINT, POST_PROCESSED, PURIFIED, ON_TREE, NESTED)
SEARCHING = (ON_TREE, NESTED)
PUBLISHED = {BLUEPRINT: (-8, 15), POST_PROCESSED: (18, 21), ON_TREE: (59, 28), NESTED: (63, 28)}
"""mbb per hand from Baby Tartanian8, with 95 % intervals."""
SMALL = {
    "trained": 0,
    "boards": 2,
    "lines": 1,
    "searched": 1,
    "iterations": 1,
    "nodes": 10,
    "jobs": 1,
}


def add_options(parser):
    """Add how much is played, and how long is searched."""
    add = parser.add_argument
    trained = "iterations of the opponent; 0: it is the shipped blueprint (%(default)s)"
    add("--trained", type=int, default=TRAINED, help=trained)
    add("--boards", type=int, default=200)
    add("--lines", type=int, default=12, help="of the betting after each turn, without searches")
    add("--searched", type=int, default=2, help="the same with searches")
    add("--iterations", type=int, default=60, help="of a search")
    add(
        "--algorithm", choices=VARIANTS, default=DEFAULT_ALGORITHM, help="of a search (%(default)s)"
    )
    add("--nodes", type=int, default=60, help="most of a turn's betting; of a river ten times")
    add("--seed", type=int, default=1, help="of boards and lines")
    jobs_option().add_to(parser)


def run(options):
    """Train the opponent where it is missing; return what each row wins from it."""
    training, model = partner(options)
    names = ("boards", "lines", "searched", "iterations", "algorithm", "nodes", "seed")
    settings = {name: getattr(options, name) for name in names}
    facts = settings | {"trained": options.trained, "boards": 0}
    keys = [f"{sorted(facts.items())} {board}" for board in range(options.boards)]

    def play(missing):
        return in_order(_playing, (model, settings), missing, options.jobs)

    won = []
    with LivingLine() as line:
        for values in resumed(options.work / "boards", keys, play):
            won.append(values)
            line.show(f"{len(won)} of {options.boards} boards")
    table, blind = np.array(won).T, load_builtin("hunl").big_blind
    rates = {row: _rate(values, blind) for row, values in zip(ROWS, table, strict=True)}
    gains = {row: _rate(values - table[0], blind) for row, values in zip(ROWS, table, strict=True)}
    words = " ".join(f"--{name} {value}" for name, value in settings.items())
    return {
        "command": f'make study NAME="libratus-partner {words}"',
        "training": training,
        **settings,
        "rows": {
            row: {"won": rates[row], "more": None if row == BLUEPRINT else gains[row]}
            for row in ROWS
        },
        "published": {
            row: {"mbb_per_hand": mean, "ci95": half} for row, (mean, half) in PUBLISHED.items()
        },
    }


def partner(options):
    """Return the command that trains the opponent, and its file, which is there afterwards."""
    if not options.trained:
        return "", None
    folder = options.work / f"trained-{options.trained}"
    words = ["train", "blueprint", "--config", str(CONFIG), "--workers", "1", "--lbr-pairs", "0"]
    words += ["--iterations", str(options.trained)]
    if not (folder / "done").exists():
        begun = ["--resume"] if folder.exists() else []
        code = arena([*words, *begun, "--out", str(folder)])
        if code == INTERRUPTED:
            raise KeyboardInterrupt
        if code:
            raise ValueError(f"the training in {folder} ended with exit code {code}")
        (folder / "done").touch()
    words[3] = f"tests/studies/{CONFIG.name}"
    return "arena " + " ".join(words), folder / "model.blueprint"


def _rate(chips, big_blind):
    rate = win_rate(chips, big_blind)
    return {"mbb_per_hand": round(rate.mbb_per_hand, 1), "ci95": finite(rate.ci95, 1)}


def _playing(model, settings):
    """Return what plays a board: (rows,) chips per hand, the mean of both seatings."""
    game = load_builtin("hunl")
    blueprint = policy_for(game)
    opponent = policy_for(game) if model is None else open_policy(model, game)
    searching = {name: settings[name] for name in ("iterations", "nodes", "algorithm")}
    options = LibratusOptions(**searching)
    rows = {
        BLUEPRINT: blueprint,
        POST_PROCESSED: _FromTurn(blueprint, threshold=THRESHOLD),
        PURIFIED: _FromTurn(blueprint, purify=True),
        ON_TREE: _with_menus(LibratusPolicy(blueprint, options), opponent_menus()),
        NESTED: LibratusPolicy(blueprint, options),
    }

    start = range_start(HandState.start(game), (), np.ones((2, COMBOS)))

    def play(number):
        board = sample_board(settings["seed"], number)
        return np.mean([won_on(board, seat, number) for seat in (0, 1)], axis=0)

    def won_on(board, seat, number):
        """Return (rows,) chips; with the same draws all rows come to the same turn."""
        won = []
        for name, policy in rows.items():
            seats = [PolicyPlayer(opponent)] * 2
            seats[seat] = PolicyPlayer(policy)
            lines = settings["searched" if name in SEARCHING else "lines"]
            draw = _drawing(np.random.default_rng((settings["seed"], number, seat)))
            hand = play_ranges(tuple(seats), seat, board, draw, start, lines)
            won.append(hand.won - hand.luck.sum())
            if name in SEARCHING:
                policy.session.forget()
        return won

    return play


def _drawing(rng):
    """Return what draws an index by its probabilities."""
    return lambda chances: int(rng.choice(len(chances), p=chances))


class _FromTurn:
    """A blueprint that is post-processed from the turn on."""

    def __init__(self, blueprint, **processing):
        """Take a blueprint, and what `BlueprintPolicy` may do with it."""
        self._before = blueprint
        self._later = BlueprintPolicy(blueprint.model, blueprint.game, **processing)

    def strategy(self, state, board):
        """Return how `state.actor` plays each combo."""
        policy = self._before if state.street < TURN else self._later
        return policy.strategy(state, board)


def opponent_menus():
    """Return menus for searches that hold the opponent's sizes alone, rich and poor."""
    bets = load_config(str(CONFIG)).own_menu.streets[TURN].sizes
    first, later = bets[0], bets[1]
    short = (first[0], ALL_IN)
    rich, poor = (
        street_menu(first, later, max_raises=2),
        street_menu(short, (ALL_IN,), max_raises=2),
    )
    coarse = street_menu(short, (), max_raises=1)
    turns = tuple(BetMenu((rich, rich, *menus)) for menus in ((rich, poor), (poor, coarse)))
    rivers = BetMenu((street_menu(first, later, max_raises=3),)), BetMenu((poor,))
    return StreetMenus(whole=(turns, turns, turns, rivers), limited=(turns, turns, turns, rivers))


def _with_menus(policy, menus):
    """Return a policy of libratus whose searches have other menus."""
    settings = session_settings(policy.options)
    search = replace(settings.search, menus=menus)
    owner = BlueprintOwner(policy.blueprint, estimates=False, flop=None)
    policy.session = ReSolvingSession(owner, replace(settings, search=search))
    return policy
