"""`arena sprt`: how many hands a sequential test takes, and how often it is wrong.

Exit codes: 0 done, 1 a file cannot be written, 2 wrong arguments or samples, 130 Ctrl-C (what was
simulated until then is shown).
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from dealer.logs.errors import LogError
from dealer.results.sequential import guessed_sd, most_mbb, predicted_hands
from engine.console.arguments import DEFAULT_GAME, count, load_game, positive, real_number
from engine.console.exit_codes import WRONG_ARGUMENTS
from engine.console.options import STDOUT, add_jobs, add_json, add_seed
from engine.console.output import put_json, quietly, say, stopped, tell
from engine.console.parser import OneLineParser
from engine.console.progress import LivingLine
from engine.console.quantities import duration
from engine.estimates.sprt import SequentialTest
from engine.parallel.threads import available_cores

if TYPE_CHECKING:
    from engine.sequential.populations import Population
    from engine.sequential.trials import Trials

PROG: Final = "arena sprt"
AS_RECORDED: Final = "recorded"
MOST_DRAWS: Final = 1e12
"""Samples of a simulation: a day or two of a core."""
DRAWS_PER_SECOND: Final = 5e6
"""Of a thread, about."""
WORTH_TELLING: Final = 10
"""Seconds that a simulation takes."""
MOST_STACK: Final = 1e9
"""Big blinds."""
LAWS: Final = ("normal", "student", "all-ins", "all-ins-won", "all-ins-lost")
"""`engine.sequential.populations.LAWS`, known without numpy."""

DESCRIPTION: Final = """\
Tell how many hands arena match --sprt will take, before anything is played. With --simulate run
such tests on recorded or synthetic samples, and count how often they are wrong and how long they
take."""

EPILOG: Final = """\
samples:
  Without --samples a sample is a duplicate set of the game, with the standard deviation --sd, else
  a guess. --samples takes match folders and logs, of which it uses the duplicate sets (the hands
  where there are none), or a file with one number in mbb/h on each line.
  --law gives synthetic samples, cut off at the stack: normal, student (Student's with 3 degrees of
  freedom), or small pots beside few all-ins for whole stacks. Of these all-ins half (all-ins),
  9 of 10 (all-ins-won) or 1 of 10 (all-ins-lost) are won.

examples:
  arena sprt --mbb1 10                                      about how many hands, by a guess
  arena sprt --mbb1 50 --sd 9000 --alpha 0.01
  arena sprt --mbb1 50 --samples matches/new.old-7          by the sets of a match
  arena sprt --mbb1 200 --law normal all-ins-won --sd 5000 --simulate 2000
  arena sprt --mbb1 50 --samples matches/new.old-7 --block 100 --simulate 1000 --mean 0 50 recorded
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    return quietly(lambda: _run(argv), PROG)


def _run(argv: Sequence[str] | None) -> int:
    parser = _parser()
    options = parser.parse_args(argv)
    try:
        _check(options)
        test = SequentialTest(options.mbb0, options.mbb1, options.alpha, options.beta)
        return _tell(options, test)
    except LogError as error:
        tell(f"{PROG}: {error}")
        return WRONG_ARGUMENTS
    except (ValueError, argparse.ArgumentTypeError) as error:
        parser.error(str(error))


def _check(options: argparse.Namespace) -> None:
    """Refuse options that do not go together.  Raises ValueError."""
    if options.samples is None and (options.player is not None or AS_RECORDED in options.mean):
        raise ValueError(f"--player and --mean {AS_RECORDED} are for --samples")
    if options.samples is not None and (options.sd is not None or options.law is not None):
        raise ValueError(
            "--samples have a spread of their own: neither --sd nor --law goes with it"
        )
    if options.simulate is None and (options.mean or options.block is not None or options.law):
        raise ValueError("--mean, --block and --law are for --simulate N")
    if options.sd is not None and options.sd > (most := _most(options)):
        raise ValueError(
            f"--sd {options.sd:g}: no sample is larger than a stack, {most:,.0f} mbb/h, so want "
            "that or less"
        )
    if options.block is not None and options.samples is None:
        raise ValueError("--block is for --samples: made-up ones do not depend on each other")


