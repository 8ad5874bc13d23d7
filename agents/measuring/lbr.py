"""Measure what can be won from an agent, at least: `arena lbr AGENT`.

Local best response and scripts that look at no card say so; --worst finds the worst of many.
Only agents that tell their whole strategy can be measured: those with a `policy` in the roster.
Exit codes: 0 measured, 1 it cannot be, 2 wrong arguments, 130 Ctrl-C (what there is, is shown).
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any, Final

from agents.bot_words import read_bot
from agents.errors import AgentError, UnknownAgent
from agents.measuring.attacks import Bench, Ways, WorstCases, passes
from agents.measuring.attacks_report import plain_facts, plain_table, worst_facts, worst_table
from agents.measuring.strategies import (
    BETS_IN_WORDS,
    open_strategy,
    tells_strategy,
)
from agents.measuring.way_options import add_rivers, add_scripts, add_settings
from agents.recognition import describe
from engine.console.arguments import DEFAULT_GAME, count
from engine.console.exit_codes import FAILED, INTERRUPTED
from engine.console.options import STDOUT, add_game, add_jobs, add_json, add_seed
from engine.console.output import put_json, show, tell
from engine.console.parser import OneLineParser
from engine.console.progress import NowAndThen
from engine.errors import EngineError
from engine.evaluation.blind_scripts import blind_scripts
from engine.evaluation.lbr_settings import (
    PUBLISHED,
    suspect_settings,
)
from engine.evaluation.river_ways import ways_to_the_river
from protocol.gamedefs import load_builtin

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agents.agent_spec import AgentSpec
    from engine.betting.policy import GamePolicy
    from protocol.gamedef import GameDef

PROG: Final = "arena lbr"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line `argv`; return the exit code."""
    options = _parser().parse_args(argv)
    found = WorstCases()
    code = 0
    try:
        policy = _policy(options)
        options.game = policy.game
        bench = Bench(policy, policy.game, options.seed, options.jobs, NowAndThen())
        if options.worst:
            found.search(bench, _ways(options), passes(options.pairs, options.boards))
        else:
            bench.measure(_ways(options), range(options.pairs), range(options.boards), found.again)
    except KeyboardInterrupt:
        code = INTERRUPTED
    except AgentError as error:
        tell(f"{PROG}: {error}")
        return error.exit_code
    except (EngineError, OSError) as error:
        tell(f"{PROG}: {error}")
        return FAILED
    if found.again or found.tried:
        return _report(options, found) or code
    return code


def _ways(options: argparse.Namespace) -> Ways:
    """Return what is to be tried: what the user names, or else all that there is."""
    game = options.game
    if options.settings or options.script or options.river:
        return Ways(options.settings, options.script, options.river)
    if options.worst:
        return Ways(suspect_settings(game), blind_scripts(game), ways_to_the_river(game))
    return Ways(PUBLISHED, ())


def _report(options: argparse.Namespace, found: WorstCases) -> int:
    """Print the results, and write them where --json wants them; return the exit code."""
    shown = 0
    if options.json != STDOUT:
        table = worst_table if options.worst else plain_table
        shown = show(table(f"{options.agent} in {_stakes(options.game)}", found), PROG)
    if options.json is not None:
        played = {"agent": options.agent, "game": describe(options.game), "seed": options.seed}
        facts = (
            played | worst_facts(found)
            if options.worst
            else [played | plain_facts(won) for won in found.again]
        )
        return put_json(options.json, facts, PROG) or shown
    return shown


def _stakes(game: GameDef) -> str:
    """Return what of a game the figures depend on most."""
    if not game.no_limit:
        return "limit"
    return f"no-limit with {min(game.stacks) / game.big_blind:g} big blinds"


def _policy(options: argparse.Namespace) -> GamePolicy:
    spec = tells_strategy(options.agent.partition(" ")[0])
    values = read_bot(options.agent)[1] | _values(spec, options)
    game = options.game
    if game is None and values.get("model") is None:
        game = load_builtin(DEFAULT_GAME)
    return open_strategy(spec, game, values)


def _values(spec: AgentSpec, options: argparse.Namespace) -> dict[str, Any]:
    """Return those of the bot's options that "NAME=VALUE" texts give.

    Raises:
        UnknownAgent: it has no such option, or the value is no number.
    """
    known = {option.keyword: option for option in spec.options}
    values: dict[str, Any] = {}
    for text in options.set:
        name, given, value = text.partition("=")
        if not given:
            raise UnknownAgent(f"--set {text}: want NAME=VALUE")
        if name not in known:
            raise UnknownAgent(f"{spec.name} has no option {name!r}; there is {', '.join(known)}")
        try:
            values[name] = known[name].kind(value)
        except ValueError:
            raise UnknownAgent(f"{spec.name}: {name}: {value!r} is no number") from None
    return values


def _parser() -> argparse.ArgumentParser:
    parser = OneLineParser(
        prog=PROG,
        description="Measure what can be won from an agent, at least: by local best response, "
        "which knows the agent's strategy, by best responses on the river, and by scripts that bet "
        "without looking at their cards.",
        epilog=BETS_IN_WORDS,
    )
    add = parser.add_argument
    add(
        "agent",
        metavar="AGENT",
        help="an agent that tells its strategy, with its options: blueprint, "
        "or 'blueprint --model FILE'",
    )
    add(
        "--set",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="an option of the agent in another way, such as model=FILE",
    )
    add_settings(
        parser, "LBR's actions by street, such as C,C,FCPA,FCPA (without any: the published four)"
    )
    add_scripts(
        parser,
        "what a player wins who looks at no card, such as C,300f, which calls before the flop, "
        "then bets three pots once on each street, and folds to raises",
    )
    add_rivers(
        parser,
        "what a player wins who follows a script up to the river, or with FC checks, calls and "
        "folds by equity until then, and on the river plays the best response, hand by hand, with "
        "raises of 0.5, 1 and 2.5 pots and all-in",
    )
    add(
        "--worst",
        action="store_true",
        help="try many settings, scripts and ways to the river, or those named, with few samples "
        "each, then measure those again that seem worst, on other deals and boards",
    )
    add("--pairs", metavar="N", type=count, default=1000, help="pairs of hands (%(default)s)")
    add(
        "--boards",
        metavar="N",
        type=count,
        default=200,
        help="boards of a script or a river (%(default)s)",
    )
    add_seed(parser, "of the deals and boards")
    add_jobs(parser)
    add_game(parser, None, otherwise="that of the model named, else hunl")
    add_json(parser)
    return parser


if __name__ == "__main__":
    sys.exit(main())
