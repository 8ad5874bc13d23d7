"""Real logs through PHH and back: the same to the byte."""

import pytest

from engine.histories.hand import HandHistory
from protocol.gamedefs import load_builtin
from tests.helpers.histories import hands_in, written

DEALT = {"2p.limit": "hulhe", "2p.nolimit": "hunl", "3p.limit": "limit3", "3p.nolimit": "nolimit3"}


def there_and_back(text, game):
    """How many hands a text has; fail unless it comes back from PHH as it is."""
    hands = hands_in(text, "log", game)
    assert all(isinstance(hand, HandHistory) for hand in hands)
    again = hands_in(written(hands, "phhs"), "phhs")
    assert written(again, "log") == text
    return len(hands)


def text_of(path, most=None):
    text = path.read_bytes().decode("utf-8", "surrogateescape")
    return text if most is None else "".join(text.splitlines(keepends=True)[:most])


@pytest.mark.parametrize("kind", DEALT)
@pytest.mark.parametrize("values", ["", "allin_ev."])
def test_logs_of_the_original_dealer(shared_data, kind, values):
    """Also with payoffs that are means over boards to come, of which the file counts."""
    text = text_of(shared_data / "dealer_logs" / f"{kind}.h1000.r0.{values}log", 300)
    assert there_and_back(text, load_builtin(DEALT[kind])) >= 295


def test_logs_with_times_and_foreign_letters(shared_data):
    """And line ends of two characters."""
    text = text_of(shared_data / "deepstack" / "hands.log", 1000)
    assert there_and_back(text, load_builtin("hunl")) == 1000


def test_logs_of_six(shared_data):
    """Without a header, with halves of chips, with empty lines."""
    logs = sorted((shared_data / "pluribus").glob("*.log"))[::6]
    assert sum(there_and_back(text_of(log), load_builtin("nolimit6-10000")) for log in logs) > 500


@pytest.mark.slow
def test_all_hands_that_are_here(shared_data):
    """Every published and recorded log of hold'em."""
    hands = there_and_back(text_of(shared_data / "deepstack" / "hands.log"), load_builtin("hunl"))
    assert hands == 36580
    six = load_builtin("nolimit6-10000")
    logs = sorted((shared_data / "pluribus").glob("*.log"))
    assert sum(there_and_back(text_of(log), six) for log in logs) == 6335
    for kind, name in DEALT.items():
        for values in ("", "allin_ev."):
            log = shared_data / "dealer_logs" / f"{kind}.h1000.r0.{values}log"
            assert there_and_back(text_of(log), load_builtin(name)) == 1000
    (log,) = (shared_data / "dealer_logs").glob("match.*.log")
    assert there_and_back(text_of(log), load_builtin("hunl")) == 10
