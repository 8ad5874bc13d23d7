"""Long matches need no more memory than short ones."""

import psutil
import pytest

from engine.rules.dealing import DealStream
from protocol.cards import format_cards
from protocol.gamedefs import load_builtin
from tests.helpers.dealer_process import Client, DealerProcess

MEGABYTE = 1 << 20


def play_folds(hands: int, dealer: DealerProcess) -> list[int]:
    """Let seat 2 fold every hand, a thousand at a time; return the dealer's memory per tenth."""
    deals = DealStream(load_builtin("hunl"), 42)
    watcher, folder = dealer.connect_all()
    memory = []
    process = psutil.Process(dealer.process.pid)
    for first in range(0, hands, 1000):
        folder.send(
            b"".join(
                b"MATCHSTATE:1:%d::|%s:f\r\n" % (hand, format_cards(next(deals).holes[1]).encode())
                for hand in range(first, first + 1000)
            )
        )
        for client in (watcher, folder):
            skip_to_end_of_hand(client, first + 999)
        if first % (hands // 10) == 0:
            memory.append(process.memory_info().rss)
    return memory


def skip_to_end_of_hand(client: Client, hand: int) -> None:
    wanted = b":%d:f:" % hand
    while wanted not in client.line():
        pass


@pytest.mark.slow
@pytest.mark.parametrize("lane", ["off", "on"])
def test_a_million_hands_need_no_more_memory_than_a_hundred_thousand(tmp_path, monkeypatch, lane):
    """The dealer keeps nothing of a finished hand but the totals, in the lane neither."""
    monkeypatch.setenv("ARENA_LANE", lane)
    with DealerProcess(tmp_path, "1000000", "-q", "-f", "-T") as dealer:
        memory = play_folds(1_000_000, dealer)
        assert dealer.finish()[0] == 0
    growth = memory[-1] - memory[1]
    print(f"after 100 000 hands {memory[1] / MEGABYTE:.1f} MB, growth {growth / MEGABYTE:.2f} MB")
    assert growth < 2 * MEGABYTE
