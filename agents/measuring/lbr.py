"""Measure how much local best response wins: `arena lbr AGENT`.

Only agents that tell their whole strategy can be measured: those with a `policy` in the roster.
Exit codes: 0 measured, 1 it cannot be, 2 wrong arguments, 130 Ctrl-C (what there is, is shown).
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from agents.bot_words import read_bot
from agents.errors import AgentError, UnknownAgent
from agents.roster import ROSTER, AgentSpec
from engine.console.arguments import count
from engine.console.exit_codes import FAILED, INTERRUPTED
from engine.console.options import STDOUT, add_game, add_jobs, add_json, add_seed
from engine.console.output import show, tell, write_files
from engine.console.parser import OneLineParser
from engine.console.progress import NowAndThen
from engine.console.quantities import interval
from engine.errors import EngineError
from engine.evaluation.lbr import LocalBestResponse
from engine.evaluation.lbr_match import LbrSamples, join_samples, measure
from engine.evaluation.lbr_result import LbrResult, result_of
from engine.evaluation.lbr_settings import PUBLISHED, LbrSettings, parse_lbr_settings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.betting.policy import Policy
    from protocol.gamedef import GameDef

PROG: Final = "arena lbr"
_PAIRS_AT_ONCE: Final = 1000
"""Pairs that are lost at the most by Ctrl-C."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line `argv`; return the exit code."""
    options = _parser().parse_args(argv)
    results: list[LbrResult] = []
    try:
        policy = _policy(options)
        for settings in options.settings or PUBLISHED:
            samples, complete = _measured(policy, options, settings)
            if samples is not None:
                results.append(result_of(samples))
            if not complete:
                break
    except AgentError as error:
        tell(f"{PROG}: {error}")
        return error.exit_code
    except (EngineError, OSError) as error:
        tell(f"{PROG}: {error}")
        return FAILED
    code = 0
    if results and options.json != STDOUT:
        code = show(_table(options.agent, results), PROG)
    if options.json is not None and results:
        text = json.dumps([asdict(result) for result in results], indent=2) + "\n"
        code = write_files({options.json: text}, PROG) or code
    return code if complete else INTERRUPTED


def _measured(
    policy: Policy, options: argparse.Namespace, settings: LbrSettings
) -> tuple[LbrSamples | None, bool]:
    """Play one setting; return what was played, and whether that is all."""
    game: GameDef = options.game
    responder = LocalBestResponse(policy, game, settings)
    parts: list[LbrSamples] = []
    said = NowAndThen()
    try:
        for first in range(0, options.pairs, _PAIRS_AT_ONCE):
            pairs = min(_PAIRS_AT_ONCE, options.pairs - first)
            parts.append(
                measure(
                    responder,
                    pairs,
                    options.seed,
                    first_pair=first,
                    workers=options.jobs,
                    progress=lambda done, first=first: said(  # type: ignore[misc]
                        f"{settings.name}: {first + done.pairs:,} of {options.pairs:,} pairs"
                    ),
                )
            )
    except KeyboardInterrupt:
        return (join_samples(parts) if parts else None), False
    return join_samples(parts), True


def _table(agent: str, results: Sequence[LbrResult]) -> str:
    """Return what LBR wins, a line for each setting."""
    width = max(len(result.settings) for result in results)
    lines = [f"local best response against {agent}, mbb/h (95 %)"]
    for result in results:
        rate = result.rate
        lines.append(
            f"  {result.settings:{width}}  {interval(rate.mbb_per_hand, rate.ci95, 0):>16}  "
            f"{rate.samples:,} pairs, luck taken out"
        )
    lines.append("A lower bound of how much can be won; below 0 it proves nothing.")
    return "\n".join(lines) + "\n"


def _policy(options: argparse.Namespace) -> Policy:
    measurable = {spec.name: spec for spec in ROSTER if spec.policy is not None}
    name = options.agent.partition(" ")[0]
    spec = measurable.get(name)
    if spec is None:
        raise UnknownAgent(f"{name!r} tells no strategy; there is {', '.join(measurable)}")
    values = read_bot(options.agent)[1] | _values(spec, options)
    try:
        return spec.strategy(options.game, values)
    except EngineError:
        raise  # a ValueError, too, but of a file
    except ValueError as error:
        raise UnknownAgent(f"{spec.name}: {error}") from error


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
        description="Measure how much local best response, which knows an agent's strategy, wins "
        "from it.",
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
    add(
        "--settings",
        metavar="ACTIONS",
        action="append",
        type=_settings,
        help="LBR's actions by street, such as C,C,FCPA,FCPA; may be repeated (the published four)",
    )
    add("--pairs", metavar="N", type=count, default=1000, help="pairs of hands (%(default)s)")
    add_seed(parser, "of the deals")
    add_jobs(parser)
    add_game(parser)
    add_json(parser)
    return parser


def _settings(text: str) -> LbrSettings:
    try:
        return parse_lbr_settings(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


if __name__ == "__main__":
    sys.exit(main())
