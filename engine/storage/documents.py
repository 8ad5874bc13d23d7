"""Documents of others, JSON, TOML and msgpack: whatever is in them, they are read or damaged.

A few hundred bytes nest as deep as a program can recurse, or hold a number that no float holds;
readers of the standard library raise errors of many kinds then, and what they do read makes others
stumble later.  Every file and message from outside is read here.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable
from typing import Any, Final

from engine.errors import DamagedDocument

_MOST_LEVELS: Final = 100
_DEEP_NAME: Final = re.compile(
    rf"""(?<![\w-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){{{_MOST_LEVELS}}}"""
)
"""A dotted name, whose parts are tables within tables."""
_MOST_NAME_LETTERS: Final = 10_000
_MOST_INTEGER_BITS: Final = 512
"""States of random generators have 128."""


def json_document(
    text: str | bytes,
    real: Callable[[str], Any] | None = None,
    whole: Callable[[str], Any] | None = None,
) -> Any:
    """Return what a text of JSON holds; `real` and `whole` make its numbers.

    Raises:
        DamagedDocument: it is no JSON, or holds what no file of ours does.
    """
    return guarded_document(
        "JSON",
        lambda: json.loads(text, parse_float=real, parse_constant=real, parse_int=whole),
    )


def toml_document(text: str, parse_float: Callable[[str], Any] = float) -> dict[str, Any]:
    """Return the tables of a text of TOML.

    Raises:
        DamagedDocument: it is no TOML, or holds what no file of ours does.
    """
    if _DEEP_NAME.search(text) is not None:  # takes the library the square of the levels
        raise DamagedDocument(f"no TOML: nested deeper than {_MOST_LEVELS} levels")
    tables: dict[str, Any] = guarded_document(
        "TOML", lambda: tomllib.loads(text, parse_float=parse_float)
    )
    return tables


def guarded_document(kind: str, parse: Callable[[], Any]) -> Any:
    """Return what `parse` makes of a document of a kind, such as "msgpack".

    Raises:
        DamagedDocument: it is none, or holds what no file of ours does.
    """
    try:
        document = parse()
    except MemoryError as error:
        raise DamagedDocument(f"no {kind}: too large for the memory") from error
    except Exception as error:  # msgpack and the hooks raise many kinds, for any bytes at all
        raise DamagedDocument(f"no {kind}: {error}") from error
    _check(document)
    return document


def _check(document: object) -> None:
    """Refuse what readers of it would stumble over.

    Raises:
        DamagedDocument: it is nested too deeply, or has a monstrous name or number.
    """
    level, depth = [document], 0
    while level:
        if depth > _MOST_LEVELS:
            raise DamagedDocument(f"nested deeper than {_MOST_LEVELS} levels")
        deeper: list[object] = []
        for value in level:
            if isinstance(value, dict):
                names = max((len(name) for name in value if isinstance(name, str)), default=0)
                if names > _MOST_NAME_LETTERS:
                    raise DamagedDocument(f"a name of {names:,} characters")
                deeper.extend(value.values())
            elif isinstance(value, list):
                deeper.extend(value)
            elif isinstance(value, int) and value.bit_length() > _MOST_INTEGER_BITS:
                raise DamagedDocument(f"a whole number of {value.bit_length():,} bits")
        level, depth = deeper, depth + 1
