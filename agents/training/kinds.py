"""What `arena train` trains and `arena data` makes; nothing is imported until chosen."""

from typing import Final

from engine.console.command_table import CommandTable

KINDS: Final = {
    "ashe": (
        "agents.evolution.train_command:ashe",
        "a network that says what hands are worth, by evolution",
    ),
    "ashe-2": ("agents.evolution.train_command:ashe_2", "ASHE 2.0: estimators, by evolution"),
    "astar": (
        "agents.evolution.train_command:astar",
        "networks that exploit opponents, by evolution",
    ),
    "blueprint": ("agents.blueprint.train_command", "an approximate equilibrium, by MCCFR"),
    "compact": ("agents.blueprint.compact_command", "a blueprint's file made smaller"),
    "cnn": ("agents.poker_cnn.train_command", "a network that sees hands as pictures"),
    "deepstack": (
        "agents.deepstack.train_command",
        "a network that says what ranges win, of solved situations",
    ),
    "equilibrium": (
        "agents.equilibrium.train_command",
        "an equilibrium of a small game, by CFR",
    ),
    "library": ("agents.astar.library_command", "what `astar` knows opponents by, of its networks"),
    "nfsp": (
        "agents.learners.train_command:nfsp",
        "a small game by self-play: fictitious, with networks",
    ),
    "ppo": ("agents.learners.train_command:ppo", "the same, by policy gradients"),
    "mmd": ("agents.learners.train_command:mmd", "the same, by magnetic mirror descent"),
    "sdcfr": ("agents.learners.train_command:sdcfr", "the same, by single deep CFR"),
    "statistical": (
        "agents.statistical.learning.train_command",
        "what players do, from match logs",
    ),
}
DATA_KINDS: Final = {
    "cnn": ("agents.poker_cnn.data_command", "records for `arena train cnn`, of match logs"),
    "values": ("agents.deepstack.values_command", "solved situations, for value networks"),
    "pool": ("agents.opponents.pool_logs_command", "match logs of scripted bots, each pair's"),
    "merge": ("agents.deepstack.merge_command", "folders of solved situations joined"),
}
"""Kind -> (module, or module:function, of a `main`; summary)."""

train = CommandTable("arena train", "Train what bots play by.", KINDS).main
data = CommandTable("arena data", "Make what is learned from.", DATA_KINDS).main
