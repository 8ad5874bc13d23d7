"""The arguments of all commands that read logs: which ones, and the game that they are about."""

from __future__ import annotations

from engine.console.command import Option


def logs_options(
    what: str = "match logs", *, needed: bool = True, game: str = "the game the logs are about"
) -> tuple[Option, Option]:
    """Return LOG, for `dealer.logs.inputs.logs_in`, and --game, for `game_from_argument`.

    Args:
        what: is done with the logs, or what they are, for the help.
        needed: whether there must be one.
        game: the help of --game.
    """
    text = f"{what}; of a folder, those of its match or tournament, else all *.log in it"
    spelling = "LOG|FOLDER..." if needed else "[LOG|FOLDER...]"
    return Option(spelling, text, dest="logs"), Option("--game NAME|FILE", game)
