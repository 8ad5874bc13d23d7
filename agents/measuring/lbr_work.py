"""What `arena lbr` does once its arguments are read: measures an agent, and tells."""

from __future__ import annotations

import argparse
import math
import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, Final, cast

from agents.errors import AgentError, UnknownAgent
from agents.measuring.small_games import response_gains
from agents.roster.strategies import open_strategy, tells_strategy
from agents.roster.words import read_bot
from agents.seat.game_validator import describe
from engine.commands.clusters import cluster_wanted
from engine.console.arguments import DEFAULT_GAME
from engine.console.exit_codes import FAILED, INTERRUPTED
from engine.console.options import STDOUT
from engine.console.output import put_json, show, tell
from engine.console.progress import RateLimiter
from engine.console.quantities import interval
from engine.console.shard_records import begin_shard, file_facts, game_fact, new_record
from engine.errors import EngineError
from engine.estimates.winrate import WinRate
from engine.evaluation.attacks import (
    NAMES_OF_KINDS,
    ONE_LINE_SUFFIX,
    WAYS_MEASURED_AGAIN,
    AttackResult,
    Bench,
    Ways,
    WorstCases,
    passes,
    worst_first,
)
from engine.evaluation.blind_scripts import blind_scripts
from engine.evaluation.lbr_match import MeasuringWorkers
from engine.evaluation.lbr_settings import PUBLISHED_SETTINGS, suspect_settings
from engine.evaluation.shard_units import shard_units
from engine.evaluation.trunk_policies import ways_to_the_river
from engine.parallel.shards import without_options
from protocol.gamedefs import load_builtin

if TYPE_CHECKING:
    from agents.roster.spec import AgentSpec
    from engine.betting.policy import GamePolicy
    from engine.evaluation.shard_units import Units
    from engine.parallel.shards import Shard
    from protocol.gamedef import GameDef


def measure_bot(options: argparse.Namespace, prog: str, units: Units | None = None) -> int:
    """Measure what the options of `lbr` ask for, and show it; return the exit code.

    Args:
        prog: its name, before what goes wrong.
        units: knows what shards have measured; None: all is measured here.
    """
    cases = WorstCases()
    code = 0
    try:
        with _measuring(options, units) as bench:
            if not bench.game.is_holdem:
                return _respond(options, cast("GamePolicy", bench.policy), prog)
            if options.worst:
                cases.search(bench, _ways(options), passes(options.pairs, options.boards))
            else:
                pairs, boards = range(options.pairs), range(options.boards)
                bench.measure(_ways(options), pairs, boards, cases.again)
    except KeyboardInterrupt:
        code = INTERRUPTED
    except AgentError as error:
        tell(f"{prog}: {error}")
        return error.exit_code
    except (EngineError, OSError) as error:
        tell(f"{prog}: {error}")
        return getattr(error, "exit_code", FAILED)
    if cases.again or cases.tried:
        return _report(options, cases, prog) or code
    return code


def measure_shard(options: argparse.Namespace, shard: Shard, prog: str) -> int:
    """Measure one shard of what the options ask for, into their folder; return the exit code.

    Raises:
        AgentError, EngineError: it cannot be measured, or the folder is of something else.
        OSError: it cannot be written.
    """
    with _measuring(options) as bench:
        if not bench.game.is_holdem:
            raise UnknownAgent("a small game is measured at once: leave --shard out")
        ways, words = _ways(options), without_options(options.argv, "--shard")
        record = new_record(prog, words, shard, _compared(options, ways))
        begin_shard(options.out, record)
        with shard_units(options.out, shard, record.digest, bench.said) as units:
            try:
                replace(bench, units=units).measure(
                    ways, range(options.pairs), range(options.boards), []
                )
            except KeyboardInterrupt:
                tell(f"{prog}: {units.over:,} units are over; the same command resumes")
                return INTERRUPTED
    text = f"shard {shard}: {units.over:,} units are over, in {options.out}\n"
    text += f"all shards together: arena merge {shlex.quote(str(options.out))}\n"
    return show(text, prog)


def _respond(options: argparse.Namespace, policy: GamePolicy, prog: str) -> int:
    """Show what best responses win in a small game, exactly; return the exit code.

    Raises:
        UnknownAgent: there are options for what is not exact.
        InvalidGame: as from `response_gains`.
    """
    if options.settings or options.script or options.river or options.worst:
        raise UnknownAgent("best responses to small games are exact: no --settings and the like")
    game, gained = policy.game, response_gains(policy)
    rates = [1000 * float(chips) / game.big_blind for chips in (*gained, gained.mean())]
    lines = [
        f"best responses to {options.agent} in {describe(game)}, exact, mbb/h",
        *(f"  position {seat} gains {rate:.4g}" for seat, rate in enumerate(rates[:-1])),
        f"exploitability {rates[-1]:.4g}, the mean: {gained.mean():.4g} chips",
    ]
    shown = 0 if options.json == STDOUT else show("\n".join(lines) + "\n", prog)
    if options.json is not None:
        facts = {
            "agent": options.agent,
            "game": describe(game),
            "gains_chips": gained.tolist(),
            "exploitability_chips": float(gained.mean()),
            "mbb_per_hand": rates[-1],
        }
        return put_json(options.json, facts, prog) or shown
    return shown


