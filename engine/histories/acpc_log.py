"""Match logs <-> hands.

Whatever stands around a hand in a log goes with it (`LogFrame`), so that a log that has been
something else in between is the same to the byte.  What a log has no place for stands before the
hand in comments, a field each, as TOML:

    # phh: currency = "USD"
    STATE:7:r200f:...
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from engine.errors import UnusableHistory
from engine.histories.beside import NOTE_PREFIX, SCALE, comments, name_bytes
from engine.histories.hand import HandFields, HandHistory, LeftOut, settled_hand
from engine.histories.toml_text import read_entries
from protocol.errors import MalformedLogLine, ProtocolError
from protocol.handlog import HandRecord, Header, Stakes, format_hand, parse_log_line

if TYPE_CHECKING:
    from engine.histories.hand import ReadSettings

_HEADER: Final = "# name/"
_BEFORE: Final = "_before"
_AFTER: Final = "_after"
_LINE_END: Final = "_line_end"
_STAKES: Final = "_stakes"
_BYTES_SUFFIX: Final = "_bytes"
"""A field whose text is not in UTF-8 has a character a byte."""
_OF_LOGS: Final = frozenset(
    [_LINE_END, _STAKES, _BEFORE, _AFTER, _BEFORE + _BYTES_SUFFIX, _AFTER + _BYTES_SUFFIX]
)


class LogFrame(NamedTuple):
    """What stands around a hand in its log; in the fields of a hand under names of our own."""

    before: str = ""
    """The lines since the hand before."""
    after: str = ""
    """Those behind the last hand."""
    line_end: str = "\n"
    stakes: bool = False
    """Whether the line has stacks and blinds."""

    @classmethod
    def of(cls, fields: Mapping[str, Any]) -> LogFrame:
        """Return the frame in the fields of a hand."""
        if _OF_LOGS.isdisjoint(fields):
            return _NO_FRAME
        return cls(
            _text(fields, _BEFORE),
            _text(fields, _AFTER),
            _text(fields, _LINE_END, "\n"),
            _STAKES in fields,
        )

    @property
    def headed(self) -> bool:
        """Whether the log names its game."""
        return "# name/game/hands/seed " in self.before

    def fields(self) -> dict[str, Any]:
        """Return it as fields."""
        fields = _as_field(_BEFORE, self.before)
        if self.line_end != "\n":
            fields[_LINE_END] = self.line_end
        if self.stakes:
            fields[_STAKES] = True
        return fields | _as_field(_AFTER, self.after)


_NO_FRAME: Final = LogFrame()


def read_log(lines: Iterable[str], settings: ReadSettings) -> Iterator[HandHistory | LeftOut]:
    """Yield the hands of a log; see `engine.histories.hand.HistoryReader`."""
    pending_hand: HandHistory | None = None
    lead_lines: list[str] = []
    fields = HandFields()
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
        try:
            record = parse_log_line(text)
            if not isinstance(record, HandRecord):
                raise UnusableHistory("no STATE line")
            frame = LogFrame("".join(lead_lines), "", line[len(text) :], record.stakes is not None)
            fields |= frame.fields()
            pending_hand = _hand(record, number, header, fields, settings)
        except (UnusableHistory, ProtocolError) as error:
            yield LeftOut(number, str(error))
        else:
            lead_lines = []
        fields = HandFields()
    if pending_hand is not None:
        if lead_lines:
            rest = HandFields(pending_hand.fields | LogFrame(after="".join(lead_lines)).fields())
            pending_hand = replace(pending_hand, fields=rest)
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
    record: HandRecord,
    number: int,
    header: Header | None,
    fields: HandFields,
    settings: ReadSettings,
) -> HandHistory:
    if settings.game_of is None:
        raise UnusableHistory("the game is not known")
    scale = fields.pop(SCALE, 1)
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
        frame = LogFrame.of(hand.fields)
        record = hand.record
        if self._stakes or frame.stakes:
            record = replace(record, stakes=Stakes(hand.game.stacks, hand.game.blinds))
        beside = {key: value for key, value in hand.fields.items() if key not in _OF_LOGS}
        if hand.scale != 1:
            beside[SCALE] = hand.scale
        line = format_hand(record) + frame.line_end
        return f"{frame.before}{comments(beside)}{line}{frame.after}"

    def end(self) -> str:
        """Return nothing: a log ends with its last hand."""
        return ""


def _as_field(name: str, text: str) -> dict[str, Any]:
    if not text:
        return {}
    try:
        text.encode()
    except UnicodeEncodeError:
        return {f"{name}{_BYTES_SUFFIX}": name_bytes(text)}
    return {name: text}


def _text(fields: Mapping[str, Any], name: str, default: str = "") -> str:
    raw = fields.get(f"{name}{_BYTES_SUFFIX}")
    if isinstance(raw, str) and max(raw, default="") <= "\xff":
        return raw.encode("latin-1").decode("utf-8", "surrogateescape")
    value = fields.get(name, default)
    return value if isinstance(value, str) else default