def _tell(options: argparse.Namespace, test: SequentialTest) -> int:
    if options.simulate is None and options.samples is None:
        return _predict(options, test)
    populations = _populations(options)
    if options.simulate is None:
        (population,) = populations
        return _predict(options, test, population)
    return _simulate(options, test, populations)


def _predict(
    options: argparse.Namespace, test: SequentialTest, population: Population | None = None
) -> int:
    """Say how many hands the test takes, about; return the exit code."""
    from dealer.sequential.report import population_document, prediction_rows, test_document

    facts: dict[str, Any] = {"test": test_document(test)}
    if population is None:
        most = _most(options)
        sd = options.sd or guessed_sd(most)
        basis = "as given" if options.sd else "a guess from the stack; --sd, --samples: better ones"
        size, hands = 2, predicted_hands(test, sd, most)
        facts |= {"sd_mbb_per_sample": sd, "most_mbb_per_sample": most, "predicted_hands": hands}
    else:
        sd, size = population.sd, population.hands_per_sample
        hands = predicted_hands(test, sd, population.most, size)
        basis = f"of the {len(population.samples):,} samples in {population.name}"
        facts |= population_document(population, hands)
    if options.json != STDOUT:
        sample = "a duplicate set" if size > 1 else "a hand"
        say(f"{_heading(test)}; SD of {sample} {sd:,.0f} mbb/h ({basis})\n")
        for line in prediction_rows(hands, test):
            say(line)
    return 0 if options.json is None else put_json(options.json, facts, PROG)


def _simulate(
    options: argparse.Namespace, test: SequentialTest, populations: Sequence[Population]
) -> int:
    """Run tests, or those until Ctrl-C, and report them; return the exit code."""
    from dealer.sequential.report import population_document, test_document, trials_document
    from engine.sequential.trials import expected_draws, run_trials

    means = options.mean or [test.mbb0, test.middle, test.mbb1]
    wanted = [(one, None if mean == AS_RECORDED else mean) for one in populations for mean in means]
    draws = [expected_draws(test, one, mean, options.simulate) for one, mean in wanted]
    _tell_time(sum(draws), options.jobs)
    done: list[tuple[Population, Trials]] = []
    code = 0
    with LivingLine() as line:
        try:
            for number, (population, mean) in enumerate(wanted):

                def show(share: float, before: int = number) -> None:
                    total = (before + share) / len(wanted)
                    line.show_often(lambda: f"{total:.0%} of {len(wanted)} simulations")

                found = run_trials(
                    test, population, mean, options.simulate, options.seed,
                    block=options.block or 1, threads=options.jobs, progress=show,
                )  # fmt: skip
                done.append((population, found))
        except KeyboardInterrupt:
            line.clear()
            code = stopped(PROG, len(done), len(wanted), "simulations")
    if not done:
        return code
    facts = []
    for population in populations:
        hands = predicted_hands(test, population.sd, population.most, population.hands_per_sample)
        own = [trials_document(trials) for one, trials in done if one is population]
        facts.append({**population_document(population, hands), "trials": own})
    if options.json != STDOUT:
        _say_trials(test, done, options)
    if options.json is None:
        return code
    document = {
        "test": test_document(test),
        "seed": options.seed,
        "block": options.block or 1,
        "populations": facts,
    }
    return put_json(options.json, document, PROG) or code


def _tell_time(draws: float, jobs: int | None) -> None:
    """Say how long a simulation takes, about.  Raises ValueError where it would never end."""
    seconds = draws / (DRAWS_PER_SECOND * (jobs or available_cores()))
    if draws > MOST_DRAWS:
        raise ValueError(
            f"about {draws:.1e} samples would be drawn, some {seconds / 3600:,.0f} hours: want "
            f"{MOST_DRAWS:g} at most, by fewer tests or hypotheses further apart"
        )
    if seconds > WORTH_TELLING:
        tell(f"{PROG}: about {draws:.1e} samples will be drawn, some {duration(seconds)}")


