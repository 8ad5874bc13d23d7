"""The ledger of a tournament: one line for each leg that is over, added as soon as it is.

The first line names the tournament by its digest.  All others are one leg each, as JSON with the
chips won by each bot and the SHA-256 of the hands from which they can be counted again.  Nothing in
it depends on when or beside what a leg was played, or how often it was resumed.  A last line that
was cut off is dropped: the leg's log is there, and its line is written again.  A leg that was
forfeited and is to be played again gets a line that says so, before its log is written to.  Bots
that join get a line with the digest of the tournament that they are in.  Pairings that play more
rounds than all others, so that the first places are decided, get a line before the first of these.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from dealer.errors import MatchError
from dealer.series.schedule import MOST_RUNS
from dealer.server.endings import Ending
from engine.storage.atomic import write_whole
from engine.storage.documents import json_document

_HEADER: Final = "tournament"
_AGAIN: Final = "again"
_JOINED: Final = "joined"
_LONGER: Final = "longer"
_UNREADABLE: Final = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


@dataclass(frozen=True, slots=True)
class LegEntry:
    """A leg that is over."""

    pairing: str
    leg: str
    hands: int
    """Hands that were played to their end."""
    ending: Ending
    bot: str | None
    """Who forfeited it; None for a leg that was finished."""
    chips: dict[str, float]
    """What each bot won, by label."""
    sha256: str
    """Of the log without its comments, see `digest_of_log`."""

    @property
    def forfeited(self) -> bool:
        """Whether a bot broke it off."""
        return self.ending is not Ending.FINISHED


class TournamentLedger:
    """The file, and what it says; of a leg that is in it twice the later line counts."""

    def __init__(self, path: Path, digest: str) -> None:
        """Read the ledger, or begin one.

        Raises:
            MatchError: it is of another tournament, damaged, or cannot be read or written.
        """
        self.path = path
        self.entries: dict[str, LegEntry] = {}
        """By name of the leg."""
        self.joined: dict[str, int] = {}
        """Label of each bot that joined -> legs that were over by then."""
        self.rounds: dict[str, int] = {}
        """By name of a pairing that plays longer than the tournament: its rounds in all."""
        try:
            if path.exists():
                self._read(path.read_bytes(), digest)
            else:
                write_whole(path, json.dumps({_HEADER: digest}) + "\n")
        except OSError as exc:
            raise MatchError(f"{path}: {exc.strerror or exc}") from exc

    def add(self, entry: LegEntry) -> None:
        """Add a leg; once this returns, no power failure loses it.

        Raises:
            MatchError: it cannot be written.
        """
        self._append({**asdict(entry), "ending": entry.ending.value})
        self.entries[entry.leg] = entry

    def play_again(self, leg: str) -> None:
        """Forget what there is of a leg, which is about to be played again; as safely as `add`.

        Raises:
            MatchError: it cannot be written.
        """
        self._append({_AGAIN: leg})
        del self.entries[leg]

    def join(self, labels: Sequence[str], digest: str) -> None:
        """Note that bots join; the tournament has another digest from now on.

        Raises:
            MatchError: it cannot be written.
        """
        self._append({_JOINED: list(labels), _HEADER: digest})
        self.joined |= dict.fromkeys(labels, len(self.entries))

    def make_longer(self, rounds: Mapping[str, int]) -> None:
        """Note how many rounds some pairings play from now on; as safely as `add`.

        Raises:
            MatchError: it cannot be written.
        """
        self._append({_LONGER: dict(rounds)})
        self.rounds |= rounds

    def _append(self, entry: dict[str, Any]) -> None:
        try:
            with self.path.open("ab") as file:
                file.write((json.dumps(entry) + "\n").encode())
                file.flush()
                os.fsync(file.fileno())
        except OSError as exc:
            raise MatchError(f"{self.path}: {exc.strerror or exc}") from exc

    def _read(self, content: bytes, digest: str) -> None:
        *lines, rest = content.split(b"\n")
        digests = []
        if not lines:
            raise MatchError(f"{self.path} is no ledger of a tournament")
        for number, line in enumerate(lines, 1):
            try:
                document = json_document(line)
                if number == 1:
                    digests.append(str(document[_HEADER]))
                elif _JOINED in document:
                    digests.append(str(document[_HEADER]))
                    labels = map(str, document[_JOINED])
                    self.joined |= dict.fromkeys(labels, len(self.entries))
                elif _LONGER in document:
                    self.rounds |= _rounds(document[_LONGER])
                elif _AGAIN in document:
                    del self.entries[document[_AGAIN]]
                else:
                    entry = _entry(document)
                    self.entries[entry.leg] = entry
            except _UNREADABLE as exc:
                raise MatchError(
                    f"{self.path}, line {number}: damaged ({type(exc).__name__}: {exc}); without "
                    "this line the leg is counted again from its log"
                    if number > 1
                    else f"{self.path} is no ledger of a tournament"
                ) from exc
        if digest not in digests:
            raise MatchError(f"{self.path} is the ledger of another tournament")
        if rest:
            write_whole(self.path, b"".join(line + b"\n" for line in lines))


def _rounds(document: dict[str, Any]) -> dict[str, int]:
    rounds = {str(name): int(count) for name, count in document.items()}
    if any(not 1 <= count <= MOST_RUNS for count in rounds.values()):
        raise ValueError("rounds that nobody can play")
    return rounds


def _entry(document: dict[str, Any]) -> LegEntry:
    entry = LegEntry(
        pairing=str(document["pairing"]),
        leg=str(document["leg"]),
        hands=int(document["hands"]),
        ending=Ending(document["ending"]),
        bot=None if document["bot"] is None else str(document["bot"]),
        chips={str(label): float(chips) for label, chips in document["chips"].items()},
        sha256=str(document["sha256"]),
    )
    finite = all(map(math.isfinite, entry.chips.values()))
    if entry.hands < 0 or entry.forfeited == (entry.bot is None) or not finite:
        raise ValueError("a leg that nobody can have played")
    return entry


def digest_of_log(log: Path) -> str:
    """Return the SHA-256 of a log's hands and score, of nothing where there is none.

    Comments do not count: in one of them a log says that its leg was resumed.
    """
    digest = hashlib.sha256()
    if log.is_file():
        with log.open("rb") as file:
            for line in file:
                if not line.startswith(b"#"):
                    digest.update(line)
    return digest.hexdigest()
