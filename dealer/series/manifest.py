"""The manifest of a match or tournament: all that is needed to play it again, or to resume it.

`manifest.json` of a match, `tournament.json` of a tournament, is written before the first hand and
changes only when it is made longer.  Results are not in it: they are always computed again from the
logs, so nothing can disagree with them.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

from dealer.bots.participants import LABEL_PATTERN, BotKind, Participant, ProgramFile
from dealer.errors import MatchError, MatchUsageError
from dealer.plan.match_plan import CLOCKS, SeatClock
from dealer.plan.options import (
    SHARED_DEALER_OPTIONS,
    GivenOptions,
    UsageError,
    option_text,
    read_options,
)
from dealer.series.given_deals import DEALS_COPY_NAME, LoggedBot, MatchDeals, SitIn, deals_document
from dealer.series.schedule import (
    MOST_LEG_HANDS,
    MOST_RUNS,
    Leg,
    Pairing,
    TournamentStyle,
    Winner,
    pairing_count,
    pairings,
    schedule,
)
from engine.estimates.sprt import SequentialTest
from engine.storage.atomic import write_whole
from engine.storage.documents import json_document
from protocol.errors import GameDefError
from protocol.gamedef import MAX_PLAYERS, parse_gamedef

MANIFEST_NAME: Final = "manifest.json"
TOURNAMENT_NAME: Final = "tournament.json"
ROUNDS_FACT: Final = "rounds"
_FORMAT: Final = 1
_FILE_NAME: Final = re.compile(r"(?!\.\.?$)[^/\x00]+")
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")
_ANY_TEXT: Final = re.compile(r"[^\x00]*")
_UNREADABLE: Final = (
    ValueError,
    KeyError,
    TypeError,
    AttributeError,
    ArithmeticError,
    GameDefError,
)


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
    dealer_options: GivenOptions
    """Options of every dealer."""
    working_directory: str
    """Folder in which the bots are started."""
    versions: tuple[tuple[str, str], ...] = ()
    """(program, version) at the start; a later version may resume the match."""
    sprt: SequentialTest | None = None
    """By which the match ends; it then gets longer until that decides it."""
    deals: MatchDeals | None = None
    """The deals file that is played; None for the seed's own deals."""
    sit_in: SitIn | None = None
    """Whose seat in a log the first bot takes; `deals` are then that seat's, in one seating."""
    style: TournamentStyle = TournamentStyle.MATCH
    """Who meets whom."""
    challengers: int = 1
    """In a gauntlet, how many of the first bots meet all others."""

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
        seat = 0 if self.sit_in is None else self.sit_in.seat
        return schedule(
            self.labels, seed=self.seed, runs=self.runs, duplicate=self.duplicate, first_seat=seat
        )

    @property
    def leg_count(self) -> int:
        """How many legs there will be."""
        if self.is_match:
            return self.runs * (len(self.bots) if self.duplicate else 1)
        return self.pairing_count * self.players * self.runs

    @property
    def players(self) -> int:
        """How many sit at a table."""
        return parse_gamedef(self.game_text).players

    @property
    def is_match(self) -> bool:
        """Whether it is one pairing, in the folder itself."""
        return self.style is TournamentStyle.MATCH

    @property
    def style_name(self) -> str:
        """Who meets whom, in a word."""
        return self.style.value

    @property
    def what(self) -> str:
        """What people call it."""
        return "match" if self.is_match else "tournament"

    @property
    def file_name(self) -> str:
        """Name of its file."""
        return MANIFEST_NAME if self.is_match else TOURNAMENT_NAME

    @property
    def pairing_count(self) -> int:
        """How many pairings a tournament will have."""
        return pairing_count(self.style, len(self.bots), self.challengers, self.players)

    def pairings(self, winner: Winner) -> list[Pairing]:
        """Return the pairings that are known so far, see `dealer.series.schedule`."""
        return pairings(self.style, len(self.bots), winner, self.challengers, self.players)

    def pairing_name(self, pairing: Pairing) -> str:
        """Return the name of a pairing and its folder."""
        return ".".join(self.bots[bot].label for bot in pairing.bots)

    def match(self, pairing: Pairing) -> Manifest:
        """Return the match of a pairing; all pairings have the same deals."""
        bots = tuple(self.bots[bot] for bot in pairing.bots)
        return replace(self, bots=bots, style=TournamentStyle.MATCH, challengers=1)

    def newcomers(self, earlier: Manifest) -> tuple[str, ...]:
        """Return who joined a tournament since it was `before`; nobody where others are missing."""
        if self.is_match:
            return ()
        new = tuple(label for label in self.labels if label not in earlier.labels)
        there = tuple(label for label in self.labels if label in earlier.labels)
        return new if there == earlier.labels else ()

    def without(self, labels: Collection[str]) -> Manifest:
        """Return the tournament without some bots."""
        left_out = sum(label in labels for label in self.labels[: self.challengers])
        bots = tuple(bot for bot in self.bots if bot.label not in labels)
        return replace(self, bots=bots, challengers=self.challengers - left_out)

    @property
    def digest(self) -> str:
        """SHA-256 of all that a resumed tournament must not change: not its length, nor files."""
        document = json.loads(to_json(self))
        for loose in ("runs", "versions", "working_directory"):
            del document[loose]
        for bot in document["bots"]:
            bot.pop("files", None)
        return hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()


