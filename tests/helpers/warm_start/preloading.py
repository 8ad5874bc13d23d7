"""What programs of ours load in common: modules, and the code of the kernels that bots play by."""

import gc
import importlib
import itertools
from typing import Final

from agents.roster.bots import ROSTER, find_agent
from dealer.arena import COMMANDS
from engine.play.learners import LearnerTable, play_tables
from protocol.gamedefs import load_builtin

AFTER_THE_ARGUMENTS: Final = (
    "agents.aivat.aivat_tasks",
    "agents.blueprint.train_work",
    "agents.measuring.lbr_work",
    "agents.opponents.pool_logs",
    "dealer.compliance.checking",
    "dealer.commands.match_report",
    "dealer.commands.tournament_report",
    "engine.commands.solve.spot_solver",
)
"""What commands import once they have read their arguments."""
PLAYERS: Final = ("rule", "blueprint", "statistical", "astar", "cnn", "O1")
"""A bot of each kind that plays by kernels."""
GAMES: Final = ("hunl", "hulhe")
HANDS: Final = 6


def preload() -> None:
    """Import the modules of all commands and bots, and have bots of each kind play some hands."""
    modules = {module.partition(":")[0] for module, _ in COMMANDS.values()}
    modules |= {agent.factory.partition(":")[0] for agent in ROSTER}
    for module in (*sorted(modules), *AFTER_THE_ARGUMENTS):
        importlib.import_module(module)
    for name in GAMES:
        game = load_builtin(name)
        players = [agent for agent in map(find_agent, PLAYERS) if agent.plays(game, {})]
        for pair in itertools.pairwise((*players, players[0])):
            bots = [agent.build() for agent in pair]
            for bot in bots:
                bot.warm_up()
            play_tables(game, 1, HANDS, [LearnerTable(bots)])
    gc.collect()
