"""BOT arguments of `arena match` -> who plays, and the command that starts each of them.

NAME [OPTION...]     a bot of `arena agent --list`, with its options
MODULE:CLASS         a Python class of the user's own, in a module or FILE.py
stdio:COMMAND        any program that plays on its standard streams, with its arguments
pokerbots:FOLDER     a bot of the university pokerbots competitions, with options
openspiel:MODULE:BOT a bot or policy of OpenSpiel
COMMAND [ARG...]     any program; HOST and PORT are appended, {game} becomes the game file
listen[:PORT]        a bot that somebody else starts; it connects by itself
LABEL=...            before any of these: the name in logs and tables
"""

from __future__ import annotations

import difflib
import json
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Any, Final

from dealer.errors import MatchError, MatchUsageError
from dealer.plan.match_plan import CLOCKS, MatchLimits, SeatClock
from engine.parallel.own_programs import environment, own_program
from protocol.errors import MalformedCommands
from protocol.pokerbots import COMMANDS_NAME, MOST_COMMANDS_BYTES, parse_commands

LABEL_PATTERN: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,39}")
CLASS_PATTERN: Final = re.compile(
    r"(?!stdio:|pokerbots:)(?:openspiel:)?([^\s:]+\.py|[A-Za-z_][\w.]*):([A-Za-z_]\w*)"
)
"""Shipped programs take a class of the user's, or of OpenSpiel, for the name of a bot."""
STDIO_PREFIX: Final = "stdio:"
POKERBOTS_PREFIX: Final = "pokerbots:"
_PROGRAM_PREFIXES: Final = (STDIO_PREFIX, POKERBOTS_PREFIX)
"""Shipped bridges to a program of the user's own."""
_LABELLED: Final = re.compile(rf"({LABEL_PATTERN.pattern})=(.*)", re.DOTALL)
_NOT_IN_LABEL: Final = re.compile(r"[^A-Za-z0-9_-]+")
_INTERPRETER: Final = re.compile(
    r"(python|pypy|node|nodejs|deno|bun|java|ruby|perl|lua|luajit|sh|bash|env|wine|mono|dotnet)"
    r"[0-9.]*"
)
_LIMITS_OF_AGENTS: Final = ("reconnect", *CLOCKS)
GAME_PLACEHOLDER: Final = "{game}"
PAGE_VARIABLE: Final = "ARENA_PAGE"
"""It holds PORT/TOKEN/STRATEGY of the person's page; no other bot is told."""


class BotKind(Enum):
    """Where a bot comes from."""

    SHIPPED = "shipped"
    COMMAND = "command"
    LISTEN = "listen"


@dataclass(frozen=True, slots=True)
class ProgramFile:
    """A file that a command names."""

    name: str
    """As the command has it."""
    size: int
    """Bytes."""
    sha256: str
    earlier: tuple[str, ...] = ()
    """What it was, by SHA-256, when the bot played before."""


@dataclass(frozen=True, slots=True)
class Participant:
    """One participant."""

    label: str
    """Name in logs and tables; differs from every other one of the match."""
    kind: BotKind
    words: tuple[str, ...] = ()
    """Shipped: its name, which may hold a command, and options.  Command: program and arguments.
    Listen: nothing."""
    port: int = 0
    """Listen: the port to bind, 0 for any free one."""
    directory: str = ""
    """Folder to start it in, "" for that of the match."""
    clocks: tuple[SeatClock, ...] = ()
    """Time limits of its own."""
    files: tuple[ProgramFile, ...] = ()
    """That its command names, see `dealer.bots.program_files`."""


def possibly_shipped(specs: Sequence[str]) -> tuple[str, ...]:
    """Return the names in BOT arguments that a shipped bot may have."""
    return tuple(
        bot.words[0]
        for bot in map(_parse, specs)
        if bot.kind is BotKind.COMMAND
        and (
            "/" not in bot.words[0]
            or "=" in bot.words[0]
            or CLASS_PATTERN.fullmatch(bot.words[0])
            or bot.words[0].startswith(_PROGRAM_PREFIXES)
        )
    )


def parse_bots(
    specs: Sequence[str], shipped: Collection[str], folder: Path
) -> tuple[Participant, ...]:
    """Return the participants named by the BOT arguments `specs`, with distinct labels.

    Args:
        folder: programs given by a relative path are looked for from here.

    Raises:
        MatchUsageError: an argument is empty or names nothing that can be started.
    """
    for spec in specs:
        _check_label(spec, shipped, folder)
    bots = [_settled(_parse(spec), shipped, folder) for spec in specs]
    return distinct(bots)


