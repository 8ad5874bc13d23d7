"""The table of agents."""

import re
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from agents.bot import Bot
from agents.compiled.policy_bot import PolicyBot
from agents.errors import AgentError, UnknownAgent
from agents.roster.bots import MANNER_OF_CHARACTER, MEASURED, ROSTER, agent_names, find_agent
from agents.roster.words import chosen_bot
from engine.errors import InvalidGame
from engine.play.simulate import play_hands
from protocol.gamedefs import builtin_names, load_builtin

GAMES = {name: load_builtin(name) for name in builtin_names()}
HANDS = 6
FEW = 2
"""Hands of bots that search."""


def by_clock(spec):
    """Whether an agent searches as long as a clock says."""
    return any(option.keyword == "iterations" for option in spec.options)


def quick(spec):
    """The agent; one that goes by a clock makes so many iterations instead."""
    least = {"iterations": 1, "nodes": 1} if by_clock(spec) else {}
    keywords = {option.keyword for option in spec.options}
    return spec.build({name: value for name, value in least.items() if name in keywords})


@pytest.mark.parametrize("spec", ROSTER, ids=lambda spec: spec.name)
def test_defaults_are_those_of_the_factory(spec):
    """Building with every default given is the same as with none; the help begins as it should."""
    given = spec.build({option.keyword: option.default for option in spec.options})
    plain = spec.build()
    assert isinstance(plain, Bot)
    assert spec.summary.split()[0] not in ("a", "an", "the")  # as in "solid plays by odds"
    if isinstance(given, PolicyBot):
        players = [
            bot._policy_for(GAMES["holdem.nolimit.2p.reverse_blinds"], 1) for bot in (given, plain)
        ]
        assert np.array_equal(*(player.params for player in players))
    else:
        assert getattr(given, "settings", vars(given)) == getattr(plain, "settings", vars(plain))


@pytest.mark.parametrize(
    "spec",
    [spec for spec in ROSTER if spec.name not in ("rule", *MANNER_OF_CHARACTER)],
    ids=lambda spec: spec.name,
)
def test_other_games_are_refused(spec):
    """By the bot itself when a match begins; some leave that to whoever seats them."""
    for game in GAMES.values():
        if not spec.games.contains(game):
            with pytest.raises((AgentError, InvalidGame, ValueError)):
                spec.build().start_match(game, 1)


def test_set_options_play_in_bulk_as_at_the_table():
    """And cannot be set a second time; what is not set can."""
    spec = chosen_bot("cnn --greedy 1")
    game = GAMES["holdem.nolimit.2p.reverse_blinds"]
    assert spec.compiled_policy(game, 1).params[0] == 1
    assert find_agent("cnn").compiled_policy(game, 1).params[0] == 0
    assert spec.build()._policy_for(game, 1).params[0] == 1
    with pytest.raises(UnknownAgent, match="variant 'O2': want whole, sure"):
        chosen_bot("astar --variant O2")


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        pytest.param(spec, name, id=f"{spec.name}-{name}")
        for spec in ROSTER
        for name, game in GAMES.items()
        if spec.games.contains(game)
    ],
)
def test_agents_play_the_games_they_say_they_play(spec, name):
    """Some hands of each game go through without an illegal action, and are zero-sum."""
    game = GAMES[name]
    bots = [quick(spec) for _ in range(game.players)]
    for seed, bot in enumerate(bots):
        bot.warm_up()
        bot.start_match(game, seed)
    won = play_hands(game, 3, FEW if by_clock(spec) else HANDS, [bot.act for bot in bots])
    assert abs(won.sum(axis=1)).max() < 1e-6


