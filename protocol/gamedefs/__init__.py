"""The eight standard games and four more, as packaged files.

    alias        name                               game
    kuhn         kuhn.limit.2p                      Kuhn poker
    kuhn3        kuhn.limit.3p                      Kuhn poker for three
    leduc        leduc.limit.2p                     Leduc hold'em
    leduc3       leduc.limit.3p                     Leduc hold'em for three
    fixed-queen  fixed-queen.limit.2p               Kuhn poker where the first player has the queen
    hulhe        holdem.limit.2p.reverse_blinds     heads-up limit hold'em
    limit3       holdem.limit.3p                    limit hold'em for three
    hunl         holdem.nolimit.2p.reverse_blinds   heads-up no-limit hold'em, 200 big blinds
    pokerbots    holdem.nolimit.2p.pokerbots        the same, blinds 1 and 2: pokerbots competitions
    nolimit3     holdem.nolimit.3p                  no-limit hold'em for three
    nolimit6     holdem.nolimit.6p                  no-limit hold'em for six, 200 big blinds
    nolimit6-10000  holdem.nolimit.6p.10000         the same, 100 big blinds, as in Pluribus's logs

The only files this package reads are those beside this module.
"""

from pathlib import Path
from typing import Final

from protocol.errors import GameDefError
from protocol.gamedef import GameDef, parse_gamedef

_SUFFIX: Final = ".game"
_NAME_OF_ALIAS: Final = {
    "kuhn": "kuhn.limit.2p",
    "kuhn3": "kuhn.limit.3p",
    "leduc": "leduc.limit.2p",
    "leduc3": "leduc.limit.3p",
    "fixed-queen": "fixed-queen.limit.2p",
    "hulhe": "holdem.limit.2p.reverse_blinds",
    "limit3": "holdem.limit.3p",
    "hunl": "holdem.nolimit.2p.reverse_blinds",
    "pokerbots": "holdem.nolimit.2p.pokerbots",
    "nolimit3": "holdem.nolimit.3p",
    "nolimit6": "holdem.nolimit.6p",
    "nolimit6-10000": "holdem.nolimit.6p.10000",
}


def builtin_names() -> tuple[str, ...]:
    """Return the names of the packaged games, without ".game", small games first."""
    return tuple(_NAME_OF_ALIAS.values())


def builtin_aliases() -> dict[str, str]:
    """Return {short name: name} for every packaged game."""
    return dict(_NAME_OF_ALIAS)


def builtin_path(name: str) -> Path:
    """Return the file of a packaged game, named by alias or by file name with or without ".game".

    Raises:
        GameDefError: there is no such game; the message lists those there are.
    """
    full_name = _NAME_OF_ALIAS.get(name, name.removesuffix(_SUFFIX))
    if full_name not in builtin_names():
        choices = ", ".join(f"{alias} ({full})" for alias, full in _NAME_OF_ALIAS.items())
        raise GameDefError(f"no built-in game {name[:80]!r}; there are {choices}")
    return Path(__file__).with_name(full_name + _SUFFIX)


def load_builtin(name: str) -> GameDef:
    """Read a packaged game; names as for `builtin_path`.

    Raises:
        GameDefError: there is no such game.
    """
    return parse_gamedef(builtin_path(name).read_bytes())
