"""Match logs <-> hands.

Whatever stands around a hand in a log goes with it, so that a log that has been something else in
between is the same to the byte: `_before` has the lines since the hand before, `_after` those
behind the last one, `_before_bytes` and `_after_bytes` those that are not UTF-8, `_line_end` how
its line ends where that is not by a newline alone, `_stakes` that the line has stacks and blinds.
What a log has no place for stands before the hand in comments, a field each, as TOML:

    # phh: currency = "USD"
    STATE:7:r200f:...
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from engine.errors import UnusableHistory
from engine.histories.hand import HandHistory, LeftOut, settled_hand
from engine.histories.toml_text import format_toml, read_entries
from protocol.errors import MalformedLogLine, ProtocolError
from protocol.handlog import HandRecord, Header, Stakes, format_hand, parse_log_line

if TYPE_CHECKING:
    from engine.histories.hand import ReadSettings

NOTE_PREFIX: Final = "# phh: "
_HEADER: Final = "# name/"
_SCALE: Final = "_scale"
_BYTES_SUFFIX: Final = "_bytes"
"""A field whose text is not in UTF-8 has a character a byte."""
_OF_LOGS: Final = frozenset(
    {
        "_before",
        "_after",
        "_line_end",
        "_stakes",
        f"_before{_BYTES_SUFFIX}",
        f"_after{_BYTES_SUFFIX}",
    }
)


def read_log(lines: Iterable[str], settings: ReadSettings) -> Iterator[HandHistory | LeftOut]:
    """Yield the hands of a log; see `engine.histories.hand.HistoryReader`."""
    pending_hand: HandHistory | None = None
    lead_lines: list[str] = []
    fields: dict[str, Any] = {}
    header: Header | None = None
    for number, line in enumerate(lines, 1):
        if line.startswith(NOTE_PREFIX):
            try:
                fields |= read_entries(line.removeprefix(NOTE_PREFIX))
                continue
            except UnusableHistory:
                pass  # a comment of somebody else
        if not line.startswith("STATE:"):
            header = _header_in(line) or header
            lead_lines.append(line)
            continue
        if pending_hand is not None:
            yield pending_hand
            pending_hand = None
        text = line.rstrip("\r\n")
        end = line[len(text) :]
        if lead_lines:
            fields |= _as_field("_before", "".join(lead_lines))
        if end != "\n":
            fields["_line_end"] = end
        try:
            pending_hand = _hand(text, number, header, fields, settings)
        except (UnusableHistory, ProtocolError) as error:
            yield LeftOut(number, str(error))
        else:
            lead_lines = []
        fields = {}
    if pending_hand is not None:
        if lead_lines:
            pending_hand = replace(
                pending_hand,
                fields={**pending_hand.fields, **_as_field("_after", "".join(lead_lines))},
            )
        yield pending_hand


def _header_in(line: str) -> Header | None:
    if not line.startswith(_HEADER):
        return None
    try:
        record = parse_log_line(line)
    except MalformedLogLine:
        return None
    return record if isinstance(record, Header) else None


def _hand(
    text: str, number: int, header: Header | None, fields: dict[str, Any], settings: ReadSettings
) -> HandHistory:
    record = parse_log_line(text)
    if not isinstance(record, HandRecord):
        raise UnusableHistory("no STATE line")
    if settings.game_of is None:
        raise UnusableHistory("the game is not known")
    if record.stakes is not None:
        fields["_stakes"] = True
    scale = fields.pop(_SCALE, 1)
    if type(scale) is not int or scale < 1:
        raise UnusableHistory(f"no scale of chips: {scale!r}")
    return settled_hand(settings.game_of(header, record), record, number, fields, scale)


class LogWriter:
    """Writes a log, without a header where the hands have none."""

    def __init__(self, *, stakes: bool = False) -> None:
        """Begin a log; with `stakes` all lines have the stacks and the blinds of their hand."""
        self._stakes = stakes

    def add(self, hand: HandHistory) -> str:
        """Return the lines of a hand, and what stood around it in the log that it is from."""
        fields = hand.fields
        record = hand.record
        if self._stakes or "_stakes" in fields:
            record = replace(record, stakes=Stakes(hand.game.stacks, hand.game.blinds))
        beside = {key: value for key, value in fields.items() if key not in _OF_LOGS}
        if hand.scale != 1:
            beside[_SCALE] = hand.scale
        notes = "".join([f"{NOTE_PREFIX}{line}\n" for line in format_toml(beside).split("\n")[:-1]])
        return (
            f"{_text(fields, '_before')}{notes}{format_hand(record)}"
            f"{_text(fields, '_line_end', chr(10))}{_text(fields, '_after')}"
        )

    def end(self) -> str:
        """Return nothing: a log ends with its last hand."""
        return ""


def _as_field(name: str, text: str) -> dict[str, str]:
    try:
        text.encode()
    except UnicodeEncodeError:
        raw = text.encode("utf-8", "surrogateescape")
        return {f"{name}{_BYTES_SUFFIX}": raw.decode("latin-1")}
    return {name: text}


def _text(fields: Mapping[str, Any], name: str, default: str = "") -> str:
    raw = fields.get(f"{name}{_BYTES_SUFFIX}")
    if isinstance(raw, str) and max(raw, default="") <= "\xff":
        return raw.encode("latin-1").decode("utf-8", "surrogateescape")
    value = fields.get(name, default)
    return value if isinstance(value, str) else default
