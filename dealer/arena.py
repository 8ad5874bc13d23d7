"""`arena`: finds the command that was asked for and runs it.

A new command is a module with `main(argv) -> int`, which `engine.console.command` makes, a line in
`COMMANDS` and its name in `GROUPS`.  No library is imported before the command is known, so that
`arena --help` answers at once and no command pays for another one's libraries.

Ctrl-C ends a command without a traceback from the first line of `main` on, so nothing that takes
time is imported before it.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:  # what typing costs is most of the time before `main`
    from typing import Final

COMMANDS: Final = {
    "match": (
        "dealer.commands.match",
        "play bots against each other, in duplicate, with statistics",
    ),
    "tournament": (
        "dealer.commands.tournament",
        "play many bots against each other; a ledger, standings, resuming",
    ),
    "play": ("dealer.web.play_command", "sit down with bots yourself, in the browser"),
    "connect": (
        "dealer.relay.connect_command",
        "play at a server that stays up, with a bot of this machine",
    ),
    "check": (
        "dealer.compliance.check_command",
        "check that a bot speaks the protocol and plays by the rules",
    ),
    "server": (
        "dealer.hub.server_command",
        "run a server that stays up, for everybody's bots, with a board",
    ),
    "sprt": ("dealer.sequential.sprt_command", "tell how many hands a sequential test takes"),
    "dealer": ("dealer.server.dealer_command", "deal one match to agents that connect over TCP"),
    "agent": ("agents.__main__", "seat a shipped bot at any ACPC dealer"),
    "replay": (
        "dealer.logs.replay",
        "look at a match log, or verify it to the last card and chip",
    ),
    "web": (
        "dealer.web.web_command",
        "show match logs in the browser, hand by hand, or solve there",
    ),
    "deals": ("dealer.deals.deals_command", "write decks, boards or spots to be played again"),
    "stats": ("dealer.logs.stats", "count what the players of match logs did"),
    "rate": (
        "dealer.ratings.rate_command",
        "say who won how much in match logs, by every estimator",
    ),
    "aivat": ("agents.aivat.aivat_command", "estimate hands without luck, and fit value functions"),
    "convert": ("dealer.converters.convert_command", "write hand histories in another format"),
    "equity": ("engine.commands.equity", "say what hands and ranges win at the showdown"),
    "games": ("engine.commands.games", "show the built-in games"),
    "solve": ("engine.commands.solve.solve_command", "solve a subgame of hold'em over full ranges"),
    "data": ("agents.training.kinds:data", "make of match logs what is learned from"),
    "train": ("agents.training.kinds:train", "train what bots play by"),
    "improve": (
        "agents.improvement.improve_command",
        "learn the raises that a blueprint lacks, from logs",
    ),
    "lbr": ("agents.measuring.lbr", "measure what can be won from an agent, at least"),
    "merge": ("dealer.commands.merge", "put shards of any command together"),
    "versus": ("agents.measuring.versus", "compare two strategies exactly, board by board"),
}
"""Command -> (module of `main(argv) -> int`, or module:function; summary)."""
GROUPS: Final = {
    "play bots against each other, and say who is better": (
        "match",
        "tournament",
        "play",
    ),
    "for everybody's bots": ("server", "connect"),
    "around a match": ("check", "sprt", "deals", "games"),
    "a dealer or a bot alone": ("dealer", "agent"),
    "look at logs": ("replay", "web", "stats", "rate", "aivat", "convert"),
    "solve": ("equity", "solve"),
    "train": ("data", "train", "improve"),
    "on clusters": ("merge",),
    "research tools, for what no match can tell about the shipped bots": (*("lbr", "versus"),),
}
"""What commands are for -> those commands, as the help shows them."""


def main(argv: list[str] | None = None) -> int:
    """Run `arena` with the arguments `argv`, None for those of the process; return the exit code.

    For a process of its own, Ctrl-C ends it at once from then on.
    """
    if argv is None:
        from engine.parallel.own_programs import share_cores

        share_cores()
    try:
        code = _command(sys.argv[1:] if argv is None else argv)
    except KeyboardInterrupt:  # before the command could take care of it
        from engine.console.exit_codes import INTERRUPTED

        code = INTERRUPTED
    if argv is None:
        from engine.parallel.signals import end_at_once

        end_at_once()
    return code


def _command(arguments: list[str]) -> int:
    import signal

    from engine.console.command_table import CommandTable
    from engine.parallel.signals import handling, interrupt

    summary = "A poker dealer that speaks the ACPC protocol, bots for it, and tools for its logs."
    with handling([signal.SIGINT], interrupt):
        return CommandTable("arena", summary, COMMANDS, GROUPS, word="COMMAND").main(arguments)


if __name__ == "__main__":
    sys.exit(main())
