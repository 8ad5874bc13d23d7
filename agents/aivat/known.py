"""Whose strategy is known: bots with a strategy to read, by the names that logs give them.

A match folder says in its manifest which bot played under which name.  For other logs the user says
it: NAME, or NAME=BOT with the bot's options as for `arena match`.
"""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from agents.errors import AgentError, UnknownAgent
from agents.roster.bots import agent_names
from agents.roster.spec import AgentSpec
from agents.roster.strategies import open_strategy, tells_strategy
from agents.roster.words import read_bot
from engine.handlogs.source.opening import open_log
from engine.storage.documents import json_document

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from engine.betting.policy import GamePolicy
    from protocol.gamedef import GameDef

MANIFEST: Final = "manifest.json"
_SHIPPED: Final = "shipped"
SIT_IN: Final = "sit-in.log"
"""Of a match folder: hands that others played, for one of whom a bot of the match sits in."""

_LOG: Final = "--log"
_NAMES_SHOWN: Final = 20

BotOfName = dict[str, str]


class _MatchBot(NamedTuple):
    label: str
    kind: str
    arguments: Sequence[str]
    """Not empty: name and options of a shipped bot."""


def read_known(text: str) -> tuple[str, str]:
    """Return a name and its bot.

    Raises:
        UnknownAgent: there is no such bot, it has no strategy to read, or no such option.
    """
    name, given, bot = text.partition("=")
    bot = bot if given else name
    if not name or not bot:
        raise UnknownAgent(f"{text!r}: want NAME or NAME=BOT")
    _bot(bot)
    return name, bot


def check_played(bots: Iterable[str]) -> None:
    """Refuse bots that play by another strategy than they tell, or tell it slowly.

    Raises:
        UnknownAgent: the message says which, and why.
    """
    for bot in bots:
        spec, options = _bot(bot)
        if spec.told_slowly:
            raise UnknownAgent(f"{spec.name} takes too long to tell its strategy")
        if not spec.plays_what_it_tells(options):
            raise UnknownAgent(f"{spec.name} plays by another strategy than it tells")


def known_of_matches(logs: Iterable[Path]) -> BotOfName:
    """Return the players of logs in match folders whose strategies can be read and were played.

    Raises:
        AgentError: a folder's manifest cannot be read, or two folders have different bots under
            one name.
    """
    bots: BotOfName = {}
    for folder, others in dict.fromkeys((log.parent, log.name == SIT_IN) for log in logs):
        for name, arguments in _shipped_bots(folder / MANIFEST, others):
            bot = shlex.join(_playing(arguments))
            try:
                spec, options = _bot(bot)
            except UnknownAgent:
                continue
            if spec.told_slowly or not spec.plays_what_it_tells(options):
                continue
            if bots.setdefault(name, bot) != bot:
                raise AgentError(
                    f"{name} is {bots[name]} in one match and {bot} in another; rate them one "
                    "by one"
                )
    return bots


def check_named(names: Iterable[str], logs: Sequence[Path]) -> None:
    """Refuse names of players who are not in the logs; the contents of pipes are not checked.

    Raises:
        AgentError: no player has a name; the message says who plays there.
        LogError: a log cannot be read.
    """
    wanted, names_in_logs = set(names), set[str]()
    if not all(log.is_file() for log in logs):
        return
    for log in logs:
        with open_log(log) as file:
            for line in file:
                if wanted <= names_in_logs:
                    return
                if line.startswith(b"STATE:"):
                    tables = line.rstrip().rpartition(b":")[2].split(b"|")
                    names_in_logs.update(name.decode("utf-8", "surrogateescape") for name in tables)
    if missing := wanted - names_in_logs:
        who = ", ".join(sorted(names_in_logs)[:_NAMES_SHOWN])
        raise AgentError(f"{', '.join(sorted(missing))}: nobody is called so in the logs: {who}")


def players_of(log: Path) -> frozenset[str] | None:
    """Return the names of those who play in a log of a match folder, None where that is not known.

    Raises:
        AgentError: the folder's manifest cannot be read.
    """
    bots = [] if log.name == SIT_IN else _bots(log.parent / MANIFEST)
    return frozenset(bot.label for bot in bots) if bots else None


def open_known(bots: Mapping[str, str], game: GameDef) -> dict[str, GamePolicy]:
    """Return the strategies of players in a game, one for players of the same bot.

    Raises:
        UnknownAgent: an option is out of range.
        GameNotPlayed: a bot does not tell its strategy of this game.
        ArtifactMismatch: a file is missing or damaged.
    """
    opened: dict[str, GamePolicy] = {}
    for bot in dict.fromkeys(bots.values()):
        spec, options = _bot(bot)
        opened[bot] = open_strategy(spec, game, options)
    return {name: opened[bot] for name, bot in bots.items()}


def _playing(arguments: Sequence[str]) -> list[str]:
    """Return a bot's words without its log, which does not change how it plays."""
    playing = [word for word in arguments if not word.startswith(f"{_LOG}=")]
    if _LOG in playing:
        index = playing.index(_LOG)
        del playing[index : index + 2]
    return playing


def _bot(text: str) -> tuple[AgentSpec, dict[str, float | str | None]]:
    spec, options = read_bot(text)
    return tells_strategy(spec.name), options


def _shipped_bots(manifest: Path, others: bool) -> list[tuple[str, Sequence[str]]]:
    """Return names and words of the shipped bots of a match; none where there is no manifest.

    `others` are those in the log of its `SIT_IN`.
    """
    return [
        (bot.label, bot.arguments)
        for bot in _bots(manifest, others)
        if bot.kind == _SHIPPED and bot.arguments[0] in agent_names()
    ]


def _bots(manifest: Path, others: bool = False) -> list[_MatchBot]:
    """Return the bots of a match; none where there is no manifest."""
    try:
        document = json_document(manifest.read_text(encoding="utf-8"))
        bots = document.get("sit_in", {}).get("bots", []) if others else document["bots"]
        return [
            _MatchBot(
                str(bot["label"]), str(bot["kind"]), [str(word) for word in bot["words"]] or [""]
            )
            for bot in bots
        ]
    except FileNotFoundError:
        return []
    except (OSError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise AgentError(f"{manifest}: cannot be read ({error})") from error
