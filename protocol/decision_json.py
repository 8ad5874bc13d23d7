"""A decision as a line of JSON, and the answer to it, for programs that do not speak ACPC.

    to the program    {"version":"arena-1","type":"hello",...}      answered by the word ready
                      {"version":"arena-1","type":"decision",...}   answered by an action
                      {"version":"arena-1","type":"result",...}     a hand is over; no answer
                      {"version":"arena-1","type":"error",...}      what was wrong; no answer
    from the program  {"action":"raise","to":600,"id":7} or words: fold, check, call, raise 600,
                      all-in

Lines end with a line feed and have no blanks outside of texts.  An answer may stand among lines
that name no action, and an object may take several lines: language models write so.
docs/bridges.md explains every field.  Positions and streets are 0-based, chips are those of the
game.  Raises are totals over the whole hand, blinds and earlier streets included, as in ACPC's
match states.  New fields do not change the version; a program passes over those it does not know.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from protocol.actions import CALL, FOLD, RAISE, Action, raise_to
from protocol.cards import format_cards
from protocol.errors import WrongAnswer
from protocol.gamedef import UNLIMITED_STACK, GameDef

VERSION: Final = "arena-1"
READY_ANSWER: Final = b"ready"
_MOST_QUOTED_BYTES: Final = 80
_ALL_IN: Final = "all-in"
_WORDS: Final = re.compile(
    r"(fold|check|call|all[-_ ]?in|raise)(?:\s+(?:to\s+)?([0-9]{1,18}))?", re.IGNORECASE
)
_LABEL: Final = re.compile(r"(?:action|answer)\s*[:=]", re.IGNORECASE)
_MARKUP_CHARACTERS: Final = " \t\r\ufeff`*_\"'."
_FENCE: Final = re.compile(r"\s*```\w*\s*")
_BROKEN_ANSWER: Final = re.compile(r"\{[^{}]*action[^{}]*\}")
_DIGITS: Final = re.compile(r"[0-9]{1,18}")


class BettingStep(NamedTuple):
    """An action of the hand so far."""

    street: int
    position: int
    word: str
    """fold, check, call or raise."""
    to: int
    """Total of a raise, 0 for other actions."""


@dataclass(frozen=True, slots=True)
class AskedDecision:
    """What one player is asked."""

    hand_id: int
    position: int
    """Of the player, which is to act."""
    hole: tuple[int, ...]
    board: tuple[int, ...]
    street: int
    betting: tuple[BettingStep, ...]
    pot: int
    to_call: int
    """Chips that a call adds, 0 where it is a check."""
    stacks: tuple[int, ...]
    """Chips each position has left."""
    can_fold: bool
    raises: tuple[int, int] | None
    """Smallest and largest total to raise to, None where no raise is legal."""
    no_limit: bool


class NamedAction(NamedTuple):
    """An action that a program names; it need not be legal."""

    text: bytes
    """The program's words."""
    word: str
    to: int | None = None
    """Number behind the word."""
    decision: str | None = None
    """The `id` that it names, None where it names none."""
    fault: str = ""
    """Why it is no action after all."""


class Reading(NamedTuple):
    """What is in lines of a program."""

    answers: tuple[NamedAction, ...]
    remarks: tuple[bytes, ...]
    """Lines that name no action, but for blank ones and fences of code."""
    rest: bytes
    """From the beginning of an object that goes on in lines to come."""


class FinishedHand(NamedTuple):
    """How a hand ended."""

    hand_id: int
    position: int
    """Of the player who is told."""
    won: tuple[float, ...]
    """Chips won (or, negative, lost) per position."""
    holes: tuple[tuple[int, ...], ...]
    """Hole cards per position, () where the player may not see them."""
    board: tuple[int, ...]
    betting: tuple[BettingStep, ...]


def game_as_json(game: GameDef, name: str | None) -> str:
    """Return the text of a game, for the lines below.

    Args:
        name: of the game, None where it has none.
    """
    limited = any(stack != UNLIMITED_STACK for stack in game.stacks)
    return _compact(
        {
            "name": name,
            "betting": "no-limit" if game.no_limit else "limit",
            "players": game.players,
            "blinds": game.blinds,
            "stacks": game.stacks if limited else None,
            "streets": game.streets,
            "hole_cards": game.hole_cards,
            "board_cards": game.board_cards,
        }
    )


def hello_line(game: str, seed: int) -> bytes:
    """Return the first line.

    Args:
        game: see `game_as_json`.
        seed: of the program's random choices.
    """
    return _line("hello", {"seed": seed}, game)