def to_json(manifest: Manifest) -> str:
    """Return the text of a manifest file."""
    document: dict[str, Any] = {"format": _FORMAT}
    if not manifest.is_match:
        document |= {"style": manifest.style_name, "challengers": manifest.challengers}
    document |= {
        "bots": [_bot_document(bot) for bot in manifest.bots],
        "game": {
            "file": manifest.game_name,
            "sha256": manifest.game_sha256,
            "text": manifest.game_text,
        },
        "hands_per_leg": manifest.hands,
        "seed": manifest.seed,
        "runs": manifest.runs,
        "duplicate": manifest.duplicate,
        "dealer_options": _option_texts(manifest.dealer_options),
        "working_directory": manifest.working_directory,
        "versions": dict(manifest.versions),
        **({} if manifest.sprt is None else {"sprt": asdict(manifest.sprt)}),
        **({} if manifest.deals is None else {"deals": deals_document(manifest.deals)}),
        **({} if manifest.sit_in is None else {"sit_in": asdict(manifest.sit_in)}),
    }
    if manifest.is_match:
        document["legs"] = [
            {"name": leg.name, "seed": leg.seed, "seats": [manifest.labels[b] for b in leg.seats]}
            for leg in manifest.legs()
        ]
    return json.dumps(document, indent=2) + "\n"


def _bot_document(bot: Participant) -> dict[str, Any]:
    document = asdict(bot) | {"kind": bot.kind.value, "clocks": _option_texts(bot.clocks)}
    for file in document["files"]:
        if not file["earlier"]:
            del file["earlier"]
    for name in ("directory", "clocks", "files"):
        if not document[name]:
            del document[name]
    return document


def from_json(text: str) -> Manifest:
    """Read a manifest file's text.

    Raises:
        MatchError: it is no manifest, is of another format, or its game was changed by hand.
    """
    try:
        document = json_document(text)
        if document["format"] != _FORMAT:
            raise MatchError(f"manifest of format {document['format']}; only {_FORMAT} can be read")
        return _manifest_in(document)
    except _UNREADABLE as exc:
        raise MatchError(f"not a readable manifest ({type(exc).__name__}: {exc})") from exc


