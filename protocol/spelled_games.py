"""A game definition in one line, for headers of logs that no game file lies beside.

GAMEDEF; nolimit; numPlayers = 2; ...; END GAMEDEF
"""

from __future__ import annotations

from typing import Final

from protocol.gamedef import GameDef, format_gamedef, parse_gamedef

_BEGINNING: Final = "GAMEDEF; "
_BETWEEN: Final = "; "


def spell_game(game: GameDef) -> str:
    """Return the definition in one line."""
    return format_gamedef(game).rstrip("\n").replace("\n", _BETWEEN)


def spelled_game(text: str) -> GameDef | None:
    """Return the game of such a line, None if the text is something else, such as a file's name.

    Raises:
        GameDefError: it begins as such a line and is no game.
    """
    if not text.startswith(_BEGINNING):
        return None
    return parse_gamedef(text.replace(_BETWEEN, "\n"))
