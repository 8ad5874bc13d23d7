"""What a Dask worker in a test is like, by the word in ARENA_CHARACTER; loaded with --preload.

slow    plays a leg only when ARENA_LEDGER has ARENA_LINES lines
doomed  makes the file ARENA_LEDGER.doomed in the place of playing, and waits for its end
liar    lets the first bot win the first hand of each log
"""

import os
import time
from pathlib import Path

from dealer.series import leg_parcel

_honest = vars(leg_parcel).setdefault("honest", leg_parcel.play_parcel)
"""Dask loads this twice."""
_ledger = Path(os.environ["ARENA_LEDGER"])
_lines = int(os.environ.get("ARENA_LINES", "0"))


def slow(parcel):
    while not _ledger.exists() or _ledger.read_text().count("\n") < _lines:
        time.sleep(0.02)
    return _honest(parcel)


def doomed(parcel):
    _ledger.with_suffix(".doomed").touch()
    time.sleep(3600)


def liar(parcel):
    played = _honest(parcel)
    log = f"{parcel.leg}.log"
    lie = played.files[log].replace(b"STATE:0:", b"STATE:0:r", 1)
    return leg_parcel.PlayedLeg(played.outcome, {**played.files, log: lie})


leg_parcel.play_parcel = {"slow": slow, "doomed": doomed, "liar": liar}[
    os.environ["ARENA_CHARACTER"]
]
