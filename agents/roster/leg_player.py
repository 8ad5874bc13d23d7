"""Legs between shipped bots in one process, without a dealer: `arena match --in-process`.

    python -m agents.roster.leg_player FD

reads a leg to play from each line of the file descriptor FD, a JSON object

    {"plan": PLAN, "bots": [{"bot": BOT, "seed": N, "folder": DIR, "replies": FILE}, ...],
     "errors": FILE, "turn": FILE}

where PLAN is a match as the dealer's plans have it, with "game", "hands", "seed", "deals" (a file
or null), "first_deal", "seats", each with a "name", and "records", of which "log" is a file,

and adds to the log the lines that a dealer would have written of the hands, and of the score: the
same bots draw the same numbers there.  It answers each with a line of JSON on standard output,
{"ending": E}, where E is

    "played"    it was played
    "refused"   there is no such bot, it does not play the game, or a deal is a spot, which only a
                dealer begins in
    "failed"    with "why" in a line, and the "label" of the bot of the user's own whose fault it
                is, if it is one's

What bots print, on standard output too, is added to the file of errors, and the traceback of one
that failed.  The file of the turn has one byte, the number from 1 of the seat whose bot, one of the
user's own, was called last: that is known even if the process has ended.  Legs are played by
`engine.play.compiled_match` where both bots are compiled, else by `engine.play.learners`.
"""

from __future__ import annotations

import json
import mmap
import os
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from agents.errors import AgentError, BotFailed, GameNotPlayed, UnknownAgent
from agents.roster.bots import OWN_GROUP
from agents.roster.bridges import PROGRAM_GROUPS
from agents.roster.own_class import NOBODY, GuardedBot, OwnBotFailed, own_bot
from agents.roster.words import chosen_bot
from agents.seat.faults import error_in_words, whole_traceback
from engine.deals.deals_file import GivenDealStream
from engine.errors import EngineError, UnusableDeals
from engine.play.learners import watched_hands
from engine.play.record import hand_line, state_lines
from protocol.gamedef import parse_gamedef
from protocol.handlog import Score, format_chips, format_score

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from agents.bot import Bot
    from agents.roster.spec import AgentSpec
    from engine.rules.dealing import Deal
    from protocol.gamedef import GameDef

_TWO: Final = 2
_GUARDED_GROUPS: Final = (OWN_GROUP, *PROGRAM_GROUPS)
"""Their mistakes are the bots' own."""
_MOST_ERROR_LETTERS: Final = 2000


class LegSeat(NamedTuple):
    """Who sits in a seat of a leg."""

    label: str
    """Name in the log."""
    bot: str
    """A bot of `arena agent --list`, and options as a shell would take them."""
    seed: int
    """Of the bot's choices."""
    folder: str = ""
    """Where to look for a class of the user's own."""
    replies: str = ""
    """File to count what is not taken of a program's words in, "" for none."""


def main(argv: Sequence[str]) -> None:
    """Play the legs that are asked for on a file descriptor, until it ends."""
    with (
        open(int(argv[0]), encoding="utf-8") as requests,
        open(os.dup(1), "w", encoding="utf-8") as answers,
    ):
        for line in requests:
            request = json.loads(line)
            with open(request["errors"], "ab") as errors:
                for stream in (1, 2):
                    os.dup2(errors.fileno(), stream)
            answers.write(json.dumps(answer(request)) + "\n")
            answers.flush()


def answer(request: dict[str, Any]) -> dict[str, str]:
    """Play a leg; return how it ended, see above."""
    try:
        with open(request["turn"], "r+b") as file:
            turn = memoryview(mmap.mmap(file.fileno(), 0))
        plan, bots = request["plan"], request["bots"]
        names = [seat["name"] for seat in plan["seats"]]
        seats = [LegSeat(name, **bot) for name, bot in zip(names, bots, strict=True)]
        # By lines where a bot may end the process: what was played stays.
        buffering = (
            1 if any(chosen_bot(seat.bot).group in _GUARDED_GROUPS for seat in seats) else -1
        )
        game = parse_gamedef(Path(plan["game"]).read_text(encoding="utf-8"))
        with open(plan["records"]["log"], "a", buffering, encoding="utf-8") as log:
            given = _given_deals(plan, game)
            hands, seed = int(plan["hands"]), int(plan["seed"])
            for line in leg_lines(game, hands, seed, seats, given, turn):
                log.write(f"{line}\n")
    except (UnknownAgent, GameNotPlayed, UnusableDeals) as error:
        return {"ending": "refused", "why": _short(error)}
    except OwnBotFailed as error:
        cause = error.__cause__ or error
        if isinstance(cause, BotFailed):
            _add(request["errors"], whole_traceback(cause))
        return {"ending": "failed", "why": _short(error), "label": error.label}
    except (AgentError, EngineError, OSError) as error:
        return {"ending": "failed", "why": _short(error)}
    except Exception as error:  # of a bot: its leg fails, as it would at a dealer
        _add(request["errors"], traceback.format_exc())
        return {"ending": "failed", "why": error_in_words(error)}
    return {"ending": "played"}


