"""A poker bot that reads questions in JSON from standard input and writes answers to its output.

    arena match "stdio:python3 stdio_bot.py" rule        (Python 3.9 or later)

Change decide() to make it yours; docs/bridges.md explains the fields of a question.  As it stands
the bot plays at random: it folds 6 % of the time, calls 47 % and raises 47 % by any legal size.
Print nothing else: what is to be seen goes to standard error.
"""

import json
import random
import sys
from typing import Any


def decide(question: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """Return an action such as {"action": "fold"} or {"action": "raise", "to": 600}."""
    legal = {choice["action"]: choice for choice in question["legal"]}
    weights = [{"fold": 6}.get(action, 47) for action in legal]
    (action,) = chance.choices(list(legal), weights)
    if action != "raise":
        return {"action": action}
    return {"action": "raise", "to": chance.randint(legal["raise"]["min"], legal["raise"]["max"])}


def main() -> None:
    chance = random.Random()
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            chance.seed(message["seed"])
            print("ready", flush=True)
        elif message["type"] == "decision":
            print(json.dumps(decide(message, chance)), flush=True)
        elif message["type"] == "error":
            print(message["message"], file=sys.stderr)
        # "result" has the chips won and the cards shown; there may be other types one day


if __name__ == "__main__":
    main()
