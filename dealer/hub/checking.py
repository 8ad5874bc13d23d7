"""Whether finished matches have results, and the logs that these were counted from."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from dealer.hub.errors import DamagedStore
from dealer.hub.match_results import digest_of
from dealer.hub.store import Store
from dealer.hub.stored_results import stored_result


def wrong_matches(store: Store, folder: Path) -> Iterator[str]:
    """Yield a line for each finished match without a result, and for each leg whose log is not
    there, or not what it was.
    """
    for match in store.each_match("finished"):
        if match.result is None:
            yield f"match {match.id}: never counted, which the next start does: {match.detail}"
        try:
            stored_result(match)
        except DamagedStore as error:
            yield str(error)
        legs = store.legs(match.id)
        if len(legs) != 1 + match.pairs:
            yield f"match {match.id}: {len(legs)} of {1 + match.pairs} legs are noted"
        for leg in legs:
            path = folder / "matches" / f"{match.id:08}" / f"leg{leg.number}.log"
            try:
                if digest_of(path) != leg.sha256:
                    yield f"{path}: not what it was when the match ended"
            except OSError as error:
                yield f"{path}: {error.strerror or error}"
