"""Plans <-> documents of JSON.

A record is an object with a name for each field, so a new field needs no code.  Seats' tokens are
in it: whoever can read it can sit down.
"""

from __future__ import annotations

import types
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from engine.errors import DamagedDocument

_Record = TypeVar("_Record")


def plan_document(value: Any) -> Any:
    """Return the document of a `MatchPlan` or a `DealerPlan`, or of a field of theirs."""
    if is_dataclass(value):
        return {field.name: plan_document(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, tuple):
        return [plan_document(part) for part in value]
    return value.value if isinstance(value, Enum) else value


def plan_in(kind: type[_Record], document: Any) -> _Record:
    """Return the plan of a kind in a document.

    Raises:
        DamagedDocument: there is none.
    """
    record: _Record = _value(kind, document, kind.__name__)
    return record


def _value(kind: Any, document: Any, where: str) -> Any:
    """Return the value of a type in a part of a document; `where` names that part."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        (kind,) = (choice for choice in inner if choice is not types.NoneType)
        return None if document is None else _value(kind, document, where)
    if origin is tuple and isinstance(document, list):
        return tuple(_value(inner[0], part, where) for part in document)
    if is_dataclass(kind) or hasattr(kind, "_fields"):
        return _record(kind, document, where)
    if issubclass(kind, Enum) and document in [choice.value for choice in kind]:
        return kind(document)
    if kind is float and type(document) is int:
        return document
    if type(document) is not kind:
        raise DamagedDocument(f"{where}: {document!r:.60} is no {kind.__name__}")
    return document


def _record(kind: Any, document: Any, where: str) -> Any:
    hints = get_type_hints(kind)
    if isinstance(document, list) and not is_dataclass(kind):
        document = dict(zip(hints, document, strict=False))
    if not isinstance(document, dict) or document.keys() != hints.keys():
        raise DamagedDocument(f"{where}: want {', '.join(hints)}")
    return kind(**{name: _value(hints[name], document[name], name) for name in hints})
