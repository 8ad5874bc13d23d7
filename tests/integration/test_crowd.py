"""Many bots at a server at once: no hand is lost, all have their turns, and nothing piles up.

BOTS=200 MINUTES=60 python -m pytest -m slow -s tests/integration/test_crowd.py -k quiet
BOTS=60 MINUTES=60 python -m pytest -m slow -s tests/integration/test_crowd.py -k attacked
"""

import os
import sys
import time
from contextlib import closing

import pytest

from dealer.hub.store import Store
from tests.helpers.crowd import Crowd
from tests.helpers.live_server import wait_until

BOTS = int(os.environ.get("BOTS", "40"))
MINUTES = float(os.environ.get("MINUTES", "3"))
PACE = float(os.environ.get("PACE", "0.2"))
HANDS = int(os.environ.get("HANDS", "25"))
GROWTH = 1.25
"""Of memory, from the first half of the time to the second."""
SPARE_MIB = 5
"""Beside growth."""
IDLE_SECONDS = 600
"""Until matches that attackers have begun are over."""
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="processes are looked for in /proc"),
]


@pytest.mark.timeout(60 * MINUTES + 1800)
@pytest.mark.parametrize("attacked", [False, True], ids=["quiet", "attacked"])
def test_a_crowd_plays(tmp_path, attacked):
    """Bots come, play one match after the other, and go, whatever attackers do meanwhile."""
    crowd = Crowd(tmp_path, BOTS, HANDS, PACE)
    seen = {"counts": {}, "answers": {}, "leaks": [], "sights": []}
    try:
        wait_until(lambda: crowd.sample().get("host 0 descriptors"), "no host")
        idle = crowd.samples.pop()
        crowd.join()
        if attacked:
            wait_until(
                lambda: crowd.sample()["running"], "no match"
            )  # the first one is no attacker's
            crowd.attack()
        end = time.monotonic() + 60 * MINUTES
        while time.monotonic() < end:
            time.sleep(min(10.0, 6 * MINUTES))
            print(" ".join(f"{name} {value:.0f}" for name, value in crowd.sample().items()))
            if attacked:
                assert crowd.attackers.poll() is None
                crowd.hang_up()
        if attacked:
            seen = crowd.retreat()
        crowd.leave()
        samples = list(crowd.samples)
        wait_until(lambda: crowd.is_idle_again(idle), "descriptors are open", IDLE_SECONDS)
        crowd.stop()
        counts = crowd.check()
    finally:
        crowd.clear()
    for numbers in (seen["answers"], seen["counts"], crowd.hangups, counts):
        print(", ".join(f"{what}: {count}" for what, count in sorted(numbers.items())))
    assert seen["leaks"] == []
    _check_sights(crowd.data, seen["sights"])
    assert set(counts) & {"void", "forfeited", "running"} == set()
    assert counts["fewest matches of a bot"] > 0
    _check_growth(samples[len(samples) // 4 :])


def _check_sights(data, sights):
    """Find that nobody has seen cards of a match before it was over."""
    with closing(Store(data)) as store:
        for match, moment in sights:
            assert store.match(match).ended <= moment


def _check_growth(samples):
    half = len(samples) // 2
    for name in samples[-1]:
        if name.endswith("MiB"):
            earlier, later = (
                max(sample.get(name, 0) for sample in part)
                for part in (samples[:half], samples[half:])
            )
            assert later <= GROWTH * earlier + SPARE_MIB, name
