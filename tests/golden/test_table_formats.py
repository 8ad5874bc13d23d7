"""Real logs through PHH, PokerStars text, Open Hand History, slumbot's records, and back."""

import pytest

from engine.histories.hand import HandHistory
from protocol.gamedefs import load_builtin
from tests.helpers.histories import hands_in, written

DEALT = {"2p.limit": "hulhe", "2p.nolimit": "hunl", "3p.limit": "limit3", "3p.nolimit": "nolimit3"}
FORMATS = ("phhs", "pokerstars", "ohh")


def there_and_back(path, name, to, most=None):
    """How many hands the first lines of a log have; fail unless they come back as they are."""
    text = path.read_bytes().decode("utf-8", "surrogateescape")
    text = "".join(text.splitlines(keepends=True)[:most])
    hands = hands_in(text, "log", load_builtin(name))
    assert all(isinstance(hand, HandHistory) for hand in hands)
    again = hands_in(written(hands, to), to)
    assert written(again, "log") == text
    return len(hands)


@pytest.mark.parametrize("to", FORMATS)
@pytest.mark.parametrize("kind", DEALT)
def test_logs_of_the_original_dealer(shared_data, kind, to):
    """No-limit and limit, also with payoffs that are means over boards to come."""
    logs = shared_data / "dealer_logs"
    for values in ("", "allin_ev."):
        log = logs / f"{kind}.h1000.r0.{values}log"
        assert there_and_back(log, DEALT[kind], to, 100) >= 95


@pytest.mark.parametrize("to", [*FORMATS, "slumbot"])
def test_logs_with_times_and_foreign_letters(shared_data, to):
    """And line ends of two characters."""
    assert there_and_back(shared_data / "deepstack" / "hands.log", "hunl", to, 500) == 500
    (log,) = (shared_data / "dealer_logs").glob("match.*.log")
    assert there_and_back(log, "hunl", to) == 10


@pytest.mark.parametrize("to", FORMATS)
def test_logs_of_six(shared_data, to):
    """Without a header, with halves of chips, with empty lines."""
    logs = sorted((shared_data / "pluribus").glob("*.log"))[::12]
    assert sum(there_and_back(log, "nolimit6-10000", to) for log in logs) > 250


@pytest.mark.slow
@pytest.mark.parametrize("to", FORMATS)
def test_all_hands_that_are_here(shared_data, to):
    """Every published and recorded log of hold'em."""
    assert there_and_back(shared_data / "deepstack" / "hands.log", "hunl", to) == 36580
    logs = sorted((shared_data / "pluribus").glob("*.log"))
    assert sum(there_and_back(log, "nolimit6-10000", to) for log in logs) == 6335
    for kind, name in DEALT.items():
        for values in ("", "allin_ev."):
            log = shared_data / "dealer_logs" / f"{kind}.h1000.r0.{values}log"
            assert there_and_back(log, name, to) == 1000


@pytest.mark.slow
def test_all_hands_of_slumbots_game_that_are_here(shared_data):
    """As records of its interface."""
    assert there_and_back(shared_data / "deepstack" / "hands.log", "hunl", "slumbot") == 36580
    log = shared_data / "dealer_logs" / "2p.nolimit.h1000.r0.log"
    assert there_and_back(log, "hunl", "slumbot") == 1000