def read_manifest(folder: Path, name: str = MANIFEST_NAME) -> Manifest:
    """Return the manifest of a match folder, or the one of a tournament by its name.

    Raises:
        MatchUsageError: there is none.
        MatchError: it cannot be used.
    """
    path = folder / name
    what = "match" if name == MANIFEST_NAME else "tournament"
    try:
        if path.exists() and not path.is_file():
            raise MatchError("not a file")
        manifest = from_json(path.read_text(encoding="utf-8"))
        if manifest.file_name != name:
            raise MatchError(f"not of a {what}, but of a {manifest.what}")
        return manifest
    except (FileNotFoundError, NotADirectoryError) as exc:
        kind = "tournament" if name == MANIFEST_NAME else "match"
        beside = TOURNAMENT_NAME if name == MANIFEST_NAME else MANIFEST_NAME
        hint = f"; it holds a {kind}: arena {kind}" if (folder / beside).is_file() else ""
        raise MatchUsageError(f"{folder} holds no {what} (no {name}){hint}") from exc
    except (OSError, UnicodeDecodeError) as exc:
        raise MatchError(f"{path} cannot be read: {exc}") from exc
    except MatchError as exc:
        raise MatchError(f"{path}: {exc}") from exc


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write the file of a match or tournament in one piece.  Raises OSError."""
    write_whole(folder / manifest.file_name, to_json(manifest))


def _manifest_in(document: dict[str, Any]) -> Manifest:
    """Return the manifest in a JSON document.

    Raises:
        MatchError: its game was changed by hand.
        ValueError, KeyError, TypeError, AttributeError: something in it no match can have had,
            such as a name that would lead out of the folder.
    """
    manifest = Manifest(
        bots=tuple(
            Participant(
                _text(bot["label"], LABEL_PATTERN),
                BotKind(bot["kind"]),
                _command(bot["words"], BotKind(bot["kind"])),
                _number(bot["port"], 0, 2**16 - 1),
                _text(bot.get("directory", "")),
                tuple(SeatClock(*clock) for clock in _options(bot.get("clocks", {}), CLOCKS)),
                tuple(map(_file_in, bot.get("files", []))),
            )
            for bot in document["bots"]
        ),
        game_name=_text(document["game"]["file"], _FILE_NAME),
        game_text=_text(document["game"]["text"]),
        hands=_number(document["hands_per_leg"], 1, MOST_LEG_HANDS),
        seed=_number(document["seed"], 0, 2**32 - 1),
        runs=_number(document["runs"], 1, MOST_RUNS),
        duplicate=bool(_number(document["duplicate"], 0, 1)),
        dealer_options=_options(document["dealer_options"], SHARED_DEALER_OPTIONS),
        working_directory=_text(document["working_directory"]),
        versions=_texts(document["versions"]),
        sprt=SequentialTest(**document["sprt"]) if "sprt" in document else None,
        deals=_deals_in(document["deals"]) if "deals" in document else None,
        sit_in=_sit_in(document["sit_in"]) if "sit_in" in document else None,
        style=TournamentStyle(document.get("style", TournamentStyle.MATCH.value)),
        challengers=_number(document.get("challengers", 1), 1, len(document["bots"])),
    )
    if len(set(manifest.labels)) < len(manifest.bots):
        raise ValueError(f"two bots of one name among {', '.join(manifest.labels)}")
    if manifest.sit_in is not None:
        if manifest.deals is None or manifest.duplicate or manifest.runs > 1:
            raise ValueError("who sits in for somebody plays given deals once, in one seating")
        if manifest.sit_in.seat >= len(manifest.bots):
            raise ValueError(f"seat {manifest.sit_in.seat} of {len(manifest.bots)}")
    if manifest.deals is not None and manifest.game_name == DEALS_COPY_NAME:
        raise ValueError(f"the game cannot be called {DEALS_COPY_NAME}")
    if manifest.game_sha256 != document["game"]["sha256"]:
        raise MatchError("the game in the manifest is not the one its digest was made from")
    if not manifest.is_match and not manifest.pairing_count:
        raise ValueError(f"{len(manifest.bots)} bots: nobody to meet")
    return manifest


def _command(document: Any, kind: BotKind) -> tuple[str, ...]:
    command = tuple(map(_text, document))
    if not command and kind is not BotKind.LISTEN:
        raise ValueError("a bot without a name or a program")
    return command


def _file_in(document: dict[str, Any]) -> ProgramFile:
    return ProgramFile(
        _text(document["name"]),
        _number(document["size"], 0, 2**63),
        _text(document["sha256"], _DIGEST),
        tuple(_text(digest, _DIGEST) for digest in document.get("earlier", [])),
    )


def _deals_in(document: dict[str, Any]) -> MatchDeals:
    return MatchDeals(
        _text(document["file"], _FILE_NAME),
        _text(document["sha256"], _DIGEST),
        _number(document["deals"], 1, 2**63),
    )


def _sit_in(document: dict[str, Any]) -> SitIn:
    return SitIn(
        _text(document["player"]),
        _number(document["seat"], 0, MAX_PLAYERS - 1),
        _text(document["sha256"], _DIGEST),
        tuple(
            LoggedBot(_text(bot["label"]), tuple(map(_text, bot["words"])))
            for bot in document.get("bots", [])
        ),
    )


def _text(value: object, pattern: re.Pattern[str] = _ANY_TEXT) -> str:
    if not isinstance(value, str) or pattern.fullmatch(value) is None:
        raise ValueError(f"{value!r:.60} cannot be there")
    os.fsencode(value)  # a name of the system; what is none is a ValueError
    return value


def _texts(values: dict[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple((_text(name), _text(value)) for name, value in values.items())


def _options(values: dict[str, str], names: Collection[str]) -> GivenOptions:
    """Return options of the dealer, which are texts in the file."""
    if strange := next((name for name in values if name not in names), None):
        raise ValueError(f"{strange!r:.60} cannot be there")
    try:
        return read_options(dict(_texts(values)))
    except UsageError as error:
        raise ValueError(str(error)) from error


def _option_texts(given: Iterable[tuple[str, object]]) -> dict[str, str]:
    return {name: option_text(value) for name, value in given}


def _number(value: object, least: int, most: int) -> int:
    if not isinstance(value, int) or not least <= value <= most:
        raise ValueError(f"{value!r:.60}: want a whole number from {least} to {most}")
    return value


def differences(manifest: Manifest, wanted: Manifest, where: str = "in the folder") -> list[str]:
    """Return one line for each way in which `other` would be another match or tournament.

    More hands of a match, or more runs, are none: that is the same made longer.  Nor are bots that
    join a tournament.
    """
    if new := wanted.newcomers(manifest):
        wanted = wanted.without(new)
    pairs = {what: (fact(manifest), fact(wanted)) for what, fact in _FIXED_FACTS.items()}
    lengths = {"runs" if manifest.is_match else "rounds": (manifest.runs, wanted.runs)}
    if manifest.is_match:
        lengths["hands"] = manifest.hands, wanted.hands
    else:
        pairs["hands"] = manifest.hands, wanted.hands
    return (
        [
            f"{what}: {stored} {where}, {asked} asked for"
            for what, (stored, asked) in pairs.items()
            if stored != asked
        ]
        + [
            f"{what}: {stored} {where}, {asked} asked for (it can be made longer, not shorter)"
            for what, (stored, asked) in lengths.items()
            if stored > asked
        ]
        + _moved_deals(manifest, wanted)
    )


def compared_facts(manifest: Manifest) -> dict[str, str]:
    """Return all that what is played depends on, by what it is called; the bots' files, too."""
    facts = {what: str(fact(manifest)) for what, fact in _FIXED_FACTS.items()}
    facts |= {"hands": str(manifest.hands), ROUNDS_FACT: str(manifest.runs)}
    for bot in manifest.bots:
        facts |= {f"{file.name} of {bot.label}": file.sha256[:12] for file in bot.files}
    return facts


