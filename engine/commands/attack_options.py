"""Options that name ways to win from a strategy, the same for every command that has them.

What reads their values is imported when there is one, so that help comes at once.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Final

from engine.console.command import Option

if TYPE_CHECKING:
    from engine.evaluation.blind_scripts import BlindScript
    from engine.evaluation.lbr_settings import LbrSettings
    from engine.evaluation.trunk_policies import TrunkPolicy

BETS_HELP: Final = (
    "BETS has a word for each street, the last one also for those after it. C checks and calls, F "
    "checks and folds. 300 bets three pots once, then checks and calls; 300f folds instead of "
    "calling. 300w raises at every turn, 300o only where nobody has bet, 300r only a bet. m is the "
    "smallest raise, a is all-in. C/a calls where it acts first and goes all-in else; C,300f calls "
    "before the flop and bets three pots on every street after it."
)


def settings_option(text: str) -> Option:
    """Return --settings, LBR's actions by street."""
    return Option("--settings ACTIONS", f"{text}; may be repeated", _settings, repeated=True)


def script_option(text: str) -> Option:
    """Return --script, whose value is a script that looks at no card."""
    return Option("--script BETS", f"{text}; may be repeated", _script, repeated=True)


def river_option(text: str) -> Option:
    """Return --river, whose value is a way to the river."""
    return Option("--river BETS", f"{text}; may be repeated", _river, repeated=True)


def _script(text: str) -> BlindScript:
    from engine.evaluation.blind_scripts import SCRIPT_PREFIX, parse_script

    try:
        return parse_script(text.removeprefix(SCRIPT_PREFIX))
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _river(text: str) -> TrunkPolicy:
    from engine.evaluation.trunk_policies import parse_trunk_policy

    try:
        return parse_trunk_policy(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _settings(text: str) -> LbrSettings:
    from engine.evaluation.lbr_settings import parse_lbr_settings

    try:
        return parse_lbr_settings(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
