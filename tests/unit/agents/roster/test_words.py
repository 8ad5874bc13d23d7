"""Bots with options in one argument."""

import pytest

from agents.errors import UnknownAgent
from agents.roster.words import read_bot
from tests.helpers.said import refused


def test_a_bot_is_named_with_its_options():
    """Those that are left out have their defaults."""
    spec, values = read_bot("blueprint --model 'my file' --threshold=0.1")
    assert spec.name == "blueprint"
    assert values == {
        **{"model": "my file", "threshold": 0.1},
        **{"purify": 0.0, "alone": 0.5, "renew": 0.0},
    }
    assert read_bot("rule")[1] == {}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no agent is called ''"),
        ("rul", "did you mean rule"),
        ("slumbot --x", "no agent is called 'slumbot'"),
        ("blueprint --modl x", "blueprint: unrecognized arguments: --modl x"),
        ("blueprint --threshold x", "blueprint: argument --threshold: invalid float"),
        ("blueprint --model", "blueprint: argument --model: expected one argument"),
        ("blueprint 'x", "No closing quotation"),
    ],
)
def test_what_is_wrong_is_told_by_the_bots_name(text, words):
    """In one line, for the command to print."""
    with refused(UnknownAgent) as caught:
        read_bot(text)
    assert words in str(caught.value)
