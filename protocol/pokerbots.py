"""The line protocol of the university pokerbots competitions.  Pure text: no sockets, no clock.

    engine -> bot   the clauses of a query, single spaces between them
    bot -> engine   an action

    T12.345         seconds on the bot's clock; begins every query
    P0              the bot's index in the hand: 0 has the button and the small blind
    HAh,Kd          its hole cards
    F  C  K         somebody folded, called, checked
    R12             somebody bet or raised to 12 chips on this street
    B2c,3d,4h       the whole board up to now
    O7s,7d          the opponent's hole cards, at a showdown
    D-12            chips that the bot won in the hand, which is over; it answers K
    Q               the game is over; no answer

A clause is sent once, the bot's own actions are, too.  P and H begin a hand.  Actions of the bot
are F, C, K and R<amount>.  What engines do is done: the first letter says which, and whatever is
behind F, C or K is passed over.

In a folder of a bot `commands.json` says how it is built and started.  From year to year games
differ, and letters change their meaning: A and D say other things in 2024 and 2026.  So a dialect
has a name.  The one here, `plain`, is that of hold'em without variants.

Source: engine.py and skeleton/runner.py of the public engines of 2020 to 2024.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from protocol.cards import CARD_TEXT
from protocol.errors import MalformedCommands, WrongAnswer

DIALECTS: Final = ("plain",)
COMMANDS_NAME: Final = "commands.json"
GAME_OVER: Final = b"Q\n"
MOST_COMMANDS_BYTES: Final = 1 << 16
_MOST_QUOTED_BYTES: Final = 80
_KINDS: Final = "FCKR"
_AMOUNT: Final = re.compile(r"\s*\+?([0-9]{1,9})")


class BotReply(NamedTuple):
    """An action as a bot says it."""

    kind: str
    """F, C, K or R."""
    amount: int
    """Of R: chips put in on this street; 0 for the others."""


class BotCommands(NamedTuple):
    """How a bot is built and started, from its folder."""

    build: tuple[str, ...]
    """Program and arguments, () where nothing is to be built."""
    run: tuple[str, ...]
    """Program and arguments, to which the port is appended."""


def query_line(seconds: float, clauses: Iterable[str]) -> bytes:
    """Return a query.

    Args:
        seconds: on the bot's clock.
        clauses: that it has not been sent yet.
    """
    return (" ".join((f"T{seconds:.3f}", *clauses)) + "\n").encode()


def cards_clause(letter: str, cards: Iterable[int]) -> str:
    """Return a clause of cards: H, B or O."""
    return letter + ",".join([CARD_TEXT[card] for card in cards])


def parse_reply(line: bytes) -> BotReply:
    """Return the action in a line.  Raises WrongAnswer."""
    text = line.decode("ascii", "replace").strip()
    kind = text[:1]
    if not kind or kind not in _KINDS:
        raise WrongAnswer(f"{_quoted(text)}: want F, C, K or R and an amount")
    if kind != "R":
        return BotReply(kind, 0)
    amount = _AMOUNT.fullmatch(text[1:])
    if amount is None:
        raise WrongAnswer(f"{_quoted(text)}: want R and a whole number of chips")
    return BotReply(kind, int(amount[1]))


def parse_commands(text: bytes) -> BotCommands:
    """Return what a `commands.json` says.  Raises MalformedCommands."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise MalformedCommands(f"no JSON: {error}") from error
    if not isinstance(document, dict):
        raise MalformedCommands('want an object with "build" and "run"')
    lists = []
    for key in ("build", "run"):
        words = document.get(key)
        if not isinstance(words, list) or not all(_is_word(word) for word in words):
            raise MalformedCommands(f'want "{key}", a list of texts')
        lists.append(tuple(words))
    commands = BotCommands(*lists)
    if not commands.run:
        raise MalformedCommands('"run" is empty: want the words that start the bot')
    return commands


def _is_word(word: object) -> bool:
    return isinstance(word, str) and "\0" not in word


def _quoted(text: str) -> str:
    return repr(text[:_MOST_QUOTED_BYTES])
