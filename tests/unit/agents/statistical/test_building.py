"""The modeller for the options of a command line."""

import pytest

from agents.roster.words import read_bot
from agents.statistical.bot import Settings, Statistical
from agents.statistical.building import build
from agents.statistical.departures import PRESET_SETTINGS, preset
from agents.statistical.predicting.decision_tree import DecisionTree
from agents.statistical.variants import ModellerVariant, VariantSettings


def test_options_of_the_command_line():
    """Those of `agents.roster.bots`, numbers as floats; without any the defaults."""
    assert build().settings == Settings()
    bot = build(tolerance=0.1, modelling=0.0, mirrored=1.0, confidence=0.2, memory=None)
    assert bot.settings == Settings(modelling=False, tolerance=0.1, confidence=0.2)
    with pytest.raises(ValueError, match="modelling"):
        build(modelling=2)


def test_what_is_not_asked_for_is_played_by_the_bot_itself():
    """With all options as the command line has them where none is typed."""
    spec, options = read_bot("statistical")
    bot = spec.build(options)
    assert type(bot) is Statistical
    assert bot.settings == Settings()


@pytest.mark.parametrize(
    ("words", "changed"),
    [
        ("", {}),
        ("--confidence 0.5", {"confidence": 0.5}),
        ("--tolerance 0.1 --values 1", {"tolerance": 0.1, "values": True}),
        ("--bin_samples 7 --optimistic 0", {"bin_samples": 7, "optimistic": False}),
    ],
)
def test_options_count_for_more_than_the_preset(words, changed):
    """Also where they are what the bot does by default."""
    spec, options = read_bot(f"statistical --preset patent {words}")
    bot = spec.build(options)
    assert type(bot) is ModellerVariant
    assert bot.settings == VariantSettings(**{**PRESET_SETTINGS["patent"], **changed})


def test_each_setting_has_an_option():
    """Of a variant, alone."""
    spec, _ = read_bot("statistical")
    flags = {option.keyword for option in spec.options}
    assert set(VariantSettings.__dataclass_fields__) <= flags
    assert spec.build({"candidates": 1.0}).settings == VariantSettings(candidates=True)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"preset": "papp"}, "preset 'papp': want patent"),
        ({"values": 2.0}, "values 2: want 0 or 1"),
        ({"bin_samples": 2.5}, "bin_samples 2.5: want a whole number"),
        ({"bin_samples": -1.0}, "-1 samples a bin"),
        ({"predictor": "bush"}, "predictor 'bush': want counters, ann, tree, or the file of one"),
        ({"predictor": "frequencies"}, "predictor 'frequencies': want counters"),
        ({"weights": "bush"}, "weights 'bush': want shown, curves, sequences, tree"),
        ({"preset": "patent", "weights": "tree"}, "weights tree go by EHS, .* optimistic 0"),
        ({"preset": "patent", "confidence": 1.0}, "confidence 1"),
    ],
)
def test_wrong_options_are_told_by_name(options, message):
    """In a line."""
    with pytest.raises(ValueError, match=message):
        build(**options)


def test_the_tree_is_played_by_the_tree():
    """No word is answered by another predictor."""
    assert build(predictor="tree")._predictor.KIND is DecisionTree.KIND


def test_a_preset_names_its_settings():
    """Others count for more."""
    assert preset("patent").candidates
    assert preset("patent", candidates=False) == preset("patent", candidates=False, values=False)
