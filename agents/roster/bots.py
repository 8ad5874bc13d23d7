"""Every agent that can be started by name.  Data only; nothing is imported until chosen."""

from __future__ import annotations

import difflib
from typing import Final

from agents.errors import UnknownAgent
from agents.libratus.options import LibratusOptions
from agents.options import SWITCH, BotOption, options_of
from agents.roster.bridges import bridge_called
from agents.roster.characters import POOL, ScriptedProfile, plane_character
from agents.roster.evolved import evolved_agents
from agents.roster.mixtures import Mixture, mixture_called
from agents.roster.own_class import names_own_class
from agents.roster.plane import EVERYWHERE
from agents.roster.spec import ANY_GAME, AgentSpec, GameKind, imported_when_called

OWN: Final = "own"
"""Group of users' own bots."""
HOLDEM: Final = GameKind(
    "hold'em, limit and no-limit, for 2 to 10 players", lambda game: game.is_holdem
)
HOLDEM_FOR_TWO: Final = GameKind(
    "hold'em for two, limit and no-limit", lambda game: game.is_holdem and game.players == 2
)
BLUEPRINT_GAMES: Final = GameKind(
    "hold'em for two, no-limit with 20 to 250 big blinds and limit, and Leduc hold'em; with "
    "--model, games of the kind that the model is for",
    imported_when_called("agents.blueprint_model.models:is_played"),
    imported_when_called("agents.blueprint_model.models:why_not_played"),
)
BLUEPRINT_HOLDEM: Final = GameKind(
    "hold'em for two, no-limit with 20 to 250 big blinds and limit",
    imported_when_called("agents.blueprint_model.models:is_played_holdem"),
    imported_when_called("agents.blueprint_model.models:why_not_played_holdem"),
)
EQUILIBRIUM_GAMES: Final = GameKind(
    "Kuhn and Leduc poker for two and three and the fixed-queen game; with --model, the small game "
    "that the model is for",
    imported_when_called("agents.equilibrium.models:is_solved"),
    imported_when_called("agents.equilibrium.models:why_not_solved"),
)

KNOWLEDGE_BOTS: Final = {
    "solid": "by the book",
    "trapper": "often plays strong hands slowly",
    "pressure": "bets big, raises and bets again",
    "controller": "keeps pots small",
    "exploiter": "soon leans on what it has seen of the opponent",
}
"""Character -> its manner, as the lists of bots tell it."""


def _of_the_pool(one: ScriptedProfile) -> AgentSpec:
    return AgentSpec(
        name=one.name,
        summary=one.summary,
        factory="agents.opponents.bot:PoolBot",
        games=HOLDEM_FOR_TWO,
        fixed={"character": one.name},
        policy="agents.opponents.told:character_strategy" if one.one_size else None,
        compiled="agents.opponents.policy:pool_policy",
        group="pool",
        quadrant=one.quadrant,
        period=one.period,
        same_as=one.same_as,
        also=next((other.name for other in POOL if other.same_as == one.name), ""),
    )


def _of_mixture(name: str, mixture: Mixture) -> AgentSpec:
    return AgentSpec(
        name=name,
        summary=mixture.summary,
        factory="agents.opponents.mixture_policy:mixture_bot",
        games=HOLDEM_FOR_TWO,
        fixed={"mixture": name},
        compiled="agents.opponents.mixture_policy:mixture_policy",
        group="pool",
        quadrant=EVERYWHERE,
        period=mixture.period,
    )


def _of_own_class(name: str) -> AgentSpec:
    return AgentSpec(
        name=name,
        summary="a class of your own",
        factory="agents.roster.own_class:own_bot",
        games=ANY_GAME,
        fixed={"name": name},
        group=OWN,
    )


