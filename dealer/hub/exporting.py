"""Everything that the server knows, but hashes of tokens, as CSV, with the logs of its matches."""

from __future__ import annotations

import csv
import io
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, Final

from dealer.hub.errors import ServerError
from dealer.hub.store import Account, BotVersion, Store, StoredMatch
from engine.storage.atomic import write_whole

_SECRET_COLUMNS: Final = ("salt", "hash")


def export_all(store: Store, folder: Path, to: Path) -> Iterator[Path]:
    """Write all files into a new folder, and yield each.

    Args:
        folder: of the server.

    Raises:
        ServerError: the folder is there already.
        OSError: something cannot be written.
    """
    try:
        to.mkdir(parents=True)
    except FileExistsError:
        raise ServerError(f"{to} is there already") from None
    tables: list[tuple[str, type, Sequence[Any]]] = [
        ("accounts", Account, store.accounts()),
        ("versions", BotVersion, store.versions()),
        ("matches", StoredMatch, store.matches()[::-1]),
    ]
    for name, kind, records in tables:
        path = to / f"{name}.csv"
        write_whole(path, _csv(kind, records))
        yield path
    for match in store.matches():
        if match.state == "running":
            continue
        for log in sorted((folder / "matches" / f"{match.id:08}").glob("*.log")):
            path = to / f"{match.id:08}.{log.name}"
            shutil.copyfile(log, path)
            yield path


def _csv(kind: type, records: Iterable[Any]) -> str:
    names = [field.name for field in fields(kind) if field.name not in _SECRET_COLUMNS]
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(names)
    for record in records:
        values = [getattr(record, name) for name in names]
        rows.writerow([value.hex() if isinstance(value, bytes) else value for value in values])
    return text.getvalue()
