"""The manifest of a match folder: everything needed to play the same match again, or resume it.

`manifest.json` is written before the first hand and never changed.  Results are not in it: they
are always computed again from the logs, so nothing can disagree with them.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from dealer.matches.bots import LABEL, BotKind, Participant
from dealer.matches.errors import FolderInUse, MatchError
from dealer.matches.plan import MOST_HANDS, MOST_RUNS, Leg, schedule
from engine.storage.atomic import write_whole

MANIFEST_NAME: Final = "manifest.json"
LOCK_SECONDS: Final = 5.0
"""How long to wait for a folder that somebody else is working in."""
_LOCK_PAUSE: Final = 0.1
_FORMAT: Final = 1
_FILE_NAME: Final = re.compile(r"(?!\.\.?$)[^/\x00]+")
_ANY_TEXT: Final = re.compile(r"[^\x00]*")
_LEG_SUFFIXES: Final = (".log", ".tlog", ".err", ".end.json", ".events.jsonl")


@dataclass(frozen=True, slots=True)
class Manifest:
    """What is played, by whom, and how."""

    bots: tuple[Participant, ...]
    game_name: str
    """Name of the copy of the game definition in the match folder."""
    game_text: str
    hands: int
    """Hands of each leg."""
    seed: int
    runs: int
    duplicate: bool
    dealer_options: tuple[tuple[str, str], ...]
    """Options passed to every dealer: (name without dashes, value)."""
    working_directory: str
    """Folder in which the bots are started."""
    versions: tuple[tuple[str, str], ...] = ()
    """(program, version) at the start; a later version may resume the match."""

    @property
    def labels(self) -> tuple[str, ...]:
        """Names of the bots."""
        return tuple(bot.label for bot in self.bots)

    @property
    def game_sha256(self) -> str:
        """Digest of the game definition."""
        return hashlib.sha256(self.game_text.encode()).hexdigest()

    def legs(self) -> tuple[Leg, ...]:
        """Return the legs of the match in playing order."""
        return schedule(self.labels, seed=self.seed, runs=self.runs, duplicate=self.duplicate)


def to_json(manifest: Manifest) -> str:
    """Return the text of a manifest file."""
    document = {
        "format": _FORMAT,
        "bots": [
            {
                "label": bot.label,
                "kind": bot.kind.value,
                "words": list(bot.words),
                "port": bot.port,
            }
            for bot in manifest.bots
        ],
        "game": {
            "file": manifest.game_name,
            "sha256": manifest.game_sha256,
            "text": manifest.game_text,
        },
        "hands_per_leg": manifest.hands,
        "seed": manifest.seed,
        "runs": manifest.runs,
        "duplicate": manifest.duplicate,
        "dealer_options": dict(manifest.dealer_options),
        "legs": [
            {"name": leg.name, "seed": leg.seed, "seats": [manifest.labels[b] for b in leg.seats]}
            for leg in manifest.legs()
        ],
        "working_directory": manifest.working_directory,
        "versions": dict(manifest.versions),
    }
    return json.dumps(document, indent=2) + "\n"


def from_json(text: str) -> Manifest:
    """Read a manifest file's text.

    Raises:
        MatchError: it is no manifest, is of another format, or its game was changed by hand.
    """
    try:
        document = json.loads(text)
        if document["format"] != _FORMAT:
            raise MatchError(f"manifest of format {document['format']}; only {_FORMAT} can be read")
        manifest = _from_document(document)
        unchanged = manifest.game_sha256 == document["game"]["sha256"]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as exc:
        raise MatchError(f"not a readable match manifest ({type(exc).__name__}: {exc})") from exc
    if not unchanged:
        raise MatchError("the game in the manifest is not the one its digest was made from")
    return manifest


def differences(manifest: Manifest, other: Manifest) -> list[str]:
    """Return one line for each way in which `other` would be another match than `manifest`."""
    pairs = {
        "bots": (_shown(manifest.bots), _shown(other.bots)),
        "game": (
            f"{manifest.game_name} ({manifest.game_sha256[:12]})",
            f"{other.game_name} ({other.game_sha256[:12]})",
        ),
        "hands": (manifest.hands, other.hands),
        "seed": (manifest.seed, other.seed),
        "runs": (manifest.runs, other.runs),
        "duplicate": (manifest.duplicate, other.duplicate),
        "dealer options": (_flags(manifest), _flags(other)),
    }
    return [
        f"{what}: {before} in the folder, {now} asked for"
        for what, (before, now) in pairs.items()
        if before != now
    ]


def read_manifest(folder: Path) -> Manifest:
    """Return the manifest of a match folder.

    Raises:
        MatchError: there is none, or it cannot be used.
    """
    path = folder / MANIFEST_NAME
    try:
        return from_json(path.read_text(encoding="utf-8"))
    except FileNotFoundError as exc:
        raise MatchError(f"{folder} holds no match (no {MANIFEST_NAME})") from exc
    except (OSError, UnicodeDecodeError) as exc:
        raise MatchError(f"{path} cannot be read: {exc}") from exc
    except MatchError as exc:
        raise MatchError(f"{path}: {exc}") from exc


def prepare_folder(folder: Path, manifest: Manifest, *, force: bool) -> None:
    """Make `folder` ready for a new match: manifest and game file, no files of an older match.

    Raises:
        FolderInUse: it holds a match and `force` is not set, or files in the way that are
            nobody's known match.
        MatchError: it cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if (folder / MANIFEST_NAME).exists():
            if not force:
                raise FolderInUse(
                    f"{folder} already holds a match; resume it (--resume {folder}), "
                    "replace it (--force) or choose another folder (--out)"
                )
            with locked(folder, patience=0.0):
                _remove_match(folder, read_manifest(folder))
        for leg in manifest.legs():
            for suffix in _LEG_SUFFIXES:
                if (folder / f"{leg.name}{suffix}").exists():
                    raise FolderInUse(
                        f"{folder / leg.name}{suffix} exists and belongs to no match of this "
                        "program; choose another folder (--out)"
                    )
        (folder / manifest.game_name).write_text(manifest.game_text, encoding="utf-8")
        write_whole(folder / MANIFEST_NAME, to_json(manifest))
    except OSError as exc:
        raise MatchError(f"match folder {folder}: {exc.strerror or exc}") from exc


