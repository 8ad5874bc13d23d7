"""The options of a choice among minimisers, and settings by name."""

import argparse

import pytest

from engine.cfr.adaptive import FAST_POOL, PATENT_POOL, Bonus, UcbRule, Update
from engine.cfr.adaptive_choice import AdaptiveChoice
from engine.cfr.solver import StrategyKind
from engine.commands.minimiser_options import (
    CHOICE,
    PRESET_OPTION,
    choice_of,
    given,
    parse_with_preset,
)
from engine.console.command import OptionGroup, add_options


def parser():
    """One with all of them, and --start."""
    made = argparse.ArgumentParser()
    add_options(made, (PRESET_OPTION, OptionGroup("the choice", CHOICE)))
    made.add_argument("--start", default="uniform")
    return made


def chosen(*words):
    """The choice of a command line, and its start."""
    options = parse_with_preset(parser(), words, {"start": "random"})
    return choice_of(options), options.start


@pytest.mark.parametrize(
    ("words", "pool", "exploration", "reward", "start"),
    [
        ("", FAST_POOL, 0.01, StrategyKind.CURRENT, "uniform"),
        ("--preset patent", PATENT_POOL, 1.0, StrategyKind.CURRENT, "random"),
        (
            "--exploration 0 --preset patent --reward=average --start uniform",
            *(PATENT_POOL, 0.0, StrategyKind.AVERAGE, "uniform"),
        ),
    ],
)
def test_choices_of_command_lines(words, pool, exploration, reward, start):
    """The defaults, the patent's settings, and options on either side of a preset."""
    rule = UcbRule(Update.SUM, Bonus.ROOT, exploration, 0.1)
    assert chosen(*words.split()) == (AdaptiveChoice(pool, rule, reward), start)


def test_what_was_given_is_named():
    """As it is typed; nothing by default."""
    made = parser()
    assert given(made.parse_args([])) == []
    assert given(made.parse_args(["--every=3", "--alpha=0.2"])) == ["--alpha", "--every"]


def test_numbers_out_of_range_are_refused():
    """By the rule, for one that the option lets through."""
    with pytest.raises(ValueError, match="alpha 3"):
        chosen("--alpha", "3")
