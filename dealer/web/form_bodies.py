"""What a page sends with POST: some texts by name, as a JSON object."""

from collections.abc import Sequence

from dealer.web.http_requests import Refusal, Request
from engine.storage.documents import json_document


def texts_of(request: Request, names: Sequence[str]) -> list[str]:
    """Return the texts of a request's body, in the order of their names.

    Raises:
        Refusal: it has others, or is no such object (400).
    """
    try:
        found = json_document(request.body)
        texts = [found[name] for name in names]
        if len(found) == len(names) and all(isinstance(text, str) for text in texts):
            return texts
    except (ValueError, TypeError, KeyError):
        pass
    wanted = ", ".join(f'"{name}": ...' for name in names)
    raise Refusal(400, f"want {{{wanted}}}")