def discard_match(folder: Path, manifest: Manifest) -> None:
    """Delete the files of a match, and its folder where nothing else is in it.

    Raises:
        MatchError: they cannot be deleted.
    """
    try:
        _remove_match(folder, manifest)
    except OSError as exc:
        raise MatchError(f"match folder {folder}: {exc.strerror or exc}") from exc
    with suppress(OSError):
        folder.rmdir()


@contextmanager
def locked(folder: Path, *, patience: float = LOCK_SECONDS) -> Iterator[int]:
    """Hold the folder's lock and yield its file descriptor.

    The system gives the lock back when every process that holds the descriptor has ended, however
    it ended.  A killed runner's dealers need a moment for that, hence the patience, in seconds.

    Raises:
        FolderInUse: another match runner, or a dealer, holds it.
    """
    end = time.monotonic() + patience
    with (folder / MANIFEST_NAME).open("rb") as file:
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except OSError as exc:
                if time.monotonic() >= end:
                    raise FolderInUse(f"another arena match is working in {folder}") from exc
            time.sleep(_LOCK_PAUSE)
        yield file.fileno()


def _from_document(document: dict[str, Any]) -> Manifest:
    """Return the manifest in a JSON document.

    Raises:
        ValueError, KeyError, TypeError, AttributeError: something in it no match can have had,
            such as a name that would lead out of the folder.
    """
    return Manifest(
        bots=tuple(
            Participant(
                _text(bot["label"], LABEL),
                BotKind(bot["kind"]),
                tuple(_text(word) for word in bot["words"]),
                _number(bot["port"], 0, 2**16 - 1),
            )
            for bot in document["bots"]
        ),
        game_name=_text(document["game"]["file"], _FILE_NAME),
        game_text=_text(document["game"]["text"]),
        hands=_number(document["hands_per_leg"], 1, MOST_HANDS),
        seed=_number(document["seed"], 0, 2**32 - 1),
        runs=_number(document["runs"], 1, MOST_RUNS),
        duplicate=bool(_number(document["duplicate"], 0, 1)),
        dealer_options=_texts(document["dealer_options"]),
        working_directory=_text(document["working_directory"]),
        versions=_texts(document["versions"]),
    )


def _text(value: object, pattern: re.Pattern[str] = _ANY_TEXT) -> str:
    if not isinstance(value, str) or pattern.fullmatch(value) is None:
        raise ValueError(f"{value!r:.60} cannot be there")
    return value


def _texts(values: dict[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple((_text(name), _text(value)) for name, value in values.items())


def _number(value: object, least: int, most: int) -> int:
    if not isinstance(value, int) or not least <= value <= most:
        raise ValueError(f"{value!r:.60}: want a whole number from {least} to {most}")
    return value


def _remove_match(folder: Path, manifest: Manifest) -> None:
    """Delete the files that playing `manifest` left; nothing else."""
    for leg in manifest.legs():
        # An exact name and the names of the seats' outputs, so A.B.1.0 never takes A.B.1.00 along.
        outputs = [
            f".player{seat}{kind}" for seat in range(len(leg.seats)) for kind in (".std", ".err")
        ]
        for suffix in (*_LEG_SUFFIXES, *outputs):
            (folder / f"{leg.name}{suffix}").unlink(missing_ok=True)
    for name in (manifest.game_name, "result.json", MANIFEST_NAME):
        (folder / name).unlink(missing_ok=True)


def _shown(bots: tuple[Participant, ...]) -> str:
    return ", ".join(
        f"{bot.label}={' '.join(bot.words)}" if bot.words else f"{bot.label}=listen:{bot.port}"
        for bot in bots
    )


def _flags(manifest: Manifest) -> str:
    return " ".join(f"--{name} {value}" for name, value in sorted(manifest.dealer_options)) or "-"
