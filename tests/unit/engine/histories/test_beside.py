"""Fields of PHH that other formats have a place for, or none: all come back."""

import pytest

from engine.histories.beside import time_fields
from protocol.gamedefs import load_builtin
from protocol.handlog import format_hand
from tests.helpers.histories import hands_in, only_hand, written

HAND = """\
variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [0.5, 1, {straddle}]
min_bet = {least}
starting_stacks = [200, 300, 100.50]
actions = ["d dh p1 AcAd", "d dh p2 7h6h", "d dh p3 ????", {first}"p1 cc", "p2 f", "d db Jc3d5c", \
"p1 cc", "p3 cbr 8", "p1 f"]
players = ["Ann", "Bob", "Cleo"]
"""
PLAIN = HAND.format(straddle="0", least="1", first='"p3 cbr 4", ')
STRADDLED = HAND.format(straddle="2", least="2", first="").replace('"p2 f", ', '"p2 f", "p3 cc", ')
FIELDS = [
    "",
    'author = "Eve"\nevent = "Final"\ncity = "Ulm"\n_my_own = {a = [1, 2.5], b = "x"}\n',
    'currency = "EUR"\n',
    'currency = "CAD"\ncurrency_symbol = "C"\n',
    'currency_symbol = "\N{EURO SIGN}"\n',
    "time = 12:30:05\nday = 3\nmonth = 4\nyear = 2020\n",
    'time = 12:30:05\ntime_zone = "ET"\nday = 3\nmonth = 4\nyear = 2020\n',
    'time = 12:30:05.25\ntime_zone = "UTC"\nday = 3\nmonth = 4\nyear = 2020\n',
    "time = 12:30:05\n",
    "year = 2020\n",
    'table = "It\'s mine"\nseats = [3, 5, 9]\nseat_count = 9\n',
    'table = "Ulm"\nseats = [9, 1, 5]\nseat_count = 500\n',
    "seats = [5, 3, 9]\nhand = 123456789012\n",
    'hand = "R5-1"\nvenue = "Home"\nrake = 0\n',
]


@pytest.mark.parametrize("to", ["pokerstars", "ohh"])
@pytest.mark.parametrize("fields", FIELDS)
@pytest.mark.parametrize("hand", [PLAIN, STRADDLED])
def test_all_fields_come_back(hand, fields, to):
    """What the format has no place for stands beside the hand."""
    first = only_hand(hand + fields)
    (again,) = hands_in(written([first], to), to)
    assert (again.game, again.record, again.scale) == (first.game, first.record, first.scale)
    kept = {key: value for key, value in first.fields.items() if key != "actions"}
    got = {key: value for key, value in again.fields.items() if key != "actions"}
    assert got == kept
    assert written([again], to) == written([first], to)


@pytest.mark.parametrize("to", ["phhs", "pokerstars", "ohh", "slumbot"])
def test_comments_of_a_log_may_be_in_any_encoding(to):
    """And names: each byte comes back, and what stands between is UTF-8 but for names in text."""
    log = "# caf\udce9\nSTATE:0:r300f:AcAd|7h6h:-100|100:Zo\udceb|Bob\n# \udcff the end\n"
    text = written(hands_in(log, "log", load_builtin("hunl")), to)
    if to != "pokerstars":
        assert text.encode()
    if to == "phhs":
        assert 'players = ["Zo\\\\xeb", "Bob"]' in text
    assert written(hands_in(text, to), "log") == log


def test_texts_of_a_site_in_another_encoding_are_latin_1():
    """So that every format can have them."""
    hand = only_hand(PLAIN + 'table = "Arena 2"\n')
    text = written([hand], "pokerstars").replace("Arena 2", "K\udcf6ln")
    assert (
        only_hand(text, "pokerstars").fields["table"]
        == "K\N{LATIN SMALL LETTER O WITH DIAERESIS}ln"
    )


@pytest.mark.parametrize("stamp", ["1478520223.88075", "1478520223", "0", "1478520223.5"])
def test_unix_times_are_dates_in_utc(stamp):
    """And the same digits again."""
    assert "_stamp" not in time_fields(stamp)
    text = f"STATE:1:f:AcKd|AdKs:50|-50:a|b # {stamp}\n"
    hand = only_hand(text, "log", load_builtin("hunl"))
    again = only_hand(written([hand], "phh"))
    assert format_hand(again.record) + "\n" == text
    assert not again.fields


def test_stamps_that_are_no_times_stay_stamps():
    """Digits behind the microseconds, zeros behind, years nobody has."""
    for stamp in ("1478520223.880750", "1478520223.123456789", "999999999999"):
        assert time_fields(stamp)["_stamp"] == stamp
    text = PLAIN + 'time = 12:00:00\nday = 31\nmonth = 2\nyear = 2020\ntime_zone = "UTC"\n'
    hand = only_hand(text)
    assert hand.record.stamp is None
    assert hand.fields["day"] == 31
