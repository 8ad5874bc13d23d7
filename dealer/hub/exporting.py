"""Everything that the server knows, but hashes of tokens, as CSV, with the logs of its matches."""

from __future__ import annotations

import csv
import io
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, Final

from dealer.hub.documents import best_estimate, proof_line
from dealer.hub.errors import ServerError
from dealer.hub.store import Account, BotVersion, Store, StoredMatch
from dealer.hub.stored_results import stored_result
from engine.storage.atomic import replacing, write_whole

_SECRET_COLUMNS: Final = ("salt", "hash")
_RESULT_COLUMNS: Final = (
    "match",
    "first",
    "first_version",
    "second",
    "second_version",
    "game",
    "state",
    "forfeited_by",
    "hands",
    "estimator",
    "mbb_per_hand_of_first",
    "ci95_mbb_per_hand",
    "third",
    "third_version",
)
_MATCH_WORDS: Final = (
    "first_bot",
    "first_version",
    "second_bot",
    "second_version",
    "forfeited_by",
    "third_bot",
    "third_version",
)
_ESTIMATE_COLUMNS: Final = (
    "match",
    "estimator",
    "mbb_per_hand",
    "ci95_mbb_per_hand",
    "sample_unit",
    "samples",
    "hands",
)


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
    ]
    for name, kind, records in tables:
        path = to / f"{name}.csv"
        write_whole(path, _csv(kind, records))
        yield path
    texts = {
        "matches": _matches(store),
        "results": _results(store),
        "estimates": _estimates(store),
    }
    for name, text in texts.items():
        path = to / f"{name}.csv"
        write_whole(path, text)
        yield path
    for match in store.each_match():
        if match.state == "running":
            continue
        for log in sorted((folder / "matches" / f"{match.id:08}").glob("*.log")):
            path = to / f"{match.id:08}.{log.name}"
            copy_log(match, log, path)
            yield path


def copy_log(match: StoredMatch, log: Path, to: Path) -> None:
    """Copy a log of a match that is over, with its proof as the last line.  Raises OSError."""
    with log.open("rb") as source, replacing(to) as file:
        shutil.copyfileobj(source, file)
        file.write(proof_line(match))


def _results(store: Store) -> str:
    """Return the matches that are over, with names and the estimate of the shortest interval."""
    versions = {version.id: version for version in store.versions()}
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(_RESULT_COLUMNS)
    for match in store.each_match():
        best = best_estimate(stored_result(match)) or {}
        names = [
            part
            for number in match.versions
            for part in (versions[number].name, versions[number].label)
        ]
        loser = "" if match.culprit is None else versions[match.culprit].name
        if match.state != "running":
            rate, ci95 = best.get("mbb_per_hand", ""), best.get("ci95_mbb_per_hand", "")
            shared = (match.game, match.state, loser, match.hands_played)
            estimate = best.get("estimator", ""), rate, ci95
            rows.writerow((match.id, *names[:4], *shared, *estimate, *(names[4:] or ("", ""))))
    return text.getvalue()


def _matches(store: Store) -> str:
    """Return all matches, with names; what deals follow from is told of those that are over."""
    versions = {version.id: version for version in store.versions()}

    def words(match: StoredMatch) -> list[str]:
        loser = "" if match.culprit is None else versions[match.culprit].name
        first, second, *third = [
            (versions[number].name, versions[number].label) for number in match.versions
        ]
        return [*first, *second, loser, *(third[0] if third else ("", ""))]

    matches = (
        replace(match, secret=b"", seed=None) if match.state == "running" else match
        for match in store.each_match()
    )
    return _csv(StoredMatch, matches, _MATCH_WORDS, words)


def _estimates(store: Store) -> str:
    """Return what every estimator says of each match, from the view of its first bot."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(_ESTIMATE_COLUMNS)
    for match in store.each_match("finished"):
        result = stored_result(match) or {"estimates": {}}
        for name, estimate in result["estimates"].items():
            rows.writerow((match.id, name, *(estimate[key] for key in _ESTIMATE_COLUMNS[2:])))
    return text.getvalue()


def _csv(
    kind: type,
    records: Iterable[Any],
    more_names: Sequence[str] = (),
    more: Callable[[Any], list[str]] = lambda _record: [],
) -> str:
    """Return records as CSV.

    Args:
        more_names: of further columns, which `more` returns of a record.
    """
    names = [field.name for field in fields(kind) if field.name not in _SECRET_COLUMNS]
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow([*names, *more_names])
    for record in records:
        values = [*(getattr(record, name) for name in names), *more(record)]
        rows.writerow([value.hex() if isinstance(value, bytes) else value for value in values])
    return text.getvalue()
