"""The description of the server's addresses: it is OpenAPI 3.1, whole, and that of the handlers."""

import json
import re

import pytest
from jsonschema import Draft202012Validator

from dealer.hub.api_schemas import REQUEST_KEYS, SCHEMAS
from dealer.hub.api_table import ENDPOINTS, openapi_document, pattern_of, routes_of
from dealer.hub.json_seat import BadAnswer, read_answer
from tests.architecture.repository import ROOT
from tests.helpers.api_answers import check, fits
from tests.helpers.fake_server import serving
from tests.helpers.hub_door import Door


def parts(document, key):
    """All that stands under a key, however deep."""
    if isinstance(document, dict):
        for name, part in document.items():
            if name == key:
                yield part
            yield from parts(part, key)
    elif isinstance(document, list):
        for part in document:
            yield from parts(part, key)


def test_it_is_openapi():
    """By the validator that is kept for it, where that is installed."""
    validator = pytest.importorskip("openapi_spec_validator")
    validator.validate(json.loads(json.dumps(openapi_document())))


def test_its_schemas_are_json_schema():
    """Of parameters, bodies and parts."""
    document = json.loads(json.dumps(openapi_document()))
    for schema in parts(document["paths"], "schema"):
        Draft202012Validator.check_schema(schema)
    for schema in SCHEMAS.values():
        Draft202012Validator.check_schema(schema)


def test_it_is_whole():
    """What is referred to is there and is used; operations have names of their own."""
    document = openapi_document()
    named = {text.removeprefix("#/components/schemas/") for text in parts(document, "$ref")}
    assert named == SCHEMAS.keys()
    names = list(parts(document["paths"], "operationId"))
    assert len(names) == len(set(names)) == sum(map(len, ENDPOINTS.values())) - 1
    for path, operations in document["paths"].items():
        for operation in operations.values():
            in_path = [part["name"] for part in operation["parameters"] if part["in"] == "path"]
            assert in_path == re.findall(r"\{(\w+)\}", path)


def test_an_address_has_a_handler():
    """And the other way round: a table with a gap is an error of ours."""
    with pytest.raises(ValueError, match="each address has a handler"):
        routes_of({})
    assert re.fullmatch(pattern_of("logs/{match}.{leg}.log"), "logs/12.1.log").groups() == (
        "12",
        "1",
    )
    assert not re.fullmatch(pattern_of("logs/{match}.{leg}.log"), "logs/12x1.log")


async def test_the_server_shows_it_to_everybody(tmp_path):
    """As JSON, without a token."""
    async with serving(tmp_path) as server:
        shown = await Door(server).document("api/openapi.json", token="")
        assert shown == json.loads(json.dumps(openapi_document()))


@pytest.mark.parametrize(
    ("change", "right"),
    [
        ({}, True),
        ({"opponent": None, "hands": 5, "pairs": False}, True),
        ({"hands": "5"}, False),
        ({"pairs": 1}, False),
        ({"colour": "red"}, False),
        ({"digest": None}, False),
    ],
)
async def test_what_may_be_asked_for_is_what_is_described(tmp_path, change, right):
    """The keys of a request are read and described by one table."""
    wanted = {"bot": "mine", "digest": "aa", **change}
    assert set(SCHEMAS["WantedMatch"]["properties"]) == set(REQUEST_KEYS)
    assert fits("WantedMatch", wanted) == right
    async with serving(tmp_path) as server:
        door = Door(server)
        if right:
            await door("api/requests", "POST", wanted)
        else:
            assert (await door.refusal("api/requests", "POST", wanted))[0] == 400


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ({"id": 7, "action": "call"}, True),
        ({"id": 7, "action": "raise", "to": 600, "client_id": "a"}, True),
        ({"id": "7", "action": "call"}, False),
        ({"action": "call"}, False),
        ({"id": 7, "action": "call", "seat": 1}, False),
        ({"id": 7, "action": "call", "client_id": ""}, False),
    ],
)
def test_answers_are_what_is_described(answer, right):
    """Read and described alike."""
    assert fits("Answer", answer) == right
    if right:
        read_answer(json.dumps(answer).encode())
    else:
        with pytest.raises(BadAnswer):
            read_answer(json.dumps(answer).encode())


def test_pages_show_what_is_described():
    """The decision that is printed for assistants is one, and so is its answer."""
    text = (ROOT / "docs" / "llms.txt").read_text(encoding="utf-8")
    decision = json.loads(re.search("```json\n(.*?)```", text, re.DOTALL)[1])
    check("Decision", decision)
    answer = json.loads(re.search(r"with `(\{[^`]*\})`.\n\n- Choose", text)[1])
    check("Answer", answer)
    assert answer["id"] == decision["id"]
    page = (ROOT / "docs" / "json.md").read_text(encoding="utf-8")
    for path, operations in ENDPOINTS.items():
        if "/play" in path or path in ("api/decisions", "api/openapi.json"):
            assert f"/{path}".replace("{request}", "ID") in page
            assert all(f"`{operation.method} /api" in page for operation in operations)
    for name in {*SCHEMAS["State"]["properties"], *SCHEMAS["Answer"]["properties"]} - {
        "type",
        "version",
    }:
        assert f"`{name}`" in page or f'"{name}"' in page, name