@pytest.mark.parametrize("spec", ROSTER, ids=lambda spec: spec.name)
def test_the_same_seed_gives_the_same_play(spec):
    """Two bots started alike win the same chips from the same deals and opponent."""
    games = (game for game in reversed(GAMES.values()) if game.players == 2)
    game = next(game for game in games if spec.games.contains(game))
    results = []
    for _ in range(2):
        bot, opponent = quick(spec), find_agent("uniform-random").build()
        bot.start_match(game, 11)
        opponent.start_match(game, 12)
        hands = 3 * (FEW if by_clock(spec) else HANDS)
        results.append(play_hands(game, 5, hands, [bot.act, opponent.act]).tolist())
    assert results[0] == results[1]


def test_few_bots_play_kuhn():
    """Those that need neither two hole cards and a board nor a model of hold'em."""
    playing = {spec.name for spec in ROSTER if spec.games.contains(GAMES["kuhn.limit.2p"])}
    baselines = {"always-call", "always-fold", "uniform-random", "biased-random"}
    assert playing == {*baselines, "equilibrium", "nfsp", "mmd"}


def test_a_model_brings_its_game():
    """An agent with a model file is not refused for the game: the file decides."""
    spec, game = find_agent("blueprint"), GAMES["holdem.nolimit.2p.reverse_blinds"]
    assert spec.plays(GAMES["leduc.limit.2p"], {"model": None})
    assert not spec.plays(GAMES["kuhn.limit.3p"], {"model": None})
    assert spec.plays(game, {"model": "some.blueprint"})


def test_refusals_say_why():
    """What the agent plays, or what of the game is not as it plays it."""
    limit3 = GAMES["holdem.limit.3p"]
    assert re.search(r"^O1 .*, not limit for 3 players", find_agent("O1").refusal(limit3))
    deep = replace(GAMES["holdem.nolimit.2p.reverse_blinds"], stacks=(30000, 30000))
    told = find_agent("blueprint").refusal(deep)
    assert re.search(r"^blueprint .*\b20 to 250\b.*\b300$", told)


def test_unknown_name_lists_the_known_ones():
    """The error names every agent there is; a name stands for one."""
    assert len(set(agent_names())) == len(ROSTER)
    with pytest.raises(
        UnknownAgent, match=r"always-call, .*rule.*, and points .* plane-"
    ) as caught:
        find_agent("slumbot")
    assert caught.value.exit_code == 2
    limit, rule = GAMES["holdem.limit.2p.reverse_blinds"], find_agent("rule")
    with pytest.raises(UnknownAgent, match="rule is not compiled"):
        rule.compiled_policy(limit, 1)
    with pytest.raises(UnknownAgent, match="rule tells no strategy"):
        rule.strategy(limit, {})


def test_the_roster_imports_no_bot():
    """Listing agents, or playing always-call, loads neither numpy nor numba."""
    code = (
        "import sys, agents.__main__, agents.roster.bots\n"
        "agents.roster.bots.find_agent('always-call').build()\n"
        "heavy = {'numpy', 'numba', 'torch', 'structlog', 'asyncio'} & set(sys.modules)\n"
        "sys.exit(', '.join(heavy) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_those_who_are_measured_are_compiled():
    """Each scripted compiled bot is measured, by its first name only."""
    measured = [find_agent(name) for name in MEASURED]
    named = {name for spec in measured for name in (spec.name, spec.also) if name}
    scripted = [
        spec
        for spec in ROSTER
        if spec.compiled is not None and spec.group not in ("evolved", "learned")
    ]
    assert named == {spec.name for spec in scripted}
    assert not any(spec.same_as for spec in measured)


def test_points_of_the_plane_are_agents():
    """Any point is found by its name, builds and plays."""
    spec = find_agent("plane-75-20-10")
    assert spec.name == "plane-75-20-10"
    game = GAMES["holdem.nolimit.2p.reverse_blinds"]
    bots = [spec.build(), find_agent("always-call").build()]
    for seed, bot in enumerate(bots):
        bot.start_match(game, seed)
    assert play_hands(game, 3, 20, [bot.act for bot in bots]).any()
    with pytest.raises(UnknownAgent):
        find_agent("plane-175-20")
