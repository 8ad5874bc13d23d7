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


def test_the_defaults_are_the_sum_as_printed_over_fast_members():
    """With a bonus that soon is small."""
    rule = UcbRule(Update.SUM, Bonus.ROOT, 0.01, 0.1)
    assert chosen() == (AdaptiveChoice(FAST_POOL, rule), "uniform")


def test_the_patents_settings():
    """Its pool with Hedge at rate 1, a bonus of 1, and what the command adds."""
    rule = UcbRule(Update.SUM, Bonus.ROOT, 1.0, 0.1)
    assert chosen("--preset", "patent") == (AdaptiveChoice(PATENT_POOL, rule), "random")


def test_options_beside_a_preset_count_more():
    """On either side of it."""
    words = ["--exploration", "0", "--preset", "patent", "--reward=average", "--start", "uniform"]
    rule = UcbRule(Update.SUM, Bonus.ROOT, 0.0, 0.1)
    assert chosen(*words) == (AdaptiveChoice(PATENT_POOL, rule, StrategyKind.AVERAGE), "uniform")


def test_what_was_given_is_named():
    """As it is typed; nothing by default."""
    made = parser()
    assert given(made.parse_args([])) == []
    assert given(made.parse_args(["--every=3", "--alpha=0.2"])) == ["--alpha", "--every"]


def test_numbers_out_of_range_are_refused():
    """By the rule, for one that the option lets through."""
    with pytest.raises(ValueError, match="alpha 3"):
        chosen("--alpha", "3")