COUNTERED: Final = ("O1", "O2", "O3", "O4", "O5", "O6", "O7", "O8")
"""Opponents for whom a counter-strategy comes along."""
CNN_VARIANTS: Final = {
    "cnn-greedy": ("cnn", {"greedy": 1}, "takes the likeliest action, where cnn draws one"),
    "cnn-sharp": ("cnn", {"sharpness": 2}, "draws likely actions more often than cnn does"),
    "cnn-pot": ("cnn", {"sized": 0}, "raises the pot, where cnn asks the network how much"),
    "cnn-value": (
        "cnn-value",
        {},
        "learned values, not actions: takes the action worth most, and never folds",
    ),
    "cnn-blueprint": ("cnn-blueprint", {}, "learned from the blueprint's play"),
    "cnn-rounds": ("cnn-rounds", {}, "cnn, gone on learning from its own play in rounds"),
}
"""Agent -> (network, what is fixed beside it, summary)."""
STATISTICAL_SWITCHES: Final = {
    "optimistic": "1: strength is EHS', not EHS",
    "absolute": "1: thresholds are strengths, not percentiles",
    "sharp": "1: an action is certain in its band",
    "initial": "1: before the flop only the strongest action counts",
    "by_street": "1: weights of each street start over",
    "learn_reading": "0: shown hands do not change how actions are interpreted",
    "plain": "1: the 36 counters alone",
    "generic": "1: 2:5:3 for everybody in phase 1",
    "opponent_bins": "1: phase 2 waits for shown hands of all strengths",
    "candidates": "1: compares with the hands of highest weight alone",
    "values": "0: raises, calls or folds by the comparison alone",
}
"""Setting -> what it does where it is not as by default."""
ROSTER: Final = (
    AgentSpec(
        name="always-call",
        summary="checks or calls every time",
        factory="agents.baselines.always_call:AlwaysCall",
        games=ANY_GAME,
        policy="agents.baselines.policies:always_call_for",
    ),
    AgentSpec(
        name="always-fold",
        summary="folds every time, checks where it is free",
        factory="agents.baselines.always_fold:AlwaysFold",
        games=ANY_GAME,
        policy="agents.baselines.policies:always_fold_for",
    ),
    AgentSpec(
        name="uniform-random",
        summary="picks fold, call or raise with equal chances, raises by any legal size",
        factory="agents.baselines.biased_random:UniformRandom",
        games=ANY_GAME,
    ),
    AgentSpec(
        name="biased-random",
        summary="as the reference dealer's example player: seldom folds",
        factory="agents.baselines.biased_random:BiasedRandom",
        games=ANY_GAME,
        options=(
            BotOption("--fold", "fold", 0.06, "weight of folding, where something is to call"),
            BotOption("--call", "call", 0.47, "weight of checking and calling"),
            BotOption("--raise", "raise_", 0.47, "weight of raising, where a raise is legal"),
        ),
    ),
    AgentSpec(
        name="rule",
        summary="plays by hand strength, pot odds and a few rules of thumb",
        factory="agents.rulebook.bot:RuleBot",
        games=HOLDEM,
    ),
    AgentSpec(
        name="blueprint",
        summary="plays an approximate equilibrium that was computed beforehand",
        factory="agents.blueprint.bot:Blueprint",
        games=BLUEPRINT_GAMES,
        options=(
            BotOption("--model", "model", None, "file of the strategy, not the shipped one", str),
            BotOption("--threshold", "threshold", 0.0, "drop actions less probable than this"),
            BotOption("--purify", "purify", 0.0, "1: only ever take the likeliest action"),
        ),
        policy="agents.blueprint_model.policy:policy_for",
        versus="agents.blueprint.versus:versus_of",
    ),
    *(
        AgentSpec(
            name=name,
            summary=f"searches from the turn on, nested and safe, {summary}",
            factory="agents.libratus.bot:Libratus",
            games=BLUEPRINT_HOLDEM,
            options=options_of(LibratusOptions, fixed),
            fixed=fixed,
            policy="agents.libratus.policy:policy_for",
            repeats="agents.libratus.options:repeats",
        )
        for name, fixed, summary in (
            ("libratus", {}, "two seconds a decision"),
            ("libratus-fast", {"seconds": 0.2}, "a fifth of a second a decision"),
        )
    ),
    AgentSpec(
        name="equilibrium",
        summary="plays small games as solved whole, exactly as far from an equilibrium as is told",
        factory="agents.equilibrium.bot:Equilibrium",
        games=EQUILIBRIUM_GAMES,
        options=(
            BotOption("--model", "model", None, "file of the strategy, not the shipped one", str),
        ),
    ),
    AgentSpec(
        name="statistical",
        summary="models whoever sits opposite from what it does, and exploits it",
        factory="agents.statistical.building:build",
        games=HOLDEM_FOR_TWO,
        options=(
            BotOption("--tolerance", "tolerance", 0.05, "strengths so close count as equal"),
            *(
                BotOption(f"--{keyword}", keyword, 1.0, summary, metavar=SWITCH)
                for keyword, summary in (
                    ("modelling", "0: plays its tables for ever"),
                    ("mirrored", "0: calls lower no strong hands"),
                    ("types", "0: plays alike against all types of players"),
                )
            ),
            BotOption(
                "--confidence",
                "confidence",
                None,
                "how sure before it exploits, 0 to less than 1 (0.5; preset patent: 0)",
            ),
            BotOption(
                "--predictor",
                "predictor",
                None,
                "counters (the default), ann for the network that comes along, or the file of "
                "another, as `arena train statistical` writes it: runs/statistical/ann.model",
                str,
                "NAME|FILE",
            ),
            BotOption(
                "--preflop",
                "preflop",
                None,
                "measure of hands before the flop: equity (the default), sklansky or chen",
                str,
                "NAME",
            ),
            BotOption(
                "--memory",
                "memory",
                None,
                "file in which it remembers opponents, such as met.opponents; made if it is not "
                "there",
                str,
            ),
            BotOption(
                "--opponent", "opponent", None, "whom it meets, a name in that file", str, "NAME"
            ),
            BotOption(
                "--preset",
                "preset",
                None,
                "patent: decides as the patent describes it; options beside it count for more",
                str,
                "NAME",
            ),
            *(
                BotOption(f"--{keyword}", keyword, None, summary, metavar=SWITCH)
                for keyword, summary in STATISTICAL_SWITCHES.items()
            ),
            BotOption(
                "--bin_samples",
                "bin_samples",
                None,
                "so many samples a bin before phase 2 (3)",
                metavar="N",
            ),
        ),
    ),
    *evolved_agents(COUNTERED),
    AgentSpec(
        name="cnn",
        summary="sees a hand as a picture; a convolutional network that learned from logs",
        factory="agents.poker_cnn.bot:cnn_bot",
        games=HOLDEM_FOR_TWO,
        options=(
            BotOption("--model", "model", None, "file of the network, not the shipped one", str),
            BotOption(
                "--greedy",
                "greedy",
                None,
                "1: takes the action of the highest score, 0: draws one (0; of values: 1)",
                metavar=SWITCH,
            ),
            BotOption(
                "--sized", "sized", None, "0: raises the pot, 1: by the network (1)", metavar=SWITCH
            ),
            BotOption(
                "--sharpness",
                "sharpness",
                None,
                "scores of actions are multiplied by it before one is drawn (1)",
                metavar="X",
            ),
        ),
        policy="agents.poker_cnn.told:cnn_strategy",
        told_slowly=True,
        compiled="agents.poker_cnn.bot:policy_for",
        group="learned",
        quadrant="learned",
    ),
    *(
        AgentSpec(
            name=name,
            summary=summary,
            factory="agents.poker_cnn.bot:cnn_bot",
            games=HOLDEM_FOR_TWO,
            fixed={"network": network, **fixed},
            policy="agents.poker_cnn.told:cnn_strategy",
            told_slowly=True,
            compiled="agents.poker_cnn.bot:policy_for",
            group="learned",
            quadrant="learned",
        )
        for name, (network, fixed, summary) in CNN_VARIANTS.items()
    ),
    *map(_of_the_pool, POOL),
    *(
        AgentSpec(
            name=name,
            summary=f"plays by odds, draws, textures and reads; {manner}",
            factory="agents.opponents.knowledge_bot:KnowledgeBot",
            games=HOLDEM_FOR_TWO,
            fixed={"character": name},
            compiled="agents.opponents.knowledge_policy:knowledge_policy",
            group="knowledge",
            quadrant="knowledge",
        )
        for name, manner in KNOWLEDGE_BOTS.items()
    ),
)