def _short(error: Exception) -> str:
    return str(error)[:_MOST_ERROR_LETTERS]


def _add(path: str, text: str) -> None:
    """Add text to a file, whatever it is made of."""
    with open(path, "a", encoding="utf-8", errors="backslashreplace") as file:
        file.write(text)


GivenDeals = Callable[[], "Iterator[Deal]"]
"""Begins to deal what is given, from hand 0 on."""


def _given_deals(plan: dict[str, Any], game: GameDef) -> GivenDeals | None:
    """Return the deals of the file that is named, None without one."""
    if plan["deals"] is None:
        return None
    path, seed, first = Path(plan["deals"]), int(plan["seed"]), int(plan["first_deal"])

    def deals() -> Iterator[Deal]:
        for deal in GivenDealStream(path, game, seed, first=first):
            if deal.betting:
                raise UnusableDeals(
                    f"{path}: {deal.betting} begins a hand, and only dealers play on from there; "
                    "leave --in-process out"
                )
            yield deal

    return deals


def leg_lines(
    game: GameDef,
    hands: int,
    seed: int,
    seats: Sequence[LegSeat],
    given: GivenDeals | None = None,
    turn: memoryview = NOBODY,
) -> Iterator[str]:
    """Yield the log lines of a leg: a STATE for each hand, then SCORE; no terminators.

    Args:
        seats: in seat order.
        given: deals that are not those of the seed.
        turn: whose of the user's own bots it is, see above.

    Raises:
        UnknownAgent: there is no such bot.
        GameNotPlayed: one of them does not play this game.
        AgentError, EngineError: a bot cannot be set up, or did what the rules do not allow.
    """
    specs = [chosen_bot(seat.bot) for seat in seats]
    for spec in specs:
        if not spec.plays(game, spec.fixed):
            raise GameNotPlayed(spec.refusal(game))
    all_compiled = all(spec.compiled is not None for spec in specs)
    if len(seats) == _TWO and all_compiled:
        return _compiled_lines(game, hands, seed, seats, specs, given)
    bots = tuple(_seated(seats, specs, turn))
    return _watched_lines(game, hands, seed, seats, bots, given)


def _compiled_lines(
    game: GameDef,
    hands: int,
    seed: int,
    seats: Sequence[LegSeat],
    specs: Sequence[AgentSpec],
    given: GivenDeals | None,
) -> Iterator[str]:
    from engine.play.compiled_match import play_matches

    first, second = (
        spec.compiled_policy(game, seat.seed) for spec, seat in zip(specs, seats, strict=True)
    )
    cards = None if given is None else _cards_of(game, hands, given())
    (result,) = play_matches(
        game, [(first, second)], hands, seed, record=True, cards=cards, threads=1
    )
    names = tuple(seat.label for seat in seats)
    yield from state_lines(game, result, names, deals=None if given is None else given())
    won = float(result.won[0].sum())
    yield format_score(Score((format_chips(won), format_chips(-won)), names))


def _cards_of(game: GameDef, hands: int, deals: Iterator[Deal]) -> NDArray[np.uint8]:
    """Return (H, C) the cards of each hand, those of position 0 first, the board last."""
    cards = np.empty((hands, game.cards_per_hand), np.uint8)
    for row, deal in zip(cards, deals, strict=False):
        row[:] = [card for part in (*deal.holes, deal.board) for card in part]
    return cards


def _seated(
    seats: Sequence[LegSeat], specs: Sequence[AgentSpec], turn: memoryview
) -> Iterator[Bot | GuardedBot]:
    for number, (spec, seat) in enumerate(zip(specs, seats, strict=True), 1):
        if spec.group not in _GUARDED_GROUPS:
            yield spec.build()
            continue
        turn[0] = number
        ours = spec.group in PROGRAM_GROUPS
        made = spec.build({"replies": seat.replies}) if ours else own_bot(spec.name, seat.folder)
        yield GuardedBot(made, seat.label, number, turn)


def _watched_lines(
    game: GameDef,
    hands: int,
    seed: int,
    seats: Sequence[LegSeat],
    bots: Sequence[Bot | GuardedBot],
    given: GivenDeals | None,
) -> Iterator[str]:
    for bot, seat in zip(bots, seats, strict=True):
        bot.warm_up()
        bot.start_match(game, seat.seed)
    names = tuple(seat.label for seat in seats)
    won = [0.0] * len(seats)
    for hand in watched_hands(game, seed, hands, bots, given and given()):
        sat = [names[sitting] for sitting in hand.seats]
        yield hand_line(hand.hand_id, hand.state, hand.deal, hand.values, sat)
        for sitting, value in zip(hand.seats, hand.values, strict=True):
            won[sitting] += value
    yield format_score(Score(tuple(map(format_chips, won)), names))


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except KeyboardInterrupt:
        sys.exit(130)
