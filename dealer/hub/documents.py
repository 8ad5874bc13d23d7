"""What clients and the board are told, as plain values: never a token, a path or a bot's command.

All of it may be seen by anybody, unless a function's name says that it is an owner's.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from dealer.hub.stored_results import stored_result
from protocol.deals import DealsProof, SeedProof, format_proof, phrase_digest

if TYPE_CHECKING:
    from dealer.hub.hub_state import ActiveMatch, HubState
    from dealer.hub.store import Account, BotVersion, MatchRequest, StoredMatch

_NEWEST_MATCHES: Final = 50
_LEAST_CI95: Final = 2.0


def version_document(version: BotVersion) -> dict[str, Any]:
    """Return what is known of a version of a bot."""
    return {
        "bot": version.name,
        "version": version.label,
        "digest": version.digest,
        "owner": version.owner,
        "house": version.account is None,
    }


def match_document(state: HubState, record: StoredMatch) -> dict[str, Any]:
    """Return a match; its secret is told once it is over, and so is a seed that was chosen."""
    first, second, *more = map(state.version, record.versions)
    over, secret_deals = record.state != "running", record.shown_seed is None
    running = state.running.get(record.id)
    played = record.hands_played if running is None else _hands_of(running)
    result = stored_result(record)
    if result is not None:
        result.pop("betting", None)  # the queue's
    return {
        "match": record.id,
        "game": record.game,
        "hands": record.hands * (1 + record.pairs),
        "hands_played": played,
        "pairs": bool(record.pairs),
        "rated": bool(record.rated),
        "first": version_document(first),
        "second": version_document(second),
        "third": version_document(more[0]) if more else None,
        "state": record.state,
        "detail": record.detail,
        "forfeited_by": None if record.culprit is None else state.version(record.culprit).name,
        "started": record.started,
        "ended": record.ended,
        "commitment": secret_proof(record).commitment if secret_deals else None,
        "words": record.words,
        "secret": record.secret.hex() if over and secret_deals else None,
        "seed": record.shown_seed if over else None,
        "result": result,
        "best": best_estimate(result),
    }


def secret_proof(record: StoredMatch) -> DealsProof | SeedProof:
    """Return what shows where the deals of a match come from whose seed nobody has chosen."""
    kind = DealsProof if record.keyed else SeedProof
    return kind(record.secret, record.words)


def deals_document(state: HubState, record: StoredMatch) -> dict[str, Any]:
    """Return what server and guests are bound to before the deals of a match are made.

    Those of words stand in the order in which the words go into the deals.
    """
    requests = state.store.requests_of(record.id)
    digests = [request.words_sha256 or _digest_of(request.words) for request in requests]
    return {
        "commitment": secret_proof(record).commitment if record.shown_seed is None else None,
        "words_sha256": list(filter(None, digests)),
    }


def _digest_of(phrase: str) -> str:
    return phrase_digest(phrase) if phrase else ""


def proof_line(record: StoredMatch) -> bytes:
    """Return the last line of the logs of a match that is over; b"" where a seed was chosen."""
    if record.shown_seed is not None:
        return b""
    return f"{format_proof(secret_proof(record))}\n".encode("utf-8", "surrogateescape")


def known_ci95(estimate: Mapping[str, Any]) -> float:
    """Return half the 95 % interval of an estimate, mbb per hand.

    Samples that are all alike, as between bots that never look at cards, have none; they count as
    if they were known to `_LEAST_CI95`.
    """
    return max(float(estimate["ci95_mbb_per_hand"]), _LEAST_CI95)


def best_estimate(result: dict[str, Any] | None) -> dict[str, Any] | None:
    """Return the estimate of the shortest interval, from the view of the first bot; None: none."""
    if result is None:
        return None
    known = {
        name: estimate
        for name, estimate in result["estimates"].items()
        if estimate["ci95_mbb_per_hand"] is not None
    }
    if not known:
        return None
    name = min(known, key=lambda name: (known[name]["ci95_mbb_per_hand"], name))
    return {"estimator": name, **known[name]}


def _hands_of(match: ActiveMatch) -> int:
    record = match.record
    if match.concluded:
        return sum(match.hands.values())
    over = (1 + record.pairs - len(match.legs)) * record.hands
    return over + sum(match.hands.get(key, 0) for key in match.legs)


def request_document(request: MatchRequest, why: str = "") -> dict[str, Any]:
    """Return a request, for its owner.

    Args:
        why: it waits.
    """
    return {
        "request": request.id,
        "opponent": request.opponent,
        "game": request.game,
        "hands": request.hands,
        "pairs": bool(request.pairs),
        "rated": bool(request.rated),
        "queued": request.queued,
        "state": request.state,
        "reason": request.reason or why,
        "match": request.match,
    }


def owner_document(state: HubState, account: Account) -> dict[str, Any]:
    """Return what the owner of an account is told of it."""
    return {
        "account": account.name,
        "expires": account.expires,
        "quotas": {
            name: state.quota(account, name)
            for name in ("matches_at_once", "hands_a_day", "hands_a_match")
        },
        "hands_today": state.hands_today(account),
        "matches_now": sum(account.id in match.owners for match in state.running.values()),
        "bots": [
            {**version_document(version), "probation": version.probation}
            for version in state.store.versions()
            if version.account == account.id
        ],
        "requests": [
            request_document(request, state.why_waiting(request))
            for request in _open_requests(state, account)
        ],
        "notices": [{"at": at, "text": text} for at, text in state.store.notices(account.id)],
    }


def _open_requests(state: HubState, account: Account) -> list[MatchRequest]:
    """Return the requests of an account that are played or wait."""
    played = [
        request
        for number, match in state.running.items()
        if account.id in match.owners
        for request in state.store.requests_of(number)
    ]
    requests = [*played, *state.store.waiting_requests()]
    return [request for request in requests if state.version(request.version).account == account.id]


def board_document(state: HubState) -> dict[str, Any]:
    """Return what the board shows first."""
    records = state.store.matches(most=_NEWEST_MATCHES)
    return {
        "name": state.config.name,
        "games": list(state.config.games),
        "house": [version_document(version) for version in state.house.values()],
        "ratings": state.ratings,
        "waiting": len(state.waiting()),
        "running": [match_document(state, match.record) for match in state.running.values()],
        "matches": [match_document(state, record) for record in records],
        "at": time.time(),
    }


def bot_document(state: HubState, name: str) -> dict[str, Any] | None:
    """Return a bot's versions and its newest matches; None: there is no such bot."""
    versions = [
        version for version in state.store.versions() if version.name.lower() == name.lower()
    ]
    if not versions:
        return None
    records = state.store.matches_of([version.id for version in versions])[:_NEWEST_MATCHES]
    return {
        "bot": versions[0].name,
        "owner": versions[0].owner,
        "house": versions[0].account is None,
        "versions": [version_document(version) for version in versions[-_NEWEST_MATCHES:]],
        "matches": [match_document(state, record) for record in records],
    }


def pair_document(state: HubState, first: str, second: str) -> dict[str, Any] | None:
    """Return the matches between two bots, the newest first; None: there is no such bot."""
    versions = {version.id: version.name.lower() for version in state.store.versions()}
    names = {first.lower(), second.lower()}
    if not names <= set(versions.values()):
        return None
    mine = [number for number, name in versions.items() if name == first.lower()]
    records = [
        record
        for record in state.store.matches_of(mine)
        if record.third is None and {versions[number] for number in record.versions} == names
    ]
    return {
        "bots": [first, second],
        "matches": [match_document(state, record) for record in records[:_NEWEST_MATCHES]],
    }