def decision_line(
    game: str, asked: AskedDecision, milliseconds: int | None, decision: int
) -> bytes:
    """Return the line that asks for an action.

    Args:
        game: see `game_as_json`.
        milliseconds: that are left for the answer, None where there is no limit.
        decision: its `id`.
    """
    fields: dict[str, Any] = {"id": decision, **decision_fields(asked)}
    if milliseconds is not None:
        fields["time_left_ms"] = milliseconds
    return _line("decision", fields, game)


def decision_fields(asked: AskedDecision) -> dict[str, Any]:
    """Return what a player is asked, for `json.dumps`: the same in lines and on pages."""
    return {
        "hand": asked.hand_id,
        "position": asked.position,
        "hole": _cards(asked.hole),
        "board": _cards(asked.board),
        "street": asked.street,
        "betting": _steps(asked.betting),
        "pot": asked.pot,
        "to_call": asked.to_call,
        "stacks": asked.stacks,
        "legal": _legal(asked),
    }


def result_line(hand: FinishedHand) -> bytes:
    """Return the line that ends a hand."""
    return _line("result", result_fields(hand))


def result_fields(hand: FinishedHand) -> dict[str, Any]:
    """Return how a hand ended, for `json.dumps`."""
    return {
        "hand": hand.hand_id,
        "position": hand.position,
        "won": [int(chips) if chips == int(chips) else chips for chips in hand.won],
        "holes": [_cards(hole) or None for hole in hand.holes],
        "board": _cards(hand.board),
        "betting": _steps(hand.betting),
    }


def message_fields(kind: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return a message as the plain values of its line.

    Args:
        kind: "decision" or "result".
        fields: that follow.
    """
    return {"version": VERSION, "type": kind, **fields}


def error_line(message: str) -> bytes:
    """Return the line that says what was wrong."""
    return _line("error", {"message": message})


def read_answers(text: bytes) -> Reading:
    """Return the answers in lines of a program, and what else is there.

    An answer is an object with an "action", wherever it stands, or words that have a line to
    themselves.

    Args:
        text: whole lines, each with its end.
    """
    said = text.decode("utf-8", "replace")
    answers: list[NamedAction] = []
    remarks: list[bytes] = []
    begin = 0
    while begin < len(said):
        objects, end, whole = _objects(said, begin)
        answers += objects
        if not whole:
            return Reading(tuple(answers), tuple(remarks), said[end:].encode())
        line = said[begin : end - 1]
        answer = None if objects else _words_of(line)
        if answer is not None:
            answers.append(answer)
        elif not objects and line.strip() and not _FENCE.fullmatch(line):
            remarks.append(line.encode())
        begin = end
    return Reading(tuple(answers), tuple(remarks), b"")


def action_of(answer: NamedAction, asked: AskedDecision) -> Action:
    """Return the action that an answer names.

    Raises:
        WrongAnswer: it names none, or one that is not legal; the message says what was expected.
    """
    try:
        if answer.fault:
            raise ValueError(answer.fault)
        return _action(answer.word, answer.to, asked)
    except ValueError as error:
        raise WrongAnswer(f"{quoted(answer.text)}: {error}; want {_expected(asked)}") from None


def named_action(text: bytes, fields: Mapping[str, Any]) -> NamedAction:
    """Return the answer that an object is.

    Args:
        text: the object as it was written, for messages.
        fields: with "action", and perhaps "to" and "id".
    """
    decision = fields.get("id")
    if isinstance(decision, float) and decision.is_integer():
        decision = int(decision)
    named = None if decision is None else str(decision).strip()
    action = fields["action"]
    match = _WORDS.fullmatch(action.strip()) if isinstance(action, str) else None
    if match is None:
        return NamedAction(text, "", None, named, "no action is called so")
    try:
        numbers = {_whole(number) for number in (match[2], fields.get("to")) if number is not None}
    except ValueError as error:
        return NamedAction(text, "", None, named, str(error))
    if len(numbers) > 1:
        return NamedAction(text, "", None, named, "two numbers")
    return NamedAction(text, _word(match[1]), next(iter(numbers), None), named)


def quoted(line: bytes | bytearray) -> str:
    """Return the beginning of what a program wrote, for messages."""
    return f"'{line[:_MOST_QUOTED_BYTES].decode('utf-8', 'backslashreplace')}'"


def _objects(said: str, begin: int) -> tuple[list[NamedAction], int, bool]:
    """Return the answers among the objects that begin in a line, and where to read on.

    The last object may end in a later line.  Where it does not end at all the third is False, and
    the place is its beginning.
    """
    answers: list[NamedAction] = []
    end = said.index("\n", begin) + 1
    while (brace := said.find("{", begin, end)) >= 0:
        try:
            fields, begin = _DECODER.raw_decode(said, brace)
        except json.JSONDecodeError as error:
            if error.pos >= len(said.rstrip()):
                return answers, brace, False
            meant = _BROKEN_ANSWER.match(said, brace)
            if meant is not None:
                answers.append(NamedAction(meant[0].encode(), "", fault="not JSON"))
            begin = brace + 1 if meant is None else meant.end()
        except (ValueError, RecursionError):  # a number of thousands of digits, or a deep nest
            begin = end - 1
        else:
            if "action" in fields:
                answers.append(named_action(said[brace:begin].encode(), fields))
        end = max(end, said.index("\n", begin) + 1)
    return answers, end, True


def _fields(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object's fields; one with two values has none that could be read."""
    fields: dict[str, Any] = {}
    for key, value in pairs:
        fields[key] = () if fields.get(key, value) != value else value
    return fields


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_fields)


