"""Whole strategies as command lines name them.

blueprint, "blueprint --model FILE --threshold 0.1"
                  an agent that tells its strategy, with its options, as for `arena match`
FILE, FILE,purify, FILE,threshold=0.1
                  the blueprint of a file
hunl, hunl,purify the shipped one of a game
script:C,300f     a script that looks at no card: `engine.evaluation.blind_scripts`
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from agents.errors import GameNotPlayed, UnknownAgent
from agents.roster.bots import ROSTER, agent_names, find_agent
from agents.roster.characters import plane_character
from agents.roster.mixtures import mixture_called
from agents.roster.spec import AgentSpec
from agents.roster.words import read_bot
from agents.seat.game_validator import describe
from engine.console.arguments import DEFAULT_GAME
from engine.errors import EngineError
from engine.evaluation.blind_scripts import SCRIPT_PREFIX, BlindScript, parse_script
from engine.evaluation.board_matches import BoardMatch
from engine.evaluation.exact_match import ExactMatch
from protocol.gamedefs import builtin_aliases, load_builtin

if TYPE_CHECKING:
    from engine.betting.policy import GamePolicy, Policy
    from protocol.gamedef import GameDef

_OF_FILES: Final = "blueprint"
"""Whose models are named by their files."""


@dataclass(frozen=True, slots=True)
class Named:
    """A strategy that was named, and is not opened yet."""

    text: str
    agent: str | None
    """In the roster; None: it is a script."""
    options: Mapping[str, float | str | None]
    script: BlindScript | None = None
    game: str | None = None
    """The built-in game that the text names."""


class Player(NamedTuple):
    """A strategy that plays; it can travel to another process."""

    text: str
    agent: str | None
    policy: Policy


def read_strategy(text: str) -> Named:
    """Return what a text names; see the module's text.

    Raises:
        UnknownAgent: nothing of the kind; the message says what is wrong.
    """
    if text.startswith(SCRIPT_PREFIX):
        try:
            return Named(text, None, {}, parse_script(text.removeprefix(SCRIPT_PREFIX)))
        except ValueError as error:
            raise UnknownAgent(str(error)) from error
    if text.split() and _is_bot(text.split()[0]) and not os.path.exists(text):
        spec, options = read_bot(text)
        return Named(text, tells_strategy(spec.name).name, options)
    return _model(text)


def tells_strategy(name: str) -> AgentSpec:
    """Return an agent that tells its whole strategy.

    Raises:
        UnknownAgent: the one called `name` does not.
    """
    telling = {spec.name: spec for spec in ROSTER if spec.policy is not None}
    if name not in telling:
        played = " (arena match plays it)" if _is_bot(name) else ""
        raise UnknownAgent(f"{name!r} tells no strategy{played}; there is {', '.join(telling)}")
    return telling[name]


def _is_bot(name: str) -> bool:
    """Return whether a bot of ours is called so, a point of the plane or a mixture included."""
    return name in agent_names() or bool(plane_character(name) or mixture_called(name))


def open_strategy(
    spec: AgentSpec, game: GameDef | None, options: Mapping[str, float | str | None]
) -> GamePolicy:
    """Return an agent's strategy; see `AgentSpec.strategy`.

    Raises:
        UnknownAgent: an option is out of range.
        GameNotPlayed: it does not tell that of this game.
        ArtifactMismatch: a file is missing or damaged.
    """
    try:
        return spec.strategy(game, options)
    except EngineError:
        raise  # a ValueError, too, but of a file
    except ValueError as error:
        raise UnknownAgent(f"{spec.name}: {error}") from error


def seat(
    names: Sequence[Named], game: GameDef | None, *, small: bool = False
) -> tuple[GameDef, list[Player]]:
    """Open strategies that are to play each other.

    Args:
        game: that they play; None: the one that the first of them names, by itself or by its model,
            and no-limit hold'em where none does.
        small: whether other games for two are taken, too, but by scripts.

    Raises:
        UnknownAgent: an option is out of range.
        GameNotPlayed: one does not play that game, or it is none for two, or no hold'em.
        ArtifactMismatch: a file is missing or damaged.
    """
    opened: dict[int, GamePolicy] = {}
    if game is None:
        for number, named in enumerate(names):
            if named.game is not None:
                game = load_builtin(named.game)
                break
            if named.agent is not None and named.options.get("model") is not None:
                opened[number] = open_strategy(find_agent(named.agent), None, named.options)
                game = opened[number].game
                break
    game = load_builtin(DEFAULT_GAME) if game is None else game
    players = [
        Player(named.text, named.agent, opened.get(number) or _policy(named, game))
        for number, named in enumerate(names)
    ]
    small = small and all(named.script is None for named in names)
    if game.players != 2 or not (game.is_holdem or small):
        raise GameNotPlayed("want hold'em for two with 52 cards")
    return game, players


def match_of(game: GameDef, first: Player, second: Player) -> BoardMatch:
    """Return the match of two players, summed up as fast as can be."""
    if first.agent is not None and first.agent == second.agent:
        fast = find_agent(first.agent).fast_match(
            cast("GamePolicy", first.policy), cast("GamePolicy", second.policy)
        )
        if fast is not None:
            return fast
    return ExactMatch(game, first.policy, second.policy)


def _policy(named: Named, game: GameDef) -> Policy:
    if named.script is not None:
        return named.script
    assert named.agent is not None
    if named.game is not None and load_builtin(named.game) != game:
        plays = describe(load_builtin(named.game))
        raise GameNotPlayed(
            f"{named.text} plays {plays}, not {describe(game)}; write {_OF_FILES} for its model"
        )
    return open_strategy(find_agent(named.agent), game, named.options)


def _model(text: str) -> Named:
    """Return the strategy of a file, or the shipped one of a game, with what follows it."""
    name, *settings = text.split(",")
    if not name:
        raise UnknownAgent(
            f"{text!r}: want a bot, a model's file, the name of its game or a script"
        )
    options: dict[str, float | str | None] = {}
    for word in settings:
        key, _, value = word.partition("=")
        if word == "purify":
            options["purify"] = 1.0
        elif key == "threshold":
            options["threshold"] = _probability(value)
        else:
            raise UnknownAgent(f"{text}: {word!r} is neither purify nor threshold=P")
    if name in builtin_aliases() and not os.path.exists(name):
        return Named(text, _OF_FILES, options, game=name)
    if re.fullmatch(r"[\w-]+", name) and not os.path.exists(name):
        raise UnknownAgent(
            f"no bot, game or file is called {name!r}; write {_OF_FILES} for the one of --game"
        )
    return Named(text, _OF_FILES, {**options, "model": name})


def _probability(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise UnknownAgent(f"threshold {text}: want a probability")
    return value