def _say_trials(
    test: SequentialTest, done: Sequence[tuple[Population, Trials]], options: argparse.Namespace
) -> None:
    from dealer.sequential.report import trial_rows

    block = f", blocks of {options.block}" if options.block else ""
    say(f"{_heading(test)}; seed {options.seed}{block}")
    for population in dict.fromkeys(population for population, _ in done):
        say(
            f"{population.name}: {len(population.samples):,} samples of "
            f"{population.hands_per_sample} hands, mean {population.mean:,.1f}, SD "
            f"{population.sd:,.0f} mbb/h, skewness {population.skewness:.1f}"
        )
    say("")
    fixed = [
        population.hands_per_sample * test.fixed_samples(population.sd) for population, _ in done
    ]
    for text in trial_rows([(population.name, trials) for population, trials in done], fixed):
        say(text)


def _heading(test: SequentialTest) -> str:
    return (
        f"sequential test of {test.mbb0:g} against {test.mbb1:g} mbb/h, alpha {test.alpha:g}, "
        f"beta {test.beta:g}"
    )


def _most(options: argparse.Namespace) -> float:
    """Return what a hand can cost, mbb/h."""
    if options.stack is not None:
        return 1000 * float(options.stack)
    return most_mbb(load_game(options.game or DEFAULT_GAME))


def _populations(options: argparse.Namespace) -> list[Population]:
    """Return what samples are drawn from.  Raises LogError, ValueError."""
    if options.samples is not None:
        from dealer.sequential.recorded import recorded

        most = None if options.stack is None else _most(options)
        return [recorded(options.samples, player=options.player, game=options.game, most=most)]
    from engine.sequential.populations import made_up

    most = _most(options)
    sd = options.sd or guessed_sd(most)
    laws = dict.fromkeys(options.law or LAWS[:1])
    return [made_up(law, sd, most, options.seed) for law in laws]


def _mean(text: str) -> float | str:
    """Return a true mean."""
    refusal = f"{{}}: want a win rate in mbb/h, or {AS_RECORDED}"
    return text if text == AS_RECORDED else real_number(math.isfinite, refusal)(text)


def _parser() -> argparse.ArgumentParser:
    parser = OneLineParser(
        prog=PROG,
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    number = real_number(math.isfinite, "{}: want a number")
    add = parser.add_argument_group("the test").add_argument
    add("--mbb0", metavar="X", type=number, default=0.0, help="win rate of H0, mbb/h (0)")
    add("--mbb1", metavar="X", type=number, required=True, help="win rate of H1, mbb/h")
    add("--alpha", metavar="P", type=number, default=0.05, help="most often H1 wrongly (0.05)")
    add("--beta", metavar="P", type=number, default=0.05, help="most often H0 wrongly (0.05)")
    samples = parser.add_argument_group("the samples, see below")
    add = samples.add_argument
    add("--sd", metavar="MBB", type=positive, help="standard deviation of a duplicate set, mbb/h")
    add("--samples", metavar="PATH", nargs="+", help="match folders, logs, or a file of numbers")
    add("--player", metavar="NAME", help="whose samples, of logs (the first one named in them)")
    add("--game", metavar="NAME|FILE", help=f"the game ({DEFAULT_GAME}; of logs, what they say)")
    add(
        "--stack",
        metavar="BB",
        type=real_number(
            lambda value: 0 < value <= MOST_STACK, f"{{}}: want more than 0, up to {MOST_STACK:g}"
        ),
        help="big blinds that a sample can cost at most (what a hand of the game can)",
    )
    simulation = parser.add_argument_group("simulation")
    add = simulation.add_argument
    add("--simulate", metavar="N", type=count, help="run N tests for each true win rate")
    add(
        "--mean",
        metavar="X",
        type=_mean,
        nargs="+",
        default=[],
        help="true win rates, mbb/h, to which samples are shifted (mbb0, halfway, mbb1); "
        f"{AS_RECORDED} leaves them as they are",
    )
    add("--law", metavar="LAW", choices=LAWS, nargs="+", help="make samples up (normal)")
    add(
        "--block",
        metavar="B",
        type=count,
        help="samples drawn together, in their order (1): more where bots learn",
    )
    add_seed(simulation, "of draws")
    add_jobs(simulation, "threads")
    add_json(parser)
    return parser


if __name__ == "__main__":
    sys.exit(main())
