"""A leg on its way to another machine and back: what is to be played, and what was.

It is played there in a folder of its own, by the same bots; the log is that of this machine.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from socket import gethostname
from typing import Any

from dealer.bots.participants import compiles
from dealer.bots.processes import ProcessLauncher
from dealer.bots.program_files import changed_files, with_files
from dealer.series.folder import leg_files
from dealer.series.given_deals import DEALS_COPY_NAME
from dealer.series.leg import play_leg
from dealer.series.leg_settings import LegSettings
from dealer.series.manifest import Manifest, from_json, to_json
from dealer.series.outcome import LegOutcome
from dealer.series.schedule import Leg
from dealer.server.endings import Ending
from engine.storage.atomic import write_whole


@dataclass(frozen=True, slots=True)
class LegParcel:
    """A leg that is to be played somewhere."""

    manifest: str
    """Of its match, as JSON."""
    leg: str
    """Its name."""
    files: Mapping[str, bytes]
    """What there is of it, and the deals that it plays, by name."""
    recover: bool
    events: bool
    in_process: bool


@dataclass(frozen=True, slots=True)
class PlayedLeg:
    """A leg that was played somewhere."""

    outcome: Mapping[str, Any]
    """See `outcome_document`."""
    files: Mapping[str, bytes]
    """By name."""


def packed(settings: LegSettings, leg: Leg) -> LegParcel:
    """Return a leg as it is sent.

    Raises:
        OSError: a file cannot be read.
    """
    deals = settings.manifest.deals is not None
    return LegParcel(
        to_json(settings.manifest),
        leg.name,
        packed_files(settings.folder, leg, deals=deals),
        settings.recover,
        settings.events,
        settings.in_process,
    )


def play_parcel(parcel: LegParcel) -> PlayedLeg:
    """Play a leg to its end in this process and its children: the task of a worker."""

    async def play() -> PlayedLeg:
        async with ProcessLauncher() as launcher:
            return await played(parcel, launcher, asyncio.Event())

    return asyncio.run(play())


async def played(
    parcel: LegParcel, launcher: ProcessLauncher, stop: asyncio.Event, core: int | None = None
) -> PlayedLeg:
    """Play a leg in a folder that is gone afterwards, to its end or until `stop` is set."""
    manifest = from_json(parcel.manifest)
    leg = next(leg for leg in manifest.legs() if leg.name == parcel.leg)
    try:
        with tempfile.TemporaryDirectory(prefix="arena-leg-") as name:
            folder = Path(name)
            manifest = _settled(manifest, name)
            settings = LegSettings(
                manifest,
                folder,
                lambda _: None,
                recover=parcel.recover,
                events=parcel.events,
                in_process=parcel.in_process,
            )
            (folder / manifest.game_name).write_text(manifest.game_text, encoding="utf-8")
            unpack_files(folder, leg, parcel.files)
            if changed := _differences(manifest):
                return _not_played(leg, changed)
            outcome = await play_leg(settings, leg, launcher, stop, core)
            return PlayedLeg(outcome_document(outcome), packed_files(folder, leg))
    except OSError as error:
        return _not_played(leg, f"{error.strerror or error}")


def _settled(manifest: Manifest, folder: str) -> Manifest:
    """Return a match as it is played here: bots of the roster need no folder of the user's."""
    there = Path(manifest.working_directory).is_dir()
    if there or not all(compiles(bot) and not bot.files for bot in manifest.bots):
        return manifest
    return replace(manifest, working_directory=folder)


def _differences(manifest: Manifest) -> str:
    """Return which folder or file is not here as it was at home, "" where all are."""
    for folder in (manifest.working_directory, *(bot.directory for bot in manifest.bots)):
        if folder and not Path(folder).is_dir():
            return f"there is no folder {folder}"
    now = with_files(manifest.bots, manifest.working_directory)
    return next(iter(changed_files(manifest.bots, now)), "")


def _not_played(leg: Leg, why: str) -> PlayedLeg:
    outcome = LegOutcome(leg, Ending.ERROR, f"on {gethostname()}: {why}")
    return PlayedLeg(outcome_document(outcome), {})


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