def _shown(bot: Participant) -> str:
    clocks = [f"--{name} {value}" for name, value in bot.clocks]
    folder = [f"in {bot.directory}"] if bot.directory else []
    started = " ".join(bot.words) or f"listen:{bot.port}"
    return " ".join([f"{bot.label}={started}", *clocks, *folder])


def _moved_deals(manifest: Manifest, wanted: Manifest) -> list[str]:
    """Return a line where longer legs would move the deals of the runs after the first."""
    if manifest.deals is None or manifest.runs == 1 or wanted.hands <= manifest.hands:
        return []
    return [f"hands: {manifest.hands} in the folder; of several runs with --deals each begins "
            "where the one before ended"]  # fmt: skip


_FIXED_FACTS: Final[Mapping[str, Callable[[Manifest], object]]] = {
    "style": lambda manifest: manifest.style_name,
    "challengers": lambda manifest: manifest.challengers,
    "bots": lambda manifest: ", ".join(map(_shown, manifest.bots)),
    "game": lambda manifest: f"{manifest.game_name} ({manifest.game_sha256[:12]})",
    "seed": lambda manifest: manifest.seed,
    "deals": lambda manifest: (
        f"of a file ({manifest.deals.sha256[:12]})" if manifest.deals else "of the seed"
    ),
    "seat of a log": lambda manifest: (
        f"that of {manifest.sit_in.player}" if manifest.sit_in else "none"
    ),
    "duplicate": lambda manifest: manifest.duplicate,
    "dealer options": lambda manifest: (
        " ".join(f"--{name} {value}" for name, value in sorted(manifest.dealer_options)) or "-"
    ),
    "sequential test": lambda manifest: (
        " ".join(f"{name}={value}" for name, value in asdict(manifest.sprt).items())
        if manifest.sprt
        else "none"
    ),
}
"""A match that is resumed must agree in all of them."""
