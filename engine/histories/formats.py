"""The formats of hand histories by name, and which one a file is in."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine.histories.acpc_log import LogWriter, read_log
from engine.histories.hand import LeftOut
from engine.histories.phh import PhhWriter, read_phh
from engine.histories.sites import SITES, UNREAD, read_unread, unread_reason, unread_site

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from engine.histories.hand import (
        HandHistory,
        HistoryReader,
        HistoryWriter,
        ReadSettings,
    )

LOG: Final = "log"
CSV: Final = "csv"
POKERSTARS: Final = "pokerstars"
UNREAD_SITE: Final = "unread_site"


@dataclass(frozen=True, slots=True)
class HistoryFormat:
    """One format."""

    name: str
    """What --to calls it; its files end in a dot and this."""
    summary: str
    mark: re.Pattern[bytes] | None
    """Is found in the first bytes of a file in this format; None: by another format's reader."""
    reader: HistoryReader | None
    """None: it is only written."""
    writer: Callable[[], HistoryWriter] | None
    """Begins a file; None: it is only read."""


def _telling_others(name: str, read: HistoryReader) -> HistoryReader:
    """Return a reader that tells hands of other formats, where its own passes them over."""

    def reader(lines: Iterable[str], settings: ReadSettings) -> Iterator[HandHistory | LeftOut]:
        others: list[LeftOut] = []

        def watched() -> Iterator[str]:
            for number, line in enumerate(lines, 1):
                if not (name == LOG and line.startswith(("STATE:", "#"))):
                    marked = _marked(line.encode("utf-8", "surrogateescape"))
                    if marked is not None and marked.name != name:
                        site = unread_site(line) if marked.name == UNREAD_SITE else ""
                        why = f"a hand in another format, {marked.name}"
                        others.append(LeftOut(number, unread_reason(site) if site else why))
                yield line

        for hand in read(watched(), settings):
            yield from others
            others.clear()
            yield hand
        yield from others

    return reader


def _reader(name: str) -> HistoryReader:
    """Return the reader of a format, imported when it is wanted: every command starts here."""

    def read(lines: Iterable[str], settings: ReadSettings) -> Iterator[HandHistory | LeftOut]:
        from engine.histories.ohh import read_ohh
        from engine.histories.pokerstars_read import read_pokerstars
        from engine.histories.slumbot import read_slumbot

        readers = {POKERSTARS: read_pokerstars, "ohh": read_ohh, "slumbot": read_slumbot}
        return readers[name](lines, settings)

    return read


def _writer(name: str) -> Callable[[], HistoryWriter]:
    """Return what begins a file of a format, imported when it is wanted, too."""

    def begin() -> HistoryWriter:
        from engine.histories.csv_write import CsvWriter
        from engine.histories.ohh import OhhWriter
        from engine.histories.pokerstars_write import PokerStarsWriter
        from engine.histories.slumbot import SlumbotWriter

        writers: dict[str, Callable[[], HistoryWriter]] = {
            **{POKERSTARS: PokerStarsWriter, CSV: CsvWriter},
            **{"ohh": OhhWriter, "slumbot": SlumbotWriter},
        }
        return writers[name]()

    return begin


FORMATS: Final = (
    HistoryFormat(
        LOG,
        "match logs of the ACPC",
        re.compile(rb"^(?:STATE:[0-9]|# name/game/hands/seed )", re.MULTILINE),
        _telling_others(LOG, read_log),
        LogWriter,
    ),
    HistoryFormat(
        "phhs",
        "PHH, many hands in a file",
        re.compile(rb"^[ \t]*variant[ \t]*=", re.MULTILINE),
        read_phh,
        PhhWriter,
    ),
    HistoryFormat("phh", "PHH, one hand in a file", None, read_phh, lambda: PhhWriter(many=False)),
    HistoryFormat(
        POKERSTARS,
        "text of PokerStars",
        re.compile(
            rb"^(?:\xef\xbb\xbf)?[>| \t]*PokerStars (?:[A-Z]+ ){0,3}(?:Hand|Game) #[0-9]",
            re.MULTILINE | re.IGNORECASE,
        ),
        _reader(POKERSTARS),
        _writer(POKERSTARS),
    ),
    HistoryFormat(
        "ohh",
        "Open Hand History",
        re.compile(rb'^(?:\xef\xbb\xbf)?[ \t]*\{[^{}]{0,2000}?"ohh"\s*:', re.MULTILINE),
        _reader("ohh"),
        _writer("ohh"),
    ),
    HistoryFormat(
        "slumbot",
        "records of slumbot.com, a line each",
        re.compile(rb'^(?:\xef\xbb\xbf)?[ \t]*\{[^\n]{0,2000}"client_pos"[ ]*:', re.MULTILINE),
        _reader("slumbot"),
        _writer("slumbot"),
    ),
    HistoryFormat(CSV, "a table, a row a hand or a decision", None, None, _writer(CSV)),
    *(
        HistoryFormat(
            name,
            f"text of {site.name}",
            re.compile(
                rb"^(?:\xef\xbb\xbf)?[ \t]*" + re.escape(site.begins.encode()), re.MULTILINE
            ),
            _telling_others(name, site.read),
            None,
        )
        for name, site in SITES.items()
    ),
    HistoryFormat(UNREAD_SITE, "text of a site that is not read", UNREAD, read_unread, None),
)
"""A file's head is compared with their marks in this order."""


def format_named(name: str) -> HistoryFormat:
    """Return the format of a name that --to knows."""
    return next(entry for entry in FORMATS if entry.name == name)


def format_of(head: bytes, file_name: str) -> HistoryFormat:
    """Return the format that a file is in; a log where nothing tells another.

    Args:
        head: its first bytes, unpacked; they count more than the name.
        file_name: may end in what the format is called, and in .gz or such behind it.
    """
    marked = _marked(head)
    if marked is not None:
        return marked
    endings = file_name.lower().split(".")[-2:]
    return next(
        (entry for entry in FORMATS[1:] if entry.name in endings),
        FORMATS[0],
    )


def _marked(text: bytes) -> HistoryFormat | None:
    """Return the first format whose mark stands in a text."""
    return next(
        (entry for entry in FORMATS if entry.mark is not None and entry.mark.search(text)),
        None,
    )
