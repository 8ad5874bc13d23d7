"""`arena`: finds the command that was asked for and runs it as a program of its own.

No library is imported before the command is known, so that `arena --help` answers at once and no
command pays for another one's libraries.  `arena agent ...` is `python -m agents ...`.
"""

import sys
from typing import Final

COMMANDS: Final = {
    "match": ("dealer.matches", "play bots against each other, in duplicate, with statistics"),
    "dealer": ("dealer.server.command", "deal one match to agents that connect over TCP"),
    "agent": ("agents", "seat a shipped bot at any ACPC dealer"),
    "replay": ("dealer.logs", "look at a match log, or verify it to the last card and chip"),
    "stats": ("dealer.logs.stats", "count what the players of match logs did"),
    "equity": ("engine.commands.equity", "say what hands and ranges win at the showdown"),
    "games": ("engine.commands.games", "show the built-in games"),
    "solve": ("engine.commands.solve", "solve a subgame of hold'em over full ranges"),
    "train": ("agents.training", "train what bots play by"),
    "lbr": ("agents.measuring.lbr", "measure how much local best response wins from an agent"),
    "versus": ("agents.blueprint.versus_command", "compare two blueprints, board by board"),
    "pool": ("agents.measuring.pool_command", "measure the pool of opponents, each against each"),
    "modeller": ("agents.statistical.measuring.command", "measure what the modeller can do"),
    "minimisers": ("engine.commands.minimisers", "compare regret minimisers on small games"),
}
"""Command -> (module to run, summary)."""


def main(argv: list[str] | None = None) -> int:
    """Run `arena` with the arguments `argv`; return the exit code of its own messages.

    A command that was found ends the process itself.
    """
    arguments = sys.argv[1:] if argv is None else argv
    if arguments and arguments[0] in COMMANDS:
        _run(arguments[0], arguments[1:])
        return 0
    from engine.console.output import quietly

    return quietly(lambda: _tell(arguments))


def _tell(arguments: list[str]) -> int:
    """Print the help, the version or what is wrong; return the exit code."""
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        sys.stdout.write(_help())
        return 0 if arguments else 2
    command = arguments[0]
    if command in ("-V", "--version"):
        from engine.console.version import program_version

        sys.stdout.write(f"arena {program_version()}\n")
        return 0
    sys.stderr.write(_unknown(command))
    return 2


def _run(command: str, arguments: list[str]) -> None:
    """Become `python -m` of the command's module."""
    import runpy

    # argv[0] is what argparse shows as the program's name.
    sys.argv = [f"arena {command}", *arguments]
    try:
        runpy.run_module(COMMANDS[command][0], run_name="__main__")
    except KeyboardInterrupt:  # before the command could take care of it
        sys.exit(130)


def _help() -> str:
    width = max(map(len, COMMANDS))
    lines = [
        "usage: arena COMMAND [ARGUMENT...]",
        "",
        "A poker dealer that speaks the ACPC protocol, bots for it, and tools for its logs.",
        "",
        *(f"  {name:{width}}  {summary}" for name, (_, summary) in COMMANDS.items()),
        "",
        "`arena COMMAND --help` tells more about a command; --version the version.",
    ]
    return "\n".join(lines) + "\n"


def _unknown(command: str) -> str:
    import difflib

    near = difflib.get_close_matches(command, COMMANDS, 1)
    hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(COMMANDS)}"
    return f"arena: no command is called {command}; {hint}\n"


if __name__ == "__main__":
    sys.exit(main())
