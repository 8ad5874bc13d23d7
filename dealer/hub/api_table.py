"""The table of the server's addresses: by it they are found, and described as OpenAPI 3.1."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final, NamedTuple

from dealer.hub.api_schemas import SCHEMAS, Schema, reference
from dealer.web.events import EVENT_STREAM
from dealer.web.http_responses import JSON
from dealer.web.router import Route
from protocol.decision_json import VERSION

SWITCHING: Final = HTTPStatus.SWITCHING_PROTOCOLS.value
CSV: Final = "text/csv; charset=utf-8"
METRICS: Final = "text/plain; version=0.0.4; charset=utf-8"
_PLAIN: Final = "text/plain; charset=utf-8"
_PARAMETER: Final = re.compile(r"\{(\w+)\}")
_TEXT: Final[Schema] = {"type": "string"}
_NUMBER: Final[Schema] = {"type": "integer", "minimum": 0}


class Parameter(NamedTuple):
    """Part of a path."""

    pattern: str
    """Regular expression, without groups."""
    schema: Schema
    summary: str


PARAMETERS: Final[dict[str, Parameter]] = {
    "match": Parameter("[0-9]{1,12}", _NUMBER, "number of a match"),
    "leg": Parameter("[01]", {"type": "integer", "enum": [0, 1]}, "of a match"),
    "user": Parameter("[^/.]+", _TEXT, "of the door for ACPC clients"),
    "tag": Parameter(".+", _TEXT, "of matches of an ACPC client"),
    "bot": Parameter("[^/]+", _TEXT, "name of a bot"),
    "first": Parameter("[^/]+", _TEXT, "name of a bot"),
    "second": Parameter("[^/]+", _TEXT, "name of a bot"),
    "request": Parameter("[0-9]{1,12}", _NUMBER, "number of a request"),
    "decision": Parameter("[0-9]{1,15}", _NUMBER, "id of a decision"),
    "key": Parameter("[A-Za-z0-9_-]{1,64}", _TEXT, "of a seat that was offered"),
}


class Query(NamedTuple):
    """What may stand behind "?"."""

    name: str
    schema: Schema
    summary: str
    required: bool = False


class Operation(NamedTuple):
    """What a method does at an address."""

    method: str
    name: str
    summary: str
    answer: str = ""
    """Name of a schema, else a content type; "" for no body."""
    status: int = 200
    body: str = ""
    """Name of a schema of what is sent, "" for nothing."""
    query: tuple[Query, ...] = ()
    everybody: bool = False
    """Whether it wants no token."""


_VERSION: Final = (
    Query("version", _TEXT, "of the bot, 1 where it is not given"),
    Query("digest", _TEXT, "of its program", required=True),
    Query("relay", _TEXT, "what the relay calls itself: it may come back"),
)
_WATCH: Final = (
    Query("after", _NUMBER, "event of the state that is known"),
    Query("numbers", {"type": "integer", "enum": [0, 1]}, "1: with a tracker's numbers"),
)
_WAIT: Final = Query(
    "wait",
    {"type": "integer", "minimum": 0, "maximum": 60, "default": 25},
    "seconds for news; blank lines before the JSON show that the server is there",
)
_WORDS: Final = Query("words", _TEXT, "for the deals, those whose SHA-256 the request had")
_LEG: Final = Query("leg", {"type": "integer", "enum": [0, 1], "default": 0}, "of the match")

ENDPOINTS: Final[dict[str, tuple[Operation, ...]]] = {
    "healthz": (Operation("GET", "health", "Whether it works", "Health", everybody=True),),
    "metrics": (Operation("GET", "metrics", "For Prometheus", METRICS, everybody=True),),
    "api/openapi.json": (
        Operation("GET", "description", "This description", JSON, everybody=True),
    ),
    "api/board": (Operation("GET", "board", "The board", "Board", everybody=True),),
    "api/matches/{match}": (
        Operation("GET", "match", "One match", "WatchedMatch", everybody=True),
    ),
    "logs/{match}.{leg}.log": (
        Operation("GET", "log", "Log of a leg of a match that is over", _PLAIN, everybody=True),
    ),
    "logs/{user}.{tag}.log": (
        Operation("GET", "tagged_logs", "Logs of an ACPC client", _PLAIN, everybody=True),
    ),
    "api/bots/{bot}": (Operation("GET", "bot", "A bot and its matches", "Bot", everybody=True),),
    "api/pairs/{first}/{second}": (
        Operation("GET", "pair", "The matches of two bots", "Pair", everybody=True),
    ),
    "api/me": (Operation("GET", "owner", "Quotas, bots and notices of an account", "Owner"),),
    "api/requests": (
        Operation("POST", "ask", "Ask for a match", "Request", 201, body="WantedMatch"),
    ),
    "api/requests/{request}": (
        Operation("GET", "request", "A request", "Request"),
        Operation("DELETE", "withdraw", "Withdraw a request that waits", "Request"),
    ),
    "api/requests/{request}/play": (
        Operation("GET", "state", "The state, once there is news", "State", query=(*_WATCH, _WAIT)),
        Operation("POST", "answer", "Answer a decision", "Taken", body="Answer"),
        Operation("DELETE", "leave", "Leave the match, and forfeit it", "", 204),
    ),
    "api/requests/{request}/words": (
        Operation("POST", "say_words", "Say words for the deals", "Deals", body="Words"),
    ),
    "api/requests/{request}/events": (
        Operation("GET", "states", "States as server-sent events", EVENT_STREAM, query=_WATCH),
    ),
    "api/requests/{request}/decisions/{decision}": (
        Operation("DELETE", "fold", "Fold, or check where that is free", "Taken"),
    ),
    "api/decisions": (
        Operation("GET", "decisions", "All that wait for an answer of the account", "Decisions"),
    ),
    "api/matches/{match}/decisions": (
        Operation("GET", "answer_times", "When a bot was asked and answered", CSV, query=(_LEG,)),
    ),
    "api/bots/{bot}/seats": (
        Operation(
            "GET", "seats", "Seats to take, and news, for relays", EVENT_STREAM, query=_VERSION
        ),
    ),
    "api/seats/{key}": (
        Operation(
            "GET",
            "seat",
            "With Upgrade: acpc, the bot's protocol from then on",
            "",
            SWITCHING,
            query=(_WORDS,),
        ),
        Operation("DELETE", "give_up", "The bot has left for good", "", 204, body="Reason"),
    ),
}
"""Path -> what can be done there; of two that match, the first is meant."""
_NOT_DESCRIBED: Final = "logs/{user}.{tag}.log"
"""In OpenAPI it would be the same path as that of a log."""


def routes_of(handlers: Mapping[str, Callable[..., Any]]) -> list[Route]:
    """Return the routes of a site.

    Args:
        handlers: of all of `ENDPOINTS`, by path.
    """
    if handlers.keys() != ENDPOINTS.keys():
        raise ValueError("each address has a handler, and each handler an address")
    return [
        (_methods(operations), pattern_of(path), handlers[path])
        for path, operations in ENDPOINTS.items()
    ]


def _methods(operations: Sequence[Operation]) -> tuple[str, ...]:
    """Return the methods of an address: what is read whole can be asked for without its body."""
    methods = [operation.method for operation in operations]
    whole = [op for op in operations if op.answer != EVENT_STREAM and op.status != SWITCHING]
    if any(operation.method == "GET" for operation in whole):
        methods.append("HEAD")
    return tuple(methods)


def pattern_of(path: str) -> str:
    """Return the regular expression of a path, with a group for each of its parameters."""
    texts = _PARAMETER.split(path)
    return "".join(
        f"({PARAMETERS[text].pattern})" if number % 2 else re.escape(text)
        for number, text in enumerate(texts)
    )


def openapi_document() -> dict[str, Any]:
    """Return the description of all addresses but the pages."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "arena server",
            "version": VERSION,
            "description": "Matches between poker bots. Owners of bots send a token; "
            "docs/json.md of the project has clients.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "paths": {
            f"/{path}": {op.method.lower(): _described(path, op) for op in operations}
            for path, operations in ENDPOINTS.items()
            if path != _NOT_DESCRIBED
        },
        "components": {
            "schemas": SCHEMAS,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _described(path: str, operation: Operation) -> dict[str, Any]:
    parameters = [
        {
            "name": name,
            "in": "path",
            "required": True,
            "description": PARAMETERS[name].summary,
            "schema": PARAMETERS[name].schema,
        }
        for name in _PARAMETER.findall(path)
    ]
    parameters += [
        {
            "name": query.name,
            "in": "query",
            "required": query.required,
            "description": query.summary,
            "schema": query.schema,
        }
        for query in operation.query
    ]
    document: dict[str, Any] = {
        "operationId": operation.name,
        "summary": operation.summary,
        "parameters": parameters,
        "security": [] if operation.everybody else [{"token": []}],
        "responses": {
            str(operation.status): {"description": operation.summary, **_content(operation.answer)},
            "default": {"description": "A refusal", **_content("Refusal")},
        },
    }
    if operation.body:
        document["requestBody"] = {"required": True, **_content(operation.body)}
    return document


def _content(what: str) -> dict[str, Any]:
    if not what:
        return {}
    if what in SCHEMAS:
        return {"content": {JSON: {"schema": reference(what)}}}
    schema: Schema = {"type": "object"} if what == JSON else {"type": "string"}
    return {"content": {what: {"schema": schema}}}