MEASURED: Final = tuple(
    spec.name
    for spec in ROSTER
    if spec.compiled is not None
    and spec.same_as is None
    and spec.group not in ("evolved", "learned")
)
"""Opponents of the modeller and of each other where none are named: each scripted compiled bot."""
POINTS: Final = (
    "points of the plane as plane-PLAYED-RAISED-BLUFF-SLOW-PRESSURE-SIZE in percent, 0 to 100, "
    "SIZE 1 to 9999, "
    "and mixtures as NAME+NAME@HANDS"
)
"""What else can be named, in messages about unknown names."""


def agent_names() -> tuple[str, ...]:
    """Return the names of all agents, in roster order."""
    return tuple(spec.name for spec in ROSTER)


def find_agent(name: str) -> AgentSpec:
    """Return the agent, the point of the plane or the mixture called `name`.

    See `agents.roster.characters` and `agents.roster.mixtures` for the last two.  A user's own bot,
    see `agents.roster.own_class`, is not imported yet, nor is a program of his started.

    Raises:
        UnknownAgent: there is none; the message lists those there are.
    """
    for spec in ROSTER:
        if spec.name == name:
            return spec
    point = plane_character(name)
    if point is not None:
        return _of_the_pool(point)
    mixture = mixture_called(name)
    if mixture is not None:
        return _of_mixture(name, mixture)
    if names_own_class(name):
        return _of_own_class(name)
    if (bridge := bridge_called(name)) is not None:
        return bridge
    names = agent_names()
    near = difflib.get_close_matches(name, names, 1)
    hint = f"did you mean {near[0]}? " if near else ""
    raise UnknownAgent(
        f"no agent is called {name!r}; {hint}there are: {', '.join(names)}, and {POINTS}"
    )
