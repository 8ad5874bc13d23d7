"""What the roster knows of an agent: how to build it, what it plays, what can be asked of it."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, cast

from agents.errors import UnknownAgent
from agents.options import options_of
from agents.seat.game_validator import describe

if TYPE_CHECKING:
    from agents.bot import Bot
    from agents.options import BotOption, BotOptions
    from engine.betting.policy import GamePolicy
    from engine.evaluation.board_matches import BoardMatch
    from engine.play.compiled_policy import CompiledPolicy
    from protocol.gamedef import GameDef


@dataclass(frozen=True, slots=True)
class GameKind:
    """A family of games that an agent can play."""

    text: str
    """The family in words, after "plays ..."."""
    contains: Callable[[GameDef], bool]
    why_not: Callable[[GameDef], str] | None = None
    """Tells in a line why a game is none of the family."""


ANY_GAME: Final = GameKind("any game", lambda game: True)


@dataclass(frozen=True, slots=True)
class AgentSpec:
    """How to build one agent, and what it is for."""

    name: str
    summary: str
    factory: str
    """"module:callable"; takes the options as keywords and returns a Bot."""
    games: GameKind
    record: str = "agents.options:BotOptions"
    """"module:class" of its options, an `agents.options.BotOptions`."""
    fixed: Mapping[str, str | float | None] = field(default_factory=dict)
    """What the factory is told beside the options; an option among it cannot be set."""
    policy: str | None = None
    """"module:callable"; takes the game, or None for that of the model it is told of, and the
    options; returns an `engine.betting.policy.GamePolicy`.  None for agents that do not tell their
    strategy."""
    repeats: str | None = None
    """"module:callable"; takes the options, returns whether a match is played by the very strategy
    that `policy` tells, whatever the machine's speed.  None: always."""
    steady: str = ""
    """The option without which it thinks by the clock, so that its strength is its machine's; ""
    for agents that never do."""
    told_slowly: bool = False
    """Whether AIVAT takes its strategy only where it is named: a decision takes a tenth of a
    second."""
    versus: str | None = None
    """"module:callable"; takes two such policies of this agent, returns their match, summed up
    faster than for any two policies, or None where they are too different for that."""
    compiled: str | None = None
    """"module:callable"; takes the game, a seed and what is fixed, returns the same player as an
    `engine.play.compiled_policy.CompiledPolicy` for bulk matches; None for agents that are none."""
    only_at_tables: str = ""
    """Keyword of the option with which there is no such policy; "" for agents without one."""
    group: str = ""
    """Measured agents of one group are drawn alike."""
    quadrant: str = ""
    """In the plane of tightness and aggression, or another word for how it plays."""
    period: int = 1
    """Hands after which it plays differently: results within a period count as one sample."""
    same_as: str | None = None
    """The agent that plays the same under another name."""
    also: str = ""
    """Another name under which it plays, "" where it has none."""

    @property
    def options(self) -> tuple[BotOption, ...]:
        """What the user may set."""
        return options_of(self._record(), self.fixed)

    def with_options(self, options: Mapping[str, float | str | None]) -> AgentSpec:
        """Return the agent with some options set, which can then not be set any more.

        Raises:
            ValueError: an option cannot be.
        """
        self._record()(**options)
        compiled = None if options.get(self.only_at_tables) else self.compiled
        return replace(self, fixed={**self.fixed, **options}, compiled=compiled)

    def _record(self) -> type[BotOptions]:
        return cast("type[BotOptions]", _called(self.record))

    def plays(self, game: GameDef, options: Mapping[str, object]) -> bool:
        """Return whether it can be asked to play `game`: one of its own, or one of a model file."""
        return options.get("model") is not None or self.games.contains(game)

    def refusal(self, game: GameDef) -> str:
        """Return in a line that, and why, it does not play `game`."""
        if self.games.why_not is not None:
            return self.games.why_not(game)
        return f"{self.name} plays {self.games.text}, not {describe(game)}"

    def build(self, options: Mapping[str, float | str | None] | None = None) -> Bot:
        """Import the factory and call it.

        Raises:
            ValueError: an option is out of range.
        """
        return cast("Bot", _called(self.factory)(**{**self.fixed, **(options or {})}))

    def compiled_policy(self, game: GameDef, seed: int) -> CompiledPolicy:
        """Import the compiled player and set it up for a match.

        Raises:
            GameNotPlayed: it does not play this game.
            UnknownAgent: the agent is not compiled.
        """
        if self.compiled is None:
            raise UnknownAgent(f"{self.name} is not compiled: it plays at tables only")
        return cast("CompiledPolicy", _called(self.compiled)(game=game, seed=seed, **self.fixed))

    def strategy(
        self, game: GameDef | None, options: Mapping[str, float | str | None]
    ) -> GamePolicy:
        """Import the agent's whole strategy and set it up for a game.

        Args:
            game: None for that of the model that the options name.
            options: as for `build`.

        Raises:
            UnknownAgent: the agent has no strategy to read.
            GameNotPlayed: it has none for this game.
            ValueError: an option is out of range, or a file that it names cannot be used.
        """
        if self.policy is None:
            raise UnknownAgent(f"{self.name} tells no strategy")
        return cast("GamePolicy", _called(self.policy)(game, **{**self.fixed, **options}))

    def plays_what_it_tells(self, options: Mapping[str, float | str | None]) -> bool:
        """Return whether its strategy is the one by which it plays a match."""
        if self.policy is None:
            return False
        return self.repeats is None or bool(_called(self.repeats)(**{**self.fixed, **options}))

    def clock_note(self, options: Mapping[str, float | str | None]) -> str:
        """Return in a line that it decides by the clock with some options; "" if it does not."""
        if not self.steady or {**self.fixed, **options}.get(self.steady.lstrip("-")) is not None:
            return ""
        return f"{self.name} decides by the clock: figures repeat only with {self.steady} N"

    def fast_match(self, first: GamePolicy, second: GamePolicy) -> BoardMatch | None:
        """Return the match of two of its strategies, None where there is no fast way."""
        if self.versus is None:
            return None
        return cast("BoardMatch | None", _called(self.versus)(first, second))


def imported_when_called(path: str) -> Callable[..., Any]:
    """Return a function that, when it is called, imports what "module:callable" names."""
    return lambda *arguments: _called(path)(*arguments)


def _called(path: str) -> Callable[..., object]:
    """Import what "module:callable" names."""
    module, _, name = path.partition(":")
    return cast("Callable[..., object]", getattr(importlib.import_module(module), name))
