"""A poker bot that plays at `arena server` by HTTP, with Python's standard library alone.

    python http_bot.py http://127.0.0.1:9380 TOKEN_FILE my-bot rule 100

The last words are the bot's name, its opponent and hands.  REQUEST=7 in the environment goes on
with request 7.  Change decide() to make it yours; docs/json.md explains the fields of a decision.
"""

import json
import os
import random
import secrets
import sys
import time
import urllib.error
import urllib.request
from hashlib import sha256
from http.client import HTTPException
from typing import Any

if len(sys.argv) != 6:
    sys.exit("want SERVER TOKEN_FILE BOT OPPONENT HANDS")
SERVER, TOKEN_FILE, BOT, OPPONENT, HANDS = sys.argv[1:]
try:
    with open(TOKEN_FILE) as file:
        FIELDS = {"Authorization": f"Bearer {file.read().strip()}"}
except OSError as error:
    sys.exit(str(error))


def decide(decision: dict[str, Any]) -> dict[str, Any]:
    """Return an action: here the smallest raise, or else a check or call."""
    choice = decision["legal"][-1]
    return {"action": choice["action"], "to": choice.get("min")}


def ask(method: str, path: str, body: object = None) -> Any:
    """Return the JSON of an answer; wait where the server is busy, or is started again."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(SERVER.rstrip("/") + path, data, FIELDS, method=method)
    while True:
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            refusal = json.load(error)
            if refusal["error"] == "not_asked":
                return None
            if "seconds" not in refusal:
                sys.exit(refusal["message"])
            time.sleep(refusal["seconds"])
        except (OSError, HTTPException) as error:
            print(f"no connection: {error}; trying again", file=sys.stderr)
            time.sleep(1 + random.random())


number = os.environ.get("REQUEST")
words = "" if number else secrets.token_hex(16)
wanted = {"bot": BOT, "digest": "http_bot 1", "opponent": OPPONENT, "hands": int(HANDS)}
if not number:
    digest = sha256(words.encode()).hexdigest()
    number = ask("POST", "/api/requests", {**wanted, "words_sha256": digest})["request"]
print(f"request {number}", flush=True)
state: Any = {"event": 0, "state": "waiting"}
deals: Any = None
while state["state"] in ("waiting", "playing"):
    state = ask("GET", f"/api/requests/{number}/play?after={state['event']}")
    deals = deals or state["deals"]
    if deals and state["deals"]["words_wanted"]:
        ask("POST", f"/api/requests/{number}/words", {"words": words})
    for decision in state["decisions"]:
        answer = {"id": decision["id"], **decide(decision)}
        ask("POST", f"/api/requests/{number}/play", answer)
print(json.dumps(state["result"] or state["request"]))
if state["result"] and state["result"]["hands_played"]:
    secret = bytes.fromhex(state["result"]["secret"])
    if sha256(secret).hexdigest() != deals["commitment"] or words not in state["result"]["words"]:
        sys.exit("the host may have chosen the cards")
