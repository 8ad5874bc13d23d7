"""A leg between two compiled bots in one process, without a dealer: `arena match --in-process`.

    python -m agents.compiled.leg_player GAME HANDS SEED LABEL SEED BOT LABEL SEED BOT

writes the lines of the log that a dealer would have written of them, its comments aside: the same
bots draw the same numbers there.  Exit codes: 0 played, 1 it cannot be, 2 a bot is not compiled or
does not play the game, 130 interrupted.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

from agents.bot_words import read_bot
from agents.command import match_seed
from agents.errors import AgentError, GameNotPlayed, UnknownAgent
from engine.console.arguments import count, deal_seed, load_game
from engine.console.exit_codes import FAILED, INTERRUPTED
from engine.console.output import tell
from engine.console.parser import OneLineParser
from engine.errors import EngineError
from engine.play.compiled_match import play_matches
from engine.play.record import state_lines
from protocol.handlog import Score, format_chips, format_score

if TYPE_CHECKING:
    from collections.abc import Sequence

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
            game, [policies], options.hands, options.seed, record=True, threads=1
        )
        names = (options.label, options.other_label)
        for line in state_lines(game, result, names):
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
    except (EngineError, OSError) as error:
        tell(f"{PROG}: {error}")
        return FAILED
    return 0


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
    return parser


if __name__ == "__main__":
    sys.exit(main())
