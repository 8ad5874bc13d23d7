"""What trackers count in published logs and recordings, compiled, against the readable counts."""

from collections import Counter
from dataclasses import replace

import pytest

from engine.handlogs.source.complaints import Complaints
from engine.handlogs.source.log_games import game_from_argument
from engine.handlogs.source.log_hands import hands_of
from tests.helpers.tracked import assert_tracked

EVERY = ("three_bet", "fold_to_three_bet", "four_bet")
EVERY_STREET = ("cbet", "fold_to_cbet", "donk_bet", "check_raise")


def compared(logs, game=None, each=1):
    """Compare all counts of the hands of logs, every so manieth; return the counts of all."""
    left_out = []
    found = Counter()
    by_game = {}
    for log in logs:
        for number, hand in enumerate(hands_of(log, game, Complaints(left_out.append))):
            if number % each == 0:
                names = [f"p{position}" for position in range(hand.game.players)]
                plain = replace(hand.record, values=("0",) * len(names), names=tuple(names))
                by_game.setdefault(hand.game, []).append(replace(plain, stamp=None))
    assert not left_out
    for game_of, records in by_game.items():
        found += assert_tracked(game_of, records)
    return found


def assert_all_met(found):
    """Every definition was met and was declined."""
    for what in EVERY:
        assert 0 < found[what, None] < found[f"{what} of", None], what
    for what in EVERY_STREET:
        for street in (1, 2, 3):
            assert 0 < found[what, street] < found[f"{what} of", street], (what, street)


def test_deepstack(shared_data):
    """Heads-up, DeepStack against professionals."""
    log = shared_data / "deepstack/hands.log"
    assert_all_met(compared([log], game_from_argument("hunl"), each=7))


def test_pluribus(shared_data):
    """Six players, Pluribus among professionals."""
    logs = sorted((shared_data / "pluribus").glob("*.log"))
    game = "holdem.nolimit.6p.10000.game"
    found = compared(logs, game_from_argument(game), each=2)
    assert_all_met(found)
    assert 0 < found["squeeze", None] < found["squeeze of", None]
    assert 0 < found["float", 2] < found["float of", 2]


@pytest.mark.parametrize("name", ["2p.limit", "2p.nolimit", "3p.limit", "3p.nolimit"])
def test_matches_of_the_original_dealer(shared_data, name):
    """Limit and no-limit, two and three players."""
    found = compared([shared_data / f"dealer_logs/{name}.h1000.r0.log"], each=2)
    assert found["three_bet of", None] > found["three_bet", None] > 0


def test_recordings_of_odd_games(shared_data):
    """Antes, short and unequal stacks, blinds that put all in, three hole cards; 2 to 6 play."""
    logs = (shared_data / "golden/golden/logs").glob("*.log")
    defective = ("limit_short", "limit.10p.shortstack")  # raises that lower the bet: refused
    chosen = [log for log in sorted(logs) if not log.name.startswith(defective)]
    assert len(chosen) > 25
    compared(chosen, each=2)
