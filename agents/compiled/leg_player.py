"""Legs between shipped bots in one process, without a dealer: `arena match --in-process`.

    python -m agents.compiled.leg_player FD

reads a leg to play from each line of the file descriptor FD, a JSON object

    {"game": FILE, "hands": H, "seed": S, "log": FILE,
     "seats": [{"label": L, "bot": BOT, "seed": N}, ...]}

and adds to the log the lines that a dealer would have written of the hands, and of the score: the
same bots draw the same numbers there.  It answers each with a line of JSON on standard output, how
the leg ended: {"ending": "played"}, or "refused" where there is no such bot or it does not play the
game, or "failed", with "why" in a line and "traceback" (a text, "" where the reason says all).
Legs are played by `engine.play.compiled_match` where both bots are compiled, else by
`engine.play.learners`.
"""

from __future__ import annotations

import json
import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from agents.errors import AgentError, GameNotPlayed, UnknownAgent
from agents.roster import find_agent
from engine.errors import EngineError
from engine.play.learners import watched_hands
from engine.play.record import hand_line, state_lines
from protocol.gamedef import parse_gamedef
from protocol.handlog import Score, format_chips, format_score

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agents.agent_spec import AgentSpec
    from protocol.gamedef import GameDef

_TWO: Final = 2


class LegSeat(NamedTuple):
    """Who sits in a seat of a leg."""

    label: str
    """Name in the log."""
    bot: str
    """A bot of `arena agent --list`."""
    seed: int
    """Of the bot's choices."""


def main(argv: Sequence[str]) -> None:
    """Play the legs that are asked for on a file descriptor, until it ends."""
    with open(int(argv[0]), encoding="utf-8") as requests:
        for line in requests:
            sys.stdout.write(json.dumps(answer(json.loads(line))) + "\n")
            sys.stdout.flush()


def answer(request: dict[str, Any]) -> dict[str, str]:
    """Play a leg; return how it ended, see above."""
    seats = [LegSeat(seat["label"], seat["bot"], int(seat["seed"])) for seat in request["seats"]]
    try:
        game = parse_gamedef(Path(request["game"]).read_text(encoding="utf-8"))
        with open(request["log"], "a", encoding="utf-8") as log:
            for line in leg_lines(game, int(request["hands"]), int(request["seed"]), seats):
                log.write(f"{line}\n")
    except (UnknownAgent, GameNotPlayed) as error:
        return {"ending": "refused", "why": str(error), "traceback": ""}
    except (AgentError, EngineError, OSError) as error:
        return {"ending": "failed", "why": str(error), "traceback": ""}
    except Exception as error:  # of a bot: its leg fails, as it would at a dealer
        why = f"{type(error).__name__}: {error}"
        return {"ending": "failed", "why": why, "traceback": traceback.format_exc()}
    return {"ending": "played"}


def leg_lines(game: GameDef, hands: int, seed: int, seats: Sequence[LegSeat]) -> Iterator[str]:
    """Yield the log lines of a leg: a STATE for each hand, then SCORE; no terminators.

    Args:
        game: what is played.
        hands: how many.
        seed: of the deals.
        seats: who plays, in seat order.

    Raises:
        UnknownAgent: there is no such bot.
        GameNotPlayed: one of them does not play this game.
        AgentError, EngineError: a bot cannot be set up, or did what the rules do not allow.
    """
    specs = [find_agent(seat.bot) for seat in seats]
    for spec in specs:
        if not spec.plays(game, {}):
            raise GameNotPlayed(spec.refusal(game))
    all_compiled = all(spec.compiled is not None for spec in specs)
    play = _compiled_lines if len(seats) == _TWO and all_compiled else _watched_lines
    return play(game, hands, seed, seats, specs)


def _compiled_lines(
    game: GameDef, hands: int, seed: int, seats: Sequence[LegSeat], specs: Sequence[AgentSpec]
) -> Iterator[str]:
    from engine.play.compiled_match import play_matches

    one, other = (
        spec.compiled_policy(game, seat.seed) for spec, seat in zip(specs, seats, strict=True)
    )
    (result,) = play_matches(game, [(one, other)], hands, seed, record=True, threads=1)
    names = tuple(seat.label for seat in seats)
    yield from state_lines(game, result, names)
    won = float(result.won[0].sum())
    yield format_score(Score((format_chips(won), format_chips(-won)), names))


def _watched_lines(
    game: GameDef, hands: int, seed: int, seats: Sequence[LegSeat], specs: Sequence[AgentSpec]
) -> Iterator[str]:
    bots = [spec.build() for spec in specs]
    for bot, seat in zip(bots, seats, strict=True):
        bot.warm_up()
        bot.start_match(game, seat.seed)
    names = tuple(seat.label for seat in seats)
    won = [0.0] * len(seats)
    for hand in watched_hands(game, seed, hands, bots):
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
