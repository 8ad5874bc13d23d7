"""Our games as those of OpenSpiel's `universal_poker`, and its actions as ours.

OpenSpiel numbers actions: 0 folds, 1 checks or calls.  What else there is, is its betting
abstraction:

    fullgame   no-limit: n > 1 raises to n chips over the whole hand, exactly our r<n>
    fcpa       2 raises by the pot as it is after calling, 3 all-in; limit: 2 is the raise
    fchpa      as fcpa, and 4 raises by half the pot

Limit games have fcpa only: under fullgame OpenSpiel lists no raise there.  Cards are numbered as
ours, but counted from the lowest of the deck, where ours keeps the highest ranks and suits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from agents.bridges.libraries import library
from agents.errors import GameNotPlayed
from protocol.gamedef import GAME_KEYS, UNLIMITED_RAISES, parse_gamedef

if TYPE_CHECKING:
    from collections.abc import Mapping

    from protocol.gamedef import GameDef

FULL: Final = "fullgame"
POT: Final = "fcpa"
HALF_POT: Final = "fchpa"
ABSTRACTIONS: Final = (FULL, POT, HALF_POT)

FOLD_CODE: Final = 0
CALL_CODE: Final = 1
POT_CODE: Final = 2
ALL_IN_CODE: Final = 3
HALF_POT_CODE: Final = 4
POTS_OF: Final = {POT_CODE: 1.0, HALF_POT_CODE: 0.5}

_LEAST_STREETS_REPEATED: Final = 2
_SUITS: Final = 4
_RANKS: Final = 13


def universal_poker(game: GameDef, betting: str = "") -> str:
    """Return the parameter string of a game, as `pyspiel.load_game` takes it.

    Args:
        betting: the abstraction, one of `ABSTRACTIONS`; "" for fullgame, in limit games fcpa.

    Raises:
        GameNotPlayed: OpenSpiel has no such game, or it has no such abstraction.
        ValueError: there is no such abstraction.
    """
    if game.dealt_cards:
        raise GameNotPlayed("OpenSpiel deals hole cards from the whole deck, this game does not")
    check_abstraction(betting)
    chosen = betting or (FULL if game.no_limit else POT)
    if chosen != POT and not game.no_limit:
        raise GameNotPlayed(f"OpenSpiel's limit games are played with betting {POT}, not {chosen}")
    parameters = {
        "betting": "nolimit" if game.no_limit else "limit",
        "numPlayers": game.players,
        "numRounds": game.streets,
        "blind": _numbers(game.blinds),
        "firstPlayer": _numbers([first + 1 for first in game.first_positions]),
        "numSuits": game.suits,
        "numRanks": game.ranks,
        "numHoleCards": game.hole_cards,
        "numBoardCards": _numbers(game.board_cards),
        "stack": _numbers(game.stacks),
        "bettingAbstraction": chosen,
    }
    if game.raise_sizes:
        parameters["raiseSize"] = _numbers(game.raise_sizes)
    if any(most != UNLIMITED_RAISES for most in game.max_raises):
        parameters["maxRaises"] = _numbers(game.max_raises)
    return f"universal_poker({','.join(f'{key}={value}' for key, value in parameters.items())})"


def check_abstraction(betting: str) -> None:
    """Refuse what is neither "" nor the name of an abstraction.

    Raises:
        ValueError: the message has those there are.
    """
    if betting and betting not in ABSTRACTIONS:
        raise ValueError(f"betting {betting}: want {', '.join(ABSTRACTIONS)}")


def repeated_poker(game: GameDef, hands: int, betting: str = "") -> str:
    """Return the parameter string of a match: so many hands, the button moving, stacks as at first.

    Raises:
        GameNotPlayed: OpenSpiel has no such game, or it has no such abstraction.
        ValueError: there is no such abstraction.
    """
    if game.streets < _LEAST_STREETS_REPEATED:
        raise GameNotPlayed("OpenSpiel's repeated_poker is of games with two streets or more")
    inner = universal_poker(game, betting)
    return (
        f"repeated_poker(max_num_hands={hands},reset_stacks=True,rotate_dealer=True,"
        f"universal_poker_game_string={inner})"
    )


def game_of(parameters: Mapping[str, Any]) -> GameDef:
    """Return our game for the parameters that `get_parameters()` gives of `universal_poker`.

    Raises:
        GameDefError: they are of no game of ours.
    """
    lines = [
        "GAMEDEF",
        str(parameters["betting"]),
        *(
            f"{key} = {value}"
            for key, value in parameters.items()
            if key in GAME_KEYS and value != ""
        ),
        "END GAMEDEF",
    ]
    return parse_gamedef("\n".join(lines))


def load_universal_poker(game: GameDef, betting: str = "") -> Any:
    """Return the `pyspiel.Game`.

    Raises:
        MissingLibrary: OpenSpiel is not installed.
        GameNotPlayed: it has no such game, or it has no such abstraction.
        ValueError: there is no such abstraction.
    """
    return library("pyspiel").load_game(universal_poker(game, betting))


def spiel_card(game: GameDef, card: int) -> int:
    """Return OpenSpiel's number of a card of ours, the chance outcome that deals it."""
    rank, suit = card // _SUITS, card % _SUITS
    return (rank - _RANKS + game.ranks) * game.suits + suit - _SUITS + game.suits


def card_moved_up(game: GameDef, card: int) -> int:
    """Return our card for one that OpenSpiel writes, as that of the lowest ranks and suits."""
    return card + (_RANKS - game.ranks) * _SUITS + _SUITS - game.suits


def _numbers(values: Any) -> str:
    """Return numbers in a row; a blank behind a single one has OpenSpiel read a text."""
    text = " ".join(str(value) for value in values)
    return text if " " in text else f"{text} "