def distinct(bots: Sequence[Participant]) -> tuple[Participant, ...]:
    """Return participants with a number behind the label of those that are there again."""
    given = [bot.label for bot in bots]
    labels: list[str] = []
    for label in given:
        number = 2
        candidate = label
        while candidate in labels or (number > 2 and candidate in given):
            candidate = f"{label}-{number}"
            number += 1
        labels.append(candidate)
    return tuple(replace(bot, label=label) for label, bot in zip(labels, bots, strict=True))


def program_words(bot: Participant) -> tuple[str, ...]:
    """Return the words of the program of the user's own that a bot is, () where it is none."""
    if bot.kind is BotKind.COMMAND:
        return bot.words
    if bot.kind is BotKind.SHIPPED and bot.words[0].startswith(STDIO_PREFIX):
        return tuple(shlex.split(bot.words[0].removeprefix(STDIO_PREFIX)))
    if folder := pokerbots_folder(bot):
        return (folder, *bot.words[1:])
    return ()


def pokerbots_folder(bot: Participant) -> str:
    """Return the folder of a bot of the pokerbots competitions, "" where it is none."""
    if bot.kind is BotKind.SHIPPED and bot.words[0].startswith(POKERBOTS_PREFIX):
        return bot.words[0].removeprefix(POKERBOTS_PREFIX)
    return ""


def check_game(
    bot: Participant, shipped: Mapping[str, Sequence[str]], alias: str, game_name: str
) -> None:
    """Refuse a shipped bot that does not play a built-in game; with a model it tells itself.

    Args:
        shipped: see `shipped_bots`.
        alias: short name of the game.
        game_name: as the user wrote it.

    Raises:
        MatchUsageError: it does not play the game.
    """
    if bot.kind is not BotKind.SHIPPED or "--model" in bot.words:
        return
    if alias not in shipped[bot.words[0]]:
        played = ", ".join(shipped[bot.words[0]])
        raise MatchUsageError(f"{bot.words[0]} does not play {game_name}; it plays {played}")


def compiles(bot: Participant) -> bool:
    """Return whether a bot is one of the roster: no code of the user's own runs before it is ready.

    What a user's own code does before it connects counts within the dealer's limit.
    """
    if bot.kind is not BotKind.SHIPPED:
        return False
    return not (bot.words[0].startswith(_PROGRAM_PREFIXES) or CLASS_PATTERN.fullmatch(bot.words[0]))


def strictly(bot: Participant) -> Participant:
    """Return a bot that is not helped out: a wrong answer of a program behind a bridge ends it."""
    return replace(bot, words=(*bot.words, "--strict", "1")) if _behind_bridge(bot) else bot


def counting(bot: Participant, replies: Path) -> Participant:
    """Return a bot whose seat counts, if it is a program behind a bridge, what it does not take."""
    more = ("--replies", str(replies))
    return replace(bot, words=(*bot.words, *more)) if _behind_bridge(bot) else bot


def _behind_bridge(bot: Participant) -> bool:
    return bot.kind is BotKind.SHIPPED and bot.words[0].startswith(_PROGRAM_PREFIXES)


def launch_command(
    bot: Participant,
    host: str,
    port: int,
    *,
    game: Path,
    limits: MatchLimits,
) -> list[str]:
    """Return the command that makes `bot` sit down at `host`:`port`.

    Args:
        game: game definition file, for shipped bots, and for `GAME_PLACEHOLDER` in a command.
        limits: of its seat; a shipped bot is told them, and for how many seconds it may come back
            after a lost connection.

    Raises:
        ValueError: the bot is not ours to start.
    """
    if bot.kind is BotKind.SHIPPED:
        name, *options = bot.words
        return [
            *(*own_program("agents"), name, host, str(port)),
            *("--game", str(game)),
            *(part for name in _LIMITS_OF_AGENTS for part in (f"--{name}", _text(limits, name))),
            *options,
        ]
    if bot.kind is BotKind.COMMAND:
        command = (part.replace(GAME_PLACEHOLDER, str(game)) for part in bot.words)
        return [*command, host, str(port)]
    raise ValueError(f"{bot.label} connects by itself")


def bot_environment(bot: Participant, seed: int, token: str, limits: MatchLimits) -> dict[str, str]:
    """Return what is told to a bot in its environment, where no list of processes shows it.

    `agents.bot_command` takes these variables for what its options do not say, so a user's own bot
    can know them, too.

    Args:
        bot: who; somebody else's program is told the limits of its time here only.
        token: of its seat, "" for none.
        limits: of its seat.
    """
    variables = {"ARENA_BOT_SEED": str(seed), "ARENA_SEAT_TOKEN": token}
    if bot.kind is not BotKind.SHIPPED:
        variables |= {f"ARENA_{name.upper()}": _text(limits, name) for name in CLOCKS}
    return variables


def _text(limits: MatchLimits, option: str) -> str:
    return str(getattr(limits, option))


