"""The TOML of hand histories: hands of a file one by one, read fast where they are plain.

A line such as `players = ["a", "b"]` is read by regular expressions and the JSON reader of the
standard library, which is compiled; a hand with anything else in it goes to the reader of
all of TOML, which is fifty times slower.  Where both read a hand they read the same.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any, Final

from engine.errors import DamagedDocument, UnusableHistory
from engine.storage.documents import toml_document

_SECTION: Final = re.compile(
    r"""\s*\[\s*(?:"([^"\\]*)"|'([^']*)'|([A-Za-z0-9_-]+))\s*\]\s*(?:#.*)?\s*"""
)
_ENTRY: Final = re.compile(r"([A-Za-z0-9_-]+) *= *(.+?) *")
_STRING: Final = re.compile(
    r"""("(?:[^"\\\x00-\x1f\x7f]|\\[btnfr"\\])*+")|'([^'\x00-\x1f\x7f]*+)'"""
)
_STRINGS: Final = re.compile(r"""\[(?:[^\\\x00-\x1f\x7f]|\\[btnfr"\\])*+""")
_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]{0,17})(\.[0-9]{1,18})?")
_NUMBERS: Final = re.compile(r"\[[0-9., -]*\]")
_TIME: Final = re.compile(r"[0-2][0-9]:[0-5][0-9]:[0-5][0-9](?:\.[0-9]{1,6})?")
_BARE_KEY: Final = re.compile(r"[A-Za-z0-9_-]+")
_INFINITE: Final = Decimal("inf")
_WORDS: Final = {"true": True, "false": False, "inf": _INFINITE}
_NOT_PLAIN: Final = object()
_MOST_HAND_LINES: Final = 1 << 16
"""What is behind them is not read, so that no file fills the memory."""
_MOST_WHOLE_DIGITS: Final = 30


def toml_hands(lines: Iterable[str]) -> Iterator[tuple[int, str | None, str]]:
    """Yield (line of its first entry, its name or None, its text) for the hands of a file.

    Hands stand behind lines such as [12]; a file without such lines is one hand.
    """
    name: str | None = None
    start = 1
    section_lines: list[str] = []
    number = 0
    for number, line in enumerate(lines, 1):
        match = _SECTION.fullmatch(line) if "[" in line[:8] else None
        if match is None:
            if len(section_lines) < _MOST_HAND_LINES:
                section_lines.append(line)
            continue
        if name is not None or _has_entry(section_lines):
            yield start, name, "".join(section_lines)
        name = match[1] or match[2] or match[3] or ""
        start, section_lines = number + 1, []
    if name is not None or _has_entry(section_lines):
        yield start, name, "".join(section_lines)


def _has_entry(lines: Iterable[str]) -> bool:
    return any(line.strip() and not line.lstrip().startswith("#") for line in lines)


def read_entries(text: str) -> dict[str, Any]:
    """Return the entries of a hand.

    Raises:
        UnusableHistory: it is no TOML.
    """
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            raise UnusableHistory("not in UTF-8") from None
    if "\r" in text:
        text = text.replace("\r\n", "\n")
    plain = _read_plain(text)
    return read_any_toml(text) if plain is None else plain


def read_any_toml(text: str) -> dict[str, Any]:
    """Do the same whatever is in it, slowly.

    Raises:
        UnusableHistory: it is no TOML.
    """
    try:
        return toml_document(text, _real)
    except DamagedDocument as error:
        raise UnusableHistory(str(error)) from error


def _real(text: str) -> Decimal:
    """Return a number; ValueError where writing it out would fill the memory."""
    try:
        value = Decimal(text)
    except ArithmeticError:
        raise ValueError(f"no number of chips: {text[:40]}") from None
    if abs(value.adjusted()) > _MOST_WHOLE_DIGITS:
        raise ValueError(f"no number of chips: {text[:40]}")
    return value


_PLAIN_JSON: Final = json.JSONDecoder(parse_float=_real)


def _read_plain(text: str) -> dict[str, Any] | None:
    """Return the entries, None where one is not plain."""
    entries: dict[str, Any] = {}
    for line in text.split("\n"):
        if not line:
            continue
        if line[0] == "#" and line.isprintable():
            continue
        entry = _ENTRY.fullmatch(line)
        if entry is None or entry[1] in entries:
            return None
        value = _plain_value(entry[2])
        if value is _NOT_PLAIN:
            return None
        entries[entry[1]] = value
    return entries


def _plain_value(text: str) -> Any:
    first = text[0]
    if first == "[":
        return _plain_array(text)
    if first in "'\"":
        match = _STRING.fullmatch(text)
        if match is None:
            return _NOT_PLAIN
        return match[2] if match[1] is None else _PLAIN_JSON.decode(match[1])
    match = _NUMBER.fullmatch(text)
    if match is not None:
        return int(text) if match[1] is None else Decimal(text)
    if _TIME.fullmatch(text) is not None:
        try:
            return time.fromisoformat(text)
        except ValueError:
            return _NOT_PLAIN
    return _WORDS.get(text, _NOT_PLAIN)


def _plain_array(text: str) -> Any:
    try:
        if _NUMBERS.fullmatch(text) is not None:
            return _PLAIN_JSON.decode(text)
        if _STRINGS.fullmatch(text) is None:
            return _NOT_PLAIN
        if "'" in text:
            if '"' in text or "\\" in text:
                return _NOT_PLAIN
            text = text.replace("'", '"')
        values = _PLAIN_JSON.decode(text)
    except (ValueError, RecursionError):
        return _NOT_PLAIN
    if set(map(type, values)) <= {str}:
        return values
    return _NOT_PLAIN


def format_toml(entries: Mapping[str, Any]) -> str:
    """Return entries as TOML, a line each.

    Raises:
        UnusableHistory: a value has no place in TOML.
    """
    return "".join([f"{_key(key)} = {_value(value)}\n" for key, value in entries.items()])


def _key(key: str) -> str:
    return key if _BARE_KEY.fullmatch(key) else _text(key)


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _value(value: Any) -> str:
    kind = type(value)
    if kind is int:
        return str(value)
    if kind is str:
        return _text(value)
    if kind is list:
        return f"[{', '.join(map(_value, value))}]"
    if kind is Decimal:
        return _decimal(value)
    if kind is bool:
        return "true" if value else "false"
    if kind is dict:
        return f"{{{', '.join(f'{_key(key)} = {_value(item)}' for key, item in value.items())}}}"
    if kind in (time, date, datetime):
        return str(value.isoformat())
    raise UnusableHistory(f"{value!r} has no place in TOML")


def _decimal(value: Decimal) -> str:
    if value.is_nan():
        return "nan"
    if value.is_infinite():
        return "inf" if value > 0 else "-inf"
    text = format(value, "f")
    return text if "." in text else f"{text}.0"
