"""Options of `arena convert` that say how one format is written."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Final

from engine.console.arguments import whole_number
from engine.console.command import Option, OptionGroup
from engine.histories.csv_write import DECISIONS, HANDS, CsvWriter
from engine.histories.formats import CSV, LOG, POKERSTARS, HistoryFormat, format_named
from engine.histories.pokerstars_write import PokerStarsWriter

if TYPE_CHECKING:
    import argparse

_MOST_CHIPS: Final = 10_000
_MOST_NUMBER: Final = 10**15
_FORMAT_OF_OPTION: Final = {
    "stacks": LOG,
    "rows": CSV,
    "equity": CSV,
    "chips_per_dollar": POKERSTARS,
    "numbers_from": POKERSTARS,
    "hero": POKERSTARS,
}


FORMAT_OPTIONS: Final = OptionGroup(
    "one format",
    (
        Option(
            "--stacks",
            "with --to log: write the stacks and blinds of each hand into its line; without this "
            "option each depth of stacks gets a log of its own",
            choices=("each",),
        ),
        Option(
            "--chips-per-dollar N",
            "with --to pokerstars: how many chips are a dollar, 1, 10, 100, ...; 1 without this "
            "option, so that a chip is a dollar",
            whole_number(1, _MOST_CHIPS),
        ),
        Option(
            "--numbers-from N",
            "with --to pokerstars: number the hands N, N+1, ... over all files, as a tracker "
            "passes over a number that it knows; without this option they keep those they have",
            whole_number(0, _MOST_NUMBER),
        ),
        Option(
            "--hero NAME",
            "with --to pokerstars: deal only the cards of NAME face up, as at a table; those of "
            "others are lost unless they are shown; hands that NAME does not play are left out",
        ),
        Option(
            "--rows",
            "with --to csv: what a row is; hands without this option",
            choices=(HANDS, DECISIONS),
        ),
        Option(
            "--equity",
            "with --to csv --rows decisions: what share of the pot the hand wins on average "
            "against those of the others",
            action="store_const",
            const=True,
        ),
    ),
)


def chosen_format(options: argparse.Namespace) -> HistoryFormat:
    """Return the format to write, as the options say.

    Raises:
        ValueError: an option goes with another format.
    """
    form = format_named(options.to)
    for name, owner in _FORMAT_OF_OPTION.items():
        if getattr(options, name) is not None and owner != form.name:
            raise ValueError(f"--{name.replace('_', '-')} goes with --to {owner}")
    if options.equity and options.rows != DECISIONS:
        raise ValueError("--equity goes with --rows decisions")
    if options.rows is not None:
        return replace(form, writer=partial(CsvWriter, options.rows, equity=bool(options.equity)))
    if form.name == POKERSTARS:
        chips = options.chips_per_dollar or 1
        if chips != 10 ** (len(str(chips)) - 1):
            raise ValueError("--chips-per-dollar is 1, 10, 100, ...")
        first = options.numbers_from
        numbers = None if first is None else count(first)
        return replace(form, writer=partial(PokerStarsWriter, chips, numbers, options.hero))
    return form
