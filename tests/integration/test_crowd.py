"""Many bots at a server at once: no hand is lost, all have their turns, and nothing piles up.

BOTS=200 MINUTES=60 python -m pytest -m slow -s tests/integration/test_crowd.py
"""

import os
import sys
import time

import pytest

from tests.helpers.crowd import Crowd

BOTS = int(os.environ.get("BOTS", "40"))
MINUTES = float(os.environ.get("MINUTES", "3"))
PACE = float(os.environ.get("PACE", "0.2"))
HANDS = int(os.environ.get("HANDS", "25"))
GROWTH = 1.25
"""Of memory and descriptors, from the first half of the time to the second."""
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="processes are looked for in /proc"),
]


def test_a_crowd_plays(tmp_path):
    """Bots come, play one match after the other, and go."""
    crowd = Crowd(tmp_path, BOTS, HANDS, PACE)
    try:
        crowd.join()
        end = time.monotonic() + 60 * MINUTES
        while time.monotonic() < end:
            time.sleep(min(10.0, 6 * MINUTES))
            print(" ".join(f"{name} {value:.0f}" for name, value in crowd.sample().items()))
        crowd.leave()
        counts = crowd.check()
    finally:
        crowd.clear()
    print(", ".join(f"{count} {what}" for what, count in counts.items()))
    assert set(counts) & {"void", "forfeited", "running"} == set()
    assert counts["fewest matches of a bot"] > 0
    settled = crowd.samples[len(crowd.samples) // 4 :]
    half = len(settled) // 2
    for name in settled[-1]:
        if name.endswith(("MiB", "descriptors")):
            earlier, later = (
                max(sample.get(name, 0) for sample in part)
                for part in (settled[:half], settled[half:])
            )
            assert later <= GROWTH * earlier + 5, name
