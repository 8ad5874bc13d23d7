"""Start a shipped bot: `python -m agents NAME HOST PORT`, also known as `arena agent`.

`--list [--json]` shows the bots and games there are, with NAMEs after it also those of them that
name a point of the plane; `--warm-up` compiles what bots need; `NAME --help` shows the options of
one bot.
"""

from __future__ import annotations

import argparse
import json
import sys
from contextlib import suppress
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Final

from agents.bot_command import connection_options, seat_and_play
from agents.errors import AgentError, GameNotPlayed, UnknownAgent
from agents.roster.attacks import attacks_on
from agents.roster.bots import OWN_GROUP, ROSTER, find_agent
from agents.roster.bridges import OPENSPIEL
from agents.roster.own_class import load_own_class
from agents.roster.spec import AgentSpec
from agents.roster.words import bot_options, option_values
from engine.console.command import Command, Option, WrongArguments
from engine.console.output import show, tell
from engine.parallel.own_programs import share_cores
from protocol.gamedefs import builtin_aliases, load_builtin

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agents.bot import Bot

PROG = "arena agent"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line `argv`; return the exit code."""
    arguments = sys.argv[1:] if argv is None else list(argv)
    if not arguments or arguments[0].startswith("-"):
        return _LIST.main(arguments)
    try:
        spec = find_agent(arguments[0])
    except AgentError as error:
        tell(f"{PROG}: {error}")
        return error.exit_code
    return Command(
        f"{PROG} {spec.name}",
        partial(_seat, spec),
        f"{spec.name} {spec.summary}; {spec.games.text}.",
        (*connection_options(), *bot_options(spec)),
        prints=False,
    ).main(arguments[1:])


def _seat(spec: AgentSpec, options: argparse.Namespace) -> int:
    if not spec.plays(options.game, vars(options)):
        raise GameNotPlayed(spec.refusal(options.game))
    try:
        bot: Bot = spec.build(option_values(spec, vars(options)))
    except ValueError as error:
        raise WrongArguments(str(error)) from error
    return seat_and_play(bot, options, prog=f"{PROG} {spec.name}")


def _list_agents(options: argparse.Namespace) -> int:
    if options.warm_up:
        return _warm_up(options.names)
    if not options.list:
        raise WrongArguments("want the NAME of a bot, or --list")
    bots = [*ROSTER, *_not_in_the_roster(options.names)]
    return show(_as_json(bots) if options.json else _as_text(bots), PROG)


_LIST: Final = Command(
    PROG,
    _list_agents,
    "Seat a shipped bot at an ACPC dealer.",
    (
        Option("--list", "show the bots and the built-in games"),
        Option("--json", "the list as JSON"),
        Option(
            "--warm-up",
            "compile what the NAMEs need, or all shipped bots, so that no first start takes long",
        ),
        Option(
            "[NAME...]",
            "bot to seat, whose options `NAME --help` lists; with --list, one more to be listed",
            dest="names",
        ),
    ),
    usage=f"{PROG} NAME HOST PORT [OPTION...]\n       {PROG} NAME --help\n"
    f"       {PROG} --list [--json] [NAME...]\n       {PROG} --warm-up [NAME...]",
    prints=False,
)


def _warm_up(names: Sequence[str]) -> int:
    """Compile what bots need, all shipped ones where none is named; return the exit code."""
    games = [load_builtin(alias) for alias in builtin_aliases()]
    bots = [find_agent(name) for name in names] or ROSTER
    for number, spec in enumerate(bots, 1):
        tell(f"{PROG}: compiling {spec.name} ({number} of {len(bots)})")
        bot: Bot = spec.build()
        bot.warm_up()
        bot.start_match(next(filter(spec.games.contains, games)), 0)
    return 0


def _not_in_the_roster(names: Sequence[str]) -> list[AgentSpec]:
    """Return the agents among some names that can be started, but are not listed by themselves."""
    specs = []
    for name in dict.fromkeys(names):
        with suppress(UnknownAgent):
            specs.append(find_agent(name))
    return [spec for spec in specs if spec not in ROSTER]


def _as_text(bots: Sequence[AgentSpec]) -> str:
    width = max(len(spec.name) for spec in bots)
    lines = ["bots:"]
    lines += [f"  {spec.name:{width}}  {spec.summary} [{spec.games.text}]" for spec in bots]
    lines.append("games (--game takes these names, or a file):")
    aliases = builtin_aliases()
    width = max(map(len, aliases))
    lines += [f"  {alias:{width}}  {name}" for alias, name in aliases.items()]
    return "\n".join(lines) + "\n"


def _wrong(spec: AgentSpec) -> dict[str, str]:
    """Return what is wrong with a bot of the user's own, {} if nothing is."""
    try:
        if spec.group == OWN_GROUP:
            load_own_class(spec.name)
        elif spec.group == OPENSPIEL:
            spec.build()
    except AgentError as error:
        return {"wrong": str(error)}
    return {}


def _as_json(bots: Sequence[AgentSpec]) -> str:
    games = {alias: load_builtin(alias) for alias in builtin_aliases()}
    agents = [
        {
            "name": spec.name,
            "summary": spec.summary,
            "plays": spec.games.text,
            "games": [alias for alias, game in games.items() if spec.games.contains(game)],
            "compiled": spec.compiled is not None,
            "steady": spec.steady,
            "exploitability": {
                options: {game: asdict(attack) for game, attack in attacks.items()}
                for options, attacks in attacks_on(spec.name).items()
            },
            **_wrong(spec),
            "options": [
                {"flag": option.flag, "default": option.default, "summary": option.summary}
                for option in spec.options
            ],
        }
        for spec in bots
    ]
    return json.dumps({"agents": agents, "games": builtin_aliases()}, indent=2) + "\n"


if __name__ == "__main__":
    share_cores()
    sys.exit(main())
