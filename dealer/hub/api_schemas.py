"""What goes over the server's addresses as JSON, described in JSON Schema (draft 2020-12).

Tests hold all that is answered against these: a key that is missing here, or too much, fails.
Clients are to pass over keys that they do not know, so that new ones do not break them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

Schema: TypeAlias = dict[str, Any]

REQUEST_KEYS: Final[dict[str, tuple[type | tuple[type, ...], Any]]] = {
    "bot": (str, None),
    "version": (str, "1"),
    "digest": (str, None),
    "opponent": ((str, type(None)), None),
    "game": (str, "hunl"),
    "hands": (int, 1000),
    "pairs": (bool, True),
    "rated": (bool, True),
    "words": (str, ""),
    "words_sha256": (str, ""),
}
"""Key of a request for a match -> its type and what it is where it is not given."""
_REQUIRED_KEYS: Final = ("bot", "digest")
_REQUEST_SUMMARIES: Final = {
    "version": "your word for a state of the bot; results of two versions are never averaged",
    "digest": "another text for each state of the bot's program, such as its SHA-256",
    "opponent": "a bot's name, guest: a waiting bot of somebody else, null: whoever helps most",
    "hands": "of each leg",
    "pairs": "whether each deal is played from both seats, in two legs",
    "words": "go into the deals; the host knows them before it draws its secret",
    "words_sha256": "SHA-256 of words for the deals that follow once the commitment is shown",
}
_NAMES: Final = {str: "string", int: "integer", bool: "boolean", type(None): "null"}


def _told(schema: Schema, summary: str) -> Schema:
    return {**schema, "description": summary}


def _object(optional: Sequence[str] = (), /, **fields: Schema) -> Schema:
    """Return the schema of an object; all of its fields are always there but for some."""
    required = [name for name in fields if name not in optional]
    return {"type": "object", "properties": fields, "required": required}


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _map(values: Schema) -> Schema:
    return {"type": "object", "additionalProperties": values}


def _or_null(schema: Schema) -> Schema:
    if "type" in schema and isinstance(schema["type"], str) and "enum" not in schema:
        return {**schema, "type": [schema["type"], "null"]}
    return {"anyOf": [schema, {"type": "null"}]}


def reference(name: str) -> Schema:
    """Return the schema that refers to one of `SCHEMAS`."""
    return {"$ref": f"#/components/schemas/{name}"}


def _kinds(kind: type | tuple[type, ...]) -> Any:
    names = [_NAMES[part] for part in (kind if isinstance(kind, tuple) else (kind,))]
    return names if len(names) > 1 else names[0]


def _wanted_match(keys: Mapping[str, tuple[type | tuple[type, ...], Any]]) -> Schema:
    properties: Schema = {}
    for key, (kind, usual) in keys.items():
        schema: Schema = {"type": _kinds(kind)}
        if key not in _REQUIRED_KEYS:
            schema["default"] = usual
        if key in _REQUEST_SUMMARIES:
            schema["description"] = _REQUEST_SUMMARIES[key]
        properties[key] = schema
    return {
        "type": "object",
        "properties": properties,
        "required": list(_REQUIRED_KEYS),
        "additionalProperties": False,
    }


_TEXT: Final[Schema] = {"type": "string"}
_WHOLE: Final[Schema] = {"type": "integer"}
_NUMBER: Final[Schema] = {"type": "number"}
_YES: Final[Schema] = {"type": "boolean"}
_ANYTHING: Final[Schema] = {}
_TIME: Final = _told(_NUMBER, "seconds since 1970")
_LEG: Final[Schema] = {"type": "integer", "enum": [0, 1]}
_CARDS: Final = _told(_list(_TEXT), "such as As or Td")
_ACTION: Final[Schema] = {"type": "string", "enum": ["fold", "check", "call", "raise"]}
_STEPS: Final = _list(_object(("to",), street=_WHOLE, position=_WHOLE, action=_ACTION, to=_WHOLE))
_SEAT: Final[Schema] = {
    "match": _WHOLE,
    "leg": _LEG,
    "seat": _told(_WHOLE, "yours, the same in all hands of the leg"),
    "names": _told(_list(_TEXT), "in seat order"),
    "hands": _told(_WHOLE, "of the leg"),
}
_VERSION: Final = _told(_TEXT, "of these messages")
_PLAYED: Final[Schema] = {
    "hand": _told(_WHOLE, "its number in the leg, from 0"),
    "position": _told(_WHOLE, "yours in this hand; heads-up, 0 is the big blind"),
}
_MATCH: Final[Schema] = {
    "match": _WHOLE,
    "game": _TEXT,
    "hands": _told(_WHOLE, "of all legs"),
    "hands_played": _WHOLE,
    "pairs": _YES,
    "rated": _YES,
    "first": reference("Version"),
    "second": reference("Version"),
    "third": _told(_or_null(reference("Version")), "of a match of three"),
    "state": {"type": "string", "enum": ["running", "finished", "forfeited", "void"]},
    "detail": _told(_TEXT, "why it ended early"),
    "forfeited_by": _or_null(_TEXT),
    "started": _TIME,
    "ended": _or_null(_TIME),
    "commitment": _told(_or_null(_TEXT), "SHA-256 of the secret"),
    "words": _TEXT,
    "secret": _told(_or_null(_TEXT), "once it is over"),
    "seed": _or_null(_WHOLE),
    "result": _or_null(reference("Result")),
    "best": _told(_or_null(_map(_ANYTHING)), "of the estimates, that of the shortest interval"),
}
_MATCHES: Final = _list(reference("Match"))
_VERSIONS: Final = _list(reference("Version"))
_REQUEST: Final = {
    "request": _WHOLE,
    "opponent": _or_null(_TEXT),
    "game": _TEXT,
    "hands": _WHOLE,
    "pairs": _YES,
    "rated": _YES,
    "queued": _TIME,
    "state": {"type": "string", "enum": ["waiting", "matched", "refused", "withdrawn"]},
    "reason": _told(_TEXT, "why it waits, or was refused"),
    "match": _or_null(_WHOLE),
}

SCHEMAS: Final[dict[str, Schema]] = {
    "Refusal": _object(
        ("seconds",),
        error=_told(_TEXT, "a word for programs"),
        message=_told(_TEXT, "a line for people"),
        seconds=_told(_NUMBER, "to wait, where waiting helps; differs from client to client"),
    ),
    "Version": _object(bot=_TEXT, version=_TEXT, digest=_TEXT, owner=_or_null(_TEXT), house=_YES),
    "Result": _object(
        ("aivat",),
        hands=_WHOLE,
        estimates=_told(_map(_map(_ANYTHING)), "by name, from the view of the first bot"),
        aivat=_map(_TEXT),
    ),
    "Match": _object(**_MATCH),
    "WatchedMatch": _object(
        **_MATCH, watch=_told(_or_null(_TEXT), "where its hands are seen, if by whoever asks")
    ),
    "Board": _object(
        name=_TEXT,
        games=_list(_TEXT),
        house=_VERSIONS,
        ratings=_told(_map(_ANYTHING), "by game"),
        waiting=_told(_WHOLE, "requests"),
        running=_MATCHES,
        matches=_told(_MATCHES, "the newest"),
        at=_TIME,
    ),
    "Bot": _object(
        bot=_TEXT, owner=_or_null(_TEXT), house=_YES, versions=_VERSIONS, matches=_MATCHES
    ),
    "Pair": _object(bots=_list(_TEXT), matches=_MATCHES),
    "Health": _object(
        status=_told(_TEXT, "ok, or with 503 why no matches are begun"),
        matches=_told(_WHOLE, "that are played"),
    ),
    "Owner": _object(
        account=_TEXT,
        expires=_or_null(_TIME),
        quotas=_object(matches_at_once=_WHOLE, hands_a_day=_WHOLE, hands_a_match=_WHOLE),
        hands_today=_WHOLE,
        matches_now=_WHOLE,
        bots=_list(
            _object(
                bot=_TEXT,
                version=_TEXT,
                digest=_TEXT,
                owner=_or_null(_TEXT),
                house=_YES,
                probation=_or_null(_TEXT),
            )
        ),
        requests=_told(_list(reference("Request")), "that wait or are played"),
        notices=_list(_object(at=_TIME, text=_TEXT)),
    ),
    "WantedMatch": _wanted_match(REQUEST_KEYS),
    "Request": _object(**_REQUEST),
    "Game": _object(
        name=_or_null(_TEXT),
        betting={"type": "string", "enum": ["limit", "no-limit"]},
        players=_WHOLE,
        blinds=_list(_WHOLE),
        stacks=_or_null(_list(_WHOLE)),
        streets=_WHOLE,
        hole_cards=_WHOLE,
        board_cards=_list(_WHOLE),
    ),
    "Decision": _object(
        ("time_left_ms", "deadline"),
        version=_VERSION,
        type={"const": "decision"},
        game=reference("Game"),
        id=_told(_WHOLE, "an answer names it"),
        **_PLAYED,
        hole=_CARDS,
        board=_CARDS,
        street=_WHOLE,
        betting=_STEPS,
        pot=_WHOLE,
        to_call=_WHOLE,
        stacks=_told(_list(_WHOLE), "chips left, by position"),
        legal=_list(_object(("min", "max"), action=_ACTION, min=_WHOLE, max=_WHOLE)),
        **_SEAT,
        time_left_ms=_WHOLE,
        deadline=_told(_TIME, "seconds since 1970; behind it the match is forfeited"),
        request=_WHOLE,
    ),
    "Hand": _object(
        version=_VERSION,
        type={"const": "result"},
        **_PLAYED,
        won=_told(_list(_NUMBER), "chips, by position"),
        holes=_told(_list(_or_null(_CARDS)), "by position, null where you may not see them"),
        board=_CARDS,
        betting=_STEPS,
        **_SEAT,
    ),
    "Table": _object(
        **_SEAT,
        hands_over=_WHOLE,
        won=_told(_NUMBER, "chips, in hands seen here"),
        game=reference("Game"),
        response_ms=_told(_or_null(_WHOLE), "for one answer"),
        hand_ms=_told(_or_null(_WHOLE), "for all answers of a hand, on average over the leg"),
    ),
    "State": _object(
        ("numbers",),
        version=_VERSION,
        type={"const": "state"},
        event=_told(_WHOLE, "for `after` of the next question"),
        state={
            "type": "string",
            "enum": ["waiting", "playing", "over", "refused", "withdrawn"],
            "description": "nothing more comes but for the first two",
        },
        request=reference("Request"),
        deals=_told(_or_null(reference("Deals")), "once there is a match"),
        tables=_list(reference("Table")),
        decisions=_told(_list(reference("Decision")), "what is to be decided now"),
        hands=_told(_list(reference("Hand")), "that ended since the event"),
        result=_or_null(reference("PlayedMatch")),
        numbers=_told(_map(_ANYTHING), "a tracker's, of the opponent, see docs/tracker.md"),
    ),
    "Deals": _object(
        commitment=_told(_or_null(_TEXT), "SHA-256 of the server's secret"),
        words_sha256=_told(_list(_TEXT), "of the guests' words, in the order of these"),
        words_wanted=_told(_YES, "whether the server waits for yours"),
    ),
    "Words": _object(words=_told(_TEXT, 'those of words_sha256; "": none after all')),
    "PlayedMatch": _object(**_MATCH, logs=_told(_list(_TEXT), "addresses")),
    "Decisions": _object(decisions=_list(reference("Decision"))),
    "Answer": {
        "type": "object",
        "properties": {
            "id": _told(_WHOLE, "of the decision"),
            "action": {"type": "string", "enum": ["fold", "check", "call", "raise", "all-in"]},
            "to": _told(_or_null(_WHOLE), "of a raise: total over the whole hand"),
            "client_id": _told(
                {"type": "string", "minLength": 1, "maxLength": 100},
                "the same answer again gets what it got, another one of this id is refused",
            ),
        },
        "required": ["id", "action"],
        "additionalProperties": False,
    },
    "Taken": _object(taken=_told(_WHOLE, "id of the decision"), action=_told(_TEXT, "f, c, r600")),
    "Reason": _object(reason=_TEXT),
}
"""Name -> schema."""
