"""A poker bot that reads questions in JSON from standard input and writes answers to its output.

    arena match "stdio:python3 stdio_bot.py" rule        (Python 3.8 or later)

Change decide() to make it yours; docs/bridges.md explains the fields of a question.  As it stands
the bot plays at random: it folds 6 % of the time, calls 47 % and raises 47 % by any legal size.
Print nothing else: what is to be seen goes to standard error.
"""

import json
import random
import sys


def decide(question, chance):
    """Return an action such as {"action": "raise", "to": 600}, or a word such as "fold"."""
    legal = {one["action"]: one for one in question["legal"]}
    weights = [{"fold": 6, "raise": 47}.get(action, 47) for action in legal]
    (action,) = chance.choices(list(legal), weights)
    if action != "raise":
        return action
    return {"action": "raise", "to": chance.randint(legal["raise"]["min"], legal["raise"]["max"])}


def main():
    chance = random.Random()
    for line in sys.stdin:
        told = json.loads(line)
        if told["type"] == "hello":
            chance.seed(told["seed"])
            print("ready", flush=True)
        elif told["type"] == "decision":
            answer = decide(told, chance)
            print(answer if isinstance(answer, str) else json.dumps(answer), flush=True)
        elif told["type"] == "error":
            print(told["message"], file=sys.stderr)
        # "result" has the chips won and the cards shown; there may be other types one day


if __name__ == "__main__":
    main()