def _parse(spec: str) -> Participant:
    """Return the bot of one argument; shipped bots are told from other commands later."""
    labelled = _LABELLED.fullmatch(spec)
    label, rest = (labelled[1], labelled[2]) if labelled else ("", spec)
    try:
        arguments = tuple(shlex.split(rest))
    except ValueError as exc:
        raise MatchUsageError(f"bot {spec!r}: {str(exc).lower()}") from exc
    if not arguments:
        raise MatchUsageError(f"bot {spec!r} is empty")
    if (name := rest.strip()).startswith(STDIO_PREFIX):
        command = shlex.split(name.removeprefix(STDIO_PREFIX)) or ["bot"]
        return Participant(label or _label_of(command), BotKind.COMMAND, (name,))
    head, colon, port = arguments[0].partition(":")
    if head == "listen" and len(arguments) == 1:
        return Participant(label or "guest", BotKind.LISTEN, port=_port(spec, port) if colon else 0)
    return Participant(label or _label_of(arguments), BotKind.COMMAND, arguments)


def _check_label(spec: str, shipped: Collection[str], folder: Path) -> None:
    """Refuse LABEL= with a label that is none, where it is not part of a command."""
    label, sign, rest = spec.partition("=")
    if not sign or LABEL_PATTERN.fullmatch(label) or label.startswith(_PROGRAM_PREFIXES):
        return
    command = label.split()[:1]
    if command and (command[0] in shipped or find_program(command[0], folder)):
        return
    program = rest.split()[:1]
    meant = program and (
        program[0] in shipped
        or program[0].partition(":")[0] in ("listen", "stdio", "pokerbots")
        or find_program(program[0], folder) is not None
    )
    if meant or re.search(r"[\s/]", label) is None:
        raise MatchUsageError(
            f"bad label {label!r}: want at most 40 letters, digits, _, - and ., "
            "the first one a letter, a digit or _"
        )


def find_program(program: str, folder: Path) -> str | None:
    """Return the file of a program, None where there is none that can be executed.

    A path is taken from `folder`, a bare word from PATH, as a shell in that folder would.
    """
    return shutil.which(str(folder / program) if "/" in program else program)


def _settled(bot: Participant, shipped: Collection[str], folder: Path) -> Participant:
    """Return `bot` with its kind settled, after checking that it can be started at all."""
    if bot.kind is BotKind.LISTEN:
        return bot
    program = bot.words[0]
    if program == POKERBOTS_PREFIX:
        raise MatchUsageError(f"bot {program}: want a folder, as in {POKERBOTS_PREFIX}my_bot")
    if program in shipped:
        bot = replace(bot, kind=BotKind.SHIPPED)
        if program.startswith(STDIO_PREFIX):
            _check_program(program, program_words(bot), folder)
        elif where := pokerbots_folder(bot):
            _check_folder(program, folder / where)
        return bot
    if find_program(program, folder) is not None:
        return bot
    if os.path.isfile(folder / program):
        raise MatchUsageError(_not_a_command(program))
    if "/" in program:
        raise MatchUsageError(f"there is no program {program}")
    if os.path.isfile(folder / f"{program}.py"):
        raise MatchUsageError(
            f"no bot is called {program}; a class of {program}.py is named {program}:CLASS"
        )
    near = difflib.get_close_matches(program, list(shipped), 1)
    hint = f"did you mean {near[0]}? " if near else ""
    raise MatchUsageError(
        f"no bot or program is called {program}; {hint}arena agent --list shows the shipped bots; "
        "any other program can be given as a command"
    )


def _check_program(name: str, command: Sequence[str], folder: Path) -> None:
    """Refuse the program of a `STDIO_PREFIX` name that cannot be started."""
    if not command:
        raise MatchUsageError(f"bot {name}: want a program, as in {STDIO_PREFIX}./my_bot")
    if find_program(command[0], folder) is None:
        if os.path.isfile(folder / command[0]):
            raise MatchUsageError(_not_a_command(command[0]))
        raise MatchUsageError(f"bot {name}: there is no program {command[0]}")


def _check_folder(name: str, folder: Path) -> None:
    """Refuse the folder of a `POKERBOTS_PREFIX` name that cannot be one of a bot."""
    if not folder.is_dir():
        raise MatchUsageError(f"bot {name}: there is no folder {folder}")
    try:
        with (folder / COMMANDS_NAME).open("rb") as file:
            parse_commands(file.read(MOST_COMMANDS_BYTES))
    except OSError as error:
        raise MatchUsageError(f"bot {name}: {COMMANDS_NAME}: {error.strerror}") from error
    except MalformedCommands as error:
        raise MatchUsageError(f"bot {name}: {COMMANDS_NAME}: {error}") from error


