"""A server among kills, a full disk and clocks that are set back: each hand is there once.

KILLS=100 python -m pytest -m slow -s tests/integration/test_storm.py
"""

import os
import sys

import pytest

from tests.helpers.storm import Storm, small_disk

KILLS = int(os.environ.get("KILLS", "20"))
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="processes are looked for in /proc"),
]


def test_nothing_that_was_acknowledged_is_lost(tmp_path):
    """Whatever dies at whatever moment; ledger, logs and what relays were told are the same."""
    with small_disk(tmp_path / "disk") as disk:
        storm = Storm(tmp_path, int(os.environ.get("SEED", "1")), disk)
        try:
            storm.start()
            storm.rage(KILLS)
            storm.end()
            counts = storm.check()
        finally:
            storm.clear()
    print("hits:", ", ".join(f"{count} {kind}" for kind, count in storm.hits.most_common()))
    print("ledger:", ", ".join(f"{count} {what}" for what, count in counts.most_common()))
    assert counts["finished"] > 0