@contextmanager
def _measuring(options: argparse.Namespace, units: Units | None = None) -> Iterator[Bench]:
    """Open the agent, whose game is then that of the options; with --executor, elsewhere."""
    asked = (options.agent, tuple(options.set), options.game)
    policy = open_named(*asked)
    options.game = policy.game
    bench = Bench(
        policy,
        policy.game,
        options.seed,
        options.jobs,
        RateLimiter(),
        holes=options.holes,
        one_line=options.one_line,
        units=units,
    )
    if options.executor is not None:
        _check_steady(options)
    with cluster_wanted(options.executor, options.jobs, tell) as cluster:
        if cluster is not None:
            bench = replace(bench, elsewhere=MeasuringWorkers(cluster, open_named, asked))
        yield bench
        for line in () if cluster is None else cluster.lines():
            tell(line)


def _check_steady(options: argparse.Namespace) -> None:
    """Refuse an agent whose strategy depends on how fast its machine is.

    Raises:
        UnknownAgent: it thinks by the clock.
    """
    spec, values = _spec_and_values(options.agent, options.set)
    if spec.clock_note(values):
        raise UnknownAgent(
            f"{spec.name} thinks by the clock, so with --executor its strategy would depend on who "
            f'measures; give it {spec.steady}, as in "{spec.name} {spec.steady} 100"'
        )


def _compared(options: argparse.Namespace, ways: Ways) -> dict[str, str]:
    """Return all that the result depends on, once the agent is open."""
    facts = {
        name: str(getattr(options, name)) for name in ("agent", "set", "seed", "pairs", "holes")
    }
    facts |= {"boards": str(options.boards), "one line": str(options.one_line)}
    facts["game"] = game_fact(options.game)
    for kind in Ways._fields:
        facts[kind] = " ".join(way.name for way in getattr(ways, kind))
    return facts | file_facts([*options.agent.split(), *options.set])


def _ways(options: argparse.Namespace) -> Ways:
    """Return what is to be tried: what the user names, or else all that there is."""
    game = options.game
    if options.settings or options.script or options.river:
        return Ways(options.settings, options.script, options.river)
    if options.worst:
        return Ways(suspect_settings(game), blind_scripts(game), ways_to_the_river(game))
    return Ways(PUBLISHED_SETTINGS, ())


def _report(options: argparse.Namespace, cases: WorstCases, prog: str) -> int:
    """Print the results, and write them where --json wants them; return the exit code."""
    shown = 0
    spec, values = _spec_and_values(options.agent, options.set)
    note = spec.clock_note(values)
    if options.json != STDOUT:
        table = worst_table if options.worst else plain_table
        text = table(f"{options.agent} in {_stakes(options.game)}", cases)
        shown = show(f"{text}{note}\n" if note else text, prog)
    if options.json is not None:
        played = {"agent": options.agent, "game": describe(options.game), "seed": options.seed}
        played |= {"note": note} if note else {}
        facts = (
            played | worst_facts(cases)
            if options.worst
            else [played | plain_facts(won) for won in cases.again]
        )
        return put_json(options.json, facts, prog) or shown
    return shown


def _stakes(game: GameDef) -> str:
    """Return what of a game the figures depend on most."""
    if not game.no_limit:
        return "limit"
    return f"no-limit with {min(game.stacks) / game.big_blind:g} big blinds"


def open_named(agent: str, settings: Sequence[str], game: GameDef | None) -> GamePolicy:
    """Return the strategy of an agent, on any machine.

    Args:
        agent: with its options.
        settings: "NAME=VALUE" texts that set options in another way.
        game: None for that of its model, else no-limit hold'em.

    Raises:
        AgentError, EngineError: there is none.
    """
    spec, values = _spec_and_values(agent, settings)
    if game is None and values.get("model") is None:
        game = load_builtin(DEFAULT_GAME)
    return open_strategy(spec, game, values)


def _spec_and_values(agent: str, settings: Sequence[str]) -> tuple[AgentSpec, dict[str, Any]]:
    """Return an agent that tells its strategy, and its options; see `open_named`.

    Raises:
        UnknownAgent: there is none, or no such option.
    """
    spec = tells_strategy(agent.partition(" ")[0])
    return spec, read_bot(agent)[1] | _values(spec, settings)