def _whole(number: object) -> int:
    """Return a number that may stand in quotes.  Raises ValueError."""
    if isinstance(number, str) and _DIGITS.fullmatch(number.strip()):
        return int(number)
    if isinstance(number, float) and number.is_integer():
        return int(number)
    if isinstance(number, bool) or not isinstance(number, int):
        raise ValueError('"to" is no whole number')
    return number


def _words_of(line: str) -> NamedAction | None:
    """Return the answer that a line of words is, None where it is none."""
    label = _LABEL.match(line.lstrip(_MARKUP_CHARACTERS))
    text = line.strip(_MARKUP_CHARACTERS)[label.end() if label else 0 :].strip(_MARKUP_CHARACTERS)
    match = _WORDS.fullmatch(text)
    if match is None:
        return None
    return NamedAction(line.encode(), _word(match[1]), None if match[2] is None else int(match[2]))


def _word(text: str) -> str:
    word = text.lower()
    return _ALL_IN if word.startswith("all") else word


def _action(word: str, to: int | None, asked: AskedDecision) -> Action:
    """Return the action of a word.  Raises ValueError where it is not legal."""
    if to is not None and word != "raise":
        raise ValueError(f"a {word} has no number")
    if word == "fold":
        if not asked.can_fold:
            raise ValueError("there is nothing to fold to")
        return FOLD
    if word == "check" and asked.to_call:
        raise ValueError(f"no check: {asked.to_call} to call")
    if word == _ALL_IN and not asked.no_limit:
        raise ValueError("no all-in in a limit game")
    if word in ("check", "call") or (word == _ALL_IN and asked.raises is None):
        return CALL
    if asked.raises is None:
        raise ValueError("no raise is legal")
    smallest, largest = asked.raises
    if word == _ALL_IN:
        return raise_to(largest)
    if to is None and smallest < largest:
        raise ValueError("raise to how much?")
    if to is not None and not smallest <= to <= largest:
        raise ValueError("that raise is not legal")
    return raise_to(to or largest) if asked.no_limit else RAISE


def _expected(asked: AskedDecision) -> str:
    """Return the legal answers in words."""
    choices = ["fold"] if asked.can_fold else []
    choices.append("call" if asked.to_call else "check")
    example = f'{{"action":"{choices[-1]}"}}'
    if asked.raises is not None:
        smallest, largest = asked.raises
        choices.append(f"raise TO (from {smallest} to {largest})")
        example = f'{{"action":"raise","to":{smallest}}}'
    return f"{', '.join(choices)}, or JSON such as {example}"


def _legal(asked: AskedDecision) -> list[dict[str, Any]]:
    legal: list[dict[str, Any]] = [{"action": "fold"}] if asked.can_fold else []
    legal.append({"action": "call" if asked.to_call else "check"})
    if asked.raises is not None:
        smallest, largest = asked.raises
        legal.append({"action": "raise", "min": smallest, "max": largest})
    return legal


def _steps(betting: Sequence[BettingStep]) -> list[dict[str, Any]]:
    return [
        {"street": step.street, "position": step.position, "action": step.word}
        | ({"to": step.to} if step.to else {})
        for step in betting
    ]


def _cards(cards: Sequence[int]) -> list[str]:
    return [format_cards((card,)) for card in cards]


def _line(kind: str, fields: dict[str, Any], game: str | None = None) -> bytes:
    """Return a line; the game, whose text is always the same, stands before the fields."""
    game_field = "" if game is None else f',"game":{game}'
    return f'{{"version":"{VERSION}","type":"{kind}"{game_field},{_compact(fields)[1:]}\n'.encode()


def _compact(fields: dict[str, Any]) -> str:
    return json.dumps(fields, separators=(",", ":"))
