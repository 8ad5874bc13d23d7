"""A leg between two compiled bots in one process, without a dealer: `arena match --in-process`.

    python -m agents.compiled.leg_player GAME HANDS SEED LABEL SEED BOT LABEL SEED BOT
        [--deals FILE --first-deal N]

writes the lines of the log that a dealer would have written of them, its comments aside: the same
bots draw the same numbers there.  Exit codes: 0 played, 1 it cannot be, 2 a bot is not compiled or
does not play the game, or a deal is a spot, which only a dealer begins in; 130 interrupted.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from agents.bot_words import read_bot
from agents.command import match_seed
from agents.errors import AgentError, GameNotPlayed, UnknownAgent
from engine.console.arguments import count, deal_seed, load_game
from engine.console.exit_codes import FAILED, INTERRUPTED, WRONG_ARGUMENTS
from engine.console.output import tell
from engine.console.parser import OneLineParser
from engine.deals.deals_file import GivenDealStream
from engine.errors import EngineError, UnusableDeals
from engine.play.compiled_match import play_matches
from engine.play.record import state_lines
from protocol.handlog import Score, format_chips, format_score

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from engine.play.compiled_policy import CompiledPolicy
    from protocol.gamedef import GameDef

PROG: Final = "in-process leg"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line `argv`; return the exit code."""
    options = _parser().parse_args(argv)
    game: GameDef = options.game
    try:
        policies = (
            compiled_bot(options.bot, game, options.bot_seed),
            compiled_bot(options.other_bot, game, options.other_seed),
        )
        (result,) = play_matches(
            game,
            [policies],
            options.hands,
            options.seed,
            record=True,
            cards=_given_cards(options),
            threads=1,
        )
        names = (options.label, options.other_label)
        for line in state_lines(game, result, names, deals=_given_deals(options)):
            sys.stdout.write(f"{line}\n")
        won = float(result.won[0].sum())
        score = Score((format_chips(won), format_chips(-won)), names)
        sys.stdout.write(f"{format_score(score)}\n")
        sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except AgentError as error:
        tell(f"{PROG}: {error}")
        return error.exit_code
    except UnusableDeals as error:
        tell(f"{PROG}: {error}")
        return WRONG_ARGUMENTS
    except (EngineError, OSError) as error:
        tell(f"{PROG}: {error}")
        return FAILED
    return 0


def _given_deals(options: argparse.Namespace) -> GivenDealStream | None:
    """Return the deals of the file, None without one."""
    if options.deals is None:
        return None
    return GivenDealStream(options.deals, options.game, options.seed, first=options.first_deal)


def _given_cards(options: argparse.Namespace) -> NDArray[np.uint8] | None:
    """Return (H, 9) the cards of the hands that the file deals, None without one.

    Raises:
        UnusableDeals: the file cannot be read, or a hand begins with actions.
    """
    deals = _given_deals(options)
    if deals is None:
        return None
    game: GameDef = options.game
    cards = np.empty((options.hands, game.cards_per_hand), np.uint8)
    for row, deal in zip(cards, deals, strict=False):
        if deal.betting:
            raise UnusableDeals(f"{options.deals}: {deal.betting} begins a hand, and only dealers "
                                "play on from there; leave --in-process out")  # fmt: skip
        row[:] = [card for part in (*deal.holes, deal.board) for card in part]
    return cards


def compiled_bot(text: str, game: GameDef, seed: int) -> CompiledPolicy:
    """Return the compiled player of a bot.

    Raises:
        UnknownAgent: there is no such bot, it is not compiled, or has options.
        GameNotPlayed: it does not play this game.
    """
    spec, _ = read_bot(text)
    if spec.compiled is None:
        raise UnknownAgent(f"{spec.name} is not compiled: it plays at a dealer only")
    if len(text.split()) > 1:
        raise UnknownAgent(f"{text}: with options it plays at a dealer only")
    if not spec.plays(game, {}):
        raise GameNotPlayed(spec.refusal(game))
    return spec.compiled_policy(game, seed)


def _parser() -> OneLineParser:
    parser = OneLineParser(prog=PROG, description="Play a leg between two compiled bots.")
    add = parser.add_argument
    add("game", metavar="GAME", type=load_game, help="built-in game or game file")
    add("hands", metavar="HANDS", type=count, help="how many")
    add("seed", metavar="SEED", type=deal_seed, help="of the deals")
    for prefix, label in (("", "label"), ("other_", "other_label")):
        add(label, metavar="LABEL", help="name in the log")
        add(
            "other_seed" if prefix else "bot_seed",
            metavar="SEED",
            type=match_seed,
            help="of the bot's choices",
        )
        add(f"{prefix}bot", metavar="BOT", help="a compiled bot of arena agent --list")
    add("--deals", metavar="FILE", type=Path, help="of the cards; the seed draws what it leaves")
    add("--first-deal", metavar="N", type=int, default=0, help="deals before that of hand 0 (0)")
    return parser


if __name__ == "__main__":
    sys.exit(main())