def _values(spec: AgentSpec, settings: Sequence[str]) -> dict[str, Any]:
    """Return those of the bot's options that "NAME=VALUE" texts give.

    Raises:
        UnknownAgent: it has no such option, or the value is no number.
    """
    option_of = {option.keyword: option for option in spec.options}
    values: dict[str, Any] = {}
    for text in settings:
        name, given, value = text.partition("=")
        if not given:
            raise UnknownAgent(f"--set {text}: want NAME=VALUE")
        if name not in option_of:
            raise UnknownAgent(
                f"{spec.name} has no option {name!r}; there is {', '.join(option_of)}"
            )
        try:
            values[name] = option_of[name].kind(value)
        except ValueError:
            raise UnknownAgent(f"{spec.name}: {name}: {value!r} is no number") from None
    return values


_BOUND: Final = "A lower bound of how much can be won; below 0 it proves nothing."


def plain_table(agent: str, cases: WorstCases) -> str:
    """Return what was won, a line for each way, in the order in which they were named."""
    of_lbr = all(won.lbr is not None for won in cases.again)
    title = "local best response against" if of_lbr else "won from"
    lines = [f"{title} {agent}, mbb/h (95 %)", *_rows(cases.again), _BOUND]
    return "\n".join(lines) + "\n"


def worst_table(agent: str, cases: WorstCases) -> str:
    """Return what was won, the most first: what was measured again, else what was only tried."""
    if not cases.again:
        lines = [
            f"tried against {agent}, mbb/h (95 %)",
            *_rows(worst_first(cases.tried)),
            "Not measured again: the highest of many figures are too high by chance.",
        ]
        return "\n".join(lines) + "\n"
    lines = [f"worst cases of {agent}, mbb/h (95 %)", *_rows(worst_first(cases.again))]
    if cases.tried:
        lines += [
            f"Tried before: {_tried(cases.tried)}.",
            f"The worst {WAYS_MEASURED_AGAIN} of a kind were then measured on other deals and "
            "boards, as above.",
        ]
    return "\n".join([*lines, _BOUND]) + "\n"


def plain_facts(won: AttackResult) -> dict[str, Any]:
    """Return what one way won: all that is known of it."""
    if won.lbr is None:
        return {**_named(won), "rate": _rate(won.rate)}
    facts = asdict(won.lbr)
    return {**facts, "rate": _rate(won.lbr.rate), "plain": _rate(won.lbr.plain)}


def worst_facts(cases: WorstCases) -> dict[str, Any]:
    """Return what was won in both passes, the most first."""
    return {
        "measured_again": list(map(_facts, worst_first(cases.again))),
        "tried": list(map(_facts, worst_first(cases.tried))),
    }


def _facts(won: AttackResult) -> dict[str, Any]:
    rate = _rate(won.rate)
    return {
        **_named(won),
        "mbb_per_hand": rate["mbb_per_hand"],
        "ci95": rate["ci95"],
        "boards" if won.lbr is None else "pairs": rate["samples"],
    }


def _named(won: AttackResult) -> dict[str, str]:
    """Return {"settings": TEXT}, {"script": TEXT} or {"river": TEXT}."""
    if won.lbr is not None:
        return {"settings": won.name}
    kind, _, text = won.name.partition(":")
    return {kind: text}


def _rate(rate: WinRate) -> dict[str, float | None]:
    """Return a win rate; None where too few samples tell nothing."""
    measures = {"mbb_per_hand": rate.mbb_per_hand, "ci95": rate.ci95, "sd": rate.sd}
    counts = {"samples": rate.samples, "hands": rate.hands}
    return {
        name: measure if math.isfinite(measure) else None for name, measure in measures.items()
    } | counts


def _tried(results: Sequence[AttackResult]) -> str:
    """Return how many ways were tried, and with how much of each kind."""
    kinds = [("LBR settings", [won for won in results if won.lbr is not None])]
    for start, name in NAMES_OF_KINDS.items():
        kinds.append((name, [won for won in results if won.name.startswith(start)]))
    kinds_tried = [
        f"{len(ways)} {kind} with {ways[0].samples} each" for kind, ways in kinds if ways
    ]
    return ", ".join(kinds_tried[:-1]) + " and " * (len(kinds_tried) > 1) + kinds_tried[-1]


def _rows(results: Sequence[AttackResult]) -> list[str]:
    width = max(len(won.name) for won in results)
    return [
        f"  {won.name:{width}}  {interval(won.rate.mbb_per_hand, won.rate.ci95, 0):>16}  "
        f"{won.samples}, {_exact(won)}"
        for won in results
    ]


def _exact(won: AttackResult) -> str:
    """Return what of chance does not count, in words."""
    if won.lbr is not None:
        return "luck taken out"
    return "all hands" if won.name.endswith(ONE_LINE_SUFFIX) else "all hands and actions"
