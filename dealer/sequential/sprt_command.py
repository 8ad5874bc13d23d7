"""`arena sprt`: how many hands a sequential test takes, before anything is played.

Exit codes: 0 done, 1 a file cannot be written, 2 wrong arguments or samples, 130 Ctrl-C.
"""

from __future__ import annotations

import argparse
import math
from dataclasses import asdict
from typing import Any, Final

from dealer.results.sequential import guessed_sd, most_mbb, predicted_hands
from engine.console.arguments import DEFAULT_GAME, load_game, positive, real_number
from engine.console.command import Command, Option, OptionGroup, WrongArguments
from engine.console.options import STDOUT, json_option
from engine.console.output import put_json, say
from engine.console.text_table import aligned
from engine.errors import LogError
from engine.estimates.sprt import SequentialTest

PROG: Final = "arena sprt"
MOST_STACK_BLINDS: Final = 1e9

DESCRIPTION: Final = """\
Tell how many hands arena match --sprt will take, before anything is played."""

EPILOG: Final = """\
samples:
  Without --samples a sample is a duplicate set of the game, with the standard deviation --sd, else
  a guess. --samples takes match folders and logs, of which it uses the duplicate sets (the hands
  where there are none), or a file with one number in mbb/h on each line.

examples:
  arena sprt --mbb1 10                                      about how many hands, by a guess
  arena sprt --mbb1 50 --sd 9000 --alpha 0.01
  arena sprt --mbb1 50 --samples matches/new.old-7          by the sets of a match
"""


def _test(options: argparse.Namespace) -> int:
    try:
        _check(options)
        test = SequentialTest(options.mbb0, options.mbb1, options.alpha, options.beta)
        return _predict(options, test)
    except LogError:
        raise
    except (ValueError, argparse.ArgumentTypeError) as error:
        raise WrongArguments(str(error)) from error


def _check(options: argparse.Namespace) -> None:
    """Refuse options that do not go together.  Raises ValueError."""
    if options.samples is None and options.player is not None:
        raise ValueError("--player is for --samples")
    if options.samples is not None and options.sd is not None:
        raise ValueError("--samples have a spread of their own: --sd does not go with it")
    if options.sd is not None and options.sd > (most := _most(options)):
        raise ValueError(
            f"--sd {options.sd:g}: no sample is larger than a stack, {most:,.0f} mbb/h, so want "
            "that or less"
        )


def _predict(options: argparse.Namespace, test: SequentialTest) -> int:
    """Say how many hands the test takes, about; return the exit code."""
    facts: dict[str, Any] = {"test": asdict(test)}
    if options.samples is None:
        size, most = 2, _most(options)
        sd = options.sd or guessed_sd(most)
        basis = "as given" if options.sd else "a guess from the stack; --sd, --samples: better ones"
    else:
        from dealer.sequential.recorded import recorded

        wanted = None if options.stack is None else _most(options)
        name, samples, most, size = recorded(
            options.samples, player=options.player, game=options.game, most=wanted
        )
        sd = float(samples.std())
        basis = f"of the {len(samples):,} samples in {name}"
        facts |= {
            "samples": name,
            "count": len(samples),
            "hands_per_sample": size,
            "mean_mbb_per_hand": float(samples.mean()),
            "ci95_mbb_per_hand": 1.96 * sd / math.sqrt(len(samples)),
        }
    hands = predicted_hands(test, sd, most, size)
    facts |= {"sd_mbb_per_sample": sd, "most_mbb_per_sample": most, "predicted_hands": hands}
    if options.json != STDOUT:
        sample = "a duplicate set" if size > 1 else "a hand"
        say(
            f"sequential test of {test.mbb0:g} against {test.mbb1:g} mbb/h, alpha {test.alpha:g}, "
            f"beta {test.beta:g}; SD of {sample} {sd:,.0f} mbb/h ({basis})\n"
        )
        for line in _rows(hands, test):
            say(line)
    return 0 if options.json is None else put_json(options.json, facts, PROG)


def _rows(hands: dict[str, int], test: SequentialTest) -> list[str]:
    """Return about how many hands a test takes, a line for each true win rate."""
    rows = [
        (f"at {mean:g} mbb/h", f"{hands[name]:,}")
        for name, mean in (("mbb0", test.mbb0), ("middle", test.middle), ("mbb1", test.mbb1))
    ]
    head = ("true win rate", "hands, about")
    return aligned([head, *rows, ("a test of a fixed size", f"{hands['fixed']:,}")])


def _most(options: argparse.Namespace) -> float:
    """Return what a hand can cost, mbb/h."""
    if options.stack is not None:
        return 1000 * float(options.stack)
    return most_mbb(load_game(options.game or DEFAULT_GAME))


_number: Final = real_number(math.isfinite, "{}: want a number")
main = Command(
    PROG,
    _test,
    DESCRIPTION,
    (
        OptionGroup(
            "the test",
            (
                Option("--mbb0 X", "win rate of H0, mbb/h (0)", _number, 0.0),
                Option("--mbb1 X", "win rate of H1, mbb/h", _number, required=True),
                Option("--alpha P", "most often H1 wrongly (0.05)", _number, 0.05),
                Option("--beta P", "most often H0 wrongly (0.05)", _number, 0.05),
            ),
        ),
        OptionGroup(
            "the samples, see below",
            (
                Option("--sd MBB", "standard deviation of a duplicate set, mbb/h", positive),
                Option("--samples PATH...", "match folders, logs, or a file of numbers"),
                Option("--player NAME", "whose samples, of logs (the first one named in them)"),
                Option("--game NAME|FILE", f"the game ({DEFAULT_GAME}; of logs, what they say)"),
                Option(
                    "--stack BB",
                    "big blinds that a sample can cost at most (what a hand of the game can)",
                    real_number(
                        lambda value: 0 < value <= MOST_STACK_BLINDS,
                        f"{{}}: want more than 0, up to {MOST_STACK_BLINDS:g}",
                    ),
                ),
            ),
        ),
        json_option(),
    ),
    EPILOG,
).main
