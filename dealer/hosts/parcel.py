"""A leg on its way between hosts: its files, and how it ended, as plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from dealer.series.folder import leg_files
from dealer.series.given_deals import DEALS_COPY_NAME
from dealer.series.outcome import LegOutcome
from dealer.series.schedule import Leg
from dealer.server.endings import Ending
from engine.storage.atomic import write_whole


def packed_files(folder: Path, leg: Leg, *, deals: bool = False) -> dict[str, bytes]:
    """Return the files of a leg that are there, by name; the deals that it plays, too, if asked.

    Raises:
        OSError: one cannot be read.
    """
    paths = [folder / name for name in (*leg_files(leg), *[DEALS_COPY_NAME] * deals)]
    return {path.name: path.read_bytes() for path in paths if path.is_file()}


def unpack_files(folder: Path, leg: Leg, files: Mapping[str, bytes]) -> None:
    """Write the files of a leg, each in one piece.

    The log comes last: a leg counts as finished by its log, and all else is there by then.

    Raises:
        OSError: one cannot be written.
    """
    log = f"{leg.name}.log"
    for name in sorted(
        {*leg_files(leg), DEALS_COPY_NAME} & set(files), key=lambda name: name == log
    ):
        write_whole(folder / name, files[name])


def outcome_document(outcome: LegOutcome) -> dict[str, Any]:
    """Return how a leg ended as plain values."""
    document = asdict(outcome)
    del document["leg"]
    return document | {"ending": outcome.ending.value}


def outcome_from(leg: Leg, document: Mapping[str, Any]) -> LegOutcome:
    """Return what `outcome_document` was made of."""
    return LegOutcome(leg, **{**document, "ending": Ending(document["ending"])})
