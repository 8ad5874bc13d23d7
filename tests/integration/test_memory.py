"""Long matches need no more memory than short ones, and many in one dealer little more than one."""

import time

import psutil
import pytest

from engine.rules.dealing import DealStream
from protocol.cards import format_cards
from protocol.gamedefs import load_builtin
from tests.helpers.dealer_process import Client, DealerProcess
from tests.helpers.state_bot import SeatedStateBot

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


@pytest.mark.slow
@pytest.mark.parametrize("lane", ["off", "on"])
def test_one_match_more_in_a_dealer_needs_less_than_two_megabytes(tmp_path, lane):
    """After some hands in each, the last ones of which nobody plays to their ends."""
    memory = []
    for matches in (1, 11):
        options = ("100000", "-q", "-T", "--lane", lane)
        with DealerProcess(tmp_path, *options, matches=matches) as dealer:
            ports = [port for one in dealer.ports_of for port in one]
            bots = [SeatedStateBot(load_builtin("hunl"), port) for port in ports]
            while min(bot.finished_hands for bot in bots) < 20:
                assert dealer.process.poll() is None
                time.sleep(0.1)
            memory.append(psutil.Process(dealer.process.pid).memory_info().rss)
            dealer.interrupt()
            assert dealer.finish()[0] == 130
    each = (memory[1] - memory[0]) / 10
    print(f"one match {memory[0] / MEGABYTE:.1f} MB, each further one {each / MEGABYTE:.2f} MB")
    assert each < 2 * MEGABYTE
