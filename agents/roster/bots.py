"""Every agent that can be started by name.  Data only; nothing is imported until chosen."""

from __future__ import annotations

import difflib
from typing import Final

from agents.errors import UnknownAgent
from agents.roster.bridges import bridge_called
from agents.roster.characters import POOL, ScriptedProfile, plane_character
from agents.roster.evolved import evolved_agents
from agents.roster.mixtures import Mixture, mixture_called
from agents.roster.own_class import names_own_class
from agents.roster.plane import EVERYWHERE
from agents.roster.spec import ANY_GAME, AgentSpec, GameKind, imported_when_called

OWN_GROUP: Final = "own"
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
RESTRAINED_GAMES: Final = GameKind(
    "limit hold'em for two; with --model, games of the kind that the model is for",
    imported_when_called("agents.blueprint_model.models:is_restrained"),
    imported_when_called("agents.blueprint_model.models:why_not_restrained"),
)
DEEPSTACK_GAMES: Final = GameKind(
    "no-limit hold'em for two with 10 to 250 big blinds",
    imported_when_called("agents.deepstack.policy:is_played"),
    imported_when_called("agents.deepstack.policy:why_not_played"),
)
EQUILIBRIUM_GAMES: Final = GameKind(
    "Kuhn and Leduc poker for two and three and the fixed-queen game; with --model, the small game "
    "that the model is for",
    imported_when_called("agents.equilibrium.solved_games:is_solved"),
    imported_when_called("agents.equilibrium.solved_games:why_not_solved"),
)
LEARNED_GAMES: Final = GameKind(
    "Kuhn and Leduc poker for two; with --model, the small limit game that the model is for",
    imported_when_called("agents.learners.shipped:is_learned"),
    imported_when_called("agents.learners.shipped:why_not_learned"),
)
SUMMARY_OF_LEARNER: Final = {
    "nfsp": "plays small games as neural fictitious self-play learned them",
    "mmd": "plays small games as magnetic mirror descent learned them",
}

MANNER_OF_CHARACTER: Final = {
    "solid": "by the book",
    "trapper": "often plays strong hands slowly",
    "pressure": "bets big, raises and bets again",
    "controller": "keeps pots small",
    "exploiter": "soon leans on what it has seen of the opponent",
}


def _of_the_pool(profile: ScriptedProfile) -> AgentSpec:
    return AgentSpec(
        name=profile.name,
        summary=profile.summary,
        factory="agents.opponents.bot:PoolBot",
        games=HOLDEM_FOR_TWO,
        fixed={"character": profile.name},
        policy="agents.opponents.pool_strategy:character_strategy" if profile.one_size else None,
        compiled="agents.opponents.policy:pool_policy",
        group="pool",
        quadrant=profile.quadrant,
        period=profile.period,
        same_as=profile.same_as,
        also=next((twin.name for twin in POOL if twin.same_as == profile.name), ""),
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
        group=OWN_GROUP,
    )


COUNTERED_OPPONENTS: Final = ("O1", "O2", "O3", "O4", "O5", "O6", "O7", "O8")
SUMMARY_OF_NETWORK: Final = {
    "cnn": "sees a hand as a picture; a convolutional network that learned from logs",
    "cnn-value": "learned values, not actions: takes the action worth most, and never folds",
    "cnn-blueprint": "learned from the blueprint's play",
    "cnn-rounds": "cnn, gone on learning from its own play in rounds",
}
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
        record="agents.baselines.options:RandomOptions",
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
        record="agents.blueprint_model.options:BlueprintOptions",
        policy="agents.blueprint_model.policy:policy_for",
        versus="agents.blueprint.versus:versus_of",
    ),
    AgentSpec(
        name="restrained",
        summary="plays a response to what cnn was seen to do, hardly exploitable itself",
        factory="agents.blueprint.bot:Blueprint",
        games=RESTRAINED_GAMES,
        record="agents.blueprint_model.options:BlueprintOptions",
        fixed={"response": 1.0},
        policy="agents.blueprint_model.policy:policy_for",
        versus="agents.blueprint.versus:versus_of",
    ),
    *(
        AgentSpec(
            name=name,
            summary=f"searches from the turn on, nested and safe, {summary}",
            factory="agents.libratus.bot:Libratus",
            games=BLUEPRINT_HOLDEM,
            record="agents.libratus.options:LibratusOptions",
            fixed=fixed,
            policy="agents.libratus.policy:policy_for",
            repeats="agents.libratus.options:repeats",
            steady="--iterations",
        )
        for name, fixed, summary in (
            ("libratus", {}, "two seconds a decision"),
            ("libratus-fast", {"seconds": 0.2}, "a fifth of a second a decision"),
        )
    ),
    *(
        AgentSpec(
            name=name,
            summary=f"solves each decision anew, by networks of what hands win later, {summary}",
            factory="agents.deepstack.bot:DeepStack",
            games=DEEPSTACK_GAMES,
            record="agents.deepstack.options:DeepStackOptions",
            fixed=fixed,
            policy="agents.deepstack.policy:policy_for",
            repeats="agents.deepstack.options:repeats",
            steady="--iterations",
        )
        for name, fixed, summary in (
            ("deepstack", {}, "two seconds a decision"),
            ("deepstack-fast", {"seconds": 0.1}, "a tenth of a second a decision"),
        )
    ),
    AgentSpec(
        name="equilibrium",
        summary="plays small games as solved whole, exactly as far from an equilibrium as is told",
        factory="agents.equilibrium.bot:Equilibrium",
        games=EQUILIBRIUM_GAMES,
        record="agents.options:ModelOptions",
        policy="agents.equilibrium.policy:policy_for",
    ),
    *(
        AgentSpec(
            name=name,
            summary=summary,
            factory="agents.learners.bot:LearnedBot",
            games=LEARNED_GAMES,
            record="agents.options:ModelOptions",
            fixed={"algorithm": name},
            policy="agents.learners.policy:policy_for",
        )
        for name, summary in SUMMARY_OF_LEARNER.items()
    ),
    AgentSpec(
        name="statistical",
        summary="models whoever sits opposite from what it does, and exploits it",
        factory="agents.statistical.building:build",
        games=HOLDEM,
        record="agents.statistical.options:StatisticalOptions",
    ),
    *evolved_agents(COUNTERED_OPPONENTS),
    *(
        AgentSpec(
            name=name,
            summary=summary,
            factory="agents.poker_cnn.bot:cnn_bot",
            games=HOLDEM_FOR_TWO,
            record="agents.poker_cnn.options:CnnOptions",
            fixed={"network": name},
            policy="agents.poker_cnn.cnn_strategy:cnn_strategy",
            repeats="agents.poker_cnn.options:draws_actions",
            told_slowly=True,
            compiled="agents.poker_cnn.bot:policy_for",
            only_at_tables="search",
            group="learned",
            quadrant="learned",
        )
        for name, summary in SUMMARY_OF_NETWORK.items()
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
        for name, manner in MANNER_OF_CHARACTER.items()
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
    if (bridge := bridge_called(name)) is not None:
        return bridge
    if names_own_class(name):
        return _of_own_class(name)
    names = agent_names()
    near = difflib.get_close_matches(name, names, 1)
    hint = f"did you mean {near[0]}? " if near else ""
    raise UnknownAgent(
        f"no agent is called {name!r}; {hint}there are: {', '.join(names)}, and {POINTS}"
    )
