"""Which abstract game a blueprint solves, and how: one small TOML file for each.

game = "hunl"                       built-in game
stack = 100                         no-limit: big blinds; left out: those of the built-in game
seed = 1                            of everything random
summary = "..."                     one line for lists

[cards]                             hold'em: fields of `CardConfig`; left out: no abstraction
flop = 1000
turn = 1000
river = 1000

[bets]                              no-limit: sizes in per cent of the pot, "a" for all-in, one
preflop = ["50,100", "100,a", "a"]  text for each raise of a street, the last one for all after
flop = ["50,100,a", "100,a", "a"]   it; a street that is left out is as the one before
river = ["50,100,a", "a"]

[training]                          fields of `TrainingConfig`
period = 1_000_000
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from math import isfinite
from pathlib import Path
from types import UnionType
from typing import Any, Final, Literal, get_args, get_origin, get_type_hints

from agents.errors import ConfigError
from engine.abstraction.building import CardConfig
from engine.betting.bet_menu import BetMenu, ExtendedMenu, StreetMenu, parse_sizes
from engine.errors import DamagedDocument
from engine.mccfr.settings import MccfrSettings, Pruning
from engine.storage.documents import toml_document
from protocol.errors import GameDefError
from protocol.gamedef import GameDef
from protocol.gamedefs import builtin_path, load_builtin

CONFIGS: Final = Path(__file__).with_name("configs")
STREET_NAMES: Final = ("preflop", "flop", "turn", "river")
_LIMIT_MENU: Final = ((1.0,),)
_MOST_RAISE_SIZES: Final = 50
_MOST_EXTRAS: Final = 50
_EXTRA: Final = re.compile("((?:c|r[1-9][0-9]{0,9})*)r([1-9][0-9]{0,9})")
_LEAST_STACK: Final = 2
_MOST_STACK_BIG_BLINDS: Final = 10_000


@dataclass(frozen=True, slots=True)
class TrainingConfig:
    """How the abstract game is solved."""

    period: int = 1_000_000
    """Iterations of equal weight; period t weighs t times as much as the first."""
    periods: int | None = None
    """Periods after which weights grow no more; None: they always do."""
    exploration: float = 0.0
    """How often the sampled opponent takes any of its actions, 0 to 1."""
    mistakes: float = 0.0
    """How often it does so in the game that is solved; at most as often."""
    prune_below: float | None = None
    """Regret, chips, below which actions are tried only now and then; None: no pruning."""
    prune_softness: float = 1.0
    """Chips: an action so far below is tried half of the time."""
    prune_least: float = 0.05
    """Smallest probability of trying one."""
    prune_after: int = 0
    """Iterations before any pruning."""
    floor: float | None = None
    """Lowest regret kept, chips."""

    def settings(self, workers: int) -> MccfrSettings:
        """Return the same for the solver.

        Raises:
            ValueError: a number is out of range.
        """
        pruning = None
        if self.prune_below is not None:
            pruning = Pruning(
                self.prune_below, self.prune_softness, self.prune_least, self.prune_after
            )
        return MccfrSettings(
            period=self.period,
            periods=self.periods,
            exploration=self.exploration,
            mistakes=self.mistakes,
            pruning=pruning,
            floor=-float("inf") if self.floor is None else self.floor,
            workers=workers,
        )


@dataclass(frozen=True, slots=True)
class BlueprintConfig:
    """One abstract game and its training."""

    name: str
    game_name: str
    summary: str
    seed: int
    cards: CardConfig | None
    """None: every hand has its own bucket."""
    bets: tuple[tuple[str, ...], ...]
    """By street and raise, as in the file; () in limit games."""
    training: TrainingConfig
    stack: int | None = None
    """Of each player, big blinds; None: as the built-in game has it."""
    extras: tuple[str, ...] = ()
    """Raises before the flop that only the opponent makes, each as the betting that it ends, such
    as "r200r700": what it is to in chips of this game, and after what.  Files of configs have none:
    `arena improve` adds them to models.
    """

    @property
    def game(self) -> GameDef:
        """The true game."""
        game = load_builtin(self.game_name)
        if self.stack is None:
            return game
        return replace(game, stacks=(self.stack * game.big_blind,) * game.players)

    def game_text(self) -> str:
        """Return the true game as the text of a game file."""
        lines = builtin_path(self.game_name).read_text(encoding="utf-8").splitlines()
        stacks = f"stack = {' '.join(map(str, self.game.stacks))}"
        game_lines = [
            stacks if line.startswith("stack") else line for line in lines if line[:1] != "#"
        ]
        return "\n".join(game_lines) + "\n"

    @property
    def menu(self) -> BetMenu | ExtendedMenu:
        """The raises considered."""
        if not self.extras:
            return self.own_menu
        matches = [_EXTRA.fullmatch(text) for text in self.extras]
        return ExtendedMenu(
            self.own_menu, tuple((match[1], int(match[2])) for match in matches if match)
        )

    @property
    def own_menu(self) -> BetMenu:
        """The raises that the model itself makes."""
        if not self.bets:
            return BetMenu((StreetMenu(_LIMIT_MENU),))
        if (
            most := max(text.count(",") for street in self.bets for text in street)
        ) >= _MOST_RAISE_SIZES:
            raise ValueError(f"{most + 1} sizes of a raise: want {_MOST_RAISE_SIZES} at most")
        return BetMenu(
            tuple(StreetMenu(tuple(parse_sizes(text) for text in street)) for street in self.bets)
        )

    def facts(self) -> dict[str, Any]:
        """Return the config as plain values, for files; `config_of_facts` reads them."""
        facts = asdict(self)
        if self.stack is None:  # as files have it that were written before there were stacks
            del facts["stack"]
        if not self.extras:
            del facts["extras"]
        return facts


def config_names() -> tuple[str, ...]:
    """Return the names of the configs that come along."""
    return tuple(sorted(path.stem for path in CONFIGS.glob("*.toml")))


def load_config(name: str) -> BlueprintConfig:
    """Return the config of that name, or in the file of that name.

    Raises:
        ConfigError: there is none, or the file is no config; the message says what is wrong.
    """
    path = Path(name)
    if path.suffix != ".toml":
        path = CONFIGS / f"{name}.toml"
        if name not in config_names():
            names = ", ".join(config_names())
            raise ConfigError(f"no config is called {name!r}; there are {names}, or give a .toml")
    try:
        return parse_config(path.stem, path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}") from error
    except (UnicodeDecodeError, DamagedDocument) as error:
        raise ConfigError(f"{path}: not TOML: {error}") from error
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from error


def parse_config(name: str, text: str) -> BlueprintConfig:
    """Return the config that a file's text describes.

    Raises:
        ConfigError: something in it is unknown, missing or out of range.
        DamagedDocument: it is not TOML.
    """
    content = toml_document(text)
    keys = ("game", "stack", "seed", "summary", "cards", "bets", "training")
    _refuse_others(content, keys, "the file")
    if "game" not in content:
        raise ConfigError("game is missing")
    game_name, summary = (
        _text(content["game"], "game"),
        _text(content.get("summary", ""), "summary"),
    )
    game = _game(game_name)
    cards = content.get("cards")
    _check_cards(game, cards)
    config = BlueprintConfig(
        name=name,
        game_name=game_name,
        summary=summary,
        seed=_whole(content.get("seed", 0), "seed"),
        cards=None if cards is None else _made(CardConfig, cards, "cards"),
        bets=_bets(content.get("bets", {}), game),
        training=_made(TrainingConfig, content.get("training", {}), "training"),
        stack=_stack(content.get("stack"), game),
    )
    _check_numbers(config)
    return config


def _game(name: Any) -> GameDef:
    try:
        game = load_builtin(_text(name, "game"))
    except GameDefError as error:
        raise ConfigError(str(error)) from error
    if game.players != 2:
        raise ConfigError(f"game: {name} is for {game.players} players, want two")
    return game


def _stack(value: Any, game: GameDef) -> int | None:
    if value is None:
        return None
    if not game.no_limit:
        raise ConfigError("stack: it is for no-limit games only")
    if not _LEAST_STACK <= _whole(value, "stack") <= _MOST_STACK_BIG_BLINDS:
        raise ConfigError(
            f"stack: want {_LEAST_STACK} to {_MOST_STACK_BIG_BLINDS} big blinds, not {value}"
        )
    return int(value)


def _check_cards(game: GameDef, cards: Any) -> None:
    if game.is_holdem != (cards is not None):
        want = (
            "hold'em needs a table of buckets" if game.is_holdem else "buckets are for hold'em only"
        )
        raise ConfigError(f"cards: {want}")


def _check_numbers(config: BlueprintConfig) -> None:
    try:
        config.training.settings(workers=1)
    except ValueError as error:
        raise ConfigError(f"training: {error}") from error
    try:
        _ = config.menu
    except ValueError as error:
        raise ConfigError(f"bets: {error}") from error


def config_of_facts(facts: Mapping[str, Any]) -> BlueprintConfig:
    """Return the config that `BlueprintConfig.facts` described.

    Raises:
        KeyError, TypeError, ValueError: the facts are no such config.
    """
    try:
        game = _game(facts["game_name"])
        cards = facts["cards"]
        _check_cards(game, cards)
        config = BlueprintConfig(
            name=_text(facts["name"], "name"),
            game_name=facts["game_name"],
            summary=_text(facts["summary"], "summary"),
            seed=_whole(facts["seed"], "seed"),
            cards=None if cards is None else _told(CardConfig, cards, "cards"),
            bets=tuple(tuple(street) for street in facts["bets"]),
            training=_told(TrainingConfig, facts["training"], "training"),
            stack=_stack(facts.get("stack"), game),
            extras=_extras(facts.get("extras", ()), game),
        )
        streets = game.streets if game.no_limit else 0
        texts = all(isinstance(text, str) for street in config.bets for text in street)
        if len(config.bets) != streets or not texts:
            raise ConfigError(f"bets: want texts for {streets} streets")
        _check_numbers(config)
    except ConfigError as error:
        raise ValueError(str(error)) from error
    return config


def _extras(given: Any, game: GameDef) -> tuple[str, ...]:
    extras = tuple(given)
    if extras and not game.no_limit:
        raise ConfigError("extras: a limit game has sizes of its own")
    if len(extras) > _MOST_EXTRAS or len(set(extras)) < len(extras):
        raise ConfigError(f"extras: want {_MOST_EXTRAS} different ones at most")
    for extra in extras:
        if not isinstance(extra, str) or not _EXTRA.fullmatch(extra):
            raise ConfigError(f"extras: {extra!r}: want betting before the flop that a raise ends")
    return extras


def _told(kind: Any, facts: Any, where: str) -> Any:
    """Return a dataclass of what `asdict` has made of one; None is what a file leaves out."""
    if not isinstance(facts, dict):
        raise ConfigError(f"{where}: want a table")
    left_out = ("k_means",)
    given = {k: v for k, v in facts.items() if v is not None and k not in left_out}
    return _made(kind, given, where)


def _bets(table: Any, game: GameDef) -> tuple[tuple[str, ...], ...]:
    if not isinstance(table, dict):
        raise ConfigError("bets: want a table of streets")
    if not game.no_limit:
        if table:
            raise ConfigError("bets: a limit game has sizes of its own")
        return ()
    names = STREET_NAMES[: game.streets]
    _refuse_others(table, names, "bets")
    if names[0] not in table:
        raise ConfigError(f"bets: {names[0]} is missing")
    bets: list[tuple[str, ...]] = []
    for name in names:
        texts = table.get(name)
        if texts is None:
            bets.append(bets[-1])
        elif isinstance(texts, list) and texts and all(isinstance(text, str) for text in texts):
            bets.append(tuple(texts))
        else:
            raise ConfigError(f'bets: {name}: want a list of texts such as ["50,100,a", "a"]')
    return tuple(bets)


def _made(kind: Any, table: Any, where: str) -> Any:
    """Return a dataclass made of a table of the file.

    Raises:
        ConfigError: a field is unknown, of another type or out of range.
    """
    if not isinstance(table, dict):
        raise ConfigError(f"{where}: want a table")
    names = [field.name for field in fields(kind) if field.name != "k_means"]
    _refuse_others(table, names, where)
    hints = get_type_hints(kind)
    for name, value in table.items():
        if (want := _wanted(value, hints[name])) is not None:
            raise ConfigError(f"{where}: {name}: want {want}, not {value!r}")
    try:
        return kind(**table)
    except ValueError as error:
        raise ConfigError(f"{where}: {error}") from error


def _wanted(value: Any, hint: Any) -> str | None:
    """Return in words what a value ought to be, None where it is."""
    if get_origin(hint) is Literal:
        choices = get_args(hint)
        return None if value in choices else " or ".join(f'"{choice}"' for choice in choices)
    if isinstance(hint, UnionType):  # a number or None, which is to leave it out
        hint = get_args(hint)[0]
    if hint is bool:
        return None if isinstance(value, bool) else "true or false"
    plain = isinstance(value, int) and not isinstance(value, bool)
    if hint is float:
        return None if plain or (isinstance(value, float) and isfinite(value)) else "a number"
    return None if plain else "a whole number"


def _refuse_others(table: Mapping[str, Any], names: Any, where: str) -> None:
    for name in table:
        if name not in names:
            raise ConfigError(f"{where}: {name!r} is unknown; there are {', '.join(names)}")


def _text(value: Any, name: str) -> str:
    if not isinstance(value, str):
        raise ConfigError(f"{name}: want a text")
    return value


def _whole(value: Any, name: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ConfigError(f"{name}: want a whole number, 0 or more")
    return value
