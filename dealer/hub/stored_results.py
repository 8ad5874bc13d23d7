"""The result of a match as the store has it: our JSON, which damage may have changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from dealer.hub.errors import DamagedStore
from engine.storage.documents import json_document

if TYPE_CHECKING:
    from dealer.hub.store import StoredMatch

_ESTIMATE_KINDS: Final[dict[str, tuple[type, ...]]] = {
    "mbb_per_hand": (int, float),
    "ci95_mbb_per_hand": (int, float, type(None)),
    "sample_unit": (str,),
    "samples": (int,),
    "hands": (int,),
}
_NO_BETTING: Final[dict[str, list[float]]] = {"ahead": [], "behind": []}


def stored_result(record: StoredMatch) -> dict[str, Any] | None:
    """Return the result of a match, see `dealer.hub.match_results.rate_match`; None: it has none.

    Raises:
        DamagedStore: what is stored is no such result.
    """
    if record.result is None:
        return None
    try:
        result = json_document(record.result)
    except ValueError:
        result = None
    if not isinstance(result, dict) or not _is_whole(result):
        raise DamagedStore(f"match {record.id}: its result in the database is damaged")
    return result


def _is_whole(result: dict[str, Any]) -> bool:
    estimates, betting = result.get("estimates"), result.get("betting", _NO_BETTING)
    return (
        isinstance(result.get("hands"), int)
        and isinstance(estimates, dict)
        and all(_is_estimate(estimate) for estimate in estimates.values())
        and isinstance(betting, dict)
        and all(_is_numbers(betting.get(side)) for side in _NO_BETTING)
    )


def _is_estimate(estimate: object) -> bool:
    return isinstance(estimate, dict) and all(
        key in estimate and isinstance(estimate[key], kinds)
        for key, kinds in _ESTIMATE_KINDS.items()
    )


def _is_numbers(values: object) -> bool:
    return isinstance(values, list) and all(isinstance(value, int | float) for value in values)
