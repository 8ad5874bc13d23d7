"""Answers of a server, held against the description of its addresses: no key more, none less."""

import functools
import json
import re

from jsonschema import Draft202012Validator

from dealer.hub.api_schemas import SCHEMAS
from dealer.hub.api_table import ENDPOINTS, pattern_of
from dealer.web.http_responses import JSON


def strict(schema):
    """A schema that forbids what it does not name."""
    if isinstance(schema, list):
        return [strict(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {key: strict(part) for key, part in schema.items()}
    if isinstance(schema.get("properties"), dict):
        closed["additionalProperties"] = False
    return closed


@functools.cache
def validator(name):
    """Of a schema by its name."""
    schemas = {known: strict(schema) for known, schema in SCHEMAS.items()}
    return Draft202012Validator(
        {"$ref": f"#/components/schemas/{name}", "components": {"schemas": schemas}}
    )


def fits(name, document):
    """Whether a document is as a schema says."""
    return validator(name).is_valid(document)


def check(name, document):
    """Fail where a document is not as a schema says."""
    validator(name).validate(document)


def operation_of(method, path):
    """What is described of a method at a path, None where nothing is."""
    for described, operations in ENDPOINTS.items():
        if re.fullmatch(pattern_of(described), path):
            named = [operation for operation in operations if operation.method == method]
            return named[0] if named else None
    return None


def check_answer(method, path, response, body=None):
    """Fail where a response is another than its description.

    Args:
        path: without "/" and query.
        body: all of it, where it is made while it is sent.
    """
    operation = operation_of(method, path)
    if operation is None:
        return
    assert response.status == operation.status
    body = response.body if body is None else body
    if operation.answer in SCHEMAS:
        assert response.content_type == JSON
        if isinstance(body, bytes):
            check(operation.answer, json.loads(body))
    elif operation.answer:
        assert response.content_type == operation.answer