def _not_a_command(program: str) -> str:
    """Return what to write instead of the name of a file that cannot be executed as it stands."""
    if program.endswith(".py"):
        return (
            f'bot {program} is a file, not a command: write "python {program}", in quotes, '
            f"or {program}:CLASS for a bot that is a class in it"
        )
    if "/" in program:
        return f"bot {program} may not be executed (chmod +x?)"
    return f"bot {program} is a file, not a command: write ./{program}"


def _port(spec: str, text: str) -> int:
    if re.fullmatch(r"[0-9]{1,5}", text) is None or not 0 < int(text) < 65536:
        raise MatchUsageError(f"bot {spec!r}: a port is a number from 1 to 65535")
    return int(text)


def _label_of(command: Sequence[str]) -> str:
    """Return a readable name for a command: its program, or the script an interpreter runs."""
    if command[0].startswith(POKERBOTS_PREFIX):
        folder = Path(command[0].removeprefix(POKERBOTS_PREFIX))
        return _NOT_IN_LABEL.sub("-", folder.name).strip("-")[:40] or "bot"
    if class_match := CLASS_PATTERN.fullmatch(command[0]):
        return class_match[2][:40]
    names = [Path(argument).name for argument in command]
    chosen = names[0]
    if _INTERPRETER.fullmatch(chosen):
        chosen = next((name for name in names[1:] if not name.startswith("-")), chosen)
    stem = chosen.rsplit(".", 1)[0] if "." in chosen.strip(".") else chosen
    return _NOT_IN_LABEL.sub("-", stem).strip("-")[:40] or "bot"


_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class ExploitabilityBound:
    """What the best attack on a bot that is on record wins: a lower bound on its exploitability."""

    mbb_per_hand: float
    ci95: float
    attack: str
    source: str


def exploitability_bounds(
    bots: Sequence[tuple[str, ...]], game: str
) -> dict[tuple[str, ...], ExploitabilityBound]:
    """Return the bounds of shipped bots; those without an attack on record have none.

    Args:
        bots: name and options of each, word by word: other options are another strategy.
        game: short name of a built-in game.

    Raises:
        MatchError: the list cannot be had.
        MatchUsageError: a name is that of a class of the user's own that cannot be used.
    """
    agents = {agent["name"]: agent for agent in _listed([command[0] for command in bots])}
    bounds = {}
    for command in bots:
        attacks = agents.get(command[0], {}).get("exploitability", {})
        if attack := attacks.get(" ".join(command[1:]), {}).get(game):
            bounds[command] = ExploitabilityBound(**attack)
    return bounds


def shipped_bots(names: Sequence[str] = ()) -> dict[str, tuple[str, ...]]:
    """Return, by name of a shipped bot, the short names of the built-in games that it plays.

    Args:
        names: what somebody asked for; those that name a bot which is not listed, as points of the
            plane of strategies do, are there too.

    Raises:
        MatchError: the list cannot be had.
        MatchUsageError: a name is that of a class of the user's own that cannot be used.
    """
    return {agent["name"]: tuple(agent["games"]) for agent in _listed(names)}


def compiled_bots(names: Sequence[str] = ()) -> frozenset[str]:
    """Return the names of shipped bots that are compiled, so that they can do without a dealer.

    Raises:
        MatchError: the list cannot be had.
    """
    return frozenset(agent["name"] for agent in _listed(names) if agent["compiled"])


def clock_options(names: Sequence[str]) -> dict[str, str]:
    """Return, by name of a shipped bot that thinks by the clock, the option with which it does not.

    Raises:
        MatchError: the list cannot be had.
        MatchUsageError: a name is that of a class of the user's own that cannot be used.
    """
    return {agent["name"]: agent["steady"] for agent in _listed(names) if agent["steady"]}


def _listed(names: Sequence[str]) -> list[dict[str, Any]]:
    command = (*own_program("agents"), "--list", "--json", "--", *names)
    try:
        answer = subprocess.run(
            command, env=environment(), capture_output=True, timeout=_SECONDS, check=True
        )
        agents: list[dict[str, Any]] = json.loads(answer.stdout)["agents"]
        for agent in agents:
            _ = agent["name"], agent["games"], agent["compiled"], agent["steady"]
    except subprocess.CalledProcessError as exc:
        lines = exc.stderr.decode("utf-8", "backslashreplace").strip().splitlines()
        raise MatchError(f"cannot list the shipped bots: {lines[-1] if lines else exc}") from exc
    except (OSError, subprocess.SubprocessError, ValueError, KeyError, TypeError) as exc:
        raise MatchError(f"cannot list the shipped bots: {exc}") from exc
    for agent in agents:
        if "wrong" in agent:
            raise MatchUsageError(agent["wrong"])
    return agents
