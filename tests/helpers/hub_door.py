"""The addresses of a server, asked without a network."""

import json

import pytest

from dealer.hub.http_door import HubSite
from dealer.web.guard import BearerGuard
from dealer.web.http_requests import Refusal, Request
from dealer.web.http_responses import Response, json_response_to
from tests.helpers.api_answers import check, check_answer

HOST = "127.0.0.1:9380"


class Door:
    """The site of a server, asked without a network."""

    def __init__(self, server):
        self.server = server
        self.gone = False
        """Whether clients have closed their connections."""
        pages = {"": Response(b"board"), "replay.html": Response(b"replayer")}
        self.site = HubSite(server.hub, BearerGuard(["127.0.0.1"]), pages)

    async def __call__(self, path, method="GET", body=b"", token=None, **fields):
        """Ask; `token` "" is none, None the owner's."""
        token = self.server.token if token is None else token
        fields = {"authorization": f"Bearer {token}", **fields} if token else fields
        if not isinstance(body, bytes):
            body = json.dumps(body).encode()
        path, _, query = path.partition("?")
        request = Request(method, f"/{path}", query, HOST, fields, body, 1, lambda: self.gone)
        response = await self.site(request)
        if method != "HEAD":
            check_answer(method, path, response)
        return response

    async def document(self, *asked, **how):
        """The JSON of an answer."""
        response = await self(*asked, **how)
        return json.loads(response.body)

    async def refusal(self, *asked, **how):
        """What a question is refused with: status and word."""
        with pytest.raises(Refusal) as caught:
            await self(*asked, **how)
        check("Refusal", json.loads(json_response_to(caught.value).body))
        return caught.value.status, caught.value.code
