"""Options of bots as a record."""

from dataclasses import dataclass

import pytest

from agents.options import (
    BotOptions,
    above_zero,
    any_whole,
    at_least_zero,
    between,
    one_of,
    option,
    options_of,
    switch,
    whole_from,
)


@dataclass(frozen=True, slots=True)
class Some(BotOptions):
    """Of a bot that is none."""

    model: str | None = option(None, "file")
    share: float = option(0.5, "of all", check=between(0, 1))
    raise_: float | None = option(None, "weight", "W", check=at_least_zero, flag="--raise")


def test_a_record_says_what_a_command_line_takes():
    """Flags, defaults and kinds; what is fixed is no option."""
    model, share, weight = options_of(Some)
    assert (model.flag, model.keyword, model.kind, model.default) == ("--model", "model", str, None)
    assert (share.flag, share.kind, share.default, share.summary) == (
        "--share",
        float,
        0.5,
        "of all",
    )
    assert (weight.flag, weight.keyword, weight.metavar) == ("--raise", "raise_", "W")
    assert [one.keyword for one in options_of(Some, {"share": 0.1})] == ["model", "raise_"]
    assert options_of(BotOptions) == ()


def test_a_record_refuses_what_cannot_be():
    """By name; None is left to the bot."""
    assert Some(raise_=None).raise_ is None
    with pytest.raises(ValueError, match="share 2: want 0 to 1"):
        Some(share=2)
    with pytest.raises(ValueError, match="raise -1: want 0 or more"):
        Some(raise_=-1)


@pytest.mark.parametrize(
    ("check", "right", "wrong"),
    [
        (any_whole, 2.0, 2.5),
        (whole_from(1), 1, 0),
        (switch, 1.0, 2),
        (above_zero, 0.1, float("nan")),
        (at_least_zero, 0, float("inf")),
        (between(0, 1), 1, 1.1),
        (one_of("a", "b"), "b", "c"),
    ],
)
def test_checks_say_what_is_wanted(check, right, wrong):
    """Nothing where the value is right."""
    assert check(right) == ""
    assert check(wrong)
